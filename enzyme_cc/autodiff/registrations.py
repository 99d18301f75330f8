"""What a program declares about its functions and globals in constant globals, by the prefix of their names."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ..analysis.callees import plain_name, strip_casts
from ..ir.module import Module
from ..ir.values import Constant, ConstantAggregate, ConstantString, GlobalRef

#: understood, or of no meaning for gradients (hints, rules of forward mode)
_PREFIXES = {
    "__enzyme_inactivefn": "inactive",
    "__enzyme_function_like": "like",
    "__enzyme_inactive_global": "global",
    "__enzyme_nofree": "hint",
    "__enzyme_shouldrecompute": "hint",
    "__enzyme_register_gradient": "unsupported",
    "__enzyme_register_derivative": "hint",
    "__enzyme_register_splitderivative": "hint",
    "__enzyme_allocation_like": "unsupported",
}
_ATTRIBUTES = re.compile(r"enzyme:(\w+)")


@dataclass
class Registrations:
    """`inactive` functions, functions `like` a known one, inactive `globals`; `unsupported`: function → what it has."""

    inactive: set[str] = field(default_factory=set)
    like: dict[str, str] = field(default_factory=dict)
    globals: set[str] = field(default_factory=set)
    unsupported: dict[str, str] = field(default_factory=dict)


def read_registrations(module: Module) -> Registrations:
    """Reads the globals; only those with a known prefix are parsed."""
    found = Registrations()
    for name in list(module.globals):
        plain = plain_name(name)
        kind = next((k for prefix, k in _PREFIXES.items() if plain.startswith(prefix)), None)
        if kind is not None:
            _enter(found, module, kind, plain, _entries(module, module.globals[name].initializer))
    annotations = module.globals.get("@llvm.global.annotations")
    if annotations is not None and isinstance(annotations.initializer, ConstantAggregate):
        for row in annotations.initializer.elements:
            _enter_annotation(found, module, row)
    return found


def _entries(module: Module, initializer: Constant | None) -> list[Constant]:
    elements = initializer.elements if isinstance(initializer, ConstantAggregate) else (initializer,)
    stripped = [strip_casts(e, module) for e in elements if e is not None]
    return [e for e in stripped if isinstance(e, Constant)]


def _enter(found: Registrations, module: Module, kind: str, plain: str, entries: list[Constant]) -> None:
    names = [e.name for e in entries if isinstance(e, GlobalRef)]
    if not names:
        return
    if kind == "inactive":
        found.inactive.update(names)
    elif kind == "global":
        found.globals.update(names)
    elif kind == "like" and len(names) > 1:
        text = _text(module, names[1])
        if text is not None:
            found.like[names[0]] = text
    elif kind == "unsupported":
        found.unsupported[names[0]] = plain


def _enter_annotation(found: Registrations, module: Module, row: Constant) -> None:
    """{function, "enzyme:word", file, line, arguments}, as enzyme.h's attribute spelling leaves it."""
    entries = _entries(module, row)
    if len(entries) < 2 or not isinstance(entries[0], GlobalRef) or not isinstance(entries[1], GlobalRef):
        return
    match = _ATTRIBUTES.fullmatch(_text(module, entries[1].name) or "")
    if match is None:
        return
    name = entries[0].name
    if match[1] == "inactive":
        (found.inactive if name in module.functions else found.globals).add(name)
    else:
        found.unsupported[name] = f"the attribute enzyme({match[1]})"


def _text(module: Module, name: str) -> str | None:
    variable = module.globals.get(name)
    initializer = variable.initializer if variable is not None else None
    return initializer.text.removesuffix("\\00") if isinstance(initializer, ConstantString) else None
