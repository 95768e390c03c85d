"""What a model must know of its table: columns by name, kind and categories, and the classes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from workbench.data.values.writing import UNKNOWN, Writing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.data.table import Column, Kind, TableNote

Role = Literal["feature", "target", "weight", "group", "offset", "ignore"]
ROLES: tuple[Role, ...] = ("feature", "target", "weight", "group", "offset", "ignore")
OF_ONE_COLUMN: tuple[Role, ...] = ("target", "weight", "group", "offset")
Task = Literal["regression", "binary", "multiclass"]
Fractions = Literal["", "down", "to zero"]
SplitBy = Literal["rows", "groups", "time", "column", "file"]
SPLITS_BY: tuple[SplitBy, ...] = ("rows", "groups", "time", "column", "file")
BY_COLUMN: tuple[SplitBy, ...] = ("groups", "time", "column")


@dataclass(frozen=True)
class Feature:
    """A column that the model reads.

    Attributes
    ----------
    name : str
    kind : Kind
    categories : tuple of str
        By code, of a category or boolean.
    whole_days : bool
        Whether it is a date of which no row that was read has a time.
    writing : Writing
        How its cells were written, where the same text may mean something else.
    fractions : Fractions
        How the program that made the model rounds a number that is no code of its categories, as 2.5.
    """

    name: str
    kind: Kind
    categories: tuple[str, ...] = ()
    whole_days: bool = False
    writing: Writing = field(default=UNKNOWN, compare=False)
    fractions: Fractions = ""

    @staticmethod
    def of(column: Column) -> Feature:
        """Return a column of a table as a feature."""
        return Feature(column.name, column.kind, column.categories, column.holds_whole_days, column.writing)

    @property
    def is_categorical(self) -> bool:
        """Whether its values are codes into `categories`."""
        return self.kind in ("category", "boolean")


def features_of(columns: Sequence[Column]) -> tuple[Feature, ...]:
    """Return columns of a table as features; those that show no decimal sign have that of all others."""
    features = tuple(map(Feature.of, columns))
    signs = {feature.writing.decimal for feature in features} - {""}
    if len(signs) != 1:
        return features
    sign = signs.pop()
    with_sign = (replace(feature, writing=replace(feature.writing, decimal=sign)) for feature in features)
    pairs = zip(features, with_sign, strict=True)
    return tuple(signed if feature.kind == "number" else feature for feature, signed in pairs)


@dataclass(frozen=True)
class Split:
    """How rows were held out, so that it can be done again.

    Attributes
    ----------
    valid_fraction : float
    seed : int
    stratified : bool
    by : {"rows", "groups", "time", "column", "file"}
        Rows at random, whole groups at random, the latest rows, those that a column names, or those of a
        second file.
    column : str or None
        Of the groups, of the time, or the one that names them.
    seen_order : bool
        Whether groups are numbered as they first come, and not as they are sorted.
    file, file_sha256 : str or None
        Name and hash of the second file.
    """

    valid_fraction: float
    seed: int = 0
    stratified: bool = True
    by: SplitBy = "rows"
    column: str | None = None
    seen_order: bool = False
    file: str | None = None
    file_sha256: str | None = None

    def plain(self) -> Split:
        """Return it without what does not bear on the rows."""
        if self.by in ("column", "file"):
            return replace(self, valid_fraction=0.0, seed=0, stratified=True)
        return replace(self, seed=0, stratified=True) if self.by == "time" else self

    @property
    def holds_out(self) -> bool:
        """Whether any rows are held out."""
        return self.by in ("column", "file") or self.valid_fraction > 0.0


@dataclass(frozen=True)
class DataSchema:
    """The features in the order of the matrix, the target and what its values mean.

    Attributes
    ----------
    features : tuple of Feature
    target : str
    task : Task
    class_labels : tuple of str, int, float or bool
        By class index; for "binary" the second is the positive class. Empty for regression.
    weight : str or None
        Name of the weight column.
    offset : str or None
        Name of the column with a known part of each row's raw prediction.
    group : str or None
        Name of the column that says which rows belong together.
    split : Split or None
        How rows were held out, where the program did it.
    blanks_underscored : bool
        Whether underscores in names may stand for blanks, as the program that made the model writes them.
    source, sha256 : str or None
        Name and hash of the file trained on.
    rows : int
    journal : tuple of TableNote
        What was repaired or remarked when the table was read, and what was changed in it after.
    settled : tuple of (name, value)
        What a person settled about the cells of the table: see `ReadOptions.of_cells`.
    target_is_date : bool
        Whether the numbers of the target are days since 1970-01-01; older files do not say.
    """

    features: tuple[Feature, ...]
    target: str
    task: Task
    class_labels: tuple[str | int | float | bool, ...] = ()
    weight: str | None = None
    offset: str | None = None
    source: str | None = None
    sha256: str | None = None
    rows: int = 0
    journal: tuple[TableNote, ...] = ()
    blanks_underscored: bool = False
    settled: tuple[tuple[str, Any], ...] = ()
    group: str | None = None
    split: Split | None = None
    target_is_date: bool = field(default=False, compare=False)

    @property
    def weight_column(self) -> str | None:
        """Return the column of weights; None too where a feature has the name that unnamed weights have."""
        return None if self.weight in self.names else self.weight

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the features."""
        return tuple(f.name for f in self.features)
