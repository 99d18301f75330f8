"""Finds calls that set something up before the differentiated function touches a number that carries a derivative.

A library's handle, plan or table is often made inside of the differentiated function, by a constructor with much code
behind it: a planner, a database, a table of all functionals. If nothing that could carry a derivative is there when it
is called, the constructor needs no derivative. It runs as native code, and what it makes is constant memory, as if it
had been made before the request.

The walk follows the requested functions of one unit in the order of execution, with the calls of functions in the same
unit. It knows three levels of values:

- CLEAN: constants, integers, variables on the stack that hold nothing else, what a set-up call returned;
- OWN: pointers to memory that differentiated code made; it has a shadow that native code would not know;
- ACTIVE: what may carry a derivative: numbers and pointers among the function's parameters, and what comes of them.

A call is a set-up call if all its arguments are CLEAN, and nothing ACTIVE was stored or passed on before it, except to
variables on the stack that the call is not given. This is conservative data flow: levels only grow.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from enum import IntEnum
from itertools import chain

from msgspec import Struct

from enzyme_cc.ir import llvm_passes
from enzyme_cc.ir.constants import Constant, ConstantExpr, GlobalRef
from enzyme_cc.ir.graphs import reverse_postorder_from
from enzyme_cc.ir.instructions import ATOMIC_UPDATES, COMPARISONS, FLOAT_TO_INTEGER
from enzyme_cc.ir.module import Module
from enzyme_cc.ir.types import IntType, PointerType, holds, is_float, is_pointer
from enzyme_cc.ir.values import Argument, Block, Function, Instruction, Value
from enzyme_cc.link.inputs.units import REQUEST
from enzyme_cc.link.participants.tear_down import WITHOUT_EFFECT, TearDown, variable_of
from enzyme_cc.rules.table import lookup

_CONVERTED = FLOAT_TO_INTEGER | COMPARISONS  # an integer of a number is a constant
_COPIES = ("@llvm.memcpy.", "@llvm.memmove.")


class Level(IntEnum):
    """What may be known of a value at most; a value made of several has the highest of their levels."""

    CLEAN = 0
    OWN = 1
    ACTIVE = 2


#: whether something ACTIVE may be in memory other than variables on the stack, and the levels of these variables
Progress = tuple[bool, dict[Value, Level]]


class Followed(Struct, frozen=True):
    """What a walk found.

    - `set_up`: functions all of whose calls are set-ups;
    - `tear_down`: functions all of whose calls come last, and are given only what set-up calls made;
    - `bodies`: functions whose bodies it has followed.
    """

    set_up: frozenset[str] = frozenset()
    tear_down: frozenset[str] = frozenset()
    bodies: frozenset[str] = frozenset()


def promoted(text: str) -> Module:
    """Returns the module of a text, with variables whose addresses nobody needs in registers."""
    module = llvm_passes.parse(text)
    llvm_passes.run_passes(module, "sroa")
    return Module.parse(str(module))


def set_up_calls(
    module: Module,
    requested: Collection[str],
    may_be_native: Callable[[str], bool],
    may_come_last: Callable[[str], bool],
) -> Followed:
    """Follows the requested functions of a module. Names have their @.

    `may_be_native` chooses the functions that may set something up, `may_come_last` those that may free it.
    A function whose address is passed on may be called back at any time: it is followed only where it is called.
    If a body makes a request itself, nothing is found.
    """
    passed: set[str] = set()
    while True:
        walk = _Walk(module, may_be_native)
        for name in requested:
            if name not in passed:
                walk.called(name, (), False)
        if walk.passed & set(requested) <= passed:
            found = frozenset[str]() if walk.has_request else frozenset(walk.found - walk.refused - walk.passed)
            if not found:
                return Followed(bodies=frozenset(walk.bodies))
            bodies = [module.body(name) for name in walk.bodies]
            last = TearDown(bodies, requested, found, may_come_last).functions
            return Followed(found, last - walk.passed, frozenset(walk.bodies))
        passed |= walk.passed


class _Walk:
    def __init__(self, module: Module, may_be_native: Callable[[str], bool]) -> None:
        self.module = module
        self.may_be_native = may_be_native
        self.found: set[str] = set()
        self.refused: set[str] = set()
        self.passed: set[str] = set()
        self.bodies: set[str] = set()
        self.has_request = False
        self._known: dict[tuple[str, tuple[Level, ...], bool], tuple[Level, bool]] = {}

    def called(self, name: str, levels: tuple[Level, ...], is_stored: bool) -> tuple[Level, bool]:
        """Follows the body of a function. Returns its result's level, and if something ACTIVE may be stored then.

        `levels` are those of the arguments; of a requested function, there are none.
        """
        key = name, levels, is_stored
        if key not in self._known:
            self._known[key] = Level.ACTIVE, True  # of a recursive call
            self.bodies.add(name)
            self._known[key] = _Body(self, self.module.body(name), levels).run(is_stored)
        return self._known[key]

    def has_body(self, name: str) -> bool:
        return name in self.module.functions and not self.module.functions[name].is_declaration


class _Body:
    """One function with arguments of certain levels."""

    def __init__(self, walk: _Walk, function: Function, levels: tuple[Level, ...]) -> None:
        self.walk = walk
        self.function = function
        self.levels: dict[Value, Level] = dict(zip(function.arguments, levels, strict=False))
        self.results = Level.CLEAN
        self.is_stored = False

    def run(self, is_stored: bool) -> tuple[Level, bool]:
        order = reverse_postorder_from(self.function.entry, lambda block: block.successors)
        after: dict[Block, Progress] = {}
        while True:
            before = {block: (stored, dict(variables)) for block, (stored, variables) in after.items()}
            known = dict(self.levels)
            for block in order:
                after[block] = self._block(block, self._joined(block, after, is_stored))
            if before == after and known == self.levels:
                return self.results, self.is_stored

    def _joined(self, block: Block, after: dict[Block, Progress], is_stored: bool) -> Progress:
        states = [after[p] for p in block.predecessors if p in after]
        variables: dict[Value, Level] = {}
        for variable, level in chain.from_iterable(state[1].items() for state in states):
            variables[variable] = max(level, variables.get(variable, Level.CLEAN))
        return is_stored or any(state[0] for state in states), variables

    def _block(self, block: Block, state: Progress) -> Progress:
        for i in block.instructions:
            state, level = self._instruction(i, state)
            self.levels[i] = max(level, self.levels.get(i, Level.CLEAN))
            self.is_stored |= state[0]
        return state

    def _instruction(self, i: Instruction, state: Progress) -> tuple[Progress, Level]:
        operands = [o for o in i.operands if not isinstance(o, Block)]
        self.walk.passed.update(name for o in (i.arguments if i.is_call else operands) for name in _names(o))
        if i.is_call:
            return self._call(i, state)
        if i.opcode == "store":
            return self._stored(state, i.operands[1], self._as_stored(i.operands[0], state)), Level.CLEAN
        if i.opcode == "load":
            return state, self._loaded(i, state)
        if i.opcode == "alloca" or i.opcode in _CONVERTED:
            return state, Level.CLEAN
        if i.opcode in ATOMIC_UPDATES or i.opcode == "va_arg":
            return (True, state[1]), Level.ACTIVE
        level = max((self._level(o, state) for o in operands), default=Level.CLEAN)
        if i.opcode == "ret":
            self.results = max(self.results, level)
        return state, level

    def _level(self, value: Value, state: Progress) -> Level:
        variable = variable_of(value)
        if variable is not None:
            return state[1].get(variable, Level.CLEAN)
        if isinstance(value, Argument):
            return self.levels.get(value, _unknown(value))
        if isinstance(value, GlobalRef):
            return Level.CLEAN if self._is_constant(value.name) else Level.ACTIVE
        if isinstance(value, ConstantExpr):
            return max((self._level(o, state) for o in value.operands), default=Level.CLEAN)
        return Level.CLEAN if isinstance(value, Constant) else self.levels.get(value, Level.CLEAN)

    def _is_constant(self, name: str) -> bool:
        """True for constant variables. A function might be called back, and use what is active then."""
        return name in self.walk.module.globals and self.walk.module.globals[name].constant

    def _as_stored(self, value: Value, state: Progress) -> Level:
        """Returns the level of memory that holds the value: a variable's address leads to memory with a shadow."""
        return max(Level.OWN if _is_address(value) else Level.CLEAN, self._level(value, state))

    @staticmethod
    def _stored(state: Progress, place: Value, level: Level) -> Progress:
        variable = variable_of(place)
        if variable is not None:
            return state[0], {**state[1], variable: max(level, state[1].get(variable, Level.CLEAN))}
        return state[0] or level is Level.ACTIVE, state[1]

    def _loaded(self, i: Instruction, state: Progress) -> Level:
        level = self._level(i.operands[0], state)
        if level is Level.OWN and not is_pointer(i.type) and not state[0]:
            return Level.CLEAN
        return level

    def _call(self, i: Instruction, state: Progress) -> tuple[Progress, Level]:
        callee = i.callee.name if isinstance(i.callee, GlobalRef) else ""
        self.walk.has_request |= REQUEST in callee
        if callee.startswith(WITHOUT_EFFECT):
            return state, Level.CLEAN
        if callee.startswith(_COPIES):
            source = self._level(i.arguments[1], state)
            return self._stored(state, i.arguments[0], source), Level.CLEAN
        levels = tuple(self._level(a, state) for a in i.arguments)
        if self.walk.may_be_native(callee):
            if not state[0] and max(levels, default=Level.CLEAN) is Level.CLEAN:
                self.walk.found.add(callee)
                return state, Level.CLEAN
            self.walk.refused.add(callee)
        return self._other_call(i, callee, levels, state)

    def _other_call(
        self, i: Instruction, callee: str, levels: tuple[Level, ...], state: Progress
    ) -> tuple[Progress, Level]:
        highest, is_stored = max(levels, default=Level.CLEAN), state[0]
        result = highest
        if self.walk.has_body(callee):
            result, is_stored = self.walk.called(callee, levels, is_stored)
        elif not callee or (highest is Level.ACTIVE and not _is_function_of_numbers(i, callee)):
            is_stored, result = True, Level.ACTIVE
        if is_pointer(i.type):
            result = max(result, Level.OWN)
        variables = dict(state[1])
        for variable in filter(None, map(variable_of, i.arguments)):
            # the callee may put there what it is given, and pointers to what it makes
            variables[variable] = max(highest, Level.OWN if _holds_pointers(variable) else Level.CLEAN)
        return (is_stored, variables), result


def _is_function_of_numbers(call: Instruction, callee: str) -> bool:
    """True for a math function that stores nothing."""
    return lookup(callee.removeprefix("@")) is not None and not any(is_pointer(a.type) for a in call.arguments)


def _holds_pointers(variable: Instruction) -> bool:
    """True if a variable may hold pointers: those that clang writes for numbers alone hold none."""
    type_ = variable.memory.accessed
    return type_ is None or holds(type_, PointerType) or holds(type_, IntType)


def _unknown(argument: Argument) -> Level:
    """Returns the level of an argument of a requested function: integers carry no derivative."""
    return Level.ACTIVE if is_pointer(argument.type) or is_float(argument.type) else Level.CLEAN


def _is_address(value: Value) -> bool:
    """True for the address of a variable, of this function or of a caller."""
    return variable_of(value) is not None or (isinstance(value, Argument) and is_pointer(value.type))


def _names(value: Value) -> Collection[str]:
    if isinstance(value, GlobalRef):
        return (value.name,)
    return [n for o in value.operands for n in _names(o)] if isinstance(value, ConstantExpr) else ()
