"""The line below a node's rows: what their g and h add up to, and that it is the node's G and H."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QHBoxLayout, QWidget

from workbench.number_text import count, fixed
from workbench.views.controls.elided_label import ElidedLabel
from workbench.views.controls.label import Label
from workbench.views.look.scale import px
from workbench.views.look.style import set_look

if TYPE_CHECKING:
    from workbench.explain.node_members import NodeMembers, PartSums

HEIGHT, DECIMALS = 28, 3
CLOSE = 1e-6  # of what was added up


class MemberSums(QWidget):
    """Rows that grew the node, hold-out rows, and rows that were not drawn."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(px(HEIGHT))
        self.grew, self.held_out, self.note = Label(), Label(), ElidedLabel()
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
        drawn, left_out, held_out = members.sums
        stored = float(members.tree.nodes["sum_gradient"][members.node])
        same = math.isclose(drawn.sum_gradient, stored, abs_tol=CLOSE * (drawn.size + 1e-9))
        equal = (" = G", " = H") if same else ("", "")
        self.grew.setText(f"{count(drawn.rows)} grew it: {_sums(drawn, *equal)}")
        self.held_out.setText(f"{count(held_out.rows)} hold-out: {_sums(held_out)}" if held_out.rows else "")
        self._left_out = f"{count(left_out.rows)} not drawn for this tree." if left_out.rows else ""
        if len(members) < members.n_rows:
            self._left_out = f"The first {count(len(members))} are listed."
        self.show_stranger(None)

    def show_stranger(self, row: int | None) -> None:
        """Say that the chosen row of the table is none of these."""
        stranger = f"Row {count(row + 1)} is not here." if row is not None else ""
        self.note.setText(" ".join(filter(None, (self._left_out, stranger))))


def _sums(sums: PartSums, is_g: str = "", is_h: str = "") -> str:
    g, h = fixed(sums.sum_gradient, DECIMALS), fixed(sums.sum_hessian, DECIMALS)
    return f"Σg {g}{is_g}, Σh {h}{is_h}"
