"""Tapes that the program holds: made by `__enzyme_augmentfwd`, consumed by `__enzyme_reverse`.

Such a tape is an arena (toolchain/runtime/tape.c) and the record that the augmented function allocated in it. Its size
is a constant, but it is known only when the derivative has been made. The requests are replaced before that, so they
load the size from a global constant.
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
from ..core.markers import Marker, RequestKind
from ..core.round import Round
from ..core.signature import Form, Signature
from ..emit.frame import ARENA
from ..requests.request import Request, convert

#: bytes of the runtime's struct tape, rounded up
HEADER = 80
#: offset of the pointer to the record in that struct
_RECORD = alloc_size(ARENA)


class Tapes:
    """The tapes of one module: their sizes, and the memory that the program provides for them."""

    def __init__(self, round: Round) -> None:
        self.round = round
        self._sizes: dict[Signature, GlobalRef] = {}
        self._provided: list[tuple[Request, Signature, int]] = []

    def size(self, b: Builder, signature: Signature) -> Value:
        """Emits the size of a tape in bytes, as a load from a constant that `finish` defines."""
        if signature not in self._sizes:
            self.round.derivatives.of(signature, Form.AUGMENTED)
            self._sizes[signature] = GlobalRef.of(self.round.output.fresh_name("__ez_tape_size"))
        return b.load(I64, self._sizes[signature])

    def provided(self, b: Builder, request: Request, signature: Signature) -> Value:
        """Returns the size of the memory for a tape that the program provides, in bytes; 0 if it provides none."""
        if Marker.ALLOCATED not in request.settings:
            return zero(I64)
        count = request.settings[Marker.ALLOCATED]
        if isinstance(count, ConstantInt):
            self._provided.append((request, signature, count.value))
        return convert(b, count, I64)

    def made_for(self, signature: Signature) -> Value:
        """Returns a text that identifies the derivative that a tape belongs to."""
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
        """Emits the allocation of a tape."""
        signature = request.signature
        memory = request.settings[Marker.TAPE] if Marker.ALLOCATED in request.settings else zero(PTR)
        count = self.provided(b, request, signature)
        size = self.size(b, signature)
        if self.round.options.differentiated_again:
            return _open_plainly(b, request, memory)
        return runtime.TAPE_OPEN.call(b, memory, count, size, self.made_for(signature))

    def keep(self, b: Builder, tape: Value, record: Value) -> None:
        """Emits a store of the augmented function's record to the tape."""
        if self.round.options.differentiated_again:
            b.store(record, b.offset(tape, _RECORD), 8)
        else:
            runtime.TAPE_KEEP.call(b, tape, record)

    def record(self, b: Builder, request: Request, signature: Signature) -> Value:
        """Emits a load of the record from the request's tape.

        A tape of another derivative, and memory that is too small for a tape, end the program.
        """
        tape = request.settings[Marker.TAPE]
        count = self.provided(b, request, signature)
        if self.round.options.differentiated_again:
            return b.load(PTR, b.offset(tape, _RECORD), 8)
        size = self.size(b, signature) if Marker.ALLOCATED in request.settings else zero(I64)
        return runtime.TAPE_RECORD.call(b, tape, count, size, self.made_for(signature))

    def close(self, b: Builder, request: Request) -> None:
        """Emits the release of the request's tape, unless the program keeps it (enzyme_nofree)."""
        tape = request.settings[Marker.TAPE]
        if Marker.NOFREE in request.flags:
            if request.kind is RequestKind.REVERSE:
                runtime.TAPE_REVERSED.call(b, tape)
            return
        if not self.round.options.differentiated_again:
            runtime.TAPE_CLOSE.call(b, tape)
            return
        runtime.FINISH.call(b, tape)
        if Marker.ALLOCATED not in request.settings:
            b.call("@free", VOID, (tape,))

    # -- their sizes, once all derivatives are made

    def finish(self) -> None:
        """Defines the sizes. Raises EnzymeError (EZ0209) if memory that the program provides is too small."""
        for signature, name in self._sizes.items():
            self.round.output.add_global(f"{name} = internal constant i64 {self._bytes(signature)}")
        problems = [
            self._too_small(request, count, self._bytes(signature))
            for request, signature, count in self._provided
            if count < self._bytes(signature)
        ]
        if problems:
            raise EnzymeError([d for problem in problems for d in problem.diagnostics])

    def _bytes(self, signature: Signature) -> int:
        return HEADER + align_up(self.round.record_sizes.get(signature, 0), 16)

    def _too_small(self, request: Request, count: int, needed: int) -> EnzymeError:
        return request.error(
            self.round.output,
            "EZ0209",
            f"{count} bytes are too few for the tape of {plain_name(request.function)}",
            f"it takes {needed} bytes",
        )


def _open_plainly(b: Builder, request: Request, memory: Value) -> Value:
    """Emits an arena without calls of the runtime: a later round differentiates this code and analyses its memory."""
    if Marker.ALLOCATED not in request.settings:
        memory = b.call("@malloc", PTR, (int_constant(HEADER),))
    b.store(zero(ARENA), memory, 8)
    return memory
