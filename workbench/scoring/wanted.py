"""Which columns are written of scored rows; loads nothing."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Wanted:
    """Which columns are written.

    Attributes
    ----------
    row_numbers : bool
        `row`, from 1.
    kept : tuple of str, or None
        Columns of the table that go along as they stand; None for all.
    raw : bool
        Raw predictions, before the link.
    explained : bool
        SHAP values: `base` and `contribution_COLUMN`, which add up to the raw prediction.
    """

    row_numbers: bool = False
    kept: tuple[str, ...] | None = ()
    raw: bool = False
    explained: bool = False


PREDICTIONS = Wanted()
