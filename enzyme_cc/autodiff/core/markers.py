"""The words of the source-level interface: request names and activity markers."""

from __future__ import annotations

from enum import Enum

from ...analysis.callees import plain_name
from ...ir.module import Module
from ...ir.values import (
    ConstantExpr,
    ConstantString,
    GlobalRef,
    Instruction,
    MetadataOperand,
    Value,
)


class RequestKind(Enum):
    """What a `__enzyme_…` call asks for; the value is the word that its name contains."""

    AUTODIFF = "__enzyme_autodiff"
    FWDDIFF = "__enzyme_fwddiff"
    AUGMENTFWD = "__enzyme_augmentfwd"
    AUGMENTSIZE = "__enzyme_augmentsize"
    REVERSE = "__enzyme_reverse"
    FWDSPLIT = "__enzyme_fwdsplit"
    VIRTUALREVERSE = "__enzyme_virtualreverse"
    BATCH = "__enzyme_batch"


#: requests about a tape that the program holds
HOLDING = frozenset([RequestKind.AUGMENTFWD, RequestKind.AUGMENTSIZE, RequestKind.REVERSE, RequestKind.VIRTUALREVERSE])

#: the markers, longest first where one is the beginning of another
MARKERS = tuple(
    sorted(
        """enzyme_const enzyme_dup enzyme_dupnoneed enzyme_out enzyme_dupv enzyme_dupnoneedv enzyme_width enzyme_tape
        enzyme_allocated enzyme_nofree enzyme_noret enzyme_const_return enzyme_active_return enzyme_dup_return
        enzyme_primal_return enzyme_runtime_activity enzyme_strong_zero enzyme_byref enzyme_interleave
        enzyme_scalar enzyme_vector""".split(),
        key=len,
        reverse=True,
    )
)


def request_kind(name: str) -> RequestKind | None:
    """The request that a function of this name makes; longer words first, so that none hides another."""
    kinds = sorted(RequestKind, key=lambda k: -len(k.value))
    return next((kind for kind in kinds if kind.value in name), None)


def marker_word(text: str) -> str | None:
    """The marker a symbol names: itself, or inside a C++ mangled or prefixed name; "?…" for an unknown one."""
    if "enzyme_" not in text or "__enzyme" in text:
        return None
    for marker in MARKERS:
        if text == marker or text.endswith(marker) or f"{marker}E" in text:
            return marker
    return f"?{text}"


def marker_of(value: Value, module: Module) -> str | None:
    """The marker that a call's operand stands for: the global's value, its address, or a metadata string."""
    if isinstance(value, MetadataOperand):
        return marker_word(value.text.strip('!"'))
    if isinstance(value, Instruction):
        if value.opcode in ("load", "ptrtoint", "trunc", "zext", "sext", "freeze", "bitcast"):
            return marker_of(value.operands[0], module)
        return None
    if isinstance(value, ConstantExpr):
        return marker_of(value.operands[0], module)
    if isinstance(value, GlobalRef) and value.name in module.globals:
        word = marker_word(plain_name(value.name))
        return word if word is not None else _string_marker(value, module)
    return None


def _string_marker(value: GlobalRef, module: Module) -> str | None:
    initializer = module.globals[value.name].initializer
    if isinstance(initializer, ConstantString) and initializer.text.startswith("enzyme_"):
        return marker_word(initializer.text.removesuffix("\\00"))
    return None
