"""Single machine instructions that numba does not offer."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import extending, types

intrinsic: Any = extending.intrinsic


@intrinsic
def bits_of(typing_context, number):
    """Return the bits of a float64 as an int64."""

    def generate(context, builder, signature, arguments):
        return builder.bitcast(arguments[0], ir.IntType(64))

    return types.int64(types.float64), generate


@intrinsic
def number_of(typing_context, bits):
    """Return the float64 that has the bits of an int64."""

    def generate(context, builder, signature, arguments):
        return builder.bitcast(arguments[0], ir.DoubleType())

    return types.float64(types.int64), generate


@intrinsic
def lowest_bit(typing_context, word):
    """Return the place of the lowest bit of a uint64 that is set; there must be one."""

    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), generate


@intrinsic
def prefetch(typing_context, array, index):
    """Ask for the cache line of `array.flat[index]`; harmless past the end."""

    def generate(context, builder, signature, arguments):
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        address = builder.bitcast(builder.gep(data, [arguments[1]]), ir.IntType(8).as_pointer())
        i32 = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [ir.IntType(8).as_pointer(), i32, i32, i32])
        function = builder.module.declare_intrinsic("llvm.prefetch", [ir.IntType(8).as_pointer()], kind)
        builder.call(function, [address, i32(0), i32(3), i32(1)])
        return context.get_dummy_value()

    return types.void(array, index), generate


@intrinsic
def atomic_add(typing_context, array, index, amount):
    """Add to `array[index]` of int64 as one step no other thread comes between; return what was there."""

    def generate(context, builder, signature, arguments):
        place = _place(context, builder, signature, arguments)
        return builder.atomic_rmw("add", place, arguments[2], "acq_rel")

    return types.int64(array, types.int64, types.int64), generate


@intrinsic
def atomic_load(typing_context, array, index):
    """Return `array[index]` of int64 as another thread has left it."""

    def generate(context, builder, signature, arguments):
        return builder.load_atomic(_place(context, builder, signature, arguments), "acquire", 8)

    return types.int64(array, types.int64), generate


def _place(context, builder, signature, arguments):
    data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
    return builder.gep(data, [arguments[1]])
