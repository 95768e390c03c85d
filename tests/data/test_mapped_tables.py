"""A table kept on disk is the one that memory would hold, makes the same models and leaves nothing behind."""

from __future__ import annotations

import errno
import gc
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from workbench import mapped
from workbench.api import train_dataset
from workbench.data.dataset import build_dataset
from workbench.data.readers.options import ReadOptions
from workbench.data.reading import read_table
from workbench.data.room import TooLarge, TooLargeToTrain
from workbench.data.text.stream import text_stream
from workbench.data.values.column_types import change_kind
from workbench.errors import OutputError, WorkbenchError
from workbench.formats.snapshot import model_from_events
from workbench.mapped import is_mapped
from workbench.parameters.training import TrainingParams

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.data.making import Write
    from workbench.data.dataset import Dataset
    from workbench.data.table import Table

MIB = 1 << 20
ROWS = 3000
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="the kernel tells open files and memory in /proc")


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch, small_head: None, small_blocks: None) -> None:
    """As of a large file, and arrays of any size are worth one."""
    monkeypatch.setattr(mapped, "LEAST_BYTES", 1)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "kept"
    made.mkdir()
    return made


def mixed(write: Write) -> Path:
    """Numbers with gaps, identifiers, texts, dates with a time, a column that turns to text, a target."""
    lines = [
        f"{n % 97 / 8},{'' if n % 11 == 0 else n * 0.37},{16_777_217 + n},w{n % 40},"
        f"2020-01-{1 + n % 28:02} 07:30,"
        f"{n if n < 2000 else f'{n}x'},{'' if n % 500 == 3 else 'no' if n * n % 97 < 40 else 'yes'}"
        for n in range(ROWS)
    ]
    return write("a,gaps,id,word,day,late,y\n" + "\n".join(lines) + "\n")


def dataset_of(table: Table) -> Dataset:
    roles: Any = dict.fromkeys(table.names, "feature") | {"y": "target"}
    return build_dataset(table, roles, "binary")


def open_files(folder: Path) -> list[str]:
    """Files of the folder that are still open, whatever became of their names."""
    found = []
    for link in Path("/proc/self/fd").iterdir():
        try:
            found.append(str(link.readlink()))
        except FileNotFoundError:  # of the listing itself
            continue
    return [name for name in found if name.startswith(f"{folder}/")]


def trees_of(data: Dataset, **chosen: Any) -> list[bytes]:
    params = TrainingParams(objective="logistic", rounds=3, **chosen)
    model = model_from_events(data.schema, train_dataset(data, params))
    more = model_from_events(data.schema, train_dataset(data, params, None, model))
    return [tree.nodes.tobytes() + tree.category_codes.tobytes() for tree in more.trees]


@pytest.mark.usefixtures("small_pieces")
def test_every_column_is_the_same(write: Write, folder: Path) -> None:
    path = mixed(write)
    known, table = read_table(path), read_table(path, options=ReadOptions(map_folder=str(folder)))
    assert table.notes == known.notes
    assert {column.kind for column in table.columns} == {"number", "category", "date", "boolean"}
    for one, other in zip(table.columns, known.columns, strict=True):
        assert is_mapped(one.values)
        assert not is_mapped(other.values)
        assert (one.name, one.kind, one.categories, one.collapsed) == (
            other.name, other.kind, other.categories, other.collapsed
        )  # fmt: skip
        np.testing.assert_array_equal(one.values, other.values)
        assert (one.exact is None) == (other.exact is None)
        if one.exact is not None:
            assert is_mapped(one.exact)
            np.testing.assert_array_equal(one.exact, other.exact)
    changed, _ = change_kind(table.column("a"), "category")
    assert is_mapped(changed.values)


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("chosen", [
    {}, {"tree_method": "exact"}, {"tree_method": "approx"}, {"min_leaf_rows": 20, "max_bin": 1000},
])  # fmt: skip
def test_the_model_is_the_same_bit_for_bit(write: Write, folder: Path, chosen: Any) -> None:
    path = mixed(write)
    data = dataset_of(read_table(path, options=ReadOptions(map_folder=str(folder))))
    known = dataset_of(read_table(path))
    assert is_mapped(data.features)
    assert 0 < data.dropped < ROWS
    np.testing.assert_array_equal(data.features, known.features)
    assert trees_of(data, **chosen) == trees_of(known, **chosen)


@LINUX
@pytest.mark.usefixtures("small_pieces")
def test_no_file_has_a_name_and_none_is_left(write: Write, folder: Path) -> None:
    table: Table | None = read_table(mixed(write), options=ReadOptions(map_folder=str(folder)))
    data: Dataset | None = dataset_of(table)
    assert len(open_files(folder)) >= 2
    assert list(folder.iterdir()) == [], "a crash would leave it"
    table = None
    gc.collect()
    assert open_files(folder), "the matrix is needed"
    assert data is not None
    data = None
    gc.collect()
    assert open_files(folder) == []


