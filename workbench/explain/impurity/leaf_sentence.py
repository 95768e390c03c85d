"""Why a node of a tree that is grown on the target itself was not split, in one sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.number_text import counted

if TYPE_CHECKING:
    from workbench.explain.impurity.target_scans import ReplayedNode, TargetScans


def leaf_sentence(node: ReplayedNode, scans: TargetScans, *, has_cut: bool) -> str:
    """Return the sentence, from the limits in force and the rows of the node."""
    params, target = node.params, scans.target_of(node)
    depth = int(node.grown.tree.nodes["depth"][node.node])
    if target.n_classes and len(set(target.labels.tolist())) <= 1:
        return "A leaf: all its rows are of one class."
    if not target.n_classes and (target.numbers == target.numbers[:1]).all():
        return "A leaf: all its rows have one value."
    if params.max_depth and depth >= params.max_depth:
        return f"A leaf: {depth} questions are the most on a path (max depth)."
    rows = len(target.weight)
    if rows < 2 * params.min_leaf_rows:
        return f"A leaf: {counted(rows, 'row')} are too few for two leaves of {params.min_leaf_rows} or more."
    if not has_cut:
        return "A leaf: no column that was looked at here has a cut that may be made."
    if params.ccp_alpha > 0.0:
        return f"A leaf: what grew below it lowers the error by less than α = {params.ccp_alpha:g} a leaf."
    return "A leaf, though a split could be made here."
