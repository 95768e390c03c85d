"""What a session holds is changed by its methods alone."""

from __future__ import annotations

import ast
from pathlib import Path

import workbench
from workbench.session.session import Session

PACKAGE = Path(workbench.__file__).parent
HELD = vars(Session())
PARTS = {name for name, part in HELD.items() if type(part).__module__.startswith("workbench.session.")}


def named(node: object) -> str:
    """The last name of an expression."""
    return str(getattr(node, "attr", getattr(node, "id", "")))


def written(code: str) -> list[str]:
    """The attributes of a session's parts that a piece of code assigns to."""
    found = []
    for node in ast.walk(ast.parse(code)):
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        for target in (one for given in targets if given is not None for one in ast.walk(given)):
            is_set = isinstance(target, ast.Attribute) and isinstance(target.ctx, ast.Store)
            part = target.value if is_set else None
            of = named(getattr(part, "value", None))
            if named(part) in PARTS and of in ("session", "_session"):
                found.append(ast.unparse(target))
    return found


def test_nobody_outside_writes_to_a_part_of_the_session():
    outside = [path for path in PACKAGE.rglob("*.py") if path.parent.name != "session"]
    texts = {path: text for path in outside if "session." in (text := path.read_text("utf-8"))}
    wrong = {path.name: names for path, text in texts.items() if (names := written(text))}
    assert wrong == {}


def test_such_a_write_would_be_found():
    assert {"data", "shown", "runs", "hyperparameters", "own_files", "notices"} <= PARTS
    assert written("self._bench.session.shown.run = run") == ["self._bench.session.shown.run"]
    assert written("session.data.plan, other = plan, 1") == ["session.data.plan"]
    assert written("session.harmless_formulas = True; shown = session.shown.run") == []
