"""A model as factor tables, by the names of its columns and levels."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from workbench.errors import leave_if
from workbench.explain.factors.additive_fit import FactorRows
from workbench.explain.factors.tables import additive_tables
from workbench.formats.code.links import link_of
from workbench.formats.factors.levels import levels_of
from workbench.number_text import count, counted, percent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from workbench.data.schema import DataSchema
    from workbench.ensembles.ensemble import Ensemble
    from workbench.explain.factors.tables import AdditiveTables, EffectTable
    from workbench.formats.factors.levels import Level
    from workbench.objectives.base import Objective
    from workbench.parameters.training import TrainingParams

ROWS_AT_ONCE = 20_000  # that are predicted between two looks whether to stop
FACTORS = {"exp": "relativity", "logistic": "odds ratio"}
HEAD = (
    "table", "output", "column", "level", "from", "to", "second column", "second level", "second from",
    "second to", "value", "factor", "rows", "exposure", "G", "H",
)  # fmt: skip


@dataclass(frozen=True, eq=False, repr=False)
class FactorTables:
    """A model as a constant, effects of columns, and of pairs of columns, which add up to the raw prediction.

    Attributes
    ----------
    found : AdditiveTables
    schema : DataSchema
    output_names : tuple of str
        Of several raw predictions.
    factor_name : str
        What e^value is called: "relativity" with a log link, "odds ratio" with a logit; "" with others.
    """

    found: AdditiveTables
    schema: DataSchema
    output_names: tuple[str, ...] = ()
    factor_name: str = ""
    steepness: float = 1.0

    def __repr__(self) -> str:
        mains, pairs = counted(len(self.found.mains), "column"), counted(len(self.found.pairs), "pair")
        return f"FactorTables({mains}, {pairs}, {self.told})"

    @property
    def is_exact(self) -> bool:
        """Whether they add up to the model's raw prediction of every row, offsets aside."""
        return self.found.is_exact

    @property
    def left_out(self) -> float:
        """Share of the variance of the raw predictions that they leave out, the largest of all outputs."""
        return float(self.found.left_out.max(initial=0.0))

    @property
    def constant(self) -> NDArray[np.float64]:
        """The raw prediction of no table, shape (K,)."""
        return self.found.constant

    @property
    def head(self) -> tuple[str, ...]:
        """The names of the fields of `records`."""
        return tuple(self.factor_name if name == "factor" and self.factor_name else name for name in HEAD)

    @property
    def told(self) -> str:
        """How well they stand for the model, in a sentence."""
        return told(self.found)

    def raw(self, X: Any) -> NDArray[np.float64]:
        """Return the raw predictions of rows by the tables, without offsets: (n,), or (n, K)."""
        from workbench.data.encoding import encode

        raw = self.found.raw(encode(self.schema, X))
        return raw[0] if len(raw) == 1 else raw.T

    def levels(self, table: EffectTable) -> tuple[list[Level], ...]:
        """Return the levels of each column of a table."""
        return tuple(levels_of(cells, self.schema.features[cells.column]) for cells in table.cells)

    def ordered(self, k: int) -> list[EffectTable]:
        """Return the tables of columns, then those of pairs, each the largest for output `k` first."""
        return sorted(self.found.tables, key=lambda table: (len(table.columns), -float(table.spread[k])))

    def name(self, table: EffectTable) -> str:
        """Return the columns of a table: "age", "age × sex"."""
        return " × ".join(self.schema.names[column] for column in table.columns)

    def factor(self, value: float) -> float | None:
        """Return what a value multiplies the prediction, or the odds, by; None without such a link."""
        with np.errstate(over="ignore"):
            return float(np.exp(self.steepness * value)) if self.factor_name else None

    def records(self) -> Iterator[tuple[Any, ...]]:
        """Yield a line for each level of each table, as `head` names its fields; the constant first."""
        names = self.output_names or ("",)
        for k, output in enumerate(names):
            value = float(self.constant[k])
            yield ("constant", output, *[""] * 8, value, _or_blank(self.factor(value)), *[""] * 4)
        for table in self.found.tables:
            levels = self.levels(table)
            for k, output in enumerate(names):
                for place in np.ndindex(table.rows.shape):
                    yield self._record(table, levels, k, output, place)

    def _record(
        self, table: EffectTable, levels: tuple[list[Level], ...], k: int, output: str,
        place: tuple[int, ...],
    ) -> tuple[Any, ...]:  # fmt: skip
        named: list[Any] = []
        for column, own, at in zip(table.columns, levels, place, strict=True):
            named += [self.schema.names[column], own[at].words, _or_blank(own[at].begin),
                      _or_blank(own[at].end)]  # fmt: skip
        named += [""] * (8 - len(named))
        value = float(table.values[(k, *place)])
        sums = [
            "" if field is None else float(field[(k, *place)]) for field in (table.gradients, table.hessians)
        ]
        kind = "main" if len(table.columns) == 1 else "pair"
        return (
            kind, output, *named, value, _or_blank(self.factor(value)), int(table.rows[place]),
            float(table.exposure[place]), *sums,
        )  # fmt: skip

    def save(self, path: str | Path, *, neutralise: bool = False) -> None:
        """Write them: an Excel workbook where the path ends with .xlsx, else CSV.

        `neutralise` puts an apostrophe before text in CSV that a spreadsheet would take for a formula.
        """
        from workbench.formats.factors.writing import save_lines

        save_lines(path, self.head, list(self.records()), self.summary(), neutralise=neutralise)

    def summary(self) -> list[tuple[Any, ...]]:
        """Return what a reader of the tables must know, in lines of two cells."""
        lines: list[tuple[Any, ...]] = [
            ("target", self.schema.target),
            ("tables", self.told[0].upper() + self.told[1:] + "."),
            ("share of variance left out", self.left_out),
        ]
        for output, value in zip(self.output_names or ("",), self.constant.tolist(), strict=True):
            lines.append((f"constant {output}".strip(), value))
            if self.factor_name:
                lines.append((f"e^constant {output}".strip(), self.factor(value)))
        lines += [("", ""), ("table", "standard deviation over the rows")]
        return lines + [(self.name(t), float(t.spread.max(initial=0.0))) for t in self.found.tables]


