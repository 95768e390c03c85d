"""Rows in the order of a column: entries that sort as integers do, which is some five times as fast.

bit 63 .............. 32 | 31 ........ 0
the value, ordered   | row
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.kernels.kernel import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

VALUE_SHIFT = 32
ROW_MASK = 0xFFFFFFFF
SIGN = 0x80000000
MAGNITUDE, INFINITY = 0x7FFFFFFF, 0x7F800000
MISSING_BITS = 0xFFFFFFFF


def sorted_entries(values: NDArray[np.float32], entries: NDArray[np.uint64]) -> None:
    """Fill `entries`, as many as values, in ascending order; −0 counts as 0, NaN stands last."""
    single: NDArray[Any] = np.add(values, np.float32(0.0), dtype=np.float32)  # −0 becomes 0
    fill_entries(single.view(np.uint32), entries)
    entries.sort()


@kernel
def fill_entries(bits, entries):
    """Fill entries from the bits of float32: negative numbers have all bits turned, others the sign."""
    for i in range(len(bits)):
        b = bits[i]
        ordered = ~b if b >= np.uint32(SIGN) else b | np.uint32(SIGN)
        is_nan = (b & np.uint32(MAGNITUDE)) > np.uint32(INFINITY)
        ordered = np.uint32(MISSING_BITS) if is_nan else ordered
        entries[i] = np.uint64(ordered) << np.uint64(VALUE_SHIFT) | np.uint64(i)


@kernel
def value_bits(ordered):
    """Return the bits of the float32 that was ordered so."""
    b = np.uint32(ordered)
    return b ^ np.uint32(SIGN) if b >= np.uint32(SIGN) else ~b


@kernel
def row_of(entry):
    """Return the row of an entry, to index with."""
    return entry & np.uint64(ROW_MASK)
