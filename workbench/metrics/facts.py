"""The words for a metric, or against one; loads nothing, so that the window can hold them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.parameters.clashes import Clash
from workbench.parameters.nearest import nearest

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from workbench.parameters.training import TrainingParams

AT_PLACE = re.compile(r"(ndcg|map)(?:@([1-9]\d{0,2}|1000))?")
RANKINGS = {"ndcg": "NDCG", "map": "Mean average precision"}
TARGET_UNIT = "in the target's unit"


@dataclass(frozen=True)
class MetricFacts:
    """What a metric is called, and which way is better.

    Attributes
    ----------
    name : str
    label : str
        At the head of a plot: "Log loss"; the name where none is given.
    short : str
        Within a sentence: "log loss"; the label where none is given.
    unit : str
        What the figure counts: "per row".
    higher_is_better : bool
    aliases : tuple of str
        What it is called elsewhere.
    """

    name: str
    label: str = ""
    short: str = ""
    unit: str = "per row"
    higher_is_better: bool = False
    aliases: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "label", self.label or self.name)
        object.__setattr__(self, "short", self.short or self.label)

    @property
    def phrase(self) -> str:
        """Unit and direction: "per row, lower is better"."""
        direction = "higher" if self.higher_is_better else "lower"
        return f"{self.unit}, {direction} is better"


def ranking_facts(name: str) -> MetricFacts | None:
    """Return the words for `ndcg` or `map`, of all places or of the first k; None for other names."""
    parts = AT_PLACE.fullmatch(name)
    if parts is None:
        return None
    family, k = parts.groups()
    at = "" if k is None else f"@{k}"
    unit = "mean over queries"
    return MetricFacts(name, f"{RANKINGS[family]}{at}", f"{family.upper()}{at}", unit, higher_is_better=True)


def asked_metrics(params: TrainingParams) -> Iterator[tuple[str, str]]:
    """Yield each metric that is asked for, after the parameter that names it."""
    if params.metric != "auto":
        yield "metric", params.metric
    for name in params.more_metrics:
        yield "more_metrics", name


def unknown_metric(params: TrainingParams, known: Collection[str]) -> Clash | None:
    """Find a name that is none of those of metrics, nor of a ranking."""
    for parameter, name in asked_metrics(params):
        if name not in known and ranking_facts(name) is None:
            return Clash(parameter, "", f"names '{name}', which is no metric. {nearest(name, known)}")
    return None


def unfit_metric(parameter: str, name: str, objective: str, task: str, fitting: Iterable[str]) -> Clash:
    """Say of a metric that it cannot be taken of this objective, and which can."""
    if task == "regression" and ranking_facts(name):
        advice = f"'{name}' ranks the rows of queries; give their column the role of a group"
    else:
        advice = f"'{name}' cannot be taken of '{objective}'; take {', '.join(fitting)}"
    return Clash(parameter, "objective", advice)
