"""Rewrites the vector intrinsics of x86 (immintrin.h) that move or compute numbers in plain instructions.

The derivatives are those of the instructions, and LLVM makes the same machine code of them. Intel's Software
Developer's Manual, volume 2, defines each intrinsic. Those of AVX-512 that choose a direction of rounding are refused
later.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

from ...ir.builder import Builder, Rewrite
from ...ir.constants import Constant, ConstantInt
from ...ir.folding import int_constant, zero
from ...ir.leaves import shuffle_lanes
from ...ir.types import FLOAT, I1, I64, IntType, Type, VectorType, alloc_size, is_int, scalar, with_same_shape
from ...ir.values import Instruction, Value
from ...rules.expression_functions import type_suffix
from .vectors.masked import load_lanes, store_lanes

VectorOperation = Callable[[Builder, Value, Value], Value]

_SEGMENT = 16  # bytes: AVX does in each of these what SSE does
_NEAREST = (4, 8)  # operands for rounding: the current direction, which is taken to be to nearest; to nearest


def rewrite_of(i: Instruction, name: str) -> Rewrite | None:
    """Returns the rewriting of a call of that intrinsic; None if there is none."""
    if not name.startswith("llvm.x86."):
        return None
    found = next((rewrite for pattern, rewrite in _ROWS if pattern.fullmatch(name, len("llvm.x86."))), None)
    if found is not None and ".avx512." in name and not _rounds_to_nearest(i, name):
        return None
    return found


def _rounds_to_nearest(i: Instruction, name: str) -> bool:
    last = i.arguments[-1]
    return not _ROUNDED.search(name) or (isinstance(last, ConstantInt) and last.value in _NEAREST)


_ROUNDED = re.compile(r"\.(?:add|sub|mul|div|max|min|sqrt|vfmadd|vfmaddsub)\.p[sd]\.512$")

# -- vectors


def _vector(value: Value) -> VectorType:
    assert isinstance(value.type, VectorType)
    return value.type


def _lanes(value: Value) -> int:
    return _vector(value).count


def _per_segment(type_: VectorType) -> int:
    return min(type_.count, _SEGMENT // alloc_size(type_.element))


def _bits(b: Builder, vector: Value) -> Value:
    """The lanes of numbers as integers."""
    return vector if is_int(vector.type) else b.cast("bitcast", vector, _words(vector.type))


def _words(type_: Type) -> Type:
    """Integers of the size of numbers."""
    return with_same_shape(IntType(8 * alloc_size(scalar(type_))), type_)


def _by_turns(b: Builder, even: Value, odd: Value) -> Value:
    n = _lanes(even)
    return b.shuffle(even, odd, [lane + n * (lane % 2) for lane in range(n)])


def _signs(b: Builder, vector: Value) -> Value:
    """True for the lanes whose highest bit is set: the masks of AVX."""
    bits = _bits(b, vector)
    return b.icmp("slt", bits, zero(bits.type))


# -- lane by lane


def _larger(b: Builder, x: Value, y: Value) -> Value:
    """The larger one; y if either is NaN or both are zero."""
    return b.select(b.fcmp("ogt", x, y), x, y)


def _smaller(b: Builder, x: Value, y: Value) -> Value:
    return b.select(b.fcmp("olt", x, y), x, y)


ARITHMETIC: dict[str, VectorOperation] = {
    "max": _larger,
    "min": _smaller,
    "add": Builder.fadd,
    "sub": Builder.fsub,
    "mul": Builder.fmul,
    "div": Builder.fdiv,
}


def _packed(operation: VectorOperation, b: Builder, i: Instruction) -> Value:
    return operation(b, i.arguments[0], i.arguments[1])


def _lowest(operation: VectorOperation, b: Builder, i: Instruction) -> Value:
    return lowest(operation, b, *i.arguments[:2])


def lowest(operation: VectorOperation, b: Builder, x: Value, y: Value) -> Value:
    """The operation in lane 0; the other lanes are the first operand's."""
    return b.with_lane(x, operation(b, b.lane(x, 0), b.lane(y, 0)), 0)


def _alternating(b: Builder, x: Value, y: Value) -> Value:
    """Differences in even lanes, sums in odd ones."""
    return _by_turns(b, b.fsub(x, y), b.fadd(x, y))


def _neighbours(operation: VectorOperation, b: Builder, x: Value, y: Value) -> Value:
    """The operation on each pair of neighbours, segment by segment: first the pairs of x, then those of y."""
    n, width = _lanes(x), _per_segment(_vector(x))
    left = [s + vector + lane for s in range(0, n, width) for vector in (0, n) for lane in range(0, width, 2)]
    return operation(b, b.shuffle(x, y, left), b.shuffle(x, y, [lane + 1 for lane in left]))


def _chosen(b: Builder, i: Instruction) -> Value:
    x, y, mask = i.arguments
    return b.select(_signs(b, mask), y, x)


_PREDICATES = "oeq olt ole uno une uge ugt ord ueq ult ule false one oge ogt true".split()


