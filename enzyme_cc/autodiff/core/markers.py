"""The words of the source-level interface: request names and activity markers."""

from __future__ import annotations

import re
from difflib import get_close_matches
from enum import Enum
from typing import TypeGuard

from msgspec import Struct

from ...analysis.callees import DENSE, HELPERS, plain_name
from ...ir.constants import ConstantExpr, ConstantString, GlobalRef, MetadataOperand
from ...ir.graphs import reachable
from ...ir.module import Module
from ...ir.value_edges import NAMED
from ...ir.values import Instruction, Value
from ...rules.trace_interface import is_trace_interface


class RequestKind(Enum):
    """The kinds of `__enzyme_…` calls; the value is the word that the name of the called function contains."""

    AUTODIFF = "__enzyme_autodiff"
    FWDDIFF = "__enzyme_fwddiff"
    AUGMENTFWD = "__enzyme_augmentfwd"
    AUGMENTSIZE = "__enzyme_augmentsize"
    REVERSE = "__enzyme_reverse"
    FWDSPLIT = "__enzyme_fwdsplit"
    VIRTUALREVERSE = "__enzyme_virtualreverse"
    BATCH = "__enzyme_batch"


class VariantKind(Enum):
    """The kinds of `__enzyme_…` calls that ask for a variant of a function, and not for a derivative."""

    ERROR_ESTIMATE = "__enzyme_error_estimate"
    TRUNCATE_MEM_FUNC = "__enzyme_truncate_mem_func"
    TRUNCATE_OP_FUNC = "__enzyme_truncate_op_func"
    TRUNCATE_MEM_VALUE = "__enzyme_truncate_mem_value"
    EXPAND_MEM_VALUE = "__enzyme_expand_mem_value"
    SAMPLE = "__enzyme_sample"
    OBSERVE = "__enzyme_observe"
    TRACE = "__enzyme_trace"
    CONDITION = "__enzyme_condition"
    LIKELIHOOD = "__enzyme_likelihood"


#: the choices of a probabilistic program, which ask for nothing
CHOICES = frozenset([VariantKind.SAMPLE, VariantKind.OBSERVE])

#: kinds of requests whose tape the program holds
HOLDING = frozenset([RequestKind.AUGMENTFWD, RequestKind.AUGMENTSIZE, RequestKind.REVERSE, RequestKind.VIRTUALREVERSE])


class Marker(Enum):
    """A marker in a request's argument list; the value is the word that programs write."""

    # the activity of the argument that follows
    CONST = "enzyme_const"
    OUT = "enzyme_out"
    DUP = "enzyme_dup"
    DUPNONEED = "enzyme_dupnoneed"
    DUPV = "enzyme_dupv"
    DUPNONEEDV = "enzyme_dupnoneedv"
    BYREF = "enzyme_byref"
    SCALAR = "enzyme_scalar"
    VECTOR = "enzyme_vector"
    # what is promised about the argument that follows, besides its activity
    NOCACHE = "enzyme_nocache"
    # the activity of the result
    NORET = "enzyme_noret"
    CONST_RETURN = "enzyme_const_return"
    ACTIVE_RETURN = "enzyme_active_return"
    DUP_RETURN = "enzyme_dup_return"
    # the request as a whole
    PRIMAL_RETURN = "enzyme_primal_return"
    RUNTIME_ACTIVITY = "enzyme_runtime_activity"
    STRONG_ZERO = "enzyme_strong_zero"
    INTERLEAVE = "enzyme_interleave"
    NOFREE = "enzyme_nofree"
    SYMMETRIC = "enzyme_symmetric"
    SHARED = "enzyme_shared"
    # settings: a value follows
    WIDTH = "enzyme_width"
    ALLOCATED = "enzyme_allocated"
    TAPE = "enzyme_tape"
    # probabilistic programs: a value follows
    TRACED = "enzyme_trace"
    DUPTRACE = "enzyme_duptrace"
    OBSERVATIONS = "enzyme_observations"
    LIKELIHOOD = "enzyme_likelihood"
    DUPLIKELIHOOD = "enzyme_duplikelihood"
    INTERFACE = "enzyme_interface"
    ACTIVE_CHOICE = "enzyme_active_rand_var"
    SPARSE = "enzyme_sparse"


