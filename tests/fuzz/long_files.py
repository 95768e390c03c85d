"""Short texts that are read as long ones are: judged by their beginning, in blocks, by kernels or pandas."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.fuzz.checks import WrongSilence, check_table, gone_through, one_line
from workbench.data.readers import as_text, delimited, folder, source
from workbench.data.readers.options import ReadOptions
from workbench.data.readers.workbooks import excel
from workbench.data.reading import preview, read_table
from workbench.data.text import ending_ahead, reading_plan, row_text
from workbench.data.text.stream import text_stream
from workbench.data.text.stream.text_encoding import find_encoding
from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from random import Random

    from workbench.data.table import Table

HEADS, BLOCKS, WHOLE = (64, 256), (48, 200), 1 << 22
LONG_HEAD, SHOWN = 1 << 13, 128


def check_long(path: Path, rng: Random) -> None:
    """Read a text in blocks of several lengths, taken apart by kernels or not: the table is the same."""
    head, block, settled = rng.choice(HEADS), rng.choice(BLOCKS), _settled(path.read_bytes())
    with read_as_long(head, block, by_kernels=True):
        try:
            preview(path, settled)
        except WorkbenchError as error:
            one_line(str(error))
        scored = gone_through(path, settled)
    in_blocks = _read(path, settled, head, block, by_kernels=True)
    at_once = _read(path, settled, head, WHOLE, by_kernels=False)
    if isinstance(in_blocks, str) or isinstance(at_once, str):
        if type(in_blocks) is not type(at_once):
            raise WrongSilence(f"{in_blocks!r:.200} in blocks, {at_once!r:.200} at once")
        raise WorkbenchError(str(in_blocks))
    check_table(in_blocks)
    if scored != (in_blocks.names, in_blocks.n_rows):
        raise WrongSilence("chunks of the columns and rows that are read")
    if (differ := _difference(in_blocks, at_once)) is not None:
        raise WrongSilence(f"another {differ} in blocks than at once")


def _settled(data: bytes) -> ReadOptions:
    """Settle what is judged by one block alone: the end of the table, and an encoding other than UTF-8."""
    found = find_encoding(data)
    is_other = found in (None, "utf-8") and not _is_utf8(data)
    return ReadOptions(footer=False, encoding="cp1252" if is_other else found)


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


@contextmanager
def read_as_long(head: int, block: int, *, by_kernels: bool) -> Iterator[None]:
    """Let a text of more bytes than `head` be a long one."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (as_text, delimited, excel, folder, source):
            patch.setattr(module, "HEAD_BYTES", head)
        patch.setattr(delimited, "LONG_HEAD_BYTES", LONG_HEAD)
        patch.setattr(delimited, "PREVIEW_BYTES", SHOWN)
        patch.setattr(ending_ahead, "TAIL_BYTES", SHOWN)
        patch.setattr(row_text, "ENDING_BYTES", block)
        patch.setattr(text_stream.TextStream.__init__, "__defaults__", (block,))
        patch.setattr(reading_plan, "kernels_ready", lambda **_: by_kernels)
        yield


def _read(path: Path, settled: ReadOptions, head: int, block: int, *, by_kernels: bool) -> Table | str:
    with read_as_long(head, block, by_kernels=by_kernels):
        try:
            return read_table(path, options=settled)
        except WorkbenchError as error:
            one_line(str(error))
            return str(error)


def _difference(one: Table, other: Table) -> str | None:
    """Return in what two tables differ."""
    if one.names != other.names or one.n_rows != other.n_rows:
        return "number of rows or columns"
    for a, b in zip(one.columns, other.columns, strict=True):
        if (a.kind, a.categories) != (b.kind, b.categories):
            return f"kind of column {a.kind} {b.kind}"
        if not np.array_equal(a.values, b.values, equal_nan=True):
            return "value"
    return None
