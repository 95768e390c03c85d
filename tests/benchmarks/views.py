"""Every view of the window in turn: the longest that its thread works between two turns of its event loop.

`own` is processor time of that thread; `held` beside it holds what it waited for other threads of the
program, and the gap what other programs took as well. Beats in which the whole machine crawled are left out.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tests.benchmarks.stalls.beats import LONG_MS, Heartbeat
from tests.benchmarks.stalls.witness import Witness

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd

LOOKED_MS = 1200  # at a view, after all that it asked is answered
MOST_SECONDS = 30.0
STEPS, STEP_MS = 40, 25  # of a scroll or of the ruler
RUNS = 300


class Made(NamedTuple):
    """A table that is made, and what is trained on it."""

    rows: int
    columns: int
    classes: int
    rounds: int


TABLES = {
    "long": Made(1_000_000, 28, 2, 40),
    "wide": Made(2000, 3000, 2, 30),
    "classes": Made(20_000, 20, 200, 6),
}


def frame_of(made: Made) -> pd.DataFrame:
    """A table of numbers and a target of so many classes."""
    import pandas as pd

    generator = np.random.default_rng(0)
    x = generator.normal(size=(made.rows, made.columns)).astype(np.float32)
    score = x[:, 0] + x[:, 1] * x[:, 2] + generator.normal(size=made.rows)
    bounds = np.quantile(score, np.arange(1, made.classes) / made.classes)
    frame = pd.DataFrame(x, columns=[f"x{j}" for j in range(made.columns)])
    labels = np.array([f"class {k}" for k in range(made.classes)])
    return frame.assign(y=labels[np.searchsorted(bounds, score)])


class Walk:
    """Goes through a window, and prints a line for each thing done."""

    def __init__(self, window: Any, folder: Path, only: str, heart: Heartbeat) -> None:
        from workbench.tour.tour import Tour

        self.window, self.session, self.bench = window, window.session, window.bench
        self.hand = Tour(window, folder)
        self._heart, self._only = heart, only

    def look(self, part: str, act: Callable[[], Any], until: Callable[[], bool] | None = None) -> None:
        """Do something, wait for what follows, and print the longest beat meanwhile."""
        if self._only not in part:
            return
        self.settle()
        self._heart.start()
        act()
        if until:
            self.hand.until(until)
        self.settle()
        stall = self._heart.stop()
        mark = "  missed" if stall.own > LONG_MS else ""
        print(f"{part:44} own {stall.own:6.1f} ms   held {stall.held:6.1f}   gap {stall.gap:6.1f}   "
              f"cycles {stall.collected:5.1f}   {stall.many} of {stall.beats} beats above "
              f"{LONG_MS:.0f}{mark}{f'  and {stall.crawled} of the machine' * bool(stall.crawled)}",
              flush=True)

    def settle(self) -> None:
        """Wait until nothing is worked out any more, or for long."""
        self.hand.pause(LOOKED_MS // 4)
        end = time.perf_counter() + MOST_SECONDS
        self.hand.until(lambda: self.bench.jobs.is_idle or time.perf_counter() > end)
        self.hand.pause(LOOKED_MS - LOOKED_MS // 4)

    def step(self, act: Callable[[int], Any]) -> None:
        """Do something again and again, as a hand that scrolls or drags."""
        for place in range(STEPS):
            act(place)
            self.hand.pause(STEP_MS)

    def scroll(self, bar: Any) -> None:
        """Drag a scroll bar from one end to the other."""
        self.step(lambda place: bar.setValue(bar.maximum() * (place + 1) // STEPS))

    def table(self, _rounds: int) -> None:
        """The grid, scrolled both ways."""
        self.window.frame.centre.show_view("table")
        grid = self.window.frame.centre.view("table").grid
        self.look("table, scrolled down", lambda: self.scroll(grid.verticalScrollBar()))
        self.look("table, scrolled across", lambda: self.scroll(grid.horizontalScrollBar()))

    def train(self, rounds: int) -> None:
        """The start of a run, and each view while it trains."""
        session, centre = self.session, self.window.frame.centre
        session.hyperparameters.change(rounds=rounds)
        self.window.runs.start()
        self.hand.until(lambda: not self._is_live)
        for view in ("training", "tree", "table", "ensemble", "predictions", "explain"):
            centre.show_view(view)
            self.look(f"start and run, {view} shown", self.window.runs.start, lambda: not self._is_live)
        centre.show_view("tree")
        session.shown.select(node=0)
        for view in [view.name for view in self.window.frame.bottom.views]:
            self.window.frame.bottom.show_view(view)
            self.look(f"start and run, tree and {view} shown", self.window.runs.start,
                      lambda: not self._is_live)  # fmt: skip

    @property
    def _is_live(self) -> bool:
        return self.session.shown.run is None or self.session.shown.run.is_live

    def ended_run(self, rounds: int) -> Any:
        """Return the shown run; one is trained where none is."""
        session = self.session
        if session.shown.run is None:
            session.hyperparameters.change(rounds=rounds)
            self.window.runs.start()
            self.hand.until(lambda: not self._is_live)
        return session.shown.run

    def views(self, rounds: int) -> None:
        """Every view of an ended run, shown, then with the ruler dragged."""
        from workbench.views.explain.pages.base import PAGES

        self.ended_run(rounds)
        frame, session = self.window.frame, self.session
        session.shown.select(node=None)
        for dock in (frame.left, frame.centre):
            for view in dock.views:
                self.look(f"shown: {view.name}", lambda dock=dock, view=view: dock.show_view(view.name))
                if dock is frame.centre and view.name not in ("explain", "playground", "table"):
                    self.look(f"ruler: {view.name}", self.drag_ruler)
        frame.left.show_view("trees")
        self.look("ruler: trees and playground", self.drag_ruler)
        for name, centre, choose in (
            *((page.name, "explain", session.explained.choose) for page in PAGES),
            *((page, "playground", session.playground.choose) for page in ("one", "two", "derivation")),
        ):
            frame.centre.show_view(centre)
            self.look(f"shown: {centre}, {name}", lambda choose=choose, name=name: choose(page=name))
            self.look(f"ruler: {centre}, {name}", self.drag_ruler)
        frame.centre.show_view("tree")
        self.look("shown: a node", lambda: session.shown.select(round=1, node=0))
        for view in frame.bottom.views:
            self.look(f"shown: {view.name}", lambda view=view: frame.bottom.show_view(view.name))
            self.look(f"ruler: {view.name}", self.drag_ruler)

    def drag_ruler(self) -> None:
        """Go through the rounds, and back to the last."""
        rounds = len(self.session.shown.run.rounds)
        self.step(lambda place: self.session.shown.select(round=max(rounds * place // STEPS, 1)))
        self.session.shown.select(round=None)

    def folds(self, rounds: int) -> None:
        """Five folds, drawn as a band on the curves."""
        from workbench.validation.fold_plan import FoldPlan

        run, validating = self.ended_run(rounds), self.bench.validating
        self.window.frame.centre.show_view("training")
        self.look("folds drawn", lambda: validating.cross_validate(run, FoldPlan()),
                  lambda: not validating.trains)  # fmt: skip
        self.look("ruler: folds", self.drag_ruler)

    def runs(self, rounds: int) -> None:
        """Very many runs: their cards and lanes, scrolled, sought, sorted and ticked."""
        session, frame = self.session, self.window.frame
        first = self.ended_run(rounds)
        params = first.params
        for place in range(RUNS - len(session.runs.all)):
            at, rate = 1 + place % (len(first.rounds) - 1), round(0.01 + place / 1000, 4)
            made = first.leaving(params.change(learning_rate=rate), at, first.rounds)
            session.runs.add(made, None, shown=False)
        frame.centre.show_view("training")
        self.look("shown: run cards of many", lambda: frame.left.show_view("run_cards"))
        cards = frame.left.view("run_cards").list
        self.look("cards of many, scrolled", lambda: self.scroll(cards.verticalScrollBar()))
        page = frame.left.view("run_cards")
        orders = page.sort_button.menu().actions()
        self.look("cards of many, sorted", lambda: self.step(lambda k: orders[k % len(orders)].trigger()))
        self.look("cards of many, sought", lambda: self.step(lambda k: page.filter.setText("12"[: k % 3])))
        every = list(session.runs.all.values())[:STEPS]
        self.look("cards of many, another shown", lambda: self.step(lambda k: session.shown.show(every[k])))
        self.look("cards of many, ticked",
                  lambda: self.step(lambda k: session.overlay.tick(every[k], k % 2 == 0)))  # fmt: skip
        self.look("shown: lanes of many", lambda: frame.centre.show_view("runs"))
        self.look("lanes of many, another shown", lambda: self.step(lambda k: session.shown.show(every[k])))
        session.hyperparameters.change(rounds=len(first.rounds))
        self.look("start and run, many beside", self.window.runs.start, lambda: not self._is_live)
        frame.left.show_view("history")
        self.look("history of many", lambda: self.scroll(frame.left.view("history").list.verticalScrollBar()))


def walk(name: str, only: str, profiled_ms: float, parts: list[str]) -> None:
    """Open the window with a table and go through it."""
    from workbench.app import application, build_window
    from workbench.session.opening.open_file import first_plan, known_objectives
    from workbench.shell.settings import Settings
    from workbench.study.given_table import given_table
    from workbench.views.turns.own_events import in_own_event
    from workbench.workers.garbage import GarbageCollection

    app, made = application(), TABLES[name]
    garbage = GarbageCollection(app)
    with tempfile.TemporaryDirectory() as folder, closing(Witness()) as witness:
        window = build_window(app, Settings(Path(folder)))
        walked = Walk(window, Path(folder), only, Heartbeat(profiled_ms, witness))
        window.warmup.finished.connect(garbage.leave_out)
        window.show()
        window.warmup.start()
        walked.hand.until(window.warmup.ready.is_set)
        table, _ = given_table(frame_of(made), None)
        plan, known = first_plan(table), known_objectives()

        def open_table() -> None:
            window.session.open_table(table, plan, {}, known)
            in_own_event(window.pages.show_table, window)  # as where a file is opened

        walked.look("open the table", open_table)
        if window.session.data.table is None:
            open_table()
        window.session.data.set_target("y", "softmax" if made.classes > 2 else "logistic")
        window.session.data.hold_out(valid_fraction=0.25)
        for point in window.session.breakpoints.in_force:
            window.session.breakpoints.switch(point.name, on=False)
        for part in parts:
            getattr(walked, part)(made.rounds)
        window.close()


PARTS = ("table", "train", "views", "folds", "runs")


def main(arguments: list[str] | None = None) -> None:
    """Go through every view."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks views", description=__doc__)
    parser.add_argument("--table", choices=TABLES, nargs="*", default=list(TABLES))
    parser.add_argument("--parts", choices=PARTS, nargs="*", default=list(PARTS), help="“train” comes first")
    parser.add_argument("--only", default="", help="what is told: lines with this in their name")
    parser.add_argument("--profile", type=float, default=0.0, metavar="MS", help="tell where longer go")
    options = parser.parse_args(arguments)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    for name in options.table:
        made, began = TABLES[name], time.perf_counter()
        print(f"{name}: {made.rows:,} × {made.columns}, {made.classes} classes, {made.rounds} rounds; load "
              f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else name, flush=True)
        walk(name, options.only, options.profile, options.parts)
        print(f"{name}: {time.perf_counter() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
