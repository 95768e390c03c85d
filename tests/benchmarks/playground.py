"""How soon the playground's picture follows the hand that drags a point, or λ: the model is grown again."""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtWidgets import QWidget

    from workbench.shell.main_window import MainWindow

POINTS, ROUNDS, DEPTH, MOVES = 1000, 100, 3, 40
BUDGET_MS = 100
REST_MS = 200  # of a hand between one point and the next
STREAM_SECONDS, STREAM_MS = 3, 16  # of a hand that does not stop
STREAM_POINT = 11  # that it drags


class Painted(NamedTuple):
    """When a picture was painted, and where the dragged point of a stream lies in the model that it shows."""

    at: float
    place: tuple[float, ...]


class Moves(NamedTuple):
    """What each of many moves took, in milliseconds: from the hand to the picture, and of the processor."""

    spent: list[float]
    used: list[float]

    @property
    def words(self) -> str:
        ordered = sorted(self.spent)
        return (
            f"median {statistics.median(ordered):.0f} ms, 90 % within "
            f"{ordered[int(0.9 * len(ordered))]:.0f} ms, longest {ordered[-1]:.0f} ms. A move takes "
            f"{statistics.median(self.used):.0f} ms of the processor, all threads together, "
            f"longest {max(self.used):.0f}."
        )


class Stream(NamedTuple):
    """What a hand that does not stop sees.

    `ages` tell, for every picture, the milliseconds from the move that it shows to its painting; `gaps` the
    milliseconds between two pictures. Where nothing is queued, no age grows with the moves before it.
    """

    ages: list[float]
    gaps: list[float]
    moves: int
    seconds: float
    worked: float  # of the processor, all threads together

    @property
    def words(self) -> str:
        ages, gaps = sorted(self.ages), sorted(self.gaps)
        late = int(0.9 * len(ages)), int(0.9 * len(gaps))
        return (
            f"A hand that moves every {STREAM_MS} ms, {self.moves} times, sees {len(ages)} pictures, "
            f"{len(ages) / self.seconds:.0f} a second. What a picture shows is old: median "
            f"{statistics.median(ages):.0f} ms, 90 % within {ages[late[0]]:.0f}, longest {ages[-1]:.0f}; "
            f"of the first half {statistics.median(self.ages[: len(ages) // 2]):.0f}, of the second "
            f"{statistics.median(self.ages[len(ages) // 2 :]):.0f}. From picture to picture: median "
            f"{statistics.median(gaps):.0f} ms, 90 % within {gaps[late[1]]:.0f}, longest {gaps[-1]:.0f}. "
            f"Processor {100 * self.worked / self.seconds:.0f} % of one."
        )


