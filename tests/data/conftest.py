"""A file with given content, and short ones that are read as large files are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from workbench.data.readers import as_text, delimited, folder, source
from workbench.data.readers.workbooks import excel
from workbench.data.text import reading_plan
from workbench.data.text.stream import text_stream

if TYPE_CHECKING:
    from pathlib import Path

    from tests.data.making import Write


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write_file(content: str | bytes, name: str = "table.csv") -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write_file


@pytest.fixture(params=[True, False], ids=["kernels", "pandas"])
def either_way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the regular records of tables that are no short ones apart by the kernels, or by pandas."""
    monkeypatch.setattr(reading_plan, "kernels_ready", lambda **_: request.param)


@pytest.fixture
def small_head(monkeypatch: pytest.MonkeyPatch) -> None:
    """Judge the columns by the first lines only."""
    for module in (as_text, delimited, excel, folder, source):
        monkeypatch.setattr(module, "HEAD_BYTES", 256)


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read some hundred lines at a time."""
    monkeypatch.setattr(text_stream.TextStream.__init__, "__defaults__", (4096,))
