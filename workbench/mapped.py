"""Arrays that stand in a temporary file mapped into memory, so that the system can put their pages out.

The file has no name from the start (on Windows it is deleted when it is closed), so a crash leaves nothing.
All of it is allocated before it is mapped: where the disk is full, that is said, and no later write fails.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import suppress
from math import prod
from mmap import mmap
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Literal

import numpy as np

from workbench.errors import OutputError, WorkbenchError
from workbench.memory import in_megabytes

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

    Shape = int | tuple[int, ...]
    Order = Literal["C", "F"]

LEAST_BYTES = 1 << 20  # smaller arrays are not worth a file
LEAST_FILE = 1 << 26  # of a table, whose columns stand side by side
PAGE = 4096  # arrays begin with a page
DISK_SHARE = 0.95  # of what is free; a full disk hurts others
ROWS_AT_ONCE = 16_384
MOUNTS = Path("/proc/self/mountinfo")
DISK_FOLDER = Path("/var/tmp")  # where the folder for temporary files is held in memory
_IN_MEMORY = ("tmpfs", "ramfs")
_OTHER_FOLDER = "map in another folder (--map-folder, or the variable TMPDIR)"


class MappedFile(mmap):
    """The bytes of a file that is gone with the last array in it."""

    folder: str


class MappedSpace:
    """Makes arrays in files of one folder, several in a file: a process may hold few files open.

    Parameters
    ----------
    folder : str
        Nothing: the usual one for temporary files.

    Raises
    ------
    WorkbenchError
        Where the folder itself is held in memory.
    """

    def __init__(self, folder: str = "") -> None:
        self.folder = folder or usual_folder()
        if _is_in_memory(Path(self.folder)):
            raise WorkbenchError(
                f"The folder {self.folder} is itself held in memory, so a table cannot be kept out of memory "
                f"there: {_OTHER_FOLDER}."
            )
        self._file: MappedFile | None = None
        self._used = 0
        self._total = 0

    def empty(self, shape: Shape, dtype: DTypeLike) -> NDArray[Any]:
        """Return an array in a file."""
        size = _pages(prod(_as_tuple(shape)) * np.dtype(dtype).itemsize)
        if self._file is None or self._used + size > len(self._file):
            self._file, self._used = _file_of(max(size, LEAST_FILE, self._total // 8), self.folder), 0
            self._total += len(self._file)
        array: NDArray[Any] = np.ndarray(shape, dtype, self._file, self._used)
        self._used += size
        return array

    def keep(self, array: NDArray[Any]) -> NDArray[Any]:
        """Return the array, moved into a file unless it stands in one."""
        if is_mapped(array):
            return array
        kept = self.empty(array.shape, array.dtype)
        kept[...] = array
        return kept


def is_mapped(array: NDArray[Any]) -> bool:
    """Whether an array, or what it is a view of, stands in a mapped file."""
    return _file_below(array) is not None


def empty_beside(
    source: NDArray[Any], shape: Shape, dtype: DTypeLike, order: Order = "C"
) -> NDArray[Any]:
    """Return room for what is made of `source`: in a file of its own where that is mapped, else in memory."""
    file = _file_below(source)
    size = prod(_as_tuple(shape)) * np.dtype(dtype).itemsize
    if file is None or size < LEAST_BYTES:
        return np.empty(shape, dtype, order)
    folder = file.folder if isinstance(file, MappedFile) else usual_folder()
    return np.ndarray(shape, dtype, _file_of(size, folder), order=order)


def kept_beside(source: NDArray[Any], array: NDArray[Any]) -> NDArray[Any]:
    """Return the array, moved into a file where `source` is mapped and it is not."""
    if not is_mapped(source) or is_mapped(array) or array.nbytes < LEAST_BYTES:
        return array
    kept = empty_beside(source, array.shape, array.dtype)
    kept[...] = array
    return kept


def rows_beside(matrix: NDArray[Any], rows: NDArray[np.int64]) -> NDArray[Any]:
    """Return these rows of a matrix; mapped, and in Fortran order, where the matrix is mapped."""
    if not is_mapped(matrix):
        return matrix[rows]
    taken = empty_beside(matrix, (len(rows), matrix.shape[1]), matrix.dtype, "F")
    for begin in range(0, len(rows), ROWS_AT_ONCE):
        taken[begin : begin + ROWS_AT_ONCE] = matrix[rows[begin : begin + ROWS_AT_ONCE]]
    return taken


def usual_folder() -> str:
    """Return the folder for temporary files; where that is held in memory, one on a disk, if there is."""
    try:
        folder = tempfile.gettempdir()
    except OSError as error:
        raise OutputError("There is no folder for temporary files. Set TMPDIR to one.") from error
    if _is_in_memory(Path(folder)) and DISK_FOLDER.is_dir() and not _is_in_memory(DISK_FOLDER):
        return str(DISK_FOLDER)
    return folder


def free_on_disk(folder: str) -> float:
    """Return the bytes of a folder's disk that may be taken."""
    try:
        return DISK_SHARE * shutil.disk_usage(folder).free
    except OSError as error:
        raise _refused(folder, error) from error


def _file_below(array: NDArray[Any]) -> mmap | None:
    base: Any = array
    while isinstance(base, np.ndarray):
        base = base.base
    if isinstance(base, memoryview):
        base = base.obj
    return base if isinstance(base, mmap) else None


def _as_tuple(shape: Shape) -> tuple[int, ...]:
    return (shape,) if isinstance(shape, int) else shape


def _pages(size: int) -> int:
    return -(-size // PAGE) * PAGE


def _file_of(size: int, folder: str) -> MappedFile:
    """Return a file of so many bytes, all 0."""
    free = free_on_disk(folder)
    if size > free:
        raise OutputError(
            f"The folder {folder} has {in_megabytes(free)} free, and {in_megabytes(size)} are needed to keep "
            f"more of the table on disk. Make room there, or {_OTHER_FOLDER}."
        )
    try:
        with tempfile.TemporaryFile(prefix="workbench-", dir=folder) as file:
            _allocate(file, size)
            mapped = MappedFile(file.fileno(), size)
    except OSError as error:
        raise _refused(folder, error) from error
    mapped.folder = folder
    return mapped


def _refused(folder: str, error: OSError) -> OutputError:
    reason = (error.strerror or str(error)).lower()
    return OutputError(
        f"The table cannot be kept in the folder {folder}: {reason}. Correct that, or {_OTHER_FOLDER}."
    )


def _allocate(file: IO[bytes], size: int) -> None:
    """Take the room on the disk: a hole would be filled while it is written to, and end the program there."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file.fileno(), 0, size)
        return
    nothing = bytes(1 << 20)
    for begin in range(0, size, len(nothing)):
        file.write(nothing[: size - begin])
    file.flush()


def _is_in_memory(folder: Path) -> bool:
    with suppress(OSError, IndexError):
        mounts = MOUNTS.read_text(encoding="utf-8", errors="replace").splitlines()
        device = folder.stat().st_dev
        place = f"{os.major(device)}:{os.minor(device)}"
        for mount in mounts:
            where, _, what = mount.partition(" - ")
            if where.split()[2] == place:
                return what.split()[0] in _IN_MEMORY
    return False
