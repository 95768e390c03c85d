"""Columns of a model that have the same name, told apart as those of a table are."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.data.text.layout.header import numbered_names
from workbench.formats.bytes.short_name import short_name

if TYPE_CHECKING:
    from workbench.formats.model import Model

MOST_NAMED = 5
NOTE = "Columns of the model have the same name and were numbered, as those of a table are: {}."


def with_names_apart(model: Model) -> Model:
    """Return the model with every name once, and a note where that was not so."""
    schema, given = model.schema, set(model.schema.names)
    if len(given) == len(schema.names):
        return model
    names, _ = numbered_names(schema.names)
    features = tuple(replace(one, name=name) for one, name in zip(schema.features, names, strict=True))
    new = [f"'{short_name(name)}'" for name in names if name not in given]
    note = NOTE.format(", ".join(new[:MOST_NAMED]) + " …" * (len(new) > MOST_NAMED))
    notes = [*model.provenance.get("notes", []), note]
    return replace(
        model, schema=replace(schema, features=features), provenance=model.provenance | {"notes": notes}
    )
