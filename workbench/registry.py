"""One mechanism by which objectives, metrics, readers, formats, trainers and views are found.

A package owns one `Registry`; each of its modules registers what it defines. The modules are
imported on first use, so that adding a kind of thing is adding one file.
"""

from __future__ import annotations

import importlib
import pkgutil
import threading
from difflib import get_close_matches
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Named(Protocol):
    """Anything with a name; `aliases` (a tuple of further names) is optional."""

    @property
    def name(self) -> str:
        """Its name, unique in its registry."""
        ...


def discover(package: str) -> None:
    """Import every module of `package` and of the packages in it, so that each registers itself."""
    root = importlib.import_module(package)
    for module in pkgutil.walk_packages(root.__path__, package + "."):
        importlib.import_module(module.name)


T = TypeVar("T", bound=Named)


class Registry(Generic[T]):
    """The things of one kind, by name and alias, in order of registration.

    Parameters
    ----------
    noun : str
        What one thing is called in messages: "objective", "format".
    package : str
        The package whose modules register themselves here.
    """

    def __init__(self, noun: str, package: str) -> None:
        self._noun = noun
        self._package = package
        self._items: dict[str, T] = {}
        self._names: dict[str, str] = {}
        self._families: list[Callable[[str], T | None]] = []
        self._complete = self._discovering = False
        self._lock = threading.RLock()

    def register(self, item: T) -> T:
        """Add one thing; usable as a decorator. Raises ValueError where a name is taken."""
        for name in (item.name, *getattr(item, "aliases", ())):
            if self._names.get(name, item.name) != item.name:
                raise ValueError(f"{self._noun} name {name!r} is taken by {self._names[name]!r}")
            self._names[name] = item.name
        self._items[item.name] = item
        return item

    def register_family(self, make: Callable[[str], T | None], *names: str) -> None:
        """Add what `make` makes of a name; None where the name is not of the family. List `names` of it."""
        for name in names:
            member = make(name)
            assert member is not None
            self.register(member)
        self._families.append(make)

    def get(self, name: str) -> T:
        """Return the thing called `name` (or by one of its aliases)."""
        self._discover()
        if name in self._names:
            return self._items[self._names[name]]
        made = (make(name) for make in self._families)
        found = next((member for member in made if member is not None), None)
        if found is None:
            raise WorkbenchError(f"There is no {self._noun} called '{name}'. {self._nearest(name)}")
        return found

    def _nearest(self, name: str) -> str:
        close = get_close_matches(name.lower(), self._names, 1)
        nearest = f"The nearest is '{close[0]}'. " if close else ""
        return f"{nearest}Known: {', '.join(sorted(self._items))}."

    def __iter__(self) -> Iterator[T]:
        self._discover()
        return iter(list(self._items.values()))

    def _discover(self) -> None:
        if self._complete:
            return
        with self._lock:  # another thread must not find the registry half filled
            if not self._discovering:
                self._discovering = True
                discover(self._package)
                self._complete = True
