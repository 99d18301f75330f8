"""What memory holds at the bytes behind a pointer: one value, with all that can be asked of these bytes.

The evidence is weighed when it is first asked for, and as little of it as decides: that about all of a large object
takes long.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from typing import Protocol

from msgspec import Struct

from ...ir.graphs import reachable
from ...ir.values import Value
from .declared.hints import ELEMENT_SIZES
from .evidence.collected_evidence import CARRIED, Collected, Portion, together
from .evidence.layout import Undecided, is_cut, make_layout, may_begin_later
from .evidence.places import WORD, Evidence, Tier
from .evidence.words import (
    MANY_BYTES,
    accesses_integer,
    begins_otherwise,
    has_larger_number,
    is_otherwise,
    larger_numbers,
    word_begins,
    word_count,
    words,
)
from .graph.graph_nodes import Handle, Node
from .graph.sharing import views_and_copies
from .kinds import ADDED_BY_WORDS, FLOATS, TAGGED_BY_MEMORY, TAGGED_BY_WORDS, Kind, Layout, Tag
from .memory_evidence import FEW_BYTES, MemoryEvidence, few_bytes

_PARTS_OF_WORDS = FLOATS - {Kind.DOUBLE}
#: so many bytes of a struct are looked at for pointers to numbers: descriptors of arrays begin with one
POINTERS_LOOKED_AT = 2 * WORD


class Moves(Protocol):
    """What the program's copies move, and how it packs pointers (copied_memory.py)."""

    @property
    def boxes_pointers(self) -> bool: ...
    @property
    def moves_several_numbers(self) -> bool: ...
    @property
    def moves_packed_numbers(self) -> bool: ...
    @property
    def cut(self) -> frozenset[int]: ...


