"""The training method of the next run, above its objective."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QVBoxLayout, QWidget

from workbench.parameters.methods import METHODS
from workbench.parameters.training import BY_NAME
from workbench.views.controls import parameter_words as words
from workbench.views.controls.heading import Heading
from workbench.views.controls.note import NoteLabel
from workbench.views.controls.parameter_row import PADDING
from workbench.views.controls.phrase_combo import PhraseCombo
from workbench.views.controls.search_words import texts_of
from workbench.views.look.style import set_look
from workbench.views.look.tool_tip import set_tip

if TYPE_CHECKING:
    from workbench.session.session import Session

DECLARED = BY_NAME["method"]


class MethodChoice(QWidget):
    """Heading, combo box and what the method does; locked while a run is live."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._shown: tuple[str, bool] | None = None  # the method, and whether it is locked
        self._combo = PhraseCombo()
        self._combo.setAccessibleName(DECLARED.label)
        for method in METHODS.values():
            self._combo.addItem(method.label, method.name)
        self._combo.activated.connect(self._write)
        self._about = NoteLabel()
        set_look(self._about, tone="2")
        column = QVBoxLayout(self)
        column.setContentsMargins(PADDING, 0, PADDING, 0)
        column.setSpacing(6)
        column.addWidget(Heading(DECLARED.label))
        column.addWidget(self._combo)
        column.addWidget(self._about)
        for signal in (session.events.params, session.events.state, session.events.runs):
            signal.connect(self.synchronize)
        self.synchronize()

    def synchronize(self) -> None:
        """Show what the session says."""
        method = METHODS[self._session.hyperparameters.wanted.method]
        locked = bool(self._session.runs.live)
        if self._shown == (method.name, locked):
            return
        self._shown = method.name, locked
        self._combo.setCurrentIndex(self._combo.findData(method.name))
        self._about.say(method.help)
        self._combo.setEnabled(not locked)
        set_tip(self._combo, words.locked_note(DECLARED) if locked else DECLARED.help)

    @property
    def texts(self) -> tuple[str, ...]:
        """What finds it: names, words and the methods on offer."""
        return (*texts_of(DECLARED), *(text for m in METHODS.values() for text in (m.name, m.label)))

    def _write(self, index: int) -> None:
        self._session.choose_method(self._combo.itemData(index))