class UnknownMarker(Struct, frozen=True):
    """A symbol or string that begins like a marker, but is none."""

    text: str


#: longest first, because some markers begin like others
_MARKERS = sorted(Marker, key=lambda marker: -len(marker.value))
_KINDS = sorted(RequestKind, key=lambda kind: -len(kind.value))


def request_kind(name: str) -> RequestKind | None:
    """Returns the kind of request that a function name contains; tries longer words first."""
    return next((kind for kind in _KINDS if kind.value in name), None) if "__enzyme_" in name else None


def variant_kind(name: str) -> VariantKind | None:
    """Returns the kind of variant that a function name asks for."""
    return next((kind for kind in VariantKind if kind.value in name), None)


#: requests of Enzyme that cannot be answered
_NOT_ANSWERED = (
    "__enzyme_context", "__enzyme_set_checkpointing", "__enzyme_shadow", "__enzyme_sparse",
)  # fmt: skip
_FUNCTION = re.compile(r"(\d*)(__enzyme_\w*)")


class UnknownRequest(Struct, frozen=True):
    """A function with a name like those of the interface, of which it is none.

    `name` is the name as the source has it. `exists` is true if Enzyme has such a request. `nearest` is the function of
    the interface whose name is most like it, if one is.
    """

    name: str
    exists: bool
    nearest: str | None


def unknown_request(symbol: str) -> UnknownRequest | None:
    """Returns what a function is that has a name like a request's, and is neither a request nor a helper."""
    found = _FUNCTION.search(symbol)
    is_request = request_kind(symbol) is not None or variant_kind(symbol) is not None or is_trace_interface(symbol)
    if found is None or is_request or any(word in symbol for word in (*HELPERS, *DENSE)):
        return None
    length, text = found.groups()
    name = text[: int(length)] if length else text
    words = [*(kind.value for kind in RequestKind), *(kind.value for kind in VariantKind), *HELPERS, *DENSE]
    nearest = get_close_matches(name, words, n=1, cutoff=0.8)
    return UnknownRequest(name, name.startswith(_NOT_ANSWERED), nearest[0] if nearest else None)


def marker_named(text: str) -> Marker | UnknownMarker | None:
    """Returns the marker that a symbol names, also as part of a C++ mangled or prefixed name."""
    if "enzyme_" not in text or "__enzyme" in text:
        return None
    for marker in _MARKERS:
        if text.endswith(marker.value) or f"{marker.value}E" in text:
            return marker
    return UnknownMarker(text)


def marker_of(value: Value, module: Module) -> Marker | UnknownMarker | None:
    """Returns the marker that a call's operand stands for: a global's value or address, or a metadata string."""
    if isinstance(value, MetadataOperand):
        return marker_named(value.text.strip('!"'))
    if isinstance(value, Instruction):
        if value.opcode in NAMED:
            return marker_of(value.operands[0], module)
        return _marker_of_phi(value, module) if _is_phi(value) else None
    if isinstance(value, ConstantExpr):
        return marker_of(value.operands[0], module)
    if isinstance(value, GlobalRef) and value.name in module.globals:
        marker = marker_named(plain_name(value.name))
        return marker if marker is not None else _string_marker(value, module)
    return None


def _marker_of_phi(phi: Instruction, module: Module) -> Marker | UnknownMarker | None:
    """Returns the marker that all values of the phi stand for: in a loop, LLVM keeps what one load has read."""

    def merged(value: Value) -> list[Value]:
        return [v for v, _ in value.incoming] if _is_phi(value) else []

    values: list[Value] = [phi]
    found = {marker_of(value, module) for value in reachable(values, merged) if not _is_phi(value)}
    return found.pop() if len(found) == 1 else None


def _is_phi(value: Value) -> TypeGuard[Instruction]:
    return isinstance(value, Instruction) and value.opcode == "phi"


def _string_marker(value: GlobalRef, module: Module) -> Marker | UnknownMarker | None:
    initializer = module.globals[value.name].initializer
    if isinstance(initializer, ConstantString) and initializer.text.startswith("enzyme_"):
        return marker_named(initializer.text.removesuffix("\\00"))
    return None
