"""What a script gives, in the few forms that are read: arrays of numpy, frames and series of pandas."""

from __future__ import annotations

import sys
from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.data.table import Table
from workbench.data.text.layout.header import name_of_label
from workbench.errors import WorkbenchError
from workbench.memory import ask_for
from workbench.parameters.nearest import nearest

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

_ARROW = ("__arrow_c_stream__", "__arrow_c_array__")


def is_frame(data: Any) -> bool:
    """Whether it is a frame of pandas."""
    return hasattr(data, "iloc") and hasattr(data, "columns")


def rows_of(data: Any) -> NDArray[Any] | pd.DataFrame | Table:
    """Return rows as an array, a frame, or a table of ours; a table of Arrow becomes a frame.

    Parameters
    ----------
    data : array-like of shape (n, d), DataFrame, Table, or what has Arrow's interface for C
        A table of pyarrow, a frame of polars, a relation of DuckDB; a sparse matrix, with its zeros.

    Raises
    ------
    WorkbenchError
        It is no table, or one that is not read: complex, a dict.
    """
    if isinstance(data, (np.ndarray, Table)) and not isinstance(data, np.ma.MaskedArray):
        return _checked(data) if isinstance(data, np.ndarray) else data
    if is_frame(data):
        return data
    if _is_arrow(data) and not hasattr(data, "iloc"):
        return _frame_of_arrow(data)
    if hasattr(data, "tocsr") and len(getattr(data, "shape", ())) == 2:
        return _dense(data)
    _refuse_others(data, "features")
    return _checked(_array(data, "features"))


def _dense(data: Any) -> NDArray[Any]:
    """Return sparse rows with their zeros, where there is memory for them."""
    ask_for(data.shape[0] * data.shape[1] * data.dtype.itemsize, "X", "its zeros are written out")
    return _checked(data.toarray())


def values_of(data: Any, what: str) -> NDArray[Any] | pd.Series:
    """Return one value a row as an array or a series; a table of one column is that column.

    Parameters
    ----------
    what : str
        "target", say, for the words of an error.
    """
    if _is_arrow(data) and not hasattr(data, "iloc"):
        data = _series_of_arrow(data)
    if is_frame(data):
        if len(data.columns) != 1:
            raise WorkbenchError(f"The {what} has {len(data.columns)} columns where one is needed.")
        return data.iloc[:, 0]
    if hasattr(data, "iloc"):
        return data
    if _is_of_pandas(data):
        import pandas as pd

        return pd.Series(data)
    _refuse_others(data, what)
    array = _array(data, what)
    if array.dtype.kind in "US" and isinstance(data, (list, tuple)):
        array = _as_objects(data, array)
    return array[:, 0] if array.ndim == 2 and array.shape[1] == 1 else array


def is_pair(data: Any) -> bool:
    """Whether it is rows with their target, (X, y) or (X, y, weight), rather than rows."""
    if not isinstance(data, (list, tuple)) or len(data) not in (2, 3):
        return False
    rows = data[0]
    if isinstance(rows, (list, tuple)):
        return bool(rows) and isinstance(rows[0], (list, tuple, np.ndarray))
    return is_frame(rows) or _is_arrow(rows) or getattr(rows, "ndim", 0) == 2


def places_of(frame: pd.DataFrame, name: object) -> list[int]:
    """Return the places of the columns that a label means: itself, else the text that it is called by."""
    labels = list(frame.columns)
    return [place for place, label in enumerate(labels) if _same(label, name)] or [
        place for place, label in enumerate(labels) if name_of_label(label) == name
    ]


def names_column(data: Any, given: Any) -> bool:
    """Whether something names a column rather than being one: text, or a label that the frame has."""
    if isinstance(given, str):
        return True
    is_label = given is not None and isinstance(given, Hashable)
    return is_label and is_frame(data) and bool(places_of(data, given))


def taken_out(data: Any, name: Any) -> tuple[Any, pd.Series]:
    """Return a frame without the column of this name, and that column."""
    if not is_frame(data):
        raise WorkbenchError(f"'{name}' names a column, but X is no DataFrame. Give an array instead.")
    places = places_of(data, name)
    if len(places) != 1:
        called = name_of_label(name)
        if places:
            raise WorkbenchError(
                f"There is no single column '{called}', but {len(places)}. Give each another name."
            )
        known = nearest(called, [name_of_label(label) for label in data.columns])
        raise WorkbenchError(f"There is no single column '{called}'. {known}.")
    others = [place for place in range(len(data.columns)) if place != places[0]]
    return data.iloc[:, others], data.iloc[:, places[0]]


def _same(label: object, name: object) -> bool:
    """Whether a label is the name: 3 is 3, of numpy too, but neither True nor "3"."""
    if isinstance(label, (str, bool, tuple)) or isinstance(name, (str, bool, tuple)):
        return type(label) is type(name) and label == name
    return isinstance(name, Hashable) and bool(label == name)


