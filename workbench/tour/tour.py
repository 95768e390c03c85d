"""A scripted demonstration: drives the real window through the whole job and takes pictures of it."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from workbench.app import application, build_window
from workbench.data.samples import sample_file
from workbench.explain.edits.prune import Prune
from workbench.explain.what_if.rescoring import STORED, Values
from workbench.formats.bytes.files import make_folder
from workbench.parameters.methods import DEFAULT_METHOD, METHODS
from workbench.passing_folder import passing_folder
from workbench.session.playground.patterns import PATTERNS
from workbench.session.run import RunState
from workbench.shell.settings import Settings
from workbench.tour.hand import COMMON, LOOKED_INTO_MS, SMALLEST, Hand
from workbench.views.explain.pages.base import PAGES

SAMPLE = "heart_disease"
STEPS_SAMPLE, STEPS_GAMMA = "nile_flow", 20_000.0
DRAWN_PARAMS = {"learning_rate": 0.3, "max_depth": 3, "rounds": 30, "reg_lambda": 1.0, "gamma": 0.0}


class Tour(Hand):
    """The scenes, each of which acts as a hand would and waits for what follows."""

    def walk(self) -> None:
        """Take every step, in order."""
        self.welcome()
        self.data()
        self.training()
        self.tree()
        self.edit()
        self.what_if()
        self.ensemble()
        self.predictions()
        self.explanations()
        self.runs()
        self.derivation()
        self.dark()
        self.projector()
        self.export()
        self.methods()
        self.playground()

    def welcome(self) -> None:
        """What a newcomer sees, and the kernels being prepared."""
        self.window.scheme.use_light()
        self.window.resize(*COMMON)
        self.window.show()
        self.window.warmup.start()
        self.shoot("welcome")

    def data(self) -> None:
        """One click on a sample."""
        self.window.frame.welcome.sample_chosen.emit(SAMPLE)
        self.until(lambda: not self.window.frame.on_welcome)
        self.session.shown.select(column="max_heart_rate", row=80)
        self.pause(300)
        self.shoot("data")

    def training(self) -> None:
        """Grow half the rounds, change λ, go on to the end: by counted steps, however fast rounds are."""
        self.until(self.window.warmup.ready.is_set)
        self.session.hyperparameters.change(learning_rate=0.05, max_depth=3, rounds=200)
        self.window.frame.left.show_view("parameters")
        self.window.frame.centre.show_view("training")
        self.window.bench.controller.train(paused_after=100)
        self.until(lambda: self.rounds == 100 and self.state is RunState.PAUSED)
        self.shoot("paused")
        self.window.frame.centre.show_view("predictions")
        self.pause(LOOKED_INTO_MS)
        self.shoot_both("predictions_training")
        self.window.frame.centre.show_view("training")
        self.session.hyperparameters.change(reg_lambda=4.0)
        for _ in range(48):
            self.window.bench.controller.step()
        self.until(lambda: self.rounds == 148 and self.state is RunState.PAUSED)
        self.shoot("training")
        self.window.frame.transport.primary_button.click()
        self.until(lambda: self.state is RunState.ENDED)
        self.shoot("curves")

    def tree(self) -> None:
        """Open a tree and a node; follow a row."""
        self.window.frame.left.show_view("trees")
        self.window.frame.centre.show_view("tree")
        self.session.shown.select(round=19)
        self.pause(300)
        self.session.shown.select(node=2)
        self.pause(LOOKED_INTO_MS)
        self.shoot("tree")
        self.window.frame.bottom.show_view("rows")
        self.pause(LOOKED_INTO_MS)
        self.shoot("rows")
        self.window.frame.bottom.show_view("path")
        self.pause(300)
        self.shoot("path")

    def edit(self) -> None:
        """Ask what it would change to prune the node; keep it as it is."""
        run, edits = self.session.shown.run, self.window.bench.edits
        if run is None:
            return
        edits.ask(run, Prune(19, 0, 2))
        self.until(lambda: edits.receipt is not None)
        self.window.frame.bottom.show_view("receipt")
        self.pause(300)
        self.shoot("receipt")
        edits.discard()

    def what_if(self) -> None:
        """Score the stored trees again with a cost of a leaf."""
        self.window.frame.left.show_view("what_if")
        self.pause(300)
        self.window.bench.what_if.try_values(Values(gamma=0.8))
        self.pause(LOOKED_INTO_MS)
        self.shoot("what_if")
        self.window.bench.what_if.try_values(STORED)
        self.window.frame.left.show_view("trees")

    def ensemble(self) -> None:
        """Which columns matter."""
        self.window.frame.centre.show_view("ensemble")
        self.pause(500)
        self.shoot("ensemble")

    def runs(self) -> None:
        """Branch off at two rounds, compare with where they left, and read what was done."""
        first = self.session.shown.run
        if first is None:
            return
        for at, values in ((60, {"reg_lambda": 8.0, "gamma": 0.3}), (40, {"max_depth": 5})):
            made = self.session.branch(first, at, **values)
            self.window.bench.controller.go_on()
            self.until(lambda made=made: made.state is RunState.ENDED)  # type: ignore[misc]
        self.session.runs.write_on(made, note="Deeper trees fit noise from the start.")
        self.window.frame.left.show_view("run_cards")
        self.window.frame.centre.show_view("runs")
        self.pause(LOOKED_INTO_MS)
        self.shoot("runs")
        self.window.frame.left.show_view("history")
        self.pause(300)
        self.shoot("history")
        self.session.notices.dismiss()
        self.session.shown.show(first)

    def predictions(self) -> None:
        """What the model gets wrong, early and at its end, with the wrong rows selected, and in the dark."""
        frame, selection = self.window.frame, self.session.shown
        frame.left.show_view("data")
        frame.centre.show_view("predictions")
        self.session.shown.select(round=5)
        self.pause(LOOKED_INTO_MS)
        self.shoot("predictions_early")
        selection.select(round=None)
        self.pause(LOOKED_INTO_MS)
        view: Any = frame.centre.view("predictions")
        view.board.matrix.wrong_button.click()
        self.until(lambda: selection.selection.rows is not None)
        self.pause(LOOKED_INTO_MS)
        self.shoot_both("predictions")
        selection.select(rows=None)

    def explanations(self) -> None:
        """What the model goes by, page by page."""
        explained = self.session.explained
        self.window.frame.centre.show_view("explain")
        for page in (page.name for page in PAGES):
            explained.choose(page=page)
            self.pause(2 * LOOKED_INTO_MS)
            self.until(lambda: getattr(getattr(self.page_of("explain"), "found", None), "is_whole", True))
            self.shoot(f"explain_{page}")
            self.dark_and_small(f"explain_{page}_dark_small")

    def dark(self) -> None:
        """The same in dark, and at the smallest common size."""
        self.window.scheme.use_dark()
        self.window.frame.left.show_view("run_cards")
        self.window.frame.centre.show_view("runs")
        self.window.resize(*SMALLEST)
        self.session.shown.select(round=None)  # so that the runs that are compared differ
        self.pause(LOOKED_INTO_MS)
        self.shoot("runs_dark_small")
        self.window.frame.left.show_view("history")
        self.pause(300)
        self.shoot("history_dark_small")
        self.session.shown.select(round=19)
        self.window.resize(*COMMON)
        self.window.frame.left.show_view("parameters")
        self.window.frame.centre.show_view("training")
        self.pause(200)
        self.shoot("training_dark")
        self.window.frame.centre.show_view("tree")
        self.window.frame.bottom.show_view("node")
        self.window.resize(*SMALLEST)
        self.pause(300)
        self.shoot("tree_dark_small")
        self.edit()
        self.window.scheme.use_light()

    def derivation(self) -> None:
        """Read the theory on a tree of the run, also with a larger λ."""
        self.window.frame.left.show_view("parameters")
        self.window.frame.centre.show_view("playground")
        self.session.playground.choose(page="derivation")
        self.session.shown.select(round=19, node=None, row=80)
        self.pause(LOOKED_INTO_MS)
        self.shoot("derivation")
        page = self.page_of("playground")
        page.area.verticalScrollBar().setValue(page.score.y())
        self.pause(300)
        self.shoot("derivation_scores")
        page.assume(reg_lambda=20.0, gamma=1.0)
        page.area.verticalScrollBar().setValue(page.pruning.y())
        self.pause(300)
        self.shoot("derivation_what_if")
        page.reset()
        page.area.verticalScrollBar().setValue(0)

    def projector(self) -> None:
        """The derivation, the curves and the tree for the last row, light and dark."""
        self.window.resize(*SMALLEST)
        self.window.projector.toggle()
        for scheme, put_on in (("", self.window.scheme.use_light), ("_dark", self.window.scheme.use_dark)):
            put_on()
            for view in ("playground", "training", "tree"):
                self.window.frame.centre.show_view(view)
                self.pause(LOOKED_INTO_MS)
                name = "derivation" if view == "playground" else view
                self.shoot(f"projector_{name}{scheme}")
        self.window.projector.toggle()
        self.window.scheme.use_light()
        self.window.resize(*COMMON)

    def export(self) -> None:
        """Take the model away."""
        target = self.folder / "model.json"
        target.unlink(missing_ok=True)
        run = self.session.shown.run
        if run is not None:
            self.window.documents.saving.save_model(run, target)
        self.until(target.exists)

    def methods(self) -> None:
        """Train the same table by every other method, light and dark."""
        for name in [one for one in METHODS if one not in (DEFAULT_METHOD, "steps")]:
            self.session.choose_method(name)
            self._trained_by(name)
            self.window.frame.centre.show_view("training")
            self.shoot_both(f"method_{name}")
            if name == "cart":
                self.window.frame.centre.show_view("tree")
                self.window.frame.bottom.show_view("node")
                self.session.shown.select(node=0)
                self.pause(LOOKED_INTO_MS)
                self.shoot("method_cart_tree")
        self._steps()

    def _steps(self) -> None:
        """The three step functions of one column over each other."""
        self.window.open_path(sample_file(STEPS_SAMPLE))
        self.until(lambda: STEPS_SAMPLE in self.session.name)
        self.session.choose_method("steps")
        self.session.hyperparameters.change(gamma=STEPS_GAMMA)
        self._trained_by("steps")
        self.session.playground.choose(page="one")
        self.window.frame.centre.show_view("playground")
        self.pause(LOOKED_INTO_MS)
        self.shoot_both("method_steps")
        self.session.choose_method(DEFAULT_METHOD)

    def _trained_by(self, method: str) -> None:
        self.window.frame.left.show_view("parameters")
        self.window.bench.controller.train()
        ended = (RunState.ENDED, RunState.FAILED)
        run = self.session.shown
        self.until(lambda: run.run is not None and run.run.params.method == method and self.state in ended)
        self.pause(LOOKED_INTO_MS)

    def playground(self) -> None:
        """Draw points in two variables and in one, and look at a tree at work on them."""
        self.session.hyperparameters.change(**DRAWN_PARAMS)
        for name, page, at, point in (("moons", "two", 6, 130), ("waves", "one", 4, 60)):
            self.session.playground.choose(page=page)
            self.window.documents.draw(PATTERNS.get(name).draw())
            self.until(lambda name=name: self._is_drawn(name))  # type: ignore[misc]
            self.session.notices.dismiss()
            self.session.shown.select(round=at)
            self.pause(LOOKED_INTO_MS)
            self._point_at(point)
            self.shoot_both(f"playground_{page}")

    def _is_drawn(self, name: str) -> bool:
        drawing = self.session.playground.drawing
        is_settled = self.session.shown.run is not None and not self.window.bench.playground.is_busy
        return drawing is not None and drawing.pattern == name and is_settled

    def _point_at(self, point: int) -> None:
        """Let the cursor rest on a point."""
        self.page_of("playground").plots[0].point_to(point)

def main(shots: str | None = None) -> int:
    """Walk through the window; pictures and model go to the folder `shots`."""
    folder = Path(shots) if shots else Path(tempfile.mkdtemp(prefix="workbench-tour-"))
    make_folder(folder)
    app = application()
    with passing_folder() as settings:
        window = build_window(app, Settings(settings))
        tour = Tour(window, folder)
        try:
            tour.walk()
        finally:
            window.close()
    print(f"{len(tour.pictures)} pictures and model.json are in {folder}")
    return 0
