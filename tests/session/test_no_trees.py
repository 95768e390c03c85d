"""What is said where there is no tree to show."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from workbench.session.no_trees import FIRST_TREE, LINEAR, NO_TREES, ROUND_0, no_trees


@pytest.mark.parametrize(("rounds", "is_linear", "said"), [
    (0, False, NO_TREES), (0, True, NO_TREES), (3, False, ROUND_0), (3, True, LINEAR),
])
def test_a_trained_run_is_not_told_to_train(rounds, is_linear, said):
    assert no_trees(SimpleNamespace(rounds=range(rounds), is_linear=is_linear, is_live=False)) == said
    live = no_trees(SimpleNamespace(rounds=range(rounds), is_linear=is_linear, is_live=True))
    assert live == (said if rounds else FIRST_TREE)
    assert no_trees(None) == NO_TREES
