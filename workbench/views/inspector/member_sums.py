"""The line below a node's rows: what their g and h add up to, and that it is the node's G and H."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from workbench.explain.node_members import DRAWN, HELD_OUT, LEFT_OUT
from workbench.views.controls.elided_label import ElidedLabel
from workbench.views.numbers import count, fixed
from workbench.views.style import set_look

if TYPE_CHECKING:
    from workbench.explain.node_members import NodeMembers

HEIGHT, DECIMALS = 28, 3
CLOSE = 1e-6  # of what was added up


class MemberSums(QWidget):
    """Rows that grew the node, hold-out rows, and rows that were not drawn."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(HEIGHT)
        self.grew, self.held_out, self.note = QLabel(), QLabel(), ElidedLabel()
        for label, tone in ((self.grew, "train"), (self.held_out, "validation"), (self.note, "2")):
            set_look(label, tone=tone)
        self._left_out = ""
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 0, 14, 0)
        row.setSpacing(24)
        for label in (self.grew, self.held_out, self.note):
            row.addWidget(label)
        row.addStretch(1)

    def show_sums(self, members: NodeMembers) -> None:
        """Add up another node's rows."""
        rows, g, h = members.sums(DRAWN)
        record = members.tree.nodes[members.node]
        slack = CLOSE * float(abs(members.gradients).sum() + 1e-9)
        same = math.isclose(g, record["sum_gradient"], abs_tol=slack)
        equal = (" = G", " = H") if same else ("", "")
        self.grew.setText(f"{count(rows)} grew it: {_sums(g, h, *equal)}")
        rows, g, h = members.sums(HELD_OUT)
        self.held_out.setText(f"{count(rows)} hold-out: {_sums(g, h)}" if rows else "")
        left_out = members.sums(LEFT_OUT)[0]
        self._left_out = f"{count(left_out)} not drawn for this tree." if left_out else ""
        self.show_stranger(None)

    def show_stranger(self, row: int | None) -> None:
        """Say that the chosen row of the table is none of these."""
        stranger = f"Row {count(row + 1)} is not here." if row is not None else ""
        self.note.setText(" ".join(filter(None, (self._left_out, stranger))))


def _sums(g: float, h: float, is_g: str = "", is_h: str = "") -> str:
    return f"Σg {fixed(g, DECIMALS)}{is_g}, Σh {fixed(h, DECIMALS)}{is_h}"
