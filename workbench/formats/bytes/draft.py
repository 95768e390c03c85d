"""What is written of a file before it takes the former one's place: without a name, where the system can.

Linux knows files that stand in no folder until they are linked into one: a program that is killed leaves
nothing of them, nor does a folder that goes away. Elsewhere, and on network disks, a draft is a hidden file
beside the target. Those that were left are removed by the next write to the same target.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shutil
import tempfile
import time
from pathlib import Path
from typing import BinaryIO

ENDING = ".workbench.tmp"
LONGEST = 55  # signs of the target's name, four bytes each at most: a name has room for 255
_SIGN = re.compile(r"\w{8}" + re.escape(ENDING))
IDLE = 3600  # seconds after which nobody writes a draft any more


class DraftFile:
    """A file that is being written.

    Parameters
    ----------
    target : Path
        What it becomes; links are resolved already.

    Attributes
    ----------
    stream : binary file
    """

    def __init__(self, target: Path) -> None:
        self._target = target
        self._folder = target.parent
        self._prefix = f".{target.name[:LONGEST]}."
        self._name: Path | None = None
        self._remove_left()
        self.stream: BinaryIO = self._unnamed() or self._named()

    def keep(self, *, lasting: bool) -> None:
        """Force everything to the disk, and put it in the place of the former file.

        After a power cut the former file may stand there again, whole, unless it is to be `lasting`.
        """
        self.stream.flush()
        os.fsync(self.stream.fileno())
        if self._name is None:
            self._give_name()
        self.stream.close()
        assert self._name is not None
        self._name.chmod(_mode(self._target))
        self._name.replace(self._target)
        self._name = None
        if lasting:
            _sync(self._folder)

    def discard(self) -> None:
        """Leave nothing, unless it was kept."""
        with contextlib.suppress(OSError):
            self.stream.close()
        if self._name is not None:
            with contextlib.suppress(OSError):
                self._name.unlink()

    def _unnamed(self) -> BinaryIO | None:
        """Return a file without a name, or None where there are none."""
        if not hasattr(os, "O_TMPFILE"):
            return None
        try:
            descriptor = os.open(self._folder, os.O_TMPFILE | os.O_RDWR, 0o600)
        except OSError:  # also where nothing can be written at all, which the other way says as well
            return None
        return os.fdopen(descriptor, "w+b")

    def _named(self) -> BinaryIO:
        descriptor, name = tempfile.mkstemp(ENDING, self._prefix, self._folder)
        self._name = Path(name)
        return os.fdopen(descriptor, "wb")

    def _give_name(self) -> None:
        """Name the file for as long as it takes to rename it: a link never replaces another file."""
        name = self._folder / f"{self._prefix}{secrets.token_hex(4)}{ENDING}"
        try:
            _link(self.stream.fileno(), self._folder, name)
            self._name = name
        except OSError:  # also where a sandbox forbids it
            with self.stream as written:
                self.stream = self._named()
                written.seek(0)
                shutil.copyfileobj(written, self.stream)
            self.stream.flush()
            os.fsync(self.stream.fileno())

    def _remove_left(self) -> None:
        """Remove drafts of this target that a program which ended has left."""
        with contextlib.suppress(OSError), os.scandir(self._folder) as beside:
            for entry in beside:
                if not entry.name.startswith(self._prefix):
                    continue
                sign = entry.name[len(self._prefix) :]
                if _SIGN.fullmatch(sign) and time.time() - entry.stat().st_mtime > IDLE:
                    Path(entry).unlink()


def _link(descriptor: int, parent: Path, name: Path) -> None:
    folder = os.open(parent, os.O_RDONLY)  # only beside one does the system follow what /proc holds
    try:
        os.link(f"/proc/self/fd/{descriptor}", name, src_dir_fd=folder, follow_symlinks=True)
    finally:
        os.close(folder)


def _mode(target: Path) -> int:
    """Permissions of the former file, or those that a new file gets."""
    with contextlib.suppress(FileNotFoundError):
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _sync(folder: Path) -> None:
    """Force the rename itself to the disk, where the system can."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
