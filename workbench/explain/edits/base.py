"""What an edit is: a change of one tree of a run, by hand; the kinds by name, and in JSON."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from workbench.errors import WorkbenchError
from workbench.isolation import isolated
from workbench.kernels.thresholds import LARGEST_FLOAT32
from workbench.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Mapping

    from workbench.data.schema import DataSchema
    from workbench.ensembles.ensemble import Ensemble
    from workbench.explain.edits.site import Site
    from workbench.trees.tree import Tree

MOST_NUMBER = 2**31 - 1
LONGEST_REASON = 10_000
LONGEST_TEXT = 100_000


class Edit:
    """A change of one tree; each kind is a frozen dataclass with these fields first.

    Attributes
    ----------
    kind : str
        Its name in JSON.
    round : int
        Of the model, from 1.
    place : int
        Of the tree in its round, from 0: by class, in it one beside the other.
    node : int
        The node that it is about; 0 for kinds that are about the whole tree.
    reason : str
        Why, where the person said so.
    """

    kind: ClassVar[str]
    node: int
    round: int
    place: int
    reason: str

    def words(self, tree: Tree, schema: DataSchema, name: str) -> str:
        """Say in one line what is done to the tree as it was, which is called `name`.

        Raises
        ------
        WorkbenchError
            The tree has no such node, or it cannot be done to it.
        """
        raise NotImplementedError

    def applied(self, site: Site) -> Tree:
        """Return the tree as it is afterwards; WorkbenchError where that cannot be done."""
        raise NotImplementedError

    def price(self, site: Site) -> Price | None:
        """Return what it costs beside the best, where there is one; None otherwise."""
        return None


class Price(NamedTuple):
    """The weight w* that a leaf has of itself, and how much worse another one is to the objective."""

    optimum: float
    price: float


@dataclass(frozen=True)
class EditKind:
    """A kind of edit as the registry has it."""

    name: str
    made: type[Edit]


EDITS: Registry[EditKind] = Registry("kind of edit", "workbench.explain.edits")


def edit_kind(made: type[Edit]) -> type[Edit]:
    """Register a kind of edit; a decorator."""
    EDITS.register(EditKind(made.kind, made))
    return made


def record_of(edit: Edit) -> dict[str, Any]:
    """Return an edit as JSON values."""
    values = {field.name: getattr(edit, field.name) for field in fields(edit)}  # type: ignore[arg-type]
    plain = {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}
    return {"kind": edit.kind, **plain}


def edit_of(record: Any) -> Edit:
    """Read an edit from JSON values, whoever wrote them.

    Raises
    ------
    WorkbenchError
        There is no such kind, a field is missing, is not of its type, or no number.
    """
    if not isinstance(record, dict) or not isinstance(record.get("kind"), str):
        raise WorkbenchError("An edit must be an object that says its kind.")
    kind = record["kind"]
    if len(kind) > LONGEST_REASON:
        raise WorkbenchError("The kind of an edit is no text of that length.")
    made = EDITS.get(kind).made
    known = {field.name: field for field in fields(made)}  # type: ignore[arg-type]
    given = {name: value for name, value in record.items() if name in known}
    lacking = next((name for name in known if name not in given and name not in OPTIONAL), None)
    if lacking is not None:
        raise WorkbenchError(f"An edit of the kind '{kind}' must say its {lacking}.")
    return made(**{name: _value(kind, name, value) for name, value in given.items()})


OPTIONAL = ("reason", "threshold", "categories", "default_left")


def _value(kind: str, name: str, value: Any) -> Any:
    check, words = CHECKS[name]
    if kind == "move_threshold" and name == "threshold" and value is None:
        raise WorkbenchError("The threshold of an edit must be a number.")
    if not check(value):
        raise WorkbenchError(f"The {name} of an edit must be {words}.")
    if isinstance(value, list):
        return tuple(value)
    return float(value) if name in ("weight", "threshold") and value is not None else value


def _is_number(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return abs(value) <= LARGEST_FLOAT32 and math.isfinite(value)


def _is_place(value: Any, low: int = 0) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= MOST_NUMBER


CHECKS: Mapping[str, Any] = {
    "round": (lambda value: _is_place(value, 1), "a whole number from 1"),
    "place": (_is_place, "a whole number from 0"),
    "node": (_is_place, "a whole number from 0"),
    "weight": (_is_number, "a number"),
    "threshold": (lambda value: value is None or _is_number(value), "a number"),
    "categories": (
        lambda value: isinstance(value, (list, tuple)) and all(map(_is_place, value)),
        "a list of codes",
    ),
    "default_left": (lambda value: value is None or isinstance(value, bool), "true or false"),
    "column": (lambda value: isinstance(value, str) and len(value) <= LONGEST_TEXT, "the name of a column"),
    "reason": (lambda value: isinstance(value, str) and len(value) <= LONGEST_REASON, "a text"),
}


def checked_node(edit: Edit, tree: Tree, name: str, *, is_leaf: bool | None = None) -> int:
    """Return the node of an edit; refuse one that the tree does not have, or that is of the other kind."""
    if not 0 <= edit.node < tree.n_nodes:
        raise WorkbenchError(f"There is no node {edit.node} in {name}; it has {tree.n_nodes:,} nodes.")
    if is_leaf is not None and bool(tree.is_leaf[edit.node]) != is_leaf:
        found, wanted = ("a split", "a leaf") if is_leaf else ("a leaf", "a split")
        raise WorkbenchError(f"Node {edit.node} of {name} is {found}; this is done to {wanted}.")
    return edit.node


def column_of(name: str, schema: DataSchema) -> int:
    """Return the place of a column among the features."""
    if name not in schema.names:
        from workbench.parameters.nearest import nearest

        raise WorkbenchError(f"There is no column '{name}' to ask about. {nearest(name, schema.names)}")
    return schema.names.index(name)


def tree_name(edit: Edit, ensemble: Ensemble) -> str:
    """Return what the tree of an edit is called: "tree 19", with its class and its place beside others."""
    abreast = ensemble.parallel_of(edit.round)
    k, beside = divmod(edit.place, abreast)
    output = ensemble.output_names[k] if k < len(ensemble.output_names) else ""
    if output.isdigit():  # "tree 3 of 7" would be taken for a count
        output = f"class {output}"
    own = f" of {isolated(output)}" if output else ""
    among = f" ({beside + 1} of {abreast} side by side)" if abreast > 1 else ""
    return f"tree {edit.round}{own}{among}"
