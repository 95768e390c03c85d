"""Names and questions in words that can be read back, whatever characters a name has."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.errors import WorkbenchError
from workbench.explain.node_figures import ALL_DIGITS, threshold_text
from workbench.formats.bytes.short_name import short_name
from workbench.isolation import isolated

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.data.schema import DataSchema, Feature
    from workbench.trees.tree import Tree

# What would end a name, or begin what stands beside it.
_DOUBTFUL = re.compile(r'^$|^ | $|  |["\\{}<>=≥≠]|[,:] |: | (?:and|or|in|not) ')
_JOINERS = "\u200c\u200d"  # which cannot be seen but belong to words and signs of many scripts
_DENIED = {"<": "≥", "=": "≠", "in": "not in"}


class Question(NamedTuple):
    """The question of a split: a column, "<", "=" or "in", and what follows it, exactly."""

    name: str
    relation: str
    value: str

    @property
    def text(self) -> str:
        """What a "yes" says."""
        return f"{self.name} {self.relation} {self.value}"

    @property
    def denied(self) -> str:
        """What a "no" says."""
        return f"{self.name} {_DENIED[self.relation]} {self.value}"


def question_of(tree: Tree, node: int, schema: DataSchema) -> Question:
    """Return what `node` asks: a threshold in all its digits, every category by its own name."""
    feature = schema.features[int(tree.nodes["feature"][node])]
    if not feature.is_categorical:
        threshold = threshold_text(tree.nodes["threshold"][node], feature, ALL_DIGITS)
        return Question(shown(feature.name), "<", threshold)
    labels = [shown(feature.categories[code]) for code in asked_codes(tree, node, feature)]
    if len(labels) == 1:
        return Question(shown(feature.name), "=", labels[0])
    return Question(shown(feature.name), "in", "{" + ", ".join(labels) + "}")


def asked_codes(tree: Tree, node: int, feature: Feature) -> Sequence[int]:
    """Return the codes that answer "yes", also where the codes of categories are compared by size.

    WorkbenchError where these are none, or where a category that the model does not know is one of them.
    """
    if len(codes := tree.categories(node)):
        return codes.tolist()
    below = int(np.ceil(tree.nodes["threshold"][node]))
    if not 0 < below <= len(feature.categories):
        raise WorkbenchError(
            f"The model asks for categories of '{short_name(feature.name)}' by their number, for others than "
            "it knows too, or for none. That cannot be said here; convert to 'python', 'c' or 'onnx'."
        )
    return range(below)


def spelt(name: str) -> str:
    """Return a name as it is, or as a JSON string where it could be mistaken for more than a name."""
    return name if can_be_seen(name) and not _DOUBTFUL.search(name) else in_quotes(name)


def shown(name: str) -> str:
    """Return a name as it is spelt, to stand in a line of text; one in quotes is parted from it by them."""
    spelling = spelt(name)
    return isolated(spelling) if spelling == name else spelling


def visible(name: str) -> str:
    """Return a name as it is where every character can be seen, otherwise as a JSON string."""
    return name if can_be_seen(name) and not name.startswith('"') else in_quotes(name)


def can_be_seen(name: str) -> bool:
    """Whether no character turns the direction of writing, ends the line or is none."""
    return all(sign.isprintable() or sign in _JOINERS for sign in name)


def in_quotes(name: str) -> str:
    """Return a JSON string in which every character can be seen."""
    signs = (sign if can_be_seen(sign) and sign not in '"\\' else json.dumps(sign)[1:-1] for sign in name)
    return f'"{"".join(signs)}"'
