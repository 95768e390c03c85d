"""The shipped tables are as their manifest says, and the simulated ones can be made again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from workbench.data.reading import read_table
from workbench.data.samples import SAMPLES, SampleTable, sample_file
from workbench.data.simulate import SIMULATIONS, write
from workbench.errors import WorkbenchError
from workbench.session.opening.open_file import first_plan

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_manifest_tells_the_truth(sample: SampleTable) -> None:
    read = read_table(sample_file(sample.name))
    assert (read.n_rows, len(read.columns)) == (sample.rows, sample.columns)
    target = read.column(sample.target)
    assert sum(sample.counts) == read.n_rows - target.missing
    assert not sample.classes or list(sample.counts) == sorted(sample.counts, reverse=True)
    assert set(sample.drop) <= set(read.names)
    assert not any(note.severity == "warning" for note in read.notes if note.column == sample.target)


@pytest.mark.parametrize(
    ("name", "objective"),
    [("bike_rentals", "poisson"), ("baking_contest_ranking", "lambdarank"), ("fuel_economy", "squared"),
     ("penguins", "softmax")],
)  # fmt: skip
def test_a_sample_is_opened_with_what_it_is_there_to_show(name: str, objective: str, tmp_path: Path) -> None:
    path = sample_file(name)
    plan = first_plan(read_table(path), path)
    assert (plan.objective, plan.target_guessed) == (objective, True)
    assert plan.has_groups == (objective == "lambdarank")
    copy = tmp_path / path.name
    copy.write_bytes(path.read_bytes())
    assert first_plan(read_table(copy), copy).objective != "lambdarank"  # a person's own file


def test_simulated_tables_are_made_again_bit_for_bit(tmp_path: Path) -> None:
    write(tmp_path)
    assert sorted(SIMULATIONS) == sorted(sample.name for sample in SAMPLES if sample.simulated)
    for name in SIMULATIONS:
        assert (tmp_path / f"{name}.csv").read_bytes() == sample_file(name).read_bytes()


def test_an_unknown_sample_is_refused() -> None:
    with pytest.raises(WorkbenchError, match="no sample called 'nowhere'"):
        sample_file("nowhere")
