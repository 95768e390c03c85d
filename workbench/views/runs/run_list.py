"""The list of cards under the hand: a click shows a run, the swatch draws it, Ctrl compares it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeySequence, QPainter
from PySide6.QtWidgets import QAbstractItemView, QListView, QMenu

from workbench.session.branching import other_objective
from workbench.session.comparison.other_order import other_order
from workbench.views.look.style import set_look
from workbench.views.look.theme import theme
from workbench.views.runs.card_delegate import CardDelegate

if TYPE_CHECKING:
    from PySide6.QtCore import QModelIndex, QPersistentModelIndex
    from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent

    from workbench.session.run import Run
    from workbench.session.session import Session
    from workbench.views.runs.cards import CardsModel
    from workbench.views.runs.ways_out import WaysOut

COMPARING = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


class RunList(QListView):
    """Cards; the current one is the shown run."""

    note_wanted = Signal()
    branch_wanted = Signal()
    other_order_wanted = Signal(object)
    keeps_arrows = True

    def __init__(self, session: Session, model: CardsModel, ways_out: WaysOut) -> None:
        super().__init__()
        self._session, self._cards, self._ways_out = session, model, ways_out
        self._delegate = CardDelegate(model, self)
        self.setModel(model)
        self.setItemDelegate(self._delegate)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self.setAccessibleName("Runs")
        set_look(self, ground="panel")
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)  # stays till it is its turn
        self.selectionModel().currentChanged.connect(self._follow_keys)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self.viewport()) as painter:
            painter.fillRect(event.rect(), theme().color("panel"))
        super().paintEvent(event)

    def mark_shown(self) -> None:
        """Let the shown run be the current one."""
        row = self._cards.row_of(self._session.shown.run)
        if row != self.currentIndex().row():
            with QSignalBlocker(self.selectionModel()):
                self.setCurrentIndex(self._cards.index(row) if row >= 0 else self.rootIndex())
            self.scrollTo(self.currentIndex())
        self.viewport().update()

    def run_under(self, index: QModelIndex | QPersistentModelIndex) -> Run | None:
        """Return the run of a card; None where there is none."""
        return self._cards.run_at(index.row()) if index.isValid() else None

    @property
    def current(self) -> Run | None:
        """The run of the current card."""
        return self.run_under(self.currentIndex())

    # --- the hand ---------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        run = self.run_under(index)
        if run is None or event.button() != Qt.MouseButton.LeftButton:
            event.accept()
            return
        swatch = self._delegate.swatch(self.visualRect(index), index.row()).adjusted(-6, -6, 6, 6)
        if swatch.contains(event.position().toPoint()):
            self.toggle(run)
        elif event.modifiers() & COMPARING and run is not self._session.shown.run:
            self._session.overlay.compare(run)
        else:
            super().mousePressEvent(event)
            self._session.shown.show(run)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        run, key = self.current, event.key()
        keys = {
            Qt.Key.Key_T: self.toggle, Qt.Key.Key_P: self.pin, Qt.Key.Key_N: self._note,
            Qt.Key.Key_Delete: self._session.runs.delete,
        }  # fmt: skip
        if run is not None and not event.modifiers() and key in keys:
            keys[Qt.Key(key)](run)
        else:
            super().keyPressEvent(event)

    def _follow_keys(self, index: QModelIndex) -> None:
        run = self.run_under(index)
        if self.hasFocus() and run is not None:
            self._session.shown.show(run)

    def toggle(self, run: Run) -> None:
        """Draw a run with the others, or no more."""
        self._session.overlay.tick(run, not self._session.overlay.is_ticked(run))

    def pin(self, run: Run) -> None:
        """Pin a run, or let go of it."""
        self._session.runs.write_on(run, pinned=not run.card.pinned)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_hand = event.reason() == QContextMenuEvent.Reason.Mouse
        index = self.indexAt(event.pos()) if by_hand else self.currentIndex()
        run = self.run_under(index)
        if run is not None:
            middle = self.visualRect(index).center()
            self._open_menu(run, event.globalPos() if by_hand else self.viewport().mapToGlobal(middle))

    def _open_menu(self, run: Run, place: QPoint) -> None:
        menu = self.menu_of(run)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(place)

    def menu_of(self, run: Run) -> QMenu:
        """Return what can be done with a run."""
        menu, session = QMenu(self), self._session
        compare = menu.addAction("Compare with the shown run", partial(session.overlay.compare, run))
        compare.setEnabled(run is not session.shown.run)
        branch = menu.addAction(f"Branch from here{self._with_objective(run)}", partial(self._branch, run))
        branch.setEnabled(bool(run.rounds))
        other = other_order(run)
        if other:
            menu.addAction(f"Train the same by {other}", partial(self._train_other, run))
        menu.addSeparator()
        index = self._cards.index(self._cards.row_of(run))
        entries = (
            ("Rename", "F2", partial(self.edit, index)),
            ("Unpin" if run.card.pinned else "Pin", "P", partial(self.pin, run)),
            ("Write a note", "N", partial(self._note, run)),
            ("Draw no more" if session.overlay.is_ticked(run) else "Draw", "T", partial(self.toggle, run)),
        )
        for words, key, call in entries:
            menu.addAction(words, call).setShortcut(QKeySequence(key))
        menu.addSeparator()
        self._ways_out.fill(menu, run)
        menu.addSeparator()
        delete = menu.addAction("Delete", partial(session.runs.delete, run))
        delete.setShortcut(QKeySequence("Del"))
        delete.setEnabled(not run.is_live)
        return menu

    def _with_objective(self, run: Run) -> str:
        """Say what a branch is trained with: that of the shown run at its round, of another at its newest."""
        if run is self._session.shown.run:
            return self._session.with_objective
        name = other_objective(run, len(run.rounds), self._session.data.plan)
        return f" with {name}" if name else ""

    def _branch(self, run: Run) -> None:
        self._session.shown.show(run)
        self.branch_wanted.emit()

    def _train_other(self, run: Run) -> None:
        self._session.shown.show(run)
        self.other_order_wanted.emit(run)

    def _note(self, run: Run) -> None:
        self._session.shown.show(run)
        self.note_wanted.emit()
