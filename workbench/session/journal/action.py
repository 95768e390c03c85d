"""What an action is: one thing that a person did and that bears on a result."""

from __future__ import annotations

from dataclasses import MISSING, dataclass, fields
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from workbench.errors import WorkbenchError
from workbench.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Mapping

LONGEST_TEXT = 100_000  # characters of one field
_TYPES: dict[str, tuple[type, ...]] = {
    "str": (str,), "int": (int,), "float": (int, float), "bool": (bool,), "str | None": (str, type(None)),
    "dict[str, Any]": (dict,), "tuple[str, ...]": (list, tuple),
}  # fmt: skip


class Call(NamedTuple):
    """A call of a script: a method of the study or of one of its runs, and the run that it makes.

    `on` and `result` are numbers of runs; 0 is the study, and nothing.
    """

    method: str
    args: tuple[Any, ...] = ()
    values: Mapping[str, Any] = MappingProxyType({})
    on: int = 0
    result: int = 0

    @property
    def python(self) -> str:
        """The call as a line of Python; a method that ends with = sets an attribute."""
        receiver = f"run{self.on}" if self.on else "study"
        if self.method.endswith("="):
            return f"{receiver}.{self.method[:-1]} = {self.args[0]!r}"
        made = f"run{self.result} = " if self.result else ""
        return f"{made}{receiver}.{self.method}({self.arguments})"

    @property
    def arguments(self) -> str:
        """What stands between the brackets."""
        named = (f"{name}={value!r}" for name, value in self.values.items())
        return ", ".join([*map(repr, self.args), *named])


@dataclass(frozen=True)
class Action:
    """One line of the journal; its fields are JSON values, rounds and never times.

    Attributes
    ----------
    name : str
        Of the kind.
    undoable : bool
        Whether it can be taken back; what merely happened is passed over.
    """

    name: ClassVar[str] = ""
    undoable: ClassVar[bool] = True

    @property
    def words(self) -> str:
        """What was done, in one plain line."""
        raise NotImplementedError

    @property
    def call(self) -> Call | None:
        """The same in a script; None where other lines say it."""
        return None

    @property
    def python(self) -> str:
        """The same as a line of Python; "" where other lines say it."""
        return "" if self.call is None else self.call.python

    def joined(self, later: Action) -> Action | None:
        """Return both as one where `later` only goes on with this; None where it is another."""
        return None

    def record(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {"kind": self.name, **{f.name: _plain(getattr(self, f.name)) for f in fields(self)}}


ACTIONS: Registry[type[Action]] = Registry("kind of action", "workbench.session.journal.kinds")


def action_of(record: Any) -> Action:
    """Read what `record` wrote; raise WorkbenchError where it cannot have been written so."""
    if not isinstance(record, dict) or not isinstance(record.get("kind"), str):
        raise WorkbenchError("Damaged project: an entry of its journal is none.")
    kind = next((kind for kind in ACTIONS if kind.name == record["kind"]), None)
    if kind is None:
        raise WorkbenchError(f"Damaged project: this version knows no action '{record['kind'][:40]}'.")
    wanted = {f.name: _TYPES[str(f.type)] for f in fields(kind)}
    given = {name: value for name, value in record.items() if name != "kind"}
    needed = {f.name for f in fields(kind) if f.default is MISSING}
    if not needed <= given.keys() <= wanted.keys():
        raise WorkbenchError(f"Damaged project: '{kind.name}' in its journal has other entries.")
    for name, value in given.items():
        types = wanted[name]
        is_wrong = not isinstance(value, types) or (isinstance(value, bool) and bool not in types)
        if is_wrong or (isinstance(value, str) and len(value) > LONGEST_TEXT):
            raise WorkbenchError(f"Damaged project: '{name}' of '{kind.name}' in its journal cannot be.")
    return kind(**{name: tuple(value) if isinstance(value, list) else value for name, value in given.items()})


def _plain(value: Any) -> Any:
    if isinstance(value, (tuple, list)):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    return value
