"""How much each column matters to a model, by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class ColumnImportance(Mapping[str, float]):
    """A mapping of every column, in the model's order, to its importance; 0 where it has none.

    Attributes
    ----------
    kind : str
    values_by_name : dict of str to float
    spread : dict of str to float
        Standard deviation over the repeats, where columns were permuted.
    metric : str
        Which got worse, where they were.
    """

    kind: str
    values_by_name: dict[str, float]
    spread: dict[str, float] = field(default_factory=dict)
    metric: str = ""

    def __getitem__(self, name: str) -> float:
        """Return the importance of a column."""
        return self.values_by_name[name]

    def __iter__(self) -> Iterator[str]:
        """Go through the columns."""
        return iter(self.values_by_name)

    def __len__(self) -> int:
        """Return the number of columns."""
        return len(self.values_by_name)

    def sorted(self) -> list[tuple[str, float]]:
        """Return columns and importance, the most important first."""
        return sorted(self.values_by_name.items(), key=lambda pair: -pair[1])
