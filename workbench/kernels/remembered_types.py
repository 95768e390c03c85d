"""What numba has found once about the types of an operation, for a process that compiles many kernels.

For every `a + b` and `rows[i]` numba tries one definition after another until one takes the types. That is a
tenth of what compiling takes, and nearly all of it has been asked before.
"""

from __future__ import annotations

from typing import Any

from numba.core import types
from numba.core.targetconfig import ConfigStack


def remember_types() -> None:
    """Let numba look up the answer where the same operation has been asked about with the same types."""
    function: Any = types.Function
    find = function.get_call_type
    found: dict[Any, Any] = {}

    def look_up(operation: Any, context: Any, arguments: Any, named: Any) -> Any:
        flags = ConfigStack.top_or_none()
        allocates = flags is not None and flags.nrt  # what makes arrays has answers of its own
        question = operation, arguments, tuple(named.items()), allocates
        if question not in found:
            found[question] = find(operation, context, arguments, named)
        return found[question]

    function.get_call_type = look_up
