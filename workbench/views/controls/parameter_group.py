"""A heading with parameter rows below it, the rare ones folded away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from workbench.parameters.methods import DEFAULT_METHOD
from workbench.views.controls.heading import Heading
from workbench.views.controls.parameter_row import PADDING, ParameterRow
from workbench.views.controls.search_words import is_sought
from workbench.views.look.icons import icon
from workbench.views.look.style import set_look

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.parameters.spec import Parameter


class ParameterGroup(QWidget):
    """Shows how many of its rows are changed; a rare row is shown unfolded, or while it is changed."""

    built = Signal()  # rows that were folded away

    def __init__(self, title: str, declared: Sequence[Parameter], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = {p.name: ParameterRow(p, folded=True) for p in declared}
        self._heading = Heading(title)
        self._heading.setContentsMargins(PADDING, 0, PADDING, 0)
        self._sought = ""
        self._method = DEFAULT_METHOD
        self._more = self._build_more()
        self._build()
        self._fold()

    @property
    def parts(self) -> list[QWidget]:
        """What takes the keys, from top to bottom."""
        return [*(part for row in self._ordered for part in row.parts), self._more]

    @property
    def heading(self) -> Heading:
        """The title and the number of changed rows."""
        return self._heading

    def show_method(self, method: str) -> None:
        """Show the rows that this training method has."""
        self._method = method
        self.seek(self._sought)

    def synchronize(self) -> None:
        """Count the changed rows and show those that are wanted."""
        own = self._own
        changed = sum(row.is_changed for row in own)
        self._heading.set_note(f"{changed} changed" if changed else "")
        before = [row for row in self.rows.values() if not row.parts]
        for row in self.rows.values():
            seen = self._is_wanted(row) if row in own else row.is_remarked
            if seen == row.isHidden() or (seen and not row.parts):
                row.setVisible(seen)
        if any(row.parts for row in before):
            self.built.emit()

    def _is_wanted(self, row: ParameterRow) -> bool:
        if self._sought:
            return is_sought(row.texts, self._sought)
        return not row.declared.rare or row.is_changed or row.is_remarked or self._more.isChecked()

    @property
    def _ordered(self) -> list[ParameterRow]:
        """From top to bottom."""
        return sorted(self.rows.values(), key=lambda row: row.declared.rare)

    @property
    def _own(self) -> list[ParameterRow]:
        """Those that the method has."""
        return [row for row in self.rows.values() if row.declared.is_of(self._method)]

    def seek(self, words: str) -> bool:
        """Show the rows that these words are about, the usual ones for none; return whether there are any."""
        self._sought = words.strip()
        self.synchronize()
        own = self._own
        found = any(not self._sought or is_sought(row.texts, self._sought) for row in own)
        self._more.setVisible(not self._sought and any(row.declared.rare for row in own))
        self.setVisible(found)
        return found

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._show_more()

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._heading)
        column.addSpacing(4)
        for row in self._ordered:
            column.addWidget(row)
        column.addWidget(self._more)
        self._more.setVisible(any(row.declared.rare for row in self.rows.values()))

    def _build_more(self) -> QPushButton:
        button = QPushButton()
        button.setCheckable(True)
        set_look(button, quiet=True)
        button.setIconSize(QSize(12, 12))
        button.toggled.connect(self._fold)
        return button

    def _fold(self) -> None:
        self._show_more()
        self.synchronize()

    def _show_more(self) -> None:
        open_ = self._more.isChecked()
        self._more.setText("Less" if open_ else "More")
        self._more.setIcon(icon("caret-up" if open_ else "caret-down", "text2", 12))
