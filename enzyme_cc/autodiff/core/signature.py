"""Signatures of derivatives: the function, the activities of its arguments and result, and the form."""

from __future__ import annotations

from enum import Enum, IntEnum

from msgspec import Struct
from msgspec.structs import replace

from ...analysis.activity.activity import ArgumentActivity, ResultActivity


class Team(IntEnum):
    """Which threads run a derivative.

    - NONE: the thread that makes the request.
    - REGION: it is of a region's function. All threads of one team run it, and are given the same captures.
    - WITHIN: threads of a team call it, or run a region in a region.
    - SHARED: threads of the program each make the request, and pass the same shadows (enzyme_shared).
    """

    NONE = 0
    REGION = 1
    WITHIN = 2
    SHARED = 3

    @property
    def is_own(self) -> bool:
        """True if derivatives make the team."""
        return self in (Team.REGION, Team.WITHIN)


class Form(Enum):
    """The forms of a derivative of f.

    - COMBINED: the primal sweep and the reverse sweep in one function.
    - AUGMENTED: the primal sweep, which fills a tape; REVERSE: the reverse sweep, which reads it.
    - TANGENT: forward mode.
    - DEPENDENCE: forward mode in which a tangent is a set: the inputs that the number depends on.
    """

    COMBINED = "gradient"
    AUGMENTED = "augmented"
    REVERSE = "reverse"
    TANGENT = "tangent"
    DEPENDENCE = "dependence"

    @property
    def prefix(self) -> str:
        """What the names of all derivative functions of this form begin with."""
        return f"__ez_{self.value}."


class Signature(Struct, frozen=True):
    """Identifies a derivative function, except for its form.

    - `function`: the primal, with its @.
    - `arguments`, `result`: their activities. In Form.TANGENT, DUP also stands for a number with a tangent.
    - `directions`: the number of directions of vector mode.
    - `unneeded`: arguments whose memory the primal only writes, and whose contents nobody needs.
    - `wants_result`: the combined form returns the primal's result. The other forms always do.
    - `held`: the program holds the tape.
    - `preserved`: arguments whose memory only the primal writes between its call and its reverse sweep; as
      MemoryFacts.is_preserved takes them.
    - `team`: whether the derivative runs in a thread of a team, whose other threads use the same shadows.
    - `sure_shadows`: pointers in arguments into memory that derivatives made: its shadow is never the memory itself.
    """

    function: str
    arguments: tuple[ArgumentActivity, ...]
    result: ResultActivity
    directions: int = 1
    unneeded: tuple[int, ...] = ()
    wants_result: bool = True
    held: bool = False
    preserved: tuple[int, ...] = ()
    sure_shadows: tuple[int, ...] = ()
    team: Team = Team.NONE

    @property
    def without_memory(self) -> Signature:
        """The signature without facts about memory, tapes and threads, as ActiveFunction.called has it."""
        return replace(self, wants_result=True, held=False, preserved=(), sure_shadows=(), team=Team.NONE)
