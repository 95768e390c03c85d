"""Trees as XGBoost's document holds them, in columns: each of its lists of all trees, tree after tree.

trees           0           1
left_children   1, -1, -1 | 1, 3, -1, -1, -1
begins          0           3               8
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeVar

from workbench.formats.bytes.number_lists import (
    PLACE,
    PLACE_IN_TEXT,
    WritesItself,
    compact_json,
    part_texts,
)  # fmt: skip

if TYPE_CHECKING:
    from numpy.typing import NDArray

T = TypeVar("T")
BY_CATEGORY = ("categories", "categories_nodes", "categories_segments", "categories_sizes")


class TreeTable(WritesItself):
    """Trees in the order of the document.

    Parameters
    ----------
    n_features : int
    begins : list of int, length n_trees + 1
        Of each tree's nodes in the columns, and their length.
    columns : dict of ndarray
        By the name of the list, of float32 or whole numbers, a value for each node.
    categories : dict of int to dict
        The four lists of codes, of those trees that ask for some.
    """

    def __init__(
        self, n_features: int, begins: list[int], columns: dict[str, NDArray[Any]],
        categories: dict[int, dict[str, list[int]]],
    ) -> None:  # fmt: skip
        self.begins = begins
        self.columns = columns
        self.categories = categories
        self._n_features = n_features

    def __len__(self) -> int:
        return len(self.begins) - 1

    def codes(self, tree: int, name: str) -> list[int]:
        """Return a list of codes of a tree, which is empty where it asks for none."""
        return self.categories[tree][name] if tree in self.categories else []

    def values(self) -> list[dict[str, Any]]:
        """Return an object for each tree, whose lists are arrays."""
        return [self._object(tree, begin, end) for tree, (begin, end) in enumerate(pairwise(self.begins))]

    def json(self) -> str:
        """Return the objects as text, all put into one frame."""
        if not len(self):
            return "[]"
        lists = dict(zip(self.columns, part_texts([*self.columns.values()], self.begins), strict=True))
        lists |= {name: self._code_texts(name) for name in BY_CATEGORY}
        lists["id"] = [*map(str, range(len(self)))]
        lists["tree_param"] = [f'"{end - begin}"' for begin, end in pairwise(self.begins)]
        places = {**dict.fromkeys(lists, PLACE), "tree_param": self._tree_param(PLACE)}
        frame = compact_json(_in_order(places)).replace("%", "%%").replace(PLACE_IN_TEXT, "%s")
        return f"[{','.join([frame % texts for texts in zip(*_in_order(lists).values(), strict=True)])}]"

    def _object(self, tree: int, begin: int, end: int) -> dict[str, Any]:
        lists = {name: column[begin:end] for name, column in self.columns.items()}
        codes = {name: self.codes(tree, name) for name in BY_CATEGORY}
        return _in_order({**lists, **codes, "id": tree, "tree_param": self._tree_param(str(end - begin))})

    def _tree_param(self, n_nodes: str) -> dict[str, str]:
        return {
            "num_deleted": "0", "num_feature": str(self._n_features), "num_nodes": n_nodes,
            "size_leaf_vector": "1",
        }  # fmt: skip

    def _code_texts(self, name: str) -> list[str]:
        texts = ["[]"] * len(self)
        for tree in self.categories:
            texts[tree] = compact_json(self.codes(tree, name))
        return texts


def _in_order(found: dict[str, T]) -> dict[str, T]:
    """Return the same in XGBoost's order, which is that of the alphabet."""
    return {name: found[name] for name in sorted(found)}
