"""What instructions write: stores, calls of library functions, and calls of defined functions by a summary of each."""

from __future__ import annotations

import enum
from functools import cached_property
from typing import NamedTuple

from msgspec import Struct

from ...ir.cfg import ControlFlow
from ...ir.constants import ConstantInt, GlobalRef
from ...ir.graphs import reachable
from ...ir.instructions import ATOMIC_UPDATES
from ...ir.module import Module
from ...ir.types import PointerType, store_size
from ...ir.values import Argument, Function, Instruction, Value
from ...rules.inactive import STREAM_FUNCTIONS, unchecked
from ...rules.knowledge import CalleeKind, Known
from ...rules.library_functions import known
from ...rules.parallel.mpi import MESSAGE
from ...rules.streams.channels import STREAMS_OF_MEMORY
from ...rules.table import lookup
from ..callees import plain_name, strip_casts
from ..references import functions_referenced
from ..region_calls import is_region_call, is_thread_call
from ..shared_memory import shares_memory
from .memory_attribute import effects, written
from .objects import Object, ObjectKind, Objects, escaping_objects

#: a function that writes more places than this is taken to write any memory
_MANY = 400


class Any(enum.Enum):
    """The type of ANY: the instruction may write any memory that the function or its callees can reach."""

    ANY = "any memory"


ANY = Any.ANY


class Access(NamedTuple):
    """The alias metadata of an access: names of its !tbaa, !alias.scope and !noalias nodes."""

    tbaa: str | None = None
    scope: str | None = None
    noalias: str | None = None


class Write(NamedTuple):
    """A write of `size` bytes at `pointer`, a value of the function or a callee. None: any bytes around the pointer."""

    pointer: Value
    size: int | None
    access: Access

    @property
    def tag(self) -> str | None:
        return self.access.tbaa


Writes = tuple[Write, ...] | Any


def access_of(i: Instruction) -> Access:
    """Returns the alias metadata of an instruction."""
    return Access(i.metadata_node("!tbaa"), i.metadata_node("!alias.scope"), i.metadata_node("!noalias"))


class _AnalysedBody(Struct):
    objects: Objects
    flow: ControlFlow


