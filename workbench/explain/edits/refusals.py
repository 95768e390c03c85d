"""Why trees cannot be edited, in words; without a kernel, for views too."""

from __future__ import annotations

CLASS_SHARES = (
    "Trees of class shares are not edited: those of all classes share their splits, which impurity chose. "
    "Train with other parameters instead."
)