def main(arguments: Sequence[str] = ()) -> None:
    """Print the milliseconds from a move of the mouse to the painted picture."""
    from PySide6.QtCore import QEvent, QEventLoop, QObject, QPoint, Qt, QTimer
    from PySide6.QtTest import QTest

    from workbench.app import application, build_window
    from workbench.session.playground.patterns import PATTERNS
    from workbench.shell.settings import Settings
    from workbench.views.controls.slider import Slider
    from workbench.workers.garbage import GarbageCollection

    options = _options(arguments)
    app = application()
    garbage = GarbageCollection(app)

    class Eye(QObject):
        """Sees when a picture is on the screen that was not there before: painted with all beside it."""

        def __init__(self, plot: Any) -> None:
            super().__init__(plot)
            self.plot, self.seen, self.times = plot, None, list[Painted]()
            self.fresh: tuple[float, ...] | None = None  # the point in a picture that is being painted
            plot.installEventFilter(self)
            plot.window().installEventFilter(self)

        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if event.type() == QEvent.Type.UpdateRequest and watched is self.plot.window():
                watched.event(event)
                self.note()
                return True
            picture = self.plot.scene.picture
            if event.type() == QEvent.Type.Paint and watched is self.plot and picture is not self.seen:
                self.seen = picture
                self.fresh = () if picture is None else tuple(picture.points.places[STREAM_POINT].tolist())
                QTimer.singleShot(0, self.note)  # where it was painted unasked
            return False

        def note(self) -> None:
            if self.fresh is not None:
                self.times.append(Painted(time.perf_counter(), self.fresh))
                self.fresh = None

    def until(condition: Any, limit: float = 600.0) -> None:
        """Let the window work; it sleeps where it has nothing to do, as it does for a person."""
        end, loop, timer = time.perf_counter() + limit, QEventLoop(), QTimer(interval=2)
        timer.timeout.connect(lambda: loop.quit() if condition() or time.perf_counter() > end else None)
        timer.start()
        if not condition():
            loop.exec()
        if time.perf_counter() > end:
            raise SystemExit("The playground got stuck.")

    with tempfile.TemporaryDirectory() as folder:
        window: MainWindow = build_window(app, Settings(Path(folder)))
        session, desk = window.session, window.bench.playground
        window.resize(1440, 900)
        window.warmup.finished.connect(garbage.leave_out)
        garbage.wait_while(lambda: desk.is_awaited)
        window.show()
        window.warmup.start()
        until(window.warmup.ready.is_set)
        session.hyperparameters.change(rounds=options.rounds, max_depth=options.depth)
        window.documents.draw(PATTERNS.get("moons").draw(options.points))
        until(lambda: session.shown.run is not None and not desk.is_busy)
        plot = window.frame.centre.view("playground").page.plot
        eye = Eye(plot)
        until(lambda: plot.scene.picture is not None)

        def moves(held: QWidget, place: Callable[[], QPoint]) -> Moves:
            """Press on a place, drag it a little, and let go, again and again."""
            spent, used = list[float](), list[float]()
            for move in range(options.moves):
                at = place()
                QTest.mousePress(held, Qt.MouseButton.LeftButton, pos=at)
                pressed = time.perf_counter() + STREAM_MS / 1000  # a hand presses before it moves
                until(lambda pressed=pressed: time.perf_counter() >= pressed and not desk.is_awaited)
                to = at + QPoint(6 if move % 2 else -6, 3)
                eye.times.clear()
                begin, worked = time.perf_counter(), time.process_time()
                _drag(held, to)
                until(lambda: eye.times)
                spent.append(1000 * (eye.times[0].at - begin))
                used.append(1000 * (time.process_time() - worked))
                QTest.mouseRelease(held, Qt.MouseButton.LeftButton, pos=to)
                until(lambda: not desk.is_busy)
                rested = time.perf_counter() + REST_MS / 1000
                until(lambda rested=rested: time.perf_counter() >= rested)
            return Moves(spent, used)

        row = window.frame.left.view("draw").rows["reg_lambda"]
        slider = row.findChild(Slider)
        points = moves(plot, lambda: plot.place_of(7).toPoint())
        slides = moves(slider, lambda: slider.rect().center())
        stream = _stream(plot, eye, until)
        window.close()
    print(f"{options.points} points, {options.rounds} rounds, depth {options.depth}, {options.moves} moves; "
          f"hand to picture, budget {BUDGET_MS} ms.")
    print(f"A point is dragged: {points.words}")
    print(f"λ is dragged: {slides.words}")
    print(stream.words)


def _drag(plot: Any, to: Any) -> None:
    """Move with the button down, which QTest does not."""
    from PySide6.QtCore import QEvent, QPointF, Qt
    from PySide6.QtGui import QGuiApplication, QMouseEvent

    place = QPointF(to)
    event = QMouseEvent(QEvent.Type.MouseMove, place, plot.mapToGlobal(place), Qt.MouseButton.NoButton,
                        Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    QGuiApplication.sendEvent(plot, event)


def _stream(plot: Any, eye: Any, until: Any) -> Stream:
    """Drag a point without a stop, and look which move each picture shows."""
    from PySide6.QtCore import QPoint, Qt
    from PySide6.QtTest import QTest

    at, moved = plot.place_of(STREAM_POINT).toPoint(), dict[tuple[float, ...], float]()
    QTest.mousePress(plot, Qt.MouseButton.LeftButton, pos=at)
    eye.times.clear()
    begin, worked, move = time.perf_counter(), time.process_time(), 0
    while (due := begin + move * STREAM_MS / 1000) < begin + STREAM_SECONDS:
        until(lambda due=due: time.perf_counter() >= due)
        move += 1
        sent = time.perf_counter()
        _drag(plot, at + QPoint(move // 2, move % 7))
        moved[float(plot.scene.x[STREAM_POINT]), float(plot.scene.y[STREAM_POINT])] = sent
    spent, worked = time.perf_counter() - begin, time.process_time() - worked
    seen = [picture for picture in eye.times if picture.place in moved]
    QTest.mouseRelease(plot, Qt.MouseButton.LeftButton, pos=at)
    ages = [1000 * (picture.at - moved[picture.place]) for picture in seen]
    gaps = [1000 * (after.at - before.at) for before, after in pairwise(seen)]
    return Stream(ages, gaps, move, spent, worked)


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks playground", description=__doc__)
    for name, default in (("points", POINTS), ("rounds", ROUNDS), ("depth", DEPTH), ("moves", MOVES)):
        parser.add_argument(f"--{name}", type=int, default=default)
    return parser.parse_args(list(arguments))
