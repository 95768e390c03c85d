"""One variable: data and fit, what is left with the newest tree's step, and the scan of its first split."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from workbench.explain.node_text import gain_text
from workbench.number_text import counted, figure, signed
from workbench.parameters.methods import METHODS
from workbench.views.controls.heading import Heading
from workbench.views.data.axis_text import axis_texts
from workbench.views.look.projector import KEEPS_SIZE
from workbench.views.playground.first_split import FirstSplitPlot, gain_curve
from workbench.views.playground.line_plots import STEP_LOOKS, BarsPlot, FitPlot, LineScene
from workbench.views.playground.pages.base import PAGES
from workbench.views.playground.round_page import NO_SPLITS, RoundPage, grown_word
from workbench.views.playground.side_column import NO_SCAN
from workbench.views.playground.told_line import ToldWords

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QResizeEvent

    from workbench.explain.plane.cells import ModelCells
    from workbench.explain.plane.picture_asked import PictureAsked
    from workbench.explain.plane.round_picture import PlacedRows
    from workbench.explain.step_functions import FoundSteps
    from workbench.session.run import Run
    from workbench.trees.tree import Tree
    from workbench.views.base import Bench

DRAW_MORE = "Draw points: four or more, at two heights."
PLANE_DRAWN = "These points have two variables. Choose a pattern under Draw for one."
FEW_COLUMNS = "The fit needs a column of numbers, and this run has none."
STORY = (
    "The tree fits what is left by a step function; a share η of it is added to the fit: gold where it lifts "
    "it, violet where it lowers it."
)
LINEAR_STORY = (
    "Each round of a linear model fits a smaller λ, from the weights of the round before: gold where that "
    "lifts the fit, violet where it lowers it."
)
STEPS_STORY = (
    "Three step functions, their steps and Obj = −½ Σ G²/(H+λ) + γT: solid the optimum, dashed greedy cuts, "
    "dotted what merging left. Move γ or λ."
)
AVERAGED_STORY = (
    "Each tree fits the target itself, on rows of its own, and the fit is the mean of the trees so far: gold "
    "where this one lifts it, violet where it lowers it."
)
ALONE_STORY = "A single tree says of each stretch what its rows are: gold where that is more than before."
OF_PAIRS = "gradients of a ranking belong to pairs of rows"
TITLES = "Data and fit", "What is left", "First split of the tree"
SCAN_HEIGHT, LEAST_HEIGHT = 110, 64
ROOM = 0.06  # over and under the values, as a share of their span
AXIS_ROOM = 58
HAND = {
    "add": "Click adds a point.", "move": "Drag a point to move it.",
    "erase": "Drag over points to erase them.", "noise": "Drag over points to scatter them.",
}  # fmt: skip
WHAT_IS_LEFT = {"residuals": "Residuals −g", "gradients": "Gradients g", "targets": "Newton's targets −g/h"}


@PAGES.register
class OneVariable(RoundPage):
    """Three pictures on one axis: model, update and the choice of its first cut."""

    name = "one"
    title = "One variable"
    order = 10
    n_columns = 1
    scan_beside = False

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.fit, self.bars, self.scan = FitPlot(), BarsPlot(), FirstSplitPlot(SCAN_HEIGHT)
        self.fit_heading, self.bars_heading, self.scan_heading = map(Heading, TITLES)
        self.stretches, self.plots = {self.fit: 3, self.bars: 2}, (self.fit, self.bars, self.scan)
        self._made = LineScene()  # that is shown
        self._made_of: tuple[object, ...] = ()

    def build(self) -> Iterator[None]:
        self._build(self.fit_heading, self.fit, self.bars_heading, self.bars, self.scan_heading, self.scan)
        self.follow_hand(self.fit)
        self.bars.stepped.connect(self._desk.step)
        self._bench.explainer.steps.answered.connect(self.synchronize)
        for plot in (self.fit, self.bars, self.scan):
            plot.setProperty(KEEPS_SIZE, True)  # three share the height
            plot.least_left = AXIS_ROOM
            plot.set_left(plot.left_needed)
        for plot in (self.fit, self.bars):
            plot.setMinimumHeight(LEAST_HEIGHT)
        for heading in (self.fit_heading, self.bars_heading, self.scan_heading):
            heading.setContentsMargins(8, 4, 0, 0)
        yield

    @property
    def words(self) -> str:
        return "" if self.points is None else f"Playground. {HAND[self._session.playground.view.brush]}"

    # --- showing ----------------------------------------------------------------------------

    def show_nothing(self, sentence: str) -> None:
        points = self.points
        self.fit.brush = self._session.playground.view.brush if points is not None else ""
        if points is None:
            drawn = self._session.playground.drawing is not None
            scene, self.fit.sentence = LineScene(), PLANE_DRAWN if drawn else sentence or FEW_COLUMNS
        else:
            left, right, low, high = points.limits
            scene = LineScene((left, right), (low, high), ("x", "y"), points.x, points.y,
                              np.zeros(len(points), np.bool_))
            waits = self._desk.is_busy and points.can_train
            self.fit.sentence = "" if waits or points.can_train else DRAW_MORE
        self.fit.show_scene(scene)
        self.bars.show_scene(scene)
        self.scan.show_curves((), scene.x_limits)
        titles = zip((self.fit_heading, self.bars_heading, self.scan_heading), TITLES, strict=True)
        for heading, title in titles:
            heading.set_title(title)
            heading.set_note("")
        words = None if points is None else ToldWords(counted(len(points), "point"), "text1", True)
        self.told.say([] if words is None else [[words]])
        self.explained.setText("" if points is None else sentence)
        self._share_left()

    def show_round(self, run: Run, asked: PictureAsked) -> None:
        view, lines = self._session.playground.view, self._step_lines(run, asked)
        made_of = (run, asked.place, asked.limits, self._picture, self.points, view.bars)
        if lines or made_of != self._made_of:
            self._made_of = () if lines else made_of
            self._made = replace(self._scene(run, asked), lines=lines)
        scene = self._made
        self.fit.brush = view.brush if self.points is not None else ""
        self.fit.sentence = ""
        self.fit.show_scene(scene)
        self.bars.show_scene(scene)
        self._head(run, asked, scene)
        self._show_scan(run, asked)
        self._share_left()
        if scene.lines:
            self._say_steps(scene.lines)
        else:
            self._say(run, asked)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Larger letters make another width, too."""
        super().resizeEvent(event)
        self._share_left()
        if self.fit.scene.lines:
            self._say_steps(self.fit.scene.lines)

    def _share_left(self) -> None:
        """Let values stand over one another in the three pictures."""
        left = max(plot.left_needed for plot in self.plots)
        for plot in self.plots:
            if plot.left != left:
                plot.set_left(left)

    def _step_lines(self, run: Run, asked: PictureAsked) -> tuple[FoundSteps, ...]:
        """The step functions of the three searches under the γ of now; none of other methods."""
        if run.params.method != "steps" or not run.rounds:
            return ()
        wanted = self._session.hyperparameters.wanted
        params = wanted if wanted.method == "steps" else run.params
        found = self._bench.explainer.step_functions(run, params.reg_lambda, params.max_leaves)
        if found is None or found.column != asked.columns[0]:
            return ()
        return tuple(found.lines(params.gamma))

    def _scene(self, run: Run, asked: PictureAsked) -> LineScene:
        points, picture = self.points, self._picture
        assert run.dataset is not None
        schema = run.dataset.schema
        k = asked.place if run.output_names else 0
        told = schema.target
        if schema.class_labels and run.output_names:  # of several classes whether it is this one
            told = f"{told} is {run.output_names[k]}"
        scene = LineScene(asked.limits[0], names=(schema.names[asked.columns[0]], told))
        if picture is not None:
            placed = picture.points
            bars, ups = _bars(placed, k, self._session.playground.view.bars)
            y = _truth(placed, schema.class_labels, k)
            scene = replace(
                scene, x=placed.places[:, 0], y=y, held_out=placed.held_out,
                y_limits=_limits(y, picture.cells, k), fit=picture.cells,
                before=picture.before if picture.asked.round else None,
                step=_weights(picture.step, picture.tree), output=k, bars=bars, pushes_up=ups,
            )
        if points is not None:
            nobody = np.zeros(len(points), np.bool_)
            scene = replace(scene, x=points.x, y=points.y, held_out=nobody, y_limits=points.limits[2:])
        return scene

    def _head(self, run: Run, asked: PictureAsked, scene: LineScene) -> None:
        grown = grown_word(run)
        known, what = asked.round, WHAT_IS_LEFT[self._session.playground.view.bars]
        self.fit_heading.set_title(f"{scene.names[1]} over {scene.names[0]}")
        self.fit_heading.set_note(f"fit after {grown} {known}; dashed: before it" if known else "")
        self.bars_heading.set_title(f"{what} before {grown} {max(known, 1)}")
        self.bars_heading.set_note(f"teal: the leaf weights w* of tree {known}" if scene.step else "")
        if run.dataset is not None and run.dataset.groups is not None:
            self.bars_heading.set_note(OF_PAIRS)

    def _show_scan(self, run: Run, asked: PictureAsked) -> None:
        scans = self._desk.scan(run, asked)
        title = "No splits" if run.is_linear else f"First split of tree {max(asked.round, 1)}"
        self.scan_heading.set_title(title)
        if scans is None:
            return
        assert run.dataset is not None
        name = run.dataset.schema.names[asked.columns[0]]
        self.scan.sentence = "" if scans else NO_SPLITS if run.is_linear else NO_SCAN
        self.scan.show_curves([gain_curve(name, scan) for scan in scans], asked.limits[0])
        best, words = self.scan.best, "gain against threshold"
        if best is not None:
            at, gain = float(best.thresholds[best.best]), float(best.gains[best.best])
            words = f"{words}; {axis_texts([at])[0][1]} wins, {gain_text(gain)}"
        self.scan_heading.set_note("" if run.is_linear else words)

    def _say_steps(self, lines: tuple[FoundSteps, ...]) -> None:
        """Each search with its steps and Obj, the least first in bold."""
        best = min(line.objective for line in lines)
        groups = []
        for line in lines:
            steps = len(line.values)
            told = f"{counted(steps, 'step')}, Obj" if self.is_wide else f"{steps},"
            told = f"{told} {figure(line.objective)}"
            is_best = line.objective <= best + 1e-9 * abs(best)
            groups.append([ToldWords(f"{line.search.capitalize()}:", STEP_LOOKS[line.search][0], True),
                           ToldWords(told, "text1", is_best)])
        self.told.say(groups)
        self.explained.setText(STEPS_STORY)

    def _say(self, run: Run, asked: PictureAsked) -> None:
        known, groups = asked.round, [self.loss_words(run, asked.round)]
        if known:
            groups.append(self.grown_words(run, asked))
        self.told.say([group for group in groups if group])
        unsplit = self.unsplit_words(run, known) if known else ""
        story = ALONE_STORY if run.params.method == "cart" else STORY
        if METHODS[run.params.method].averages:
            story = AVERAGED_STORY
        story = LINEAR_STORY if run.is_linear else story
        self.explained.setText(unsplit or f"{story} {self.others_words(run)}".strip())

    def tell(self, point: int) -> None:
        run, picture = self.run, self._picture
        if run is None or run.dataset is None or picture is None or not 0 <= point < len(picture.points):
            return
        placed, known = picture.points, picture.asked.round
        k = picture.asked.place if run.output_names else 0
        figures = placed.before, placed.gradients, placed.hessians
        said, g, h = (float(values[k, point]) for values in figures)
        number = int(run.dataset.table_rows[placed.rows[point]]) + 1
        held_out = ", held out" if placed.held_out[point] else ""
        truth = figure(float(_truth(placed, run.dataset.schema.class_labels, k)[point]))
        self.fit.tip = (f"Row {number}, truth {truth}{held_out}",
                        f"before {grown_word(run)} {known}: ŷ {figure(said)}",
                        f"g = {signed(g)}, h = {figure(h, 3)}")


def _truth(placed: PlacedRows, labels: tuple[object, ...], k: int) -> np.ndarray:
    """The truth as the prediction tells it: of several classes whether it is the k-th."""
    if labels and len(placed.before) > 1:
        return (placed.target == k).astype(np.float64)
    return placed.target


def _limits(y: np.ndarray, cells: ModelCells, k: int) -> tuple[float, float]:
    every = np.concatenate([y, cells.values[k, 0]])
    low, high = float(every.min()), float(every.max())
    room = ROOM * ((high - low) or 1.0)
    return low - room, high + room


def _bars(placed: PlacedRows, k: int, kind: str) -> tuple[np.ndarray, np.ndarray]:
    """The bar of each point, and which push the prediction up."""
    g, h = placed.gradients[k], placed.hessians[k]
    if kind != "targets":
        return (g if kind == "gradients" else -g), g < 0
    return np.divide(-g, h, out=np.zeros(len(g)), where=h > 0), g < 0


def _weights(step: ModelCells | None, tree: Tree | None) -> ModelCells | None:
    """The leaf weights: what is added, without the shrinkage."""
    if step is None or tree is None:
        return None
    return replace(step, values=step.values / (tree.learning_rate or 1.0))
