"""Alias and mod/ref facts of one function: which pointers may alias, and which memory is overwritten after an access.

Two pointers do not alias in any of these cases:

- they are based on different identified objects, or on disjoint constant offsets of one object;
- their TBAA tags or `noalias` scopes exclude it;
- the points-to sets of the type analysis are disjoint.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from weakref import WeakKeyDictionary

from ...ir.cfg import ControlFlow
from ...ir.module import Module
from ...ir.types import PointerType, store_size
from ...ir.values import Argument, Block, Function, Instruction, Value
from ..integers.offsets import Offset, may_overlap
from ..type_analysis.analysis import TypeAnalysis
from ..type_analysis.declared.tbaa import Tbaa
from .effects import ANY, Access, Any, Effects, Write, Writes, access_of
from .objects import ANYWHERE, Object, ObjectKind, Objects, Places, escaping_objects
from .renewed import RenewedMemory
from .writes import Bucket, Group, Key, Written, reached_after

#: stands for an argument's index: all memory that is not reached through arguments
EVERYTHING = -1


class _Shared:
    """What the facts of all functions of one module share."""

    def __init__(self, module: Module) -> None:
        self.tbaa = Tbaa(module)
        self.effects = Effects(module)


_SHARED: WeakKeyDictionary[Module, _Shared] = WeakKeyDictionary()


def _shared(module: Module) -> _Shared:
    found = _SHARED.get(module)
    if found is None:
        found = _SHARED[module] = _Shared(module)
    return found


def effects_of(module: Module) -> Effects:
    """Returns what the functions of a module read and write; each is analysed once."""
    return _shared(module).effects


class MemoryFacts:
    """The facts of one function. They are stale once its instructions change."""

    def __init__(
        self, module: Module, function: Function, control_flow: ControlFlow, types: TypeAnalysis | None = None
    ) -> None:
        self._module = module
        self._function = function
        self._flow = control_flow
        self._types = types
        shared = _shared(module)
        self._tbaa, self._effects = shared.tbaa, shared.effects
        self._objects = Objects(module, function, control_flow)
        self._escaping = escaping_objects(self._objects, self._effects.keeps)
        self._scopes = _usable_scopes(module, control_flow)
        self._scope_sets: dict[str, dict[str, frozenset[str]]] = {}
        self._renewed = RenewedMemory(module, control_flow, self._objects)
        self._prepared = False
        self._any = Group()
        self._buckets: dict[Object, Bucket] = {}
        self._foreign = Bucket()
        self._index: dict[Instruction, tuple[int, int]] = {}  # number of the block, and index in it
        self._reached: list[int] = []
        self._overlapping: dict[tuple[object, ...], Group] = {}

    # -- objects

    def objects(self, pointer: Value) -> frozenset[Object]:
        """Returns the objects that the pointer may point into."""
        return frozenset(self._places(pointer))

    def _places(self, pointer: Value) -> Places:
        if isinstance(pointer, Instruction) and (pointer.block is None or pointer.block.function is not self._function):
            return {ANYWHERE: None}
        if isinstance(pointer, Argument) and pointer not in self._function.arguments:
            return {ANYWHERE: None}
        return self._objects.of(pointer)

    def escapes(self, found: Object) -> bool:
        """True if the object's address is stored, returned, or passed to a call that may keep it."""
        return found in self._escaping

    # -- aliasing

    def may_alias(
        self,
        a: Value,
        size_a: int | None,
        b: Value,
        size_b: int | None,
        tag_a: str | None = None,
        tag_b: str | None = None,
    ) -> bool:
        """True if the two ranges may have a byte in common, at any time while the function runs."""
        if size_a == 0 or size_b == 0:
            return False
        if tag_a is not None and tag_b is not None and not self._tbaa.may_alias(tag_a, tag_b):
            return False
        if not any(
            self._places_overlap(o, at, size_a, p, place, size_b)
            for o, at in self._places(a).items()
            for p, place in self._places(b).items()
        ):
            return False
        return self._types is None or self._types.points_to.may_overlap(a, b)

    def _places_overlap(
        self, a: Object, at: Offset, size_a: int | None, b: Object, place: Offset, size_b: int | None
    ) -> bool:
        if a != b:
            return self._objects_overlap(a, b)
        if a.kind is ObjectKind.CONSTANT_NULL:
            return False
        return self._varies(a) or may_overlap(at, size_a, place, size_b)

    def _varies(self, found: Object) -> bool:
        """True if the pointer may differ between iterations of a loop, so that its offsets are not comparable."""
        if found.kind is ObjectKind.UNKNOWN and found.value is None:
            return True
        value = found.value
        return found.is_foreign and isinstance(value, Instruction) and self._flow.loop_of[_block(value)] is not None

    def _objects_overlap(self, a: Object, b: Object) -> bool:
        """True if two different objects may be the same memory."""
        if ObjectKind.CONSTANT_NULL in (a.kind, b.kind) or (a.is_identified and b.is_identified):
            return False
        for local, other in ((a, b), (b, a)):
            if local.kind in (ObjectKind.STACK, ObjectKind.HEAP):
                return other.is_foreign and local in self._escaping
            if local.noalias:
                return other.is_foreign and local in self._escaping
        return True

    # -- writes

    def writes(self, instruction: Instruction) -> Writes:
        """Returns what the instruction writes: ranges, ANY, or () for nothing. Freeing is no write."""
        return self._effects.of(instruction)

    def overwritten_after(self, load: Instruction) -> Instruction | None:
        """Returns an instruction after the load that may overwrite what it has read, or None."""
        pointer = load.operands[0]
        if load.metadata_node("!invariant.load") is not None:
            return None
        places = self._places(pointer)
        if all(found.constant or _is_read_only(found) for found in places):
            return None
        self._prepare()
        if load not in self._index:
            return None  # never executed
        return self._written_after(load, pointer, places, store_size(load.type), access_of(load))

    def writes_after(self, i: Instruction, pointer: Value, size: int | None, limit: int) -> list[Instruction] | None:
        """Returns the instructions after `i` that may write `size` bytes at the pointer (None: its whole objects).

        Returns None if they are more than the limit.
        """
        self._prepare()
        if i not in self._index:
            return []  # never executed
        places = self._places(pointer) if size is not None else dict.fromkeys(self._places(pointer))
        block, index = self._index[i]
        found: dict[Instruction, None] = {}
        for write in self._writes_to(pointer, places, size or 1, access_of(i)).all_after(
            block, index, self._reached[block]
        ):
            found[write] = None
            if len(found) > limit:
                return None
        return list(found)

    def overwritten_behind(self, pointer: Value, after: Instruction) -> Instruction | None:
        """Returns an instruction after `after` that may write the objects that the pointer points into, or None."""
        places: Places = dict.fromkeys(self._places(pointer))
        if all(found.constant or _is_read_only(found) for found in places):
            return None
        self._prepare()
        return self._written_after(after, pointer, places, 1, Access())

    def is_private(self, pointer: Value) -> bool:
        """True if only this call of the function can write what the pointer points into."""
        return all(
            o.constant or o.kind is ObjectKind.CONSTANT_NULL or self._is_private(o) for o in self.objects(pointer)
        )

    def is_preserved(self, pointer: Value, preserved: Container[int]) -> bool:
        """True if no caller writes what the pointer points into before the reverse sweep of this call.

        `preserved` holds what the callers leave unchanged: the indices of arguments, for the memory that they point to,
        and EVERYTHING, for globals and the memory that pointers in memory lead to.
        """
        return all(self._is_private(o) or _is_left_alone(o, preserved) for o in self.objects(pointer))

    def anything_written_behind(self, after: Instruction) -> bool:
        """True if memory that others may see is written after the instruction."""
        self._prepare()
        block, index = self._index[after]
        group = self._group({ANYWHERE: None}, 1, Access(), None)
        return group.after(block, index, self._reached[block]) is not None

    def _written_after(
        self, i: Instruction, pointer: Value, places: Places, size: int, access: Access
    ) -> Instruction | None:
        """Returns a write to the places that can run after an instruction, or None."""
        block, index = self._index[i]
        found = self._writes_to(pointer, places, size, access).after(block, index, self._reached[block])
        if found is None or not any(self._is_private(o) and self._renewed.holds(o) for o in places):
            return found
        for place, offset in places.items():
            group = self._writes_to(pointer, {place: offset}, size, access)
            if self._is_private(place) and self._renewed.holds(place):
                found = self._renewed.written(place, group, i, index)
            else:
                found = group.after(block, index, self._reached[block])
            if found is not None:
                return found
        return None

    def _writes_to(self, pointer: Value, places: Places, size: int, access: Access) -> Group:
        return self._group(places, size, access, self._nodes(pointer))

    def _group(self, places: Places, size: int, access: Access, nodes: frozenset[int] | None) -> Group:
        signature = (tuple(places.items()), size, access, nodes)
        found = self._overlapping.get(signature)
        if found is None:
            found = self._overlapping[signature] = Group()
            for place, offset in places.items():
                for key, group in self._candidates(place, offset, size):
                    if self._keys_overlap((access, nodes), key):
                        found.join(group)
            if not all(o.constant or o.kind is ObjectKind.CONSTANT_NULL or self._is_private(o) for o in places):
                found.join(self._any)
        return found

    def _is_private(self, found: Object) -> bool:
        return found.kind in (ObjectKind.STACK, ObjectKind.HEAP) and found not in self._escaping

    def _candidates(self, place: Object, offset: Offset, size: int) -> Iterable[tuple[Key, Group]]:
        varies = self._varies(place)
        for other, bucket in self._buckets.items():
            if other == place:
                yield from bucket.at(None if varies else offset, size)
            elif self._objects_overlap(place, other) and not (place.is_foreign and other.is_foreign):
                yield from bucket.groups.items()
        if place.is_foreign:
            own = self._buckets.get(place)
            if own is None or varies:
                yield from self._foreign.groups.items()
            else:
                yield from self._foreign_without(place)
        elif self._objects_overlap(place, ANYWHERE):
            yield from self._foreign.groups.items()

    def _foreign_without(self, place: Object) -> Iterable[tuple[Key, Group]]:
        for other, bucket in self._buckets.items():
            if other != place and other.is_foreign:
                yield from bucket.groups.items()

    def _keys_overlap(self, a: Key, b: Key) -> bool:
        (access, nodes), (other, targets) = a, b
        if access.tbaa is not None and other.tbaa is not None and not self._tbaa.may_alias(access.tbaa, other.tbaa):
            return False
        if nodes is not None and targets is not None and nodes.isdisjoint(targets):
            return False
        return not self._excluded(access, other) and not self._excluded(other, access)

    def _nodes(self, pointer: Value) -> frozenset[int] | None:
        return self._types.points_to.targets(pointer) if self._types is not None else None

    # -- scopes

    def _excluded(self, a: Access, b: Access) -> bool:
        """True if `a` says, for some domain, that it accesses none of the scopes of `b`."""
        if a.noalias is None or b.scope is None:
            return False
        denied, scopes = self._by_domain(a.noalias), self._by_domain(b.scope)
        return any(own <= denied.get(domain, frozenset()) & self._scopes for domain, own in scopes.items())

    def _by_domain(self, reference: str) -> dict[str, frozenset[str]]:
        found = self._scope_sets.get(reference)
        if found is None:
            found = {}
            for scope in re.findall(r"!\d+", self._module.metadata.get(reference, "")):
                operands = re.findall(r"!\d+", self._module.metadata.get(scope, ""))
                domain = next((o for o in operands if o != scope), "")
                found[domain] = found.get(domain, frozenset()) | {scope}
            self._scope_sets[reference] = found
        return found

    # -- preparation: writes by object, reachability

    def _prepare(self) -> None:
        if self._prepared:
            return
        self._prepared = True
        for number, block in enumerate(self._flow.order):
            for index, i in enumerate(block.instructions):
                self._index[i] = number, index
                writes = self._effects.of(i)
                if writes:
                    self._enter(writes, Written(i, number, index))
        self._reached = reached_after(self._flow)

    def _enter(self, writes: Writes, written: Written) -> None:
        if isinstance(writes, Any):
            self._any.add(written)
            # a call also writes private memory that it is passed
            i = written.instruction
            pointers = i.arguments if i.is_call else i.operands
            writes = tuple(Write(p, None, Access()) for p in pointers if isinstance(p.type, PointerType))
        for write in writes:
            key = write.access, self._nodes(write.pointer)
            for found, offset in self._places(write.pointer).items():
                self._buckets.setdefault(found, Bucket()).add(offset, write.size, key, written)
                if found.is_foreign:
                    self._foreign.add(offset, write.size, key, written)


