"""What a model format is, and which ones there are."""

from __future__ import annotations

from importlib import import_module
from pathlib import PurePath
from typing import Any, Protocol, TypeVar

from workbench.errors import WorkbenchError
from workbench.registry import Registry

DEFAULT_FORMAT, DEFAULT_SUFFIX, USUAL = "xgboost", ".json", "workbench.formats.xgboost.json"
LINEAR_FORMATS = ("json",)  # that can say a linear model
NOT_FOR_XGBOOST = (
    "XGBoost's file holds trees, and a linear model has none: it is written as readable JSON, which the "
    "workbench and load_model read."
)

M = TypeVar("M")  # a model, which asks here how it is saved


class Format(Protocol[M]):
    """One way to write a model down.

    Attributes
    ----------
    name : str
        Name on the command line.
    label : str
        Name in file dialogs.
    suffixes : tuple of str
        With the dot, the usual one first.
    can_read, can_write : bool
    """

    name: str
    label: str
    suffixes: tuple[str, ...]
    can_read: bool
    can_write: bool

    def write(self, model: M) -> bytes:
        """Return the file's bytes; WorkbenchError where the model cannot be said in this format."""
        ...

    def read(self, data: bytes) -> M:
        """Make a model of a file's bytes; WorkbenchError where they are damaged or hostile."""
        ...

    def recognises(self, data: bytes) -> bool:
        """Tell from a look at the bytes whether they claim to be of this format."""
        ...


class Formats(Registry[Format[Any]]):
    """The usual one is there without the others, whose import takes a while."""

    @property
    def usual(self) -> Format[Any]:
        """XGBoost's."""
        import_module(USUAL)
        return self._items[DEFAULT_FORMAT]

    def _discover(self) -> None:
        import_module(USUAL)
        super()._discover()


FORMATS = Formats("model format", "workbench.formats")


def writer(name: str) -> Format[Any]:
    """Return the format called `name`, if it can be written."""
    chosen = FORMATS.get(name)
    if not chosen.can_write:
        known = ", ".join(f.name for f in FORMATS if f.can_write)
        raise WorkbenchError(f"{chosen.label} can be read but not written. Writable: {known}.")
    return chosen


def writer_of_model(path: str | PurePath, name: str | None, *, is_linear: bool) -> Format[Any]:
    """Return the format that a model is written in: that of a name, else as `path` asks for.

    A linear model goes to our own JSON where nothing else is asked for; formats of trees refuse it.
    """
    chosen = writer(name) if name else writer_for(path)
    if not is_linear or chosen.name in LINEAR_FORMATS:
        return chosen
    if not name and chosen.name == DEFAULT_FORMAT:
        return writer(LINEAR_FORMATS[0])
    raise WorkbenchError(
        f"A linear model has no trees, so it cannot be written as {chosen.label}. Write it as readable JSON: "
        "format json, or a name that ends in .plain.json."
    )


def writer_for(path: str | PurePath) -> Format[Any]:
    """Return the format that the suffix of `path` asks for; the default one where there is none."""
    name = PurePath(path).name.lower()
    if PurePath(name).suffixes == [DEFAULT_SUFFIX]:
        return FORMATS.usual
    fitting = [(len(suffix), f.name) for f in FORMATS for suffix in f.suffixes if name.endswith(suffix)]
    if fitting:
        return writer(max(fitting)[1])
    suffix = PurePath(name).suffix
    if suffix[1:2].isalpha():
        known = ", ".join(suffix for f in FORMATS if f.can_write for suffix in f.suffixes)
        raise WorkbenchError(f"No model is written to a file that ends in '{suffix}'. Known: {known}.")
    return FORMATS.usual


def reader_of(data: bytes) -> Format[Any] | None:
    """Return the format that recognises these bytes."""
    if FORMATS.usual.recognises(data):
        return FORMATS.usual
    return next((f for f in FORMATS if f.can_read and f.recognises(data)), None)
