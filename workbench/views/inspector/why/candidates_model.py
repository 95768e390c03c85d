"""The best split of every column at a node as Qt sees them: nothing is written before it is on screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, Qt

from workbench.explain.node_text import gain_text
from workbench.number_text import count, percent
from workbench.views.inspector.figure_table import LEFT, RIGHT
from workbench.views.look.tool_tip import as_it_stands
from workbench.views.rows_model import NOWHERE, Index

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.explain.candidates import Candidate

HEADS = ("Best cut", "Gain", "", "Margin", "Hold-out")
TEST, GAIN, BAR, MARGIN, HOLD_OUT = range(5)
LEAST_MORE, MOST_MARGIN = 0.0005, 99.99  # margins that show as more than 0.0 %, and that are written out
TONE = Qt.ItemDataRole.UserRole + 1  # of a bar: its share of the longest


class CandidatesModel(QAbstractTableModel):
    """Candidates, the best first."""

    def __init__(self) -> None:
        super().__init__()
        self.candidates: Sequence[Candidate] = ()
        self._highest = 0.0

    def show(self, candidates: Sequence[Candidate]) -> None:
        """Show others."""
        self.beginResetModel()
        self.candidates = candidates
        self._highest = max((candidate.gain for candidate in candidates), default=0.0)
        self.endResetModel()

    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.candidates)

    def columnCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(HEADS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        candidate, column = self.candidates[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self.text(index.row(), column)
        if role == Qt.ItemDataRole.ToolTipRole and column == TEST:
            return as_it_stands(candidate.test.text)
        if role == TONE:
            return self._tone(index.row(), column)
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return HEADS[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return LEFT if section == TEST else RIGHT
        return None

    def text(self, row: int, column: int) -> str:
        """Return what stands in a cell."""
        candidate = self.candidates[row]
        if column == TEST:
            return candidate.test.text
        if column == GAIN:
            return gain_text(candidate.gain)
        if column == HOLD_OUT:
            return gain_text(candidate.holdout_gain)
        if column == MARGIN:
            return _margin(candidate) if row else "chosen" if candidate.is_chosen else "best"
        return ""

    def _tone(self, row: int, column: int) -> str | float:
        candidate = self.candidates[row]
        if column == BAR:
            return max(candidate.gain, 0.0) / self._highest if self._highest > 0 else 0.0
        if column == HOLD_OUT:
            return "validation"
        if column == MARGIN:
            return "badge" if row and candidate.is_near_tie else "text2"
        return "text1"


def _margin(candidate: Candidate) -> str:
    """How far it is from the split that was made; "+" where it gains more, as a forced one need not win."""
    margin = candidate.margin
    if candidate.is_near_tie:
        sign = "+" if margin >= LEAST_MORE else ""
        return f"tie {sign}{percent(abs(margin), 1)}"
    if abs(margin) > MOST_MARGIN:
        return f"{'>' if margin > 0 else '< −'}{count(100 * MOST_MARGIN)} %"
    return f"{'+' if margin > 0 else ''}{count(100 * margin)} %"
