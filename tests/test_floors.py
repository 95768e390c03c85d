"""Imports point down only, and nothing below the workers knows Qt."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import Counter
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib.util import resolve_name
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE = Path(__file__).parents[1] / "workbench"

FLOORS = {
    "parameters": 0,
    "kernels": 0,
    "threads": 0,
    "mapped": 0,
    "data": 1,
    "objectives": 2,
    "metrics": 2,
    "trees": 2,
    "linear": 2,
    "drawing": 3,
    "ensembles": 3,
    "explain": 4,
    "validation": 4,
    "formats": 5,
    "cluster": 6,
    "scoring": 6,
    "session": 6,
    "warmup": 6,
    "workers": 7,
    "views": 8,
    "shell": 9,
}
WINDOW = {room for room, floor in FLOORS.items() if floor >= FLOORS["workers"]}
# For every floor; standard library only.
HELPERS = {
    "errors", "isolation", "memory", "number_text", "own_process", "passing_folder", "paths", "priority",
    "registry", "resources", "round_numbers", "signals", "version",
}  # fmt: skip
# "" is workbench/__init__.py
ROOF = {
    "", "__main__", "api", "app", "commands", "cross_validated", "estimators", "given", "score", "show",
    "study", "tour", "typed",
}  # fmt: skip
ROOF_WITH_WINDOW = {"app", "tour"}

# What a room may not import although it stands no higher.
REFUSED = {
    "objectives": {"data"},
    "metrics": {"data"},
    "trees": {"data", "objectives"},
    "linear": {"data", "objectives", "trees"},
    "drawing": {"data", "objectives", "ensembles"},
    "formats": {"scoring", "session"},
    "scoring": {"session", "cluster"},
    "session": {"cluster"},
    "cluster": {"session"},
}
CLUSTER = {"dask", "distributed", "xgboost"}
QT = {"PySide6", "shiboken6", "pyqtgraph"}


FULLEST = 30  # modules in a folder
BODIES = ("body", "handlers", "orelse", "finalbody", "cases")
# Imports that close a circle, each with the reason why it stays.
ALLOWED_CIRCLES: dict[tuple[str, str], str] = {
}


class Import(NamedTuple):
    """One name imported anywhere in a module: at its top, in a function or for types only."""

    place: str
    module: str  # the importing one
    room: str  # of the importing module: "trees", "errors", …
    target: str  # `from a import b` is a.b, whatever b is

    @property
    def package(self) -> str:
        return self.target.partition(".")[0]

    @property
    def target_room(self) -> str:
        return room_of(self.target) if self.package == "workbench" else ""


def room_of(module: str) -> str:
    return module.partition(".")[2].partition(".")[0]


def modules() -> Iterator[tuple[str, Path]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        yield ".".join(parts).removesuffix(".__init__"), path


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """Every statement at any depth; no expression has an import."""
    for below in BODIES:
        for child in getattr(node, below, ()):
            yield child
            yield from statements(child)


def targets(tree: ast.AST, package: str) -> Iterator[tuple[int, str]]:
    for node in statements(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = resolve_name("." * node.level + (node.module or ""), package)
            yield from ((node.lineno, f"{base}.{alias.name}") for alias in node.names)


def found_imports() -> Iterator[Import]:
    for module, path in modules():
        package = module if path.name == "__init__.py" else module.rpartition(".")[0]
        for line, target in targets(ast.parse(path.read_text("utf-8")), package):
            yield Import(f"{path.relative_to(PACKAGE.parent)}:{line}", module, room_of(module), target)


@cache
def imports() -> tuple[Import, ...]:
    return tuple(found_imports())


def between_rooms() -> list[Import]:
    return [i for i in imports() if i.package == "workbench" and i.target_room != i.room]


def told(wrong: Iterator[Import]) -> list[str]:
    return [f"{i.place} imports {i.target}" for i in wrong]


def test_every_module_has_its_floor():
    assert {room_of(module) for module, _ in modules()} <= FLOORS.keys() | HELPERS | ROOF


def test_no_import_points_up():
    # A public name of the package (`from workbench import fit`) belongs to the roof, so it is up too.
    height = FLOORS | dict.fromkeys(HELPERS, -1)
    wrong = (i for i in between_rooms() if i.room in FLOORS and height.get(i.target_room, 9) > FLOORS[i.room])
    assert told(wrong) == []


def test_no_imports_run_in_a_circle():
    known = {module for module, _ in modules()}
    graph: dict[str, set[str]] = {module: set() for module in known}
    for i in imports():
        target = i.target if i.target in known else i.target.rpartition(".")[0]
        if target in known - {i.module} and (i.module, target) not in ALLOWED_CIRCLES:
            graph[i.module].add(target)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" → ".join(reversed(error.args[1])))


def test_no_folder_is_crowded():
    tests = Path(__file__).parent.rglob("*.py")
    counts = Counter(path.parent for path in (*tests, *(path for _, path in modules())))
    assert {str(folder): n for folder, n in counts.items() if n > FULLEST} == {}


def test_rooms_refuse_some_neighbours():
    assert told(i for i in between_rooms() if i.target_room in REFUSED.get(i.room, ())) == []


def test_helpers_need_only_the_standard_library():
    own = (i for i in imports() if i.room in HELPERS and i.target_room not in HELPERS)
    assert told(i for i in own if i.package not in sys.stdlib_module_names) == []


def test_pandas_stops_at_the_data_floor():
    assert told(i for i in imports() if i.package == "pandas" and i.room in FLOORS.keys() - {"data"}) == []


def test_dask_stays_in_the_cluster():
    assert told(i for i in imports() if i.package in CLUSTER and i.room != "cluster") == []


def test_the_roof_without_window_stays_below_the_workers():
    wrong = (i for i in between_rooms() if i.room in ROOF - ROOF_WITH_WINDOW and i.target_room in WINDOW)
    assert told(wrong) == []


def test_training_methods_are_found_by_the_registry():
    from workbench.ensembles.base import TRAINERS

    methods = {kind.__module__ for kind in TRAINERS}
    assert methods
    assert told(i for i in imports() if {i.target, i.target.rpartition(".")[0]} & methods) == []


def test_qt_starts_at_the_workers():
    below = (FLOORS.keys() | HELPERS) - WINDOW
    assert told(i for i in imports() if i.package in QT and i.room in below) == []


def test_workers_need_only_qtcore():
    wrong = (i for i in imports() if i.room == "workers" and i.package in QT)
    assert told(i for i in wrong if not f"{i.target}.".startswith("PySide6.QtCore.")) == []


WITHOUT_QT = """
import importlib, sys

class NoQt:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"PySide6", "shiboken6", "pyqtgraph"}:
            raise ImportError(f"{name} is out of reach for scripts")

sys.meta_path.insert(0, NoQt())
for name in sys.argv[1:]:
    module = importlib.import_module(name)
    for public in getattr(module, "__all__", ()):
        getattr(module, public)
"""


def test_scripts_load_without_qt():
    scripts = [module for module, _ in modules() if room_of(module) not in WINDOW | ROOF_WITH_WINDOW]
    command = [sys.executable, "-c", WITHOUT_QT, *scripts]
    done = subprocess.run(command, cwd=PACKAGE.parent, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
