"""A scheduler and workers in processes of their own, and a network to them that can be cut."""

from __future__ import annotations

import contextlib
import selectors
import socket
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

from distributed import Client
from distributed.security import Security

if TYPE_CHECKING:
    from pathlib import Path

HOST = "127.0.0.1"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return probe.getsockname()[1]


class FarCluster:
    """Its processes end with the block; `tls` are files: of an authority, a certificate and its key."""

    def __init__(
        self, workers: int = 2, memory: str = "2GB", tls: tuple[Path, Path, Path] | None = None
    ) -> None:  # fmt: skip
        self.port, self._workers, self._memory, self._tls = free_port(), workers, memory, tls
        self._processes: list[subprocess.Popen] = []

    @property
    def address(self) -> str:
        return f"{'tls' if self._tls else 'tcp'}://{HOST}:{self.port}"

    def client(self) -> Client:
        """Return a client of it, as a script makes one."""
        security = None
        if self._tls:
            authority, certificate, key = map(str, self._tls)
            security = Security(tls_ca_file=authority, tls_client_cert=certificate, tls_client_key=key)
        return Client(self.address, timeout=60, set_as_default=False, security=security)

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.kill()
            raise
        return self

    def __exit__(self, *_error: object) -> None:
        self.kill()

    def start(self) -> None:
        scheduler = ["scheduler", "--host", HOST, "--port", str(self.port), "--no-dashboard", "--no-show"]
        worker = [
            "worker", self.address, "--nworkers", str(self._workers), "--nthreads", "1",
            "--memory-limit", self._memory, "--no-dashboard", "--death-timeout", "60", "--host", HOST,
        ]  # fmt: skip
        flags = ("--tls-ca-file", "--tls-cert", "--tls-key")
        files = [str(part) for pair in zip(flags, self._tls or (), strict=False) for part in pair]
        self._processes = [
            subprocess.Popen(
                [sys.executable, "-m", "dask", *command, *files], stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            for command in (scheduler, worker)
        ]
        with self.client() as client:
            client.wait_for_workers(self._workers, timeout=60)

    def kill(self) -> None:
        """End the scheduler at once, as a power cut does; the workers end as it is gone."""
        scheduler, worker = self._processes
        scheduler.kill()
        worker.terminate()
        for process in (scheduler, worker):
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(20)
            process.kill()
            process.wait()


class Network:
    """Passes connections on to a port of this machine, until it is cut: then all of them hang."""

    def __init__(self, port: int) -> None:
        self._to, self.is_cut = port, False
        self._server = socket.create_server((HOST, 0))
        self._ends: dict[socket.socket, socket.socket] = {}
        self._chooser = selectors.DefaultSelector()
        self._is_over = self._drops_all = False
        self._thread = threading.Thread(target=self._pass_on, daemon=True)

    @property
    def address(self) -> str:
        return f"tcp://{HOST}:{self._server.getsockname()[1]}"

    def __enter__(self):
        self._chooser.register(self._server, selectors.EVENT_READ)
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._is_over = True
        self._thread.join(5)
        for end in (self._server, *self._ends):
            end.close()
        self._chooser.close()

    def mend(self) -> None:
        """Let new connections through; those of before are lost."""
        self._drops_all = True
        self.is_cut = False

    def _pass_on(self) -> None:
        while not self._is_over:
            if self._drops_all:
                self._drops_all = False
                for end in list(self._ends):
                    self._drop(end)
            found = self._chooser.select(0.05)
            if self.is_cut:
                threading.Event().wait(0.05)
                continue
            for key, _ in found:
                if key.fileobj is self._server:
                    self._connect()
                else:
                    self._pass(key.fileobj)

    def _connect(self) -> None:
        near, _ = self._server.accept()
        try:
            far = socket.create_connection((HOST, self._to), timeout=5)
        except OSError:
            near.close()
            return
        for one, other in ((near, far), (far, near)):
            one.settimeout(5)
            self._ends[one] = other
            self._chooser.register(one, selectors.EVENT_READ)

    def _pass(self, end) -> None:
        if end not in self._ends:
            return
        try:
            words = end.recv(1 << 16)
            if words:
                self._ends[end].sendall(words)
        except OSError:
            words = b""
        if not words:
            self._drop(end)

    def _drop(self, end) -> None:
        for one in (end, self._ends.get(end)):
            if one is not None and self._ends.pop(one, None) is not None:
                self._chooser.unregister(one)
                one.close()
