"""What a call calls: a function with a body, a library function that is known, a math function with a rule, or none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from ..ir.module import Module, global_name
from ..ir.values import ConstantExpr, GlobalRef, InlineAsm, Instruction, Value
from ..rules import library_functions
from ..rules.library_functions import Known
from ..rules.table import Rule, generic, lookup


class CalleeKind(Enum):
    """How a call is differentiated."""

    DEFINED = "a body to differentiate"
    CUSTOM = "a registered derivative"
    RULE = "a row of the rules table"
    INACTIVE = "no derivative"
    ALLOCATE = "allocates memory"
    FREE = "frees memory"
    REALLOCATE = "moves memory"
    COPY = "copies memory"
    FILL = "fills memory"
    STACK = "saves or restores the stack pointer"
    LINEAR = "a linear map of memory"
    INDIRECT = "a function pointer"
    ASM = "inline assembly"
    UNKNOWN = "neither body nor rule"


#: what the names of type hints contain
HINTS = ("__enzyme_integer", "__enzyme_float", "__enzyme_double", "__enzyme_pointer")
#: what the names of functions contain that return their argument without its derivative
CUT = "__enzyme_ignore_derivatives"
_KNOWN_KINDS = {
    "inactive": CalleeKind.INACTIVE,
    "noreturn": CalleeKind.INACTIVE,
    "allocate": CalleeKind.ALLOCATE,
    "free": CalleeKind.FREE,
    "reallocate": CalleeKind.REALLOCATE,
    "copy": CalleeKind.COPY,
    "fill": CalleeKind.FILL,
    "stack": CalleeKind.STACK,
    "linear": CalleeKind.LINEAR,
}


@dataclass(frozen=True)
class Callee:
    kind: CalleeKind
    name: str = ""  # with its @; "" for a function pointer
    rule: Rule | None = None
    known: Known | None = None

    @property
    def is_mixed(self) -> bool:
        """True for functions of the runtime that copy or clear memory of numbers and pointers."""
        return self.known is not None and self.known.mixed


class Callees:
    """Resolves callees of one module. `inactive` and `custom` name functions that the program declares so; it says of
    others what library function they are `like`, or what is to be known of them (`declared`)."""

    def __init__(
        self,
        module: Module,
        inactive: frozenset[str] = frozenset(),
        custom: frozenset[str] = frozenset(),
        like: Mapping[str, str] | None = None,
        declared: Mapping[str, Known] | None = None,
    ) -> None:
        self.module = module
        self.inactive = inactive
        self.custom = custom
        self.like = like or {}
        self.declared = declared or {}
        self._cache: dict[str, Callee] = {}

    def of(self, call: Instruction) -> Callee:
        """The callee of a call or invoke."""
        target = strip_casts(call.callee, self.module)
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
        """Calls that make no code: hints about the type of memory, and cuts of derivatives."""
        return CUT in name or any(hint in name for hint in HINTS)

    def has_body(self, name: str) -> bool:
        """Whether there is a body to differentiate."""
        if name not in self.module.functions or self.module.functions[name].is_declaration:
            return False
        return not library_functions.is_standard_cxx(plain_name(name)) and generic(plain_name(name)) is None

    def _is_inactive(self, name: str) -> bool:
        return name in self.inactive or global_name(library_functions.caught_in(plain_name(name))) in self.inactive

    def _resolve(self, name: str) -> Callee:
        if name in self.custom:
            return Callee(CalleeKind.CUSTOM, name)
        if self._is_inactive(name) or (self.is_marking(name) and not self.has_body(name)):
            return Callee(CalleeKind.INACTIVE, name)
        plain = self.like.get(name) or plain_name(name)
        known = self.declared.get(name)
        if known is None and name not in self.like and self.has_body(name):
            return Callee(CalleeKind.DEFINED, name)
        known = known or library_functions.known(plain)
        if plain.startswith("llvm.lifetime."):
            return Callee(CalleeKind.STACK, name, None, known)
        if known is not None:
            return Callee(_KNOWN_KINDS[known.kind], name, lookup(plain), known)
        rule = lookup(plain)
        return Callee(CalleeKind.UNKNOWN if rule is None else CalleeKind.RULE, name, rule)


def plain_name(name: str) -> str:
    """The symbol without @, quotes and the \\01 that suppresses mangling."""
    return name.removeprefix("@").strip('"').removeprefix("\\01")


def strip_casts(value: Value, module: Module) -> Value:
    """What a constant function address refers to, through casts and aliases."""
    while True:
        if isinstance(value, ConstantExpr) and value.opcode in ("bitcast", "addrspacecast"):
            value = value.operands[0]
            continue
        alias = module.globals.get(value.name) if isinstance(value, GlobalRef) else None
        if alias is not None and alias.alias and alias.initializer is not None:
            value = alias.initializer
            continue
        return value
