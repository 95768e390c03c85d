from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from tests.views.made_forest import NO_TARGET, made_bench, made_session, show
from workbench.data.schema import DataSchema
from workbench.explain.row_growth import RowGrowth
from workbench.explain.row_path import matrix_row, row_path
from workbench.session.session import Session
from workbench.views.inspector.node.breadcrumb import Breadcrumb, _metrics
from workbench.views.inspector.node.inspected import inspected
from workbench.views.inspector.node.inspector import NodeInspector, _around_figure
from workbench.views.inspector.path.view import RowPathView
from workbench.views.inspector.path.words import sum_facts

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def inspector(qtbot, session, jobs):
    made = NodeInspector(made_bench(session, jobs))
    show(qtbot, made, (1100, 340))
    return made


@pytest.fixture
def path(qtbot, session, jobs):
    made = RowPathView(made_bench(session, jobs))
    show(qtbot, made, (1100, 300))
    return made


def steps(path):
    table = path.steps
    return [tuple(table.item(row, column).text() for column in range(3)) for row in range(table.rowCount())]


def test_nothing_selected_says_what_to_do(inspector):
    assert inspector._pages.currentWidget().text() == "Click a node of the tree to see its numbers."
    assert not inspector.copy_buttons["LaTeX"].isEnabled()


def test_a_split_shows_its_gain_children_and_where_missing_goes(inspector, session):
    session.shown.select(node=1)

    gain = session.shown.tree.nodes["gain"][1]
    assert abs(float(inspector.formula.formulas[0].text.rpartition("= ")[2].replace("−", "-")) - gain) < 0.001
    assert inspector.breadcrumb.text == "tree 3 › thal = normal › yes › age < 54.5"
    assert [line.split("\t")[0] for line in inspector.table.text.splitlines()] == [
        "", "This node", "Left, yes", "Right, no"]
    side = "left" if session.shown.tree.nodes["default_left"][1] else "right"
    assert inspector.missing.text().startswith(f"Missing goes {side}: it gains more there")

    session.shown.select(node=2)
    assert "the column has none, so the side with more H" in inspector.missing.text()


def with_alpha(tree, alpha):
    """The tree with the weights, scores and gains that α makes."""
    nodes = tree.nodes.copy()
    soft = np.sign(nodes["sum_gradient"]) * np.maximum(np.abs(nodes["sum_gradient"]) - alpha, 0)
    nodes["weight"] = -soft / (nodes["sum_hessian"] + tree.reg_lambda)
    nodes["structure_score"] = 0.5 * soft * nodes["weight"]
    splits = np.flatnonzero(~tree.is_leaf)
    left, scores = nodes["left"][splits], nodes["structure_score"]
    nodes["gain"][splits] = scores[splits] - scores[left] - scores[left + 1] - tree.gamma
    return replace(tree, nodes=nodes, reg_alpha=alpha)


def test_alpha_stands_in_the_formulas_of_a_split(inspector, session):
    run = session.shown.run
    last = run.rounds[-1]
    run.rounds[-1] = replace(last, trees=(with_alpha(last.trees[0], 0.25),))
    session.shown.select(node=1)

    gain = session.shown.tree.nodes["gain"][1]
    assert "S_L²" in inspector.formula.formulas[0].text
    assert float(inspector.formula.formulas[0].text.rpartition("= ")[2].replace("−", "-")) == (
        pytest.approx(gain, abs=0.001))
    assert inspector.second.formulas[0].text.startswith("S = soft(G, α) = soft(")
    assert "line search" not in inspector.missing.text()


def test_a_leaf_shows_its_weight_score_and_step(qtbot, inspector, session):
    leaf = int(np.flatnonzero(session.shown.tree.is_leaf)[0])
    session.shown.select(node=leaf)

    assert [formula.left.text for formula in inspector.formula.formulas] == ["w*", "score", "step"]
    assert inspector.table.text.splitlines()[1].startswith("This leaf")
    qtbot.waitUntil(lambda: "to the raw prediction" in inspector.facts.text)


def test_the_cursor_looks_without_selecting(inspector, session):
    session.shown.select(node=0)
    session.shown.point_at(2)
    assert inspector.breadcrumb.text.endswith("smoker = yes")

    session.shown.point_at(None)
    assert inspector.breadcrumb.text == "tree 3 › thal = normal"


