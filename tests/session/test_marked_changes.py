"""Marks of parameter changes."""

from __future__ import annotations

from itertools import pairwise

from workbench.session.run_parts.parameter_change import ParameterChange, as_marked


def changes(*steps):
    return [ParameterChange(number, "reg_lambda", old, new) for number, old, new in steps]


def texts(marked):
    return [(number, ", ".join(change.text for change in some)) for number, some in marked]


def test_a_drag_over_ten_rounds_leaves_one_mark():
    values = [1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0, 8.0, 10.0, 12.0, 14.0]
    dragged = changes(*((30 + k, *pair) for k, pair in enumerate(pairwise(values))))
    assert texts(as_marked(dragged, 100)) == [(39, "λ 1 → 14")]


def test_changes_apart_and_the_way_back_have_their_own_marks():
    apart = changes((10, 1.0, 4.0), (40, 4.0, 2.0))
    assert texts(as_marked(apart, 100)) == [(10, "λ 1 → 4"), (40, "λ 4 → 2")]
    back = changes((10, 1.0, 4.0), (11, 4.0, 1.0))
    assert texts(as_marked(back, 100)) == [(10, "λ 1 → 4"), (11, "λ 4 → 1")]


def test_a_fast_drag_on_a_long_axis_is_one_mark_too():
    dragged = changes((500, 1.0, 2.0), (520, 2.0, 3.0), (545, 3.0, 9.0))
    assert texts(as_marked(dragged, 5000)) == [(545, "λ 1 → 9")]


def test_two_parameters_of_one_round_share_a_mark():
    both = [*changes((5, 1.0, 4.0)), ParameterChange(5, "gamma", 0.0, 0.5)]
    assert texts(as_marked(both, 100)) == [(5, "λ 1 → 4, γ 0 → 0.5")]
