"""Passes pointers and integers to regions themselves, where the program passes the address of a variable with them.

OpenMP shares a variable by its address, and flang passes one struct with the addresses of all. A pointer to constant
memory, such as indices or a size, would then be stored where pointers with a shadow are expected, and the run would
have to find out which is which. A size that is read in a loop is not known before it, nor what the loop reaches. If
nobody writes such a variable while the region runs, what is in it is an operand of the fork, and the variable becomes
a register.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from msgspec import Struct

from ....analysis.callees import plain_name
from ....ir import llvm_passes
from ....ir.builder import Builder
from ....ir.constants import GlobalRef
from ....ir.edit import drop_phis_of
from ....ir.folding import int_constant
from ....ir.instructions import RESIZES
from ....ir.module import Module, global_name
from ....ir.types import I32, I64, PTR, FunctionType, IntType, Type, is_pointer
from ....ir.values import Argument, CallInfo, Function, Instruction, Value
from ....rules.parallel.openmp import FORK, NATIVE
from .restricted_captures import accesses, is_kept, is_only_loaded_from, may_order, restrict_parameter

_CALL = f"@{FORK}("
#: operands of the fork before the captures, and parameters of a region before them
_HEAD, _OWN = 3, 2
#: OpenMP's library passes so many captures on all architectures
_MOST = 15
#: the end of the name of a region whose operands have changed
_PASSED = ".passed"
_DEBUG = re.compile(r",? !(?:dbg|DIAssignID) !\d+|^ +#dbg_[^\n]*\n", re.MULTILINE)
_LIFETIME = re.compile(r"@llvm\.lifetime\.(?:start|end)\.p0$")


class CapturedField(NamedTuple):
    """A pointer or integer that a region reads so many bytes behind a capture."""

    offset: int
    type: Type


class _Region(Struct):
    """A region's function, its forks, and the fields of each capture, by its number; none for what stays as it is."""

    function: Function
    forks: list[Instruction]
    fields: dict[int, list[CapturedField]]


def pass_captured_pointers(text: str) -> str:
    """Returns the module in which forks pass pointers that only the region reads."""
    if _CALL not in text:
        return text
    module = Module.parse(text)
    found: dict[str, _Region] = {}
    for fork in (i for function in _with_forks(module) for i in function.instructions() if _is_fork(i)):
        name = _region_of(fork)
        if name is not None and name in module.functions and not module.functions[name].is_declaration:
            region = found.setdefault(name, _Region(module.body(name), [], {}))
            region.forks.append(fork)
    regions = [region for name, region in found.items() if _is_only_forked(text, name, len(region.forks))]
    for region in regions:
        region.fields = {k: f for k in range(len(region.function.arguments) - _OWN) if (f := _fields(region, k))}
    _drop_written(regions)
    changed = [region for region in regions if region.fields and _has_room(region)]
    kept = [_definition(text, region.function.name) for region in changed]
    restricted = [_restricted(region, regions) for region in changed]
    for region, captures in zip(changed, restricted, strict=True):
        _rewrite(region, module, captures)
    return text if not changed else _as_registers("\n".join([str(module), *kept, ""]))


def _as_registers(text: str) -> str:
    module = llvm_passes.parse(text)
    llvm_passes.run_passes(module, "sroa")
    return str(module)


def _with_forks(module: Module) -> Iterator[Function]:
    for name, function in list(module.functions.items()):
        is_plain = plain_name(name).startswith(NATIVE)
        if function.unparsed is not None and _CALL in function.unparsed and not is_plain:
            yield module.body(name)


def _is_fork(i: Instruction) -> bool:
    return i.opcode == "call" and isinstance(i.callee, GlobalRef) and i.callee.name == f"@{FORK}"


def _region_of(fork: Instruction) -> str | None:
    region = fork.arguments[_HEAD - 1]
    return region.name if isinstance(region, GlobalRef) else None


def _is_only_forked(text: str, name: str, forks: int) -> bool:
    """True if only forks name a region's function, but for the program's own code, which keeps it as it is."""
    used = re.escape(name) + r"(?![-\w.$])"
    plain = re.findall(rf"^define [^\n]*@\"?{re.escape(NATIVE)}[^\n]*\{{\n(.*?)^\}}", text, re.MULTILINE | re.DOTALL)
    return len(re.findall(used, text)) - sum(len(re.findall(used, body)) for body in plain) == forks + 1


def _definition(text: str, name: str) -> str:
    """Returns the text of a function without debug information, which the new function has."""
    found = re.search(rf"^define [^\n@]*{re.escape(name)}\([^\n]*\n.*?^\}}$", text, re.MULTILINE | re.DOTALL)
    assert found is not None, name
    return _DEBUG.sub("", found[0])


def _fields(region: _Region, number: int) -> list[CapturedField] | None:
    """Returns what a region reads of a capture; None if it does anything else with it, or reads other things."""
    found: dict[CapturedField, None] = {}
    for read, offset in accesses(region.function.arguments[number + _OWN]):
        is_read = read.opcode == "load" and not read.flags and (is_pointer(read.type) or _is_word(read.type))
        if not is_read or offset is None:
            return None
        found[CapturedField(offset, read.type)] = None
    return sorted(found, key=lambda field: field.offset) if found else None


def _is_word(type_: Type) -> bool:
    """True for an integer that a register holds. The library passes registers."""
    return isinstance(type_, IntType) and type_.bits in (8, 16, 32, 64)


