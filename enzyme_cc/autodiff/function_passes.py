"""The passes of each function that requests reach, in a copy: the primal that the program calls is kept.

They bring it into the form that differentiation assumes, so that fewer forms of instruction remain.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import field

from ..analysis.callees import Callees
from ..analysis.type_analysis.declared.tbaa import Tbaa
from ..ir.module import Module
from ..ir.values import Function
from ..ir.verify import verify_function
from .core.pass_table import Code, Invariant, Pass
from .normalise.bits.cast_phis import cast_before_phis
from .normalise.bits.exchanges import separate_exchanges
from .normalise.bits.number_bits import follow_bits
from .normalise.bits.parts_of_words import load_as_read, store_as_made, take_addresses
from .normalise.bits.repeated import pack_repeated_bits
from .normalise.bits.rounding import step_where_sums_round
from .normalise.closures import store_closures
from .normalise.computed_goto import compare_addresses
from .normalise.declared_moves import load_packed_as_declared, move_as_declared
from .normalise.fences import fence_large_sums
from .normalise.indirect_calls import Dispatchers, dispatch_calls
from .normalise.library_forms import simplify_library_calls
from .normalise.plain_forms import call_for_invokes, copy_byval, drop_unreached, raise_iterations, stop_beyond_primal
from .normalise.reducible import make_reducible
from .normalise.threads.forks import call_regions
from .normalise.threads.schedules import give_each_iteration_once
from .normalise.threads.spin_waits import wait_in_spin_loops
from .normalise.undefined import define_numbers
from .normalise.unspeculate import unspeculate
from .normalise.variadic import Variadics
from .normalise.vectors.vector_lanes import follow_lanes
from .optimise.aligned_slots import align_slots
from .optimise.equal_phis import replace_equal_phis
from .optimise.invariant_loads import hoist_loads
from .optimise.joined_copies import join_split_copies
from .requests.conditional_calls import separate_conditional_calls


class FunctionCode(Code, frozen=True):
    """A parsed function of `source`. `is_root`: a request names it. `conditional`: what was taken out of it.

    `alone`: functions that one thread of a team must run, and why.
    """

    source: Module
    function: Function
    targets: Dispatchers
    variadics: Variadics
    tbaa: Tbaa
    callees: Callees
    is_root: bool
    alone: Mapping[str, str]
    conditional: list[Function] = field(default_factory=list)

    def check(self, row: Pass, before: Code) -> None:
        """See `Code`."""
        verify_function(self.function, row.name)


NORMALISED = (
    Pass(
        copy_byval,
        "source function",
        why="before all others: they see a local variable",
        requires=(Invariant.CANONICAL_LOOPS,),
        establishes=(Invariant.COPIED_ARGUMENTS,),
    ),
    Pass(
        call_for_invokes,
        "function",
        why="before what looks for calls",
        requires=(Invariant.NO_EXCEPTIONS,),
        establishes=(Invariant.NO_INVOKES,),
    ),
    Pass(
        call_regions,
        "source function alone",
        why="before all that looks for what a call reaches: a fork passes a function",
        requires=(Invariant.NO_INVOKES,),
        establishes=(Invariant.REGIONS,),
    ),
    Pass(
        give_each_iteration_once,
        "function",
        why="before loops that OpenMP divides are looked at",
        requires=(Invariant.NO_INVOKES,),
    ),
    Pass(
        wait_in_spin_loops,
        "source function",
        why="before all that looks for places where other threads may run",
        requires=(Invariant.NO_INVOKES,),
    ),
    Pass(
        Variadics.fix,
        "variadics function",
        why="before calls through pointers have dispatchers, which have fixed arguments",
        requires=(Invariant.NO_INVOKES,),
        establishes=(Invariant.FIXED_ARGUMENTS,),
    ),
    Pass(
        simplify_library_calls,
        "source function",
        why="before lanes are followed: masked accesses and intrinsics of processors become plain instructions",
        requires=(Invariant.NO_INVOKES,),
        establishes=(Invariant.LIBRARY_FORMS,),
    ),
    Pass(
        follow_lanes,
        "function",
        why="before undefined numbers get a value: lanes of a vector of integers may be undefined numbers",
        requires=(Invariant.LIBRARY_FORMS,),
        establishes=(Invariant.WHOLE_LANES,),
    ),
    Pass(
        define_numbers,
        "function",
        why="once all vectors of numbers are known",
        requires=(Invariant.WHOLE_LANES,),
        establishes=(Invariant.DEFINED,),
    ),
    Pass(
        stop_beyond_primal,
        "function",
        why="before calls have dispatchers: what follows such a call in its block goes",
        requires=(Invariant.NO_INVOKES, Invariant.BODIES),
    ),
    Pass(
        raise_iterations,
        "function",
        why="once all calls are plain calls; no other pass reads it",
        requires=(Invariant.NO_INVOKES,),
    ),
    Pass(
        store_closures,
        "function",
        why="before calls through pointers have dispatchers, which look for closures",
        establishes=(Invariant.CLOSURES,),
    ),
    Pass(
        dispatch_calls,
        "source targets function",
        why="once calls have their final arguments",
        requires=(
            Invariant.NO_INVOKES,
            Invariant.REGIONS,
            Invariant.FIXED_ARGUMENTS,
            Invariant.CLOSURES,
            Invariant.ONE_VERSION,
        ),
        establishes=(Invariant.DIRECT_CALLS,),
    ),
    Pass(
        join_split_copies,
        "function",
        why="before words are taken apart: neither part of a split copy has whole numbers",
        establishes=(Invariant.WHOLE_COPIES,),
    ),
    Pass(
        align_slots,
        "function",
        why="once split copies are whole: what is left of a split struct begins where LLVM has cut it",
        requires=(Invariant.WHOLE_COPIES,),
    ),
    Pass(
        take_addresses,
        "function",
        why="before parts of words are stored as what they are: a constant address is a part, too",
        establishes=(Invariant.ADDRESSES,),
    ),
    Pass(
        pack_repeated_bits,
        "function",
        why="before parts of words are sought: they are sought behind shifts and `or`",
        establishes=(Invariant.PACKED,),
    ),
    Pass(
        load_as_read,
        "function",
        why="first what the code says of a word, then what is declared",
        requires=(Invariant.WHOLE_COPIES, Invariant.PACKED),
        establishes=(Invariant.PARTS_READ,),
    ),
    Pass(
        load_packed_as_declared,
        "tbaa function",
        why="before parts are stored: of words that are packed, the declared type tells what the parts are",
        requires=(Invariant.PARTS_READ,),
    ),
    Pass(
        store_as_made,
        "function",
        why="once parts are numbers and pointers",
        requires=(Invariant.PARTS_READ, Invariant.ADDRESSES, Invariant.PACKED),
        establishes=(Invariant.PARTS_STORED,),
    ),
    Pass(
        move_as_declared,
        "tbaa function",
        why="last of these: words of which the code says nothing, as it only moves them",
        requires=(Invariant.PARTS_STORED,),
    ),
    Pass(compare_addresses, "function", why="before control flow is looked at", establishes=(Invariant.STATIC_JUMPS,)),
    Pass(
        drop_unreached,
        "function",
        why="after what ends blocks early, before dominance is asked for",
        requires=(Invariant.STATIC_JUMPS,),
        establishes=(Invariant.REACHABLE,),
    ),
    Pass(
        step_where_sums_round,
        "source function",
        why="before sums have fences: it looks for (x + C) - C",
        establishes=(Invariant.ROUNDED_SUMS,),
    ),
    Pass(
        separate_exchanges,
        "function",
        why="before bits are followed: a compare-and-exchange of bits becomes moves of numbers",
        establishes=(Invariant.NO_EXCHANGES,),
    ),
    Pass(
        cast_before_phis,
        "function",
        why="before bits are followed: a phi may join bits of a number and integers",
        requires=(Invariant.NO_EXCHANGES,),
    ),
    Pass(
        follow_bits,
        "tbaa function",
        why="after what only moves or packs numbers: the bits that are left are computed with",
        requires=(Invariant.PARTS_READ, Invariant.PARTS_STORED, Invariant.NO_EXCHANGES, Invariant.REACHABLE),
        establishes=(Invariant.FOLLOWED_BITS,),
    ),
    Pass(
        fence_large_sums,
        "function",
        why="after the last pass that looks for forms of sums",
        requires=(Invariant.ROUNDED_SUMS,),
    ),
    Pass(
        make_reducible,
        "function",
        why="after all that changes where blocks go on",
        requires=(Invariant.STATIC_JUMPS, Invariant.REACHABLE, Invariant.DIRECT_CALLS),
        establishes=(Invariant.REDUCIBLE,),
    ),
    Pass(
        hoist_loads,
        "source function",
        why="once loops are those that are differentiated, and calls are what they stay",
        requires=(Invariant.REDUCIBLE, Invariant.DIRECT_CALLS),
    ),
    Pass(
        replace_equal_phis,
        "function",
        why="once loops are those that are differentiated: no value may leave one without a phi",
        requires=(Invariant.REDUCIBLE,),
    ),
    Pass(
        unspeculate,
        "function",
        why="last of the body: other passes look for selects, and its branches keep the flow reducible",
        requires=(Invariant.REDUCIBLE, Invariant.FOLLOWED_BITS),
        establishes=(Invariant.BRANCHES,),
    ),
    Pass(
        separate_conditional_calls,
        "callees function",
        "conditional",
        why="on the final control flow, which tells what is called in each run",
        requires=(Invariant.DIRECT_CALLS, Invariant.BRANCHES),
        when="is_root",
    ),
)
