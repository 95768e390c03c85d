"""What memory is free, as the system tells it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench import memory

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

MIB = 1 << 20


def test_files_that_the_system_can_put_out_are_free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that was read, or is kept on disk, fills a container with pages of files."""
    (tmp_path / "memory.max").write_text(f"{100 * MIB}\n")
    (tmp_path / "memory.current").write_text(f"{95 * MIB}\n")
    (tmp_path / "memory.stat").write_text(
        f"anon {30 * MIB}\nshmem {5 * MIB}\ninactive_file {40 * MIB}\nactive_file {20 * MIB}\n"
    )
    monkeypatch.setattr(memory, "GROUP", tmp_path)
    monkeypatch.setattr(memory, "MEMORY_INFO", tmp_path / "none")
    assert memory.free_bytes() == 65 * MIB
    (tmp_path / "memory.max").write_text("max\n")
    assert memory.free_bytes() is None
