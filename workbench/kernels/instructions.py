"""Single machine instructions that numba does not offer."""

from __future__ import annotations

import platform
import sys
import time
from typing import Any
from zlib import crc32

from llvmlite import ir
from numba import extending, types

intrinsic: Any = extending.intrinsic

TUPLE_BYTES = 2**14
ROUNDING = 6755399441055744.0  # 1.5 * 2**52: adding it leaves the nearest integer in the low bits


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
def multiply_add(typing_context, a, b, c):
    """Return a·b + c of float64, rounded once where the processor has an instruction for it."""

    def generate(context, builder, signature, arguments):
        kind = ir.FunctionType(ir.DoubleType(), [ir.DoubleType()] * 3)
        return builder.call(_external(builder, "llvm.fmuladd.f64", kind), arguments)

    return types.float64(types.float64, types.float64, types.float64), generate


@intrinsic
def lowest_bit(typing_context, word):
    """Return the place of the lowest bit of a uint64 that is set; there must be one."""

    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), generate


@intrinsic
def as_it_stands(typing_context, word):
    """Return a uint64 that the compiler takes as it is, without a thought of how it was made."""

    def generate(context, builder, signature, arguments):
        i64 = ir.IntType(64)
        return builder.asm(ir.FunctionType(i64, [i64]), "", "=r,0", arguments, side_effect=False)

    return types.uint64(types.uint64), generate


@intrinsic
def prefetch(typing_context, array, index):
    """Ask for the cache line of `array.flat[index]`, as far as the second cache; harmless past the end."""

    def generate(context, builder, signature, arguments):
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        address = builder.bitcast(builder.gep(data, [arguments[1]]), ir.IntType(8).as_pointer())
        i32 = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [ir.IntType(8).as_pointer(), i32, i32, i32])
        function = builder.module.declare_intrinsic("llvm.prefetch", [ir.IntType(8).as_pointer()], kind)
        builder.call(function, [address, i32(0), i32(2), i32(1)])
        return context.get_dummy_value()

    return types.void(array, index), generate


@intrinsic
def eight_bytes(typing_context, data, place):
    """Return `data[place : place + 8]`, of an array of uint8 without gaps, as one uint64."""

    def generate(context, builder, signature, arguments):
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        address = builder.gep(array.data, [arguments[1]])
        word = builder.load(builder.bitcast(address, ir.IntType(64).as_pointer()))
        word.align = 1
        return word

    return types.uint64(data, types.int64), generate


@intrinsic
def copy_four(typing_context, source, source_index, target, target_index):
    """Copy four neighbours of `source.flat` to `target.flat`, arrays of uint64, in one load and one store."""

    def generate(context, builder, signature, arguments):
        four = ir.VectorType(ir.IntType(64), 4).as_pointer()

        def place(k):
            data = context.make_array(signature.args[k])(context, builder, arguments[k]).data
            return builder.bitcast(builder.gep(data, [arguments[k + 1]]), four)

        builder.store(builder.load(place(0), align=8), place(2), align=8)
        return context.get_dummy_value()

    return types.void(source, types.uint64, target, types.uint64), generate


