"""What the inspector tells of a forced split."""

from __future__ import annotations

import numpy as np
import pytest

import workbench
from workbench.views.formula.digits import block
from workbench.views.inspector.node.facts import node_facts
from workbench.views.inspector.node.inspected import Inspected


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("f1", "forced to this column by First splits; its gain is the true one"),
        ("f1 < 0", "forced by First splits, not sought; its gain is the true one"),
    ],
)
def test_facts_tell_what_is_forced(text, said):
    x = np.random.default_rng(0).normal(size=(100, 2))
    tree = (model := workbench.fit(x, x[:, 0], rounds=1, max_depth=2, forced_splits=text)).trees[0]
    shown = Inspected(tree, 0, 1, model.schema, forced_splits=text)
    made = block(shown.figures, tree.reg_lambda, tree.gamma, tree.learning_rate)
    assert dict(node_facts(shown, made))["Split"] == said
    shown = Inspected(tree, 1, 1, model.schema, forced_splits=text)
    assert "Split" not in dict(node_facts(shown, made))
