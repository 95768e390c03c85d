"""What numba has found once about the types of an operation, while kernels are compiled.

For every `a + b` and `rows[i]` numba tries one definition after another until one takes the types. That is a
tenth of what compiling takes, and nearly all of it has been asked before.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from numba.core import types
from numba.core.targetconfig import ConfigStack

if TYPE_CHECKING:
    from collections.abc import Iterator

FOUND: dict[Any, Any] = {}


@contextmanager
def types_remembered() -> Iterator[None]:
    """Let numba look up the answer where the same operation has been asked about with the same types."""
    function: Any = types.Function
    find = function.get_call_type

    def look_up(operation: Any, context: Any, arguments: Any, named: Any) -> Any:
        flags = ConfigStack.top_or_none()
        allocates = flags is not None and flags.nrt  # what makes arrays has answers of its own
        question = operation, arguments, tuple(named.items()), allocates
        if question not in FOUND:
            FOUND[question] = find(operation, context, arguments, named)
        return FOUND[question]

    function.get_call_type = look_up
    try:
        yield
    finally:
        function.get_call_type = find