def _compared(predicate: Value, b: Builder, x: Value, y: Value) -> Value:
    """All bits of a lane are set if the predicate holds. Predicates from 16 on only raise other exceptions."""
    assert isinstance(predicate, ConstantInt)
    found = b.fcmp(_PREDICATES[predicate.value & 15], x, y)
    return b.cast("bitcast", b.cast("sext", found, _words(x.type)), x.type)


def _compare(b: Builder, i: Instruction) -> Value:
    return _packed(partial(_compared, i.arguments[2]), b, i)


def _compare_lowest(b: Builder, i: Instruction) -> Value:
    return _lowest(partial(_compared, i.arguments[2]), b, i)


def _dot(b: Builder, i: Instruction) -> Value:
    """A sum of products. The last operand names the products (upper four bits) and the lanes of the result."""
    x, y, which = i.arguments
    assert isinstance(which, ConstantInt)
    product = b.fmul(x, y)
    result: Value = zero(x.type)
    width, nothing = _per_segment(_vector(x)), zero(_vector(x).element)
    for segment in range(0, _lanes(x), width):
        named = [which.value >> (4 + k) & 1 for k in range(width)]
        terms: list[Value] = [b.lane(product, segment + k) if named[k] else nothing for k in range(width)]
        while len(terms) > 1:
            terms = [b.fadd(terms[k], terms[k + 1]) for k in range(0, len(terms), 2)]
        for k in range(width):
            if which.value >> k & 1:
                result = b.with_lane(result, terms[0], segment + k)
    return result


# -- functions of llvm.…


def fused(b: Builder, x: Value, y: Value, z: Value) -> Value:
    return b.call(f"@llvm.fma.{type_suffix(x.type)}", x.type, (x, y, z))


def _multiplied(b: Builder, i: Instruction) -> Value:
    return fused(b, *i.arguments[:3])


def _multiplied_alternating(b: Builder, i: Instruction) -> Value:
    """x*y - z in even lanes, x*y + z in odd ones."""
    x, y, z = i.arguments[:3]
    return _by_turns(b, fused(b, x, y, b.fneg(z)), fused(b, x, y, z))


def _root(b: Builder, i: Instruction) -> Value:
    return b.call(f"@llvm.sqrt.{type_suffix(i.type)}", i.type, i.arguments[:1])


_ROUNDINGS = ("roundeven", "floor", "ceil", "trunc", "rint", "rint", "rint", "rint")


def _rounded(direction: Value, b: Builder, x: Value) -> Value:
    assert isinstance(direction, ConstantInt)
    return b.call(f"@llvm.{_ROUNDINGS[direction.value & 7]}.{type_suffix(x.type)}", x.type, (x,))


def _round(b: Builder, i: Instruction) -> Value:
    return _rounded(i.arguments[1], b, i.arguments[0])


def _round_lowest(b: Builder, i: Instruction) -> Value:
    return b.with_lane(i.arguments[0], _rounded(i.arguments[2], b, b.lane(i.arguments[1], 0)), 0)


def _approximated_lowest(b: Builder, i: Instruction) -> Value:
    """rcp.ss and rsqrt.ss: the approximation of rcp.ps and rsqrt.ps in lane 0."""
    x = i.arguments[0]
    packed = b.call(str(i.callee).removesuffix("ss") + "ps", x.type, (x,))
    return b.with_lane(x, b.lane(packed, 0), 0)


# -- conversions


def _narrowed(b: Builder, i: Instruction) -> Value:
    """Doubles as floats; the other lanes of the result are zero."""
    x = i.arguments[0]
    n = _lanes(x)
    floats = b.cast("fptrunc", x, VectorType(FLOAT, n))
    assert isinstance(i.type, VectorType)
    return b.shuffle(floats, zero(floats.type), [min(lane, n) for lane in range(i.type.count)])


def _narrowed_lowest(b: Builder, i: Instruction) -> Value:
    return b.with_lane(i.arguments[0], b.cast("fptrunc", b.lane(i.arguments[1], 0), FLOAT), 0)


# -- lanes by number


def _picked(b: Builder, vector: Value, indices: Sequence[Value]) -> Value:
    known = [index.value for index in indices if isinstance(index, ConstantInt)]
    if len(known) == len(indices):
        return b.shuffle(vector, vector, known)
    type_ = VectorType(_vector(vector).element, len(indices))
    return b.vector(type_, (b.lane(vector, index) for index in indices))


def _numbers(b: Builder, vector: Value, below: int, shift: int = 0) -> list[Value]:
    """The lanes as indices: the bits that count up to `below`, a power of two, after a shift."""
    word = _vector(vector).element
    if isinstance(vector, Constant) and -1 not in shuffle_lanes(vector):
        return [int_constant(number >> shift & (below - 1), word) for number in shuffle_lanes(vector)]
    moved = [b.int_op("lshr", b.lane(vector, k), int_constant(shift, word)) for k in range(_lanes(vector))]
    return [b.int_op("and", lane, int_constant(below - 1, word)) for lane in moved]


