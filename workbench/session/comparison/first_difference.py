"""The first tree and node in which two models differ, and by how much each made its choice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from workbench.errors import leave_if
from workbench.explain.node_figures import test_of
from workbench.explain.node_rows import node_rows
from workbench.explain.node_text import gain_text, weight_text
from workbench.session.comparison.moved_rows import has_codes_alone

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from workbench.data.schema import DataSchema
    from workbench.explain.replay import Replay
    from workbench.trees.tree import Tree

    Cancelled = Callable[[], bool] | None

PROGRESS = 50  # rounds from one word on it to the next


class Side(NamedTuple):
    """One of two models: its trees by round, and what its columns are called.

    `replay_at` gives the replay of a round where its rows are.
    """

    rounds: Sequence[tuple[Tree, ...]]
    schema: DataSchema
    replay_at: Callable[[int], Replay] | None = None


@dataclass(frozen=True)
class Parting:
    """Where two models part.

    Attributes
    ----------
    round, place : int
        The round, from 1, and the place of the tree in it, from 0.
    nodes : tuple of int
        The node in each of the models.
    words : tuple of str
        What each does there: its question, or its leaf.
    is_weight : bool
        Whether only the weights of two leaves differ.
    margins : tuple of float
        Gain of what each chose minus that of what the other chose, at the same rows; NaN where not known.
    """

    round: int
    place: int
    nodes: tuple[int, int]
    words: tuple[str, str]
    is_weight: bool
    margins: tuple[float, float] = (np.nan, np.nan)


@dataclass(frozen=True)
class Partings:
    """The first leaf that weighs another amount, and the first other question; None where there is none.

    `shared` is how many rounds both have, of which each tree was looked at.
    """

    weight: Parting | None
    question: Parting | None
    shared: int


def first_partings(
    first: Side, second: Side, cancelled: Cancelled = None,
    progress: Callable[[int, int], None] | None = None,
) -> Partings:  # fmt: skip
    """Return where two models part for the first time; trees are compared from the root down.

    Raises
    ------
    Cancelled
    """
    weight: Parting | None = None
    shared = min(len(first.rounds), len(second.rounds))
    for number in range(1, shared + 1):
        leave_if(cancelled)
        if progress is not None and number % PROGRESS == 0:
            progress(number, shared)
        pairs = zip(first.rounds[number - 1], second.rounds[number - 1], strict=False)
        for place, (mine, other) in enumerate(pairs):
            if mine is other:
                continue
            nodes, is_weight = _parting_nodes(mine, other, first.schema, second.schema)
            if nodes is None or (is_weight and weight is not None):
                continue
            words = (_words(mine, nodes[0], first.schema), _words(other, nodes[1], second.schema))
            found = Parting(number, place, nodes, words, is_weight)
            if not is_weight:
                return Partings(weight, _with_margins(found, first, second, cancelled), shared)
            weight = found
    return Partings(weight, None, shared)


def _parting_nodes(
    mine: Tree, other: Tree, my_schema: DataSchema, other_schema: DataSchema
) -> tuple[tuple[int, int] | None, bool]:
    """Return the first nodes with another question, else the first leaves that weigh another amount."""
    weights: tuple[int, int] | None = None
    level = [(0, 0)]
    while level:
        below: list[tuple[int, int]] = []
        for a, b in level:
            ends = bool(mine.is_leaf[a]), bool(other.is_leaf[b])
            if all(ends):
                if weights is None and mine.nodes["leaf_value"][a] != other.nodes["leaf_value"][b]:
                    weights = a, b
                continue
            if any(ends) or (
                _question(mine, a, my_schema, other_schema) != _question(other, b, other_schema, my_schema)
            ):
                return (a, b), False
            below += [(int(mine.nodes[side][a]), int(other.nodes[side][b])) for side in ("left", "right")]
        level = below
    return weights, weights is not None


def _question(tree: Tree, node: int, schema: DataSchema, other: DataSchema) -> tuple[Any, ...]:
    """Return what a node asks; of categories their codes where one of the two schemas names none."""
    record = tree.nodes[node]
    feature = schema.features[int(record["feature"])]
    codes = tree.categories(node)
    asked: object = float(record["threshold"])
    if len(codes):
        both = [feature, *(one for one in other.features if one.name == feature.name)]
        named = () if any(map(has_codes_alone, both)) else feature.categories
        asked = frozenset(named[code] if code < len(named) else str(code) for code in codes.tolist())
    return feature.name, asked, bool(record["default_left"])


def _words(tree: Tree, node: int, schema: DataSchema) -> str:
    if tree.is_leaf[node]:
        return f"leaf {weight_text(float(tree.nodes['leaf_value'][node]))}"
    return test_of(tree, node, schema).text


def _with_margins(found: Parting, first: Side, second: Side, cancelled: Cancelled) -> Parting:
    """Return it with the margins by which each choice was won, where rows are there."""
    margins = (
        _margin(first, second, found, 0, cancelled), _margin(second, first, found, 1, cancelled)
    )  # fmt: skip
    return Parting(found.round, found.place, found.nodes, found.words, False, margins)


def _margin(side: Side, other: Side, found: Parting, which: int, cancelled: Cancelled) -> float:
    """Gain of what a model chose minus that of the other's choice, on its own rows of the node."""
    if side.replay_at is None:
        return float("nan")
    own, node = side.rounds[found.round - 1][found.place], found.nodes[which]
    tree, there = other.rounds[found.round - 1][found.place], found.nodes[1 - which]
    chosen = float(own.nodes["gain"][node])  # 0 in a leaf, which gains nothing
    if tree.is_leaf[there]:
        return chosen
    rows = node_rows(side.replay_at(found.round), found.round, found.place, node, cancelled)
    name = other.schema.features[int(tree.nodes["feature"][there])].name
    if name not in side.schema.names:
        return float("nan")
    scan = rows.scan(side.schema.names.index(name))
    same_codes = other.schema is side.schema or scan.is_numeric
    place = scan.cut_of(tree, there) if same_codes else None
    if place is None:
        gain = scan.largest_gain
    else:
        sides = scan.gain[:, place]
        gain = float(sides[int(scan.missing.rows > 0 and tree.nodes["default_left"][there])])
    return chosen - gain if np.isfinite(gain) else float("nan")


def parting_sentence(found: Parting, names: tuple[str, str]) -> str:
    """Say what both do at the node, and by what margin each choice was won."""
    told = []
    for name, words, margin in zip(names, found.words, found.margins, strict=True):
        won = "" if np.isnan(margin) else f" (wins by {gain_text(margin)})" if margin >= 0 else (
            f" ({gain_text(-margin)} less than the other)")
        told.append(f"{name}: {words}{won}")
    return "; ".join(told)