class Contents(Struct, frozen=True, eq=False, dict=True):
    """What `size` bytes (None: an unknown number) at a pointer hold, or at each of several.

    *Around* the bytes is all memory that the graph does not tell from them, and what is copied to or from it.
    """

    evidence: MemoryEvidence
    moves: Moves
    pointers: tuple[Value, ...]
    size: int | None

    @cached_property
    def _places_of_each(self) -> list[list[Handle]]:
        return [self.evidence.points_to.places(pointer) for pointer in self.pointers]

    @cached_property
    def _places(self) -> list[Handle]:
        each = self._places_of_each
        return each[0] if len(each) == 1 else [place for places in each for place in places]

    @property
    def _nodes(self) -> list[Node]:
        return [place.node.find() for place in self._places]

    # -- evidence

    @cached_property
    def _here(self) -> Collected:
        """A part of the evidence, which is found at once."""
        return self.evidence.here(self._places, self.size)

    @property
    def _alone(self) -> Collected:
        """The evidence about these bytes."""
        return self.evidence.at(self._places, self.size)

    @property
    def _around(self) -> Collected:
        return self.evidence.at(self._places)

    @property
    def _each(self) -> list[Collected]:
        """The evidence at each pointer: about few bytes alone, or about all around them."""
        return [self.evidence.at(places, few_bytes(self.size)) for places in self._places_of_each]

    @cached_property
    def _is_disputed(self) -> bool:
        return self.evidence.is_disputed(self._here, self.size)

    # -- layout

    @cached_property
    def layout(self) -> Layout | None:
        """What the bytes hold; None if it cannot be told."""
        size = self.size
        if self._is_disputed:
            return None
        if size is not None and size <= FEW_BYTES:
            sure = self._sure_layout(self._alone, size)
            if sure is not None:
                return sure
            if self.evidence.is_disputed(self._alone, size):
                return None
        layout = self.evidence.layout(self._around, size)
        return None if size is not None and self._is_cut_before(size) else layout

    def _sure_layout(self, found: Collected, size: int) -> Layout | None:
        """Returns what a word holds, if its bytes tell alone: that needs no knowledge of the rest of the object."""
        sure = self.evidence.layout(found, size) if size <= WORD else None
        decided = sure is not None and len(sure.segments) == 1 and sure.segments[0].kind is not Kind.ANYTHING
        return sure if decided and not may_begin_later(found, size) else None

    def _is_cut_before(self, size: int) -> bool:
        """Returns whether what seems to end an array before `size` bytes may be in another object.

        It may be if pointers to this object may point at others, and if the bytes have no layout.
        """
        layout = self.evidence.layout(self._around, size)
        if layout is None or size > FEW_BYTES or not is_cut(self._around, layout, size):
            return layout is None
        return any(map(self.evidence.fields.graph.sharing.is_shared, self._nodes))

    def _is_open_before(self, size: int) -> bool:
        """Returns the same. A few bytes are asked about alone first: the evidence about a pool takes long."""
        if size <= FEW_BYTES and (self._is_disputed or self.evidence.is_disputed(self._alone, size)):
            return True
        return self._is_cut_before(size)

    @property
    def why_unknown(self) -> str:
        """Why there is no layout, for a diagnostic."""
        try:
            make_layout(self._around, self.size)
        except Undecided as reason:
            return f"the memory's types cannot be told: {reason}"
        return "the memory's types are known"

    # -- kinds

    @cached_property
    def kinds(self) -> frozenset[Kind]:
        """All that may lie around the bytes."""
        return frozenset().union(*map(self._kinds_in, self._nodes))

    @property
    def is_near_pointers(self) -> bool:
        return Kind.POINTER in self.kinds

    def is_near_numbers(self, kinds: frozenset[Kind] = FLOATS) -> bool:
        """Returns whether numbers of these kinds may lie around the bytes."""
        return not kinds.isdisjoint(self.kinds)

    def carries_only(self, kinds: Collection[Kind]) -> bool:
        """Returns whether there are no other numbers and pointers around the bytes than of these kinds."""
        return self.kinds & CARRIED <= set(kinds)

    # -- words

    def words(self, *, integers: bool = False, first: int = 0) -> list[frozenset[Kind]]:
        """Returns the floating-point kinds, and POINTER, that each 8-byte word may hold at some time.

        If the size is unknown or large, the words are those of one period. `integers`: INTEGER counts, too, in words
        that may hold nothing else.
        `first`: so many bytes lie before the first whole word; if there are any, they are the end of a word of the
        result.
        """
        size, possible = self.size, self.kinds & CARRIED
        here = None if first else self._words_here
        if here is not None and all(kinds == possible for kinds in here) and (possible or not integers):
            return here
        collected = self._each
        if possible and possible <= together(collected).in_each_word:
            return [possible] * word_count(size, first)
        is_cut = size is not None and size > WORD and any(each._is_open_before(size) for each in self._split())
        return self.evidence.words(collected, size, integers, is_cut, first)

    def _split(self) -> Iterator[Contents]:
        """Yields the contents at each pointer."""
        if len(self.pointers) == 1:
            yield self
        else:
            yield from (Contents(self.evidence, self.moves, (p,), self.size) for p in self.pointers)

    @property
    def _words_here(self) -> list[frozenset[Kind]] | None:
        """Some of the kinds of each word; None if the bytes are too many, or if their number is unknown."""
        if self.size is None or self.size > MANY_BYTES:
            return None
        return self.evidence.words([self._here], self.size, False, False, 0)

    @property
    def only_kind(self) -> Kind | None:
        """The only kind of number, or pointers, that may lie there at some time; None if there are several, or none."""
        known = frozenset[Kind]().union(*self._words_here or ())
        if len(known) > 1:  # whatever else is found
            return None
        kinds = frozenset[Kind]().union(*self.words())
        return next(iter(kinds)) if len(kinds) == 1 else None

    @property
    def first_word(self) -> int | None:
        """How many bytes lie before the first whole word; None if that is not known."""
        if len(word_begins(self._here, self.size)) > 1:
            return None
        begins = word_begins(together(self._each), self.size)
        return begins.pop() if len(begins) == 1 else None

    @cached_property
    def is_mixed(self) -> bool:
        """True if the bytes may hold numbers at one time and pointers at another."""
        if not self.is_near_pointers or not self.is_near_numbers():
            return False
        return self.is_mixed_here or any(Kind.POINTER in kinds and len(kinds) > 1 for kinds in self.words())

    @property
    def is_mixed_here(self) -> bool:
        """True if the nodes there alone tell that. It is found at once."""
        return self.evidence.has_mixed_word(self._here, self.size)

    @property
    def leaves_pointers(self) -> bool:
        """True if something of a pointer that lay there would count as a number.

        A number may take a part of the word. A double takes it whole. As a double, a pointer is below 1e-309, unless it
        is boxed in a NaN.
        """
        if not self.is_mixed:
            return False
        if self.moves.boxes_pointers:
            return True
        return any(Kind.POINTER in kinds and kinds & _PARTS_OF_WORDS for kinds in self.words())

    def is_tagged(self, *, copied: bool = False) -> bool:
        """Returns whether the bits of words and of their shadows tell at run time which words are pointers.

        `copied`: the words are copied by the runtime, which may ask whether there is memory at an address.
        """
        if are_tagged([self.kinds & CARRIED], copied=copied):
            return True
        if not are_tagged(self._words_here or (), copied=copied):
            return False
        return are_tagged(self.words(), copied=copied)

    # -- numbers

    @property
    def has_several_numbers(self) -> bool:
        """True if a word may hold numbers of one type at one time, and of another type at another."""
        return len(self.kinds & FLOATS) > 1 and have_several_numbers(self.words())

    @property
    def is_marked(self) -> bool:
        """True if a copy around the bytes may take them for numbers of several types, or of any place.

        For a copy, an array may go on behind what seems to end it (`_is_cut_before`).
        """
        if self.moves.moves_packed_numbers and self._is_connected_with_packed:
            return True
        if len(self.kinds & FLOATS) < 2 or not self.moves.moves_several_numbers:
            return False
        return have_several_numbers(words(self._around, self.size, cut=True))

    @property
    def is_packed(self) -> bool:
        """True if numbers around the bytes may begin at any byte.

        So they may where parts of numbers are copied. Beside pointers in memory of others, words tell what is there.
        """
        is_private = all(map(self.evidence.points_to.is_private, self.pointers))
        return (is_private or not self.is_near_pointers) and self._is_connected_with_packed

    @property
    def _is_connected_with_packed(self) -> bool:
        connected = [self.evidence.fields.cycles.contents(node) for node in self._nodes]
        return any(memory.is_packed or id(memory) in self.moves.cut for memory in connected)

    @property
    def holds_number(self) -> bool:
        """True if a number of this size may be there at some time, whatever else is.

        Numbers in other elements do not count: these may belong to another array behind this one.
        """
        assert self.size is not None
        same_size = frozenset(kind for kind in FLOATS if ELEMENT_SIZES[kind] == self.size)
        return self.is_near_numbers(same_size) and (
            _holds(self._here, same_size, self.size) or _holds(self._alone, same_size, self.size)
        )

    @property
    def begins_with_number(self) -> bool:
        """True if a number surely begins there. An access to something else tells at once that none does."""
        if begins_otherwise(self._here) or self.layout is None:
            return False
        return any(segment.kind in FLOATS for segment in self.layout.segments[:1])

    @property
    def holds_part_of_number(self) -> bool:
        """True if the bytes, which code accesses as an integer, surely are a part of a larger number.

        Where pointers may lie, too, this is never sure. Memory that is no variable may have been another object when
        numbers were accessed there: it counts if numbers get there by copies alone.
        """
        assert self.size is not None
        if not self.is_near_numbers() or self.is_near_pointers:
            return False
        graph = self.evidence.fields.graph
        views = reachable((graph.place(node)[0] for node in self._nodes), Node.viewed)
        is_variable = all(node.integers is not None for node in views if not node.viewed())
        if not is_variable and has_larger_number(self._here, self.size):
            return False
        return self._has_larger_number()

    @property
    def is_integer_of_a_variable(self) -> bool:
        """True if a variable that the bytes may lie in is declared with an integer of their size there.

        A pointer that leads to several variables tells of each of them what only one of them may hold. But copies may
        move a number to a variable that is declared with integers: then this is False.
        """
        assert self.size is not None
        without_copies = {*larger_numbers(self._here, self.size)}
        if not without_copies.issuperset(larger_numbers(self._alone, self.size)):
            return False
        graph = self.evidence.fields.graph
        first = [(*graph.place(handle.node.find()), handle.offset) for handle in self._places]
        objects = reachable([(node, at + offset) for node, at, offset in first], lambda place: _objects_at(*place))
        return any((offset, self.size) in (node.integers or ()) for node, offset in objects)

    @property
    def may_be_part_of_number(self) -> bool:
        """True if so few bytes may be a part of a larger number.

        Near pointers, what other elements of an array hold does not count: a pool has blocks of all types.
        """
        return self.is_near_numbers() and self._has_larger_number(is_sure=self.is_near_pointers)

    @property
    def may_overlap_number(self) -> bool:
        """True if so few bytes may be a number or a part of one, or a pointer, or if nothing is known of them.

        Numbers of other elements do not count where the bytes are accessed as an integer, unless parts of numbers are
        copied there.
        """
        if self.layout is None or any(s.kind not in (Kind.INTEGER, Kind.ANYTHING) for s in self.layout.segments):
            return True
        if self.is_packed:
            return True
        return self.is_near_numbers() and (self.holds_number or self._has_larger_number(is_sure=True))

    @property
    def is_integer_here(self) -> bool:
        """True if the nodes there access the bytes as an integer of their size, and not as numbers.

        Elements of arrays that lie there only by way of copies do not count.
        """
        assert self.size is not None
        exact = self._alone.portion(Portion.CARRIED)
        is_number = has_larger_number(self._here, self.size, is_sure=False) or has_larger_number(
            Collected.of(i for i in exact if i.tier is Tier.EXACT), self.size
        )
        return not is_number and accesses_integer(self._here, self.size)

    def _has_larger_number(self, is_sure: bool = False) -> bool:
        assert self.size is not None
        return has_larger_number(self._alone, self.size, is_sure=is_sure)

    @property
    def may_be_numbers(self) -> bool:
        """True if the bytes may be those of numbers, or if nothing is known of them.

        If code accesses them as something else, and no number is known to overlap them, none does. The layout of all
        that is around them, which takes long, would tell no more.
        """
        if self.size is not None and self.size <= FEW_BYTES and is_otherwise(self._alone, self.size):
            return False
        if self.layout is not None:
            return any(segment.kind in FLOATS for segment in self.layout.segments)
        if FLOATS & frozenset().union(*(self._words_here or ())):
            return True
        kinds = self.words(integers=True)
        return not all(kinds) or bool(FLOATS & frozenset().union(*kinds))

    @property
    def may_be_known_numbers(self) -> bool:
        """True if the bytes may be those of numbers, by evidence of numbers around them."""
        return self.is_near_numbers() and self.may_be_numbers

    # -- pointers there

    def has(self, kinds: frozenset[Kind]) -> bool:
        """Returns whether something of these kinds may lie there."""
        if not self.is_near_numbers(kinds):
            return False
        if any(isinstance(i.tag, Tag) and i.tag.kind in kinds for i in self._here.portion(Portion.CARRIED)):
            return True
        return any(kinds & found for found in self.words())

    @property
    def pointer_offsets(self) -> tuple[list[int], list[int]]:
        """Where pointers may lie: where some are accessed, and where arrays would go on."""
        assert self.size is not None
        known: set[int] = set()
        more: set[int] = set()
        for at in range(0, self.size, WORD):  # words share their fields with others: one wide query takes long
            found = self.evidence.at([p._replace(offset=p.offset + at) for p in self._places], WORD)
            inside = range(min(WORD, self.size - WORD - at + 1))
            for i in filter(_is_pointer, found.portion(Portion.CARRIED)):
                if i.tier > Tier.FOLDED and i.offset in inside:
                    known.add(at + i.offset)
                if i.stride:
                    more.update(at + offset for offset in inside[i.offset % i.stride :: i.stride])
        return sorted(known), sorted(more - known)

    @property
    def leads_to_numbers(self) -> bool:
        """True if numbers may lie behind the pointers around the bytes, or behind those there."""
        first = [pointee for node in reachable(self._nodes, views_and_copies) for pointee in _pointees(node)]
        return any(FLOATS & self._kinds_in(node) for node in reachable(first, _led_to))

    @cached_property
    def points_at_numbers(self) -> bool:
        """True if pointers in the bytes may lead to memory with numbers."""
        assert self.size is not None
        for place in self._places:
            for node, start in _objects_at(place.node.find(), place.offset):
                for (offset, *_), pointee in node.pointers():
                    if start <= offset < start + self.size and FLOATS & self._kinds_in(pointee):
                        return True
        return False

    def _kinds_in(self, node: Node) -> frozenset[Kind]:
        return self.evidence.fields.cycles.kinds(node)


