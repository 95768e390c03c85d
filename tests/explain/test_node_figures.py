from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.reference.tables import fitted, random_dataset
from workbench.data.schema import Feature
from workbench.data.table import Column
from workbench.explain.node_figures import ALL_DIGITS, node_figures, threshold_text


def test_figures_and_gain_follow_from_the_kept_sums():
    tree = fitted(random_dataset(), rounds=1, gamma=0.3, reg_lambda=2.0).trees[0]
    for node in range(tree.n_nodes):
        own, record = node_figures(tree, node), tree.nodes[node]
        assert own.weight == pytest.approx(record["weight"])
        assert own.score == pytest.approx(record["structure_score"])
        if tree.is_leaf[node]:
            continue
        left, right = (node_figures(tree, int(record[side])) for side in ("left", "right"))
        assert own.score - left.score - right.score - tree.gamma == pytest.approx(record["gain"], abs=1e-9)
        assert left.sum_gradient + right.sum_gradient == own.sum_gradient
        assert left.sum_hessian + right.sum_hessian == own.sum_hessian
        assert left.count + right.count == own.count
        assert left.share + right.share == pytest.approx(own.share)


@given(st.integers(-100_000, 100_000), st.integers(-2000, 2000).map(lambda quarters: quarters / 4))
def test_what_is_written_of_a_threshold_between_whole_days_answers_as_the_threshold(day, away):
    threshold, feature = np.float32(day + away), Feature("day", "date", whole_days=True)
    asked = np.datetime64(threshold_text(threshold, feature), "D")

    assert (np.datetime64(day, "D") < asked) == (day < threshold)
    begins = np.datetime64(int(threshold // 1), "D")
    assert threshold_text(threshold, feature, ALL_DIGITS).startswith(str(begins))


def test_a_column_with_a_time_keeps_the_time_of_its_thresholds():
    noon, days = np.float32(18690.5), np.array([18690.0, np.nan, 18691.0], np.float32)
    whole, timed = Column("day", "date", days), Column("day", "date", days + np.float32(0.25))

    assert threshold_text(noon, Feature.of(whole)) == "2021-03-05"
    assert threshold_text(noon, Feature.of(timed)) == "2021-03-04 12:00"


@given(st.floats(2.0**-126, 2.0**127, width=32), st.sampled_from([1, -1]), st.integers(2, 9))
@example(float(np.nextafter(np.float32(1e-35), np.float32(1))), 1, 4)
def test_numbers_end_in_a_digit_before_the_exponent_too(size, sign, digits):
    text = threshold_text(np.float32(sign * size), Feature("x", "number"), digits)
    assert re.fullmatch(r"−?\d+(\.\d+)?(e−?\d+|e\+\d+)?", text), text
    assert float(text.replace("−", "-")) == pytest.approx(sign * size, rel=10.0 ** (1 - digits) + 1e-6)
