"""Compiles the kernels in a subprocess on first launch, so that no thread here holds the lock for it."""

from __future__ import annotations

import sys
import threading

from PySide6.QtCore import QObject, QProcess, Signal

from workbench.trees.cache import kernels_ready


class Warmup(QObject):
    """Fills the kernels' cache once per version; `ready` is set when training may start."""

    progressed = Signal(int, int)  # kernels done, kernels in all
    finished = Signal(bool)  # whether the cache is filled

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.ready = threading.Event()
        self._process: QProcess | None = None

    def start(self) -> None:
        """Start the subprocess, or say at once that the cache is filled."""
        if kernels_ready():
            self._end(True)
            return
        self._process = QProcess(self)
        self._process.setProcessChannelMode(QProcess.ProcessChannelMode.MergedChannels)
        self._process.readyReadStandardOutput.connect(self._read)
        self._process.finished.connect(lambda code, _status: self._end(code == 0))
        self._process.errorOccurred.connect(lambda _error: self._end(False))
        self._process.start(sys.executable, ["-m", "workbench", "warmup", "--progress"])

    def shutdown(self) -> None:
        """End the subprocess; the next start compiles what is missing."""
        if self._process is not None:
            self._process.blockSignals(True)
            self._process.kill()
            self._process.waitForFinished(1000)
            self._process = None

    def _read(self) -> None:
        if self._process is None:
            return
        for line in bytes(self._process.readAllStandardOutput().data()).decode(errors="replace").splitlines():
            done, _, total = line.partition("/")
            if done.isdigit() and total.split(" ")[0].isdigit():
                self.progressed.emit(int(done), int(total.split(" ")[0]))

    def _end(self, filled: bool) -> None:
        self.ready.set()
        self.finished.emit(filled)