def test_many_columns_share_few_files(folder: Path) -> None:
    space = mapped.MappedSpace(str(folder))
    arrays = [space.empty(1000, np.float32) for _ in range(3000)]
    for number, array in enumerate(arrays):
        array[:] = number
    assert len({id(array.base) for array in arrays}) == 1
    assert [array[0] + array[-1] for array in arrays] == [2 * number for number in range(3000)]


@LINUX
@pytest.mark.parametrize("asks", [True, False])
def test_every_byte_has_its_place_on_the_disk(
    folder: Path, monkeypatch: pytest.MonkeyPatch, asks: bool
) -> None:
    """Also where a system cannot be asked for it; to write into a hole of a full disk ends the program."""
    if not asks:
        monkeypatch.delattr(os, "posix_fallocate")
    space = mapped.MappedSpace(str(folder))
    array = space.empty(3 * MIB + 1, np.uint8)
    links = (link for link in Path("/proc/self/fd").iterdir() if link.is_symlink())
    sizes = [link.stat() for link in links if str(link.readlink()).startswith(f"{folder}/")]
    assert [512 * size.st_blocks >= size.st_size > len(array) for size in sizes] == [True]
    assert not array.any()


@pytest.fixture
def wide(write: Write, monkeypatch: pytest.MonkeyPatch) -> Path:
    """10,000 rows of 30 columns, and memory for a third of them."""
    monkeypatch.setattr(text_stream.TextStream.__init__, "__defaults__", (1 << 16,))
    monkeypatch.setattr("workbench.memory.free_bytes", lambda: 600_000)
    line = ",".join(["1.5"] * 30)
    return write(",".join(f"x{place}" for place in range(30)) + "\n" + f"{line}\n" * 10_000)


def test_what_does_not_fit_is_refused_sampled_or_mapped(wide: Path, folder: Path) -> None:
    """One line names every way, and each of them leads on."""
    with pytest.raises(TooLarge, match=r"--sample-rows \d+.*--map.*close other programs") as caught:
        read_table(wide)
    assert "\n" not in str(caught.value)
    assert caught.value.can_be_mapped
    sample = read_table(wide, options=ReadOptions(sample_rows=caught.value.sample))
    assert 500 < sample.n_rows == caught.value.sample < 2000
    table = read_table(wide, options=ReadOptions(map_folder=str(folder)))
    assert (table.n_rows, len(table.columns)) == (10_000, 30)
    assert all(is_mapped(column.values) and (column.values == 1.5).all() for column in table.columns)


def test_free_disk_is_asked_before(wide: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[int] = []
    monkeypatch.setattr(mapped, "_file_of", lambda size, _: taken.append(size))
    monkeypatch.setattr(mapped, "free_on_disk", lambda _: 1_000_000.0)
    monkeypatch.setattr("workbench.data.room.free_on_disk", lambda _: 1_000_000.0)
    with pytest.raises(TooLarge) as caught:
        read_table(wide, options=ReadOptions(map_folder=str(folder)))
    assert str(folder) in str(caught.value)
    assert "1 MiB are free there" in str(caught.value)
    assert not caught.value.can_be_mapped
    assert caught.value.sample
    assert taken == []
    monkeypatch.setattr("workbench.memory.free_bytes", lambda: 1 << 40)
    with pytest.raises(TooLarge, match=r"free there\. Read it into memory, where there is room, or close"):
        read_table(wide, options=ReadOptions(map_folder=str(folder)))


def test_memory_that_mapping_takes_itself_is_asked(write: Write, folder: Path, wide: Path) -> None:
    narrow = write("x,y\n" + "1.5,2\n" * 100_000, "narrow.csv")
    for map_folder in (None, str(folder)):
        with pytest.raises(TooLarge) as caught:
            read_table(narrow, options=ReadOptions(map_folder=map_folder))
        assert "--map" not in str(caught.value), "of two columns as much is needed while they are read"


@pytest.mark.skipif(not hasattr(os, "posix_fallocate"), reason="files are allocated by writing to them")
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO])
def test_a_disk_that_gives_out_is_told(
    write: Write, folder: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def refuse(*_: Any) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "posix_fallocate", refuse)
    with pytest.raises(OutputError) as caught:
        read_table(mixed(write), options=ReadOptions(map_folder=str(folder)))
    assert os.strerror(number).lower() in str(caught.value)
    assert str(folder) in str(caught.value)
    assert "--map-folder" in str(caught.value)
    assert list(folder.iterdir()) == []


