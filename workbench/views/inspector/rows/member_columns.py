"""The columns of the list of a node's rows: how each is headed, written, ordered and coloured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.errors import leave_if
from workbench.explain.node_members import DRAWN, HELD_OUT, LEFT_OUT
from workbench.number_text import count, fixed, short, signed
from workbench.views.table.cells import CHUNK, cell_text, plain_text, shown_values

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from workbench.data.dataset import Dataset
    from workbench.data.table import Column, Table
    from workbench.explain.node_members import NodeMembers

DECIMALS = 4
USES = {DRAWN: ("grew it", "train"), LEFT_OUT: ("not drawn", "text3"), HELD_OUT: ("hold-out", "validation")}
ROW, USE = "Row", "Use"


@dataclass(frozen=True, eq=False)
class ListColumn:
    """One column; members are counted from 0.

    Attributes
    ----------
    head, tip : str
    keys : callable
        Returns what members are ordered by, an array of numbers; NaN comes last.
    text : callable
        The cell of a member.
    plain : callable
        The same for files and the clipboard, with full digits.
    is_number : bool
        Numbers stand at the right.
    token : callable
        Colour of a member's cell.
    strong : bool
        Whether it is the column that the node asks about.
    words : tuple of str
        All that its cells may say, where that is known.
    """

    head: str
    tip: str
    keys: Callable[[], NDArray[Any]]
    text: Callable[[int], str]
    plain: Callable[[int], object]
    is_number: bool = True
    token: Callable[[int], str] = lambda _member: "text1"
    strong: bool = False
    words: tuple[str, ...] = ()


class MemberColumns(Sequence[ListColumn]):
    """Who, what the node asks about, the target, the figures, and all the rest, made when it is looked at."""

    def __init__(self, members: NodeMembers, dataset: Dataset, table: Table, asked: str | None) -> None:
        self._rows = dataset.table_rows[members.rows]
        first = [name for name in (asked, dataset.schema.target) if name is not None]
        self._rest, names = list(table.columns), list(table.names)
        for place in sorted(map(names.index, first), reverse=True):
            del self._rest[place], names[place]
        self._first = _first_columns(members, self._rows, [table.column(name) for name in first], asked)
        self.heads = (*(c.head for c in self._first), *names)

    def __len__(self) -> int:
        return len(self.heads)

    def __getitem__(self, place: Any) -> Any:
        beyond = place - len(self._first)
        return self._first[place] if beyond < 0 else _of_table(self._rest[beyond], self._rows)

    def headed(self, head: str) -> ListColumn:
        """Return the column with this head; the first where there is none."""
        found: ListColumn = self[self.heads.index(head) if head in self.heads else 0]
        return found


def _first_columns(
    members: NodeMembers, rows: NDArray[np.int64], named: Sequence[Column], asked: str | None
) -> tuple[ListColumn, ...]:
    def use(member: int) -> tuple[str, str]:
        return USES[int(members.parts[member])]

    return (
        ListColumn(ROW, "Number in the table", lambda: rows, lambda i: count(rows[i] + 1),
                   lambda i: int(rows[i]) + 1),
        ListColumn(USE, "Whether the row grew this tree", lambda: members.parts, lambda i: use(i)[0],
                   lambda i: use(i)[0], is_number=False, token=lambda i: use(i)[1],
                   words=tuple(word for word, _ in USES.values())),
        *(_of_table(column, rows, strong=column.name == asked) for column in named),
        *_figures(members),
    )


def _of_table(column: Column, rows: NDArray[np.int64], *, strong: bool = False) -> ListColumn:
    values = shown_values(column)
    last = len(values) - 1  # rows of a second file come after it, and their cells are not at hand
    return ListColumn(
        column.name, column.name, lambda: values[np.minimum(rows, last)],
        lambda i: cell_text(column, int(rows[i])) if rows[i] <= last else "",
        lambda i: plain_text(column, int(rows[i])) if rows[i] <= last else "",
        is_number=column.kind == "number",
        token=lambda i: "warning" if rows[i] <= last and np.isnan(column.values[rows[i]]) else "text1",
        strong=strong,
    )


def _figures(members: NodeMembers) -> list[ListColumn]:
    weights = members.weights
    figures: list[tuple[str, str, NDArray[Any], Callable[[float, int], str]]] = [
        ("Raw ŷ before", "Raw prediction before this round, where g and h were taken", members.raw, fixed),
        ("g", "First derivative of the loss, times the row's weight", members.gradients, fixed),
        ("h", "Second derivative of the loss, times the row's weight", members.hessians, fixed),
        ("Adds η·w*", "What the row's leaf adds to its raw prediction", members.added, signed),
    ]
    found = [_figure(head, tip, values, written) for head, tip, values, written in figures]
    if weights is not None:
        found.insert(0, ListColumn(
            "Weight", "Of the row and its class", lambda: weights, lambda i: short(float(weights[i])),
            lambda i: float(weights[i])))
    return found


def _figure(
    head: str, tip: str, values: NDArray[Any], written: Callable[[float, int], str]
) -> ListColumn:
    return ListColumn(head, tip, lambda: values, lambda i: written(float(values[i]), DECIMALS),
                      lambda i: float(str(values[i])))


def order_of(keys: NDArray[Any], chosen: NDArray[np.int64], *, descending: bool) -> NDArray[np.int64]:
    """Return `chosen` members ordered by their keys; equal ones stay in their order, NaN comes last."""
    own = keys[chosen]
    if not descending:
        return chosen[np.argsort(own, kind="stable")]
    own = own.astype(np.float64)
    return chosen[np.argsort(-own, kind="stable")]


def records_of(
    columns: Sequence[ListColumn], order: NDArray[np.int64], cancelled: Callable[[], bool]
) -> list[dict[str, object]]:
    """Return a record a row, in this order, for files and the clipboard."""
    columns, records = tuple(columns), []
    for line, member in enumerate(order.tolist()):
        if line % CHUNK == 0:
            leave_if(cancelled)
        records.append({column.head: column.plain(member) for column in columns})
    return records
