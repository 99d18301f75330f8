"""Diagnostics for instructions and calls that cannot be differentiated."""

from __future__ import annotations

from ...analysis.callees import Callee, plain_name
from ...ir.instructions import FUNCTION_CALLS
from ...ir.values import Function, Instruction
from ...report.diagnostics import Diagnostic, EnzymeError
from ...rules import runtime_functions as runtime
from ...rules.knowledge import CalleeKind
from ...rules.parallel.mpi import is_mpi
from ..core.provenance import why_no_bitcode
from ..core.round import Round

#: calls for pointers that are taken back in the end
_OF_REPLACED = frozenset(
    row.name for row in (runtime.POINTERS_REPLACED, runtime.SHADOW_MADE, runtime.SHADOW_FREED, runtime.SHADOW_ELSEWHERE)
)
_OF_MPI = (
    "all ranks must agree which messages have derivatives, so this call is refused even if no number of this rank "
    "carries one; docs/parallel.md lists the calls that are differentiated"
)


def refusal(round: Round, function: Function, i: Instruction, why: str | None = None) -> EnzymeError:
    """Returns the error that says why an instruction cannot be differentiated."""
    id_, message, reason = _explain(round, i)
    if id_ == "EZ0309":  # of the gradient as a whole: its instructions have lines of the primal
        return EnzymeError(
            [Diagnostic(id_, message, round.source.function_location(function), plain_name(function.name), reason)]
        )
    inlined = round.source.inlined_functions(i)
    location = round.source.source_location(i) or round.source.function_location(function)
    name = inlined[-1] if inlined else plain_name(function.name)
    return EnzymeError([Diagnostic(id_, message, location, name, why or reason, calls=tuple(inlined))])


def _explain(round: Round, i: Instruction) -> tuple[str, str, str]:
    """Returns id, message and reason."""
    callee = round.callees.of(i) if i.opcode in FUNCTION_CALLS else Callee(CalleeKind.INACTIVE)
    name = plain_name(callee.name)
    if callee.moves_mixed:
        reason = "it moves memory that holds numbers and pointers at the same place"
        if name in _OF_REPLACED:
            reason = "it replaces pointers behind an argument, or frees what they point at; use forward mode here"
        return "EZ0309", "this gradient cannot be differentiated in reverse mode again", reason
    match callee.kind:
        case CalleeKind.ASM:
            return "EZ0301", "inline assembly in differentiated code", "its derivative cannot be known"
        case CalleeKind.INDIRECT:
            message = "a call through a function pointer that no function of this program matches"
            return "EZ0305", message, "no function with bitcode whose address is taken has this type"
        case CalleeKind.UNKNOWN if name.startswith("llvm."):
            message = f"the intrinsic {name} cannot be differentiated"
            return "EZ0304", message, "no rule says what it computes with a number that carries a derivative"
        case CalleeKind.UNKNOWN if name.startswith("__ez_native_mpi_"):
            message = "the gradient of a function that calls MPI cannot be differentiated again"
            return "EZ0302", message, "messages have first derivatives only"
        case CalleeKind.UNKNOWN if is_mpi(name):
            return "EZ0302", f"the differentiated code calls {name}, which has no derivative", _OF_MPI
        case CalleeKind.UNKNOWN:
            message = f"the differentiated code calls {name}, which has no bitcode"
            return "EZ0302", message, why_no_bitcode(round.provenance, name)
        case _:
            message = f"the instruction '{i.opcode}' cannot be differentiated here"
            return "EZ0304", message, "a number that carries a derivative goes through it"
