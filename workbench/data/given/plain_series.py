"""Series in types of pandas' own: those of Arrow are taken out, what holds no single values is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.data.given.rows import complex_refused, values_of
from workbench.data.values.weights import usable_weight
from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray


def plain_series(name: str, series: pd.Series) -> pd.Series:
    """Return a series without types of Arrow.

    Raises
    ------
    WorkbenchError
        Its cells are complex, or lists, records, sets: no single values.
    """
    import pandas as pd

    kind = series.dtype
    if isinstance(kind, pd.ArrowDtype):
        series = _out_of_arrow(name, series)
        kind = series.dtype
    if pd.api.types.is_complex_dtype(kind):
        raise complex_refused(f"Column '{name}' holds")
    if kind == np.dtype(object):
        for cell in set(map(type, series.array)):
            if issubclass(cell, (complex, np.complexfloating)):
                raise complex_refused(f"Column '{name}' holds")
            if issubclass(cell, bytes):
                raise no_single_values(name, "bytes")
            if cell.__hash__ is None:
                raise no_single_values(name, f"a {cell.__name__}")
    return series


def numbers_of(data: Any, what: str) -> NDArray[np.float64]:
    """Return one number a row; NaN where there is none."""
    values = values_of(data, what)
    if isinstance(values, np.ndarray) and values.dtype.kind == "c":
        raise complex_refused(f"The {what} holds")
    try:
        if isinstance(values, np.ndarray):
            return np.asarray(values, np.float64)
        return plain_series(what, values).to_numpy(np.float64, na_value=np.nan)
    except (TypeError, ValueError, OverflowError):
        raise WorkbenchError(f"The {what} holds something that is no number. Give one a row.") from None


def one_a_row(data: Any, what: str, n_rows: int) -> NDArray[np.float64]:
    """Return as many numbers as there are rows; NaN where there is none."""
    values = numbers_of(data, what)
    if values.shape != (n_rows,):
        raise WorkbenchError(
            f"The {what} has shape {values.shape} where ({n_rows},) is needed. Give one value for each row."
        )
    return values


def weights_of(data: Any, n_rows: int) -> NDArray[np.float64]:
    """Return the weight of each row, 0 where it is missing; refuse one that is negative or infinite."""
    weight = one_a_row(data, "weight", n_rows)
    return usable_weight(np.where(np.isnan(weight), 0.0, weight))


def no_single_values(name: str, what: str) -> WorkbenchError:
    """Return the error for a column whose cells hold several values."""
    needed = "where numbers, text or dates are needed. Leave it out, or take it apart."
    return WorkbenchError(f"Column '{name}' holds {what} {needed}")


def _out_of_arrow(name: str, series: pd.Series) -> pd.Series:
    import pandas as pd
    import pyarrow as pa

    values = pa.chunked_array(series.array.__arrow_array__())
    if isinstance(values.type, pa.BaseExtensionType):
        values = pa.chunked_array([chunk.storage for chunk in values.chunks], values.type.storage_type)
    if pa.types.is_run_end_encoded(values.type):
        values = _decoded(values)
    kind = values.type
    if pa.types.is_nested(kind):
        raise no_single_values(name, "records" if pa.types.is_struct(kind) else "lists")
    if pa.types.is_dictionary(kind):
        values = values.unify_dictionaries()
    elif pa.types.is_date(kind):
        values = values.cast(pa.timestamp("ms" if pa.types.is_date64(kind) else "s"))
    elif pa.types.is_decimal(kind):
        values = values.cast(pa.float64(), safe=False)
    plain = values.to_pandas(types_mapper=_nullable().get)
    return pd.Series(plain.array, index=series.index, name=series.name)


def _decoded(values: Any) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc

    return pa.chunked_array([pc.run_end_decode(chunk) for chunk in values.chunks], values.type.value_type)


def _nullable() -> dict[Any, Any]:
    """Return, by types of Arrow, those of pandas that keep whole numbers and truth values beside NA."""
    import pandas as pd
    import pyarrow as pa

    widths = (8, 16, 32, 64)
    signed = {getattr(pa, f"int{w}")(): getattr(pd, f"Int{w}Dtype")() for w in widths}
    unsigned = {getattr(pa, f"uint{w}")(): getattr(pd, f"UInt{w}Dtype")() for w in widths}
    return {**signed, **unsigned, pa.bool_(): pd.BooleanDtype()}
