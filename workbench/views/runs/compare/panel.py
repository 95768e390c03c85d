"""The lower part of the tab Runs: the shown run and its partner, side by side."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QMenu, QPushButton, QVBoxLayout, QWidget

from workbench.isolation import isolated
from workbench.number_text import count, counted
from workbench.session.comparison.verdict import verdict
from workbench.views.controls.caret_button import CaretButton
from workbench.views.controls.elided_label import ElidedLabel
from workbench.views.controls.heading import rule
from workbench.views.controls.line_list import LineList
from workbench.views.look.fonts import NOTE, ui_font
from workbench.views.look.scale import px
from workbench.views.look.style import set_look
from workbench.views.look.tool_tip import set_tip
from workbench.views.pace import LATE_MS
from workbench.views.runs.compare.findings import Findings, Pair, ensemble_of, find
from workbench.views.runs.compare.moved_list import MovedList
from workbench.views.runs.compare.pair_table import ROW, PairDelegate, PairHead, PairModel, lines_of
from workbench.views.runs.compare.share_dots import ShareDots

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.session.comparison.moved_rows import ScoredModel
    from workbench.session.run import Run
    from workbench.views.base import Bench
    from workbench.workers.jobs import Job

HEIGHT, STRIP = 266, 34
UNDER_STRIP = 12  # pixels that a notice of one line takes above the status line
PAUSE_MS = 1500  # between answers about runs that train
MOST_TERMS = 3  # of a linear model, told of a row
MOST_RUNS = 40  # in the menu
MODELS = "Models (*.json *.ubj *.txt *.onnx);;All files (*)"
ALONE = "One run so far. Train another, or continue from an earlier round, and both are compared here."


class ComparePanel(QWidget):
    """Asks when it is seen; an answer about another pair is dropped, and a job that nobody awaits ends."""

    node_wanted = Signal()  # the tree of the first difference is selected now

    def __init__(self, bench: Bench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bench, self._session = bench, bench.session
        self._asked: Pair | None = None
        self._job: Job | None = None
        self._path_job: Job | None = None
        self.findings: Findings | None = None
        self._late = QTimer(self, singleShot=True, interval=LATE_MS)
        self._late.timeout.connect(partial(self._tell_wait, 0, 0))
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self.synchronize)
        self.sentence, self.show_button = ElidedLabel(), QPushButton("Show it")
        self.partner_button = CaretButton("Compare with")
        self.head, self.pairs = PairHead(), PairModel()
        self.table = LineList(self.pairs, ROW, "What differs")
        self.dots, self.moved = ShareDots(), MovedList()
        self._build()

    def _build(self) -> None:
        self.setFixedHeight(px(HEIGHT))
        set_look(self, ground="data")
        strip = QHBoxLayout()
        strip.setContentsMargins(16, 4, 16, 4)
        strip.setSpacing(8)
        self.sentence.setFont(ui_font(NOTE))
        set_look(self.sentence, tone="1")
        self.sentence.setAccessibleName("Where the two runs part")
        set_look(self.show_button, fit="tool")
        set_tip(self.show_button, "Show this node in the tree")
        self.show_button.clicked.connect(self._show_node)
        self.partner_button.setAccessibleName("Compare with")
        self.menu = QMenu(self.partner_button)
        self.menu.aboutToShow.connect(self._fill_menu)
        self.partner_button.setMenu(self.menu)
        strip.addWidget(self.sentence, 1)
        strip.addWidget(self.show_button)
        strip.addWidget(self.partner_button)
        self.table.setItemDelegate(PairDelegate(self.table))
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(self.table, 1)
        self._columns = QWidget()
        row = QHBoxLayout(self._columns)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for place, part in enumerate((left, self.dots, self.moved)):
            if place:
                row.addWidget(rule(vertical=True))
            row.addWidget(part, (31, 31, 38)[place])
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, UNDER_STRIP)
        whole.setSpacing(0)
        whole.addWidget(rule())
        whole.addLayout(strip)
        whole.addWidget(rule())
        whole.addWidget(self._columns, 1)
        self.moved.chosen.connect(self._choose_row)

    # --- showing ----------------------------------------------------------------------------

    @property
    def pair(self) -> Pair | None:
        """The two runs and their rounds: as many as the ruler shows, else all there are now."""
        first, second = self._session.shown.run, self._session.overlay.partner
        if first is None or second is None or not first.rounds or not second.rounds:
            return None
        if first.number > second.number > 0:
            first, second = second, first
        at = self._session.shown.round if self._session.shown.selection.round is not None else 0
        rounds = len(first.rounds), len(second.rounds)
        return Pair(first, second, (min(rounds[0], at), min(rounds[1], at)) if at else rounds, at)

    def synchronize(self) -> None:
        """Show what is known of the pair, and ask for the rest."""
        if not self.isVisible():
            return
        pair = self.pair
        self._columns.setVisible(pair is not None)
        self.setFixedHeight(px(HEIGHT if pair is not None else STRIP + 2 + UNDER_STRIP))
        self.partner_button.setEnabled(self._session.shown.run is not None)
        if pair is None:
            self.leave()
            self.findings = None
            self.sentence.setText(ALONE if self._session.shown.run is not None else "")
            self.show_button.hide()
            return
        self.head.show_runs(*pair.runs)
        found = verdict(*pair.runs, self._session.validation)
        self.pairs.show(lines_of(*pair.runs, pair.at, found))
        if pair != self._asked and not self._must_wait(pair):
            self._ask(pair)

    def _must_wait(self, pair: Pair) -> bool:
        """Whether only the rounds are others, and an answer is on its way, or was given just now."""
        if self._asked is None or self._asked.runs != pair.runs:
            return False
        grows = any(run.is_live for run in pair.runs)
        return self._job is not None or (grows and self._pause.isActive())

    def _ask(self, pair: Pair) -> None:
        if self._job is not None:
            self._job.cancel()
        if self._asked is None or self._asked.runs != pair.runs:
            self._show_nothing(pair)
            self._late.start()
        self._asked = pair
        self._pause.start()
        explainer = self._bench.explainer
        self._job = self._bench.jobs.start(
            lambda job: find(pair, explainer, job), done=self._show, failed=self._fail,
            progressed=self._tell_wait,
        )

    def _show_nothing(self, pair: Pair) -> None:
        self.findings = None
        self.sentence.setText("")
        self.show_button.hide()
        self.dots.show_shares(None, None)
        self.moved.show_moved(None, None, pair.runs, "")

    def _tell_wait(self, done: int, total: int) -> None:
        if self._job is not None and not self._late.isActive() and self.findings is None:
            so_far = f", {count(done)} of {count(total)} rounds" if total else ""
            self.sentence.setText(f"Comparing{so_far}. Another tab ends it.")

    def _show(self, findings: Findings) -> None:
        self._job = None
        self._late.stop()
        pair = findings.pair
        if self._asked is None or pair.runs != self._asked.runs:
            return
        self.findings = findings
        self.sentence.setText(sentence_of(findings))
        has_parted = bool(findings.partings.question or findings.partings.weight)
        self.show_button.setVisible(has_parted and not pair.linear)
        self.dots.show_shares(findings.shares, pair.runs)
        dataset = next((run.dataset for run in pair.runs if run.dataset is not None), None)
        self.moved.show_moved(findings.moved, dataset, pair.runs, findings.no_rows)
        self.synchronize()

    def _fail(self, text: str) -> None:
        self._job = None
        self._late.stop()
        self.sentence.setText(text)

    def leave(self) -> None:
        """Let go of what is being worked out."""
        for job in (self._job, self._path_job):
            if job is not None:
                job.cancel()
        if self._job is not None:
            self._asked = None
        self._job = self._path_job = None
        self._late.stop()
        self._pause.stop()

    # --- the hand ---------------------------------------------------------------------------

    def _fill_menu(self) -> None:
        self.menu.clear()
        session, shown = self._session, self._session.shown.run
        others = [run for run in reversed(session.runs) if run is not shown]
        for run in others[:MOST_RUNS]:
            words = isolated(run.name).replace("&", "&&")  # which a menu takes for a key else
            action = self.menu.addAction(words, partial(session.overlay.compare, run))
            action.setCheckable(True)
            action.setChecked(run is session.overlay.partner)
        if others:
            self.menu.addSeparator()
        self.menu.addAction("A model from a file…", self._choose_model)

    def _choose_model(self) -> None:
        chosen, _ = QFileDialog.getOpenFileName(self, "Compare with a model", "", MODELS)
        if chosen:
            self.compare_file(Path(chosen))

    def compare_file(self, path: Path) -> None:
        """Read a model, of this program or another, and compare the shown run with it."""
        self._bench.jobs.start(
            lambda _job: read_model(path), done=self._session.overlay.compare_model, failed=self._say_failure
        )

    def _say_failure(self, text: str) -> None:
        self._session.notices.say(text, "error", "export")

    def _show_node(self) -> None:
        """Select the node of the first difference, in whichever run is shown."""
        findings, shown = self.findings, self._session.shown
        found = (findings.partings.question or findings.partings.weight) if findings is not None else None
        if findings is None or found is None or shown.run not in findings.pair.runs:
            return
        node = found.nodes[findings.pair.runs.index(shown.run)]
        shown.select(round=found.round, class_index=found.place, node=node)
        self.node_wanted.emit()

    def _choose_row(self, place: int) -> None:
        findings, dataset = self.findings, self.moved.model.dataset
        if findings is None or findings.moved is None or dataset is None:
            return
        self._session.shown.select(row=self.moved.model.table_row(place))
        if self._path_job is not None:
            self._path_job.cancel()
        row = int(findings.moved.rows[place])
        self._path_job = self._bench.jobs.start(
            lambda _job: paths_of(findings.pair, row), done=self._show_paths, failed=self._say_failure
        )

    def _show_paths(self, paths: tuple[str, str]) -> None:
        self._path_job = None
        self.moved.show_paths(paths)


def sentence_of(findings: Findings) -> str:
    """Say where two runs part."""
    told = _told(findings)
    return f"At round {count(findings.pair.at)}: {told[0].lower()}{told[1:]}" if findings.pair.at else told


def _told(findings: Findings) -> str:
    from workbench.session.comparison.first_difference import parting_sentence

    partings = findings.partings
    if findings.pair.linear:
        return _told_of_linear(findings)
    names = isolated(findings.pair.first.name), isolated(findings.pair.second.name)
    weight, question = partings.weight, partings.question
    if question is not None:
        node = "the root" if not question.nodes[0] else f"node {question.nodes[0]}"
        before = f"Leaves differ from tree {weight.round}, questions" if weight is not None else "They differ"
        told = parting_sentence(question, names)
        return f"{before} first in tree {question.round}, {node}. {told}."
    if weight is not None:
        told = parting_sentence(weight, names)
        return f"All questions are the same; leaves differ from tree {weight.round}. {told}."
    return f"The trees of {counted(partings.shared, 'round')} are the same in both."


def _told_of_linear(findings: Findings) -> str:
    linear, shares = findings.pair.linear, findings.shares
    if len(linear) == 1:
        return f"{isolated(linear[0].name)} is a linear model and has no trees to compare."
    apart = np.abs(shares.first - shares.second)
    if not len(apart) or not apart.max() > 0:
        return "Both are linear models with the same shares of weights."
    return f"Both are linear models; the share of {isolated(shares.names[int(apart.argmax())])} differs most."


def read_model(path: Path) -> Run:
    """Read a model as a run that is none of the session's; for a worker thread."""
    from workbench.formats.load import load_model
    from workbench.session.opening.imported import run_of

    made = run_of(load_model(path))
    made.number, made.card = 0, made.card._replace(title=path.name)
    return made


