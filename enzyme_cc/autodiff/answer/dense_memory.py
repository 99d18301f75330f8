"""Memory that two functions stand for: `__enzyme_todense(load, store, …)`, for sparse derivatives as Enzyme has them.

The result is a pointer that differentiated code uses like one to memory. Once all derivatives are made, functions that
are given the pointer are inlined. Then each load at a distance of k bytes becomes the call load(k, …), and each store
of v the call store(v, k, …).

A gradient adds to shadow memory: a call of load, and one of store with the sum. If LLVM joined two such additions, the
second call of store would be given both. So in a module with such memory, derivatives add by atomic operations of a
scope that is known here, which LLVM leaves alone. They become plain additions in the end (`ADDITION`).
"""

from __future__ import annotations

from msgspec import Struct, field
from msgspec.structs import replace

from ...analysis.callees import DENSE, plain_name
from ...ir import llvm_passes
from ...ir.builder import Builder
from ...ir.constants import ConstantWord, GlobalRef
from ...ir.folding import int_constant
from ...ir.instructions import CHOICES
from ...ir.module import Module
from ...ir.types import I1, I64, IntType, PointerType, Type, VectorType, alloc_size, store_size
from ...ir.value_edges import PASSED, SAME_OBJECT
from ...ir.values import CallInfo, Function, Instruction, Value
from ...report.diagnostics import EnzymeError
from ..emit.shadow_memory import ADDITION, is_addition
from ..requests.request import convert, convertible, function_of
from ..requests.virtual_tables import leave_invoke

#: inlining takes so many rounds at most: more are needed only for recursive functions
_ROUNDS = 100
_SIMPLIFY = ("always-inline", "sroa", "simplifycfg", "instcombine")
#: what such pointers are based on: no memory is ever accessed there
_BASE = "@__ez_dense"
#: what uses memory as a whole, for messages
_BLOCKS = {"llvm.memcpy": "a copy", "llvm.memmove": "a copy", "llvm.memset": "a statement that fills it"}
_IGNORED = ("@llvm.lifetime.", "@llvm.assume", "@llvm.invariant.")


def has_dense_memory(text: str) -> bool:
    """True if the module's text asks for such memory."""
    return any(word in text for word in DENSE)


def resolve_dense_memory(text: str) -> str:
    """Returns the module with all accesses of such memory as calls. Raises EnzymeError (EZ0216) for other uses."""
    for _ in range(_ROUNDS):
        module = Module.parse(text)
        found = [_Dense(module, function, call) for function, call in _requests(module)]
        calls = dict.fromkeys(call for dense in found for call in dense.inlined)
        if not calls:
            break
        for call in calls:
            call.extra = replace(call.call, attributes=_inlined(call))
        inlined = llvm_passes.parse(str(module))
        llvm_passes.run_passes(inlined, *_SIMPLIFY)
        text = str(inlined)
    for dense in found:
        dense.resolve()
    _add_plainly(module)
    return str(module)


def _requests(module: Module) -> list[tuple[Function, Instruction]]:
    found = []
    for name in list(module.functions):
        function = module.functions[name]
        if function.unparsed is not None and not any(word in function.unparsed for word in DENSE):
            continue
        for i in [] if function.is_declaration else module.body(name).instructions():
            if i.is_call and any(word in str(i.callee) for word in DENSE):
                found.append((function, i))
    return found


def _inlined(call: Instruction) -> str:
    """The attributes of a call that is inlined."""
    given = call.call.attributes
    return given if "alwaysinline" in given else f"alwaysinline {given}"


def _add_plainly(module: Module) -> None:
    """Replaces the atomic additions of derivatives by plain ones."""
    for name in list(module.functions):
        function = module.functions[name]
        if function.unparsed is not None and ADDITION not in function.unparsed:
            continue
        module.body(name)
        for i in [i for i in function.instructions() if is_addition(i)]:
            pointer, value = i.operands
            b = Builder.before(i)
            old = b.load(value.type, pointer, i.memory.align)
            b.store(b.fadd(old, value), pointer, i.memory.align)
            i.replace_uses(old)
            i.erase()


