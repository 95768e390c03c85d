from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from workbench.ensembles.row_sampling import draw_rows
from workbench.threads.team import Team


@given(
    st.one_of(st.integers(1, 500), st.integers(4000, 20_000)), st.floats(0.01, 1.0),
    st.integers(0, 2**31 - 1), st.integers(1, 10**6),
)
def test_rows_are_drawn_once(n, share, seed, round_number):
    rows = draw_rows(n, share, seed, round_number)
    np.testing.assert_array_equal(np.sort(np.concatenate(rows)), np.arange(n))
    assert len(rows.drawn) == max(1, round(share * n))
    assert (np.diff(rows.drawn.astype(int)) > 0).all()
    assert (np.diff(rows.left_out.astype(int)) > 0).all()


def test_every_row_has_the_same_chance():
    drawn = np.zeros(50)
    for round_number in range(2000):
        drawn[draw_rows(50, 0.3, 7, round_number).drawn] += 1
    assert drawn.sum() == 2000 * 15
    assert abs(drawn - 600).max() < 100  # five standard deviations


def test_seed_and_round_decide():
    def drawn(seed, round_number):
        return draw_rows(1000, 0.5, seed, round_number).drawn.tobytes()

    assert drawn(1, 2) == drawn(1, 2)
    assert len({drawn(seed, r) for seed in range(4) for r in range(4)}) == 16


def test_threads_change_nothing():
    one, *others = (draw_rows(90_000, 0.37, 5, 2, Team(parts)) for parts in (1, 2, 3))
    for other in others:
        np.testing.assert_array_equal(other.drawn, one.drawn)
        np.testing.assert_array_equal(other.left_out, one.left_out)
