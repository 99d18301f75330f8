"""Splits vectors of numbers that move pointers beside numbers: each lane is then a word of its own (demote.py).

LLVM moves a small struct, or several members of one, as one vector of doubles. As a number, a pointer would lose its
shadow.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ....analysis.type_analysis.analysis import Kind, TypeAnalysis
from ....ir.builder import Builder
from ....ir.constants import ConstantInt, ConstantWord
from ....ir.folding import zero
from ....ir.graphs import reachable
from ....ir.leaves import shuffle_lanes
from ....ir.types import DOUBLE, I64, VectorType, alloc_size, store_size
from ....ir.value_edges import MOVED_LANES
from ....ir.values import Function, Instruction, Value
from ..vectors.vector_lanes import pointers_in

_SPECIAL = frozenset(["atomic", "volatile"])


def split_mixed_lanes(functions: Iterable[Function], types: TypeAnalysis) -> bool:
    """Rewrites the functions in place. Returns true if anything changed."""
    found = False
    for function in functions:
        for load in [i for i in function.instructions() if i.opcode == "load" and _is_doubles(i)]:
            vectors = list(reachable([load], _joined)) if load.block is not None else []
            if _move_pointers(types, vectors):
                _Split(vectors).run()
                found = True
    return found


def _is_doubles(i: Value) -> bool:
    return isinstance(i.type, VectorType) and not i.type.scalable and i.type.element == DOUBLE


def _joined(vector: Instruction) -> list[Instruction]:
    """Returns the vectors that hold what a vector holds, perhaps in other lanes, and those that it may come from."""
    moved = [u for u in MOVED_LANES.users(vector) if _is_doubles(u)]
    sources = (o for o in MOVED_LANES.operands(vector) if isinstance(o, Instruction) and _is_doubles(o))
    return moved + [o for o in sources if o.opcode == "load" or o.opcode in MOVED_LANES]


def _move_pointers(types: TypeAnalysis, vectors: list[Instruction]) -> bool:
    """Returns whether the vectors bring lanes from memory to pointers, or to memory where pointers may lie.

    Accesses that are declared as those of numbers do not.
    """
    loads = [v for v in vectors if v.opcode == "load"]
    stores = [u for v in vectors for u in v.users if _stores(u, v)]
    if any(_SPECIAL & set(i.flags) for i in (*loads, *stores)):
        return False
    if any(True for v in vectors if isinstance(v.type, VectorType) for _ in pointers_in(v, v.type)):
        return True
    if not stores or all(types.declared.kind_of(load, DOUBLE) is Kind.DOUBLE for load in loads):
        return False
    places = [(load.operands[0], load.type) for load in loads]
    places += [(store.operands[1], store.operands[0].type) for store in stores]
    words = (types.contents(place, store_size(type_)).words() for place, type_ in places)
    return any(Kind.POINTER in kinds for found in words for kinds in found)


def _stores(user: Instruction, vector: Instruction) -> bool:
    return user.opcode == "store" and user.operands[0] is vector


class _Split:
    """The lanes of some vectors."""

    def __init__(self, vectors: list[Instruction]) -> None:
        self.vectors = dict.fromkeys(vectors)
        self.lanes: dict[Value, list[Value]] = {}

    def run(self) -> None:
        phis = [v for v in self.vectors if v.opcode == "phi"]
        for phi in phis:  # first, since a loop's phi is one of its own operands
            assert phi.block is not None
            self.lanes[phi] = [Builder(phi.block).phi(DOUBLE) for _ in range(_count(phi))]
        for phi in phis:
            for value, block in phi.incoming:
                for lane, new in zip(self._of(value, block.terminator), self.lanes[phi], strict=True):
                    assert isinstance(new, Instruction)
                    new.append_operand(lane)
                    new.append_operand(block)
        for vector in self.vectors:
            self._of(vector, vector)
        for vector in self.vectors:
            for user in [u for u in list(vector.users) if u not in self.vectors]:
                self._use(vector, user)
        for vector in self.vectors:
            vector.replace_uses(zero(vector.type))
            vector.erase()

    def _of(self, vector: Value, user: Instruction) -> list[Value]:
        """Returns the lanes of a vector, which are made before the user if the vector stays."""
        if vector in self.lanes:
            return self.lanes[vector]
        if isinstance(vector, Instruction) and vector in self.vectors:
            self.lanes[vector] = self._made(vector)
            return self.lanes[vector]
        if isinstance(vector, ConstantWord):
            return [zero(DOUBLE)] * _count(vector)
        return [Builder.before(user).lane(vector, k) for k in range(_count(vector))]

    def _made(self, i: Instruction) -> list[Value]:
        b, count = Builder.before(i), _count(i)
        if i.opcode == "load":
            return [b.load(DOUBLE, b.offset(i.operands[0], 8 * k, ()), _align(i)) for k in range(count)]
        if i.opcode == "select":
            condition, first, second = i.operands
            conditions = [b.lane(condition, k) for k in range(count)] if isinstance(condition.type, VectorType) else []
            pairs = zip(self._of(first, i), self._of(second, i), strict=True)
            return [b.select(conditions[k] if conditions else condition, a, c) for k, (a, c) in enumerate(pairs)]
        if i.opcode == "shufflevector":
            both = [*self._of(i.operands[0], i), *self._of(i.operands[1], i)]
            return [both[max(lane, 0)] for lane in shuffle_lanes(i.operands[2])]
        vector, value, index = i.operands
        lanes = self._of(vector, i)
        assert isinstance(i.type, VectorType)
        if isinstance(index, ConstantInt):
            return [value if k == index.value else lane for k, lane in enumerate(lanes)]
        again = b.with_lane(b.vector(i.type, lanes), value, index)
        return [b.lane(again, k) for k in range(count)]

    def _use(self, vector: Instruction, user: Instruction) -> None:
        b, lanes = Builder.before(user), self.lanes[vector]
        if _stores(user, vector):
            for k, lane in enumerate(lanes):
                b.store(lane, b.offset(user.operands[1], 8 * k, ()), _align(user))
            user.erase()
        elif user.opcode == "bitcast" and user.type == VectorType(I64, len(lanes)):
            words = [b.cast("bitcast", lane, I64) for lane in lanes]
            for part in list(user.users):
                _take(b, user, words, part)
            user.erase()
        else:
            _take(b, vector, lanes, user)


def _take(b: Builder, vector: Instruction, lanes: Sequence[Value], user: Instruction) -> None:
    """Gives the lanes to an instruction that uses the vector."""
    if user.opcode == "extractelement" and isinstance(user.operands[1], ConstantInt):
        user.replace_uses(lanes[user.operands[1].value])
        user.erase()
    else:
        user.replace_operand(vector, b.vector(VectorType(lanes[0].type, len(lanes)), lanes))


def _count(vector: Value) -> int:
    assert isinstance(vector.type, VectorType)
    return vector.type.count


def _align(i: Instruction) -> int:
    return min(i.memory.align or 1, alloc_size(DOUBLE))
