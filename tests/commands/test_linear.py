"""A linear model on the command line: trained, inspected, and refused where trees are wanted."""

from __future__ import annotations

import json

import pytest

from workbench.__main__ import main
from workbench.data.samples import sample_file


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    path = tmp_path_factory.mktemp("linear") / "model.plain.json"
    flags = ["--target", "disease", "--method", "linear", "--l1-ratio", "1", "--rounds", "10", "--quiet"]
    assert main(["train", str(sample_file("heart_disease")), *flags, "--export", str(path)]) == 0
    return path


def test_inspect_tells_the_formula(trained, capsys):
    assert main(["inspect", str(trained)]) == 0
    told = capsys.readouterr().out
    assert "coefficient (standardised)" in told
    assert "major_vessels" in told
    assert "Gain by column" not in told
    assert main(["inspect", str(trained), "--json"]) == 0
    formula = json.loads(capsys.readouterr().out)["formulas"][0]
    sizes = [abs(term["coefficient"]) for term in formula["terms"]]
    assert sizes == sorted(sizes, reverse=True)


def test_a_format_of_trees_is_refused_in_a_line(trained, tmp_path, capsys):
    assert main(["convert", str(trained), "--to", "sql", "--output", str(tmp_path / "m.sql")]) == 2
    assert "Write it as readable JSON" in capsys.readouterr().err
    table = str(sample_file("heart_disease"))
    flags = ["--target", "disease", "--method", "linear", "--export", str(tmp_path / "m.py")]
    assert main(["train", table, *flags]) == 2
    assert "A linear model has no trees" in capsys.readouterr().err