def _permuted_in_segments(b: Builder, i: Instruction) -> Value:
    """vpermilpd and vpermilps: an index within the segment, bit 1 of each number or bits 0 and 1."""
    x, numbers = i.arguments
    width = _per_segment(_vector(x))
    within = _numbers(b, numbers, width, shift=1 if width == 2 else 0)
    word = _vector(numbers).element
    return _picked(b, x, [b.add(n, int_constant(k - k % width, word)) for k, n in enumerate(within)])


def _permuted(b: Builder, i: Instruction) -> Value:
    x, numbers = i.arguments
    return _picked(b, x, _numbers(b, numbers, _lanes(x)))


def _permuted_pair(b: Builder, i: Instruction) -> Value:
    x, numbers, y = i.arguments
    both = b.shuffle(x, y, range(2 * _lanes(x)))
    return _picked(b, both, _numbers(b, numbers, _lanes(both)))


# -- memory


def _masked_load(b: Builder, i: Instruction) -> Value:
    place, mask = i.arguments
    return load_lanes(b, i, _signs(b, mask), place, zero(i.type))


def _masked_store(b: Builder, i: Instruction) -> Value:
    place, mask, vector = i.arguments
    return store_lanes(b, i, _signs(b, mask), vector, place)


def _places(b: Builder, place: Value, numbers: Value, scale: Value, lanes: int) -> Value:
    assert isinstance(scale, ConstantInt)
    wide = [b.resize_int(b.lane(numbers, lane), I64, signed=True) for lane in range(lanes)]
    places = [b.offset(place, b.mul(number, int_constant(scale.value & 15)), ()) for number in wide]
    return b.vector(VectorType(place.type, lanes), places)


def _gathered(b: Builder, i: Instruction) -> Value:
    """A gather. Lanes without an index are zero."""
    otherwise, place, numbers, mask, scale = i.arguments
    lanes, count = _lanes(otherwise), _lanes(numbers)
    used = min(lanes, count)
    chosen = mask if _vector(mask).element == I1 else _signs(b, mask)
    if used < lanes:
        chosen, otherwise = (b.shuffle(v, v, range(used)) for v in (chosen, otherwise))
    found = load_lanes(b, i, chosen, _places(b, place, numbers, scale, used), otherwise)
    return found if used == lanes else b.shuffle(found, zero(found.type), [min(k, used) for k in range(lanes)])


def _scattered(b: Builder, i: Instruction) -> Value:
    place, mask, numbers, vector, scale = i.arguments
    used = min(_lanes(vector), _lanes(numbers))
    if used < _lanes(vector):
        vector = b.shuffle(vector, vector, range(used))
    return store_lanes(b, i, mask, vector, _places(b, place, numbers, scale, used))


_TABLE: dict[str, Rewrite] = {
    **{rf"(sse|sse2|avx|avx512)\.{n}\.p[sd](\.\d+)?": partial(_packed, f) for n, f in ARITHMETIC.items()},
    **{rf"sse2?\.{n}\.s[sd]": partial(_lowest, f) for n, f in ARITHMETIC.items()},
    r"(sse3|avx)\.addsub\.p[sd](\.256)?": partial(_packed, _alternating),
    r"(sse3|avx)\.hadd\.p[sd](\.256)?": partial(_packed, partial(_neighbours, Builder.fadd)),
    r"(sse3|avx)\.hsub\.p[sd](\.256)?": partial(_packed, partial(_neighbours, Builder.fsub)),
    r"sse41\.blendvp[sd]|avx\.blendv\.p[sd]\.256": _chosen,
    r"(sse2?|avx)\.cmp\.p[sd](\.256)?": _compare,
    r"sse2?\.cmp\.s[sd]": _compare_lowest,
    r"sse41\.dpp[sd]|avx\.dp\.ps\.256": _dot,
    r"avx512\.vfmadd\.p[sd]\.512": _multiplied,
    r"(fma|avx512)\.vfmaddsub\.p[sd](\.\d+)?": _multiplied_alternating,
    r"avx512\.sqrt\.p[sd]\.512": _root,
    r"(sse41|avx)\.round\.p[sd](\.256)?": _round,
    r"sse41\.round\.s[sd]": _round_lowest,
    r"sse\.r(cp|sqrt)\.ss": _approximated_lowest,
    r"sse2\.cvtpd2ps|avx\.cvt\.pd2\.ps\.256": _narrowed,
    r"sse2\.cvtsd2ss": _narrowed_lowest,
    r"avx\.vpermilvar\.p[sd](\.256)?": _permuted_in_segments,
    r"avx2\.permps|avx512\.permvar\.[sd]f\.\d+": _permuted,
    r"avx512\.vpermi2var\.p[sd]\.\d+": _permuted_pair,
    r"avx\.maskload\.p[sd](\.256)?": _masked_load,
    r"avx\.maskstore\.p[sd](\.256)?": _masked_store,
    r"avx2\.gather\.[dq]\.p[sd](\.256)?|avx512\.mask\.gather\.[dq]p[sd]\.512": _gathered,
    r"avx512\.mask\.scatter\.[dq]p[sd]\.512": _scattered,
}
_ROWS = [(re.compile(pattern), rewrite) for pattern, rewrite in _TABLE.items()]