def paths_of(pair: Pair, row: int) -> tuple[str, str]:
    """Say how a row of the dataset runs through the tree in which both models part most; for a thread."""
    from workbench.explain.node_figures import trail
    from workbench.explain.node_text import weight_text
    from workbench.explain.row_path import row_path
    from workbench.session.comparison.moved_rows import ScoredModel, aligned, most_parted_tree

    dataset = next((run.dataset for run in pair.runs if run.dataset is not None), None)
    models = [
        ScoredModel(ensemble_of(run, rounds), run.schema)
        for run, rounds in zip(pair.runs, pair.rounds, strict=True) if run.schema is not None
    ]
    if pair.linear and dataset is not None:
        words = [_weighed(run, model, aligned(dataset, model.schema, np.array([row])))
                 for run, model in zip(pair.runs, models, strict=True) if run.is_linear]  # fmt: skip
        return words[0], words[-1] if len(words) > 1 else ""
    found = most_parted_tree(models[0], models[1], dataset, row) if dataset is not None else None
    if found is None or dataset is None:
        return "Both add the same in each tree.", ""
    told = []
    for run, model, added in zip(pair.runs, models, found[1:], strict=True):
        tree = model.ensemble.trees[found[0]]
        features = aligned(dataset, model.schema, np.array([row]))[0]
        way = trail(tree, row_path(tree, features).leaf, model.schema)[:-1]
        number = int(model.ensemble.round_begins.searchsorted(found[0], "right"))
        told.append(f"{isolated(run.name)}, tree {number}: {' › '.join((*way, weight_text(added)))}")
    return told[0], told[1]


def _weighed(run: Run, model: ScoredModel, features: NDArray[np.float32]) -> str:
    """Say what adds most to a row's first raw prediction by a linear model."""
    from workbench.explain.node_text import weight_text

    shares = model.ensemble.linear[-1].contributions(features)[0, 0]
    largest = np.argsort(-np.abs(shares), kind="stable")[:MOST_TERMS]
    told = ((isolated(model.schema.names[place]), float(shares[place])) for place in largest if shares[place])
    terms = (f"{name} {weight_text(share)}" for name, share in told)
    return f"{isolated(run.name)}: {', '.join(terms)}"
