"""The numbers of one node: its gain or weight as a formula, its children, where missing values go."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QApplication,
    QBoxLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from workbench.explain.node_figures import (
    fair_share,
    follows_from_sums,
    missing_sentence,
    restraint_sentence,
    trail,
)
from workbench.views.base import VIEWS, Bench, View
from workbench.views.controls.heading import Heading, rule
from workbench.views.fonts import NOTE, ui_font
from workbench.views.inspector.breadcrumb import Breadcrumb
from workbench.views.inspector.digits import Block, block
from workbench.views.inspector.facts import Facts, node_facts
from workbench.views.inspector.formula import Formula, FormulaView
from workbench.views.inspector.inspected import Inspected, inspected
from workbench.views.inspector.node_formulas import (
    gain_formula,
    score_formula,
    soft_formula,
    step_formula,
    weight_formula,
)
from workbench.views.inspector.node_table import NodeTable
from workbench.views.style import set_look
from workbench.views.tree.scale import WeightScale

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QResizeEvent

EMPTY = "Click a node of the tree to see its numbers."
BESIDE = 860  # pixels from which the columns stand beside each other
LOW = 256  # pixels of height under which lines and rows come nearer to each other
COPIES = ("LaTeX", "Python", "Text")


@VIEWS.register
class NodeInspector(View):
    """Follows the node under the cursor, else the selected one."""

    name, title, place, order = "node", "Node", "bottom", 10

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bench: Bench | None = None
        self._scale = WeightScale()
        self.formula, self.second = FormulaView(), FormulaView()
        self.table, self.facts, self.breadcrumb = NodeTable(), Facts(), Breadcrumb()
        self.missing = QLabel()
        self.second_heading = Heading("")
        self.copy_buttons = {name: QPushButton(name) for name in COPIES}
        self._empty = QLabel(EMPTY)
        self._build()

    def _build(self) -> None:
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        set_look(self._empty, tone="2")
        set_look(self.missing, tone="2")
        self.missing.setFont(ui_font(NOTE))
        self.missing.setWordWrap(True)
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self._empty)
        self._pages.addWidget(_scrolling(self._build_columns()))
        for name, button in self.copy_buttons.items():
            set_look(button, flat=True, fit="tool")
            button.setToolTip(f"Copy the formula and its numbers as {name}")
            button.setAccessibleName(f"Copy as {name}")
            button.clicked.connect(self._copier(name))

    def _build_columns(self) -> QWidget:
        holder = QWidget()
        set_look(holder, ground="data")
        self._columns = QHBoxLayout(holder)
        self._columns.setSpacing(16)
        self._rule = rule(vertical=True)
        self._columns.addLayout(_column(self.formula, self.table, self.missing), 5)
        self._columns.addWidget(self._rule)
        self._columns.addLayout(_column(self.second_heading, self.second, self.facts), 4)
        return holder

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the columns under each other where there is too little room beside."""
        wide, low = event.size().width() >= BESIDE, event.size().height() < LOW
        self._columns.setContentsMargins(14, 4 if low else 8, 14, 2 if low else 6)
        for part in (self.formula, self.second, self.table):
            part.set_dense(low)
        for column in self._columns.findChildren(QVBoxLayout):
            column.setSpacing(3 if low else 6)
        direction = QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom
        self._columns.setDirection(direction)
        self._rule.setVisible(wide)

    def bind(self, bench: Bench) -> None:
        self._bench = bench
        events = bench.session.events
        for signal in (events.selection, events.pointed, events.runs, events.rounds, events.state):
            signal.connect(self.synchronize)
        self.synchronize()

    def tools(self) -> tuple[QWidget, ...]:
        words = QLabel("Copy as")
        words.setFont(ui_font(NOTE))
        set_look(words, tone="3")
        return (self.breadcrumb, words, *self.copy_buttons.values())

    def synchronize(self) -> None:
        shown = inspected(self._bench.session) if self._bench is not None else None
        self._pages.setCurrentIndex(1 if shown is not None else 0)
        for button in self.copy_buttons.values():
            button.setEnabled(shown is not None)
        if shown is None:
            self.breadcrumb.show_words(())
        else:
            self._show(shown)

    def _show(self, shown: Inspected) -> None:
        tree = shown.tree
        known = math.isfinite(shown.figures[0].sum_gradient) and all(
            follows_from_sums(tree, figures) for figures in shown.figures
        )
        made = block(
            shown.figures, tree.reg_lambda, tree.gamma, tree.learning_rate, reg_alpha=tree.reg_alpha,
            follows=known,
        )
        node = made.nodes[0]
        soft = (soft_formula(node, made),) if made.has_alpha else ()
        alone = (*soft, weight_formula(node, made), score_formula(node, made), step_formula(node, made))
        gain = () if shown.is_leaf else (gain_formula(made),)
        self.formula.show_formulas(*((gain or alone) if known else ()))
        self.second.show_formulas(*(alone if gain and known else ()))
        self.second_heading.set_title(_heading(shown, known))
        self.table.show_rows(made.nodes, self._weight_shares(shown))
        notes = [restraint_sentence(tree, shown.figures[0]), "" if shown.is_leaf else self._missing(shown)]
        self.missing.setText(" ".join(filter(None, notes)))
        self.facts.show_facts(node_facts(shown, made))
        words = trail(tree, shown.node, shown.schema)
        self.breadcrumb.show_words((shown.tree_name, *words[:-1], self._last_word(shown, words[-1], made)))

    def _last_word(self, shown: Inspected, word: str, made: Block) -> str:
        weight = made.nodes[0].weight
        sign = "+" if weight[0].isdigit() else ""
        return f"leaf {sign}{weight}" if shown.is_leaf else word

    def _weight_shares(self, shown: Inspected) -> list[float]:
        run = self._bench.session.run if self._bench is not None else None
        limit = self._scale.limit(run) if run is not None else 1.0
        return [fair_share(figures.weight, limit) for figures in shown.figures]

    def _missing(self, shown: Inspected) -> str:
        feature = shown.schema.features[int(shown.tree.nodes["feature"][shown.node])].name
        summary = self._bench.session.summaries.get(feature) if self._bench is not None else None
        return missing_sentence(shown.tree, shown.node, has_missing=summary is None or summary.missing > 0)

    # --- copying ----------------------------------------------------------------------------

    def copy(self, form: str) -> None:
        """Put the formulas on the clipboard as LaTeX, Python or text."""
        QApplication.clipboard().setText(self.copied(form))

    def copied(self, form: str) -> str:
        """What `copy` copies."""
        formulas: tuple[Formula, ...] = (*self.formula.formulas, *self.second.formulas)
        parts = [getattr(formula, form.lower()) for formula in formulas]
        if form == "Text":
            parts = [self.breadcrumb.text, *parts, self.table.text, self.facts.text, self.missing.text()]
        return "\n\n".join(part for part in parts if part)

    def _copier(self, form: str) -> Callable[[], None]:
        return lambda: self.copy(form)


def _heading(shown: Inspected, known: bool) -> str:
    if shown.is_leaf:
        return "This leaf"
    return "This node, had it stayed a leaf" if known else "This node"


def _column(*widgets: QWidget) -> QVBoxLayout:
    column = QVBoxLayout()
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(6)
    for widget in widgets:
        column.addWidget(widget)
    column.addStretch(1)
    return column


def _scrolling(widget: QWidget) -> QScrollArea:
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QScrollArea.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(widget)
    return area
