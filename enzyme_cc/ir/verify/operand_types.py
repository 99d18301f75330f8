"""The types that operands and results of instructions may have: one rule for each opcode.

A rule is given an instruction and returns what is wrong with its types, or "".
"""

from __future__ import annotations

from collections.abc import Callable

from ..instructions import FLOAT_ARITHMETIC, INTEGER_ARITHMETIC
from ..types import (
    I1,
    VOID,
    FloatType,
    IntType,
    PointerType,
    StructType,
    Type,
    VectorType,
    indexed_type,
    is_float,
    is_int,
    is_pointer,
    scalar,
)
from ..values import Instruction

OperandCheck = Callable[[Instruction], str]


def type_error(i: Instruction) -> str:
    """Returns what is wrong with the types of an instruction's operands and result; "" if nothing is."""
    rule = _RULES.get(i.opcode)
    return rule(i) if rule is not None else ""


def _shape(type_: Type) -> tuple[int, bool]:
    """Returns the number of lanes, and whether it is scalable; 0 lanes for a scalar."""
    return (type_.count, type_.scalable) if isinstance(type_, VectorType) else (0, False)


def _equal(*types: Type) -> str:
    other = next((t for t in types if t != types[0]), None)
    return "" if other is None else f"{types[0]} and {other} are not one type"


def _needs(holds: bool, what: str) -> str:
    return "" if holds else what


def _arithmetic(is_right: Callable[[Type], bool], what: str) -> OperandCheck:
    def rule(i: Instruction) -> str:
        return _equal(i.type, *(o.type for o in i.operands)) or _needs(is_right(scalar(i.type)), f"{what} expected")

    return rule


def _comparison(is_right: Callable[[Type], bool], what: str) -> OperandCheck:
    def rule(i: Instruction) -> str:
        a, b = (o.type for o in i.operands)
        result = scalar(i.type) == I1 and _shape(i.type) == _shape(a)
        return _equal(a, b) or _needs(is_right(scalar(a)), f"{what} expected") or _needs(result, f"result {i.type}")

    return rule


def _cast(accepts: Callable[[Type, Type], bool]) -> OperandCheck:
    def rule(i: Instruction) -> str:
        source, target = i.operands[0].type, i.type
        lanes = _shape(source) == _shape(target)
        return _needs(lanes and accepts(scalar(source), scalar(target)), f"{source} to {target}")

    return rule


def _integers(source: Type, target: Type) -> tuple[int, int] | None:
    both = isinstance(source, IntType) and isinstance(target, IntType)
    return (source.bits, target.bits) if both else None  # type: ignore[attr-defined]


def _grows(source: Type, target: Type) -> bool:
    bits = _integers(source, target)
    return bits is not None and bits[0] < bits[1]


def _shrinks(source: Type, target: Type) -> bool:
    return _grows(target, source)


def _float_grows(source: Type, target: Type) -> bool:
    return isinstance(source, FloatType) and isinstance(target, FloatType) and source.bits < target.bits


def _bitcast(i: Instruction) -> str:
    source, target = i.operands[0].type, i.type
    if is_pointer(scalar(source)) or is_pointer(scalar(target)):
        return _equal(source, target)
    return _needs(_bits(source) == _bits(target), f"{source} to {target}")


def _bits(type_: Type) -> int:
    element = scalar(type_)
    if not isinstance(element, IntType | FloatType):
        return -1
    return element.bits * (_shape(type_)[0] or 1)


def _phi(i: Instruction) -> str:
    return _equal(i.type, *(o.type for o in i.operands[::2]))


def _select(i: Instruction) -> str:
    condition, a, b = (o.type for o in i.operands)
    fits = condition == I1 or (scalar(condition) == I1 and _shape(condition) == _shape(a))
    return _equal(i.type, a, b) or _needs(fits, f"condition of type {condition}")


def _freeze(i: Instruction) -> str:
    return _equal(i.type, i.operands[0].type)


def _getelementptr(i: Instruction) -> str:
    base, *indices = (o.type for o in i.operands)
    return _needs(is_pointer(scalar(base)) and is_pointer(scalar(i.type)), f"base of type {base}") or _needs(
        all(is_int(scalar(t)) for t in indices), "index that is no integer"
    )


def _alloca(i: Instruction) -> str:
    return _needs(all(is_int(o.type) for o in i.operands), "count that is no integer")


def _pointer(type_: Type) -> str:
    return _needs(isinstance(type_, PointerType), f"address of type {type_}")


def _load(i: Instruction) -> str:
    return _pointer(i.operands[0].type) or _equal(i.type, i.memory.accessed or i.type)


def _store(i: Instruction) -> str:
    return _pointer(i.operands[1].type) or _needs(i.operands[0].type != VOID, "value of type void")


def _atomicrmw(i: Instruction) -> str:
    return _pointer(i.operands[0].type) or _equal(i.type, i.operands[1].type)


