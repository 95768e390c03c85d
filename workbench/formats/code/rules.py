"""The model as plain text: a sentence for each leaf."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING

from workbench.formats.base import FORMATS
from workbench.formats.code.links import link_sentence, precision_said
from workbench.formats.code.spelling import question_of, shown
from workbench.formats.edits import edits_told
from workbench.formats.one_way import WriteOnly, check_ways, ways_to_leaves
from workbench.formats.short_names import long_names, shortened

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from workbench.data.schema import DataSchema
    from workbench.formats.model import Model
    from workbench.formats.one_way import Answer
    from workbench.trees.tree import Tree


class TextRules(WriteOnly):
    """The format `rules`: of every tree exactly one rule holds for a row."""

    name = "rules"
    label = "Rules in plain text"
    suffixes: tuple[str, ...] = (".rules.txt",)

    def write(self, model: Model) -> bytes:
        """Return the text, a rule a line."""
        whole, model = model.schema, shortened(model)
        ensemble, schema = model.ensemble.folded(), model.schema
        check_ways(ensemble, self.label)
        starts = ", ".join(str(base) for base in ensemble.base_margin)
        offset = "" if schema.offset is None else f", plus {shown(schema.offset)}"
        lines = [
            f"Boosted trees for {shown(schema.target)}, written by the Boosting Workbench.",
            f"Begin with {starts}{offset}. Of each tree one rule holds; add what it says, in "
            f"{precision_said(ensemble)}.",
            link_sentence(ensemble),
            *edits_told(model),
            *(f"Written as {shown(short)}: {shown(full)}" for short, full in long_names(whole)),
        ]
        for place, tree in enumerate(ensemble.trees):
            names = ensemble.output_names
            of_class = f", for {shown(names[tree.class_index])}" if names else ""
            lines += ["", f"Tree {place + 1}{of_class}:"]
            said = cache(partial(_condition, tree, schema))  # an answer is on the way to many leaves
            lines += [_rule(tree, said, leaf, way) for leaf, way in ways_to_leaves(tree)]
        return ("\n".join(lines) + "\n").encode("utf-8")


def _rule(tree: Tree, said: Callable[[Answer], str], leaf: int, way: Sequence[Answer]) -> str:
    added = f"add {tree.nodes['leaf_value'][leaf]!s}"
    conditions = " and ".join(map(said, way))
    return f"  if {conditions}: {added}" if way else f"  {added}"


def _condition(tree: Tree, schema: DataSchema, answer: Answer) -> str:
    question = question_of(tree, answer.node, schema)
    asked = question.text if answer.yes else question.denied
    with_missing = bool(tree.nodes["default_left"][answer.node]) == answer.yes
    return f"({asked} or missing)" if with_missing else asked


FORMATS.register(TextRules())
