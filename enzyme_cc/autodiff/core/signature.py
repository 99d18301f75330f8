"""Signatures of derivative functions: what is differentiated, with respect to what, in which form."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from ...analysis.activity.activity import ArgumentActivity, ResultActivity


class Form(Enum):
    """COMBINED runs f and its adjoint; AUGMENTED runs f and fills a tape; REVERSE reads that tape. TANGENT is forward
    mode."""

    COMBINED = "gradient"
    AUGMENTED = "augmented"
    REVERSE = "reverse"
    TANGENT = "tangent"


@dataclass(frozen=True)
class Signature:
    """What a derivative function computes.

    function: the primal, with its @.
    arguments, result: their activities. For Form.TANGENT, DUP also means numbers that have a tangent.
    directions: how many directions of vector mode the derivative has.
    unneeded: arguments behind which the primal only writes, where nobody needs what it writes.
    held: the program holds the tape itself.
    preserved: arguments behind which nothing but the primal writes from its call until its reverse sweep, in the form
        that MemoryFacts.is_preserved takes.
    """

    function: str
    arguments: tuple[ArgumentActivity, ...]
    result: ResultActivity
    directions: int = 1
    unneeded: tuple[int, ...] = ()
    held: bool = False
    preserved: tuple[int, ...] = ()