def _cmpxchg(i: Instruction) -> str:
    pointer, expected, new = (o.type for o in i.operands)
    return _pointer(pointer) or _equal(expected, new) or _equal(i.type, StructType((new, I1)))


def _indexed(i: Instruction) -> Type | None:
    try:
        return indexed_type(i.operands[0].type, i.indices)
    except (TypeError, IndexError):
        return None


def _extractvalue(i: Instruction) -> str:
    found = _indexed(i)
    return f"no element {i.indices} in {i.operands[0].type}" if found is None else _equal(i.type, found)


def _insertvalue(i: Instruction) -> str:
    found = _indexed(i)
    if found is None:
        return f"no element {i.indices} in {i.operands[0].type}"
    return _equal(i.type, i.operands[0].type) or _equal(found, i.operands[1].type)


def _extractelement(i: Instruction) -> str:
    vector, index = (o.type for o in i.operands)
    return _needs(isinstance(vector, VectorType) and is_int(index), f"{vector}, {index}") or _equal(
        i.type, scalar(vector)
    )


def _insertelement(i: Instruction) -> str:
    vector, value, index = (o.type for o in i.operands)
    return (
        _equal(i.type, vector)
        or _needs(isinstance(vector, VectorType) and is_int(index), f"{vector}, {index}")
        or _equal(scalar(vector), value)
    )


def _shufflevector(i: Instruction) -> str:
    first, second, mask = (o.type for o in i.operands)
    fits = isinstance(i.type, VectorType) and _shape(i.type) == _shape(mask)
    return _equal(first, second) or _equal(scalar(i.type), scalar(first)) or _needs(fits, f"result {i.type}")


def _call(i: Instruction) -> str:
    type_, given = i.call.function_type, [a.type for a in i.arguments]
    count = len(given) >= len(type_.params) if type_.vararg else len(given) == len(type_.params)
    if not count:
        return f"{len(given)} arguments for {type_}"
    wrong = (_equal(a, b) for a, b in zip(given, type_.params, strict=False))
    return _equal(i.type, type_.result) or next(filter(None, wrong), "")


def _ret(i: Instruction) -> str:
    assert i.block is not None and i.block.function is not None
    return _equal(i.operands[0].type if i.operands else VOID, i.block.function.type.result)


def _br(i: Instruction) -> str:
    return _equal(i.operands[0].type, I1) if len(i.operands) > 1 else ""


def _switch(i: Instruction) -> str:
    types = [i.operands[0].type, *(o.type for o in i.operands[2::2])]
    return _equal(*types) or _needs(is_int(types[0]), f"switch of {types[0]}")


def _is_ordered(type_: Type) -> bool:
    return is_int(type_) or is_pointer(type_)


def _to_float(source: Type, target: Type) -> bool:
    return isinstance(source, IntType) and isinstance(target, FloatType)


def _is_address_to_integer(source: Type, target: Type) -> bool:
    return isinstance(source, PointerType) and isinstance(target, IntType)


_INTEGER = _arithmetic(is_int, "integers")
_FLOAT = _arithmetic(is_float, "floating-point numbers")

_RULES: dict[str, OperandCheck] = {
    **dict.fromkeys(INTEGER_ARITHMETIC, _INTEGER),
    **dict.fromkeys(FLOAT_ARITHMETIC, _FLOAT),
    "icmp": _comparison(_is_ordered, "integers or pointers"),
    "fcmp": _comparison(is_float, "floating-point numbers"),
    "trunc": _cast(_shrinks),
    **dict.fromkeys(("zext", "sext"), _cast(_grows)),
    "fpext": _cast(_float_grows),
    "fptrunc": _cast(lambda source, target: _float_grows(target, source)),
    **dict.fromkeys(("fptoui", "fptosi"), _cast(lambda source, target: _to_float(target, source))),
    **dict.fromkeys(("uitofp", "sitofp"), _cast(_to_float)),
    **dict.fromkeys(("ptrtoint", "ptrtoaddr"), _cast(_is_address_to_integer)),
    "inttoptr": _cast(lambda source, target: _is_address_to_integer(target, source)),
    "addrspacecast": _cast(lambda source, target: is_pointer(source) and is_pointer(target)),
    "bitcast": _bitcast,
    "phi": _phi,
    "select": _select,
    "freeze": _freeze,
    "getelementptr": _getelementptr,
    "alloca": _alloca,
    "load": _load,
    "store": _store,
    "atomicrmw": _atomicrmw,
    "cmpxchg": _cmpxchg,
    "extractvalue": _extractvalue,
    "insertvalue": _insertvalue,
    "extractelement": _extractelement,
    "insertelement": _insertelement,
    "shufflevector": _shufflevector,
    **dict.fromkeys(("call", "invoke", "callbr"), _call),
    "ret": _ret,
    "br": _br,
    "switch": _switch,
}