@pytest.fixture
def largest_file() -> Iterator[int]:
    """A limit of this process on the size of files, as a quota would be one."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (MIB, before[1]))
    yield MIB
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_real_limit_is_met_before_anything_is_written(folder: Path, largest_file: int) -> None:
    """Not when a page is touched, where the program would end."""
    with pytest.raises(OutputError, match="too large"):
        mapped.MappedSpace(str(folder)).empty(2 * largest_file, np.uint8)


def test_folders_that_cannot_be_are_told(write: Write, tmp_path: Path) -> None:
    path = mixed(write)
    for name in (tmp_path / "nowhere", path):
        with pytest.raises(WorkbenchError) as caught:
            read_table(path, options=ReadOptions(map_folder=str(name)))
        assert str(name) in str(caught.value)
        assert "--map-folder" in str(caught.value)


@LINUX
def test_a_folder_in_memory_is_refused_and_the_usual_one_avoided(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    status = tmp_path.stat()
    device = f"{os.major(status.st_dev)}:{os.minor(status.st_dev)}"
    mounts = write(f"1 0 {device} / / rw - tmpfs tmpfs rw\n", "mounts")
    monkeypatch.setattr(mapped, "MOUNTS", mounts)
    with pytest.raises(WorkbenchError, match="held in memory"):
        read_table(mixed(write), options=ReadOptions(map_folder=str(tmp_path)))
    monkeypatch.setattr(mapped.tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(mapped, "DISK_FOLDER", Path("/proc"))
    assert mapped.usual_folder() == "/proc"


def test_parquet_is_mapped_too(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pandas, _ = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    frame = pandas.DataFrame({f"x{place}": np.arange(5000) / 7 + place for place in range(20)})
    frame["word"] = [f"w{number % 9}" for number in range(5000)]
    frame.to_parquet(tmp_path / "t.parquet")
    known = read_table(tmp_path / "t.parquet")
    monkeypatch.setattr("workbench.memory.free_bytes", lambda: 300_000)
    with pytest.raises(TooLarge, match=r"Keep it on disk \(--map") as caught:
        read_table(tmp_path / "t.parquet")
    assert "--sample" not in str(caught.value), "of text tables only"
    table = read_table(tmp_path / "t.parquet", options=ReadOptions(map_folder=str(folder)))
    for one, other in zip(table.columns, known.columns, strict=True):
        assert is_mapped(one.values)
        np.testing.assert_array_equal(one.values, other.values)


def test_a_matrix_that_somebody_mapped_stays_on_disk(tmp_path: Path) -> None:
    """Bins of an np.memmap are no copy of it in memory."""
    from workbench.trees.bins.binning import bin_rows
    from workbench.trees.bins.cuts import find_cuts

    values = np.random.default_rng(0).normal(size=(200_000, 10)).astype(np.float32)
    features = np.memmap(tmp_path / "x", np.float32, "w+", shape=values.shape)
    features[:] = values
    rows = np.arange(len(values))
    cuts = find_cuts(values, rows, (0,) * 10, 255)
    binned, known = bin_rows(features, rows, cuts), bin_rows(values, rows, cuts)
    assert is_mapped(binned.records)
    assert is_mapped(binned.by_column)
    assert not is_mapped(known.records)
    np.testing.assert_array_equal(binned.records, known.records)


MEASURED = """
import gc, json, sys
from pathlib import Path
from workbench.data.dataset import build_dataset
from workbench.data.reading import read_table
from workbench.data.readers.options import ReadOptions

def now():
    lines = Path("/proc/self/status").read_text().splitlines()
    sizes = {line.split(":")[0]: line.split()[1:2] for line in lines}
    return [1024 * int(sizes[name][0]) for name in ("RssAnon", "RssFile")]

path, warm, folder = sys.argv[1:]
roles = {f"x{place}": "feature" for place in range(99)} | {"x99": "target"}
build_dataset(read_table(warm), roles, "regression")
gc.collect()
before = now()
table = read_table(path, options=ReadOptions(map_folder=folder))
data = build_dataset(table, roles, "regression")
gc.collect()
print(json.dumps([a - b for a, b in zip(now(), before)]))
"""


@pytest.mark.slow
@LINUX
def test_memory_of_its_own_does_not_grow_with_the_columns(tmp_path: Path, folder: Path) -> None:
    rows, columns = 50_000, 100
    header = ",".join(f"x{place}" for place in range(columns)) + "\n"
    rows_of = (",".join(str((n * 7 + place) % 99 / 4) for place in range(columns)) for n in range(1000))
    lines = "".join(f"{row}\n" for row in rows_of)
    for name, times in (("large.csv", rows // 1000), ("small.csv", 5)):
        with (tmp_path / name).open("w") as file:
            file.write(header)
            file.writelines([lines] * times)
    size = rows * columns * 4
    command = [sys.executable, "-c", MEASURED, tmp_path / "large.csv", tmp_path / "small.csv", folder]
    given_back = os.environ | {"MALLOC_ARENA_MAX": "1", "MALLOC_MMAP_THRESHOLD_": "65536"}  # at once
    done = subprocess.run(command, capture_output=True, text=True, timeout=200, check=False, env=given_back)
    assert done.returncode == 0, done.stderr[-800:]
    anonymous, files = json.loads(done.stdout)
    assert files > 1.9 * size, "table and matrix"
    assert anonymous < 0.5 * size


def test_memory_to_train_is_asked_before(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    table = read_table(mixed(write))
    monkeypatch.setattr("workbench.memory.free_bytes", lambda: 200_000)
    with pytest.raises(WorkbenchError, match=r"to train on 2,99\d rows × 6 columns") as refused:
        dataset_of(table)
    assert "--map" not in str(refused.value)
    monkeypatch.setattr("workbench.memory.free_bytes", lambda: 350_000)
    with pytest.raises(TooLargeToTrain, match=r"Or keep the table on disk \(--map"):
        dataset_of(table)
