"""Alias scopes of the memory that derivatives allocate: they tell LLVM which accesses never meet.

LLVM knows that two results of `malloc` are different memory. It does not know that where both are null on some path, as
those of vectors of C++ that may be empty: accesses through null are kept, so null may be the same memory as null. It
compares addresses when the program runs, or leaves a loop as it is if these are too many: along eight directions, a sum
of two arrays has 27.

An access through null ends the program. So what is based on null or on one block meets nothing that is based on null or
on another block.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ...analysis.memory.effects import Effects
from ...analysis.memory.objects import NULL, Object, ObjectKind, Objects, escaping_objects
from ...ir.cfg import ControlFlow
from ...ir.instructions import ACCESSES
from ...ir.module import Module
from ...ir.values import Function, Instruction
from ...rules.runtime_functions import PART_OF_BLOCK
from ..core.alias_scopes import Metadata, ScopeLists
from .equal_functions import derivatives_in

#: where new memory comes from, in text
_ALLOCATION = re.compile(rf"\bcall [^@\n]*\bnoalias\b|@malloc\(|@calloc\(|@_Zn[aw]m|@{PART_OF_BLOCK.name}\(")
#: LLVM compares the addresses of fewer blocks, and unrolls what a loop leaves over only beside such comparisons
_FEW = 24
#: of more blocks in a function, the others have no scopes: an access lists all that it does not meet
_MANY = 96


def with_allocation_scopes(text: str, fewest: int = _FEW) -> str:
    """Returns the module's text in which accesses of derivatives have scopes of the blocks that these allocate.

    `fewest`: functions with fewer blocks stay as they are.
    """
    names = [name for name, found in derivatives_in(text).items() if len(_ALLOCATION.findall(found[0])) >= fewest]
    if not names:
        return text
    module = Module.parse(text)
    lists, keeps, is_changed = ScopeLists(module), Effects(module).keeps, False
    for name in names:
        function = module.body(f"@{name}")
        objects = Objects(module, function, ControlFlow(function))
        blocks = dict.fromkeys(o for found in objects.places.values() for o in found if o.kind is ObjectKind.HEAP)
        if len(blocks) >= fewest:
            _Scopes(module, function, objects, list(blocks)[:_MANY]).add(lists, keeps)
            is_changed = True
    return str(module) if is_changed else text


class _Scopes:
    """The scopes of one function: those of each call are its own once it is inlined, as they are distinct nodes."""

    def __init__(self, module: Module, function: Function, objects: Objects, blocks: Sequence[Object]) -> None:
        self._function = function
        self._objects = objects
        domain = module.add_metadata('distinct !{!"enzyme-cc allocations"}')
        self._of = {
            block: module.add_metadata(f'distinct !{{!"enzyme-cc allocation {k}", {domain}}}')
            for k, block in enumerate(blocks)
        }

    def add(self, lists: ScopeLists, keeps: Callable[[Instruction, int], bool]) -> None:
        """Adds scopes to what the function loads and stores."""
        escaping = escaping_objects(self._objects, keeps, self._of.__contains__)
        known: dict[frozenset[Object], Metadata] = {}
        for i in self._function.instructions():
            based = frozenset(self._objects.of(i.accessed_pointer)) - {NULL} if i.opcode in ACCESSES else None
            if based:
                if based not in known:
                    known[based] = self._lists(lists, based, escaping)
                for kind, node in known[based]:
                    rest = tuple(pair for pair in i.metadata if pair[0] != kind)
                    i.metadata = (*rest, (kind, lists.joined(i.metadata_node(kind), node)))

    def _lists(self, lists: ScopeLists, based: frozenset[Object], escaping: frozenset[Object]) -> Metadata:
        own = tuple(self._of[o] for o in self._of if o in based) if based <= self._of.keys() else ()
        apart = tuple(scope for block, scope in self._of.items() if not _may_meet(based, block, escaping))
        return tuple(
            (kind, lists.of(scopes)) for kind, scopes in (("!alias.scope", own), ("!noalias", apart)) if scopes
        )


def _may_meet(based: frozenset[Object], block: Object, escaping: frozenset[Object]) -> bool:
    """Returns whether a pointer based on some objects may point into a block.

    What the function is given was there before the block. What it loads, or a call returns, may lead to any block whose
    address is kept somewhere.
    """
    return block in based or (block in escaping and any(o.is_foreign for o in based))