# -- variables that nobody writes while a region runs


def _drop_written(regions: Iterable[_Region]) -> None:
    """Drops the captures that are written while a region runs, or may be."""
    regions, before = list(regions), None
    while before != (before := sum(len(r.fields) for r in regions)):
        read = {(fork, k + _HEAD) for r in regions for k in r.fields for fork in r.forks}
        for region in regions:
            region.fields = {
                k: fields
                for k, fields in region.fields.items()
                if all(_is_only_read(fork.operands[k + _HEAD], read) for fork in region.forks)
            }


def _is_only_read(variable: Value, read: set[tuple[Instruction, int]]) -> bool:
    """True if a variable is only passed to regions that read it; what makes the forks may write it."""
    if not isinstance(variable, Instruction) or variable.opcode != "alloca":
        return False
    for i, offset in accesses(variable):
        if offset is not None or (i.opcode == "call" and _LIFETIME.fullmatch(str(getattr(i.callee, "name", "")))):
            continue
        if not all((i, k) in read for k, operand in enumerate(i.operands) if operand is variable):
            return False
        if not any(operand is variable for operand in i.operands):
            return False
    return True


def _has_room(region: _Region) -> bool:
    count = len(region.function.arguments) - _OWN
    return count + sum(len(fields) - 1 for fields in region.fields.values()) <= _MOST


# -- the new operands


def _rewrite(region: _Region, module: Module, restricted: set[int]) -> None:
    function = region.function
    is_apart = not any(may_order(i) for i in function.instructions())
    parameters = list(function.arguments[:_OWN])
    for k, old in enumerate(function.arguments[_OWN:]):
        made = [Argument(PTR if is_pointer(field.type) else I64) for field in region.fields.get(k, ())]
        parameters += made or [old]
        for field, new in zip(region.fields.get(k, ()), made, strict=True):
            _read_parameter(function, old, field, new)
            if k in restricted and is_only_loaded_from(new):
                new.attributes = "noalias readonly"
            elif k in restricted and is_apart:
                new.attributes = "noalias"
    for k, parameter in enumerate(parameters):
        parameter.index = k
    function.arguments = parameters
    function.type = FunctionType(function.type.result, tuple(p.type for p in parameters))
    del module.functions[function.name]
    function.name = global_name(f"{plain_name(function.name)}{_PASSED}")
    module.functions[function.name] = function
    for fork in region.forks:
        _rewrite_fork(fork, function, region.fields)


def _restricted(region: _Region, all_: Iterable[_Region]) -> set[int]:
    """Returns the captures of variables that hold one `restrict` parameter each, whichever fork passes them.

    No region keeps the pointer: in another region, or in a later run, it would be a second name.
    """
    held = [{k: restrict_parameter(fork.operands[k + _HEAD]) for k in region.fields} for fork in region.forks]
    kept = {
        fork.operands[k + _HEAD]
        for other in all_
        for k in other.fields
        if any(is_kept(read) for read, _ in accesses(other.function.arguments[k + _OWN]))
        for fork in other.forks
    }
    return {
        k
        for k in region.fields
        if all(one[k] is not None and list(one.values()).count(one[k]) == 1 for one in held)
        and not any(fork.operands[k + _HEAD] in kept for fork in region.forks)
    }


def _read_parameter(function: Function, old: Argument, field: CapturedField, new: Argument) -> None:
    loads = [load for load, offset in accesses(old) if offset == field.offset and load.type == field.type]
    value: Value = new if is_pointer(field.type) else Builder.first(function.entry).resize_int(new, field.type)
    for load in loads:
        load.replace_uses(value)
        load.erase()
    drop_phis_of(value)
    _extend_early(function, value)
    for address in [user for user in old.users if user.opcode == "getelementptr"]:
        _erase_unused(address)


def _extend_early(function: Function, value: Value) -> None:
    """Moves conversions of an integer to the entry: the bounds of loops are known before them then."""
    if isinstance(value, Instruction):
        for i in [user for user in value.users if user.opcode in RESIZES]:
            i.replace_uses(Builder.after(value).insert(Instruction(i.opcode, i.type, [value], i.extra, i.flags)))
            i.erase()


def _erase_unused(address: Instruction) -> None:
    for user in [u for u in address.users if u.opcode == "getelementptr"]:
        _erase_unused(user)
    if not address.users:
        address.erase()


def _rewrite_fork(fork: Instruction, function: Function, fields: dict[int, list[CapturedField]]) -> None:
    b = Builder.before(fork)
    place, _, _, *captures = fork.arguments
    attributes = list(fork.call.argument_attributes[:_HEAD])
    passed: list[Value] = []
    for k, capture in enumerate(captures):
        loads = [b.load(field.type, b.offset(capture, field.offset)) for field in fields.get(k, ())]
        read = [load if is_pointer(load.type) else b.resize_int(load, I64) for load in loads]
        passed += read or [capture]
        attributes += [""] * len(read) or [fork.call.argument_attributes[k + _HEAD]]
    operands = [place, int_constant(len(passed), I32), function.ref, *passed, fork.callee]
    info = CallInfo(fork.call.function_type, tuple(attributes), attributes=fork.call.attributes)
    b.insert(Instruction("call", fork.type, operands, info, metadata=fork.metadata))
    fork.erase()
