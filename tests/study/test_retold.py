"""Stories told again in fresh processes, by script, by `replay` and from the project: the same files."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from workbench.data.samples import sample_file
from workbench.study.study import Study

STORIES = {
    "steered": ("r = s.train(rounds=12, until=4)", "r.change(reg_lambda=4.0)", "r.change(gamma=.1, at=9)",
                "r.grow()"),
    "stopped and continued": ("r = s.train(rounds=30, until=7)", "r.stop()", "r.change(learning_rate=.3)",
                              "r.grow(5)"),
    "branched": ("o = s.train(rounds=10, subsample=.7)",
                 "r = o.branch(at=4, max_depth=2, forbidden_columns=['year'])", "r.grow()"),
    "a branch of a branch": ("o = s.train(rounds=8)", "p = o.branch(at=6, learning_rate=.5).grow()",
                             "r = p.branch(at=7, reg_lambda=9.0).grow(4)"),
    "measured otherwise": ("o = s.train(rounds=6, subsample=.8, max_depth=3)",
                           "p = o.branch(at=3, class_weights={'Gentoo': 3.0}, metric='merror', seed=5)",
                           "p.grow()",
                           "r = p.branch(at=5, forced_splits='year', softmax_hessian='diagonal').grow(2)"),
    "another objective": ("s.target('body_mass_g')", "o = s.train(rounds=6, subsample=.8, max_depth=3)",
                          "p = o.branch(at=3, objective='huber', huber_slope=300.0).grow()",
                          "q = p.prune(tree=2, node=1).grow()",
                          "r = p.branch(at=5, objective='reg:absoluteerror', metric='rmse').grow(2)"),
    "edited": ("o = s.train(rounds=10, max_depth=3)", "p = o.prune(tree=4, node=1, reason='too fine')",
               "p.grow()", "leaf = p.at(6).trees[1].n_nodes - 1",
               "q = p.set_weight(6, leaf, 0.2, place=1).drop_tree(2, place=2)", "r = q.grow(4)"),
    "early": ("r = s.train(rounds=200, early_stopping_rounds=2, learning_rate=1.0)",),
    "dragged": ("r = s.train(rounds=9, until=2)", "for i in (3, 4, 5):",
                "    r.change(reg_lambda=float(i)).grow(1)", "r.change(early_stopping_rounds=50)",
                "r.grow()"),
    "all of it": ("o = s.train(rounds=12, max_depth=3, rate_drop=.2, until=5)", "o.change(reg_lambda=3.0)",
                  "o.grow()", "p = o.branch(at=8, learning_rate=.3)", "p.grow(4)",
                  "q = p.move_threshold(10, 0, float(p.at(10).trees[0].nodes['threshold'][0]) + .5)",
                  "q.change(gamma=.05)", "r = q.grow(5)", "s.role('sex', 'ignore')", "s.undo()"),
    "taken back": ("o = s.train(rounds=6)", "o.grow(4)", "s.undo()", "o.change(learning_rate=.4)",
                   "o.grow(3)", "s.hold_out(.4, 7)",
                   "p = s.train(rounds=5, num_parallel_tree=2, subsample=.8)",
                   "r = p.rescore(reg_lambda=5.0).grow(2)"),
}  # fmt: skip
WAYS = ("script", "replay", "reopened")


def tell(name: str, folder) -> None:
    """Live through a story, and keep its model, its project, and the scripts that are to give the same."""
    s = Study(sample_file("penguins"), target="species", valid_fraction=0.3, split_seed=2)
    s.role("island", "ignore")
    s.kind("year", "category")
    said: dict = {"s": s}
    exec("\n".join(STORIES[name]), said)
    run = said["r"]
    run.model.save(folder / f"{name}.json")
    s.save(folder / f"{name}.workbench")
    scripts = {
        "script": f"{run.script}\nrun{run.number}.model.save('{name} script.json')\n",
        "replay": "from workbench.__main__ import main\n"
                  f"assert main(['replay', '{name}.workbench', '--run', '{run.number}', "
                  f"'--export', '{name} replay.json']) == 0\n",
        "reopened": "import workbench\n"
                    f"run = workbench.open_study('{name}.workbench').runs[{run.number - 1}]\n"
                    f"run.model.save('{name} reopened.json')\n"
                    f"run.grow(2).model.save('{name} on reopened.json')\n",
    }  # fmt: skip
    for way, script in scripts.items():
        (folder / f"{name} {way}.py").write_text(script)
    run.grow(2).model.save(folder / f"{name} on.json")


def retell(names, ways, folder, **environment: str) -> None:
    """Tell stories in one fresh process, and compare."""
    script = "\n".join((folder / f"{name} {way}.py").read_text() for name in names for way in ways)
    subprocess.run(
        [sys.executable, "-c", script], check=True, cwd=folder, capture_output=True,
        env={**os.environ, **environment},
    )
    same_as = {f"{name} {way}": name for name in names for way in ways}
    same_as |= {f"{name} on reopened": f"{name} on" for name in names if "reopened" in ways}
    for mine, other in same_as.items():
        told, lived = ((folder / f"{one}.json").read_bytes() for one in (mine, other))
        assert told == lived, mine


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    folder = tmp_path_factory.mktemp("stories")
    for name in STORIES:
        tell(name, folder)
    return folder


def test_all_stories_in_a_fresh_process(told):
    retell(STORIES, WAYS, told)


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", STORIES)
def test_each_story_in_a_process_of_its_own(told, name, way):
    retell([name], [way], told, PYTHONHASHSEED="7", NUMBA_NUM_THREADS="1")
