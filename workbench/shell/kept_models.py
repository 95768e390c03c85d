"""Models of runs that nobody exported, kept when their table or the window is closed."""

from __future__ import annotations

import logging
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING

from workbench.errors import WorkbenchError
from workbench.formats.bytes.files import make_folder
from workbench.formats.bytes.second_place import save_somewhere
from workbench.isolation import isolated

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from workbench.session.run import Kept, Run
    from workbench.session.session import Session

log = logging.getLogger(__name__)

MOST_KEPT = 20  # files; the oldest go
LONGEST = 40  # signs of the table's name, four bytes each at most
MOST_NODES = 50_000  # of all runs that are kept while the window closes: about a second of writing


class Keepsakes:
    """Knows which runs were exported, and where those go that were not."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._saved: dict[int, int] = {}  # by run: rounds that were exported

    def note_saved(self, run: Run, rounds: int) -> None:
        """Remember that the first `rounds` rounds of a run are in a file."""
        self._saved[id(run)] = rounds

    def forget(self) -> None:
        """The runs are gone."""
        self._saved.clear()

    def unsaved(self, session: Session, most_nodes: float = float("inf")) -> list[Run]:
        """Return the runs that hold rounds which are in no file, the newest of them that fit together."""
        unsaved: list[Run] = []
        for run in reversed(session.runs):
            if self._is_unsaved(run) and (nodes := _nodes(run)) <= most_nodes:
                unsaved.insert(0, run)
                most_nodes -= nodes
        return unsaved

    def path_for(self, session: Session, run: Run) -> Path:
        """Return where a run's model goes."""
        stem = session.name.split(".")[0][:LONGEST]
        return self._folder / f"{datetime.now().astimezone():%Y%m%d-%H%M%S}-{stem}-run{run.number}.json"

    def keep(self, kept: Kept, path: Path) -> int:
        """Write a model, then let the oldest files go; return its rounds."""
        try:
            with suppress(WorkbenchError):
                make_folder(self._folder)
            save_somewhere(kept.model, path)
        except WorkbenchError as error:
            log.warning("%s", error)  # nobody may be there any more to look at the window
            raise
        for old in sorted(self._folder.glob("*.json"))[:-MOST_KEPT]:
            with suppress(OSError):
                old.unlink()
        return kept.model.rounds

    def _is_unsaved(self, run: Run) -> bool:
        is_ours = run.dataset is not None or bool(run.origin)  # trained here, or made of a file's trees
        return is_ours and len(run.rounds) > self._saved.get(id(run), 0)


def kept_words(paths: Sequence[Path]) -> str:
    """Say in one sentence which models are kept where; "" of none."""
    if len(paths) < 2:
        return "".join(f"What was trained and not exported is kept: {isolated(str(path))}" for path in paths)
    names = ", ".join(isolated(path.name) for path in paths)
    return f"The {len(paths)} models not exported are kept in {isolated(str(paths[0].parent))}: {names}"


def _nodes(run: Run) -> int:
    return sum(tree.n_nodes for finished in run.rounds for tree in finished.trees)
