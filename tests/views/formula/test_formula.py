from __future__ import annotations

import re
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRect
from PySide6.QtGui import QColor

from workbench.explain.node_figures import NodeFigures
from workbench.views.formula.digits import block, result, results, value
from workbench.views.formula.formula import FormulaView
from workbench.views.formula.node_formulas import (
    gain_formula,
    score_formula,
    soft_formula,
    step_formula,
    weight_formula,
)
from workbench.views.formula.parts.number import Number
from workbench.views.look.theme import LIGHT

sums = st.floats(-1e5, 1e5).filter(lambda g: abs(g) > 1e-3)
weights = st.floats(0.05, 1e5)
penalties = st.sampled_from([0.0, 0.05, 1.0, 3.16, 10.0])
rates = st.sampled_from([1.0, 0.3, 0.1, 0.05, 0.001])


def figures(g, h, reg_lambda, rate, alpha=0.0):
    soft = np.sign(g) * max(abs(g) - alpha, 0.0)
    weight = -soft / (h + reg_lambda)
    return NodeFigures(0, 10, 0.1, g, h, weight, 0.5 * soft * weight, rate * weight)


@st.composite
def splits(draw):
    reg_lambda, rate = draw(penalties), draw(rates)
    (gl, hl), (gr, hr) = (draw(st.tuples(sums, weights)) for _ in range(2))
    node = [(gl + gr, hl + hr), (gl, hl), (gr, hr)]
    alpha = draw(st.sampled_from([0.0, 0.0, 0.25, 3.0, 1e-3]))
    made = [figures(g, h, reg_lambda, rate, alpha) for g, h in node]
    return block(made, reg_lambda, draw(st.sampled_from([0.0, 0.8])), rate, reg_alpha=alpha)


def run(formula):
    """Run the Python text with the numbers that are shown; return the result and what is shown as it."""
    code = compile(formula.python, "shown", "exec")
    names = {}
    exec(code, names)
    return names[formula.left.python], formula.python.rpartition("# ")[2]


def last_digit(shown):
    return float(Decimal(1).scaleb(int(value(shown).as_tuple().exponent)))


def cancellation(made):
    """What is lost when floats of the terms' size are subtracted."""
    return 1e-15 * float(max(abs(value(node.term)) for node in made.nodes))


@given(splits())
def test_what_is_shown_gives_what_is_shown(made):
    formulas = [gain_formula(made)]
    for node in made.nodes:
        formulas += [weight_formula(node, made), score_formula(node, made), step_formula(node, made)]
        formulas += [soft_formula(node, made)] if made.has_alpha else []

    for formula in formulas:
        result, shown = run(formula)
        room = 0.51 * last_digit(shown) + cancellation(made)
        assert result == pytest.approx(float(value(shown)), abs=room, rel=1e-12)


@given(splits())
def test_the_terms_of_the_last_line_sum_to_the_gain(made):
    line = gain_formula(made).text.splitlines()[2].replace(",", "").replace("−", "-")

    numbers = re.findall(r"-?\d+\.?\d*(?:e-?\d+)?", line.replace("- ", "+ -").replace("½", ""))
    yes, no, node, *rest = (float(number) for number in numbers)
    gamma = rest[0] if len(rest) == 2 else 0.0
    assert (yes + no + node) / 2 + gamma == pytest.approx(
        float(value(made.gain)), abs=0.51 * last_digit(made.gain) + cancellation(made), rel=1e-12)


@given(splits())
def test_results_show_three_digits_or_eight_decimals(made):
    for text in (made.gain, *(t for node in made.nodes for t in (node.weight, node.score, node.step))):
        digits, decimals = value(text).as_tuple().digits, -int(value(text).as_tuple().exponent)
        if any(digits):
            assert len(digits) >= 3 or decimals >= 8


def test_many_results_are_written_as_each_alone():
    generator = np.random.default_rng(0)
    numbers = generator.normal(size=200) * 10.0 ** generator.uniform(-9, 9, 200)
    numbers[:3] = 0.0, -0.0, 1e9
    for decimals in (3, 5):
        assert results(numbers, decimals) == tuple(result(number, decimals) for number in numbers.tolist())


def test_a_root_of_many_rows_shows_its_small_weight():
    made = block([figures(g, h, 5, 0.05) for g, h in ((0.426, 531.145), (10.1, 300.2), (-9.674, 230.945))],
                 5.0, 0.0, 0.05)

    root = made.nodes[0]
    assert (root.weight, root.score, root.step) == ("−0.000795", "−0.000169", "−0.0000397")