@intrinsic
def keep_chosen(typing_context, source, source_index, chosen, target, target_index):
    """Copy those of some neighbours in `source.flat` that have their bit set to `target.flat`.

    As many as fill 64 bytes: 16 of uint32, 8 of uint64. Returns how many are kept. Behind them anything is
    written, up to as many places in all.
    """

    def generate(context, builder, signature, arguments):
        width = signature.args[0].dtype.bitwidth
        n = 512 // width
        i64, item = ir.IntType(64), ir.IntType(width)
        items, mask = ir.VectorType(item, n), ir.VectorType(ir.IntType(1), n)

        def place(k, index):
            data = context.make_array(signature.args[k])(context, builder, arguments[k]).data
            return builder.gep(data, [index])

        source = builder.bitcast(place(0, arguments[1]), items.as_pointer())
        neighbours, bits = builder.load(source, align=width // 8), arguments[2]
        if "+avx512f" in context.codegen()._tm_features:
            kind = ir.FunctionType(items, [items, mask, items])
            compress = _external(builder, f"llvm.experimental.vector.compress.v{n}i{width}", kind)
            is_chosen = builder.bitcast(builder.trunc(bits, ir.IntType(n)), mask)
            kept = builder.call(compress, [neighbours, is_chosen, ir.Constant(items, ir.Undefined)])
            builder.store(kept, builder.bitcast(place(3, arguments[4]), items.as_pointer()), align=width // 8)
        else:
            at = arguments[4]
            for k in range(n):
                builder.store(builder.extract_element(neighbours, ir.IntType(32)(k)), place(3, at))
                at = builder.add(at, builder.and_(builder.lshr(bits, i64(k)), i64(1)))
        return builder.ctpop(builder.and_(bits, i64((1 << n) - 1)))

    return types.uint64(source, types.uint64, types.uint64, target, types.uint64), generate


@intrinsic
def add_side_by_side(typing_context, sums, index, a, b, c):
    """Add three numbers to `sums.flat[index]` and the two behind it, in one load and one store.

    The fourth is written as well: it is the caller's to leave unused.
    """

    def generate(context, builder, signature, arguments):
        four = ir.VectorType(ir.DoubleType(), 4)
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        place = builder.bitcast(builder.gep(data, [arguments[1]]), four.as_pointer())
        added = ir.Constant(four, [0.0] * 4)
        for k in range(3):
            added = builder.insert_element(added, arguments[2 + k], ir.Constant(ir.IntType(32), k))
        builder.store(builder.fadd(builder.load(place, align=8), added), place, align=8)
        return context.get_dummy_value()

    return types.void(sums, types.uint64, types.float64, types.float64, types.float64), generate


@intrinsic
def microseconds(typing_context, array, index):
    """Return what a clock shows that nobody sets; it writes to `array[index]` and the next, of int64."""

    def generate(context, builder, signature, arguments):
        i32, i64 = ir.IntType(32), ir.IntType(64)
        if sys.platform == "win32":
            clock = _external(builder, "GetTickCount64", ir.FunctionType(i64, []))
            return builder.mul(builder.call(clock, []), i64(1000))
        place = _place(context, builder, signature, arguments)
        clock = _external(builder, "clock_gettime", ir.FunctionType(i32, [i32, place.type]))
        builder.call(clock, [i32(time.CLOCK_MONOTONIC), place])
        seconds, nanoseconds = (builder.load(builder.gep(place, [i64(k)])) for k in range(2))
        return builder.add(builder.mul(seconds, i64(10**6)), builder.sdiv(nanoseconds, i64(1000)))

    return types.int64(array, types.int64), generate


def _external(builder, name, kind):
    return builder.module.globals.get(name) or ir.Function(builder.module, kind, name)


@intrinsic
def breathe(typing_context):
    """Tell the processor that this thread waits in a loop, where it has an instruction for that."""

    def generate(context, builder, signature, arguments):
        if platform.machine().lower() in {"x86_64", "amd64"}:
            kind = ir.FunctionType(ir.VoidType(), [])
            builder.call(builder.module.declare_intrinsic("llvm.x86.sse2.pause", [], kind), [])
        return context.get_dummy_value()

    return types.void(), generate


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


@intrinsic
def atomic_store(typing_context, array, index, number):
    """Write a number to `array[index]` of int64; who loads it finds all that was written before."""

    def generate(context, builder, signature, arguments):
        place = _place(context, builder, signature, arguments)
        builder.store_atomic(arguments[2], place, "release", 8)
        return context.get_dummy_value()

    return types.void(array, types.int64, types.int64), generate


@intrinsic
def atomic_swap(typing_context, array, index, old, new):
    """Write `new` to `array[index]` of int64 if `old` stands there, in one step; return whether it did."""

    def generate(context, builder, signature, arguments):
        place = _place(context, builder, signature, arguments)
        done = builder.cmpxchg(place, arguments[2], arguments[3], "acq_rel", "acquire")
        return builder.extract_value(done, 1)

    return types.boolean(array, types.int64, types.int64, types.int64), generate


@intrinsic
def put(typing_context, array, values):
    """Write a tuple to the memory of an array of TUPLE_BYTES bytes, as `take` reads it."""

    def generate(context, builder, signature, arguments):
        if context.get_abi_sizeof(arguments[1].type) > TUPLE_BYTES:
            raise TypeError(f"more than {TUPLE_BYTES} bytes: {values}")
        place = _place_of(context, builder, signature, arguments)
        builder.store(arguments[1], place, align=1)
        return context.get_dummy_value()

    return types.void(array, values), generate


@intrinsic
def take(typing_context, array, like):
    """Return the tuple, of the types of another, that `put` wrote to the memory of an array of bytes."""

    def generate(context, builder, signature, arguments):
        return builder.load(_place_of(context, builder, signature, arguments), align=1)

    return like(array, like), generate


@intrinsic
def kind_of(typing_context, values):
    """Return a number that stands for the types in a tuple."""
    kind = crc32(str(values).encode())

    def generate(context, builder, signature, arguments):
        return ir.Constant(ir.IntType(64), kind)

    return types.int64(values), generate


def _place_of(context, builder, signature, arguments):
    data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
    return builder.bitcast(data, arguments[1].type.as_pointer())


def _place(context, builder, signature, arguments):
    data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
    return builder.gep(data, [arguments[1]])