class Effects:
    """What the functions of a module write, and which arguments they keep. Each is summarised once, callees first."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._summaries: dict[tuple[str, bool], Writes] = {}
        self._is_whole = False  # what is called is a region: all threads that it orders are inside of it
        self._outside: dict[Function, bool] = {}
        self._teams: dict[Function, Writes] = {}
        self._kept: dict[str, frozenset[int]] = {}
        self._bodies: dict[str, _AnalysedBody] = {}
        self._running: set[str] = set()
        self._shares_memory = shares_memory(module)
        self._has_streams_of_memory = any(plain_name(name) in STREAMS_OF_MEMORY for name in module.functions)

    # -- instructions

    def of(self, i: Instruction) -> Writes:
        """Returns what the instruction writes."""
        if i.opcode == "store":
            return (Write(i.operands[1], store_size(i.operands[0].type), access_of(i)),)
        if i.opcode in ATOMIC_UPDATES:
            return (Write(i.operands[0], store_size(i.operands[1].type), access_of(i)),)
        if i.is_call:
            writes = self._of_call(i)
            return self._of_team_at(i) if isinstance(writes, Any) and self._is_in_outer_region(i) else writes
        return ANY if i.opcode == "va_arg" else ()

    def _of_call(self, i: Instruction) -> Writes:
        target = strip_casts(i.callee, self._module)
        if not isinstance(target, GlobalRef):
            return self._by_attributes(i, None)
        name = plain_name(target.name)
        function = self._module.functions.get(target.name)
        if function is not None and not function.is_declaration:
            return self._of_defined(i, function)
        row = known(name)
        if self._has_streams_of_memory and unchecked(name) in STREAM_FUNCTIONS:
            return ANY
        if self._shares_memory and name == MESSAGE:  # other ranks may write before it returns
            return ANY
        if row is not None:
            return self._of_known(i, row)
        rule = lookup(name)
        if rule is not None:  # math functions take pointers for results only
            return tuple(Write(a, 16, Access()) for a in i.arguments if isinstance(a.type, PointerType))
        return self._by_attributes(i, function)

    def _of_known(self, i: Instruction, row: Known) -> Writes:
        if row.kind in (CalleeKind.FREE, CalleeKind.REALLOCATE, CalleeKind.NORETURN, CalleeKind.STACK):
            return ()  # memory is freed only after the reverse sweep
        if row.kind is CalleeKind.ALLOCATE:
            return () if row.through is None else (Write(i.arguments[row.through], 8, Access()),)
        if row.writes == "any" or (row.orders and not self._is_whole):
            return ANY
        if row.writes == "none":
            return ()
        pointers = [i.arguments[k] for k in row.writes if k < len(i.arguments)]
        return tuple(Write(p, self._written_size(i, row), access_of(i)) for p in pointers)

    def _written_size(self, i: Instruction, row: Known) -> int | None:
        if row.kind not in (CalleeKind.COPY, CalleeKind.FILL) or row.length >= len(i.arguments):
            return None
        length = i.arguments[row.length]
        return length.value if isinstance(length, ConstantInt) else None

    def _by_attributes(self, i: Instruction, function: Function | None) -> Writes:
        places = written(effects(self._module, i.call.attributes, function))
        if places is not None and not places:
            return ()
        if places == frozenset(["argmem"]):
            return tuple(
                Write(a, None, access_of(i))
                for k, a in enumerate(i.arguments)
                if isinstance(a.type, PointerType) and not self._has(i, k, function, ("readonly", "readnone"))
            )
        return ANY

    def _has(self, i: Instruction, k: int, function: Function | None, words: tuple[str, ...]) -> bool:
        """True if an argument has one of the attributes, at the call or in the callee's header."""
        texts = [i.call.argument_attributes[k]]
        if function is not None and k < len(function.arguments):
            texts.append(function.arguments[k].attributes)
        return any(word in text for text in texts for word in words)

    # -- analysed functions

    def _of_defined(self, i: Instruction, function: Function) -> Writes:
        if is_thread_call(i):
            return ANY  # others run before the maker goes on
        before, self._is_whole = self._is_whole, self._is_whole or self._is_whole_region(i)
        summary = self.summary(function)
        self._is_whole = before
        if isinstance(summary, Any):
            return ANY
        out = []
        for write in summary:
            if isinstance(write.pointer, Argument) and write.pointer in function.arguments:
                if write.pointer.index >= len(i.arguments):
                    return ANY
                write = write._replace(pointer=i.arguments[write.pointer.index])
            out.append(write)
        return tuple(out)

    def _is_whole_region(self, i: Instruction) -> bool:
        """True for the call of a region from code that no region reaches: no other thread runs outside of it."""
        if not is_region_call(i) or i.block is None or i.block.function is None:
            return False
        caller = i.block.function
        if caller not in self._outside:
            regions, reached = self._regions
            self._outside[caller] = caller.name not in regions | reached
        return self._outside[caller]

    @cached_property
    def _regions(self) -> tuple[frozenset[str], frozenset[str]]:
        """The functions of regions, and those that regions reach."""
        parsed = [function for function in self._module.functions.values() if function.blocks]
        calls = [i for function in parsed for i in function.instructions() if is_region_call(i)]
        regions = frozenset(i.callee.name for i in calls if isinstance(i.callee, GlobalRef))

        def called(name: str) -> list[str]:
            function = self._module.functions[name]
            return functions_referenced(self._module, function) if function.blocks else []

        return regions, frozenset(reachable([other for name in regions for other in called(name)], called))

    # -- what other threads of a region write

    def _is_in_outer_region(self, i: Instruction) -> bool:
        """True in the function of a region that no other region reaches, unless all its threads are looked at."""
        function = i.block.function if i.block is not None else None
        if self._is_whole or function is None:
            return False
        if function not in self._teams:
            regions, reached = self._regions
            self._teams[function] = self._of_team(function) if function.name in regions - reached else ANY
        return not isinstance(self._teams[function], Any)

    def _of_team_at(self, call: Instruction) -> Writes:
        """Returns what a call that orders threads writes, and what the others may have written before it returns."""
        assert call.block is not None and call.block.function is not None
        self._is_whole = True
        own = self._of_call(call)
        self._is_whole = False
        team = self._teams[call.block.function]
        return ANY if isinstance(own, Any) or isinstance(team, Any) else own + team

    def _of_team(self, region: Function) -> Writes:
        """Returns all that threads of a region write where others may see it: at which places of an object is open."""
        objects = self._body(region).objects
        escaping = escaping_objects(objects, self.keeps)
        own = (ObjectKind.STACK, ObjectKind.HEAP)
        found: dict[Write, None] = {}
        self._is_whole = True
        written_ = [self.of(i) for i in region.instructions()]
        self._is_whole = False
        for writes in written_:
            if isinstance(writes, Any) or len(found) > _MANY:
                return ANY
            for write in writes:
                if self._is_elsewhere(write, region) or any(
                    o.kind not in own or o in escaping for o in objects.of(write.pointer)
                ):
                    found[Write(write.pointer, None, Access(write.access.tbaa))] = None
        return tuple(found)

    def _is_elsewhere(self, write: Write, function: Function) -> bool:
        return isinstance(write.pointer, Instruction) and not self._is_in(write.pointer, function)

    def summary(self, function: Function) -> Writes:
        """Returns what a call may write that outlives it: through arguments, globals and pointers in memory."""
        name, key = function.name, (function.name, self._is_whole)
        found = self._summaries.get(key)
        if found is None:
            if name in self._running:
                return ANY
            self._running.add(name)
            found = self._summaries[key] = self._summarise(self._module.body(name))
            self._running.discard(name)
        return found

    def _summarise(self, function: Function) -> Writes:
        if written(effects(self._module, "", function)) == frozenset():
            return ()
        objects = self._body(function).objects
        out: dict[Write, None] = {}
        for i in function.instructions():
            for write in self._calls_itself(i, function) or ():
                out.update(dict.fromkeys(self._seen_by_callers(write, objects, function)))
            writes = () if self._calls_itself(i, function) is not None else self.of(i) or self._freed(i)
            if isinstance(writes, Any) or len(out) > _MANY:
                return ANY
            for write in writes:
                out.update(dict.fromkeys(self._seen_by_callers(write, objects, function)))
        return tuple(out)

    def _freed(self, i: Instruction) -> Writes:
        """Returns the memory that a callee frees, as written. Only the differentiated function itself frees later."""
        target = strip_casts(i.callee, self._module) if i.is_call else None
        row = known(plain_name(target.name)) if isinstance(target, GlobalRef) else None
        if row is None or row.kind not in (CalleeKind.FREE, CalleeKind.REALLOCATE):
            return ()
        return (Write(i.arguments[row.pointer], None, Access()),)

    def _calls_itself(self, i: Instruction, function: Function) -> tuple[Write, ...] | None:
        """Returns writes through the arguments of a call of the function itself; None for any other instruction."""
        target = strip_casts(i.callee, self._module) if i.is_call else None
        if not isinstance(target, GlobalRef) or target.name != function.name:
            return None
        return tuple(Write(a, None, Access()) for a in i.arguments if isinstance(a.type, PointerType))

    def _seen_by_callers(self, write: Write, objects: Objects, function: Function) -> list[Write]:
        """Returns a write as a caller sees it: by argument or global; nothing for memory of the call itself."""
        if isinstance(write.pointer, Instruction) and not self._is_in(write.pointer, function):
            return [write]  # through a pointer that a callee loaded
        out = []
        for found, offset in objects.of(write.pointer).items():
            if found.kind in (ObjectKind.STACK, ObjectKind.CONSTANT_NULL, ObjectKind.HEAP):
                continue
            if found.kind in (ObjectKind.ARGUMENT, ObjectKind.GLOBAL):
                assert found.value is not None
                end = None
                if isinstance(offset, int) and offset >= 0 and write.size is not None:
                    end = offset + write.size
                out.append(Write(found.value, end, write.access._replace(scope=None, noalias=None)))
            else:
                out.append(Write(write.pointer, write.size, write.access._replace(scope=None, noalias=None)))
        return out

    def _is_in(self, value: Instruction, function: Function) -> bool:
        return value.block is not None and value.block.function is function

    def _body(self, function: Function) -> _AnalysedBody:
        found = self._bodies.get(function.name)
        if found is None:
            flow = ControlFlow(function)
            found = self._bodies[function.name] = _AnalysedBody(Objects(self._module, function, flow), flow)
        return found

    # -- what calls keep

    def keeps(self, i: Instruction, k: int) -> bool:
        """True if a call may keep its k-th argument, a pointer, beyond its return."""
        if is_thread_call(i):
            return True  # the thread may still run
        target = strip_casts(i.callee, self._module)
        function = self._module.functions.get(target.name) if isinstance(target, GlobalRef) else None
        if self._has(i, k, function, ("nocapture", "captures(none)", "byval(", "sret(")):
            return False
        if function is None:
            return True
        if function.is_declaration:
            name = plain_name(function.name)
            return name in STREAMS_OF_MEMORY or (known(name) is None and lookup(name) is None)
        if k >= len(function.arguments):
            return True
        return k in self.kept(function)

    def kept(self, function: Function) -> frozenset[int]:
        """Returns the indices of the arguments that a defined function may keep or return."""
        name = function.name
        found = self._kept.get(name)
        if found is None:
            self._kept[name] = frozenset(range(len(function.arguments)))  # for calls of itself
            objects = self._body(self._module.body(name)).objects
            escaping = escaping_objects(objects, self.keeps, lambda o: o.kind is ObjectKind.ARGUMENT)
            found = self._kept[name] = frozenset(o.value.index for o in escaping if isinstance(o.value, Argument))
        return found


__all__ = ["ANY", "Access", "Any", "Effects", "Object", "Write", "Writes", "access_of"]
