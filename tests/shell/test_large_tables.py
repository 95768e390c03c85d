"""A table larger than memory is sampled or kept on disk; a long reading tells progress and is cancelled."""

from __future__ import annotations

import gzip
import threading
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from workbench.data import room
from workbench.data.text.row_text import RowText
from workbench.data.text.rows_read import RowsRead
from workbench.data.text.stream import text_stream
from workbench.mapped import is_mapped

if TYPE_CHECKING:
    from pathlib import Path

LONG = 30_000


def large(folder: Path, name: str = "large.csv") -> Path:
    path = folder / name
    rows = ("x,y\n" + "".join(f"{n}.5,{n % 7}\n" for n in range(100_000))).encode()
    path.write_bytes(gzip.compress(rows) if path.suffix == ".gz" else rows)
    return path


def buttons(strip: Any) -> dict[str, QPushButton]:
    return {button.text(): button for button in strip.findChildren(QPushButton) if button.text()}


def click(qtbot: Any, button: QPushButton) -> None:
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


@pytest.mark.slow
@pytest.mark.sampled
@pytest.mark.parametrize("name", ["large.csv", "large.csv.gz"])
def test_what_does_not_fit_is_opened_as_a_sample(
    window: Any, qtbot: Any, tmp_path: Path, monkeypatch: Any, name: str
) -> None:
    monkeypatch.setattr("workbench.memory.free_bytes", lambda: 250_000)
    monkeypatch.setattr(text_stream.TextStream.__init__, "__defaults__", (4096,))
    window.open_path(large(tmp_path, name))
    strip = window.frame.strip
    qtbot.waitUntil(lambda: any(word.startswith("Read ") for word in buttons(strip)), timeout=LONG)
    assert "rows × 2 columns" in strip.text
    assert "--sample" not in strip.text
    assert window.session.data.table is None
    word, button = next((w, b) for w, b in buttons(strip).items() if w.startswith("Read "))
    click(qtbot, button)
    qtbot.waitUntil(lambda: window.session.data.table is not None, timeout=LONG)
    table = window.session.data.table
    assert f"Read {table.n_rows:,} rows" in word
    assert any(note.text.startswith(f"A sample: {table.n_rows:,} of 100,000 rows") for note in table.notes)


def test_what_does_not_fit_is_kept_on_disk(
    window: Any, qtbot: Any, tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.setattr("workbench.memory.free_bytes", lambda: 600_000)
    monkeypatch.setattr(text_stream.TextStream.__init__, "__defaults__", (1 << 16,))
    path = tmp_path / "wide.csv"
    line = ",".join(["1.5"] * 29)
    header = ",".join(f"x{place}" for place in range(30))
    path.write_text(f"{header}\n" + "".join(f"{line},{n}\n" for n in range(10_000)))
    window.open_path(path)
    strip = window.frame.strip
    word = "Keep it on disk: slower, but whole"
    qtbot.waitUntil(lambda: word in buttons(strip), timeout=LONG)
    assert any(other.startswith("Read ") for other in buttons(strip))
    click(qtbot, buttons(strip)[word])
    qtbot.waitUntil(lambda: window.session.data.table is not None, timeout=LONG)
    assert window.session.data.table.n_rows == 10_000
    assert all(is_mapped(column.values) for column in window.session.data.table.columns)


def test_reading_is_cancelled_by_its_button(
    window: Any, qtbot: Any, tmp_path: Path, monkeypatch: Any
) -> None:
    go_on, over = threading.Event(), threading.Event()
    pieces, told = RowText.__iter__, RowsRead.tell

    def slow(self: RowText) -> Any:
        try:
            yield from pieces(self)
        finally:
            over.set()

    def tell(self: RowsRead, share: float) -> None:
        told(self, share)
        go_on.wait(LONG / 1000)

    monkeypatch.setattr(text_stream.TextStream.__init__, "__defaults__", (4096,))
    monkeypatch.setattr(RowText, "__iter__", slow)
    monkeypatch.setattr(RowsRead, "tell", tell)
    window.open_path(large(tmp_path))
    strip = window.frame.waiting
    qtbot.waitUntil(lambda: strip.isVisible() and "Cancel" in buttons(strip), timeout=LONG)
    button = buttons(strip)["Cancel"]
    window.documents.progressed.emit(300, 1200)
    assert "300 rows so far, 25 %" in strip.text
    assert buttons(strip)["Cancel"] is button, "a button that is replaced loses the click"
    click(qtbot, button)
    assert not strip.isVisible()
    go_on.set()
    assert over.wait(LONG / 1000)
    assert window.session.data.table is None


@pytest.mark.slow
def test_what_is_too_large_to_train_on_in_memory_is_kept_on_disk_with_its_roles(
    window: Any, qtbot: Any, tmp_path: Path, monkeypatch: Any
) -> None:
    path = tmp_path / "long.csv"
    path.write_text("a,b,c,y\n" + "".join(f"{n}.5,{n % 3},{n % 5},{n % 7}\n" for n in range(2000)))
    window.open_path(path)
    session, strip = window.session, window.frame.notice
    qtbot.waitUntil(lambda: not window.frame.on_welcome, timeout=LONG)
    session.data.set_role("c", "target")
    session.data.set_role("b", "ignore")
    session.data.set_objective("squared")
    plan = session.data.plan
    monkeypatch.setattr("workbench.memory.free_bytes", lambda: 210_000)
    click(qtbot, window.frame.transport.primary_button)
    word = "Keep it on disk: slower, but whole"
    qtbot.waitUntil(lambda: word in buttons(strip), timeout=LONG)
    assert "to train on 2,000 rows × 2 columns" in strip.text
    assert "--map" not in strip.text
    monkeypatch.setattr("workbench.memory.free_bytes", lambda: None)
    click(qtbot, buttons(strip)[word])
    qtbot.waitUntil(lambda: is_mapped(session.data.table.columns[0].values), timeout=LONG)
    assert session.data.plan == plan
    assert session.notices.current is None
    window.runs.start()
    qtbot.waitUntil(lambda: session.shown.run is not None and bool(session.shown.run.rounds), timeout=LONG)
    window.runs.stop()


@pytest.mark.slow
def test_what_unpacks_beyond_proportion_is_read_when_the_person_says_so(
    window: Any, qtbot: Any, tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.setattr(room, "MUCH_TEXT", 1 << 17)
    monkeypatch.setattr(room, "TOLD_BY", 1 << 15)
    monkeypatch.setattr(text_stream.TextStream.__init__, "__defaults__", (1 << 13,))
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(b"x,y\n" + b"7,7\n" * 50_000))
    window.open_path(path)
    strip = window.frame.strip
    qtbot.waitUntil(lambda: "Read all of it" in buttons(strip), timeout=LONG)
    assert "times as much" in strip.text
    assert "--unpack-all" not in strip.text
    assert window.session.data.table is None
    click(qtbot, buttons(strip)["Read all of it"])
    qtbot.waitUntil(lambda: window.session.data.table is not None, timeout=LONG)
    assert window.session.data.table.n_rows == 50_000
