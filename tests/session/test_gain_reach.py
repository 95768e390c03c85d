"""How far γ reaches: to the largest gain of the first round, whatever γ it was grown with."""

from __future__ import annotations

import pytest

from workbench.data.samples import sample_file
from workbench.session.run_parts.gain_reach import gain_reach
from workbench.study.study import Study


def test_it_is_the_largest_gain_before_gamma():
    study = Study(sample_file("nile_flow"), target="flow_1e8_m3")
    found = [gain_reach(study.train(method="steps", gamma=gamma).run) for gamma in (0.0, 20_000.0, 5e6)]
    assert found[0] == pytest.approx(found[1], rel=0.3)
    assert found[1] > 100_000
    assert found[2] is None
    assert gain_reach(None) is None
    assert gain_reach(study.train(method="linear", rounds=2).run) is None
