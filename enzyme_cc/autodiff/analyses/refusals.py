"""Diagnostics for instructions and calls that cannot be differentiated."""

from __future__ import annotations

from ...analysis.callees import Callee, plain_name
from ...ir.instructions import FUNCTION_CALLS
from ...ir.values import Function, Instruction
from ...report.diagnostics import Diagnostic, EnzymeError
from ...rules import runtime_functions as runtime
from ...rules.knowledge import CalleeKind
from ...rules.parallel.mpi import is_mpi
from ..core.provenance import remedy_without_bitcode, why_no_bitcode
from ..core.round import Round

#: calls for pointers that are taken back in the end
_OF_REPLACED = frozenset(
    row.name for row in (runtime.POINTERS_REPLACED, runtime.SHADOW_MADE, runtime.SHADOW_FREED, runtime.SHADOW_ELSEWHERE)
)
_OF_MPI = (
    "all ranks must agree which messages have derivatives, so this call is refused even if no number of this rank "
    "carries one; docs/parallel.md lists the calls that are differentiated"
)

_SECOND_OF_MPI = (
    "take the difference of two gradients, at x + h v and x - h v, or give the function a custom derivative"
)
_MPI_REMEDY = "use calls that are differentiated, or give the function around it a custom derivative"


def refusal(round: Round, function: Function, i: Instruction, why: str | None = None) -> EnzymeError:
    """Returns the error that says why an instruction cannot be differentiated."""
    fault = _explain(round, i)
    if fault.id == "EZ0309":  # of the gradient as a whole: its instructions have lines of the primal
        location = round.source.function_location(function)
        return EnzymeError([fault._replace(location=location, function=plain_name(function.name))])
    if _is_of_all_messages(plain_name(i.callee_name)):  # of what the link made of all calls of MPI
        return EnzymeError([fault])
    inlined = round.source.inlined_functions(i)
    location = round.source.source_location(i) or round.source.function_location(function)
    is_made = round.source.function_location(function) is None  # by the link, for one call
    own = (round.source.enclosing_function(i) if is_made else None) or plain_name(function.name)
    name = inlined[-1] if inlined else own
    reason = why or fault.reason
    return EnzymeError([fault._replace(location=location, function=name, reason=reason, calls=tuple(inlined))])


def _is_of_all_messages(name: str) -> bool:
    """Returns whether it is what the link makes of the calls of MPI in a derivative."""
    return name.startswith("__ez_native_mpi_")


def _explain(round: Round, i: Instruction) -> Diagnostic:
    """Returns the fault without its place."""
    callee = round.callees.of(i) if i.opcode in FUNCTION_CALLS else Callee(CalleeKind.INACTIVE)
    name = plain_name(callee.name)
    if callee.moves_mixed:
        reason = "it moves memory that holds numbers and pointers at the same place"
        if name in _OF_REPLACED:
            reason = "it replaces pointers behind an argument, or frees what they point at; use forward mode here"
        message = "this gradient cannot be differentiated in reverse mode again"
        return Diagnostic("EZ0309", message, reason=reason)
    match callee.kind:
        case CalleeKind.ASM:
            message = "inline assembly in differentiated code"
            return Diagnostic("EZ0301", message, reason="its derivative cannot be known")
        case CalleeKind.INDIRECT if i.call.function_type.vararg:
            message, reason = (
                "a call through a function pointer has variable arguments",
                "such functions are not told apart",
            )
            return Diagnostic("EZ0305", message, reason=reason, remedy="name the function in the call")
        case CalleeKind.INDIRECT:
            message = "a call through a function pointer that no function of this program matches"
            return Diagnostic("EZ0305", message, reason="no function with bitcode whose address is taken has this type")
        case CalleeKind.UNKNOWN if name.startswith("llvm."):
            message = f"the intrinsic {name} cannot be differentiated"
            return Diagnostic(
                "EZ0304", message, reason="no rule says what it computes with a number that carries a derivative"
            )
        case CalleeKind.UNKNOWN if _is_of_all_messages(name):
            message = "the gradient of a function that calls MPI cannot be differentiated again"
            reason = "messages have first derivatives only"
            return Diagnostic("EZ0302", message, reason=reason, remedy=_SECOND_OF_MPI)
        case CalleeKind.UNKNOWN if is_mpi(name):
            message = f"the differentiated code calls {name}, which has no derivative"
            return Diagnostic("EZ0302", message, reason=_OF_MPI, remedy=_MPI_REMEDY)
        case CalleeKind.UNKNOWN:
            message = f"the differentiated code calls {name}, which has no bitcode"
            reason, remedy = (tell(round.provenance, name) for tell in (why_no_bitcode, remedy_without_bitcode))
            return Diagnostic("EZ0302", message, reason=reason, remedy=remedy)
        case _:
            message = f"the instruction '{i.opcode}' cannot be differentiated here"
            return Diagnostic("EZ0304", message, reason="a number that carries a derivative goes through it")
