"""An ONNX file as operators, their attributes, and constants; field numbers are those of `onnx.proto`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from workbench.errors import WorkbenchError
from workbench.formats.bytes.checks import FEW_MADE_UP
from workbench.formats.bytes.protobuf import MOST_NUMBERS, Message, starts_with_fields

if TYPE_CHECKING:
    from numpy.typing import NDArray

FLOAT, DOUBLE, INT64, BOOL = 1, 11, 7, 9
RAW = {FLOAT: "<f4", 2: "u1", 3: "i1", 4: "<u2", 5: "<i2", 6: "<i4", INT64: "<i8", BOOL: "?", DOUBLE: "<f8"}
TYPED = {FLOAT: 4, 2: 5, 3: 5, 4: 5, 5: 5, 6: 5, INT64: 7, BOOL: 5, DOUBLE: 10}  # field of those not raw
TREE_DOMAIN = "ai.onnx.ml"
COLUMNS_A_BYTE = 2  # of the file, as a hundred for each node of its trees


class Input(NamedTuple):
    """What is given to the graph: its name, type of number, and columns; 0 where these are not said."""

    name: str
    kind: int
    columns: int


class Node:
    """One operator."""

    def __init__(self, message: Message) -> None:
        self.inputs = message.texts(1)
        self.outputs = message.texts(2)
        domain = message.text(7)
        self.operator = message.text(4)
        self.is_own = domain in ("", "ai.onnx", TREE_DOMAIN)  # of ONNX itself
        self._attributes = {one.text(1): one for one in message.messages(5)}

    def has(self, name: str) -> bool:
        """Tell whether an attribute is given."""
        return name in self._attributes

    def integers(self, name: str) -> NDArray[np.int64]:
        """Return an attribute of whole numbers, empty where it is not given."""
        return self._attributes[name].integers(8) if self.has(name) else np.empty(0, np.int64)

    def integer(self, name: str, otherwise: int) -> int:
        """Return an attribute that is one whole number."""
        return self._attributes[name].integer(3, otherwise) if self.has(name) else otherwise

    def reals(self, name: str) -> NDArray[np.float64]:
        """Return an attribute of numbers, which may stand in a tensor of its own name."""
        tensor = f"{name}_as_tensor"
        if self.has(tensor):
            found = self.tensor(tensor).ravel()
        else:
            found = self._attributes[name].reals(7) if self.has(name) else np.empty(0, np.float32)
        with np.errstate(invalid="ignore"):  # of a signalling NaN
            return found.astype(np.float64)

    def octets(self, name: str) -> NDArray[np.bytes_]:
        """Return an attribute of words, as bytes of at most 32."""
        words = self._attributes[name].octets(9) if self.has(name) else []
        return np.array([bytes(word[:32]) for word in words], "S32")

    def texts(self, name: str) -> list[str]:
        """Return an attribute of texts."""
        return self._attributes[name].texts(9) if self.has(name) else []

    def text(self, name: str, otherwise: str) -> str:
        """Return an attribute that is one text."""
        return self._attributes[name].text(4) if self.has(name) else otherwise

    def holds_doubles(self, name: str) -> bool:
        """Tell whether an attribute, or the tensor that stands for it, is of double numbers."""
        given = (self._attributes[name] for name in (name, f"{name}_as_tensor") if self.has(name))
        return any(one.message(5).integer(2) == DOUBLE for one in given)

    def tensor(self, name: str) -> NDArray[Any]:
        """Return an attribute that is a tensor, empty where it is not given."""
        return tensor_of(self._attributes[name].message(5)) if self.has(name) else np.empty(0)


@dataclass(frozen=True)
class Graph:
    """What a file computes.

    Attributes
    ----------
    nodes : tuple of Node
        Each after those whose outputs it takes.
    inputs : tuple of Input
    outputs : tuple of str
    constants : dict of str to Message
        Tensors, by name.
    producer : str
    metadata : dict of str to str
    """

    nodes: tuple[Node, ...]
    inputs: tuple[Input, ...]
    outputs: tuple[str, ...]
    constants: dict[str, Message]
    producer: str
    metadata: dict[str, str]

    @cached_property
    def operators(self) -> tuple[str, ...]:
        """Names of the operators, each once."""
        return tuple(dict.fromkeys(node.operator for node in self.nodes))


def graph_of(data: bytes) -> Graph:
    """Parse a file's bytes."""
    model = Message(data)
    graph = model.message(7)
    constants = {one.text(8): one for one in graph.messages(5)}
    inputs = tuple(_input(one) for one in graph.messages(11))
    columns, most = sum(max(one.columns, 0) for one in inputs), FEW_MADE_UP + COLUMNS_A_BYTE * len(data)
    if columns > most:  # a short file could ask for any number
        raise WorkbenchError(f"The model's inputs have {columns:,} columns; {most:,} are the most here.")
    return Graph(
        nodes=tuple(map(Node, graph.messages(1))),
        inputs=tuple(one for one in inputs if one.name not in constants),
        outputs=tuple(one.text(1) for one in graph.messages(12)),
        constants=constants,
        producer=model.text(2),
        metadata={one.text(1): one.text(2) for one in model.messages(14)},
    )


def is_onnx(data: bytes) -> bool:
    """Tell whether bytes begin as fields of which one is ONNX's version and a later one the graph."""
    return starts_with_fields(data, 1, 7)


def tensor_of(message: Message) -> NDArray[Any]:
    """Return a tensor's numbers in its shape."""
    kind = message.integer(2)
    shape = message.integers(1).tolist()
    if message.integer(14) or kind not in RAW:
        raise WorkbenchError("The model has a tensor that is no list of numbers in the file itself.")
    if message.has(9):
        numbers = np.frombuffer(message.octets(9)[-1], RAW[kind])
    elif kind in (FLOAT, DOUBLE):
        numbers = message.reals(TYPED[kind], RAW[kind])
    else:
        numbers = message.integers(TYPED[kind]).astype(RAW[kind])
    if any(not 0 <= size <= MOST_NUMBERS for size in shape) or prod(shape) != len(numbers):
        raise WorkbenchError("Damaged model file: a tensor has another shape than numbers.")
    return numbers.reshape(shape)


def _input(message: Message) -> Input:
    tensor = message.message(2).message(1)
    sizes = [one.integer(1) for one in tensor.message(2).messages(1)]
    return Input(message.text(1), tensor.integer(1), sizes[1] if len(sizes) == 2 else 0)