def test_a_model_without_sums_of_gradients_shows_what_it_has(qtbot, inspector, session):
    tree = session.shown.run.trees(2)[0]
    nodes = tree.nodes.copy()
    nodes["sum_gradient"] = nodes["structure_score"] = np.nan
    nodes["count"] = 0
    session.shown.run.rounds[1] = replace(session.shown.run.rounds[1], trees=(replace(tree, nodes=nodes),))

    session.shown.select(round=2, node=0)

    assert inspector.formula.formulas == ()
    qtbot.waitUntil(lambda: "keeps no sums of gradients" in inspector.facts.text)
    tree = session.shown.tree
    leaves = [k for k in (1, 2) if tree.is_leaf[k]]
    for child, line in zip((0, 1, 2), inspector.table.text.splitlines()[1:], strict=True):
        weight, step = line.split("\t")[5:]
        assert weight == "–"
        if child in leaves:
            assert float(step.replace("−", "-")) == pytest.approx(tree.nodes["leaf_value"][child], abs=1e-3)
        else:
            assert step == "–"
    leaf = int(np.flatnonzero(tree.is_leaf)[0])
    session.shown.select(node=leaf)
    shown = float(inspector.breadcrumb.text.rpartition("leaf ")[2].replace("−", "-"))
    assert shown == pytest.approx(tree.nodes["leaf_value"][leaf], abs=1e-3)
    qtbot.waitUntil(lambda: "to the raw prediction of each row" in inspector.facts.text)
    assert inspector.table.text.splitlines()[1].split("\t")[1:3] == ["–", "–"]
    assert not inspector.grab().isNull()


@pytest.mark.parametrize(("child", "words"), [(1, "Left, yes"), (2, "Right, no")])
def test_a_child_whose_weight_is_held_says_why_there_is_no_gain_formula(inspector, session, child, words):
    last = session.shown.run.rounds[-1]
    tree = last.trees[0]
    nodes = tree.nodes.copy()
    step = 0.5 * abs(float(nodes["weight"][child]))
    nodes["weight"][child] = np.copysign(step, nodes["weight"][child])
    session.shown.run.rounds[-1] = replace(last, trees=(replace(tree, nodes=nodes, max_delta_step=step),))
    session.shown.select(node=0)
    assert inspector.formula.formulas == ()
    assert inspector.missing.text().startswith(f"No gain formula. {words}: Held to |w*| ≤ δ = {step:g}.")


@pytest.mark.parametrize("room", [120, 260, 700])
def test_the_tree_always_stands_first_on_the_way_to_a_node(qtbot, room):
    made = Breadcrumb()
    qtbot.addWidget(made)
    long = "a column with a name that goes on and on < 123456"
    made.show_words(("tree 3", long, "yes", long))
    before, last = made.fitted(room)
    assert before.startswith("tree 3  ›  " if room >= 160 else "…  ›  ")
    plain, bold = _metrics()
    assert plain.horizontalAdvance(before) + bold.horizontalAdvance(last) <= room
    assert len(last) >= min(len(long), 8)
    made.show_words(("tree 3", long))
    assert made.fitted(room)[0] == ("tree 3  ›  " if room >= 140 else "…  ›  ")


def test_copies(qtbot, inspector, session):
    session.shown.select(node=0)

    qtbot.mouseClick(inspector.copy_buttons["Python"], LEFT)
    assert "gain = 0.5 * (G_L**2 / (H_L + lambda_)" in QGuiApplication.clipboard().text()
    qtbot.mouseClick(inspector.copy_buttons["LaTeX"], LEFT)
    assert r"\frac{{G_{L}}^2}{H_{L} + \lambda}" in QGuiApplication.clipboard().text()
    qtbot.mouseClick(inspector.copy_buttons["Text"], LEFT)
    assert "This node\t40\t" in QGuiApplication.clipboard().text()


def test_a_row_walks_through_the_tree(qtbot, path, session):
    qtbot.keyClicks(path.chooser.field, "5")
    qtbot.keyClick(path.chooser.field, Qt.Key.Key_Return)

    assert session.shown.selection.row == 4
    shown_steps = steps(path)
    features = session.shown.run.dataset.features[matrix_row(session.shown.run.dataset, 4)]
    way = row_path(session.shown.tree, features)
    assert len(shown_steps) == len(way.steps) + 1
    assert shown_steps[0][0] == "thal = normal"
    assert shown_steps[-1][2].replace("−", "-") == f"{session.shown.tree.nodes['leaf_value'][way.leaf]:+.4f}"

    second = path.steps.visualItemRect(path.steps.item(1, 0)).center()
    qtbot.mouseClick(path.steps.viewport(), LEFT, pos=second)
    assert session.shown.selection.node == way.steps[1].node


def test_base_trees_and_leaf_add_up_to_the_prediction(qtbot, path, session):
    session.shown.select(row=12)
    qtbot.waitUntil(lambda: "Raw prediction" in path.sums.text, timeout=60_000)

    facts = dict(line.split(": ") for line in path.sums.text.splitlines())
    numbers = {name: float(text.replace("−", "-")) for name, text in facts.items() if "%" not in text}
    total = numbers["Base"] + numbers["Trees 1 to 2"] + numbers["Tree 3, this leaf"]
    assert total == pytest.approx(numbers["Raw prediction ŷ"], abs=1e-9)
    chance = 100 / (1 + np.exp(-numbers["Raw prediction ŷ"]))
    assert facts["Chance of yes, 1/(1+e^−ŷ)"] == f"{chance:.1f} %"


