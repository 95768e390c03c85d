"""What splits of several sides answer, in parts that ask about one column each; trees unfolded from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from workbench.formats.imported_tree import ImportedNodes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray


class Border(NamedTuple):
    """A number below a threshold leads to one answer, others to another; so does a missing one."""

    column: int
    threshold: np.float32
    default_left: bool  # whether a missing value is below
    below: ForeignAnswer
    above: ForeignAnswer


class Among(NamedTuple):
    """Categories lead to answers, by the masks of their codes; no two masks share a bit.

    The bit of a mask after those of the categories stands for every other one.
    """

    column: int
    others: int  # that bit
    missing: int  # the bit of a missing value
    parts: tuple[tuple[int, ForeignAnswer], ...]


ForeignAnswer = bool | Border | Among
ANYWHERE = (-np.inf, np.inf)


class ForeignTree(Protocol):
    """A tree as another program keeps it."""

    def answer(self, place: Any) -> ForeignAnswer | None:
        """Return what is asked at a place, None in a leaf."""

    def after(self, place: Any, answer: bool) -> Any:
        """Return the place to which an answer leads."""


class Asked(NamedTuple):
    """A question of our trees: of a number where `mask` is 0, else of categories."""

    column: int
    threshold: np.float32
    default_left: bool
    mask: int


class Unfolded(NamedTuple):
    """A tree as ours; in a leaf there is no question, `left` is −1 and `place` one of the walk."""

    asked: list[Asked | None]
    left: list[int]  # the right child is the next
    place: list[Any]


def unfolded(walk: ForeignTree, start: Any, most: int) -> Unfolded | None:
    """Ask in each node what is not known on the way to it; None where that takes more nodes than `most`.

    Known of a column is the mask of what its category may be, or the thresholds on both sides of its number.
    """
    tree = Unfolded([None], [-1], [None])
    waiting: list[tuple[int, Any, ForeignAnswer | None, dict[int, Any]]] = [
        (0, start, walk.answer(start), {})
    ]
    while waiting:
        node, place, answer, known = waiting.pop()
        while answer is not None and isinstance(answer := _reduced(answer, known), bool):
            place = walk.after(place, answer)
            answer = walk.answer(place)
        if answer is None:
            tree.place[node] = place
            continue
        first = len(tree.asked)
        if first + 2 > most:
            return None
        asked, yes, no = _part(answer, known)
        tree.asked[node], tree.left[node] = asked, first
        for side, (column, rest) in enumerate((yes, no)):
            tree.asked.append(None)
            tree.left.append(-1)
            tree.place.append(None)
            waiting.append((first + side, place, answer, {**known, column: rest}))
    return tree


def _reduced(answer: ForeignAnswer, known: Mapping[int, Any]) -> ForeignAnswer:
    """Leave out what is known."""
    while not isinstance(answer, bool):
        if isinstance(answer, Border):
            low, high = known.get(answer.column, ANYWHERE)
            if low < answer.threshold < high:
                return answer
            answer = answer.below if high <= answer.threshold else answer.above
        else:
            possible = known.get(answer.column, -1)
            parts = tuple((mask & possible, then) for mask, then in answer.parts if mask & possible)
            if len(parts) > 1:
                return answer._replace(parts=parts)
            answer = parts[0][1]
    return answer


def _part(answer: Border | Among, known: Mapping[int, Any]) -> tuple[Asked, Any, Any]:
    """Return a question, and what is known of its column after yes and after no."""
    column = answer.column
    if isinstance(answer, Border):
        low, high = known.get(column, ANYWHERE)
        asked = Asked(column, answer.threshold, answer.default_left, 0)
        return asked, (column, (low, answer.threshold)), (column, (answer.threshold, high))
    masks = [mask for mask, _ in answer.parts]
    masks.sort(key=lambda mask: (mask >> answer.others, mask.bit_count()))
    middle = len(masks) // 2  # other categories stand last: they answer no; before them the smallest sets
    yes, no = sum(masks[:middle]), sum(masks[middle:])
    missing = bool(yes >> answer.missing & 1)
    return Asked(column, np.float32(np.nan), missing, yes), (column, yes), (column, no)


def nodes_of(tree: Unfolded, values: NDArray[np.float64]) -> ImportedNodes:
    """Return the nodes of a tree with the values of its leaves."""
    left = np.array(tree.left, np.int64)
    asked = tree.asked
    return ImportedNodes(
        left=left,
        right=np.where(left < 0, -1, left + 1),
        feature=np.array([-1 if one is None else one.column for one in asked]),
        threshold=np.array([0 if one is None else one.threshold for one in asked], np.float32),
        default_left=np.array([one is not None and one.default_left for one in asked]),
        value=values,
        sets={k: codes_of(one.mask) for k, one in enumerate(asked) if one is not None and one.mask},
    )


def diagram(answers: NDArray[np.bool_], asked: Sequence[Border | Among]) -> ForeignAnswer:
    """Put the answers to several questions, an axis each, into one; of categories the others stand last."""
    if answers.all() or not answers.any():
        return bool(answers.flat[0])
    first, rest = asked[0], asked[1:]
    if isinstance(first, Border):
        below, above = answers
        if (below == above).all():
            return diagram(below, rest)
        return first._replace(below=diagram(below, rest), above=diagram(above, rest))
    if not rest:
        return first._replace(parts=((mask_of(answers), True), (mask_of(~answers), False)))
    rows, places = np.unique(answers.reshape(len(answers), -1), axis=0, return_inverse=True)
    shape = answers.shape[1:]
    then = [diagram(row.reshape(shape), rest) for row in rows]
    return first._replace(parts=tuple((mask_of(places == k), one) for k, one in enumerate(then)))


def mask_of(chosen: NDArray[np.bool_]) -> int:
    """Return the places that are true as the bits of a number."""
    return int.from_bytes(np.packbits(chosen, bitorder="little").tobytes(), "little")


def codes_of(mask: int) -> NDArray[np.int64]:
    """Return the bits that are set, ascending."""
    data = np.frombuffer(mask.to_bytes((mask.bit_length() + 7) // 8, "little"), np.uint8)
    return np.flatnonzero(np.unpackbits(data, bitorder="little"))
