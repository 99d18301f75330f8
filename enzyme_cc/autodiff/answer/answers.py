"""The state that the answers to all requests of one round share."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct, field

from ...ir.builder import Builder
from ...ir.constants import GlobalRef
from ...ir.module import global_name
from ...ir.values import Instruction, Value
from ...rules import runtime_functions as runtime
from ...rules.parallel import fibers
from ..analyses.recursion import Recursion
from ..core.calling_convention import Parameters, Prototype
from ..core.round import Round
from ..core.signature import Signature
from ..requests.request import Request
from .held_tapes import Tapes
from .second_stack import call_on_second_stack

Emit = Callable[["Answers", Builder, Request], list[Value]]


class Answers(Struct, frozen=True):
    """The round, the tapes that the program holds, and what several requests have in common.

    - `evaluated_again`: functions that a `__enzyme_fwdsplit` evaluates again; their tapes keep what they overwrite.
    - `recursion`: which derivatives are recursive.
    - `pairs`: the tables of `__enzyme_virtualreverse`, by signature.
    """

    round: Round
    tapes: Tapes
    evaluated_again: frozenset[str]
    recursion: Recursion
    pairs: dict[Signature, GlobalRef] = field(default_factory=dict)

    def call(self, b: Builder, request: Request, name: str, proto: Prototype, given: Parameters[Value]) -> Instruction:
        """Emits the call of a derivative, on the thread's second stack if it is recursive.

        A derivative that is differentiated again is called plainly.
        """
        options, caller = self.round.options, b.block.function
        assert caller is not None
        if not options.differentiated_again and self.recursion.is_reached(request.signature):
            called = call_on_second_stack(self.round, b, caller, name, proto, given.in_order())
        else:
            called = b.call(name, proto.result, given.in_order())
        if global_name(fibers.CALL) in self.round.source.functions:
            runtime.FIBER_ALL_ENDED.call(b)
        return called
