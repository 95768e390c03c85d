"""In what a table differs from the model's: a sentence a line, with ⚠ where predictions suffer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from workbench.views.controls.label import Label
from workbench.views.controls.layout_items import empty_layout
from workbench.views.controls.note import NoteLabel
from workbench.views.look.icons import icon_pixmap
from workbench.views.look.style import set_look

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.scoring.matching import TableDifference

MOST_SHOWN = 40


class DifferenceLine(QWidget):
    """One sentence."""

    def __init__(self, text: str, is_warning: bool) -> None:
        super().__init__()
        self.words, self._mark, self._is_warning = NoteLabel(), Label(), is_warning
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self._mark, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.words, 1)
        set_look(self.words, tone="warning" if is_warning else "2")
        self.words.say(text)
        self.restyle()

    def restyle(self) -> None:
        """Take over the colours of the theme."""
        name, token = ("warning", "warning") if self._is_warning else ("info", "text3")
        self._mark.setPixmap(icon_pixmap(name, token, 14))


class DifferenceList(QWidget):
    """The lines, warnings first."""

    def __init__(self) -> None:
        super().__init__()
        self._shown: list[tuple[str, bool]] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(6)
        self.hide()  # an empty one takes room between others

    @property
    def texts(self) -> list[str]:
        """What is shown."""
        return [text for text, _ in self._shown]

    def show_differences(self, differences: Sequence[TableDifference]) -> None:
        """Show these; lines that stay are not made anew."""
        ordered = sorted(differences, key=lambda difference: not difference.is_warning)
        lines = [(difference.text, difference.is_warning) for difference in ordered[:MOST_SHOWN]]
        if len(ordered) > MOST_SHOWN:
            lines.append((f"And {len(ordered) - MOST_SHOWN:,} more.", False))
        if lines == self._shown:
            return
        self._shown = lines
        self.setVisible(bool(lines))
        empty_layout(self._column)
        for text, is_warning in lines:
            self._column.addWidget(DifferenceLine(text, is_warning))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            for line in self.findChildren(DifferenceLine):
                line.restyle()
