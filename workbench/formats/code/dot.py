"""Trees as a graph in Graphviz's language."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from workbench.explain.node_figures import answer_with_missing, knows_rows
from workbench.explain.node_text import gain_text, weight_text
from workbench.formats.base import FORMATS
from workbench.formats.bytes.short_name import short_name
from workbench.formats.code.links import link_sentence, precision_said
from workbench.formats.code.spelling import question_of, shown
from workbench.formats.edits import edits_in_ascii
from workbench.formats.one_way import WriteOnly
from workbench.formats.short_names import long_names, shortened, with_short_names
from workbench.number_text import MINUS, counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.data.schema import DataSchema
    from workbench.formats.model import Model
    from workbench.trees.tree import Tree

_CONTROL = re.compile(r"[\x00-\x1f\x7f\u2028\u2029]")
_ENTITY = re.compile(r"&(?=#?\w+;)")  # Graphviz would show a character in its place
_HEAD = ("  node [shape=box];", "  ordering=out;")  # "yes" stands at the left


class Dot(WriteOnly):
    """The format `dot`: every tree in a cluster of its own, with all digits of what it asks and adds."""

    name = "dot"
    label = "Graph of the trees, for Graphviz"
    suffixes: tuple[str, ...] = (".dot", ".gv")

    def write(self, model: Model) -> bytes:
        """Return the digraph."""
        whole, model = model.schema, shortened(model)
        ensemble, schema = model.ensemble.folded(), model.schema
        starts = ", ".join(str(base) for base in ensemble.base_margin)
        offset = "" if schema.offset is None else f", plus {shown(schema.offset)}"
        adding = f"Add one leaf of each tree, in {precision_said(ensemble)}."
        said = _quoted(f"Begin with {starts}{offset}. {adding}", link_sentence(ensemble))
        lines = [f"digraph {_quoted(schema.target)} {{", *_HEAD, f"  label={said};", *_long_names(whole)]
        lines[1:1] = [f"  // {line}" for line in edits_in_ascii(model)]
        for place, tree in enumerate(ensemble.trees, start=1):
            names = ensemble.output_names
            of_class = f", for {shown(names[tree.class_index])}" if names else ""
            inner = [f"  label={_quoted(f'Tree {place}{of_class}')};", *_nodes(tree, schema, f"t{place}_")]
            lines += [f"  subgraph cluster_{place} {{", *(f"  {line}" for line in inner), "  }"]
        return _bytes(lines)


def tree_dot(tree: Tree, schema: DataSchema, name: str) -> bytes:
    """Return the digraph of one tree."""
    head = [f"digraph {_quoted(short_name(name))} {{", *_HEAD, *_long_names(schema)]
    return _bytes([*head, *_nodes(tree, with_short_names(schema), "n")])


def _long_names(schema: DataSchema) -> list[str]:
    """Return names that are shortened in the graph, in full, as a comment that Graphviz keeps."""
    rows = [f"{shown(short)} = {shown(whole)}" for short, whole in long_names(schema)]
    return [f"  comment={_quoted(*rows)};"] if rows else []


def _nodes(tree: Tree, schema: DataSchema, prefix: str) -> Iterator[str]:
    """Yield questions in boxes, leaves in rounded ones, and answers on the edges."""
    known = knows_rows(tree)
    for node in range(tree.n_nodes):
        record = tree.nodes[node]
        rows = [counted(int(record["count"]), "row")] if known else []
        if tree.is_leaf[node]:
            yield f"  {prefix}{node} [label={_quoted(*_leaf(tree, node), *rows)}, style=rounded];"
        else:
            question, gain = question_of(tree, node, schema).text, f"gain {gain_text(float(record['gain']))}"
            yield f"  {prefix}{node} [label={_quoted(question, gain, *rows)}];"
        if node:
            way = _quoted(answer_with_missing(tree, node))
            yield f"  {prefix}{record['parent']} -> {prefix}{node} [label={way}];"


def _leaf(tree: Tree, node: int) -> list[str]:
    """Return the weight, where it is known, and what is added to the sum."""
    added = tree.nodes["leaf_value"][node]
    adds = f"adds {'+' if added > 0 else ''}{added!s}".replace("-", MINUS)
    return [f"w* {weight_text(float(tree.nodes['weight'][node]))}", adds] if tree.knows_sums else [adds]


def _quoted(*rows: str) -> str:
    """Return the rows of a label, in which no name can end the label or mean anything."""
    plain = (_CONTROL.sub(" ", row).replace("\\", "\\\\").replace('"', '\\"') for row in rows)
    return '"' + "\\n".join(_ENTITY.sub("&amp;", row) for row in plain) + '"'


def _bytes(lines: list[str]) -> bytes:
    return "\n".join([*lines, "}", ""]).encode("utf-8", "replace")


FORMATS.register(Dot())
