"""Memory that ranks of MPI share: other ranks read and write it directly, and add to its shadow at the same time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..ir.constants import GlobalRef
from ..ir.graphs import reachable
from ..ir.instructions import ATOMIC_UPDATES
from ..ir.module import Module, global_name
from ..ir.values import Function, Instruction
from ..rules.parallel.mpi import SHARED_MEMORY
from .integers.offsets import base_of
from .references import functions_referenced

_ORDERED = frozenset(["volatile", "atomic"])


def shares_memory(module: Module) -> bool:
    """True if differentiated code makes memory that ranks share."""
    return global_name(SHARED_MEMORY) in module.functions


def watched_memory(module: Module, functions: Iterable[str]) -> Iterator[tuple[Function, Instruction]]:
    """Yields what may wait until another rank writes: accesses, volatile or atomic ones, of memory behind pointers.

    `functions`: those from which code is searched. An order that ranks find in this way is not known to derivatives.
    """
    defined = (name for name in functions if name in module.functions)
    for name in reachable(defined, lambda name: _defined(module, name)):
        function = module.functions[name]
        yield from ((function, i) for i in function.instructions() if _watches(i))


def _defined(module: Module, name: str) -> list[str]:
    function = module.functions[name]
    return [] if function.is_declaration else functions_referenced(module, function)


def _watches(i: Instruction) -> bool:
    if i.opcode not in ATOMIC_UPDATES and (i.opcode != "load" or not _ORDERED & set(i.flags)):
        return False
    base = base_of(i.operands[0])
    return not isinstance(base, GlobalRef) and not (isinstance(base, Instruction) and base.opcode == "alloca")
