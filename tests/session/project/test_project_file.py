"""A project keeps everything; what is damaged, moved or not ours is said in a line."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest

import workbench
from tests.formats.making import same_tree
from tests.session.project.stories import FRAME, told_story
from workbench.errors import WorkbenchError, WorkbenchWarning
from workbench.session.project import file
from workbench.session.project.gather import Gathering
from workbench.session.project.read import read_project
from workbench.session.project.save import save_project
from workbench.session.project.table_bytes import table_bytes, table_from
from workbench.session.project.tree_bytes import tree_of, tree_record
from workbench.session.project.write import write_blob
from workbench.study.study import Study
from workbench.validation.fold_plan import FoldPlan


@pytest.fixture(scope="module")
def study():
    return told_story()


@pytest.fixture
def project(study, tmp_path):
    study.save(tmp_path / "p.workbench")
    return tmp_path / "p.workbench"


def model_bytes(run, folder):
    run.model.save(folder / "m.json")
    return (folder / "m.json").read_bytes()


def test_everything_is_there_again(study, project, tmp_path):
    again = workbench.open_study(project)
    assert again.history == study.history
    assert again.session.journal.position == study.session.journal.position
    assert [(r.run.name, r.run.card, r.run.branch) for r in again.runs] == [
        (r.run.name, r.run.card, r.run.branch) for r in study.runs]  # fmt: skip
    assert again.session.data.plan == study.session.data.plan
    assert again.session.shown.run.number == study.session.shown.run.number
    for mine, other in zip(again.runs, study.runs, strict=True):
        assert mine.run.wanted == other.run.wanted
        assert mine.script == other.script
        assert model_bytes(mine, tmp_path) == model_bytes(other, tmp_path)


def test_undo_and_redo_outlast_it(project):
    study, again = told_story(), workbench.open_study(project)
    for move in ["undo"] * 40 + ["redo"] * 40:
        for one in (study, again):
            getattr(one, move)()
        mine, other = (one.session for one in (again, study))
        assert mine.journal.position == other.journal.position
        assert [run.number for run in mine.runs] == [run.number for run in other.runs]
        assert [len(run.rounds) for run in mine.runs] == [len(run.rounds) for run in other.runs]
        assert mine.data.plan == other.data.plan
        assert mine.hyperparameters.wanted == other.hyperparameters.wanted
        assert [c.kind for c in mine.data.table.columns] == [c.kind for c in other.data.table.columns]


def test_what_folds_and_refits_said_is_there_again(study, tmp_path):
    one, run = study.session, study.runs[2]
    number, plan = run.run.number, FoldPlan(3, 2, 1)
    said, floor = run.cross_validate(3, 2, seed=1), run.noise_floor(9)
    said.folds[0].valid["rmse"][0] = np.nan
    floor.wanted = 9
    one.validation.put({number: (plan, said)}, {number: floor})
    study.save(tmp_path / "validated.workbench")
    again = workbench.open_study(tmp_path / "validated.workbench")
    validation = again.session.validation
    its = again.session.runs.all[number]
    read = validation.result(its)
    assert validation.plan_used(its) == plan
    assert read.is_whole
    assert repr(read) == repr(said)
    for part in ("train", "valid"):
        for mine, other in zip(read.band("rmse", part), said.band("rmse", part), strict=True):
            np.testing.assert_array_equal(mine, other)
    for mine, other in zip(read.folds, said.folds, strict=True):
        np.testing.assert_array_equal(mine.fold.valid, other.fold.valid)
        np.testing.assert_array_equal(mine.predictions, other.predictions)
        assert mine.is_read
        assert len(mine.ensemble.trees) == len(other.ensemble.trees)
        for one_tree, its_tree in zip(mine.ensemble.trees, other.ensemble.trees, strict=True):
            same_tree(one_tree, its_tree)
    assert validation.measures(its)
    np.testing.assert_array_equal(validation.floor(its).half_width("rmse"), floor.half_width("rmse"))
    one.validation.put({}, {})


def test_folds_of_a_run_that_is_not_there_are_refused(project):
    with closing(sqlite3.connect(project)) as connection, connection:
        text = json.dumps({"folds": [], "floors": [[999, 3, 30, []]]})
        connection.execute("UPDATE facts SET value = ? WHERE name = 'validation'", (text,))
    with pytest.raises(WorkbenchError, match="a run was validated that is not there"):
        workbench.open_study(project)


def test_a_run_goes_on_to_the_same_bits(project, tmp_path):
    study, again = told_story(), workbench.open_study(project)
    for one in (study, again):
        one.runs[0].grow(3)
        one.runs[1].branch(at=6, gamma=0.1).grow()
    for mine, other in zip(again.runs, study.runs, strict=True):
        assert model_bytes(mine, tmp_path) == model_bytes(other, tmp_path)


def test_a_linear_model_and_its_branch_are_there_again_and_go_on_to_the_same_bits(tmp_path):
    study = Study(FRAME, target="y", roles={"n": "ignore"})
    run = study.train(method="linear", rounds=8, l1_ratio=0.5, until=5)
    branch = run.branch(at=3, reg_lambda=0.01).grow()
    same = run.branch(at=3).grow()
    run.grow()
    study.save(tmp_path / "p.workbench")
    again = workbench.open_study(tmp_path / "p.workbench")
    for mine, other in zip(again.runs, study.runs, strict=True):
        for one, two in zip(mine.run.rounds, other.run.rounds, strict=True):
            np.testing.assert_array_equal(one.linear.coefficients, two.linear.coefficients)
            np.testing.assert_array_equal(one.linear.intercepts, two.linear.intercepts)
    assert branch.run.rounds[-1].linear.reg_lambda == 0.01
    ends = [one.run.rounds[-1].linear for one in (run, same)]
    np.testing.assert_array_equal(ends[0].coefficients, ends[1].coefficients)
    np.testing.assert_array_equal(again.runs[0].model.predict(FRAME), study.runs[0].model.predict(FRAME))


def test_what_is_added_is_written_beside_what_is_there(tmp_path):
    """As the window does it: batch after batch into one file."""
    from workbench.session.project.file import create
    from workbench.session.project.write import write

    path, study = tmp_path / "sitting.workbench", Study(FRAME, target="y")
    with closing(create(path)) as connection:
        gathering = Gathering(study.session)
        write(connection, gathering.take())
        run = study.train(rounds=6, until=2)
        write(connection, gathering.take())
        assert len(read_project(path).runs[1].rounds) == 2
        assert read_project(path).runs[1].ended.reason.value == "stopped"  # as after a crash
        run.grow()
        run.grow(2)
        write(connection, gathering.take())
        study.undo()
        run.grow(1)
        branch = run.branch(at=5, learning_rate=0.5)
        write(connection, gathering.take())
        branch.delete()
        write(connection, gathering.take())
        assert gathering.take().is_empty
    content = read_project(path)
    assert len(content.runs[1].rounds) == 7
    assert content.listed == (1,)
    assert [line.action.words for line in content.lines] == list(study.history)


def test_a_branch_keeps_rounds_that_its_run_has_no_more(tmp_path):
    study = Study(FRAME, target="y")
    run = study.train(rounds=3)
    run.grow(3)
    branch = run.branch(at=6, learning_rate=0.7)
    kept = [event.trees[0].nodes.tobytes() for event in branch.run.rounds]
    study.undo()
    study.undo()
    run.change(learning_rate=0.9).grow(4)
    study.save(tmp_path / "p.workbench")
    again = read_project(tmp_path / "p.workbench").runs
    assert [event.trees[0].nodes.tobytes() for event in again[2].rounds] == kept
    assert len(again[1].rounds) == 7


def test_a_table_is_found_beside_the_project_that_moved(tmp_path):
    (tmp_path / "one").mkdir()
    FRAME.to_csv(tmp_path / "one" / "t.csv", index=False)
    study = told_story(tmp_path / "one" / "t.csv")
    study.save(tmp_path / "one" / "p.workbench")
    shutil.move(tmp_path / "one", tmp_path / "two")
    again = workbench.open_study(tmp_path / "two" / "p.workbench")
    assert model_bytes(again.runs[0], tmp_path) == model_bytes(study.runs[0], tmp_path)
    again.runs[0].grow(1)


def test_a_table_that_is_gone_or_another_is_said(tmp_path):
    FRAME.to_csv(tmp_path / "t.csv", index=False)
    study = Study(tmp_path / "t.csv", target="y")
    study.train(rounds=2)
    study.save(tmp_path / "p.workbench")
    FRAME.iloc[:-1].to_csv(tmp_path / "t.csv", index=False)
    with pytest.warns(WorkbenchWarning, match="has changed since"):
        workbench.open_study(tmp_path / "p.workbench")
    (tmp_path / "t.csv").rename(tmp_path / "u.csv")
    with pytest.warns(WorkbenchWarning, match="not where it was"):
        again = workbench.open_study(tmp_path / "p.workbench")
    assert again.runs[0].rounds == 2
    with pytest.raises(WorkbenchError, match="needs the rows"):
        again.runs[0].grow(1)
    FRAME.to_csv(tmp_path / "u.csv", index=False)
    workbench.open_study(tmp_path / "p.workbench", tmp_path / "u.csv").runs[0].grow(1)


def test_a_table_is_kept_to_the_bit(study):
    table = study._tables.read
    again = table_from(table_bytes(table))
    assert again.names == table.names
    assert (again.notes, again.sha256, again.settled) == (table.notes, table.sha256, table.settled)
    for mine, other in zip(again.columns, table.columns, strict=True):
        assert (mine.kind, mine.categories, mine.writing, mine.texts) == (
            other.kind, other.categories, other.writing, other.texts)  # fmt: skip
        np.testing.assert_array_equal(mine.values, other.values)
        assert (mine.exact is None) == (other.exact is None)


def test_a_tree_is_kept_to_the_bit(study):
    for event in study.runs[0].run.rounds:
        for tree in event.trees:
            record, data = tree_record(tree)
            again, size = tree_of(json.loads(json.dumps(record)), memoryview(data + b"more"), 9)
            assert size == len(data)
            assert again.nodes.tobytes() == tree.nodes.tobytes()
            assert again.figures == tree.figures


def change(path, sql, *values):
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(sql, values)


@pytest.mark.parametrize(("sql", "said"), [
    ("PRAGMA user_version = 9", "later version"),
    ("PRAGMA application_id = 1", "no project"),
    ("DROP TABLE rounds", "damaged"),
    ("CREATE TRIGGER t AFTER INSERT ON lines BEGIN DELETE FROM lines; END", "damaged"),
    ("CREATE VIEW v AS SELECT load_extension('x')", "damaged"),
    ("CREATE INDEX i ON runs (record)", "damaged"),
    ("DELETE FROM rounds WHERE round = 2", "missing"),
    ("DELETE FROM facts WHERE name = 'plan'", "damaged"),
    ("UPDATE facts SET value = '[9999]' WHERE name = 'listed'", "not there"),
    ("UPDATE facts SET value = '-1' WHERE name = 'position'", "position"),
    ("UPDATE runs SET record = '[]'", "a run"),
    ("UPDATE rounds SET trees = zeroblob(40)", "cut off"),
    ("UPDATE rounds SET trees = zeroblob(length(trees))", "amaged"),
    ("UPDATE rounds SET record = json_set(record, '$.trees[0].figures[0]', 1)", "other leaves"),
    ("UPDATE rounds SET record = json_set(record, '$.trees[0].figures[1]', 1)", "other leaves"),
    ("UPDATE rounds SET record = json_set(record, '$.counts[1]', 99)", "other leaves"),
    ("UPDATE rounds SET record = json_set(record, '$.counts[2]', 99)", "best_round"),
    ("UPDATE rounds SET record = json_set(record, '$.train', json('{}'), '$.valid', json('{}'))", "watches"),
    ("UPDATE runs SET record = json_set(record, '$.ended.best_round', 99) WHERE number = 1", "fewer rounds"),
    ("UPDATE runs SET record = json_set(record, '$.ended.round', 99) WHERE number = 1", "fewer rounds"),
    ("UPDATE runs SET record = json_set(record, '$.stretches[#-1][1]', 99) WHERE number = 1", "fewer rounds"),
    ("UPDATE runs SET record = json_set(record, '$.stretches[#-1][2]', 0) WHERE number = 2", "fewer rounds"),
    ("UPDATE lines SET line = '[{\"kind\": \"walk\"}, {}, {}]'", "line 1 of the history: this .* 'walk'"),
    ("UPDATE lines SET line = replace(line, ',', ';') WHERE place = 2", "line 3 of the history: its text is"),
    ("UPDATE rounds SET record = substr(record, 9) WHERE round = 2", "round 2 of run 1: its text is garbled"),
    ("UPDATE rounds SET record = json_set(record, '$.figures[1]', json('{}'))", "run 1: it holds other"),
    ("UPDATE facts SET value = '{' WHERE name = 'plan'", "in the entry 'plan': its text is garbled"),
    ("UPDATE runs SET record = json_set(record, '$.ended.reason', 3) WHERE number = 1", "a reason"),
])  # fmt: skip
def test_what_is_damaged_or_hostile_is_refused_in_a_line(project, sql, said):
    change(project, sql)
    with pytest.raises(WorkbenchError, match=said) as told:
        read_project(project)
    words = str(told.value)
    assert "\n" not in words
    assert words.startswith("p.workbench ")
    if "damaged" in words:
        assert words.endswith(". Take a copy from before.")


def test_what_is_no_project_is_refused(tmp_path):
    for data in (b"", b"SQLite format 3\x00" + bytes(100), b"a,b\n1,2\n", bytes(4096)):
        (tmp_path / "p.workbench").write_bytes(data)
        with pytest.raises(WorkbenchError, match="no project"):
            read_project(tmp_path / "p.workbench")
    with pytest.raises(WorkbenchError, match="There is no file"):
        read_project(tmp_path / "none.workbench")


def test_what_cannot_be_written_leaves_the_former_file(study, project):
    before = project.read_bytes()
    with pytest.raises(WorkbenchError):
        save_project(project.parent / "no" / "p.workbench", Gathering(study.session).take())
    assert project.read_bytes() == before


def test_a_lock_that_stays_and_a_full_disk_are_said_in_a_line(study, project, monkeypatch):
    monkeypatch.setattr(file, "SECONDS", 0.01)
    with closing(sqlite3.connect(project, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(WorkbenchError, match="cannot be opened: another program holds it"):
            read_project(project)
    before = read_project(project)
    with closing(file.connect(project)) as connection:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages + 1}")
        full = r"^p.workbench cannot be written: the disk is full\."
        with pytest.raises(WorkbenchError, match=full), file.trouble_said(project, "written"):
            write_blob(connection, "table", bytes(100_000))
    after = read_project(project)
    assert (len(after.lines), after.runs.keys()) == (len(before.lines), before.runs.keys())


def test_it_is_replayed_on_the_command_line(study, project, tmp_path, capsys):
    from workbench.__main__ import main

    assert main(["replay", str(project), "--export", str(tmp_path / "m2.json")]) == 0
    out = capsys.readouterr().out.splitlines()
    assert len(out) == len(study.runs)
    assert all(line.endswith("the same bits") for line in out)
    assert (tmp_path / "m2.json").read_bytes() == model_bytes(study.runs[-1], tmp_path)
    assert main(["replay", str(project), "--run", "2", "--script"]) == 0
    assert "run1.branch(at=4" in capsys.readouterr().out
    assert main(["replay", str(project), "--run", "77"]) == 2
    assert "no run 77" in capsys.readouterr().err
    change(project, "UPDATE rounds SET record = json_set(record, '$.figures[0]', 1)")
    assert main(["replay", str(project), "--run", "1"]) == 1


@pytest.mark.parametrize(("field", "bits", "said"), [
    ("leaf_value", 0x7FC0_0000, "leaf_value"), ("gain", 0x7FF0_0000_0000_0000, "gain"),
    ("weight", 0x7FF0_0000_0000_0001, ""),
])  # fmt: skip
def test_numbers_of_nodes_are_finite_or_the_one_that_is_unknown(study, field, bits, said):
    tree = study.runs[0].run.rounds[0].trees[0]
    nodes = tree.nodes.copy()
    width = nodes.dtype[field].itemsize
    nodes[field].view(f"<u{width}")[0] = bits
    record, data = tree_record(replace(tree, nodes=nodes))
    if said:
        with pytest.raises(WorkbenchError, match=said):
            tree_of(record, memoryview(data), 9)
    else:
        again, _ = tree_of(record, memoryview(data), 9)
        assert again.nodes[field][:1].tobytes() == np.array([np.nan]).tobytes()
