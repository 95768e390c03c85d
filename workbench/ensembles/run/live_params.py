"""The parameters in force: those that a run began with, and live ones that are changed under way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.parameters.training import PARAMETERS

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.ensembles.control import RunControl
    from workbench.parameters.training import TrainingParams


class LiveParams:
    """Follows what the reins are told.

    Parameters
    ----------
    params : TrainingParams
    control : RunControl
    check : callable
        Refuses parameters that clash.

    Attributes
    ----------
    now : TrainingParams
    """

    def __init__(
        self, params: TrainingParams, control: RunControl, check: Callable[[TrainingParams], None]
    ) -> None:
        self.now = params
        self._control, self._check = control, check

    def take(self) -> None:
        """Take over the live ones of newly given parameters, if there are any."""
        new = self._control.take_params()
        if new is not None:
            live = {p.name: getattr(new, p.name) for p in PARAMETERS if p.live}
            changed = self.now.change(**live)
            self._check(changed)
            self.now = changed
