"""The weight of a leaf by hand, in the inspector: w* beside it, what it costs, and the way to its receipt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from workbench.explain.node_figures import leaf_weight, soft_threshold
from workbench.explain.node_text import SHARE
from workbench.number_text import figure, signed
from workbench.session.editing import no_editing
from workbench.views.controls.label import Label
from workbench.views.edits.value_editor import ValueEditor
from workbench.views.look.fonts import NOTE, ui_font
from workbench.views.look.style import set_look
from workbench.views.look.tool_tip import set_tip

if TYPE_CHECKING:
    from workbench.views.edits.actions import NodePlace
    from workbench.workers.edit_desk import EditDesk


class LeafWeight(QWidget):
    """Follows a leaf; a typed weight, or the button, asks the desk for the receipt."""

    def __init__(self, desk: EditDesk) -> None:
        super().__init__()
        self._desk = desk
        self._at: NodePlace | None = None
        self._weight = 0.0
        self.value, self.words = ValueEditor(), Label()
        self.button = QPushButton("Receipt")
        self.words.setFont(ui_font(NOTE))
        set_look(self.words, tone="2")
        set_look(self.button, fit="tool")
        self.button.setAccessibleName("Receipt of this weight")
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.value, 1)
        row.addWidget(self.button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(2)
        column.addLayout(row)
        column.addWidget(self.words)
        self.value.entered.connect(self._take)
        self.value.typed.connect(self._ask)
        self.value.refused.connect(self.words.setText)
        self.button.clicked.connect(self._ask)

    def show_leaf(self, at: NodePlace | None) -> None:
        """Show the weight of another leaf; nothing of a split."""
        is_leaf = at is not None and at.node is not None and bool(at.tree.is_leaf[at.node])
        problem = no_editing(at.run, at.round) if at is not None else ""
        has_weight = at is not None and at.tree.knows_sums and at.run.unit != SHARE
        self.setVisible(is_leaf and has_weight)
        self.value.setEnabled(not problem)
        self.button.setEnabled(not problem)
        set_tip(self.button, problem or "See what this weight changes before it is kept")
        if at == self._at or at is None or not is_leaf:
            self._at = at
            return
        self._at = at
        weights = at.tree.nodes["weight"]
        self._weight = float(weights[at.node])
        reach = 2 * float(abs(weights[at.tree.is_leaf]).max(initial=0.0))
        self.value.show_weight(self._weight, self._optimum, reach)
        self._tell()

    @property
    def _optimum(self) -> float:
        """The weight w* that G and H alone ask for."""
        at = self._at
        if at is None or at.node is None:
            return 0.0
        tree, record = at.tree, at.tree.nodes[at.node]
        soft = soft_threshold(float(record["sum_gradient"]), tree.reg_alpha)
        return leaf_weight(soft, float(record["sum_hessian"]), tree.reg_lambda)

    def _tell(self) -> None:
        at = self._at
        if at is None or at.node is None:
            return
        tree, best = at.tree, self._optimum
        words = f"w* = {signed(best, 4)}"
        if not tree.reg_alpha:
            below = float(tree.nodes["sum_hessian"][at.node]) + tree.reg_lambda
            words += f"; price ½(H+λ)(w−w*)² = {figure(0.5 * below * (self._weight - best) ** 2)}"
        self.words.setText(words)

    def _take(self, weight: float) -> None:
        self._weight = weight
        self._tell()

    def _ask(self) -> None:
        from workbench.explain.edits.set_weight import SetWeight

        at = self._at
        if at is not None and at.node is not None:
            self._desk.ask(at.run, SetWeight(at.round, at.place, at.node, self._weight))
