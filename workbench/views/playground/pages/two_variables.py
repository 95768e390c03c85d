"""Two variables: the surface of the prediction, the cuts of the shown tree, and points by their gradients."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.number_text import count, counted, figure, signed
from workbench.parameters.methods import METHODS
from workbench.views.playground.colour_key import ColourKey
from workbench.views.playground.pages.base import PAGES
from workbench.views.playground.plane_plot import PlanePlot
from workbench.views.playground.plane_scene import PlaneScene
from workbench.views.playground.round_page import RoundPage, grown_word
from workbench.views.playground.told_line import ToldWords

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray
    from PySide6.QtWidgets import QWidget

    from workbench.data.dataset import Dataset
    from workbench.explain.plane.picture_asked import PictureAsked
    from workbench.explain.plane.round_picture import PlacedRows, RoundPicture
    from workbench.session.run import Run
    from workbench.views.base import Bench

HAND = "Click adds a point of class {}, right-click of class {}."
DRAW_MORE = "Draw points: four or more, of both classes."
LINE_DRAWN = "These points have one variable. Choose a pattern under Draw for two."
LINEAR_STORY = "A smaller λ each round; a weighted sum of the columns is the same along straight lines."
DOES = {"adaboost": "adds its vote to every region", "cart": "says of every region what its rows are"}
OF_PAIRS = "Points have one size, for gradients of a ranking belong to pairs of rows."
FEW_COLUMNS = "The surface needs two columns of numbers, and this run has {}. Its table has no more."


@PAGES.register
class TwoVariables(RoundPage):
    """The plane takes the room; what the hand does to points goes to the session as points in hand."""

    name = "two"
    title = "Two variables"
    order = 20

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.plot, self._key = PlanePlot(), ColourKey()
        self._span: tuple[Dataset | None, tuple[float, float]] = (None, (0.0, 1.0))
        self.stretches[self.plot], self.plots = 1, (self.plot,)

    def build(self) -> Iterator[None]:
        self._build(self.plot)
        self.follow_hand(self.plot)
        yield

    def key(self) -> QWidget:
        return self._key

    def restyle(self) -> None:
        """Take over the colours of the present theme."""
        self.plot.restyle()
        self._key.update()

    @property
    def words(self) -> str:
        if self.points is None:
            return ""
        view = self._session.playground.view
        said = {"add": HAND.format(view.ink, 1 - view.ink), "move": "Drag a point to move it.",
                "erase": "Drag over points to erase them.", "noise": "Drag over points to scatter them."}
        return f"Playground. {said[view.brush]}"

    # --- showing ----------------------------------------------------------------------------

    def show_nothing(self, sentence: str) -> None:
        points, view = self.points, self._session.playground.view
        self.plot.brush = view.brush if points is not None else ""
        if points is None:
            drawn = self._session.playground.drawing is not None
            self.plot.show_scene(PlaneScene())
            self.plot.sentence = LINE_DRAWN if drawn else sentence or self._few_columns()
            self._key.clear()
        else:
            waits = self._desk.is_busy and points.can_train
            self.plot.show_scene(PlaneScene(
                points.limits, ("x", "y"), points.x, points.y, points.label, classes=("0", "1"),
                ticks=view.ticks,
            ))
            self.plot.sentence = "" if waits or points.can_train else DRAW_MORE
            self._key.show_ramp("p of class 1", "0", "1")
        words = None if points is None else ToldWords(counted(len(points), "point"), "text1", True)
        self.told.say([] if words is None else [[words]])
        self.explained.setText("" if points is None else sentence)

    def _few_columns(self) -> str:
        run = self.run
        return FEW_COLUMNS.format(len(self.numeric_columns(run))) if run is not None else ""

    def show_round(self, run: Run, asked: PictureAsked) -> None:
        points, picture, view = self.points, self._picture, self._session.playground.view
        assert run.dataset is not None
        schema = run.dataset.schema
        classes = tuple(map(str, schema.class_labels))
        across, up = asked.limits
        names = schema.names[asked.columns[0]], schema.names[asked.columns[1]]
        placed = picture.points if picture is not None else None
        sizes = _sizes(placed, bool(classes)) if placed is not None else np.empty(0)
        span = (0.0, 1.0) if classes else self._span_of(run.dataset)
        x: NDArray[Any]
        y: NDArray[Any]
        labels: NDArray[Any]
        x = y = labels = np.empty(0)
        if points is not None:
            x, y, labels = points.x, points.y, points.label
        elif placed is not None:
            x, y, labels = placed.places[:, 0], placed.places[:, 1], placed.target
        self.plot.brush = view.brush if points is not None else ""
        self.plot.sentence = ""
        self.plot.show_scene(PlaneScene(
            (*across, *up), names, x, y, labels, sizes, classes, span, picture, view.ticks,
            self._marked(run, placed),
        ))
        self._show_key(run, classes, span)
        self._say(run, asked, picture)

    def _span_of(self, dataset: Dataset) -> tuple[float, float]:
        """The ends of the colours of numbers; of a million rows they take as long as a frame."""
        if self._span[0] is not dataset:
            low, high = np.percentile(dataset.target, (2, 98)).tolist()
            self._span = dataset, (low, high)
        return self._span[1]

    def _marked(self, run: Run, placed: PlacedRows | None) -> int:
        row = self._session.shown.selection.row
        if self.points is not None or placed is None or row is None or run.dataset is None:
            return -1
        found = np.flatnonzero(run.dataset.table_rows[placed.rows] == row)
        return int(found[0]) if len(found) else -1

    def _show_key(self, run: Run, classes: tuple[str, ...], span: tuple[float, float]) -> None:
        if len(classes) > 2:
            self._key.show_classes(classes)
        elif classes:
            label = "class 1" if classes[1] == "1" else classes[1]
            self._key.show_ramp(f"p of {label}", "0", "1")
        else:
            assert run.schema is not None
            self._key.show_ramp(run.schema.target, figure(span[0], 3), figure(span[1], 3))

    def _say(self, run: Run, asked: PictureAsked, picture: RoundPicture | None) -> None:
        known, groups = asked.round, list[list[ToldWords]]()
        grown = grown_word(run)
        if picture is not None and picture.n_classes:
            rows = picture.rows
            what = "points" if self.points is not None else "training rows"
            wrong = ToldWords(f"{count(picture.wrong)} of {count(rows)}", "text1", True)
            after = ToldWords(f"After {grown} {known}:")
            groups.append([after, wrong, ToldWords(f"{what} on the wrong side")])
        groups.append(self.loss_words(run, known))
        if known:
            groups.append(self.grown_words(run, asked))
        self.told.say([group for group in groups if group])
        self.explained.setText(self._explanation(run, known))

    def _explanation(self, run: Run, known: int) -> str:
        """What the picture shows."""
        if not known:
            return self.others_words(run)
        grown = grown_word(run)
        before = {0: "the start", 1: f"the first {grown}"}.get(known - 1, f"the first {known - 1} {grown}s")
        if run.is_linear:
            story = f"Each point is as large as its gradient before round {known}. {LINEAR_STORY}"
            return f"{story} {self.others_words(run)}".strip()
        is_weight = run.params.method == "adaboost"
        size = "its row weight ω" if is_weight else "its gradient"
        sizes = f"Each point is as large as {size}: what {before} got wrong."
        if run.dataset is not None and run.dataset.groups is not None:
            sizes = OF_PAIRS
        does = DOES.get(run.params.method, "moves every region by η·w*")
        if METHODS[run.params.method].averages:
            does = "gives every region its part of the average"
        story = (
            f"{sizes} Tree {known} cuts along the teal lines (solid first, then dashed, then dotted) and "
            f"{does}."
        )
        return self.unsplit_words(run, known) or f"{story} {self.others_words(run)}".strip()

    def tell(self, point: int) -> None:
        """Tell what is known of a point that is pointed at."""
        run, picture = self.run, self._picture
        if run is None or run.dataset is None or picture is None or not 0 <= point < len(picture.points):
            return
        placed, known = picture.points, picture.asked.round
        row, labels = int(placed.rows[point]), run.dataset.schema.class_labels
        target = placed.target[point]
        truth = str(labels[int(target)]) if labels else figure(float(target))
        k = int(target) if len(placed.before) > 1 and labels else 0
        figures = placed.before, placed.gradients, placed.hessians
        said, g, h = (float(values[k, point]) for values in figures)
        symbol = "p" if labels else "ŷ"
        way = "g = p − y" if run.params.objective in ("logistic", "softmax") else "g"
        number = int(run.dataset.table_rows[row]) + 1
        held_out = ", held out" if placed.held_out[point] else ""
        self.plot.tip = (
            f"Row {number}, truth {truth}{held_out}",
            f"before {grown_word(run)} {known}: {symbol} {figure(said, 3)}",
            f"{way} = {signed(g)}, h = {figure(h, 3)}",
        )


def _sizes(placed: PlacedRows, are_classes: bool) -> np.ndarray:
    """|g| of each point, of several outputs the largest; of numbers as a share of the 98th percentile."""
    sizes = np.abs(placed.gradients).max(axis=0)
    if not are_classes and len(sizes):
        sizes = sizes / (float(np.percentile(sizes, 98)) or 1.0)
    return sizes
