"""Keys of results that the program keeps in memory behind pointers, as an object keeps its last result.

    if (h->last_x == x) return h->last_y;
    h->last_x = x;

A call of f before the request, at the same x, leaves its result in `h`. If that memory has no shadow, the request would
return the derivative of a constant. So derivatives take such a comparison as false, and f computes its result again,
until they have stored the key anew. kept_keys.py does the same for keys in globals themselves.

Memory is a key if a function only compares what lies there with a number, and then writes the same number to it: for
equality, by the distance, or by `memcmp`; as a number, in another precision, or as its bits. So the key is equal to
the number on both ways, and the comparison only tells whether the rest of the memory belongs to it already. A
function that computes with what lies there, before it writes the number, has no key there. Each such comparison gets
a question to the runtime (kept_results.c), which emit/questions_about_keys.py answers where the memory has a shadow.
A comparison with a constant gets none: it asks whether the memory has been set up.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator
from operator import add, lshift, mul
from typing import NamedTuple

from ...analysis.integers.offsets import base_of
from ...analysis.values.flow import stripped, uses
from ...ir.builder import Builder
from ...ir.constants import Constant, ConstantInt
from ...ir.folding import float_constant, int_constant
from ...ir.graphs import reachable
from ...ir.indices import address_terms
from ...ir.instructions import CHOICES
from ...ir.module import Module
from ...ir.types import DOUBLE, FLOAT, I32, I64, Type, store_size
from ...ir.value_edges import COMPARED_NUMBER, RESIZED, RESIZED_NUMBER
from ...ir.values import Argument, Block, Function, Instruction, Value
from ...rules import runtime_functions as runtime
from .kept_keys import COMPARISONS, compares_constant, is_comparison

#: no argument is equal or near to it; its square is finite
_NO_NUMBER: dict[Type, float] = {DOUBLE: 1e150, FLOAT: 2.0**60}
#: the same for all that a key may be: integers are the bits of numbers
_NO_KEY: dict[Type, Constant] = {
    **{type_: float_constant(number, type_) for type_, number in _NO_NUMBER.items()},
    I64: int_constant(int.from_bytes(struct.pack("<d", _NO_NUMBER[DOUBLE]), "little"), I64),
    I32: int_constant(int.from_bytes(struct.pack("<f", _NO_NUMBER[FLOAT]), "little"), I32),
}
_COPIES = ("@llvm.memcpy.", "@llvm.memmove.")
_COPY_FUNCTIONS = frozenset(("@memcpy", "@memmove"))
#: bytes of one number
_SIZES = {store_size(type_) for type_ in _NO_NUMBER}
#: deeper paths, and more accesses of one function, are not followed
_DEEPEST, _MOST = 6, 200
_EACH = "each"


class _Step(NamedTuple):
    """A distance in memory: constant, or to an element of what begins there.

    `element`: None; an index, if there is no other; `_EACH` for all elements in turn, and for ranges.
    """

    offset: int = 0
    element: Value | str | None = None

    def plus(self, other: _Step) -> _Step:
        element: Value | str | None = _EACH
        if self.element is None or other.element is None:
            element = other.element if self.element is None else self.element
        return _Step(self.offset + other.offset, element)


class _Path(NamedTuple):
    """How a value is reached: from a root by loads, each at a distance from what was loaded before.

    If nothing is written between, values of one path are the same. `root`: the number of a parameter, or a value.
    """

    root: int | Value
    loads: tuple[_Step, ...] = ()
    step: _Step = _Step()

    def moved(self, step: _Step) -> _Path:
        return self._replace(step=self.step.plus(step))

    def loaded(self) -> _Path:
        return _Path(self.root, (*self.loads, self.step))


class _Access(NamedTuple):
    """A function compares a place with a number, or writes the number there, in its own code or in what it calls.

    `made_by`: the instruction that reads or writes the place. `at`: the one of the function itself.
    """

    place: _Path
    number: _Path
    made_by: Instruction
    at: Instruction
    pointer: Value


def ask_about_keys(module: Module, functions: Iterable[Function]) -> None:
    """Inserts the questions to the runtime into bodies that are never printed."""
    functions = list(functions)
    finder = _Finder(functions)
    keys, written = dict[tuple[Instruction, Value], bool](), dict[Instruction, Value]()
    for function in functions:
        compared = finder.comparisons(function.name)
        writes = _by_place(finder.writes(function.name)) if compared else {}
        for key in compared:
            for write in writes.get((key.place, key.number), ()):
                if finder.is_key(key, write) and not finder.is_used_between(function.name, key, write):
                    place = key.made_by, key.pointer
                    keys[place] = keys.get(place, True) and not finder.is_compared_after(key, write)
                    written[write.made_by] = write.pointer
    for (made_by, pointer), is_last in keys.items():
        _ask(made_by, pointer, is_last and finder.reads_result(made_by))
    for made_by, pointer in written.items():
        size = made_by.arguments[2] if made_by.opcode == "call" else int_constant(store_size(made_by.operands[0].type))
        b = Builder.after(made_by)
        runtime.KEY_WRITTEN.call(b, int_constant(0), pointer, b.resize_int(size, I64))
    if keys:
        runtime.KEY_IS_OLD.declare(module)
        runtime.KEY_WRITTEN.declare(module)


def _by_place(writes: Iterable[_Access]) -> dict[tuple[_Path, _Path], list[_Access]]:
    found: dict[tuple[_Path, _Path], list[_Access]] = {}
    for write in writes:
        found.setdefault((write.place, write.number), []).append(write)
    return found


def _ask(made_by: Instruction, pointer: Value, has_result: bool) -> None:
    """Makes the comparison unequal if the key is old.

    `has_result`: the function reads a number beside the key, and does not compare the key after writing it.
    """
    users, b = list(made_by.users), Builder.after(made_by)
    answer = runtime.KEY_IS_OLD.call(b, int_constant(0), pointer, int_constant(int(has_result)))
    is_old = b.icmp("ne", answer, int_constant(0))
    is_load = made_by.opcode == "load"
    other = _NO_KEY[made_by.type] if is_load else int_constant(1, made_by.type)
    chosen = b.select(is_old, other, made_by)
    for user in users:
        if not _asks_for_constant(user):
            user.replace_operand(made_by, chosen)


#: yields what an instruction itself does, which calls the named function
_Direct = Callable[["_Finder", Instruction, str], Iterator[_Access]]


class _Finder:
    """Finds what functions compare and write, in their own code and in what they call."""

    def __init__(self, functions: Iterable[Function]) -> None:
        self._bodies = {function.name: function for function in functions}
        self._found: dict[tuple[str, _Direct], list[_Access]] = {}
        self._paths: dict[Value, _Path] = {}
        self._after: dict[Block, frozenset[Block]] = {}

    def comparisons(self, name: str) -> list[_Access]:
        return self._of(name, _Finder._compared)

    def writes(self, name: str) -> list[_Access]:
        return self._of(name, _Finder._written)

    def is_used_between(self, name: str, key: _Access, write: _Access) -> bool:
        """Returns whether the function computes with the compared number, before it writes another one."""
        uses = (use for use in self._of(name, _Finder._used) if use.place == key.place)
        return any(self._comes_before(key, use) and self._comes_before(use, write) for use in uses)

    def is_key(self, key: _Access, write: _Access) -> bool:
        if key.number.root == key.place.root and key.number.loads[-1:] == (key.place.step,):
            return False  # elements of one array, which is to have no repeats
        return self._may_follow(key.at, write.at)

    def is_compared_after(self, key: _Access, write: _Access) -> bool:
        """Returns whether one run of a function writes the key and then compares it."""
        is_own = key.at is key.made_by or write.at is write.made_by
        return is_own and key.at is not write.at and self._may_follow(write.at, key.at)

    def _comes_before(self, first: _Access, second: _Access) -> bool:
        """Returns whether the function that both were found in may make the first and then the second.

        Two accesses by one call are ordered if one function makes both.
        """
        if first.at is not second.at:
            return self._may_follow(first.at, second.at)
        return first.made_by is not second.made_by and self._may_follow(first.made_by, second.made_by)

    def _may_follow(self, first: Instruction, second: Instruction) -> bool:
        start, end = first.block, second.block
        assert start is not None and end is not None
        if start is end and start.instructions.index(first) <= start.instructions.index(second):
            return True
        if start not in self._after:
            self._after[start] = frozenset(reachable(start.successors, lambda block: block.successors))
        return end in self._after[start]

    def _of(self, name: str, direct: _Direct) -> list[_Access]:
        """Returns what a function does directly, and by what it calls."""
        if (name, direct) not in self._found:
            found = dict[_Access, None]()
            self._found[name, direct] = []  # of a function that calls itself
            for i in self._bodies[name].instructions():
                callee = i.callee_name if i.opcode == "call" else ""
                found |= dict.fromkeys(direct(self, i, callee))
                if callee in self._bodies and len(found) < _MOST:
                    found |= dict.fromkeys(self._seen_from(i, self._of(callee, direct)))
            self._found[name, direct] = list(found)
        return self._found[name, direct]

    def _seen_from(self, call: Instruction, accesses: list[_Access]) -> Iterator[_Access]:
        passed = [self._path(argument) for argument in call.arguments]
        for access in accesses:
            place, number = (_substituted(path, passed) for path in (access.place, access.number))
            if place is not None and number is not None:
                yield access._replace(place=place, number=number, at=call)

    def reads_result(self, key: Instruction) -> bool:
        """Returns whether the function that loads a key to compare it for equality loads other numbers beside it."""
        if key.opcode != "load" or any(i.plain_opcode == "fsub" for i, _ in self._comparisons(key)):
            return False
        assert key.block is not None and key.block.function is not None
        numbers = (i for i in key.block.function.instructions() if i.opcode == "load" and i.type in _NO_NUMBER)
        place, places = self._path(key.operands[0]), (self._path(number.operands[0]) for number in numbers)
        return any(path[:2] == place[:2] and path.step != place.step for path in places)

    def _compared(self, i: Instruction, callee: str) -> Iterator[_Access]:
        if i.opcode == "load" and i.type in _NO_KEY:
            pointer = i.operands[0]
            for _, number in self._comparisons(i):
                yield _Access(self._path(pointer), self._path(number), i, i, pointer)
        elif callee in COMPARISONS:
            first, second = i.arguments[:2]
            is_one = isinstance(i.arguments[2], ConstantInt) and i.arguments[2].value in _SIZES
            for pointer, number in ((first, second), (second, first)):
                if is_one:
                    yield _Access(self._path(pointer), self._behind(number), i, i, pointer)
                yield _Access(self._range(pointer), self._range(number).loaded(), i, i, pointer)

    def _written(self, i: Instruction, callee: str) -> Iterator[_Access]:
        if i.opcode == "store" and i.operands[0].type in _NO_KEY:
            number, pointer = i.operands
            yield _Access(self._path(pointer), self._path(number), i, i, pointer)
        elif callee in _COPY_FUNCTIONS or callee.startswith(_COPIES):
            to, source = i.arguments[:2]
            yield _Access(self._range(to), self._range(source).loaded(), i, i, to)

    def _used(self, i: Instruction, callee: str) -> Iterator[_Access]:
        """Yields loads of numbers that do not only go to comparisons."""
        if i.opcode == "load" and i.type in _NO_KEY and i.users and not self._comparisons(i):
            place = self._path(i.operands[0])
            yield _Access(place, place, i, i, i.operands[0])

    def _comparisons(self, load: Instruction) -> list[tuple[Instruction, Value]]:
        """Returns what compares a loaded number, and what with; nothing if the number has other uses."""
        found: list[tuple[Instruction, Value]] = []
        values = set(uses([load], COMPARED_NUMBER))
        for user in (user for value in values for user in value.users if user.opcode not in COMPARED_NUMBER):
            if _asks_for_constant(user):
                if load not in user.operands:
                    return []
            elif is_comparison(user) or _compares_bits(user):
                found += [(user, number) for number in user.operands[:2] if number not in values]
            elif user.opcode != "store" or self._path(user.operands[1]) != self._path(load.operands[0]):
                return []
        return found

    def _range(self, pointer: Value) -> _Path:
        return self._path(pointer).moved(_Step(0, _EACH))

    def _behind(self, pointer: Value) -> _Path:
        """Returns the path of the number that a pointer points at: of what is stored in a variable, if that is once."""
        if isinstance(pointer, Instruction) and pointer.opcode == "alloca":
            stores = [i for i in pointer.users if i.opcode == "store"]
            return self._path(stores[0].operands[0]) if len(stores) == 1 else self._path(pointer).loaded()
        return self._path(pointer).loaded()

    def _path(self, value: Value) -> _Path:
        if value not in self._paths:
            self._paths[value] = _Path(value)  # of a value that depends on itself
            self._paths[value] = self._found_path(value)
        return self._paths[value]

    def _found_path(self, value: Value) -> _Path:
        if isinstance(value, Argument):
            return _Path(value.index)
        if not isinstance(value, Instruction):
            return _Path(value)
        if value.opcode == "load":
            path = self._path(value.operands[0])
            return path.loaded() if len(path.loads) < _DEEPEST else _Path(value)
        if value.opcode == "getelementptr":
            return self._path(value.operands[0]).moved(_distance(value))
        if value.opcode == "phi":
            return self._path_of_phi(value)
        return self._path(value.operands[0]) if value.plain_opcode in RESIZED_NUMBER else _Path(value)

    def _path_of_phi(self, phi: Instruction) -> _Path:
        """The path of a pointer that a loop moves from element to element is that of the first one."""
        starts = {self._path(value) for value, _ in phi.incoming if base_of(value) is not phi}
        if len(starts) != 1:
            return _Path(phi)
        is_moved = any(base_of(value) is phi and value is not phi for value, _ in phi.incoming)
        return starts.pop().moved(_Step(0, _EACH if is_moved else None))


def _asks_for_constant(i: Instruction) -> bool:
    return is_comparison(i) and compares_constant(i)


def _compares_bits(i: Instruction) -> bool:
    """True for a comparison of integers that may be the bits of numbers: of what is loaded, or cast from a number."""
    return i.opcode == "icmp" and i.predicate in ("eq", "ne") and all(map(_may_be_bits, i.operands))


def _may_be_bits(value: Value) -> bool:
    if not isinstance(value, Instruction):
        return isinstance(value, Argument)
    is_cast = value.opcode == "bitcast" and value.operands[0].type in _NO_NUMBER
    return is_cast or value.opcode == "load" or value.opcode in CHOICES


def _distance(gep: Instruction) -> _Step:
    constant, variable = address_terms(gep.source_type, gep.operands[1:])
    if len(variable) != 1:
        return _Step(constant, _EACH if variable else None)
    index, scale = variable[0]
    first = _first(index)
    return _Step(constant, stripped(index, RESIZED)) if first is None else _Step(constant + first * scale, _EACH)


def _first(index: Value, depth: int = _DEEPEST) -> int | None:
    """Returns the first value of an index that a loop counts, and multiplies by the size of an element."""
    index = stripped(index, RESIZED)
    if isinstance(index, ConstantInt):
        return index.value
    if not isinstance(index, Instruction) or not depth:
        return None
    if index.opcode == "phi":
        starts = [value.value for value, _ in index.incoming if isinstance(value, ConstantInt)]
        return starts[0] if len(starts) == 1 else None
    if index.opcode not in _COUNTED:
        return None
    a, b = (_first(operand, depth - 1) for operand in index.operands)
    if index.opcode != "add" and 0 in ((a,) if index.opcode == "shl" else (a, b)):
        return 0
    if a is None or b is None:
        return None
    return _COUNTED[index.opcode](a, b)


_COUNTED: dict[str, Callable[[int, int], int]] = {"add": add, "mul": mul, "shl": lshift}


def _substituted(path: _Path, passed: list[_Path]) -> _Path | None:
    if not isinstance(path.root, int):
        return path if isinstance(path.root, Constant) else None
    if path.root >= len(passed):
        return None
    start = passed[path.root]
    if not path.loads:
        return start.moved(path.step)
    first, *rest = path.loads
    loads = (*start.loads, start.step.plus(first), *rest)
    return _Path(start.root, loads, path.step) if len(loads) <= _DEEPEST else None