def _holds(found: Collected, kinds: frozenset[Kind], size: int) -> bool:
    own = Collected.of(i for i in found.portion(Portion.CARRIED) if i.tier is not Tier.FOLDED)
    return any(kinds & held for held in words(own, size))


def _is_pointer(item: Evidence) -> bool:
    return isinstance(item.tag, Tag) and item.tag.kind is Kind.POINTER


def _pointees(node: Node) -> Iterator[Node]:
    yield from (pointee for _, pointee in node.pointers())


def _led_to(node: Node) -> Iterator[Node]:
    """Yields what the pointers in the node point at, and all nodes that share bytes with it or hold copies of them."""
    yield from _pointees(node)
    yield from views_and_copies(node)
    yield from (edge.target.find() for edge in node.views())


def _objects_at(node: Node, offset: int) -> Iterator[tuple[Node, int]]:
    """Yields the node and the objects that it is a view of at fixed places, with the offset in each."""
    yield node, offset
    for edge in node.views():
        if not edge.src_stride and not edge.dst_stride:
            yield edge.target.find(), offset - edge.src + edge.dst


def have_several_numbers(found: Iterable[frozenset[Kind]]) -> bool:
    """Returns whether a word holds numbers of one type at one time, and of another type at another."""
    return any(len(kinds & FLOATS) > 1 for kinds in found)


def are_tagged(words: Iterable[frozenset[Kind]], *, copied: bool = False) -> bool:
    """Returns whether bits tell which of these words are pointers: each holds numbers only, or what can be told."""
    told = TAGGED_BY_MEMORY if copied else TAGGED_BY_WORDS
    return all(kinds <= told or kinds <= ADDED_BY_WORDS for kinds in words)
