"""Makes the kernels ready: compiled in a subprocess on first launch, then loaded before anyone trains."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QProcess, Signal

from workbench.ensembles.kernel_needs import rare_kernels
from workbench.kernels.cache import can_keep_kernels, folder_remark, kernels_ready
from workbench.own_process import own_program

if TYPE_CHECKING:
    from workbench.parameters.training import TrainingParams
    from workbench.workers.jobs import Job, Jobs

READY = "READY "  # begins a line that names kernels of which few runs wait for


class Warmup(QObject):
    """Fills the kernels' cache once per version and loads it.

    `ready` is set when training may start, `rare_ready` when nothing at all is compiled any more.

    Compiling holds the interpreter lock for seconds, so a process of its own does it. Loading what it
    compiled, numba and pandas holds the lock for a moment: better now than at the first round.
    """

    progressed = Signal(int, int)  # kernels done, kernels in all
    finished = Signal(bool)  # whether the kernels are loaded
    remarked = Signal(str)  # what the person should know about where they are kept

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.ready = threading.Event()
        self.rare_ready = threading.Event()
        self._named: dict[str, threading.Event] = {}  # kernels that few runs take
        self._jobs = jobs
        self._is_loading = False
        self._process: QProcess | None = None

    def start(self) -> None:
        """Load what is in the cache, then compile what is missing; at first launch the other way round."""
        if remark := folder_remark():
            self.remarked.emit(remark)
        if kernels_ready():
            self._load()
        else:
            self._jobs.start(load_libraries, done=_ignore, failed=_ignore)
            self._compile()

    def ready_for(self, params: TrainingParams) -> threading.Event:
        """Return what is set when a run with these parameters compiles nothing any more."""
        return self.ready_named(rare_kernels(params))

    def ready_named(self, name: str) -> threading.Event:
        """Return what is set when kernels that few runs take, or none, are compiled, by their name."""
        if not name:
            return self.ready
        event = self._named.setdefault(name, threading.Event())
        if self.rare_ready.is_set():
            event.set()
        return event

    def shutdown(self) -> None:
        """End the subprocess; the next start compiles what is missing."""
        if self._process is not None:
            self._process.blockSignals(True)
            self._process.kill()
            self._process.waitForFinished(1000)
            self._process = None

    def _compile(self) -> None:
        """Start the subprocess, if something is missing and can be kept."""
        if kernels_ready(rare=True) or not can_keep_kernels():
            self._all_done()
            return
        self._process = QProcess(self)
        self._process.setProcessChannelMode(QProcess.ProcessChannelMode.MergedChannels)
        self._process.readyReadStandardOutput.connect(self._read)
        self._process.finished.connect(self._all_done)
        self._process.errorOccurred.connect(self._all_done)
        program, *arguments = own_program("workbench", "warmup", "--progress")
        self._process.start(program, arguments)

    def _read(self) -> None:
        if self._process is None:
            return
        for line in bytes(self._process.readAllStandardOutput().data()).decode(errors="replace").splitlines():
            if line.startswith(READY):
                self._named.setdefault(line.removeprefix(READY), threading.Event()).set()
                continue
            done, _, rest = line.partition("/")
            total = rest.split(" ")[0]
            if done.isdigit() and total.isdigit():
                self.progressed.emit(int(done), int(total))
                if done == total:
                    self._load()

    def _all_done(self) -> None:
        self.rare_ready.set()
        for event in self._named.values():
            event.set()
        self._load()

    def _load(self) -> None:
        if self._is_loading:
            return
        self._is_loading = True
        if kernels_ready():
            self._jobs.start(
                load_kernels, done=lambda _answer: self._end(True), failed=lambda _text: self._end(False)
            )
        else:
            self._end(False)

    def _end(self, loaded: bool) -> None:
        self.ready.set()
        if self._process is None:
            self._compile()
        self.finished.emit(loaded)


def load_libraries(job: Job) -> None:
    """Load pandas, by reading the smallest sample, and numba: while kernels are compiled, if they must be."""
    from workbench.data.reading import read_table
    from workbench.data.samples import sample_file

    read_table(sample_file("nile_flow"), cancelled=job.cancelled)
    if not job.cancelled():
        import workbench.warmup.warmup  # noqa: F401


def load_kernels(job: Job) -> None:
    """Load what kernels stand on, and every kernel from the cache."""
    load_libraries(job)
    if not job.cancelled():
        from workbench.warmup.warmup import warm_up

        warm_up(_ignore)


def _ignore(*_anything: object) -> None:
    """Do nothing: nobody waits for it."""
