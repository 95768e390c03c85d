"""Records of arrays as kernels take them: by the address of their fields, not as hundreds of arguments.

numba takes a named tuple apart into one argument a number, eight or so an array, at every call, and builds it
up again behind it: most of what compiling a grower took. A record that Python gives to a kernel stands in the
frame of the outermost call, where nobody writes to it, and kernels hand on where it is.

What a kernel makes of a `NamedTuple` is numba's own, and taken apart as ever: make small ones.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from numba import types
from numba.core import cgutils
from numba.core.datamodel import models, register_default
from numba.core.extending import NativeValue, typeof_impl, unbox
from numba.core.imputils import impl_ret_borrowed, lower_builtin, lower_getattr_generic
from numba.core.registry import cpu_target

PACKAGE = __name__.partition(".")[0] + "."


class Struct(types.NamedTuple):
    """The type of a record: its class, and those of its fields, for which a number stands in its name."""

    def __init__(self, fields: tuple[Any, ...], made_by: type) -> None:
        super().__init__(fields, made_by)
        types_of_fields = sha256(", ".join(map(str, fields)).encode())
        self.name: str = f"{made_by.__name__}:{types_of_fields.hexdigest()[:16]}"


def tell_of_records() -> None:
    """Let numba take named tuples of this program for records; all others are its own, as they were."""
    typeof_any = typeof_impl.dispatch(tuple)

    def typeof(values: Any, question: Any) -> Any:
        found, made_by = typeof_any(values, question), type(values)
        is_record = isinstance(found, types.BaseNamedTuple) and made_by.__module__.startswith(PACKAGE)
        return Struct(tuple(found), made_by) if is_record else found

    typeof_impl.register(tuple)(typeof)


@register_default(Struct)
class RecordModel(models.TupleModel):
    """Its value is the address of the fields, which are as they would be in an array."""

    def get_value_type(self) -> Any:
        """Return what stands for it in a kernel."""
        return self.get_data_type().as_pointer()

    get_argument_type = get_value_type

    def as_argument(self, _builder: Any, value: Any) -> Any:
        """Return what is handed on."""
        return value

    def from_argument(self, _builder: Any, value: Any) -> Any:
        """Return what was handed on, and say that it may be read at any time: nobody writes to it."""
        size = cpu_target.target_context.get_abi_sizeof(self.get_data_type())
        for attribute in ("noalias", "nonnull"):
            value.add_attribute(attribute)
        value.attributes.dereferenceable = size
        return value

    def as_data(self, builder: Any, value: Any) -> Any:
        """Return all of it, as it stands within another."""
        return builder.load(value)

    def load_from_data_pointer(self, _builder: Any, place: Any, _align: Any = None) -> Any:
        """Return the value of one that stands within another: where it is."""
        return place

    def get(self, builder: Any, value: Any, field: int | str) -> Any:
        """Return the value of a field, by its place or as numba names it."""
        field = self.get_field_position(field) if isinstance(field, str) else field
        place = cgutils.gep_inbounds(builder, value, 0, field)
        return self._models[field].load_from_data_pointer(builder, place)

    def fill(self, builder: Any, value: Any, field: int, given: Any) -> None:
        """Write a field."""
        place = cgutils.gep_inbounds(builder, value, 0, field)
        builder.store(self._models[field].as_data(builder, given), place)


@unbox(Struct)
def unbox_record(record: Any, given: Any, c: Any) -> Any:
    """Write the fields of a record to the frame of the call."""
    model = c.context.data_model_manager[record]
    value, is_error = cgutils.alloca_once(c.builder, model.get_data_type()), cgutils.false_bit
    cleanups = []
    for k, field in enumerate(record):
        native = c.unbox(field, c.pyapi.tuple_getitem(given, k))
        model.fill(c.builder, value, k, native.value)
        is_error = c.builder.or_(is_error, native.is_error)
        cleanups += [native.cleanup] if native.cleanup is not None else []

    def clean_up() -> None:
        for each in reversed(cleanups):
            each()

    return NativeValue(value, cleanup=clean_up if cleanups else None, is_error=is_error)


@lower_getattr_generic(Struct)
def field_of(context: Any, builder: Any, record: Any, value: Any, name: str) -> Any:
    """Return a field by its name, with a reference to it where these are counted."""
    return borrowed_field(context, builder, record, value, record.fields.index(name))


@lower_builtin("static_getitem", Struct, types.IntegerLiteral)
def item_of(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Return a field by its place, as where a record is taken apart."""
    return borrowed_field(context, builder, signature.args[0], *arguments)


def borrowed_field(context: Any, builder: Any, record: Any, value: Any, place: int) -> Any:
    """Return the field at a place."""
    field = context.data_model_manager[record].get(builder, value, place)
    return impl_ret_borrowed(context, builder, record[place], field)
