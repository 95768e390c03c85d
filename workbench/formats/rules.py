"""The model as plain text: a sentence for each leaf."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING

from workbench.explain.node_figures import ALL_DIGITS, test_of, threshold_text
from workbench.formats.base import FORMATS
from workbench.formats.links import link_of
from workbench.formats.one_way import WriteOnly, check_ways, ways_to_leaves
from workbench.formats.short_names import long_names, shortened

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from workbench.data.schema import DataSchema
    from workbench.formats.model import Model
    from workbench.formats.one_way import Answer
    from workbench.trees.tree import Tree

_SOFTMAX = "The prediction of a class is e^sum over that of all classes."


class Rules(WriteOnly):
    """The format `rules`: of every tree exactly one rule holds for a row."""

    name = "rules"
    label = "Rules in plain text"
    suffixes: tuple[str, ...] = (".rules.txt",)

    def write(self, model: Model) -> bytes:
        """Return the text, a rule a line."""
        whole, model = model.schema, shortened(model)
        ensemble, schema = model.ensemble.folded(), model.schema
        check_ways(ensemble, self.label)
        link = link_of(ensemble)
        starts = ", ".join(str(base) for base in ensemble.base_margin)
        offset = "" if schema.offset is None else f", plus {_line(schema.offset)}"
        lines = [
            f"Boosted trees for {_line(schema.target)}, written by the Boosting Workbench.",
            f"Begin with {starts}{offset}. Of each tree one rule holds; add what it says.",
            _SOFTMAX if link.is_softmax else link.spelling.words.format(f=f"{link.factor:g}"),
            *(f"Written as {_line(short)}: {_line(full)}" for short, full in long_names(whole)),
        ]
        for place, tree in enumerate(ensemble.trees):
            names = ensemble.output_names
            of_class = f", for {_line(names[tree.class_index])}" if names else ""
            lines += ["", f"Tree {place + 1}{of_class}:"]
            said = cache(partial(_condition, tree, schema))  # an answer is on the way to many leaves
            lines += [_rule(tree, said, leaf, way) for leaf, way in ways_to_leaves(tree)]
        return ("\n".join(lines) + "\n").encode("utf-8", "surrogatepass")


def _rule(tree: Tree, said: Callable[[Answer], str], leaf: int, way: Sequence[Answer]) -> str:
    added = f"add {tree.nodes['leaf_value'][leaf]}"
    conditions = " and ".join(map(said, way))
    return f"  if {conditions}: {added}" if way else f"  {added}"


def _condition(tree: Tree, schema: DataSchema, answer: Answer) -> str:
    test = test_of(tree, answer.node, schema)
    record = tree.nodes[answer.node]
    value = test.value
    if test.relation == "<":
        value = threshold_text(record["threshold"], schema.features[int(record["feature"])], ALL_DIGITS)
    relation = test.relation if answer.yes else {"<": "≥", "=": "≠", "in": "not in"}[test.relation]
    asked = f"{_line(test.feature)} {relation} {_line(value)}"
    return f"({asked} or missing)" if bool(record["default_left"]) == answer.yes else asked


def _line(text: str) -> str:
    """Keep a name on its line."""
    return " ".join(text.split())


FORMATS.register(Rules())
