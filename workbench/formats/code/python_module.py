"""A Python module that needs no library: the trees as tuples, and a walk through them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.data.values.columns import LARGEST_READ
from workbench.data.values.known_labels import ROUNDED, label_codes
from workbench.data.values.labels import MISSING_CODES
from workbench.formats.base import FORMATS
from workbench.formats.bytes.template import filled
from workbench.formats.code.links import link_of, precision_said
from workbench.formats.edits import edits_in_ascii
from workbench.formats.one_way import WriteOnly
from workbench.objectives.base import OBJECTIVES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.data.schema import Feature
    from workbench.formats.model import Model
    from workbench.trees.tree import Tree


class PythonModule(WriteOnly):
    """The format `python`: bit-equal raw predictions, one row at a time."""

    name = "python"
    label = "Python module without dependencies"
    suffixes: tuple[str, ...] = (".py",)

    def write(self, model: Model) -> bytes:
        """Return the module. Names stand in it as literals only."""
        ensemble, schema = model.ensemble.folded(), model.schema
        link = link_of(ensemble)
        has_offset = ensemble.has_offset
        rounded = "{}" if ensemble.adds_doubles else "_single({})"
        return filled("model.py.txt", {
            "EDITS": "".join(f"# {line}\n" for line in edits_in_ascii(model)),
            "TARGET": ascii(schema.target),
            "CLASSES": ascii(list(schema.class_labels)),
            "FEATURES": ascii(list(schema.names)),
            "KINDS": ascii([f.kind for f in schema.features]),
            "CATEGORIES": ascii([label_codes(f) if f.is_categorical else None for f in schema.features]),
            "ROUNDED": _rounded(schema.features),
            "LARGEST": repr(LARGEST_READ),
            "MISSING": ascii(sorted(MISSING_CODES)),
            "BASE": repr([float(base) for base in ensemble.base_margin]),
            "IS_SOFTMAX": repr(link.is_softmax),
            "INVERSE": "value" if link.is_softmax else link.spelling.python,
            "FACTOR": repr(link.factor),
            "BOUNDARY": repr(OBJECTIVES.get(ensemble.objective).boundary),
            "TREES": "".join(_tree_text(tree) for tree in ensemble.trees),
            "OFFSET": ", offset" if has_offset else "",
            "OFFSET_GIVEN": ", offset" if has_offset else "",
            "START": rounded.format("base + _single(offset)") if has_offset else "base",
            "SUM": rounded.format("sums[output] + node[0]"),
            "PRECISION": precision_said(ensemble),
        })


def _rounded(features: Sequence[Feature]) -> str:
    known = {place: ROUNDED[f.fractions].__name__ for place, f in enumerate(features) if f.fractions}
    return "{" + ", ".join(f"{place}: math.{name}" for place, name in known.items()) + "}"


def _tree_text(tree: Tree) -> str:
    nodes = ",\n".join(f"    {_node(tree, node)!r}" for node in range(tree.n_nodes))
    return f"  ({tree.class_index}, [\n{nodes}]),\n"


def _node(tree: Tree, node: int) -> tuple[Any, ...]:
    record = tree.nodes[node]
    if tree.is_leaf[node]:
        return (float(record["leaf_value"]),)
    codes = tuple(tree.categories(node).tolist())
    test = codes or float(record["threshold"])
    return (int(record["feature"]), test, bool(record["default_left"]), int(record["left"]))


FORMATS.register(PythonModule())
