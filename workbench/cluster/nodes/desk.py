"""The desk on a worker at which questions about nodes are answered.

On threads of its own: as a task of dask a question would wait until the training that holds the worker is
over. What is kept there is forgotten once nobody has asked for a while.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from workbench.cluster.nodes.piece import RowPiece, TreesThere
from workbench.errors import Cancelled, WorkbenchError, leave_if

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from workbench.cluster.nodes.piece import TrainedThere
    from workbench.trees.tree import Tree

SHELF = "workbench_node_desks"  # attribute of dask's worker
IDLE_SECONDS = 600.0  # after the last question
FORGOT = "forgot"  # the trees that were sent before


class Ask(Protocol):
    """Something that is added up over pieces of rows."""

    def of(self, piece: RowPiece, grown: TreesThere, cancelled: Callable[[], bool]) -> Any:
        """Return what a piece has to tell; None where it has nothing."""

    def together(self, parts: Sequence[Any]) -> Any:
        """Return what several have to tell, one at least, in the form of one."""


@dataclass(frozen=True)
class DeskQuestion:
    """What goes to all workers of a run.

    Attributes
    ----------
    run : str
        Whose trees it is about.
    trained : TrainedThere
    keys : mapping of str to sequence of (str, bool)
        By worker: what its pieces are called there, and whether they are held out.
    first : int
        Place of the first of the trees that come with it.
    trees : tuple of Tree
    weights : ndarray of float32
    ask : Ask
    """

    run: str
    trained: TrainedThere
    keys: Mapping[str, Sequence[tuple[str, bool]]]
    first: int
    trees: tuple[Tree, ...]
    weights: NDArray[np.floating]
    ask: Ask


@dataclass(frozen=True)
class Told:
    """How far an answer is: so many pieces of all; and at its end the answer, or what went wrong."""

    done: int
    total: int
    is_over: bool = False
    answer: Any = None
    error: str = ""


class _Kept:
    """What a worker knows of one run."""

    def __init__(self) -> None:
        self.grown = TreesThere()
        self.pieces: dict[str, RowPiece] = {}


class _Answering(threading.Thread):
    """Answers one question."""

    def __init__(self, question: DeskQuestion, kept: _Kept, worker: Any, ended: Callable[[], None]) -> None:
        super().__init__(name="node question", daemon=True)
        self._question, self._kept, self._worker, self._ended = question, kept, worker, ended
        self._keys = question.keys[worker.address]
        self._is_cancelled = threading.Event()
        self.told = Told(0, len(self._keys))

    def cancel(self) -> None:
        self._is_cancelled.set()

    def run(self) -> None:
        total = len(self._keys)
        try:
            self.told = Told(total, total, True, self._answer())
        except Cancelled:
            self.told = Told(0, total, True)
        except WorkbenchError as error:
            self.told = Told(0, total, True, error=str(error))
        except KeyError:
            self.told = Told(0, total, True, error="The worker no longer has the rows. Ask again.")
        except MemoryError:
            self.told = Told(
                0, total, True, error="A worker is out of memory. Start workers with more of it."
            )
        except Exception as error:
            self.told = Told(0, total, True, error=f"A worker failed: {type(error).__name__}: {error}")
        self._ended()

    def _answer(self) -> Any:
        parts, ask = [], self._question.ask
        for done, (key, is_held_out) in enumerate(self._keys):
            leave_if(self._is_cancelled.is_set)
            self.told = Told(done, len(self._keys))
            part = ask.of(self._piece(key, is_held_out), self._kept.grown, self._is_cancelled.is_set)
            if part is not None:
                parts.append(part)
        return ask.together(parts) if parts else None

    def _piece(self, key: str, is_held_out: bool) -> RowPiece:
        found = self._kept.pieces.get(key)
        if found is None:
            part = self._worker.data[key]
            found = RowPiece(part, self._question.trained, is_held_out=is_held_out)
            self._kept.pieces[key] = found
        return found


class _Shelf:
    """All that a worker holds of it."""

    def __init__(self) -> None:
        self.runs: dict[str, _Kept] = {}
        self.answers: dict[str, _Answering] = {}
        self._timer: threading.Timer | None = None

    def wind(self) -> None:
        """Forget everything in a while, counted from now."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = threading.Timer(IDLE_SECONDS, self.clear)
        self._timer.daemon = True
        self._timer.start()

    def clear(self) -> None:
        """Forget everything."""
        for answering in list(self.answers.values()):
            answering.cancel()
        if self._timer is not None:
            self._timer.cancel()
        self.runs.clear()
        self.answers.clear()


def _shelf(worker: Any) -> _Shelf:
    if not hasattr(worker, SHELF):
        setattr(worker, SHELF, _Shelf())
    found: _Shelf = getattr(worker, SHELF)
    return found


def take(ticket: str, question: DeskQuestion, dask_worker: Any) -> str:
    """Begin to answer a question; called on the worker. `FORGOT` where it lacks trees before these."""
    shelf = _shelf(dask_worker)
    shelf.wind()
    kept = shelf.runs.setdefault(question.run, _Kept())
    if not kept.grown.add(question.first, question.trees, question.weights):
        return FORGOT
    answering = _Answering(question, kept, dask_worker, shelf.wind)
    shelf.answers[ticket] = answering
    answering.start()
    return ""


def look(ticket: str, dask_worker: Any) -> Told:
    """Tell how far an answer is; called on the worker. One that is over is told once."""
    shelf = _shelf(dask_worker)
    answering = shelf.answers.get(ticket)
    if answering is None:
        return Told(0, 0, True, error="The worker has forgotten the question. Ask again.")
    if answering.told.is_over:
        del shelf.answers[ticket]
    return answering.told


def leave(ticket: str, dask_worker: Any) -> None:
    """Give an answer up; called on the worker."""
    answering = _shelf(dask_worker).answers.pop(ticket, None)
    if answering is not None:
        answering.cancel()


def forget(run: str, dask_worker: Any) -> None:
    """Forget what was kept of a run; called on the worker."""
    shelf = getattr(dask_worker, SHELF, None)
    if shelf is not None:
        shelf.runs.pop(run, None)
        if not shelf.runs:
            clear(dask_worker)


def clear(dask_worker: Any) -> None:
    """Forget everything; called on the worker."""
    shelf = getattr(dask_worker, SHELF, None)
    if shelf is not None:
        shelf.clear()
        delattr(dask_worker, SHELF)