def _is_left_alone(found: Object, preserved: Container[int]) -> bool:
    if found.constant or found.kind is ObjectKind.CONSTANT_NULL:
        return True
    if found.kind is ObjectKind.ARGUMENT:
        return isinstance(found.value, Argument) and found.value.index in preserved
    return EVERYTHING in preserved and found.kind in (ObjectKind.GLOBAL, ObjectKind.LOADED)


def _is_read_only(found: Object) -> bool:
    """True for an argument whose memory nobody writes while the function runs."""
    value = found.value
    return found.noalias and isinstance(value, Argument) and re.search(r"\breadonly\b", value.attributes) is not None


def _block(i: Instruction) -> Block:
    assert i.block is not None
    return i.block


def _usable_scopes(module: Module, flow: ControlFlow) -> frozenset[str]:
    """Returns the scopes that a call of the function declares once: not inside a loop.

    A scope that is declared in each iteration says nothing of the accesses of two iterations.
    """
    out: set[str] = set()
    for block in flow.order:
        if flow.loop_of[block] is not None:
            continue
        for i in block.instructions:
            if i.opcode == "call" and str(i.callee).startswith("@llvm.experimental.noalias.scope.decl"):
                node = str(i.arguments[0])
                out.update(re.findall(r"!\d+", module.metadata.get(node, "")))
    return frozenset(out)


__all__ = ["ANY", "EVERYTHING", "MemoryFacts", "Object", "ObjectKind", "Write", "Writes"]
