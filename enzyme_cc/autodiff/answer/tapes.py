"""Tapes that the program holds: made by `__enzyme_augmentfwd`, consumed by `__enzyme_reverse`.

Such a tape is an arena of its own (toolchain/runtime/tape.c) with the augmented function's record. Its size is a
constant that is known when the derivative has been made, which is after the requests were replaced.
"""

from __future__ import annotations

from ...analysis.activity.activity import ResultActivity
from ...analysis.callees import plain_name
from ...ir.builder import Builder
from ...ir.constants import ConstantInt, GlobalRef
from ...ir.folding import int_constant, zero
from ...ir.types import I64, PTR, VOID, align_up, alloc_size
from ...ir.values import Value
from ...report.diagnostics import EnzymeError
from ...rules import runtime_functions as runtime
from ..core.markers import Marker
from ..core.round import Round
from ..core.signature import Form, Signature
from ..emit.frame import ARENA
from ..requests.request import Request, convert

HEADER = 64  # struct tape of the runtime, rounded up
_RECORD = alloc_size(ARENA)  # where its record lies


class Tapes:
    """The tapes of one module: their sizes, and the memory that the program provides for them."""

    def __init__(self, round: Round) -> None:
        self.round = round
        self._sizes: dict[Signature, GlobalRef] = {}
        self._provided: list[tuple[Request, int]] = []

    def size(self, b: Builder, signature: Signature) -> Value:
        """The size in bytes, which the last optimisation makes a constant."""
        if signature not in self._sizes:
            self.round.derivatives.of(signature, Form.AUGMENTED)
            self._sizes[signature] = GlobalRef.of(self.round.output.fresh_name("__ez_tape_size"))
        return b.load(I64, self._sizes[signature])

    def provided(self, b: Builder, request: Request) -> tuple[Value, Value]:
        """(memory, bytes) as the program provides them; (null, 0) where it does not."""
        if Marker.ALLOCATED not in request.settings:
            return zero(PTR), zero(I64)
        count = request.settings[Marker.ALLOCATED]
        if isinstance(count, ConstantInt):
            self._provided.append((request, count.value))
        return request.settings[Marker.TAPE], convert(b, count, I64)

    def made_for(self, signature: Signature) -> Value:
        """A text that tells tapes of different derivatives apart."""
        words = [a.value for a in signature.arguments]
        for k in signature.unneeded:
            words[k] += "noneed"
        if signature.result is not ResultActivity.NONE:
            words.append(f"result {signature.result.value}")
        if signature.directions != 1:
            words.append(f"width {signature.directions}")
        return self.round.text(f"{plain_name(signature.function)}({', '.join(words)})")

    # -- what requests do with a tape

    def open(self, b: Builder, request: Request) -> Value:
        """Emits the making of a tape."""
        memory, count = self.provided(b, request)
        signature = request.signature
        size = self.size(b, signature)
        if self.round.options.differentiated_again:
            return _open_plainly(b, request, memory)
        return runtime.TAPE_OPEN.call(b, memory, count, size, self.made_for(signature))

    def keep(self, b: Builder, tape: Value, record: Value) -> None:
        """Emits the storing of the augmented function's record in the tape."""
        if self.round.options.differentiated_again:
            b.store(record, b.offset(tape, _RECORD), 8)
        else:
            runtime.TAPE_KEEP.call(b, tape, record)

    def record(self, b: Builder, request: Request, signature: Signature) -> Value:
        """Emits the loading of the record from the request's tape; one of another signature ends the program."""
        tape = request.settings[Marker.TAPE]
        if self.round.options.differentiated_again:
            return b.load(PTR, b.offset(tape, _RECORD), 8)
        return runtime.TAPE_RECORD.call(b, tape, self.made_for(signature))

    def close(self, b: Builder, request: Request) -> None:
        """Emits the freeing of the request's tape, unless the program wants to keep it."""
        if Marker.NOFREE in request.flags:
            return
        tape = request.settings[Marker.TAPE]
        if not self.round.options.differentiated_again:
            runtime.TAPE_CLOSE.call(b, tape)
            return
        runtime.FINISH.call(b, tape)
        if Marker.ALLOCATED not in request.settings:
            b.call("@free", VOID, (tape,))

    # -- their sizes, once all derivatives are made

    def finish(self) -> None:
        """Defines the sizes. Raises EnzymeError (EZ0209) where provided memory is too small."""
        for signature, name in self._sizes.items():
            self.round.output.add_global(f"{name} = internal constant i64 {self._bytes(signature)}")
        problems = [self._too_small(request, count) for request, count in self._provided if count < self._need(request)]
        if problems:
            raise EnzymeError([d for problem in problems for d in problem.diagnostics])

    def _bytes(self, signature: Signature) -> int:
        return HEADER + align_up(self.round.record_sizes.get(signature, 0), 16)

    def _need(self, request: Request) -> int:
        return self._bytes(request.signature)

    def _too_small(self, request: Request, count: int) -> EnzymeError:
        return request.error(
            self.round.output,
            "EZ0209",
            f"{count} bytes are too few for the tape of {plain_name(request.function)}",
            f"it takes {self._need(request)} bytes",
        )


def _open_plainly(b: Builder, request: Request, memory: Value) -> Value:
    """In code that will be differentiated itself: an arena in memory that analyses understand."""
    if Marker.ALLOCATED not in request.settings:
        memory = b.call("@malloc", PTR, (int_constant(HEADER),))
    b.store(zero(ARENA), memory, 8)
    return memory
