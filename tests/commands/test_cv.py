"""`workbench cv` prints what `cross_validate` returns, and names what is wrong in one line."""

from __future__ import annotations

import json

import pandas as pd
import pytest

import workbench
from workbench.__main__ import main
from workbench.data.samples import sample_file

PENGUINS = str(sample_file("penguins"))
FEW = ["--rounds", "4", "--max-depth", "2", "--quiet"]


def test_it_says_what_python_says(tmp_path, capsys) -> None:
    predictions, history = tmp_path / "p.csv", tmp_path / "h.csv"
    told = ["cv", PENGUINS, "--target", "body_mass_g", "--folds", "3", "--fold-seed", "2", *FEW]
    assert main([*told, "--predictions", str(predictions), "--history", str(history), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    frame = pd.read_csv(PENGUINS)
    result = workbench.cross_validate(frame, "body_mass_g", folds=3, fold_seed=2, rounds=4, max_depth=2)
    assert said["mean"]["valid:rmse"] == pytest.approx(result.mean("rmse"), rel=1e-6)
    assert said["sd"]["valid:rmse"] == pytest.approx(result.sd("rmse"), rel=1e-6)
    table = pd.read_csv(predictions)
    assert table.row.tolist() == result.out_of_fold.rows.tolist()
    assert (table.truth == frame.body_mass_g[table.row].to_numpy()).all()
    assert len(pd.read_csv(history)) == 4
    assert main(told) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["fold", "fold", "fold", "fold", "mean", "standard"]


@pytest.mark.parametrize(("flags", "words"), [
    (["--fold-groups", "island", "--folds", "4"], "4 folds need as many groups, and 'island' has 3"),
    (["--fold-groups", "island", "--fold-time", "year"], "clash"),
    (["--fold-time", "island"], "text where dates or numbers are needed"),
    (["--fold-time", "year", "--repeats", "2"], "leave repeats at 1"),
    (["--fold-groups", "isle"], "There is no column 'isle'"),
    (["--folds", "1"], "folds is 1; it must be a whole number 2"),
    (["--predictions", PENGUINS], "penguins"),
])  # fmt: skip
def test_what_cannot_be_is_one_line(capsys, flags, words) -> None:
    assert main(["cv", PENGUINS, "--target", "species", *FEW, *flags]) == 2
    said = capsys.readouterr().err
    assert words in said
    assert len(said.splitlines()) == 1


def test_that_queries_are_cut_is_said(tmp_path, capsys) -> None:
    frame = pd.DataFrame({"q": [1, 1, 2, 2, 3, 3] * 4, "day": [1, 2, 3, 4, 5, 6] * 4, "x": range(24)})
    frame["relevance"] = frame.x % 3
    frame.to_csv(tmp_path / "r.csv", index=False)
    flags = ["--target", "relevance", "--group", "q", "--objective", "lambdarank", "--rounds", "1"]
    said = ["train", str(tmp_path / "r.csv"), *flags, "--export", str(tmp_path / "m.json")]
    assert main([*said, "--valid-fraction", "0.5", "--valid-time", "day"]) == 0
    assert "1 of 3 queries stands in both parts; at random all stay whole." in capsys.readouterr().err
    assert main([*said, "--valid-fraction", "0.3"]) == 0
    assert "both parts" not in capsys.readouterr().err
    assert main(["cv", str(tmp_path / "r.csv"), *flags, "--folds", "3", "--fold-time", "day"]) == 0
    assert "queries stand in both parts" in capsys.readouterr().err


def test_train_holds_rows_out_in_every_way(tmp_path, capsys) -> None:
    model = tmp_path / "m.json"
    told = ["train", PENGUINS, "--target", "species", "--export", str(model), *FEW]
    assert main([*told, "--valid-groups", "island", "--valid-fraction", "0.2"]) == 0
    found = workbench.load_model(model)
    rows = found.held_out(PENGUINS)
    island = pd.read_csv(PENGUINS).island
    assert not set(island[rows.train]) & set(island[rows.valid])
    assert "island" not in found.schema.names
    for flags, words in (
        (["--valid-time", "year"], "needs the share"),
        (["--valid", PENGUINS, "--valid-fraction", "0.2"], "leave --valid-fraction out"),
        (["--valid-column", "sex", "--valid-groups", "island"], "held out in one way"),
        (["--valid-column", "island"], "says 'biscoe'"),
        (["--valid", str(tmp_path / "none.csv")], "none.csv"),
    ):
        assert main([*told, *flags]) == 2
        assert words in capsys.readouterr().err