def _is_arrow(data: Any) -> bool:
    return any(hasattr(data, name) for name in _ARROW)


def _is_of_pandas(data: Any) -> bool:
    """Whether it is one of pandas' own arrays, or an index."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(data, (pandas.api.extensions.ExtensionArray, pandas.Index))


def _pyarrow() -> Any:
    try:
        import pyarrow
    except ImportError:
        raise WorkbenchError(
            "Reading tables of Arrow needs the package pyarrow. Install it with: pip install pyarrow"
        ) from None
    return pyarrow


def _frame_of_arrow(data: Any) -> pd.DataFrame:
    """Return a table of Arrow as a frame whose columns keep their types."""
    pa = _pyarrow()
    import pandas as pd

    try:
        table = data if isinstance(data, pa.Table) else pa.table(data)
    except (pa.ArrowException, TypeError, ValueError) as error:
        raise WorkbenchError(
            f"The features are one column ({type(data).__name__}), and a table is needed."
        ) from error
    return pd.DataFrame(
        {place: _series(table.column(place)) for place in range(table.num_columns)},
        index=pd.RangeIndex(table.num_rows),
    ).set_axis(list(table.column_names), axis=1)


def _series_of_arrow(data: Any) -> pd.DataFrame | pd.Series:
    """Return one column of Arrow as a series, a table as a frame."""
    pa = _pyarrow()
    if hasattr(data, "__arrow_c_array__"):
        found = pa.array(data)
        return _frame_of_arrow(data) if pa.types.is_struct(found.type) else _series(found)
    try:
        found = pa.chunked_array(data)
    except (pa.ArrowException, TypeError, ValueError):
        return _frame_of_arrow(data)
    return _frame_of_arrow(data) if pa.types.is_struct(found.type) else _series(found)


def _series(values: Any) -> pd.Series:
    import pandas as pd

    return pd.Series(pd.arrays.ArrowExtensionArray(values))


def _refuse_others(data: Any, what: str) -> None:
    """Refuse, by what it is, that of which no array can be made."""
    kind = type(data).__name__
    if data is None:
        raise WorkbenchError(f"The {what} cannot be None. Give an array or a frame.")
    if hasattr(data, "tocsr") or hasattr(data, "todense"):
        raise WorkbenchError(f"The {what} cannot be sparse ({kind}). Give an array: its toarray() makes one.")
    if isinstance(data, Mapping):
        raise WorkbenchError(f"The {what} cannot be a {kind}. Give a frame, pandas.DataFrame(…).")
    if hasattr(data, "collect") and hasattr(data, "lazy"):
        raise WorkbenchError(f"The {what} cannot be a {kind}. Give a frame: its collect() makes one.")
    if isinstance(data, (str, bytes)) or not (hasattr(data, "__len__") or hasattr(data, "__array__")):
        raise no_array(what, kind)


def no_array(what: str, kind: str) -> WorkbenchError:
    """Return the error for what holds no values, by the name of its type."""
    return WorkbenchError(f"The {what} cannot be of type {kind}. Give an array or a frame.")


def _array(data: Any, what: str) -> NDArray[Any]:
    """Return an array, in which masked cells are missing."""
    if isinstance(data, np.ma.MaskedArray):
        return _filled(data)
    try:
        array = np.asarray(data)
    except (TypeError, ValueError) as error:
        if "inhomogeneous" in str(error):
            words = f"The rows of the {what} differ in length. Give each as many values."
            raise WorkbenchError(words) from None
        raise no_array(what, type(data).__name__) from error
    if not array.ndim:
        raise no_array(what, type(data).__name__)
    return array


def _filled(data: np.ma.MaskedArray[Any, Any]) -> NDArray[Any]:
    if data.mask is np.ma.nomask or not np.any(data.mask):
        return np.asarray(data.data)
    if data.dtype.kind == "f":
        return data.filled(np.nan)
    filled = data.data.astype(object)
    filled[np.ma.getmaskarray(data)] = None
    return filled


def _checked(array: NDArray[Any]) -> NDArray[Any]:
    if array.dtype.kind == "c":
        raise complex_refused("The features hold")
    if array.dtype.names is not None or (array.ndim == 1 and len(array) and isinstance(array[0], Mapping)):
        raise WorkbenchError("The features cannot be records. Give a frame, pandas.DataFrame(…).")
    return array


def complex_refused(whose: str) -> WorkbenchError:
    """Return the error for complex numbers, after the words that say where they are."""
    return WorkbenchError(
        f"Complex data not supported. {whose} complex numbers; give real and imaginary part apart."
    )


def _as_objects(data: Any, array: NDArray[Any]) -> NDArray[Any]:
    """Return the values of a list themselves where numpy made texts of numbers or NaN among them."""
    if array.ndim != 1 or all(isinstance(value, (str, bytes)) for value in data):
        return array
    objects = np.empty(len(data), object)
    objects[:] = data
    return objects