def _or_blank(value: float | None) -> Any:
    return "" if value is None else value


def told(found: AdditiveTables) -> str:
    """Say how well tables stand for the model."""
    sample = f"; weighed by {count(found.rows)} of {count(found.of_rows)} rows" if (
        found.of_rows > found.rows) else ""
    if found.is_exact:
        return f"exact: constant and tables add up to the raw prediction of every row{sample}"
    share = percent(float(found.left_out.max(initial=0.0)), 1)
    apart = " of rows that were not fitted to" if found.measured_apart else " of the rows fitted to"
    pairs = f"; {counted(found.pairs_left_out, 'pair')} that trees ask together left out" if (
        found.pairs_left_out) else ""
    fitted = f"; fitted to and measured on {count(found.fitted)} of {count(found.rows)} rows" if (
        found.fitted) else ""
    return (
        f"nearest: trees ask up to {found.order} columns together, and the tables leave out {share} of the "
        f"variance of the raw predictions{apart}{pairs}{fitted}{sample}"
    )


def tables_of_rows(
    ensemble: Ensemble,
    schema: DataSchema,
    rows: FactorRows,
    cancelled: Callable[[], bool] | None = None,
    of_rows: int = 0,
) -> FactorTables:
    """Return the tables of an ensemble under the weights of encoded rows; from any thread.

    `of_rows` says how many there are where these are a sample.
    """
    categories = [len(f.categories) if f.is_categorical else 0 for f in schema.features]
    found = additive_tables(ensemble, categories, rows, cancelled)
    if of_rows > found.of_rows:
        found = replace(found, of_rows=of_rows)
    link = link_of(ensemble)
    names = ensemble.output_names if ensemble.n_classes > 1 else ()
    return FactorTables(found, schema, names, FACTORS.get(link.name, ""), link.factor)


