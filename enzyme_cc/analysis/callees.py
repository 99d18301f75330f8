"""Classifies callees: a function with a body, a known library function, a math function with a rule, or an unknown one.

A callee's kind decides how both modes differentiate the call.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct, field

from ..ir.constants import ConstantExpr, GlobalRef, InlineAsm
from ..ir.graphs import reachable
from ..ir.instructions import SAME_VALUE
from ..ir.module import Module, global_name
from ..ir.types import is_pointer
from ..ir.values import Argument, Instruction, Value
from ..rules import library_functions
from ..rules.knowledge import CalleeKind
from ..rules.library_functions import Known
from ..rules.parallel import fibers
from ..rules.table import Rule, generic, lookup

#: the names of type hints contain one of these
HINTS = ("__enzyme_integer", "__enzyme_float", "__enzyme_double", "__enzyme_pointer")
#: the name of a function that returns its argument without the derivative contains this
CUT = "__enzyme_ignore_derivatives"
#: the name of a function that stands for one of a library (<enzyme/derivative.h>) begins with this
ROUTINE = "__ez_library_"
#: a global through which messages go; it has a shadow in any case
CHANNEL = "__ez_channel_"
#: returns its first argument, a number of iterations; in the derivative of a function that calls it, the sum of both
MORE_ITERATIONS = "__enzyme_iter"
#: calls its first argument with the others; the call carries no derivative
CALL_INACTIVE = "__enzyme_call_inactive"
#: return memory that two functions stand for
DENSE = ("__enzyme_todense", "__enzyme_post_sparse_todense")
#: functions of the interface that ask for no derivative
HELPERS = (*HINTS, CUT, MORE_ITERATIONS, CALL_INACTIVE)


class Callee(Struct, frozen=True):
    """What a call calls. `name` has its @; it is empty for a function pointer and for inline assembly.

    A weak function that nothing defines counts as a pointer, which is null unless a library defines it. So does a
    function that the link left out.
    """

    kind: CalleeKind
    name: str = ""
    rule: Rule | None = None
    known: Known | None = None

    @property
    def is_routine(self) -> bool:
        """True for functions that stand for those of a library. All numbers that they take are in memory."""
        return self.name.startswith("@" + ROUTINE)

    @property
    def moves_mixed(self) -> bool:
        """True for functions of the runtime that copy or clear memory of numbers and pointers."""
        return self.known is not None and self.known.mixed


class DeclaredFunctions(Struct, frozen=True):
    """What the program and the link declare of functions.

    - `inactive`: functions without a derivative;
    - `custom`: functions with a registered derivative;
    - `like`: function → library name whose rule applies;
    - `known`: function → row of knowledge;
    - `results`: function → true if its results are stored on the tape, false if they are computed again;
    - `preserving`: functions whose writes are made even where nobody needs them;
    - `native_functions`: those that the link left out;
    - `handles`: functions that take or return handles: only the run tells whether the result has a shadow.
    """

    inactive: frozenset[str] = frozenset()
    custom: frozenset[str] = frozenset()
    like: Mapping[str, str] = field(default_factory=dict)
    known: Mapping[str, Known] = field(default_factory=dict)
    results: Mapping[str, bool] = field(default_factory=dict)
    preserving: frozenset[str] = frozenset()
    native_functions: frozenset[str] = frozenset()
    handles: frozenset[str] = frozenset()


_NOTHING_DECLARED = DeclaredFunctions()


class Callees:
    """Resolves the callees of one module, of which something is `declared`."""

    def __init__(self, module: Module, declared: DeclaredFunctions = _NOTHING_DECLARED) -> None:
        self.module = module
        self.declared = declared
        self._cache: dict[str, Callee] = {}

    def of(self, call: Instruction) -> Callee:
        """Returns the callee of a call or invoke."""
        called = call.callee
        if isinstance(called, GlobalRef) and (known := self._cache.get(called.name)) is not None:
            return known
        target = strip_casts(called, self.module)
        if isinstance(target, InlineAsm):
            return Callee(CalleeKind.ASM)
        if not isinstance(target, GlobalRef):
            return Callee(CalleeKind.INDIRECT)
        found = self._cache.get(target.name)
        if found is None:
            found = self._cache[target.name] = self._resolve(target.name)
        return found

    @staticmethod
    def is_marking(name: str) -> bool:
        """Returns whether the function is one of the interface that asks for no derivative."""
        return any(helper in name for helper in HELPERS)

    def parameters(self, call: Instruction, value: Value) -> Iterator[Argument]:
        """Yields the parameters of the called function, which has a body, that take the value."""
        function = self.module.body(self.of(call).name)
        return (p for a, p in zip(call.arguments, function.arguments, strict=False) if a is value)

    def has_body(self, name: str) -> bool:
        """Returns whether there is a body to differentiate."""
        if name not in self.module.functions or self.module.functions[name].is_declaration:
            return False
        if library_functions.is_standard_cxx(plain_name(name)):
            return self._lets_others_run(name)
        return generic(plain_name(name)) is None

    def _lets_others_run(self, name: str) -> bool:
        """Returns whether a function reaches a place where another thread may run: the reverse sweep passes it, too."""
        places = {global_name(wait) for wait in fibers.DUALS}.intersection(self.module.functions)
        return any(reached in places for reached in reachable([name], self._called)) if places else False

    def _called(self, name: str) -> list[str]:
        """Returns the functions that one calls by their names."""
        if self.module.functions[name].is_declaration:
            return []
        calls = (i for i in self.module.body(name).instructions() if i.is_call)
        return [i.callee.name for i in calls if isinstance(i.callee, GlobalRef)]

    def is_unknown(self, name: str) -> bool:
        """Returns whether there is neither a body nor a rule for the function."""
        return self._resolve(name).kind is CalleeKind.UNKNOWN

    def is_native(self, name: str) -> bool:
        """Returns whether the link left the function out, or the one that a wrapper catches exceptions of."""
        native = self.declared.native_functions
        return name in native or _caught_in(name) in native or _catches_pointer(name)

    def pointer_call(self, call: Instruction) -> tuple[Value, list[Value]]:
        """Returns the pointer that a call of the kind INDIRECT goes through, and what it passes."""
        name = self.of(call).name
        if name:
            return GlobalRef.of(name), call.arguments
        if isinstance(strip_casts(call.callee, self.module), GlobalRef):  # the wrapper that catches from a pointer
            return call.arguments[0], call.arguments[1:]
        return call.callee, call.arguments

    # -- operands that have a meaning by the callee's row of knowledge

    def copy_operands(self, call: Instruction) -> tuple[Value, Value]:
        """Returns target and source of a copying call."""
        known = self._known(call)
        return call.arguments[known.target], call.arguments[known.source]

    def moved_from(self, call: Instruction) -> Value:
        """Returns the pointer that a reallocating call is given."""
        return call.arguments[self._known(call).pointer]

    def linear_operands(self, call: Instruction) -> list[Value]:
        """Returns the pointers of a call that maps memory linearly."""
        known = self._known(call)
        assert isinstance(known.writes, tuple)
        first = call.arguments[: max(known.writes) + 1 if known.reads == "none" else 2]
        return [a for a in first if is_pointer(a.type)]

    def result_base(self, call: Instruction) -> Value | None:
        """Returns the operand into whose memory the result points (memchr, dynamic_cast), if there is one."""
        known = self.of(call).known
        return None if known is None or known.result is None else call.arguments[known.result]

    def _known(self, call: Instruction) -> Known:
        known = self.of(call).known
        assert known is not None
        return known

    # -- resolving

    def _is_inactive(self, name: str) -> bool:
        return name in self.declared.inactive or _caught_in(name) in self.declared.inactive

    def _resolve(self, name: str) -> Callee:
        if name in self.declared.custom:
            return Callee(CalleeKind.CUSTOM, name)
        if self.is_native(name):
            return Callee(CalleeKind.INDIRECT, "" if _catches_pointer(name) else _caught_in(name))
        if self._is_inactive(name) or (self.is_marking(name) and not self.has_body(name)):
            return Callee(CalleeKind.INACTIVE, name)
        plain = self.declared.like.get(name) or plain_name(name)
        known = self.declared.known.get(name)
        if known is None and name not in self.declared.like and self.has_body(name):
            return Callee(CalleeKind.DEFINED, name)
        known = known or library_functions.known(plain)
        if plain.startswith("llvm.lifetime."):
            return Callee(CalleeKind.STACK, name, None, known)
        if known is not None:
            kind = CalleeKind.INACTIVE if known.kind is CalleeKind.NORETURN else known.kind
            return Callee(kind, name, lookup(plain), known)
        rule = lookup(plain)
        if rule is not None:
            return Callee(CalleeKind.RULE, name, rule)
        return Callee(CalleeKind.INDIRECT if self._may_be_null(name) else CalleeKind.UNKNOWN, name)

    def _may_be_null(self, name: str) -> bool:
        """True if the function is declared weak, and this link need not define it."""
        return name in self.module.functions and "extern_weak" in self.module.functions[name].prefix.split()


def _caught_in(name: str) -> str:
    """Returns the function that a catching wrapper wraps; for other functions, the name itself."""
    return global_name(library_functions.caught_in(plain_name(name)))


def _catches_pointer(name: str) -> bool:
    return library_functions.catches_pointer(plain_name(name))


def plain_name(name: str) -> str:
    """Returns the symbol without @, quotes and the \\01 that suppresses mangling."""
    return name.removeprefix("@").strip('"').removeprefix("\\01")


def strip_casts(value: Value, module: Module) -> Value:
    """Returns what a constant function address refers to, behind casts and aliases."""
    while True:
        if isinstance(value, ConstantExpr) and value.opcode in SAME_VALUE:
            value = value.operands[0]
            continue
        alias = module.globals.get(value.name) if isinstance(value, GlobalRef) else None
        if alias is not None and alias.alias and alias.initializer is not None:
            value = alias.initializer
            continue
        return value
