"""What a user may ask of the differentiation as a whole."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Options:
    """explain: say on stderr what was active, stored and recomputed. strict_math: no reassociation of adjoints.
    runtime_activity: compare each shadow with its primal at run time (switched on by itself where a constant pointer
    enters memory that has a shadow). strong_zero: a zero adjoint stays zero also where the partial is inf or nan.
    tapes_used_again: a reverse sweep may run several times over one tape that the program holds.
    round: how many rounds of nested requests came before.
    differentiated_again: derivatives are differentiated in a later round, so they put nothing back at the end.
    reversed_again: in reverse mode, where type analysis has to tell the fields of tapes apart.
    verify: check the IR after each pass that rewrites it, and each derivative function."""

    explain: bool = False
    strict_math: bool = False
    runtime_activity: bool = False
    strong_zero: bool = False
    tapes_used_again: bool = False
    round: int = 0
    differentiated_again: bool = False
    reversed_again: bool = False
    verify: bool = False

    @property
    def is_last(self) -> bool:
        """Whether nothing that is made now will be differentiated."""
        return not (self.differentiated_again or self.reversed_again)

    @property
    def fast_flags(self) -> tuple[str, ...]:
        """Fast-math flags of adjoint arithmetic; never nnan or ninf, which the primal may not have promised."""
        return () if self.strict_math else ("reassoc", "nsz", "arcp", "contract")
