"""Options of differentiation: those that the user sets, and those that hold for one round."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from ...ir.back_ends import BackEnd, InProcess


class Options(Struct, frozen=True):
    """What the user sets, and what each round adds.

    Set by the user:

    - `explain`: print to stderr what is active, stored and recomputed.
    - `remarks`: return remarks about the derivatives.
    - `precision_report`: truncated code and estimates of errors report errors by source line when they run.
    - `tape_report`: the program reports the bytes of its tapes by source line when it ends.
    - `truncation`: the format that all functions compute in, in place of their own (variants/formats.py).
    - `check`: the program checks what requests pass and return.
    - `differences`: it compares the first gradient of each request with differences, too.
    - `strict_math`: do not reassociate adjoint arithmetic.
    - `runtime_activity`: compare each shadow with its primal at run time. A round also switches it on if a constant
      pointer is stored in memory that has a shadow.
    - `shadows_compared`: the program asked for that, so registered derivatives take constant memory as its own shadow.
    - `strong_zero`: a zero adjoint times an infinite or undefined partial derivative is zero.
    - `tapes_used_again`: the reverse sweep may run several times on one tape that the program holds.
    - `separate_additions`: add to shadow memory so that LLVM does not join two additions (answer/dense_memory.py).
    - `left_out`: the link left out functions that calls through pointers may reach.
    - `native_functions`: those that the link left out, though they are called directly.
    - `set_up`: those of them that are called before anything carries a derivative, and make constant memory.
    - `tear_down`: those of them that free what these made, and nothing else.
    - `why_serial`: why parallel regions run in teams of one, if they could not run on teams.
    - `alone`: functions that one thread of a team must run, and why: the regions that reach them run in teams of one.
    - `verify`: check the IR after each pass that rewrites it, and each derivative function.
    - `back_end`: optimises the module between two rounds.

    Set for each round:

    - `round_number`: the number of rounds of nested requests before this one.
    - `differentiated_again`: a later round differentiates the derivatives, so they restore nothing at the end.
    - `reversed_again`: a later round does so in reverse mode, so type analysis must distinguish the fields of tapes.
    """

    explain: bool = False
    remarks: bool = False
    precision_report: bool = False
    tape_report: bool = False
    truncation: str = ""
    check: bool = False
    differences: bool = False
    strict_math: bool = False
    runtime_activity: bool = False
    shadows_compared: bool = False
    strong_zero: bool = False
    tapes_used_again: bool = False
    separate_additions: bool = False
    left_out: bool = False
    native_functions: frozenset[str] = frozenset()
    set_up: frozenset[str] = frozenset()
    tear_down: frozenset[str] = frozenset()
    why_serial: str = ""
    alone: Mapping[str, str] = field(default_factory=dict)
    round_number: int = 0
    differentiated_again: bool = False
    reversed_again: bool = False
    verify: bool = False
    back_end: BackEnd = field(default_factory=InProcess)

    @property
    def is_last(self) -> bool:
        """True if no later round differentiates the derivatives of this one."""
        return not (self.differentiated_again or self.reversed_again)

    @property
    def fast_flags(self) -> tuple[str, ...]:
        """Fast-math flags of adjoint arithmetic. Only sums get reassoc (ir/builder.py).

        nnan and ninf are never set: the primal may not promise them.
        """
        return () if self.strict_math else ("reassoc", "nsz", "arcp", "contract")