class _Dense(Struct):
    """One such memory: the pointers into it, and their uses."""

    module: Module
    function: Function
    call: Instruction
    pointers: dict[Value, None] = field(default_factory=dict)
    accesses: dict[Instruction, None] = field(default_factory=dict)
    comparisons: dict[Instruction, None] = field(default_factory=dict)
    ignored: dict[Instruction, None] = field(default_factory=dict)
    inlined: dict[Instruction, None] = field(default_factory=dict)
    others: list[Instruction] = field(default_factory=list)

    def __post_init__(self) -> None:
        work: list[Instruction] = [self.call]
        while work:
            pointer = work.pop()
            self.pointers[pointer] = None
            for user in pointer.users:
                if user.opcode in SAME_OBJECT:
                    if user not in self.pointers:
                        work.append(user)
                else:
                    self._use(user, pointer)

    def _use(self, user: Instruction, pointer: Value) -> None:
        """Notes one use of a pointer."""
        kind = user.opcode
        if kind == "load" or (kind == "store" and user.operands[0] is not pointer) or is_addition(user):
            self.accesses[user] = None
        elif kind == "icmp":
            self.comparisons[user] = None
        elif user.is_call and str(user.callee).startswith(_IGNORED):
            self.ignored[user] = None
        elif user.is_call and self._has_body(user):
            self.inlined[user] = None
        else:  # it may go when more is inlined
            self.others.append(user)

    def _has_body(self, call: Instruction) -> bool:
        name = str(call.callee)
        return name in self.module.functions and not self.module.functions[name].is_declaration

    def _refusal(self, user: Instruction) -> EnzymeError:
        called = plain_name(str(user.callee)) if user.is_call else ""
        use = next(
            (words for name, words in _BLOCKS.items() if called.startswith(name)), f"{user.opcode} {called}".rstrip()
        )
        return EnzymeError.of(
            "EZ0216",
            f"memory of {plain_name(str(self.call.callee))} is used by {use}",
            location=self.module.source_location(user) or self.module.source_location(self.call),
            function=plain_name(self.function.name),
            reason="functions can stand for loads and stores of single numbers, and for nothing else",
        )

    # -- once everything is inlined

    def resolve(self) -> None:
        """Replaces all accesses by calls. Raises EnzymeError (EZ0216) for a use that functions cannot stand for."""
        for user in [*self.others, *self.inlined]:
            raise self._refusal(user)
        for pointer in self.pointers:
            assert isinstance(pointer, Instruction)
            if pointer.opcode in CHOICES and not all(o in self.pointers for o in PASSED.operands(pointer)):
                raise self._refusal(pointer)
            if pointer.opcode == "getelementptr":
                pointer.flags = ()
        for access in self.accesses:
            self._replace(access)
        for comparison in self.comparisons:
            both = all(o in self.pointers for o in comparison.operands)
            if not both:
                comparison.replace_uses(int_constant(comparison.predicate == "ne", I1))
        for i in [*self.ignored, *(c for c in self.comparisons if not c.users)]:
            i.erase()
        if _BASE not in self.module.globals:
            self.module.add_global(f"{_BASE} = internal global i8 0")
        self.call.replace_uses(GlobalRef.of(_BASE))
        if self.call.opcode == "invoke":
            leave_invoke(self.call)
        self.call.erase()

    def _replace(self, access: Instruction) -> None:
        b = Builder.before(access)
        if access.opcode == "load":
            access.replace_uses(self._load(b, access, access.operands[0], access.type))
        elif access.opcode == "store":
            self._store(b, access, access.operands[1], access.operands[0])
        else:
            pointer, value = access.operands
            old = self._load(b, access, pointer, value.type)
            self._store(b, access, pointer, b.fadd(old, value))
            access.replace_uses(old)
        access.erase()

    def _load(self, b: Builder, access: Instruction, pointer: Value, type_: Type) -> Value:
        function = self._function(0)
        result = function.type.result
        if isinstance(type_, VectorType):
            out: Value = ConstantWord(type_, "poison")
            for k in range(type_.count):
                element = self._load(b, access, b.offset(pointer, k * alloc_size(type_.element)), type_.element)
                out = b.emit("insertelement", type_, (out, element, int_constant(k)))
            return out
        loaded = self._called(b, function, [], pointer)
        return self._as(b, access, loaded, type_, result)

    def _store(self, b: Builder, access: Instruction, pointer: Value, value: Value) -> None:
        if isinstance(value.type, VectorType):
            for k in range(value.type.count):
                element = b.emit("extractelement", value.type.element, (value, int_constant(k)))
                self._store(b, access, b.offset(pointer, k * alloc_size(value.type.element)), element)
            return
        function = self._function(1)
        wanted = function.type.params[0] if function.type.params else value.type
        self._called(b, function, [self._as(b, access, value, wanted, value.type)], pointer)

    def _as(self, b: Builder, access: Instruction, value: Value, wanted: Type, given: Type) -> Value:
        """Returns a number in the type that the other side has: the same, or an integer with the bits of it."""
        if given == wanted:
            return value
        if isinstance(given, PointerType) or isinstance(wanted, PointerType) or store_size(given) != store_size(wanted):
            raise self._refusal(access)
        if not isinstance(given, IntType) and not isinstance(wanted, IntType):
            raise self._refusal(access)
        return b.cast("bitcast", value, wanted)

    def _function(self, k: int) -> Function:
        name = function_of(self.module, self.call.arguments[k]) if len(self.call.arguments) > 1 else None
        if name is None:
            raise self._malformed("its first two arguments are a function that loads and one that stores")
        return self.module.functions[name]

    def _called(self, b: Builder, function: Function, before: list[Value], pointer: Value) -> Instruction:
        base = GlobalRef.of(_BASE)
        distance = b.sub(b.cast("ptrtoint", pointer, I64), b.cast("ptrtoint", base, I64))
        values = [*before, distance, *self.call.arguments[2:]]
        params = function.type.params
        pairs = list(zip(values, params, strict=False))
        if len(values) < len(params) or not all(convertible(v.type, p) for v, p in pairs):
            raise self._malformed(
                f"{plain_name(function.name)} has the type {function.type}, and is given "
                f"({', '.join(str(v.type) for v in values)})"
            )
        operands = [convert(b, v, p) for v, p in pairs]
        info = CallInfo(function.type, ("",) * len(operands))
        return b.insert(Instruction("call", function.type.result, [*operands, function.ref], info))

    def _malformed(self, reason: str) -> EnzymeError:
        return EnzymeError.of(
            "EZ0203",
            f"{plain_name(str(self.call.callee))} is given arguments that do not fit",
            location=self.module.source_location(self.call),
            function=plain_name(self.function.name),
            reason=reason,
        )
