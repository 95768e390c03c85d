"""The numbers of one node: its gain or weight as a formula, its children, where missing values go."""

from __future__ import annotations

import math
import re
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QScrollArea,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from workbench.data.classes import label_text
from workbench.explain.node_figures import (
    follows_from_sums,
    missing_sentence,
    restraint_sentence,
    trail,
)
from workbench.explain.node_text import LEAF_NAMES, leaf_words
from workbench.session.no_trees import no_trees
from workbench.views.base import VIEWS, Bench, LazyView
from workbench.views.controls.caret_button import CaretButton
from workbench.views.controls.figure_label import FigureLabel
from workbench.views.controls.heading import Heading, rule
from workbench.views.controls.label import Label
from workbench.views.edits.actions import EditActions, shown_place
from workbench.views.edits.leaf_weight import LeafWeight
from workbench.views.formula.digits import ShownBlock, block
from workbench.views.formula.formula import Formula, FormulaView
from workbench.views.formula.node_formulas import (
    gain_formula,
    score_formula,
    soft_formula,
    step_formula,
    weight_formula,
)
from workbench.views.inspector.node.breadcrumb import Breadcrumb
from workbench.views.inspector.node.facts import Fact, Facts, node_facts
from workbench.views.inspector.node.impurity_formulas import (
    decrease_formula,
    impurity_cells,
    impurity_formula,
    impurity_heads,
)
from workbench.views.inspector.node.inspected import Inspected, inspected, place_of
from workbench.views.inspector.node.table import NodeTable
from workbench.views.inspector.why.panel import WhyPanel
from workbench.views.inspector.why.words import holdout_sentence
from workbench.views.look.fonts import NOTE, ui_font
from workbench.views.look.scale import px
from workbench.views.look.style import set_look
from workbench.views.look.tool_tip import set_tip
from workbench.views.look.weight_limits import WeightLimits, WeightScale
from workbench.views.turns.held import painted_in_own_event
from workbench.views.turns.in_turns import InTurns

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from PySide6.QtGui import QResizeEvent

    from workbench.explain.candidates import Candidate
    from workbench.session.run import Run
    from workbench.trees.tree import Tree
    from workbench.views.inspector.why.panel import OwnCut
    from workbench.views.inspector.why.scan_curve import ScanCurve
    from workbench.workers.explainer import NodeSubject

EMPTY = "Click a node of the tree to see its numbers."
BY_WEIGHT = "n and the shares of the classes count each row by its row weight ω."
FORMULA_WIDTH, FORMULA_SHARE = 440, 0.55  # pixels, and of a narrow window's width
LOW = 256  # pixels of height under which lines and rows come nearer to each other
COPIES = ("LaTeX", "Python", "Text")