@pytest.mark.parametrize(("shown", "classes"), [(0, "fega"), (5, "feg"), (2, "fegc")])
def test_the_class_of_the_shown_tree_is_among_the_chances(shown, classes):
    labels, chances = tuple("abcdefg"), np.array([0.02, 0.03, 0.05, 0.1, 0.25, 0.35, 0.2], np.float32)
    schema = DataSchema((), "kind", "multiclass", labels)
    none, raw = np.zeros((2, 7, 1)), np.zeros((3, 7), np.float32)
    leaves, added = none.astype(np.int32), none.astype(np.float32)
    growth = RowGrowth((), np.arange(3), leaves, added, raw[:2], raw, raw + chances, "softmax")

    facts = sum_facts(growth, schema, shown, 2)

    assert [name for name, _ in facts[4:]] == [f"Chance of {label}, softmax" for label in classes]


def test_missing_values_and_dates_read_as_in_the_table(path, session):
    dataset = session.shown.run.dataset
    missing = int(dataset.table_rows[np.flatnonzero(np.isnan(dataset.features[:, 0]))[0]])
    session.shown.select(row=missing, round=1)  # its tree asks for the age alone

    side = "left" if session.shown.tree.nodes["default_left"][0] else "right"
    assert steps(path)[0] == ("age < 50", f"missing, goes {side}", "yes" if side == "left" else "no")


def test_a_row_without_a_target_is_not_in_the_model(qtbot, path, session):
    session.shown.select(row=NO_TARGET)
    assert path.empty.text() == "Row 8 has no value for disease, so it neither trains nor validates."

    qtbot.mouseClick(path.chooser.next, LEFT)
    assert session.shown.selection.row == NO_TARGET + 1
    assert steps(path)


def test_without_trees_it_says_what_to_do(qtbot, jobs):
    path = RowPathView(made_bench(Session(), jobs))
    show(qtbot, path)

    assert path.empty.text() == "No trees yet. Choose the target, then Train."
    assert not path.chooser.isEnabled()


HOSTILE = (
    '"""; import builtins; builtins.owned = 1 #', "$\\input{x}$ \\write18{id} % & _ ^ # ~ {",
    "a\nDepth: 99 of 9", "ends with \\",
)  # fmt: skip


@pytest.fixture
def hostile_inspector(qtbot, jobs):
    session = made_session()
    features = session.shown.run.schema.features
    named = (replace(f, name=name, categories=tuple(f"{name} {label}" for label in f.categories))
             for f, name in zip(features, HOSTILE, strict=True))  # fmt: skip
    session.shown.run.schema = replace(session.shown.run.schema, features=tuple(named))
    session.shown.select(round=1)
    session.shown.select(round=3)
    made = NodeInspector(made_bench(session, jobs))
    show(qtbot, made, (1100, 340))
    return made, session


def formulas_of(inspector, session, form):
    copied = []
    for node in range(session.shown.tree.n_nodes):
        session.shown.select(node=node)
        copied.append(inspector.copied(form))
    return copied


def test_copied_latex_holds_nothing_of_a_name(hostile_inspector, inspector, session):
    copied = formulas_of(*hostile_inspector, "LaTeX")
    assert copied == formulas_of(inspector, session, "LaTeX")
    commands = set(re.findall(r"\\[A-Za-z]+", "".join(copied)))
    assert commands <= {r"\begin", r"\end", r"\frac", r"\tfrac", r"\lambda", r"\gamma", r"\eta", r"\alpha",
                        r"\left", r"\right", r"\mathrm", r"\cdot", r"\operatorname"}  # fmt: skip


def test_copied_python_runs_to_the_same_figures_whatever_the_names(hostile_inspector, inspector, session):
    copied, plain = (formulas_of(*one, "Python") for one in (hostile_inspector, (inspector, session)))
    assert copied == plain
    for text in copied:
        figures = {}
        exec(compile(text, "copied", "exec"), {"__builtins__": {"max": max, "min": min}}, figures)
        shown = [line.rpartition("# ")[2] for line in text.splitlines() if "# " in line]
        asked = [line.partition(" = ")[0] for line in text.splitlines() if "# " in line]
        assert shown
        for name, value in zip(asked, shown, strict=True):
            assert figures[name] == pytest.approx(float(value.replace("−", "-").replace(",", "")), abs=2e-3)


def test_copied_text_gets_no_line_from_a_name(hostile_inspector, inspector, session):
    lines, plain = (
        [text.count("\n") for text in formulas_of(*one, "Text")]
        for one in (hostile_inspector, (inspector, session))
    )
    assert lines == plain


@pytest.mark.parametrize(("classes", "name"), [("012", "tree 3 of class 1"), ("abc", "tree 3 of b")])
def test_a_class_that_is_a_number_is_told_from_a_count(classes, name):
    session = made_session(classes=tuple(classes))
    session.shown.select(round=3, class_index=1, node=0)
    assert inspected(session).tree_name == name


@pytest.mark.parametrize("figure", ["0.641", "−0.011", "1,234.5", "5.8345e7", "−2.1e−8"])
def test_the_whole_figure_of_the_hold_out_rows_is_coloured(figure):
    assert _around_figure(f"Hold-out gain {figure} on 33 rows.") == ("Hold-out gain ", figure, " on 33 rows.")
