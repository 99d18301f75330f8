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
    """`function` with its @, one activity per argument, activity of the result; `directions` of vector mode at once.

    `unneeded`: the arguments behind which nobody wants what f writes (it does nothing else there). Where TANGENT is the
    form, DUP is said of numbers too: a tangent is passed beside. `held`: the tape is the program's own. `stays`: the
    arguments behind which nothing but f writes from its call until its reverse sweep, as MemoryFacts.stays takes them.
    """

    function: str
    arguments: tuple[ArgumentActivity, ...]
    result: ResultActivity
    directions: int = 1
    unneeded: tuple[int, ...] = ()
    held: bool = False
    stays: tuple[int, ...] = ()
