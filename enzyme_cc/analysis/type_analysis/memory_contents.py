"""What memory holds at the bytes behind a pointer, and what points where."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import cached_property

from ...ir.constants import Constant, ConstantInt
from ...ir.graphs import reachable, strongly_connected
from ...ir.module import Module
from ...ir.types import FloatType, IntType, PointerType, Type, scalar, store_size
from ...ir.values import Argument, Function, Instruction, Value
from ...rules.knowledge import FunctionKind
from ...rules.library_functions import known
from ..callees import plain_name
from .constraints.program import Instance, Program
from .constraints.reach import Reach
from .constraints.solution import solve
from .declared.hints import ELEMENT_SIZES
from .evidence.boxed_pointers import boxes_pointer
from .evidence.collected import Collector
from .evidence.collected_evidence import CARRIED, Collected, Portion, together
from .evidence.fields import Fields
from .evidence.layout import Undecided, is_cut, is_disputed, make_layout, may_begin_later
from .evidence.moved_words import MovedWords
from .evidence.places import WORD, Evidence, Tier
from .evidence.words import MANY_BYTES, has_larger_number, has_mixed_word, word_begins, word_count, words
from .graph.graph_nodes import Handle, Node
from .graph.sharing import views_and_copies
from .kinds import ADDED_BY_WORDS, FLOATS, TOLD_BY_MEMORY, TOLD_BY_WORDS, Kind, Layout, Segment, Tag

#: up to this size, only evidence about the bytes of the query is collected
_FEW_BYTES = 256
_PARTS_OF_WORDS = FLOATS - {Kind.DOUBLE}


class MemoryContents:
    """The contents of all memory that the given functions access. They are analysed together.

    `roots`: names of functions that other code may call, too (None: all functions that no analysed function calls).
    """

    def __init__(self, module: Module, functions: Iterable[Function], roots: Iterable[str] | None = None) -> None:
        self._program = Program(module, functions, roots)
        self._fields = Fields()
        self._collector = Collector(self._fields)
        self._moved = MovedWords(self._program.functions, self._program.owner)
        self._collected: dict[tuple[tuple[Handle, ...], int | None], Collected] = {}
        self._collected_here: dict[tuple[tuple[Handle, ...], int | None], Collected] = {}
        self._layouts: dict[tuple[int, int | None, bool], Layout | None] = {}
        self._words: dict[tuple[tuple[int, ...], int | None, bool, bool, int], list[frozenset[Kind]]] = {}
        self._objects: dict[Node, frozenset[int]] = {}
        self._alike: dict[frozenset[int], frozenset[int]] = {}  # one set for all nodes with the same objects
        self._numbers: dict[Node, int] = {}
        solve(self._program)
        self.reach = Reach(self._program, lambda pointer: [place.node.find() for place in self._places(pointer)])

    def instructions(self) -> Iterator[Instruction]:
        """Yields the instructions of all analysed functions."""
        return (i for function in self._program.functions.values() for i in function.instructions())

    # -- memory

    def layout(self, pointer: Value, size: int | None, *, partial: bool = False) -> Layout | None:
        """Returns what the `size` bytes (None: an unknown number) at the pointer hold; None if it cannot be told.

        `partial`: bytes that only unanalysed code may access become segments of kind UNKNOWN.
        """
        if not partial and is_disputed(self._here([pointer], size), size):
            return None
        if size is not None and size <= _FEW_BYTES:
            here = self._collect(self._places(pointer), size)
            # what a word holds is asked of its bytes alone first: that needs no knowledge of the rest of the object
            sure = self._layout_of(here, size, False) if size <= WORD else None
            decided = sure is not None and len(sure.segments) == 1 and sure.segments[0].kind is not Kind.ANYTHING
            if decided and not may_begin_later(here, size):
                return sure
            if not partial and is_disputed(here, size):
                return None
        layout = self._layout_of(self._behind(pointer), size, partial)
        return None if size is not None and not partial and self._is_cut_before(pointer, size) else layout

    def _is_cut_before(self, pointer: Value, size: int) -> bool:
        """Returns whether what seems to end an array before `size` bytes may be in another object.

        It may be if pointers to this object may point at others, and if the bytes have no layout.
        """
        found = self._behind(pointer)
        layout = self._layout_of(found, size, False)
        if layout is None or size > _FEW_BYTES or not is_cut(found, layout, size):
            return layout is None
        return any(self._fields.graph.sharing.is_shared(place.node.find()) for place in self._places(pointer))

    def _is_open_before(self, pointer: Value, size: int) -> bool:
        """Returns the same. A few bytes are asked about alone first: the evidence about a pool takes long."""
        if size <= _FEW_BYTES and (
            is_disputed(self._here([pointer], size), size)
            or is_disputed(self._collect(self._places(pointer), size), size)
        ):
            return True
        return self._is_cut_before(pointer, size)

    def _layout_of(self, found: Collected, size: int | None, partial: bool) -> Layout | None:
        key = id(found), size, partial  # `found` lives as long as this object: its id is unique
        if key not in self._layouts:
            try:
                self._layouts[key] = make_layout(found, size, partial)
            except Undecided:
                self._layouts[key] = None
        return self._layouts[key]

    def declared_layout(self, i: Instruction, size: int | None) -> Layout | None:
        """Returns what a copy or fill itself declares of all its bytes; None if it does not, or not of some."""
        reference = i.metadata_node("!tbaa.struct")
        if reference is None:
            tag = self._program.tbaa.scalar_access(i) or self._declared_element(i)
            return Layout(tag.size, (Segment(0, tag.size, tag.kind),)) if tag is not None else None
        declared = self._program.hints.copy(reference, self._program.module.metadata.get(reference, ""))
        if declared is None or size is None:
            return None
        segments = [Segment(*region) for region in declared.regions]
        end = segments[-1].offset + segments[-1].length
        if end > size or any(segment.kind is Kind.UNKNOWN for segment in segments):
            return None
        padding = [Segment(end, size - end, Kind.ANYTHING)] if end < size else []
        return Layout(None, (*segments, *padding))

    def _declared_element(self, i: Instruction) -> Tag | None:
        """Returns what all pointers of a copy point at that are declared where they are loaded or stored: a scalar."""
        accesses = (access for a in i.arguments if isinstance(a.type, PointerType) for access in _moves_of(a))
        tags = (self._program.tbaa.tag_of(access) for access in accesses)
        found = {self._program.tbaa.pointee(tag.access) for tag in tags if tag is not None}
        found.discard(None)
        if len(found) != 1:
            return None
        element = found.pop()
        return element if isinstance(element, Tag) else None

    def why_unknown(self, pointer: Value, size: int | None) -> str:
        """Returns why `layout` has no answer, for a diagnostic."""
        try:
            make_layout(self._behind(pointer), size)
        except Undecided as reason:
            return f"the memory's types cannot be told: {reason}"
        return "the memory's types are known"

    def words(
        self, pointers: Iterable[Value], size: int | None, *, integers: bool = False, first: int = 0
    ) -> list[frozenset[Kind]]:
        """Returns the floating-point kinds, and POINTER, that each 8-byte word at the pointers may hold at some time.

        If the size is unknown (None) or large, the words are those of one period. `integers`: INTEGER counts, too, in
        words that may hold nothing else.
        `first`: so many bytes lie before the first whole word; if there are any, they are the end of a word of the
        result.
        """
        pointers = list(pointers)
        here, possible = None if first else self._words_here(pointers, size), self._carried_in(pointers)
        if here is not None and all(kinds == possible for kinds in here) and (possible or not integers):
            return here
        collected = self._collected_at(pointers, size)
        found = together(collected)
        if possible and possible <= found.in_each_word:
            return [possible] * word_count(size, first)
        cut = size is not None and size > WORD and any(self._is_open_before(p, size) for p in pointers)
        key = tuple(map(id, collected)), size, integers, cut, first
        if key not in self._words:
            self._words[key] = words(found, size, integers, cut, first)
        return self._words[key]

    def first_word(self, pointers: Iterable[Value], size: int | None) -> int | None:
        """Returns how many bytes lie before the first whole word at the pointers; None if that is not known."""
        pointers = list(pointers)
        if len(word_begins(self._here(pointers, size), size)) > 1:
            return None
        begins = word_begins(together(self._collected_at(pointers, size)), size)
        return begins.pop() if len(begins) == 1 else None

    def _collected_at(self, pointers: Iterable[Value], size: int | None) -> list[Collected]:
        few = size if size is not None and size <= _FEW_BYTES else None
        return [self._collect(self._places(p), few) for p in pointers]

    def pointer_offsets(self, pointer: Value, size: int) -> tuple[list[int], list[int]]:
        """Returns where pointers may lie in so many bytes: where some are accessed, and where arrays would go on."""
        known: set[int] = set()
        more: set[int] = set()
        places = self._places(pointer)
        for at in range(0, size, WORD):  # words share their fields with other queries: one wide query takes long
            found = self._collect([place._replace(offset=place.offset + at) for place in places], WORD)
            inside = range(min(WORD, size - WORD - at + 1))
            for i in filter(_is_pointer, found.portion(Portion.CARRIED)):
                if i.tier > Tier.FOLDED and i.offset in inside:
                    known.add(at + i.offset)
                if i.stride:
                    more.update(at + offset for offset in inside[i.offset % i.stride :: i.stride])
        return sorted(known), sorted(more - known)

    def leads_to_numbers(self, pointer: Value) -> bool:
        """Returns whether numbers may lie behind the pointers in the memory at the pointer, or behind those there."""
        own = [place.node.find() for place in self._places(pointer)]
        first = [pointee for node in reachable(own, views_and_copies) for pointee in _pointees(node)]
        return any(self._fields.cycles.kinds(node) & FLOATS for node in reachable(first, _led_to))

    def has_numbers_behind(self, pointer: Value) -> bool:
        """Returns whether numbers may lie in the memory behind the pointer."""
        return self._has_behind(pointer, FLOATS)

    def has_pointers_behind(self, pointer: Value) -> bool:
        """Returns whether pointers may lie in the memory behind the pointer."""
        return self._has_behind(pointer, frozenset([Kind.POINTER]))

    def _has_behind(self, pointer: Value, kinds: frozenset[Kind]) -> bool:
        if kinds.isdisjoint(self._kinds_in(pointer)):
            return False
        here = self._here([pointer], None).portion(Portion.CARRIED)
        if any(isinstance(i.tag, Tag) and i.tag.kind in kinds for i in here):
            return True
        return any(kinds & found for found in self.words([pointer], None))

    def is_mixed(self, pointer: Value, size: int | None) -> bool:
        """Returns whether the bytes may hold numbers at one time and pointers at another."""
        kinds = self._kinds_in(pointer)
        if Kind.POINTER not in kinds or not kinds & FLOATS:
            return False
        if has_mixed_word(self._here([pointer], size), size):
            return True
        return any(Kind.POINTER in kinds and len(kinds) > 1 for kinds in self.words([pointer], size))

    def is_near_pointers(self, pointer: Value) -> bool:
        """Returns whether pointers may lie in the memory around the place."""
        return Kind.POINTER in self._kinds_in(pointer)

    def is_near_numbers(self, pointer: Value, kinds: frozenset[Kind] = FLOATS) -> bool:
        """Returns whether numbers of these kinds may lie in the memory around the place."""
        return not kinds.isdisjoint(self._kinds_in(pointer))

    def is_integer_member(self, pointer: Value) -> bool:
        """Returns whether an access by this very pointer is declared to be one of a struct's member, an integer."""
        if not isinstance(pointer, Instruction):
            return False
        accesses = (u for u in pointer.users if u.opcode in ("load", "store") and u.operands[-1] is pointer)
        return any(map(self._program.tbaa.is_integer_member, accesses))

    def leaves_pointers(self, pointer: Value, size: int | None) -> bool:
        """Returns whether something of a pointer that lay there would count as a number.

        A number may take a part of the word. A double takes it whole. As a double, a pointer is below 1e-309, unless it
        is boxed in a NaN.
        """
        if not self.is_mixed(pointer, size):
            return False
        if self._boxes_pointers:
            return True
        return any(Kind.POINTER in kinds and kinds & _PARTS_OF_WORDS for kinds in self.words([pointer], size))

    @cached_property
    def _boxes_pointers(self) -> bool:
        """True if some function puts pointers into NaNs, or takes them out."""
        return any(map(boxes_pointer, self.instructions()))

    def has_several_numbers(self, pointer: Value, size: int | None) -> bool:
        """Returns whether a word may hold numbers of one type at one time, and of another type at another."""
        return len(self._kinds_in(pointer) & FLOATS) > 1 and _have_several_numbers(self.words([pointer], size))

    def is_packed(self, pointer: Value) -> bool:
        """Returns whether numbers in the memory around the bytes, or in copies of it, may begin at any byte.

        So they may where parts of numbers are copied. Beside pointers in memory of others, words tell what is there.
        """
        is_told = not self.is_private(pointer) and self.is_near_pointers(pointer)
        return not is_told and self._is_connected_with_packed(pointer)

    def _is_connected_with_packed(self, pointer: Value) -> bool:
        found = [self._fields.cycles.contents(place.node.find()) for place in self._places(pointer)]
        return any(contents.is_packed or id(contents) in self._cut for contents in found)

    @cached_property
    def _cut(self) -> frozenset[int]:
        """The names of connected memory in which a copy of a few bytes moves parts of numbers."""
        few = ((p, size) for p, size in self._copies() if isinstance(size, ConstantInt) and 0 < size.value <= WORD)
        told = ((p, size) for pointers, size in few for p in pointers if not self.is_integer_member(p))
        cut = [p for p, size in told if self.may_be_part_of_number(p, size.value)]
        return frozenset(id(self._fields.cycles.contents(h.node.find())) for p in cut for h in self._places(p))

    def carries_only(self, pointer: Value, kinds: Collection[Kind]) -> bool:
        """Returns whether the memory around the bytes has no other numbers and pointers than of these kinds."""
        return self._carried_in([pointer]) <= set(kinds)

    def is_marked(self, pointer: Value, size: int) -> bool:
        """Returns whether a copy around the bytes may take them for numbers of several types, or of any place.

        For a copy, an array may go on behind what seems to end it (`_is_cut_before`).
        """
        if self._copies_packed_numbers and self._is_connected_with_packed(pointer):
            return True
        if len(self._kinds_in(pointer) & FLOATS) < 2 or not self._copies_several_numbers:
            return False
        return _have_several_numbers(words(self._behind(pointer), size, cut=True))

    @cached_property
    def _copies_several_numbers(self) -> bool:
        """True if a copy in any function moves words that may hold numbers of several types."""
        for pointers, size in self._copies():
            count = size.value if isinstance(size, ConstantInt) else None
            if _have_several_numbers(self.words(pointers, count)):
                return True
        return False

    @cached_property
    def _copies_packed_numbers(self) -> bool:
        """True if a copy in any function moves numbers that may begin at any byte."""
        return any(map(self.is_packed, (p for pointers, _ in self._copies() for p in pointers)))

    def _copies(self) -> Iterator[tuple[list[Value], Value | None]]:
        """Yields the pointers and the length of each call that copies memory; None if the length is unknown."""
        for i in (i for i in self.instructions() if i.opcode == "call"):
            row = known(plain_name(i.callee_name))
            if row is not None and row.kind is FunctionKind.COPY:
                yield [i.arguments[row.target], i.arguments[row.source]], i.arguments[row.length]
            elif row is not None and row.kind is FunctionKind.REALLOCATE:
                yield [i, i.arguments[0]], None

    def is_told_by_words(self, pointer: Value, size: int | None, *, copied: bool = False) -> bool:
        """Returns whether the bits of words and of their shadows tell at run time which words are pointers.

        `copied`: the words are copied by the runtime, which may ask whether there is memory at an address.
        """
        if are_told([self._carried_in([pointer])], copied=copied):
            return True
        if not are_told(self._words_here([pointer], size) or (), copied=copied):
            return False
        return are_told(self.words([pointer], size), copied=copied)

    def declared_kind(self, load: Instruction) -> Kind | None:
        """Returns what TBAA declares that the loaded value is. Members of unions have no such declaration.

        flang has one tag for integers and pointers in descriptors: a pointer with a tag of integers is a pointer.
        """
        return self.declares(load, load.type)

    def declares(self, access: Instruction, type_: Type) -> Kind | None:
        """Returns the same of a load or store of a value of the type."""
        declared = self._program.tbaa.scalar_access(access, store_size(type_))
        if declared is not None and declared.kind is Kind.INTEGER and isinstance(scalar(type_), PointerType):
            return Kind.POINTER
        return declared.kind if declared is not None else None

    def declares_number(self, load: Instruction) -> bool:
        """Returns whether TBAA declares that the loaded value is a number and no pointer.

        flang only tells variables from descriptors: a double may be two floats (EQUIVALENCE).
        """
        if not isinstance(load.type, FloatType):
            return False
        return self.declared_kind(load) is not None or self._program.tbaa.is_fortran_data(load)

    def is_private(self, pointer: Value) -> bool:
        """Returns whether only analysed code may access what the pointer points at. That code also made it."""
        targets = self.targets(pointer)
        return targets is not None and 0 not in targets

    def _behind(self, pointer: Value) -> Collected:
        return self._collect(self._places(pointer))

    def _kinds_in(self, pointer: Value) -> frozenset[Kind]:
        """Returns all that may lie in the memory around the bytes, and in copies of it."""
        return frozenset().union(*(self._fields.cycles.kinds(p.node.find()) for p in self._places(pointer)))

    def _carried_in(self, pointers: Iterable[Value]) -> frozenset[Kind]:
        """Returns which of the numbers and POINTER may lie in the memory around the bytes, and in copies of it."""
        return frozenset().union(*map(self._kinds_in, pointers)) & CARRIED

    def _places(self, pointer: Value) -> list[Handle]:
        if isinstance(pointer, Constant):
            handles = [self._program.constant_handle(pointer)]
        else:
            handles = [instance.values.get(pointer) for instance in self._instances(pointer)]
        return [handle for handle in handles if handle is not None]

    def _collect(self, handles: Iterable[Handle], size: int | None = None) -> Collected:
        places = _once(handles)
        found = self._collected.get((places, size))
        if found is None:
            found = self._collected[places, size] = self._collector.collect(places, size)
        return found

    def _here(self, pointers: Iterable[Value], size: int | None) -> Collected:
        """Returns a part of the evidence about the bytes at the pointers. It is found at once, and may decide."""
        places = _once(place for pointer in pointers for place in self._places(pointer))
        few = size if size is not None and size <= _FEW_BYTES else None
        found = self._collected_here.get((places, few))
        if found is None:
            found = self._collected_here[places, few] = self._collector.collect_here(places, few)
        return found

    def _words_here(self, pointers: Iterable[Value], size: int | None) -> list[frozenset[Kind]] | None:
        """Returns some of the kinds of each word; None if the bytes are too many, or if their number is unknown."""
        return None if size is None or size > MANY_BYTES else words(self._here(pointers, size), size)

    def _in_register(self, node: Node) -> Collected:
        return self._collect([Handle(node)])

    def _instances(self, value: Value) -> list[Instance]:
        """Returns the contexts in which the value exists."""
        if isinstance(value, Argument):
            function = self._program.owner.get(value)
            return self._program.instances.get(function, []) if function is not None else []
        block = value.block if isinstance(value, Instruction) else None
        if block is None or block.function is None:
            return []
        found = self._program.instances.get(block.function, [])
        return [i for i in found if i.reached is None or block in i.reached]

    # -- what points where

    def targets(self, pointer: Value) -> frozenset[int] | None:
        """Returns the numbers of the objects that the pointer may point into. 0 stands for all external objects.

        Returns None if the pointer was not analysed. Two pointers whose sets have no common number never alias.
        """
        if isinstance(pointer, Constant):
            handle = self._program.constant_handle(pointer)
            return frozenset() if handle is None else self._objects_of(handle.node.find())
        instances = self._instances(pointer)
        if not instances or not all(pointer in instance.values for instance in instances):
            return None
        handles = [instance.values[pointer] for instance in instances]
        return frozenset().union(*(self._objects_of(h.node.find()) for h in handles if h is not None))

    def may_overlap(self, a: Value, b: Value) -> bool:
        """Returns whether the two pointers may point into the same object."""
        first, second = self.targets(a), self.targets(b)
        return first is None or second is None or not first.isdisjoint(second)

    def names_at(self, pointer: Value) -> set[Node | int]:
        """Returns names of the memory that the pointer may point at. Pointers without a common name do not overlap."""
        nodes = {place.node.find() for place in self._places(pointer)}
        return {*nodes, *(number for node in nodes for number in self._objects_of(node) if number)}

    def is_declared_integer(self, i: Instruction) -> bool:
        """Returns whether `!tbaa` declares an integer where an instruction loads or stores."""
        declared = self._program.tbaa.scalar_access(i)
        return declared is not None and declared.kind is Kind.INTEGER

    def is_declared_member(self, i: Instruction) -> bool:
        """Returns whether `!tbaa` declares that the access is to a member of a struct, not of a union."""
        return self._program.tbaa.is_member(i)

    def holds_number_of(self, pointer: Value, type_: IntType) -> bool:
        """Returns whether a number with as many bits may be at the pointer at some time, whatever else is there.

        Numbers in other elements do not count: these may belong to another array behind this one.
        """
        size = store_size(type_)
        same_size = {kind for kind in FLOATS if ELEMENT_SIZES[kind] == size}
        if same_size.isdisjoint(self._kinds_in(pointer)):
            return False

        def holds_it(found: Collected) -> bool:
            own = Collected.of(i for i in found.portion(Portion.CARRIED) if i.tier is not Tier.FOLDED)
            return any(same_size & kinds for kinds in words(own, size))

        return holds_it(self._here([pointer], size)) or holds_it(self._collect(self._places(pointer), size))

    def holds_parts_of_numbers(self, pointer: Value, size: int) -> bool:
        """Returns whether the bytes, which code accesses as an integer, surely are a part of a larger number.

        Where pointers may lie, too, this is never sure. Memory that is no variable may have been another object when
        numbers were accessed there: it counts if numbers get there by copies alone.
        """
        if not self.is_near_numbers(pointer) or self.is_near_pointers(pointer):
            return False
        places = self._places(pointer)
        views = list(reachable((self._fields.graph.place(place.node.find())[0] for place in places), Node.viewed))
        facts = (tag for node in views for *_, tag in node.facts if isinstance(tag, Tag))
        is_variable = all(node.is_declared for node in views if not node.viewed())
        if not is_variable and any(tag.kind in FLOATS for tag in facts):
            return False
        return has_larger_number(self._collect(places, size), size)

    def may_be_part_of_number(self, pointer: Value, size: int) -> bool:
        """Returns whether so few bytes may be a part of a larger number.

        Near pointers, what other elements of an array hold does not count: a pool has blocks of all types.
        """
        if not self.is_near_numbers(pointer):
            return False
        is_sure = self.is_near_pointers(pointer)
        return has_larger_number(self._collect(self._places(pointer), size), size, is_sure=is_sure)

    def may_be_number_at(self, pointer: Value, size: int) -> bool:
        """Returns whether the bytes at the pointer may be those of numbers."""
        layout = self.layout(pointer, size)
        if layout is not None:
            return any(segment.kind in FLOATS for segment in layout.segments)
        if FLOATS & frozenset().union(*(self._words_here([pointer], size) or ())):
            return True
        kinds = self.words([pointer], size, integers=True)
        return not all(kinds) or bool(FLOATS & frozenset().union(*kinds))

    def is_number_near(self, pointer: Value, size: int) -> bool:
        """Returns the same, but False if there is no evidence of numbers around the bytes."""
        return self.is_near_numbers(pointer) and self.may_be_number_at(pointer, size)

    def _objects_of(self, node: Node) -> frozenset[int]:
        """Returns the objects that a node is a view of, and the external nodes on the paths to them, by number."""
        for members in strongly_connected(node, Node.viewed, self._objects):
            viewed = {after for member in members for after in member.viewed()}
            own = [self._number(m) for m in members if m.external or not m.viewed()]
            further = {self._objects[after] for after in viewed if after in self._objects}  # others: members
            found = frozenset(own).union(*further)
            self._objects.update(dict.fromkeys(members, self._alike.setdefault(found, found)))
        return self._objects[node]

    def _number(self, node: Node) -> int:
        return 0 if node.external else self._numbers.setdefault(node, len(self._numbers) + 1)


