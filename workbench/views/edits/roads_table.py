"""The roads not taken of a tree: each near-tie taken instead, with the rest of the run grown anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QHBoxLayout, QHeaderView, QPushButton, QVBoxLayout, QWidget

from workbench.number_text import counted
from workbench.session.editing import no_editing
from workbench.views.controls.elided_label import ElidedLabel
from workbench.views.edits.actions import shown_place
from workbench.views.edits.text_model import TextModel
from workbench.views.edits.words import road_line, roads_sentence
from workbench.views.inspector.figure_table import FigureTable
from workbench.views.look.fonts import NOTE, ui_font
from workbench.views.look.style import set_look
from workbench.views.look.tool_tip import set_tip

if TYPE_CHECKING:
    from workbench.session.session import Session
    from workbench.workers.edit_desk import EditDesk

HEADS = ("Split taken instead", "Margin", "Before", "After", "Change")
WIDTHS = {1: 84, 2: 124, 3: 92, 4: 104}
EMPTY = "Try takes each near-tie of a tree instead, grows the later rounds anew, and tells what comes of it."


class RoadsTable(QWidget):
    """Follows the desk; a double-click, or Enter, opens the receipt of a road."""

    def __init__(self, session: Session, desk: EditDesk) -> None:
        super().__init__()
        self._session, self._desk = session, desk
        self.words = ElidedLabel(EMPTY, lines=2)
        self.try_button, self.stop_button = QPushButton("Try"), QPushButton("Cancel")
        self.model = TextModel(HEADS)
        self.table = FigureTable(self.model, "Roads not taken")
        self._build()
        desk.roads_changed.connect(self.synchronize)
        session.events.validation.connect(self.synchronize)
        self.table.line_opened.connect(self._open)
        self.try_button.clicked.connect(self._try)
        self.stop_button.clicked.connect(desk.stop_roads)

    def _build(self) -> None:
        set_look(self, ground="data")
        set_look(self.words, tone="2")
        self.words.setFont(ui_font(NOTE))
        for button in (self.try_button, self.stop_button):
            set_look(button, fit="tool")
        self.stop_button.setAccessibleName("Try no more roads")
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column, pixels in WIDTHS.items():
            self.table.setColumnWidth(column, pixels)
        head = QHBoxLayout()
        head.setContentsMargins(14, 6, 14, 6)
        head.addWidget(self.words, 1)
        head.addWidget(self.stop_button)
        head.addWidget(self.try_button)
        column_layout = QVBoxLayout(self)
        column_layout.setContentsMargins(0, 0, 0, 0)
        column_layout.setSpacing(0)
        column_layout.addLayout(head)
        column_layout.addWidget(self.table, 1)

    def synchronize(self) -> None:
        """Show what is known, and of which tree the roads can be tried."""
        at, desk = shown_place(self._session, None), self._desk
        problem = "There is no tree yet." if at is None else no_editing(at.run, at.round)
        self.try_button.setText("Try" if at is None else f"Try tree {at.round}")
        self.try_button.setEnabled(not problem)
        self.try_button.setAccessibleName("Try the roads not taken of the shown tree")
        set_tip(self.try_button, problem or "Each near-tie taken instead, the later rounds grown anew")
        self.stop_button.setVisible(desk.is_trying)
        self.model.show_lines([road_line(road) for road in desk.roads], self._heads())
        self.words.setText(self._sentence(problem))
        self.table.setVisible(bool(desk.roads))

    def _heads(self) -> tuple[str, ...]:
        of = self._desk.roads_of
        if of is None:
            return HEADS
        where = "Hold-out" if of.run.rounds and of.run.rounds[-1].valid else "Training"
        return (*HEADS[:2], f"{where} before", "After", "Change")

    def _sentence(self, problem: str) -> str:
        desk, of = self._desk, self._desk.roads_of
        if of is None:
            return problem or EMPTY
        if desk.roads_problem:
            return desk.roads_problem
        tried, tree = len(desk.roads), f"tree {of.round} of {of.run.name}"
        if desk.is_trying:
            return f"Trying the near-ties of {tree}: {counted(tried, 'road')} so far."
        if desk.roads_broken_off and not tried:
            return f"Cancelled before a near-tie of {tree} was tried."
        if not tried:
            return f"No split of {tree} has a near-tie."
        metric = of.run.facts.metric(of.run.watched).label
        come = roads_sentence(of.run, desk.roads, self._session.validation.floor(of.run))
        ended = "Cancelled after " if desk.roads_broken_off else ""
        return (f"{ended}{counted(tried, 'near-tie')} of {tree}, {metric} after the last round: {come}. "
                "Double-click one to see its receipt.")

    def _try(self) -> None:
        at = shown_place(self._session, None)
        if at is not None:
            self._desk.try_roads(at.run, at.round, at.place)

    def _open(self, line: int) -> None:
        of, roads = self._desk.roads_of, self._desk.roads
        if of is not None and line < len(roads):
            self._desk.ask(of.run, roads[line].edit)