def factor_rows(
    ensemble: Ensemble,
    objective: Objective | None,
    features: NDArray[np.float32],
    target: NDArray[np.float64] | None,
    weight: NDArray[np.float64] | None,
    offset: NDArray[np.float32] | None,
    groups: NDArray[np.int64] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> FactorRows:
    """Return rows with their raw predictions, exposure, g and h; serial.

    The exposure is the weight, with a log link times e^offset.

    Raises
    ------
    Cancelled
    """
    from workbench.ensembles.prediction import raw_predictions
    from workbench.objectives.base import gradients

    parts = []
    for begin in range(0, len(features) or 1, ROWS_AT_ONCE):
        leave_if(cancelled)
        parts.append(raw_predictions(ensemble, features[begin : begin + ROWS_AT_ONCE], serial=True))
    raw = np.concatenate(parts).astype(np.float64)
    by_output = raw.reshape(len(features), ensemble.n_classes).T
    exposure = np.ones(len(features)) if weight is None else np.asarray(weight, np.float64)
    if offset is not None and link_of(ensemble).name == "exp":
        exposure = exposure * np.exp(offset.astype(np.float64))
    if target is None or objective is None or objective.lacks():
        return FactorRows(features, by_output, exposure)
    if objective.needs_groups:
        if groups is None:
            return FactorRows(features, by_output, exposure)
        objective = objective.with_groups(groups)
    with_offset = raw if offset is None else raw + (offset if raw.ndim == 1 else offset[:, None])
    g, h = gradients(objective, target, with_offset.astype(np.float32), weight)
    shape = (len(features), ensemble.n_classes)
    return FactorRows(features, by_output, exposure, g.reshape(shape).T, h.reshape(shape).T)


class GivenRows(NamedTuple):
    """Rows as a script gives them, and encoded; answers and weights as given, else in their columns."""

    X: Any
    features: NDArray[np.float32]
    y: Any = None
    weight: Any = None
    offset: NDArray[np.float32] | None = None


def tables_of_given(
    ensemble: Ensemble, schema: DataSchema, params: TrainingParams, given: GivenRows
) -> FactorTables:
    """Return the tables of an ensemble under the weights of rows; those without an answer are left out."""
    from workbench.formats.answered_rows import answered_rows
    from workbench.objectives.base import OBJECTIVES

    X, features, offset = given.X, given.features, given.offset
    y = _column(X, schema.target) if given.y is None else given.y
    weight = _column(X, schema.weight_column) if given.weight is None else given.weight
    blank = schema.class_labels[:1] * len(features) if schema.class_labels else np.zeros(len(features))
    known = answered_rows(
        schema, features, blank if y is None else y, weight, _column(X, schema.group), None
    )
    kept = np.flatnonzero(~np.isnan(known.target))
    own_weight = None if known.weight is None else known.weight[kept]
    groups = None if known.groups is None else known.groups[kept]
    rows = factor_rows(
        ensemble, OBJECTIVES.get(ensemble.objective).with_params(params),
        np.asfortranarray(features[kept]), None if y is None else known.target[kept], own_weight,
        None if offset is None else offset[kept], groups,
    )
    return tables_of_rows(ensemble, schema, rows)


def _column(X: Any, name: str | None) -> Any:
    """Return a column of a frame or a table as it is written, where it is there."""
    from workbench.data.given.rows import is_frame, places_of
    from workbench.data.table import Table

    if name is None:
        return None
    if isinstance(X, Table):
        if name not in X.names:
            return None
        column = X.column(name)
        if not column.is_categorical:
            return column.values
        labels = np.array([*column.categories, None], object)
        codes = np.where(np.isnan(column.values), len(column.categories), column.values)
        return labels[codes.astype(np.int64)]
    places = places_of(X, name) if is_frame(X) else []
    return X.iloc[:, places[0]] if len(places) == 1 else None
