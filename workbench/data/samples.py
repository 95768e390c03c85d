"""The tables that come with the program."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from workbench.errors import WorkbenchError
from workbench.resources import sample_path

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True)
class SampleTable:
    """A table as the welcome screen shows it, without reading it.

    Attributes
    ----------
    name : str
        File name without its suffix.
    title : str
        "breast cancer".
    file : str
    rows, columns : int
    task : str
        One word or two for the screen: "binary", "count", "ranking".
    target : str
    shows : str
        What it is good for, in a short phrase.
    counts : tuple of int
        Distribution of the target: rows per class, largest first, or per bin.
    classes : bool
        Whether `counts` belong to classes.
    simulated : bool
    objective : str or None
        What it is there to show, where that does not follow from the target.
    weight, group : str or None
        Columns of these roles.
    drop : tuple of str
        Columns to ignore.
    """

    name: str
    title: str
    file: str
    rows: int
    columns: int
    task: str
    target: str
    shows: str
    counts: tuple[int, ...]
    classes: bool
    simulated: bool = False
    objective: str | None = None
    weight: str | None = None
    group: str | None = None
    drop: tuple[str, ...] = ()

    @property
    def path(self) -> Path:
        """Where the file is."""
        return sample_path(self.file)


def sample(name: str) -> SampleTable:
    """Return the sample called `name`."""
    for item in SAMPLES:
        if item.name == name:
            return item
    known = ", ".join(item.name for item in SAMPLES)
    raise WorkbenchError(f"There is no sample called '{name}'. Known: {known}.")


def sample_file(name: str) -> Path:
    """Return the path of the sample called `name`."""
    return sample(name).path


def sample_at(path: Path) -> SampleTable | None:
    """Return the sample that a file is; None for any other file."""
    return next((item for item in SAMPLES if item.file == path.name and item.path == path), None)


def _sample_of(record: dict[str, Any]) -> SampleTable:
    return SampleTable(
        name=record["file"].removesuffix(".csv"),
        title=record["short_title"],
        file=record["file"],
        rows=record["rows"],
        columns=record["columns"],
        task=record["short_task"],
        target=record["target"],
        shows=record["shows"],
        counts=tuple(record["target_counts"]),
        classes=record["target_classes"],
        simulated=record.get("simulated", False),
        objective=record.get("objective"),
        weight=record.get("weight"),
        group=record.get("group"),
        drop=tuple(record.get("drop", ())),
    )


def _read_manifest() -> tuple[SampleTable, ...]:
    records = json.loads(sample_path("manifest.json").read_text(encoding="utf-8"))
    return tuple(map(_sample_of, records))


SAMPLES = _read_manifest()