def test_what_rounding_leaves_of_a_root_makes_no_number_longer():
    made = block([figures(0.0000435, 2250.0, 1, 0.1), figures(737.737271, 1575.0, 1, 0.1),
                  figures(-737.7372275, 675.0, 1, 0.1)], 1.0, 0.0, 0.1)

    root, yes, _ = made.nodes
    assert float(value(root.weight)) == float(value(root.step)) == 0.0
    assert len(yes.g) <= len("737.7373")


def test_the_picture_s_example_needs_three_decimals():
    made = block([figures(-14.345, 22.099, 1, 0.05), figures(0.256, 7.671, 1, 0.05),
                  figures(-14.601, 14.428, 1, 0.05)], 1.0, 0.0, 0.05)

    assert gain_formula(made).text.splitlines() == [
        "gain = ½ [G_L²/(H_L + λ) + G_R²/(H_R + λ) − G²/(H + λ)] − γ",
        " = ½ [0.256²/(7.671 + 1) + (−14.601)²/(14.428 + 1) − (−14.345)²/(22.099 + 1)] − 0",
        " = ½ [0.007558 + 13.8183 − 8.9086] = 2.459",
    ]
    assert (made.nodes[0].weight, made.nodes[0].step) == ("0.621", "0.0311")
    assert made.nodes[2].term == "13.8183"


def test_latex_keeps_the_structure():
    made = block([figures(-12.957, 9.758, 1, 0.05)], 1.0, 0.0, 0.05)

    latex = weight_formula(made.nodes[0], made).latex

    assert r"-\frac{G}{H + \lambda} = -\frac{-12.957}{9.758 + 1} = 1.204" in latex
    assert Number("1,234.5").latex == "1{,}234.5"
    assert Number("2.39e−7").latex == r"2.39\cdot 10^{-7}"


def test_unknown_sums_show_as_unknown():
    made = block([figures(float("nan"), float("nan"), 1, 0.1)], 1.0, 0.0, 0.1)

    assert made.nodes[0].g == made.nodes[0].weight == "–"


def test_a_formula_is_painted_whole_and_said_in_words(qtbot):
    made = block([figures(-14.345, 22.099, 1, 0.05), figures(0.256, 7.671, 1, 0.05),
                  figures(-14.601, 14.428, 1, 0.05)], 1.0, 0.0, 0.05)
    view = FormulaView()
    qtbot.addWidget(view)
    view.show_formulas(gain_formula(made))
    view.resize(view.sizeHint())

    picture = view.grab().toImage()

    inked = QRect()
    ground = picture.pixelColor(0, 0)
    for y in range(picture.height()):
        for x in range(picture.width()):
            if picture.pixelColor(x, y) != ground:
                inked |= QRect(x, y, 1, 1)
    assert inked.height() > 0.9 * view.height()
    assert inked.right() < view.width() - 1
    blue = QColor(LIGHT.tokens["train"])
    assert any(picture.pixelColor(x, y) == blue for y in range(view.height()) for x in range(view.width()))
    assert view.accessibleDescription().endswith("= 2.459")


def test_weights_that_do_not_follow_from_the_sums_stay_short():
    """Under a largest step no digits of G and H would give w*: three decimals are shown, and words beside."""
    figures = NodeFigures(0, 831, 1.0, -0.991848945617675, 831.0, 0.000591164598098168, -0.000145, 5.9e-05)
    assert block([figures], 1.0, 0.0, 0.1, follows=False).nodes[0].g == "−0.992"
    assert len(block([figures], 1.0, 0.0, 0.1).nodes[0].g) > 8


def test_alpha_stands_in_the_formulas():
    sums = ((-14.345, 22.099), (0.256, 7.671), (-14.601, 14.428))
    made = block([figures(g, h, 1, 0.05, 0.5) for g, h in sums], 1.0, 0.0, 0.05, reg_alpha=0.5)
    node = made.nodes[0]
    assert soft_formula(node, made).text == "S = soft(G, α) = soft(−14.345, 0.5) = −13.845"
    assert soft_formula(node, made).latex.startswith(
        "\\begin{aligned}\nS &= \\operatorname{soft}(G, \\alpha) = "
        "\\operatorname{soft}(-14.345, 0.5) = -13.845"
    )
    assert weight_formula(node, made).text.startswith("w* = −S/(H + λ) = −(−13.845)/(22.099 + 1) = 0.599")
    assert made.nodes[1].soft.lstrip("−") == "0.000"
    first, second, _ = gain_formula(made).text.splitlines()
    assert first == "gain = ½ [S_L²/(H_L + λ) + S_R²/(H_R + λ) − S²/(H + λ)] − γ"
    assert "(−14.101)²" in second
