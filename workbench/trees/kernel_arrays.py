"""Arrays as kernels take them, so that each kernel is compiled for one type only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike, NDArray


def kernel_array(values: ArrayLike, dtype: DTypeLike) -> NDArray[Any]:
    """Return the values in rows of this type, contiguous and writeable; a copy only where needed."""
    return np.require(values, dtype, ["C", "W", "ENSUREARRAY"])
