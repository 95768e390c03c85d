"""What a breakpoint is: settings that make a watcher of rounds, which may say why to pause."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol

from workbench.errors import WorkbenchError
from workbench.parameters.spec import declarations
from workbench.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from workbench.ensembles.events import RoundFinished
    from workbench.metrics.facts import MetricFacts
    from workbench.parameters.spec import Parameter


@dataclass
class WatchedRun:
    """What a watcher may know of a run beside its rounds.

    Attributes
    ----------
    columns : tuple of str
        Names of the features.
    metric : MetricFacts
        The watched one.
    has_classes : bool
        Whether the target is a class, or a grade of relevance.
    told_alone : callable
        Takes a feature to the share of the target's variance that it tells alone; see
        `ensembles/run/told_alone.py`. Costs a pass over some thousand rows.
    promises : bool
        Whether its trees minimise a second-order model of the loss, so that a round promises a drop.
    split_on : set of int
        The features that rounds before this one split on.
    """

    columns: tuple[str, ...]
    metric: MetricFacts
    has_classes: bool
    told_alone: Callable[[int], float]
    promises: bool = True
    split_on: set[int] = field(default_factory=set)


class Met(NamedTuple):
    """Why to pause: a sentence for the person, and the column that it suspects, "" where it is none."""

    reason: str
    suspect: str = ""


class Watcher(Protocol):
    """Looks at the rounds of one run, on the thread that trains."""

    def look(self, event: RoundFinished) -> Met | None:
        """Take in a round; return why to pause after it, None where there is no reason."""

    def look_back(self) -> Met | None:
        """Return why to pause where the run has ended sooner than it was to; most have no reason."""
        return None


class Breakpoint:
    """Settings of one kind, as a frozen dataclass whose fields are declared like parameters.

    Attributes
    ----------
    name : str
        Of the kind, in its registry and in files.
    title : str
        What the window calls it.
    once : bool
        Whether it is a goal: it is taken away once it is met.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    once: ClassVar[bool] = False

    def __post_init__(self) -> None:
        for declared in settings_of(type(self)):
            object.__setattr__(self, declared.name, declared.check(getattr(self, declared.name)))

    @property
    def told(self) -> str:
        """How far the run goes, after its name; "" where it is no goal."""
        return ""

    def watcher(self, run: WatchedRun) -> Watcher:
        """Return what looks at the rounds of a run, from now on."""
        raise NotImplementedError

    def first_met(self, after: int) -> int | None:
        """Return the first round after one that might meet it; None where none can any more."""
        return after + 1

    def to_dict(self) -> dict[str, Any]:
        """Return the name of the kind and the settings, as JSON holds them."""
        return {"name": self.name, **asdict(self)}  # type: ignore[call-overload]


BREAKPOINTS: Registry[type[Breakpoint]] = Registry("breakpoint", "workbench.ensembles.breakpoints")


def settings_of(kind: type[Breakpoint]) -> tuple[Parameter, ...]:
    """Return the declarations of the settings of a kind."""
    return declarations(kind)


def breakpoint_from(values: Mapping[str, Any]) -> Breakpoint:
    """Make a breakpoint of what `to_dict` returned; unknown kinds and settings are refused."""
    settings = dict(values)
    kind = BREAKPOINTS.get(str(settings.pop("name", "")))
    unknown = settings.keys() - {declared.name for declared in settings_of(kind)}
    if unknown:
        raise WorkbenchError(f"The breakpoint '{kind.name}' has no setting '{min(unknown)}'.")
    return kind(**settings)
