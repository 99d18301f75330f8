"""What a program declares about its functions: by globals with certain names, and by clang's attribute `annotate`."""

from __future__ import annotations

import re

from enzyme_cc.link.inputs.module_text import NAME, ModuleText, unquoted

#: the table of all attributes
ANNOTATIONS = "llvm.global.annotations"

# Globals with these prefixes declare something. The closure has their entries, though no request names them.
REGISTRATIONS = (
    "__enzyme_register_",
    "__enzyme_function_like",
    "__enzyme_inactivefn",
    "__enzyme_inactivenoblockfn",
    "__enzyme_inactive_global",
    "__enzyme_allocation_like",
    "__enzyme_nofree",
    "__enzyme_shouldrecompute",
)
# Declarations about calls, which have no effect on an inlined call, with the number of their entries that are called.
# None stands for all entries.
_ABOUT_CALLS = {
    "__enzyme_register_": 1,
    "__enzyme_function_like": 1,
    "__enzyme_inactivefn": None,
    "__enzyme_inactivenoblockfn": None,
    "__enzyme_allocation_like": None,
}
# This declaration does not replace the function's derivative: the body is differentiated.
_ABOUT_STEPS = "__enzyme_register_checkpoint"
_ABOUT_RESULTS = "nocache|shouldrecompute|mustcache|preserve_primal"
_ATTRIBUTE = re.compile(
    rf'c"enzyme[:_](?!nofree|sparse_accumulate|elementwise_read|notypeanalysis|ta_norecur|{_ABOUT_RESULTS})'
)
#: attributes about the results and writes of calls, which must stay calls
KEPT_CALLS = re.compile(rf'c"enzyme[:_](?:{_ABOUT_RESULTS})\b')
_INACTIVE_FUNCTIONS = ("__enzyme_inactivefn", "__enzyme_inactivenoblockfn")
INACTIVE = re.compile(r'c"enzyme[:_]inactive')
#: functions that are called though nobody needs what they write
PRESERVED = re.compile(r'c"enzyme[:_]preserve_primal\b')
_MARKER = re.compile(r"(?:_ZL\d+)?(enzyme_\w+)")
# A row of the table of attributes: the function or global, and the text.
_ROW = re.compile(rf"\{{ ptr @({NAME}), ptr @({NAME}), [^}}]*\}}")


def marker_name(symbol: str) -> str | None:
    """Returns the name of an activity marker, also if C++ has mangled it (static). None for another symbol."""
    found = _MARKER.fullmatch(symbol)
    return found[1] if found else None


def is_registration(name: str) -> bool:
    """True if a global declares a custom derivative or a property (C++ may mangle its name)."""
    return any(prefix in name for prefix in REGISTRATIONS)


def is_declaration(name: str) -> bool:
    """True if a global is a registration, or the table of all attributes."""
    return is_registration(name) or name == ANNOTATIONS


def annotated(module: ModuleText, attribute: re.Pattern[str] = _ATTRIBUTE) -> set[str]:
    """Returns the functions and globals with an attribute, by default one which changes their derivative."""
    annotations = module.entities.get(ANNOTATIONS)
    rows = [] if annotations is None else _ROW.findall(module.of(annotations))
    texts = {text: module.of(module.entities[unquoted(text)]) for _, text in rows}
    return {unquoted(name) for name, text in rows if attribute.search(texts[text])}


def inactive_functions(module: ModuleText) -> set[str]:
    """Returns the functions that the program declares inactive."""
    registered = (e for e in module.entities.values() if any(prefix in e.name for prefix in _INACTIVE_FUNCTIONS))
    return annotated(module, INACTIVE).union(*map(module.references, registered))


def declared(module: ModuleText) -> tuple[set[str], set[str]]:
    """Returns the functions with declarations about their calls, and those of them whose body is not differentiated."""
    names, opaque = annotated(module), set[str]()
    for entity in module.entities.values():
        for prefix, count in _ABOUT_CALLS.items():
            if prefix in entity.name:
                found = module.ordered_references(entity)[:count]
                names.update(found)
                opaque.update(found if _ABOUT_STEPS not in entity.name else ())
    return names, opaque
