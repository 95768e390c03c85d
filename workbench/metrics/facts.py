"""The words for a metric; loads nothing, so that the window can hold them."""

from __future__ import annotations

from dataclasses import dataclass

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
