"""Why a node was split as it was: the scan of a column, and what every other column had to offer."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QMenu,
    QPushButton,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from workbench.explain.forced_split import forced_split, forced_words
from workbench.number_text import count, counted
from workbench.session.editing import no_editing
from workbench.views.controls.heading import rule
from workbench.views.controls.label import Label
from workbench.views.inspector.node.inspected import place_of
from workbench.views.inspector.why.candidate_table import CandidateTable
from workbench.views.inspector.why.scan_column import ScanColumn
from workbench.views.inspector.why.scan_curve import MadeCut, scan_curve
from workbench.views.inspector.why.words import MOST_NAMES, others_text
from workbench.views.look.fonts import NOTE, ui_font
from workbench.views.look.style import set_look
from workbench.views.look.tool_tip import set_tip
from workbench.views.pace import LATE_MS
from workbench.workers.explainer import NodeSubject, ScanSubject

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from workbench.explain.candidates import Candidate
    from workbench.explain.compared_node import ComparedNode
    from workbench.session.run import Run
    from workbench.views.inspector.node.inspected import Inspected
    from workbench.views.inspector.why.scan_curve import ScanCurve
    from workbench.workers.explainer import Explainer, NodeFindings

NO_TABLE = "This model came from a file, without the rows it was trained on: no scan, no candidates."
MOST_TOLD = 60  # columns with one reason that the tooltip names
BESIDE = 480  # pixels from which the candidates stand beside the scan
HOVER_MS = 120  # that the cursor rests on a node before its columns are scanned
TAKE = "Take this instead"


class OwnCut(NamedTuple):
    """A cut that a person chose: of a column at a node, as `TakeSplit` asks; whether it only moves there."""

    subject: NodeSubject
    column: int
    threshold: float | None
    codes: tuple[int, ...]
    missing_left: bool | None
    moves: bool


class WhyPanel(QWidget):
    """Follows a node; asks the explainer, and keeps what it shows until the answer is there.

    `taken` tells the node and the candidate that a person takes instead, `cut` an `OwnCut`.
    """

    taken = Signal(object, object)
    cut = Signal(object)

    def __init__(self, explainer: Explainer, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.scan, self.table, self.others, self.message = ScanColumn(), CandidateTable(), Label(), Label()
        self.back_button, self.take_button = QPushButton("Back to the scan"), QPushButton(TAKE)
        self._no_editing = ""
        self._cuts_alone = False  # where there is room for one of the two only
        self._explainer = explainer
        self._shown: Inspected | None = None
        self._subject: NodeSubject | None = None
        self._told: NodeSubject | None = None  # whose candidates are listed
        self._column, self._over = -1, -1
        self._late, self._hover = QTimer(self), QTimer(self)
        self._late.timeout.connect(self._tell_wait)
        self._hover.timeout.connect(self._ask)
        for timer, pause in ((self._late, LATE_MS), (self._hover, HOVER_MS)):
            timer.setSingleShot(True)
            timer.setInterval(pause)
        self._build()
        for inquiry in (explainer.nodes, explainer.scans):
            inquiry.answered.connect(self._redraw)
        explainer.nodes.progressed.connect(self._tell_parts)

    def _build(self) -> None:
        set_look(self, ground="data")
        for label in (self.others, self.message):
            label.setFont(ui_font(NOTE))
            label.setWordWrap(True)
            set_look(label, tone="2")
        self.message.setAlignment(Qt.AlignmentFlag.AlignCenter)
        found, candidates = QWidget(), QVBoxLayout()
        candidates.setContentsMargins(0, 0, 0, 0)
        candidates.setSpacing(4)
        candidates.addWidget(self.table, 1)
        candidates.addWidget(self.others)
        buttons = QHBoxLayout()
        buttons.setSpacing(4)
        for button in (self.take_button, self.back_button):
            set_look(button, flat=True, fit="tool")
            buttons.addWidget(button)
        buttons.addStretch(1)
        candidates.addLayout(buttons)
        self._candidates, self._rule = QWidget(), rule(vertical=True)
        self._candidates.setLayout(candidates)
        row = QHBoxLayout(found)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(10)
        for widget, stretch in ((self.scan, 8), (self._rule, 0), (self._candidates, 10)):
            row.addWidget(widget, stretch)
        for widget in (self.scan, self._candidates):  # what they hold does not move the line between them
            widget.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._pages = QStackedWidget()
        for page in (self.message, found):
            self._pages.addWidget(page)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._pages)
        self.table.picked.connect(self._show_column)
        self.table.menu_wanted.connect(self._open_menu)
        self.take_button.clicked.connect(self._take)
        self.scan.plot.cut_wanted.connect(self._cut)
        self.scan.laid_over.connect(self._lay_over)
        self.scan.cuts_wanted.connect(lambda: self._show_alone(cuts=True))
        self.back_button.clicked.connect(lambda: self._show_alone(cuts=False))
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """Show the scan and the candidates beside each other, or one of them where there is no more room."""
        both = self.width() >= BESIDE
        self.scan.setVisible(both or not self._cuts_alone)
        self._candidates.setVisible(both or self._cuts_alone)
        self._rule.setVisible(both)
        for button in (self.scan.cuts_button, self.back_button):
            button.setVisible(not both)

    def _show_alone(self, *, cuts: bool) -> None:
        self._cuts_alone = cuts
        self._arrange()
        (self.back_button if cuts else self.scan.cuts_button).setFocus()

    def show_node(self, shown: Inspected, run: Run, *, is_hovered: bool) -> None:
        """Follow another node; one that the cursor only passes is not asked about at once."""
        self._no_editing = no_editing(run, shown.round)
        subject = NodeSubject(run, shown.round, place_of(run, shown), shown.node)
        if not run.has_rows:
            self._shown, self._subject = None, None
            self._say(NO_TABLE)
            return
        if subject != self._subject:
            if self._subject is None or subject._replace(round=0) != self._subject._replace(round=0):
                self._column, self._over = -1, -1
            self._shown, self._subject = shown, subject
            self._late.start()
        if is_hovered:
            self._hover.start()
        else:
            self._ask()

    # --- asking and showing -----------------------------------------------------------------

    def _ask(self) -> None:
        """Ask for the node; for the split's own column at once, as it is known."""
        if self._subject is None or self._shown is None:
            return
        self._hover.stop()
        self._explainer.findings(self._subject)
        if not self._shown.is_leaf or self._column >= 0:
            self._explainer.scan(self._subject, self._wanted)
        self._redraw()

    @property
    def _wanted(self) -> int:
        """The column whose scan is shown: the one picked, else that of the split, else the best."""
        if self._column >= 0 or self._shown is None:
            return self._column
        own = int(self._shown.tree.nodes["feature"][self._shown.node])
        if own >= 0:
            return own
        found = self._explainer.nodes.known(self._subject)
        return found.ranking.ranked[0].feature if found is not None and found.ranking.ranked else -1

    def _redraw(self) -> None:
        if self._subject is None or self._shown is None:
            return
        problem = self._explainer.nodes.problem(self._subject)
        if problem:
            self._say(problem)
            return
        found: NodeFindings | None = self._explainer.nodes.known(self._subject)
        if found is None:
            if not self._show_early():
                self._follow()
            elif not self._late.isActive():  # the wait was told in place of the scan, which is there now
                self._tell_wait()
            return
        self._late.stop()
        self._pages.setCurrentIndex(1)
        schema, params = self._shown.schema, found.rows.params
        told = [others_text(found.ranking, schema, params, most) for most in (MOST_NAMES, MOST_TOLD)]
        told = [" ".join(filter(None, (found.rows.note, words))) for words in told]
        self._tell_candidates(self._subject, found.ranking.ranked, self._wanted, told[0])
        set_tip(self.others, told[1])
        self._redraw_scan(found, self._subject, self._shown)

    def _show_early(self) -> bool:
        """Show the scan that is there before all columns have been compared; whether it is."""
        subject, column = self._subject, self._wanted
        if subject is None or column < 0:
            return False
        if self._explainer.scans.known(ScanSubject(subject, column)) is None:
            return False
        self._pages.setCurrentIndex(1)
        if self._told != subject and not subject.run.is_live:
            self._tell_candidates(subject, (), -1, "")  # those of another node are not shown beside it
        self._show_scan((), subject, column)
        return True

    def _tell_candidates(
        self, subject: NodeSubject | None, ranked: Sequence[Candidate], column: int, words: str
    ) -> None:
        self._told = subject
        self.table.show_candidates(ranked, column)
        self.others.setText(words)
        self._offer_taking()

    def _follow(self) -> None:
        """Where a run trains faster than its nodes are scanned, show the newest one that was."""
        explainer, wanted = self._explainer, self._subject
        if wanted is None or self._shown is None or not wanted.run.is_live:
            return
        newest = explainer.nodes.newest
        if not isinstance(newest, NodeSubject) or newest._replace(round=wanted.round) != wanted:
            return
        found = explainer.nodes.known(newest)
        self._late.stop()
        self._pages.setCurrentIndex(1)
        words = others_text(found.ranking, self._shown.schema, found.rows.params)
        self._tell_candidates(newest, found.ranking.ranked, -1, f"Round {newest.round}. {words}")
        if found.ranking.ranked:
            best = found.ranking.ranked[0].feature
            self._show_scan(found.ranking.ranked, newest, best, suffix=f", round {newest.round}")

    def _redraw_scan(self, found: NodeFindings, subject: NodeSubject, shown: Inspected) -> None:
        names = shown.schema.names
        self.scan.show_features([names[c.feature] for c in found.ranking.ranked],
                                [c.feature for c in found.ranking.ranked], self._over)
        if self._wanted >= 0:
            self._show_scan(found.ranking.ranked, subject, self._wanted)
        else:
            self.scan.show_nothing()

    def _show_scan(
        self, ranked: tuple[Candidate, ...], subject: NodeSubject, column: int, suffix: str = ""
    ) -> None:
        scanned = self._explainer.scan(subject, column)
        if scanned is None:
            return
        curve, over = self._curve(subject, column), None
        if self._over >= 0 and self._over != column:
            self._explainer.scan(subject, self._over)
            over = self._curve(subject, self._over)
        if curve is not None:
            is_split = not scanned.rows.tree.is_leaf[subject.node]
            level = _level(ranked, column)
            self.scan.show_found(curve, scanned.spread, over, level, suffix=suffix, is_split=is_split)
            tree = scanned.rows.tree
            is_own = column == tree.nodes["feature"][subject.node] and curve.is_numeric
            self.scan.plot.let_cut(not self._no_editing, moves=bool(is_own))

    def _curve(self, subject: NodeSubject, column: int) -> ScanCurve | None:
        scanned = self._explainer.scans.known(ScanSubject(subject, column))
        if scanned is None:
            return None
        rows, made = scanned.rows, None
        tree = rows.tree
        if tree.nodes["feature"][subject.node] == column:
            record, place = tree.nodes[subject.node], scanned.scan.cut_of(tree, subject.node)
            if place is not None:
                made = MadeCut(place, record["threshold"], _forced(rows) if record["forced"] else "")
        feature = rows.schema.features[column]
        return scan_curve(scanned.scan, scanned.spread, feature, rows.params, made)

    def _say(self, text: str) -> None:
        self._late.stop()
        self.message.setText(text)
        self._pages.setCurrentIndex(0)

    def _tell_wait(self) -> None:
        if self._shown is None:
            return
        words = f"Scanning {counted(len(self._shown.schema.features), 'column')} at this node."
        if not self._show_early():
            self._say(words)
            return
        self._tell_candidates(self._subject, (), -1, words)

    def _tell_parts(self, done: int, total: int) -> None:
        """Say how far the workers of a cluster are, where the wait has been told."""
        if self._subject is None or self._subject.run.there is None or self._late.isActive():
            return
        if self._explainer.nodes.known(self._subject) is None and self._pages.currentIndex() == 0:
            self.message.setText(f"Adding up on the cluster: {count(done)} of {count(total)} parts.")

    # --- what a person does -----------------------------------------------------------------

    def _show_column(self, feature: int) -> None:
        self._column = feature
        self._redraw()

    def _lay_over(self, feature: int) -> None:
        self._over = feature
        self._redraw()

    # --- other cuts -------------------------------------------------------------------------

    @property
    def _candidate(self) -> Candidate | None:
        """The current one of the table."""
        found = self._explainer.nodes.known(self._subject) if self._subject is not None else None
        ranked = () if found is None else found.ranking.ranked
        return next((one for one in ranked if one.feature == self.table.feature), None)

    @property
    def _no_taking(self) -> str:
        """Why the current candidate cannot be taken instead; "" where it can."""
        candidate = self._candidate
        if self._no_editing:
            return self._no_editing
        if candidate is None:
            return "Choose a candidate first."
        return "This is the split that was made." if candidate.is_chosen else ""

    def _offer_taking(self) -> None:
        problem = self._no_taking
        self.take_button.setEnabled(not problem)
        set_tip(self.take_button, problem or "See what changes when this node asks the chosen candidate")

    def _take(self) -> None:
        if not self._no_taking and self._subject is not None:
            self.taken.emit(self._subject, self._candidate)

    def _open_menu(self, point: QPoint) -> None:
        menu, problem = QMenu(self), self._no_taking
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if problem:
            menu.addAction(problem).setEnabled(False)
        menu.addAction(TAKE, self._take).setEnabled(not problem)
        menu.popup(point)

    def _cut(self, place: int, moves: bool) -> None:
        """Take a cut of the scan that is shown: let the threshold move there, or ask it anew."""
        subject, column, curve = self._subject, self._wanted, self.scan.plot.curve
        scanned = None if subject is None else self._explainer.scans.known(ScanSubject(subject, column))
        if subject is None or scanned is None or curve is None or self._no_editing:
            return
        scan, at = scanned.scan, curve.places[place]
        threshold = float(scan.thresholds[at]) if curve.is_numeric else None
        codes = () if curve.is_numeric else tuple(scan.codes(at).tolist())
        self.cut.emit(OwnCut(subject, column, threshold, codes, curve.missing_left[place], moves))


def _level(ranked: tuple[Candidate, ...], column: int) -> tuple[str, float] | None:
    """Name and gain of the best of the columns but the one that is shown, for a dashed level."""
    others = [candidate for candidate in ranked if candidate.feature != column]
    if not others:
        return None
    best = max(others, key=lambda candidate: candidate.gain)
    return best.test.feature, best.gain


def _forced(rows: ComparedNode) -> str:
    """Say what is forced of a node's split."""
    schema, text = rows.schema, rows.params.forced_splits
    split = forced_split(rows.tree, rows.node, schema, text)
    return "forced" if split is None else forced_words(split)
