"""The tools at the right end of the tab row while the tree is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSignalBlocker, Signal
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from workbench.views.controls.caret_button import CaretButton
from workbench.views.controls.phrase_combo import PhraseCombo
from workbench.views.look.icons import icon
from workbench.views.look.scale import px
from workbench.views.look.style import set_look
from workbench.views.look.tool_tip import set_tip
from workbench.views.tree.arrangement import ARRANGEMENTS
from workbench.views.tree.search import NodeSearch

if TYPE_CHECKING:
    from workbench.session.session import Session

NARROWEST, WIDEST = 80, 220  # of the box of classes
CLASS_TIP = "The trees that a round grows: one a class, or several side by side"
DEPTHS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 50, 100)


class TreeTools(QObject):
    """Search, class, arrangement, depth, fit, export."""

    class_chosen = Signal(int)
    arrangement_chosen = Signal(str)
    depth_chosen = Signal(object)  # a level, or None for all
    fitted = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.search = NodeSearch()
        self.classes = PhraseCombo()
        set_look(self.classes, fit="tool")
        self.classes.setAccessibleName("Class whose tree is shown")
        set_tip(self.classes, CLASS_TIP)
        self.classes.setMinimumWidth(px(NARROWEST))
        self.classes.setMaximumWidth(px(WIDEST))
        self.classes.setSizeAdjustPolicy(PhraseCombo.SizeAdjustPolicy.AdjustToContents)
        self.classes.activated.connect(self.class_chosen)
        self.arrangement, self.depth = CaretButton(), CaretButton()
        self.fit = _button("Show the whole tree", "F", "frame-corners")
        self.export = _button("Save, copy or print the tree", "", "download-simple")
        self.export_menu = QMenu(self.export)
        self.export.setMenu(self.export_menu)
        self.fit.clicked.connect(self.fitted)
        self._build_menus()

    def _build_menus(self) -> None:
        for button, name in ((self.arrangement, "Arrangement"), (self.depth, "Levels shown")):
            button.setMenu(QMenu(button))
            button.setAccessibleName(name)
            set_tip(button, name)
        group = QActionGroup(self.arrangement.menu())
        for name, arrangement in ARRANGEMENTS.items():
            action = self.arrangement.menu().addAction(arrangement.label)
            action.setCheckable(True)
            action.setData(name)
            group.addAction(action)
        self.arrangement.menu().triggered.connect(lambda action: self.arrangement_chosen.emit(action.data()))
        self.depth.menu().triggered.connect(lambda action: self.depth_chosen.emit(action.data()))

    @property
    def widgets(self) -> tuple[QWidget, ...]:
        """All of them, in order."""
        return (self.search, self.classes, self.arrangement, self.depth, self.fit, self.export)

    def synchronize(self, session: Session) -> None:
        """Offer what the shown run has."""
        run, tree, display = session.shown.run, session.shown.tree, session.shown.display
        for widget in (self.search, self.arrangement, self.depth, self.fit, self.export):
            widget.setEnabled(tree is not None)
        for action in self.arrangement.menu().actions():
            action.setChecked(action.data() == display.arrangement)
        self.arrangement.setText(ARRANGEMENTS[display.arrangement].label.partition(",")[0])
        self.depth.setText(f"Depth: {'all' if display.depth is None else display.depth}")
        self._offer_depths(tree.depth if tree is not None else 0, display.depth)
        names = run.tree_names(session.shown.round) if run is not None and run.rounds else ()
        self.classes.setVisible(bool(names))
        if names:
            self._show_classes(list(names), session.shown.place_in_round)

    def _offer_depths(self, deepest: int, chosen: int | None) -> None:
        offered = [None, *(depth for depth in DEPTHS if depth < deepest or depth == chosen)]
        menu = self.depth.menu()
        if [action.data() for action in menu.actions()] != offered:
            menu.clear()
            for depth in offered:
                action = menu.addAction("All levels" if depth is None else f"Down to level {depth}")
                action.setCheckable(True)
                action.setData(depth)
        for action in menu.actions():
            action.setChecked(action.data() == chosen)

    def _show_classes(self, labels: list[str], index: int) -> None:
        with QSignalBlocker(self.classes):
            if [self.classes.itemText(i) for i in range(self.classes.count())] != labels:
                self.classes.clear()
                self.classes.addItems(labels)
            self.classes.setCurrentIndex(index)
        set_tip(self.classes, f"{CLASS_TIP}. Shown: {self.classes.currentText()}")

    def restyle(self) -> None:
        """Tint the icons anew."""
        for button in (self.fit, self.export):
            button.setIcon(icon(str(button.property("glyph")), pixels=14))


def _button(name: str, key: str, glyph: str) -> QPushButton:
    button = QPushButton()
    button.setProperty("glyph", glyph)
    button.setIcon(icon(glyph, pixels=14))
    set_look(button, fit="tool")
    button.setFixedWidth(44 if glyph == "download-simple" else 30)
    set_tip(button, f"{name} {key}".strip())
    button.setAccessibleName(name)
    return button
