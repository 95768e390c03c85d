"""A folder of text tables is one table: by name, with types found over all rows."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.data.making import labels_of, said
from tests.examples import examples
from workbench.data.readers.options import ReadOptions
from workbench.data.reading import preview, read_table
from workbench.data.roles import guess_roles
from workbench.errors import Cancelled, WorkbenchError

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "sales"
    made.mkdir()
    (made / "part 2.csv").write_text("c;x\nb;2,5\nNA;3\n")
    (made / "part 10.csv").write_bytes("x,c\n1e3,größe\n".encode("cp1252"))
    (made / "part 1.csv.gz").write_bytes(gzip.compress(b"# made today\nx\tc\n1\ta\n\n"))
    (made / "notes.txt").write_text("not a table")
    (made / ".hidden.csv").write_text("y\n1\n")
    (made / "more").mkdir()
    return made


def test_the_files_stand_below_one_another_by_name(folder: Path) -> None:
    read = read_table(folder)
    assert (read.name, read.names) == ("sales", ("x", "c", "file"))
    np.testing.assert_array_equal(read.column("x").values, np.float32([1, 2.5, 3, 1000]))
    assert labels_of(read.column("c")) == ["a", "b", None, "größe"]
    names = ["part 1.csv.gz", "part 2.csv", "part 2.csv", "part 10.csv"]
    assert labels_of(read.column("file")) == names
    assert "part 10.csv: The file is not UTF-8 (first in line 2), so it is read as Windows-1252" in said(read)
    assert "part 1.csv.gz: 1 line at the start left out as comments (first line 1)" in said(read)
    assert "Other files in the folder are left out: 'notes.txt'" in said(read)


def test_what_is_called_a_table_and_is_no_file_is_named(folder: Path) -> None:
    """Nobody waits for it, and nobody takes the table for whole."""
    (folder / "part 3.csv").symlink_to("/dev/zero")
    (folder / "part 4.csv").symlink_to(folder / "nothing")
    (folder / "part 5.csv").symlink_to(folder / "part 5.csv")
    read = read_table(folder)
    assert read.n_rows == 4
    left_out = "left out: 'notes.txt', 'part 3.csv', 'part 4.csv' and 1 more"
    assert left_out in said(read)


def test_other_columns_are_refused_with_the_name_of_the_file(folder: Path) -> None:
    (folder / "part 3.csv").write_text("x,d,e\n1,2,3\n")
    with pytest.raises(WorkbenchError, match=r"'part 3.csv' has no column 'c' and has 'd', 'e' besides"):
        read_table(folder)


def test_a_line_that_cannot_be_read_is_told_with_its_file(folder: Path) -> None:
    (folder / "part 2.csv").write_text("x,c\n1,a\n1,a,7\n")
    with pytest.raises(WorkbenchError, match=r"^'part 2.csv': Line 3 has 3 fields.*: 1,a,7$"):
        read_table(folder)


def test_options_hold_for_every_file(folder: Path) -> None:
    (folder / "part 10.csv").write_text("x;c\n007;NA\n")
    kinds = (("x", "category"),)
    read = read_table(folder, options=ReadOptions(missing=("a",), usual_missing=False, kinds=kinds))
    assert labels_of(read.column("x")) == ["1", "2,5", "3", "007"]
    assert labels_of(read.column("c")) == [None, "b", "NA", "NA"]


def test_a_preview_shows_the_first_file(folder: Path) -> None:
    seen = preview(folder)
    assert seen is not None
    assert (seen.table.names, seen.is_whole) == (("x", "c"), False)
    assert "part" not in seen.uses


def test_folders_that_are_no_table(tmp_path: Path, folder: Path) -> None:
    with pytest.raises(WorkbenchError, match="a folder without CSV files"):
        read_table(tmp_path)
    (tmp_path / "0.parquet").touch()
    with pytest.raises(WorkbenchError, match=r"a folder of Parquet; .*--cluster"):
        read_table(tmp_path)
    with pytest.raises(WorkbenchError, match=r"'s3://place/loans' is an address; .*--cluster"):
        read_table("s3://place/loans/")
    with pytest.raises(Cancelled):
        read_table(folder, cancelled=lambda: True)


def test_a_folder_tells_its_progress_as_one_table_and_is_left_at_once(tmp_path: Path) -> None:
    for number in range(200):
        (tmp_path / f"{number}.csv").write_text("a,b\n1,x\n2,y\n")
    told: list[tuple[int, int]] = []
    assert read_table(tmp_path, progress=lambda done, total: told.append((done, total))).n_rows == 400
    while_merged = told[:200]
    assert [done for done, _ in while_merged] == list(range(2, 402, 2))
    assert {total for _, total in while_merged} == {400}
    asked = []
    with pytest.raises(Cancelled):
        read_table(tmp_path, cancelled=lambda: len(asked) > 250 or bool(asked.append(1)))
    assert len(asked) == 251, "while files are listed, and at each of them"


def test_the_name_of_a_file_is_neither_predicted_nor_asked_about(tmp_path: Path) -> None:
    for name in ("jan", "feb"):
        (tmp_path / f"{name}.csv").write_text("a,b,c\n1,2,3\n2,3,5\n3,4,1\n4,5,9\n")
    roles = guess_roles(read_table(tmp_path))
    assert roles == {"a": "feature", "b": "feature", "c": "target", "file": "ignore"}


def test_one_file_needs_no_column_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x file\n1 2\n3 4\n")
    assert read_table(tmp_path).names == ("x", "file")
    (tmp_path / "b.txt").write_text("x file\n5 6\n")
    assert read_table(tmp_path).names == ("x", "file", "file (2)")


TEXT = st.text(st.sampled_from('ab,;"\' 1.5é\n'), max_size=6)


@given(st.lists(st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=5), min_size=1, max_size=3))
@examples(50)
def test_a_folder_is_what_its_files_are_behind_one_another(
    tmp_path_factory: pytest.TempPathFactory, files: list[list[tuple[str, str]]]
) -> None:
    import csv

    folder, whole = tmp_path_factory.mktemp("parts"), tmp_path_factory.mktemp("whole") / "all.csv"
    rows = [(f"k{a}", f"k{b}") for file in files for a, b in file]
    for path, part in ((whole, rows), *((folder / f"{n}.csv", [(f"k{a}", f"k{b}") for a, b in file])
                                        for n, file in enumerate(files))):  # fmt: skip
        with path.open("w", encoding="utf-8", newline="") as out:
            csv.writer(out).writerows([("u", "v"), *part])
    options = ReadOptions(separator=",", header=True, encoding="utf-8", usual_missing=False)
    expected, read = read_table(whole, options=options), read_table(folder, options=options)
    for name in ("u", "v"):
        assert labels_of(read.column(name)) == labels_of(expected.column(name))
