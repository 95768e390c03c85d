"""How soon the playground's picture follows the hand: a point is moved, and the model is grown again."""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.shell.main_window import MainWindow

POINTS, ROUNDS, DEPTH, MOVES = 1000, 100, 3, 40
BUDGET_MS = 100
REST_MS = 200  # of a hand between one point and the next
STREAM_MOVES, STREAM_MS = 120, 16  # of a hand that does not stop


def main(arguments: Sequence[str] = ()) -> None:
    """Print the milliseconds from a move of the mouse to the painted picture."""
    from PySide6.QtCore import QEvent, QEventLoop, QObject, QPoint, Qt, QTimer
    from PySide6.QtTest import QTest

    from workbench.app import application, build_window
    from workbench.session.playground.patterns import PATTERNS
    from workbench.shell.settings import Settings
    from workbench.workers.garbage import GarbageCollection

    options = _options(arguments)
    app = application()
    garbage = GarbageCollection(app)

    class Eye(QObject):
        """Sees when a picture is painted that was not painted before."""

        def __init__(self, plot: Any) -> None:
            super().__init__(plot)
            self.plot, self.seen, self.times = plot, None, list[float]()
            plot.installEventFilter(self)

        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if event.type() == QEvent.Type.Paint and self.plot.scene.picture is not self.seen:
                self.seen = self.plot.scene.picture
                QTimer.singleShot(0, lambda: self.times.append(time.perf_counter()))
            return False

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
        window.warmup.finished.connect(garbage.leave_out_what_is_there)
        garbage.wait_while(lambda: desk.is_awaited)
        window.show()
        window.warmup.start()
        until(window.warmup.ready.is_set)
        session.hyperparameters.change(rounds=options.rounds, max_depth=options.depth)
        window.documents.draw(PATTERNS.get("moons").draw(options.points))
        until(lambda: session.shown.run is not None and not desk.is_busy)
        plot = window.frame.centre.view("playground").page.plot
        eye, point = Eye(plot), 7
        spent, used = list[float](), list[float]()
        until(lambda: plot.scene.picture is not None)
        for move in range(options.moves):
            at = plot.place_of(point).toPoint()
            QTest.mousePress(plot, Qt.MouseButton.LeftButton, pos=at)
            pressed = time.perf_counter() + STREAM_MS / 1000  # a hand presses before it moves
            until(lambda pressed=pressed: time.perf_counter() >= pressed)
            to = at + QPoint(6 if move % 2 else -6, 3)
            eye.times.clear()
            begin, worked = time.perf_counter(), time.process_time()
            _drag(plot, to)
            until(lambda: eye.times)
            spent.append(1000 * (eye.times[0] - begin))
            used.append(1000 * (time.process_time() - worked))
            QTest.mouseRelease(plot, Qt.MouseButton.LeftButton, pos=to)
            until(lambda: not desk.is_busy)
            rested = time.perf_counter() + REST_MS / 1000
            until(lambda rested=rested: time.perf_counter() >= rested)
        pictures = _stream(plot, eye, until)
        window.close()
    ordered = sorted(spent)
    late = ordered[int(0.9 * len(ordered))]
    grown = f"{options.points} points, {options.rounds} rounds, depth {options.depth}"
    print(f"{grown}, {options.moves} moves: "
          f"hand to picture median {statistics.median(spent):.0f} ms, 90 % within {late:.0f} ms, "
          f"longest {ordered[-1]:.0f} ms; budget {BUDGET_MS} ms. "
          f"A move takes {statistics.median(used):.0f} ms of the processor, all threads together, "
          f"longest {max(used):.0f}.")
    print(f"A hand that moves every {STREAM_MS} ms sees {pictures:.0f} pictures a second.")


def _drag(plot: Any, to: Any) -> None:
    """Move with the button down, which QTest does not."""
    from PySide6.QtCore import QEvent, QPointF, Qt
    from PySide6.QtGui import QGuiApplication, QMouseEvent

    place = QPointF(to)
    event = QMouseEvent(QEvent.Type.MouseMove, place, plot.mapToGlobal(place), Qt.MouseButton.NoButton,
                        Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    QGuiApplication.sendEvent(plot, event)


def _stream(plot: Any, eye: Any, until: Any) -> float:
    """Return how many new pictures a second are painted while a hand moves without a stop."""
    from PySide6.QtCore import QPoint, Qt
    from PySide6.QtTest import QTest

    at = plot.place_of(11).toPoint()
    QTest.mousePress(plot, Qt.MouseButton.LeftButton, pos=at)
    eye.times.clear()
    begin = time.perf_counter()
    for move in range(STREAM_MOVES):
        due = begin + move * STREAM_MS / 1000
        until(lambda due=due: time.perf_counter() >= due)
        _drag(plot, at + QPoint(move // 2, move % 7))
    spent = time.perf_counter() - begin
    seen = len(eye.times)
    QTest.mouseRelease(plot, Qt.MouseButton.LeftButton, pos=at)
    return seen / spent


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks playground", description=__doc__)
    for name, default in (("points", POINTS), ("rounds", ROUNDS), ("depth", DEPTH), ("moves", MOVES)):
        parser.add_argument(f"--{name}", type=int, default=default)
    return parser.parse_args(list(arguments))
