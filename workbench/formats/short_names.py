"""Names so long that they are told in full once, and shortened wherever they are told again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.formats.bytes.short_name import short_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.data.schema import DataSchema, Feature
    from workbench.formats.model import Model


def with_short_names(schema: DataSchema) -> DataSchema:
    """Return the schema with long names of columns and categories shortened; they stay apart."""
    features = tuple(map(_short_feature, schema.features, range(1, len(schema.features) + 1)))
    offset = None if schema.offset is None else short_name(schema.offset)
    weight = None if schema.weight is None else short_name(schema.weight)
    return replace(
        schema, features=features, target=short_name(schema.target), offset=offset, weight=weight,
        class_labels=tuple(short_name(x, k) if isinstance(x, str) else x for k, x in _counted(schema)),
    )  # fmt: skip


def shortened(model: Model) -> Model:
    """Return the model with long names shortened, to be shown to people; it cannot read a table."""
    names = tuple(short_name(name, k) for k, name in enumerate(model.ensemble.output_names, start=1))
    ensemble = replace(model.ensemble, output_names=names)
    return replace(model, schema=with_short_names(model.schema), ensemble=ensemble)


def long_names(schema: DataSchema) -> Iterator[tuple[str, str]]:
    """Yield each name that is shortened, so and in full: of columns in every role, and of categories."""
    short = with_short_names(schema)
    pairs = [(getattr(short, role), getattr(schema, role)) for role in ("target", "weight", "offset")]
    for mine, whole in zip(short.features, schema.features, strict=True):
        pairs += [(mine.name, whole.name), *zip(mine.categories, whole.categories, strict=True)]
    pairs += zip(map(str, short.class_labels), map(str, schema.class_labels), strict=True)
    yield from ((mine, whole) for mine, whole in pairs if mine and whole and mine != whole)


def _counted(schema: DataSchema) -> Iterator[tuple[int, str | int | float | bool]]:
    return enumerate(schema.class_labels, start=1)


def _short_feature(feature: Feature, number: int) -> Feature:
    categories = tuple(short_name(label, k) for k, label in enumerate(feature.categories, start=1))
    return replace(feature, name=short_name(feature.name, number), categories=categories)
