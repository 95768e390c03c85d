"""The columns of a linear model by name, and the formula that they make."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from workbench.data.schema import DataSchema
    from workbench.formats.model import Model
    from workbench.linear.columns import LinearColumns


def column_names(schema: DataSchema, columns: LinearColumns) -> list[str]:
    """Return the name of each column: its feature's, with the category where it has one."""
    names = []
    for column, place in enumerate(columns.features.tolist()):
        feature, level = schema.features[place], columns.level_of(column)
        names.append(feature.name if level < 0 else f"{feature.name} {feature.categories[level]}")
    return names


def formulas(model: Model) -> list[dict[str, Any]]:
    """Return the formula of each raw prediction as JSON values: intercept, and the columns that are weighed.

    The largest coefficients of the standardised columns come first. `weight` is of the column as it is in the
    table, and `intercept` where all of these are 0.
    """
    part = model.ensemble.linear[-1]
    names, found = column_names(model.schema, part.columns), []
    for k, row in enumerate(part.coefficients):
        order = sorted((column for column in range(len(row)) if row[column]), key=lambda c: -abs(row[c]))
        weights = part.weights[k]
        terms = [
            {"column": names[c], "coefficient": float(row[c]), "weight": float(weights[c])} for c in order
        ]
        output = {"output": model.ensemble.output_names[k]} if model.ensemble.output_names else {}
        found.append({**output, "intercept": float(part.plain_intercepts[k]), "terms": terms})
    return found