@VIEWS.register
class NodeInspector(LazyView):
    """Follows the node under the cursor, else the selected one."""

    name, title, place, order = "node", "Node", "bottom", 10

    def __init__(self, bench: Bench, parent: QWidget | None = None) -> None:
        super().__init__(bench, parent)
        self._scale = WeightLimits()
        self.formula, self.second = FormulaView(), FormulaView()
        self.table, self.facts, self.breadcrumb = NodeTable(), Facts(), Breadcrumb()
        self.missing, self.holdout, self.why = Label(), FigureLabel(), WhyPanel(bench.explainer)
        self.weight = LeafWeight(bench.edits)
        self.second_heading = Heading("")
        self.second_heading.setContentsMargins(0, 8, 0, 0)
        self.edit_button = CaretButton("Edit")
        self.copy_buttons = {name: QPushButton(name) for name in COPIES}
        self._empty = Label(EMPTY)
        self._seen: tuple[Tree | None, int] = (None, -1)  # what was shown last
        self._told: Callable[[], tuple[Fact, ...]] = tuple  # of the node that is shown
        self._why = InTurns(self._show_why, self)
        self._build()
        self._follow_session()

    def _build(self) -> None:
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        set_look(self._empty, tone="2")
        for label in (self.holdout, self.missing):
            set_look(label, tone="2")
            label.setFont(ui_font(NOTE))
            label.setWordWrap(True)
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self._empty)
        self._pages.addWidget(self._build_columns())
        menu = QMenu(self.edit_button)
        self.edits = EditActions(self._bench.edits, menu)
        menu.aboutToShow.connect(self._offer_edits)
        self.edit_button.setMenu(menu)
        self.edit_button.setAccessibleName("Edit this node")
        set_tip(self.edit_button, "Change the node or its tree by hand; a receipt says first what that does")
        for name, button in self.copy_buttons.items():
            set_look(button, flat=True, fit="tool")
            set_tip(button, f"Copy the formula and its numbers as {name}")
            button.setAccessibleName(f"Copy as {name}")
            button.clicked.connect(self._copier(name))

    def _build_columns(self) -> QWidget:
        holder = QWidget()
        set_look(holder, ground="data")
        self._columns = QHBoxLayout(holder)
        self._columns.setSpacing(10)
        numbers = QWidget()
        set_look(numbers, ground="data")
        self._numbers = _column(self.formula, self.table, self.weight, self.holdout, self.missing,
                                self.second_heading, self.second, self.facts)
        numbers.setLayout(self._numbers)
        self._first = _scrolling(numbers)
        for part in (self._first, rule(vertical=True), self.why):
            self._columns.addWidget(part)
        return holder

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the formula's width as long as there is room beside it; come nearer where it is low."""
        low = event.size().height() < px(LOW)
        self._columns.setContentsMargins(14, 4 if low else 8, 4, 2 if low else 6)
        for part in (self.formula, self.second, self.table):
            part.set_dense(low)
        self._numbers.setSpacing(3 if low else 6)
        self._first.setFixedWidth(min(px(FORMULA_WIDTH), round(FORMULA_SHARE * event.size().width())))

    def _follow_session(self) -> None:
        events = self._bench.session.events
        for signal in (events.selection, events.pointed, events.runs, events.rounds, events.state):
            signal.connect(self.synchronize)
        self.why.scan.plot.copy_wanted.connect(self._copy_scan)
        self._bench.explainer.whole_trees.holdout.answered.connect(self._tell_holdout)
        self.why.taken.connect(self._take)
        self.why.cut.connect(self._cut)
        self.synchronize()

    def tools(self) -> tuple[QWidget, ...]:
        words = Label("Copy as")
        words.setFont(ui_font(NOTE))
        set_look(words, tone="3")
        return (self.breadcrumb, self.edit_button, words, *self.copy_buttons.values())

    def synchronize(self) -> None:
        """Show the node, where somebody sees it."""
        if not self.isVisible():
            return
        self._why.start_soon()  # before it is painted, and in another event
        painted_in_own_event(self)
        shown = inspected(self._bench.session)
        self._pages.setCurrentIndex(1 if shown is not None else 0)
        for button in (self.edit_button, *self.copy_buttons.values()):
            button.setEnabled(shown is not None)
        if shown is None:
            display = self._bench.session.shown
            self._empty.setText(EMPTY if display.run is None or display.tree else no_trees(display.run))
            self.breadcrumb.show_words(())
        else:
            if self._seen[0] is not shown.tree or self._seen[1] != shown.node:
                self._seen = shown.tree, shown.node
                painted_in_own_event(self)
            self._show(shown)
            self.weight.show_leaf(shown_place(self._bench.session, shown.node))

    def _show_why(self) -> Iterator[None]:
        """What the rows say: asked only while somebody looks."""
        session = self._bench.session
        shown, run = inspected(session) if self.isVisible() else None, session.shown.run
        if shown is None:
            return
        self.facts.show_facts(self._told())
        if run is None:
            return
        self._say_holdout(shown, run)
        yield
        pointed = session.shown.pointed_node
        is_hovered = pointed is not None and pointed != session.shown.selection.node
        self.why.show_node(shown, run, is_hovered=is_hovered)

    def _tell_holdout(self) -> None:
        """Say what the rows held out say, which is known now."""
        session = self._bench.session
        shown = inspected(session) if self.isVisible() else None
        if shown is not None and session.shown.run is not None:
            self._say_holdout(shown, session.shown.run)

    def _say_holdout(self, shown: Inspected, run: Run) -> None:
        sentence = ""
        if run.dataset is not None and not shown.is_leaf:
            place = place_of(run, shown)
            gains = self._bench.explainer.whole_trees.holdout_gains(run, shown.round, place)
            sentence = "" if gains is None else holdout_sentence(gains, shown.node)
        self.holdout.say(*_around_figure(sentence), "validation")
        self.holdout.setVisible(bool(sentence))

    def _show(self, shown: Inspected) -> None:
        tree = shown.tree
        has_sums = math.isfinite(shown.figures[0].sum_gradient)
        known = has_sums and all(follows_from_sums(tree, figures) for figures in shown.figures)
        made = block(
            shown.figures, tree.reg_lambda, tree.gamma, tree.learning_rate, reg_alpha=tree.reg_alpha,
            follows=known,
        )
        node = made.nodes[0]
        soft = (soft_formula(node, made),) if made.has_alpha else ()
        alone = (*soft, weight_formula(node, made), score_formula(node, made), step_formula(node, made))
        gain = () if shown.is_leaf else (gain_formula(made),)
        if shown.criterion and has_sums:
            self._show_impurity(shown)
        else:
            self.formula.show_formulas(*((gain or alone) if known else ()))
            self.second.show_formulas(*(alone if gain and known else ()))
            self.second_heading.set_title(_heading(shown, known))
            self.table.show_rows(made.nodes, self._weight_shares(shown))
        notes = [_restraint(shown), "" if shown.is_leaf else self._missing(shown)]
        self.missing.setText(" ".join(filter(None, notes)))
        self._told = partial(node_facts, shown, made)
        words = trail(tree, shown.node, shown.schema)
        self.breadcrumb.show_words((shown.tree_name, *words[:-1], self._last_word(shown, words[-1], made)))

    def _show_impurity(self, shown: Inspected) -> None:
        """What a node of class shares is judged by, in place of G and H."""
        family, own = shown.impurities, impurity_formula(shown.impurities[0], shown.criterion)
        self.formula.show_formulas(own if shown.is_leaf else decrease_formula(family))
        self.second.show_formulas(*(() if shown.is_leaf else (own,)))
        title = "" if shown.is_leaf else f"Impurity of this node, {shown.criterion}"
        self.second_heading.set_title(title)
        counts = [figures.count for figures in shown.figures]
        labels = tuple(map(label_text, shown.schema.class_labels))
        self.table.show_cells(impurity_heads(labels), impurity_cells(family, counts))

    def _last_word(self, shown: Inspected, word: str, made: ShownBlock) -> str:
        weight = made.nodes[0].weight if shown.tree.knows_sums else made.nodes[0].step
        if not shown.is_leaf:
            return word
        if shown.unit in LEAF_NAMES:
            return f"leaf, {leaf_words(shown.unit)} {weight}"
        sign = "+" if weight[0].isdigit() else ""
        return f"leaf {sign}{weight} {shown.unit}".rstrip()

    def _weight_shares(self, shown: Inspected) -> list[float]:
        run = self._bench.session.shown.run
        scale = self._scale.scale(run) if run is not None else WeightScale()
        known = shown.tree.knows_sums
        return [scale.share(figures.weight if known else figures.step) for figures in shown.figures]

    def _missing(self, shown: Inspected) -> str:
        feature = shown.schema.features[int(shown.tree.nodes["feature"][shown.node])].name
        summary = self._bench.session.data.summaries.get(feature)
        return missing_sentence(shown.tree, shown.node, has_missing=summary is None or summary.missing > 0)

    @property
    def holdout_text(self) -> str:
        """What the hold-out rows say, without colours."""
        return self.holdout.words

    # --- editing ----------------------------------------------------------------------------

    def _offer_edits(self) -> None:
        session = self._bench.session
        self.edits.offer(shown_place(session, session.shown.selection.node))

    def _take(self, subject: NodeSubject, candidate: Candidate) -> None:
        """Ask what another candidate would come to in this node."""
        from workbench.explain.edits.take_split import TakeSplit

        run, round, place, node = subject
        if run.schema is not None:
            edit = TakeSplit.of_candidate(round, place, node, candidate, run.schema)
            self._bench.edits.ask(run, edit)

    def _cut(self, cut: OwnCut) -> None:
        """Ask what a cut of the person's own would come to."""
        from workbench.explain.edits.move_threshold import MoveThreshold
        from workbench.explain.edits.take_split import TakeSplit

        run, round, place, node = cut.subject
        if cut.moves and cut.threshold is not None:
            self._bench.edits.ask(run, MoveThreshold(round, place, node, cut.threshold))
        elif run.schema is not None:
            name = run.schema.names[cut.column]
            asked = TakeSplit(round, place, node, name, cut.threshold, cut.codes, cut.missing_left)
            self._bench.edits.ask(run, asked)

    # --- copying ----------------------------------------------------------------------------

    def copy(self, form: str) -> None:
        """Put the formulas on the clipboard as LaTeX, Python or text."""
        QApplication.clipboard().setText(self.copied(form))

    def copied(self, form: str) -> str:
        """What `copy` copies."""
        formulas: tuple[Formula, ...] = (*self.formula.formulas, *self.second.formulas)
        parts = [getattr(formula, form.lower()) for formula in formulas]
        if form == "Text":
            parts = [self.breadcrumb.text, *parts, self.table.text, self.facts.text, self.holdout_text,
                     self.missing.text()]
        return "\n\n".join(part for part in parts if part)

    def _copy_scan(self, curve: ScanCurve) -> None:
        harmless = self._bench.session.harmless_formulas
        QApplication.clipboard().setText(curve.values_text(neutralise=harmless))

    def _copier(self, form: str) -> Callable[[], None]:
        return lambda: self.copy(form)


def _around_figure(sentence: str) -> tuple[str, str, str]:
    """The words before the figure of a sentence on hold-out rows, the figure, and the words after it."""
    found = re.search(r"−?[\d.,]+(e−?\d+)?(?= on )", sentence)
    first, last = found.span() if found else (len(sentence), len(sentence))
    return sentence[:first], sentence[first:last], sentence[last:]


def _restraint(shown: Inspected) -> str:
    """Why there is no formula: what made the weight of the node, else that of a child."""
    if shown.criterion:
        return "" if shown.unit in LEAF_NAMES else BY_WEIGHT
    heads = ("", "No gain formula. Left, yes: ", "No gain formula. Right, no: ")
    sentences = (restraint_sentence(shown.tree, figures) for figures in shown.figures)
    return next((head + words for head, words in zip(heads, sentences, strict=False) if words), "")


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
