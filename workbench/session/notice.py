"""A sentence for the person, shown in the window where it concerns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Notice:
    """One line: what is, then what to do. `place` names the task it concerns.

    With `can_be_mapped` what is said would not be so if the table were kept on disk; with `offers_params`
    those of the model that was open before can be taken, with `offers_defaults` the defaults; with
    `offers_anew` the table can be read again; with `offers_table` the table of a project can be looked for,
    with `offers_changed` one that has changed be used; with `offers_resume` the run that waits can go on.
    With `offers_own_files` those that the runs of a project were trained with can be run again.
    `suspect` is a column that can be ignored. What `passes` goes with the next thing that is done.
    """

    text: str
    severity: Literal["info", "warning", "error"] = "info"
    place: Literal["data", "training", "export", "window"] = "window"
    can_be_mapped: bool = False
    offers_params: bool = False
    offers_defaults: bool = False
    offers_anew: bool = False
    offers_table: bool = False
    offers_changed: bool = False
    passes: bool = False
    offers_resume: bool = False
    offers_own_files: bool = False
    suspect: str = ""
