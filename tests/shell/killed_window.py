"""A window that trains, steers, branches, edits and saves until it is killed: `killed_window FOLDER SEED`."""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer

from workbench.app import application, build_window
from workbench.data.samples import sample_file
from workbench.explain.edits.drop_tree import DropTree
from workbench.session.project.gather import Gathering
from workbench.session.project.save import save_project
from workbench.session.run import RunState
from workbench.shell.settings import Settings

if TYPE_CHECKING:
    from workbench.session.run import Run
    from workbench.shell.main_window import MainWindow


def go_on_otherwise(window: MainWindow, run: Run, chance: random.Random) -> None:
    """Edit a tree and grow on, or branch."""
    edits, at = window.bench.edits, chance.randint(1, len(run.rounds))
    if edits.is_busy:
        return
    if edits.is_answered and edits.made is None and not edits.no_growing:
        edits.keep(grow_on=True)
        return
    edits.discard()
    if at < len(run.rounds) and chance.random() < 0.5:
        edits.ask(run, DropTree(at, 0))
        return
    window.session.branch(run, at, learning_rate=chance.uniform(0.01, 0.3), rounds=100_000)
    window.controller.go_on()


def main(folder: Path, seed: int) -> None:
    """Do something every few milliseconds, and print what is there, so that it is known what was lost."""
    app = application()
    window = build_window(app, Settings(folder / "settings"))
    window.warmup.start()
    session, chance = window.session, random.Random(seed)
    window.documents.open(sample_file("heart_disease"))

    def act() -> None:
        run = session.shown.run
        if session.data.table is None:
            return
        if run is None:
            session.hyperparameters.change(rounds=100_000, max_depth=2)
            window.controller.train()
        elif run.is_live and not run.rounds:
            pass  # what is killed before it has rounds shows nothing
        elif run.is_live:
            chance.choice((
                lambda: session.hyperparameters.change(reg_lambda=chance.uniform(0, 9)),
                lambda: session.runs.write_on(run, note=f"note {chance.random()}"),
                window.controller.stop if chance.random() < 0.1 else int,
                lambda: save_project(folder / "p.workbench", Gathering(session).take()),
            ))()
        elif run.state is RunState.ENDED and run.rounds:
            go_on_otherwise(window, run, chance)
        rounds = {one.number: len(one.rounds) for one in session.runs}
        told = " ".join(f"{number}:{count}" for number, count in rounds.items())
        sys.stdout.write(f"{time.time()} {told}\n")
        sys.stdout.flush()

    timer = QTimer()
    timer.timeout.connect(act)
    timer.start(30)
    app.exec()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
