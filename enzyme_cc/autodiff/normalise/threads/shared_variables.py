"""Variables that a region shares: which of them no other pointer of the region leads to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from ....analysis.callees import plain_name
from ....analysis.region_calls import LEADING, is_region_call
from ....analysis.values.flow import origins
from ....ir.constants import GlobalRef
from ....ir.graphs import reachable
from ....ir.instructions import ACCESSES, ADDRESSES
from ....ir.module import Module
from ....ir.value_edges import SAME_OBJECT
from ....ir.values import Argument, Function, Instruction, Local, Value
from ....rules.parallel.openmp import FORK

#: operands of the fork before the captures
_HEAD = 3
#: intrinsics access memory, and keep no address
_INTRINSIC = "llvm."


def bases_of(pointer: Value) -> list[Value]:
    """Returns the pointers that an address may be computed from."""
    return [value for value in origins([pointer], SAME_OBJECT) if not list(SAME_OBJECT.operands(value))]


class SharedVariables:
    """The captures of a region. What forks pass is looked up when it is first asked for."""

    def __init__(self, source: Module, region: Function) -> None:
        self._source, self._region = source, region
        self.has_one_name = cache(self._has_one_name)

    def _has_one_name(self, pointer: Value) -> bool:
        """True for a capture that is the address of a local variable, of which nothing else in the region knows."""
        if not isinstance(pointer, Argument) or pointer.index < LEADING or not _is_only_accessed(pointer):
            return False
        passed = [captures[pointer.index - LEADING] for captures in self._passed()]
        return bool(passed) and all(self._is_own(variable) for variable in passed)

    def _passed(self) -> Iterator[list[Value]]:
        """Yields the captures of each fork of the region."""
        name = re.compile(re.escape(self._region.name) + r"(?![-\w.$])")
        for symbol, function in list(self._source.functions.items()):
            if not function.is_declaration and (function.unparsed is None or name.search(function.unparsed)):
                yield from (list(c) for c in map(self._captures, self._source.body(symbol).instructions()) if c)

    def _captures(self, i: Instruction) -> list[Value] | None:
        callee = i.callee if i.opcode == "call" else None
        if not isinstance(callee, GlobalRef):
            return None
        if is_region_call(i) and callee.name == self._region.name:
            return list(i.arguments[LEADING:])
        is_fork = callee.name == f"@{FORK}" and i.arguments[_HEAD - 1] == self._region.ref
        return list(i.arguments[_HEAD:]) if is_fork else None

    def _is_own(self, variable: Value) -> bool:
        """True for a local variable whose address goes to regions only, which only access it."""
        if not isinstance(variable, Instruction) or variable.opcode != "alloca":
            return False
        return all(self._is_access(i, variable) for i in variable.users)

    def _is_access(self, i: Instruction, pointer: Value) -> bool:
        if i.opcode == "getelementptr":
            return all(self._is_access(user, i) for user in i.users)
        if i.opcode != "call" or not isinstance(i.callee, GlobalRef):
            return _is_access(i, pointer)
        return plain_name(i.callee.name).startswith(_INTRINSIC) or self._is_passed_on(i, pointer)

    def _is_passed_on(self, i: Instruction, variable: Value) -> bool:
        is_fork = i.callee == GlobalRef.of(f"@{FORK}")
        if not is_fork and not is_region_call(i):
            return False
        name, first = (i.arguments[_HEAD - 1], _HEAD) if is_fork else (i.callee, LEADING)
        if not isinstance(name, GlobalRef) or self._source.functions[name.name].is_declaration:
            return False
        parameters = self._source.body(name.name).arguments[LEADING:]
        given = zip(i.arguments[first:], parameters, strict=False)
        return all(_is_only_accessed(parameter) for argument, parameter in given if argument is variable)


def _is_only_accessed(pointer: Local) -> bool:
    """True if a pointer is only the address of accesses."""

    def addresses(value: Local) -> list[Local]:
        return [user for user in value.users if user.opcode in ADDRESSES]

    return all(_is_access(user, value) for value in reachable([pointer], addresses) for user in value.users)


def _is_access(i: Instruction, pointer: Value) -> bool:
    if i.opcode == "store":
        return i.operands[0] is not pointer
    return i.opcode in ACCESSES or i.opcode in ADDRESSES or i.opcode == "atomicrmw" or i.opcode == "icmp"
