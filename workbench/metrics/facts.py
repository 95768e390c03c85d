"""The words for a metric; loads nothing, so that the window can hold them."""

from __future__ import annotations

import re
from dataclasses import dataclass

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
    """

    name: str
    label: str = ""
    short: str = ""
    unit: str = "per row"
    higher_is_better: bool = False

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
