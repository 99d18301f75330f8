"""Protects requests in a merged module from LLVM's optimiser until they are replaced by derivatives.

The optimiser must not fold, merge or drop anything that a request needs:

- markers become external constants, so that their loads stay;
- request functions become declarations without attributes;
- globals that register something stay visible;
- functions that a registration names, or that make random choices, are opaque to LLVM;
- what is loaded from inactive globals carries no derivative.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import llvmlite.binding as llvm

from enzyme_cc.analysis.callees import CUT, MORE_ITERATIONS
from enzyme_cc.ir.graphs import reachable
from enzyme_cc.link.inputs.module_text import Entity, ModuleText, quoted
from enzyme_cc.link.inputs.units import REQUEST
from enzyme_cc.link.merged_module.inactive_globals import with_cut_loads
from enzyme_cc.link.participants import linkage
from enzyme_cc.link.participants.borrowed import PointedFunction
from enzyme_cc.link.participants.declarations import KEPT_CALLS, annotated, is_registration, marker_name
from enzyme_cc.report import Diagnostic, EnzymeError
from enzyme_cc.rules.trace_interface import is_trace_interface

# LLVM must not merge calls of requests for two functions into one call with a chosen function.
_REQUEST_ATTRIBUTES = " nomerge"
# These return a value of their operands, and touch no memory.
_PURE = (CUT, MORE_ITERATIONS)
_PURE_ATTRIBUTES = " nomerge nounwind willreturn memory(none)"
# A call that makes a random choice.
_CHOICES = ("__enzyme_sample", "__enzyme_observe")
# The linker may replace a weak definition: so LLVM does not inline it, and infers nothing from its body.
_OPAQUE = "weak"
# Compilers that optimise before they write bitcode (flang) infer this from the body: callers would use the argument.
_RETURNED = re.compile(r"\breturned ")
# It declares something about the results of functions, whose bodies LLVM may know.
_RECOMPUTED = "__enzyme_shouldrecompute"
# The group of a function's attributes, behind its parameters.
_GROUP = re.compile(r"((?<=\)) #\d+| #\d+(?= ))")
_INTEGER = re.compile(r"i\d+")
# This table holds the addresses of functions that code outside of the module takes.
POINTED = "__ez_pointed"
# The name of a global's shadow is the name of the global and this: the round if requests are nested, and the direction
# in vector mode.
_SHADOW = re.compile(r"(_round\d+)?_shadow\d*$")


def open_for_requests(
    text: str, type_of: Callable[[Entity], str], has_rule: Callable[[str], bool]
) -> tuple[str, dict[str, str]]:
    """Returns the protected text, and the linkages to restore afterwards.

    Functions that `has_rule` accepts are opaque, as registered functions are.
    """
    module = ModuleText(_with_plain_calls(with_cut_loads(text)))
    registered, called = annotated(module), annotated(module, KEPT_CALLS)
    for e in filter(lambda e: is_registration(e.name), module.entities.values()):
        (called if _RECOMPUTED in e.name else registered).update(module.references(e))
    shadows, sampling = _shadows(module), _sampling(module)
    linkages: dict[str, str] = {}

    def change(entity: Entity, text: str) -> str | None:
        head, newline, rest = text.partition("\n")
        if entity.is_function and _is_request(entity.name):
            plain = linkage.declaration(entity, type_of, text) if entity.is_definition else head
            attributes = _PURE_ATTRIBUTES if any(word in entity.name for word in _PURE) else _REQUEST_ATTRIBUTES
            return linkage.without_attributes(plain) + attributes + "\n"
        if not entity.is_function and marker_name(entity.name):
            return linkage.declaration(entity, type_of, text).replace(" global ", " constant ") + "\n"
        if not entity.is_definition:
            return None
        is_kept = entity.name in registered | sampling or has_rule(entity.name) or REQUEST in entity.name
        if entity.is_function and is_kept:
            linkages[entity.name] = linkage.linkage(head)
            return _RETURNED.sub("", linkage.with_linkage(head, _OPAQUE)) + newline + rest
        if entity.is_function and entity.name in called:
            return _GROUP.sub(r" noinline\1", head, count=1) + newline + rest
        if not entity.is_function and (is_registration(entity.name) or entity.name in shadows | registered):
            linkages[entity.name] = "internal" if is_registration(entity.name) else linkage.linkage(head)
            return linkage.with_linkage(head, "") + newline + rest
        return None

    return linkage.edit(module, change), linkages


def with_pointed(text: str, pointed: Iterable[PointedFunction]) -> str:
    """Returns the text with tables of the functions that code outside of the module may have put into pointers.

    A function that only vtables hold stands in a table like a vtable. The tables are external: so they last until
    derivatives are made. Nothing refers to them after that. Library functions are declared.
    """
    entities = ModuleText(text).entities
    known = [p for p in pointed if p.type or (p.symbol in entities and entities[p.symbol].is_definition)]
    outside = sorted(dict.fromkeys(known), key=lambda p: p.symbol)
    rows = [f"ptr @{quoted(p.symbol)}" for p in outside if p.slots is None]
    lines = [f"@{POINTED} = constant [{len(rows)} x ptr] [{', '.join(rows)}]"] if rows else []
    virtual = [(slot, f"ptr @{quoted(p.symbol)}") for p in outside for slot in sorted(p.slots or ())]
    if virtual:
        lines.append(f"@_ZTI{POINTED} = constant i8 0")
    for number, (slot, row) in enumerate(virtual):
        entries = ", ".join([f"ptr @_ZTI{POINTED}", *["ptr null"] * slot, row])
        lines.append(f"@_ZTV{POINTED}.{number} = constant [{slot + 2} x ptr] [{entries}]")
    lines += [_declaration(p) for p in outside if p.symbol not in entities]
    return "\n".join([text, *lines, ""]) if lines else text


def _declaration(function: PointedFunction) -> str:
    result, _, parameters = function.type.partition(" (")
    return f"declare {result} @{quoted(function.symbol)}({parameters}"


def _sampling(module: ModuleText) -> set[str]:
    """Returns the functions that make random choices, also through others.

    A trace has a part for each call of such a function, so LLVM must not inline them.
    """
    entities = module.entities
    callers: dict[str, list[str]] = {}
    choices = [name for name in entities if any(word in name for word in _CHOICES)]
    if not choices:
        return set()
    for entity in entities.values():
        for name in module.references(entity) if entity.is_function and entity.is_definition else ():
            callers.setdefault(name, []).append(entity.name)
    return set(reachable(choices, lambda name: callers.get(name, []))).difference(choices)


def _shadows(module: ModuleText) -> set[str]:
    """Returns the globals with a shadow that the program names, and the shadows.

    Derivatives write them. LLVM does not see that yet, and would take a global without stores for a constant.
    """
    pairs = {name: _SHADOW.sub("", name) for name in module.entities if _SHADOW.search(name)}
    shadows = {name for pair in pairs.items() if pair[1] in module.entities for name in pair}
    annotations = module.entities.get("llvm.global.annotations")
    if annotations is not None:
        arguments = [module.entities[name] for name in module.references(annotations) if name.startswith(".args")]
        shadows.update(name for entity in arguments for name in module.references(entity))
    return shadows


def _with_plain_calls(text: str) -> str:
    """Returns the text without attribute groups on calls of request functions."""
    if REQUEST not in text:
        return text
    lines = text.split("\n")
    return "\n".join(
        linkage.without_attributes(line) if REQUEST in line and line[:1] == " " else line for line in lines
    )


def close_after_requests(
    text: str, linkages: dict[str, str], markers: dict[str, str], is_kept: Callable[[str, bool], bool]
) -> str:
    """Returns the text after differentiation: linkages are restored, and markers that are used are defined.

    Raises `EnzymeError` (EZ0107) if a request is left.
    """
    module = ModuleText(text)
    _refuse_requests(module)
    closed = ModuleText(linkage.restrict(ModuleText(linkage.restored(module, linkages)), is_kept))
    return _with_markers(closed, markers, is_kept)


def _is_request(name: str) -> bool:
    """True unless the program defines the function: those that keep traces have names like requests."""
    return REQUEST in name and not is_trace_interface(name)


def _with_markers(module: ModuleText, markers: dict[str, str], is_kept: Callable[[str, bool], bool]) -> str:
    referred = {name for entity in module.entities.values() for name in module.references(entity)}
    needed = {name: line for name, line in markers.items() if name in referred or is_kept(name, False)}
    text = linkage.edit(module, lambda entity, _: "" if entity.name in needed else None)
    return text + "".join(line + "\n" for line in needed.values())


def _refuse_requests(module: ModuleText) -> None:
    """Raises `EnzymeError` (EZ0107) if a function still calls a request, or a global still names one."""
    left = [
        Diagnostic("EZ0107", f"the call of {name} was not replaced by a derivative", function=entity.name)
        for entity in module.entities.values()
        if entity.is_definition
        for name in sorted(module.references(entity))
        if _is_request(name) and name in module.entities and module.entities[name].is_function
    ]
    if left:
        raise EnzymeError(left)


def _initial_value(line: str, value_type: str) -> str:
    """Returns the initial value on the line that defines an integer variable."""
    found = re.search(rf"(?:global|constant) {value_type} (-?\w+)", line)
    return found[1] if found else "0"


def open_markers(module: llvm.ModuleRef, text: ModuleText) -> dict[str, str]:
    """Changes linkages so that markers and request functions that several units define merge.

    Returns the lines that define the markers that other code may see, by name. `text` is that of the unit.
    """
    markers: dict[str, str] = {}
    for entity in text.entities.values():
        if not entity.is_definition:
            continue
        name = None if entity.is_function else marker_name(entity.name)
        if name is not None:
            variable = module.get_global_variable(entity.name)
            value = str(variable.global_value_type)
            if _INTEGER.fullmatch(value):
                variable.name = name
                variable.linkage = llvm.Linkage.linkonce_any
                if linkage.linkage(text.of(entity)) not in linkage.LOCAL:
                    markers.setdefault(name, f"@{name} = weak global {value} {_initial_value(text.of(entity), value)}")
        elif entity.is_function and REQUEST in entity.name and not is_trace_interface(entity.name):
            module.get_function(entity.name).linkage = llvm.Linkage.linkonce_any
    return markers
