"""Reads Python files, asks whether they may be run, and runs them in jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.session.own_file import OWN_OBJECTIVE, read_file, run_file
from workbench.views.own_files.consent import Consent

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from workbench.session.own_file import OwnFile, OwnKind
    from workbench.views.base import Bench


class OwnFileDesk:
    """One question at a time; what was agreed to is run as it was shown, whatever the file says by then."""

    def __init__(self, bench: Bench, parent: QWidget) -> None:
        self._bench, self._parent = bench, parent
        self.consent: Consent | None = None

    def ask(self, kind: OwnKind, path: str) -> None:
        """Show a file and take it over where the person agrees."""
        self._bench.jobs.start(
            lambda _job: read_file(path), done=lambda code: self._show(kind, path, code, self._nothing),
            failed=self._fail,
        )

    def check(self, go: Callable[[], object]) -> bool:
        """Whether files in use must be looked at first; `go` is called once they are as agreed to."""
        used = self._used()
        if used:
            self._check_next(list(used), go)
        return bool(used)

    def _used(self) -> tuple[OwnFile, ...]:
        session = self._bench.session
        own = session.data.plan.objective == OWN_OBJECTIVE
        return tuple(file for file in session.own_files.files if file.kind == "metric" or own)

    def _check_next(self, files: list[OwnFile], go: Callable[[], object]) -> None:
        if not files:
            go()
            return
        file = files.pop(0)

        def compare(code: str) -> None:
            if code == file.code:
                self._check_next(files, go)
            else:
                self._show(file.kind, file.path, code, lambda: self._check_next(files, go), changed=True)

        self._bench.jobs.start(lambda _job: read_file(file.path), done=compare, failed=self._fail)

    def _show(
        self, kind: OwnKind, path: str, code: str, then: Callable[[], object], *, changed: bool = False
    ) -> None:
        if self.consent is not None:
            self.consent.close()
        self.consent = Consent(kind, path, code, changed=changed, parent=self._parent.window())
        self.consent.accepted.connect(lambda: self._run(kind, path, code, then))
        self.consent.finished.connect(self._forget)
        self.consent.show()

    def _run(self, kind: OwnKind, path: str, code: str, then: Callable[[], object]) -> None:
        def done(file: OwnFile) -> None:
            self._bench.session.own_files.use(file)
            then()

        self._bench.jobs.start(lambda _job: run_file(kind, path, code), done=done, failed=self._fail)

    def _forget(self) -> None:
        self.consent = None

    def _nothing(self) -> None:
        """What follows a file that was chosen: nothing."""

    def _fail(self, text: str) -> None:
        self._bench.session.notices.say(text, "error", "training")
