"""The `cats` container, by which XGBoost 3.1 and later recode pandas categories to the model's codes.

Measured with 3.2: without the container a DataFrame whose categories stand in another order is silently
misread. Of names that are not ASCII it writes the places of a pandas table in characters, and of their bytes
only as many as there are characters (an Arrow table's are right). So such a column is declared to have its
codes as names: a DataFrame with the texts is then refused instead of misread.
"""

from __future__ import annotations

import codecs
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from workbench.errors import WorkbenchError
from workbench.formats.bytes import checks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.data.schema import Feature

INTEGER_NAMES = 15


class StoredNames(NamedTuple):
    """The names of a column's categories that a file holds, by code.

    Attributes
    ----------
    names : tuple of str
        Of the first codes.
    lost : bool
        Whether the file should have more, which XGBoost has cut off, or does not tell where one ends.
    """

    names: tuple[str, ...] = ()
    lost: bool = False


def category_container(features: Sequence[Feature]) -> dict[str, Any]:
    """Return the container for these features; an empty one where none is categorical."""
    if not any(f.is_categorical and f.categories for f in features):
        return {"enc": [], "feature_segments": [], "sorted_idx": []}
    segments, ranks = [0], []
    for feature in features:
        names = feature.categories if feature.is_categorical else ()
        segments.append(segments[-1] + len(names))
        ranks += _ranks(names)
    return {"enc": [_encoding(f) for f in features], "feature_segments": segments, "sorted_idx": ranks}


def unsafe_columns(features: Sequence[Feature]) -> list[str]:
    """Return the categorical columns whose names XGBoost cannot match."""
    return [f.name for f in features if f.is_categorical and not _ascii(f.categories)]


def read_container(record: Any, n_features: int) -> list[StoredNames]:
    """Return the category names by feature; nothing where there are none or they are no text."""
    encodings = record.get("enc", []) if isinstance(record, dict) else []
    if len(encodings) != n_features:
        return [StoredNames()] * n_features
    return [_names(encoding) for encoding in encodings]


def _encoding(feature: Feature) -> dict[str, Any]:
    if not (feature.is_categorical and feature.categories):
        return {"offsets": [], "values": []}
    if not _ascii(feature.categories):
        return {"type": INTEGER_NAMES, "values": list(range(len(feature.categories)))}
    offsets, values = [0], bytearray()
    for name in feature.categories:
        values += name.encode("ascii")
        offsets.append(len(values))
    return {"offsets": offsets, "values": list(values)}


def _ranks(names: Sequence[str]) -> list[int]:
    return sorted(range(len(names)), key=(lambda i: names[i]) if _ascii(names) else int)


def _ascii(names: Sequence[str]) -> bool:
    return all(name.isascii() for name in names)


def _names(encoding: Any) -> StoredNames:
    offsets, values = encoding.get("offsets", []), encoding["values"]
    if not offsets:
        return StoredNames(tuple(str(value) for value in values))
    raw = bytes((checks.integers(values, "values", low=-128, high=255) % 256).tolist())
    bounds = checks.integers(offsets, "offsets", low=0, high=len(raw))
    if (np.diff(bounds) < 0).any():
        raise WorkbenchError("Damaged model file: the offsets of the categories must ascend.")
    spans = list(pairwise(bounds.tolist()))
    try:
        names = tuple(raw[begin:end].decode("utf-8") for begin, end in spans)
    except UnicodeDecodeError:
        return _by_characters(raw, spans)
    if len(set(names)) < len(names):
        return _by_characters(raw, spans)
    return StoredNames(names) if raw.isascii() else StoredNames(lost=True)


def _by_characters(raw: bytes, spans: Sequence[tuple[int, int]]) -> StoredNames:
    """Read places that count characters; the bytes end before the last names do, maybe in a character."""
    whole = codecs.getincrementaldecoder("utf-8")("replace").decode(raw)
    names = tuple(whole[begin:end] for begin, end in spans if end <= len(whole))
    return StoredNames(names, lost=len(names) < len(spans))
