"""What a script may say as a number of NumPy, as Python has it: the journal writes it down as JSON."""

from __future__ import annotations

from typing import Any

import numpy as np


def plain_value(value: Any) -> Any:
    """Return a value, or each one of a list, without the types of NumPy."""
    if isinstance(value, (list, tuple)):
        return [plain_value(one) for one in value]
    return value.tolist() if isinstance(value, (np.generic, np.ndarray)) else value


def plain_values(values: dict[str, Any]) -> dict[str, Any]:
    """Return values by name without the types of NumPy."""
    return {name: plain_value(value) for name, value in values.items()}
