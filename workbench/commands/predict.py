"""`workbench predict`: a model and a table in, a CSV of predictions out."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

from workbench.commands.base import COMMANDS
from workbench.commands.model_flags import add_model_flags, model_of
from workbench.commands.reading_flags import add_reading_flags, options_of

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from workbench.data.table import Table
    from workbench.formats.model import Model


class Predict:
    """Columns: `prediction`, or one a quantile; for classes also `probability_LABEL`; with `--raw` `raw`."""

    name = "predict"
    help = "predict the rows of a table with a model"

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare arguments and flags."""
        add_model_flags(parser)
        parser.add_argument(
            "file", metavar="FILE", help="table with the model's columns; the target is not needed"
        )
        parser.add_argument(
            "--output", metavar="CSV", required=True, help="file to write, a line a row of FILE"
        )
        parser.add_argument("--raw", action="store_true", help="add the raw predictions, before the link")
        add_reading_flags(parser)

    def run(self, args: Namespace) -> int:
        """Predict and write."""
        from workbench.data.readers.base import read_table
        from workbench.formats.files import atomic_write

        options = options_of(args)
        model = model_of(args)
        columns = prediction_columns(model, read_table(args.file, options=options), args.raw)
        atomic_write(args.output, as_csv(columns))
        return 0


def prediction_columns(model: Model, table: Table, raw: bool = False) -> dict[str, list[Any]]:
    """Return the columns of the predictions file."""
    labels = [_text(label) for label in model.schema.class_labels]
    raw_values = model.predict_raw(table)
    predicted = model.transform(raw_values)
    if predicted.ndim > 1 and not labels:
        labels = [name.replace(" ", "_") for name in model.ensemble.output_names]
        columns = {name: _numbers(values) for name, values in zip(labels, predicted.T, strict=True)}
    elif not labels:
        columns = {"prediction": _numbers(predicted)}
    else:
        columns = {"prediction": [_text(label) for label in model.labels_of(predicted).tolist()]}
        by_class = predicted.T if predicted.ndim > 1 else (1 - predicted, predicted)
        columns |= {f"probability_{k}": _numbers(p) for k, p in zip(labels, by_class, strict=True)}
    if raw:
        several = raw_values.ndim > 1
        columns |= (
            {f"raw_{k}": _numbers(r) for k, r in zip(labels, raw_values.T, strict=True)}
            if several
            else {"raw": _numbers(raw_values)}
        )
    return columns


def as_csv(columns: dict[str, list[Any]]) -> bytes:
    """Return the columns as UTF-8 CSV."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    return stream.getvalue().encode("utf-8")


def _numbers(values: Any) -> list[str]:
    """Return the shortest text of each that gives the same float32 back."""
    return [str(value) for value in values]


def _text(label: Any) -> str:
    return str(label).lower() if isinstance(label, bool) else str(label)


COMMANDS.register(Predict())
