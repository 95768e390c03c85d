"""Two variables: the surface of the prediction, the cuts of the shown tree, and points by their gradients."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.number_text import counted, figure, signed
from workbench.views.playground.colour_key import ColourKey
from workbench.views.playground.pages.base import PAGES
from workbench.views.playground.plane_plot import PlanePlot
from workbench.views.playground.plane_scene import PlaneScene
from workbench.views.playground.round_page import RoundPage
from workbench.views.playground.told_line import Words

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from workbench.explain.plane.round_picture import Asked, PlacedRows, RoundPicture
    from workbench.session.run import Run
    from workbench.views.base import Bench

HAND = "Click adds a point of class {}, right-click of class {}."
DRAW_MORE = "Draw points: four or more, of both classes."
LINE_DRAWN = "These points have one variable. Choose a pattern under Draw for two."
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
        self._build(self.plot)
        self.plot.pressed.connect(self._press)
        self.plot.dragged.connect(self._drag)
        self.plot.erased.connect(self._erase)
        self.plot.released.connect(self._release)
        self.plot.stepped.connect(self.step)
        self.plot.pointed.connect(self._tell)

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
                "erase": "Drag over points to erase them."}
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
            self.plot.sentence = "" if waits else sentence or ("" if points.can_train else DRAW_MORE)
            self._key.show_ramp("p of class 1", "0", "1")
        self.told.say([[Words(counted(len(points), "point"), "text1", True)]] if points is not None else [])
        self.explained.setText("")

    def _few_columns(self) -> str:
        run = self.run
        return FEW_COLUMNS.format(len(self.numeric_columns(run))) if run is not None else ""

    def show_round(self, run: Run, asked: Asked) -> None:
        points, picture, view = self.points, self._picture, self._session.playground.view
        assert run.dataset is not None
        schema = run.dataset.schema
        classes = tuple(map(str, schema.class_labels))
        limits = (*asked.limits[0], *asked.limits[1])
        names = tuple(schema.names[column] for column in asked.columns)
        placed = picture.points if picture is not None else None
        sizes = _sizes(placed, bool(classes)) if placed is not None else np.empty(0)
        target = run.dataset.target
        span = (0.0, 1.0) if classes else (float(np.percentile(target, 2)), float(np.percentile(target, 98)))
        if points is not None:
            where = points.x, points.y, points.label
        elif placed is not None:
            where = placed.places[:, 0], placed.places[:, 1], placed.target
        else:
            where = (np.empty(0),) * 3
        self.plot.brush = view.brush if points is not None else ""
        self.plot.sentence = self._desk.problem
        self.plot.show_scene(PlaneScene(
            limits, names, *where, sizes, classes, span, picture, view.ticks, self._marked(run, placed),  # type: ignore[arg-type]
        ))
        self._show_key(run, classes, span)
        self._say(run, asked, picture)

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
            self._key.show_ramp(run.dataset.schema.target, figure(span[0], 3), figure(span[1], 3))  # type: ignore[union-attr]

    def _say(self, run: Run, asked: Asked, picture: RoundPicture | None) -> None:
        known, groups = asked.round, list[list[Words]]()
        if picture is not None and picture.n_classes:
            rows = picture.rows
            what = "points" if self.points is not None else "training rows"
            groups.append([Words(f"After tree {known}:"), Words(f"{picture.wrong} of {rows:,}", "text1", True),
                           Words(f"{what} on the wrong side")])
        groups.append(self.loss_words(run, known))
        if known:
            tree = run.trees(known)[asked.place]
            groups.append([Words(f"Tree {known}:"), Words(counted(tree.n_leaves, "leaf", "leaves"), "text1", True)])
        self.told.say([group for group in groups if group])
        self.explained.setText(self._explanation(run, known))

    def _explanation(self, run: Run, known: int) -> str:
        before = "the start" if known <= 1 else "the first tree" if known == 2 else f"the first {known - 1} trees"
        parts = [f"Each point is as large as its gradient: what {before} got wrong. Tree {known} cuts along the "
                 "teal lines (solid first, then dashed, then dotted) and moves every region by η·w*."]
        if self.points is not None:
            parts.append("Drag a point, or press → for the next tree.")
        elif run.dataset is not None and run.dataset.features.shape[1] > 2:
            row = self._fixed_row(run)
            where = "averaged over rows" if row is None else f"as in row {run.dataset.table_rows[row] + 1}"
            parts.append(f"The other columns are {where}.")
        return " ".join(parts)

    def _tell(self, point: int) -> None:
        """Tell what is known of a point that is pointed at."""
        run, picture = self.run, self._picture
        if point < 0 or run is None or picture is None or point >= len(picture.points):
            return
        placed, known = picture.points, picture.asked.round
        row, labels = int(placed.rows[point]), run.dataset.schema.class_labels  # type: ignore[union-attr]
        target = placed.target[point]
        truth = str(labels[int(target)]) if labels else figure(float(target))
        k = int(target) if len(placed.before) > 1 and labels else 0
        said, g, h = (float(values[k, point]) for values in (placed.before, placed.gradients, placed.hessians))
        symbol = "p" if labels else "ŷ"
        way = "g = p − y" if run.params.objective in ("logistic", "softmax") else "g"
        number = int(run.dataset.table_rows[row]) + 1  # type: ignore[union-attr]
        held_out = ", held out" if placed.held_out[point] else ""
        self.plot.tip = (
            f"Row {number}, truth {truth}{held_out}",
            f"before tree {known}: {symbol} {figure(said, 3)}",
            f"{way} = {signed(g)}, h = {figure(h, 3)}",
        )

    # --- the hand ---------------------------------------------------------------------------

    def _press(self, x: float, y: float, point: int, is_right: bool) -> None:
        points, view = self.points, self._session.playground.view
        if points is None:
            self._select(point)
            return
        self._desk.hold(True)
        if view.brush == "move" or (point >= 0 and not is_right):
            self._held = point
            return
        label = 1 - view.ink if is_right else view.ink
        drawing = points.added(x, y, label)
        self._held = len(drawing) - 1
        self.take_in_hand(drawing, "Add points")

    def _select(self, point: int) -> None:
        run, picture = self.run, self._picture
        if point >= 0 and run is not None and run.dataset is not None and picture is not None:
            row = int(run.dataset.table_rows[picture.points.rows[point]])
            self._session.shown.select(row=row)

    def _drag(self, x: float, y: float) -> None:
        if self.points is not None and 0 <= self._held < len(self.points):
            self.take_in_hand(self.points.moved(self._held, x, y), "Move points")

    def _erase(self, x: float, y: float, across: float, up: float) -> None:
        points = self.points
        if points is None:
            return
        self._desk.hold(True)
        far = ((points.x - x) / across) ** 2 + ((points.y - y) / up) ** 2
        hit = np.flatnonzero(far <= 1)
        if len(hit):
            self.take_in_hand(points.without(hit), "Erase points")

    def _release(self) -> None:
        self._held = -1
        self._desk.hold(False)


def _sizes(placed: PlacedRows, are_classes: bool) -> np.ndarray:
    """|g| of each point, of several outputs the largest; of numbers as a share of the 98th percentile."""
    sizes = np.abs(placed.gradients).max(axis=0)
    if not are_classes and len(sizes):
        sizes = sizes / (float(np.percentile(sizes, 98)) or 1.0)
    return sizes