def _once(handles: Iterable[Handle]) -> tuple[Handle, ...]:
    """Returns the handles, each once, with the nodes that merged nodes have become."""
    return tuple(dict.fromkeys(Handle(h.node.find(), h.offset, h.stride) for h in handles))


def _moves_of(pointer: Value) -> Iterable[Instruction]:
    """Returns the loads and stores by which the pointer itself comes from memory, or gets there."""
    if isinstance(pointer, Instruction) and pointer.opcode == "load":
        yield pointer
    if isinstance(pointer, Instruction | Argument):
        yield from (u for u in pointer.users if u.opcode == "store" and u.operands[0] is pointer)


def _is_pointer(item: Evidence) -> bool:
    return isinstance(item.tag, Tag) and item.tag.kind is Kind.POINTER


def _pointees(node: Node) -> Iterator[Node]:
    yield from (pointee.find() for _, _, pointee in node.pointers())


def _led_to(node: Node) -> Iterator[Node]:
    """Yields what the pointers in the node point at, and all nodes that share bytes with it or hold copies of them."""
    yield from _pointees(node)
    yield from views_and_copies(node)
    yield from (edge.target.find() for edge in node.views())


def _have_several_numbers(found: Iterable[frozenset[Kind]]) -> bool:
    """Returns whether a word holds numbers of one type at one time, and of another type at another."""
    return any(len(kinds & FLOATS) > 1 for kinds in found)


def are_told(words: Iterable[frozenset[Kind]], *, copied: bool = False) -> bool:
    """Returns whether bits tell which of these words are pointers: each holds numbers only, or what can be told."""
    told = TOLD_BY_MEMORY if copied else TOLD_BY_WORDS
    return all(kinds <= told or kinds <= ADDED_BY_WORDS for kinds in words)
