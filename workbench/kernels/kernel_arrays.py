"""Arrays as kernels take them, so that each kernel is compiled for few types."""

from __future__ import annotations

from math import prod
from mmap import mmap
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from workbench.mapped import empty_beside

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike, NDArray

LINE_WORDS = 8  # words of eight bytes in a line of the cache


def kernel_array(values: ArrayLike, dtype: DTypeLike) -> NDArray[Any]:
    """Return the values in rows of this type, contiguous and writeable; a copy only where needed."""
    return np.require(values, dtype, ["C", "W", "ENSUREARRAY"])


def real_array(values: ArrayLike) -> NDArray[Any]:
    """Return the values as `kernel_array` does: float64 where they are, all else as float32."""
    given = np.asarray(values)
    return kernel_array(given, np.float64 if given.dtype == np.float64 else np.float32)


def line_aligned(source: NDArray[Any], rows: int, words: int) -> NDArray[np.uint64]:
    """Return memory of shape (rows, words) that begins with a line of the cache, anything in it.

    Rows of eight words are a line each; elsewhere they would be two halves. Mapped where the source is.
    """
    memory = empty_beside(source, rows * words + LINE_WORDS, np.uint64)
    begin = -(memory.ctypes.data // memory.itemsize) % LINE_WORDS
    return memory[begin : begin + rows * words].reshape(rows, words)


def passing_array(shape: tuple[int, ...], dtype: DTypeLike) -> NDArray[Any]:
    """Return memory of zeros on pages of its own, which the system gets back with it.

    What is freed in a thread of a pool may otherwise stay with the process, for such threads to come.
    """
    size = prod(shape) * np.dtype(dtype).itemsize
    return np.ndarray(shape, dtype, mmap(-1, max(size, 1)))


class FlatValues(NamedTuple):
    """A matrix as one list of numbers: that of row r and column f is `[f * column_step + r * row_step]`."""

    numbers: NDArray[np.float32]
    column_step: int
    row_step: int


def flat_values(features: NDArray[np.float32]) -> FlatValues:
    """Return a matrix, contiguous by row or by column, as one list."""
    row_bytes, column_bytes = features.strides
    size = features.itemsize
    return FlatValues(features.reshape(-1, order="A"), column_bytes // size, row_bytes // size)
