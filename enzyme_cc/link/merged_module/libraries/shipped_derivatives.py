"""Gives library functions without bitcode (BLAS, LAPACK) their derivatives, which are C in toolchain/derivatives.

Differentiated code calls a name of the library through its stand-in, which calls a *routine*: a function whose body
says what the library function reads and writes. A registration names the routine, its derivative, and a function that
calls the library. The engine calls the derivative. At the end, that last function takes the place of the routine.

Programs declare such functions in several ways: with the lengths of characters as Fortran passes them or without, with
a result of type int, with integers of 64 bits. An adapter of the declared type calls the stand-in.

Derivatives may call functions that need none, in toolchain/natives. Some libraries do not tell later what the program
told them once: a plan of FFTW is an address, and nothing but the planner's call says what it transforms. So natives may
define `__wrap_f` for a function `f` of the library, which calls `__real_f`: by `--wrap`, the final link sends all calls
of `f` there, also those of units without bitcode.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import count

import llvmlite.binding as llvm
from msgspec import Struct

from enzyme_cc.ir import llvm_passes
from enzyme_cc.ir.graphs import reachable
from enzyme_cc.ir.target import architecture_name
from enzyme_cc.link.inputs.module_text import Entity, ModuleText, quoted
from enzyme_cc.link.inputs.units import Linked
from enzyme_cc.link.merged_module.libraries.pointed_stand_ins import ThroughPointers
from enzyme_cc.link.merged_module.libraries.shipped import Shipped
from enzyme_cc.link.merged_module.libraries.stand_ins import PREFIX, declared_functions, taken_addresses
from enzyme_cc.link.merged_module.merge import Guard, link_needed, read_bitcode
from enzyme_cc.link.merged_module.reached import reached_by_requests
from enzyme_cc.link.participants import linkage
from enzyme_cc.link.participants.declarations import is_registration
from enzyme_cc.rules.library_functions import THROUGH_POINTER, WRAPPER

#: a registration is called this and then as the routine without ROUTINE
REGISTRATION = "__enzyme_register_library_"
_ADAPTER = "__ez_adapter_"
_NATIVES = ("__ez_native_", "__ez_inactive_")
#: what belongs to MPI is compiled when the program is linked
_OF_MPI = re.compile(r"__ez_(?:native|inactive)_mpi_")
_WRAP = "__wrap_"
#: how the names of Fortran's functions end, and what makes a name of C end in the same way
_PLAIN, _WIDE = "_", "_64_"
#: spellings of a name: its end, the end of the stand-in's name, and that of the library's names in Fortran
_SPELLINGS = (
    ("", "", _PLAIN),
    ("_64_", "_", _WIDE),
    ("64_", "_", "64_"),
    ("_64", "_", "_64"),
    ("", "_", ""),
)
_C_SPELLINGS = (("_64", "", _WIDE), ("64_", "", _WIDE), ("", "", _PLAIN))
_C_PREFIXES = ("cblas_", "LAPACKE_")
#: libraries whose names have one spelling: derivatives call them by names of C
_FIXED = re.compile(r"(?:fftw[fl]?|[dsl]fftw|MPI|mpi)_")
_INTEGERS = frozenset({"i32", "i64"})
_TYPE = re.compile(r"(?P<result>[^(]*) \((?P<parameters>[^)]*)\)")
_REGISTRATION = re.compile(
    rf"^@{REGISTRATION}\S+ = [^\n]*\[5 x ptr\] "
    r"\[ptr (?P<routine>@[^,\s]+), [^\n]*, ptr (?P<native>@[^,\s\]]+)\][^\n]*\n",
    re.MULTILINE,
)


class _Called(Struct, frozen=True):
    """A function that the program declares, the name of its stand-in, and the end of the library's Fortran names."""

    name: str
    stand_in: str
    ending: str


class DerivativeLibrary(Struct, frozen=True, dict=True):
    """Bitcode with derivatives of library functions. `label` is its file, for messages.

    `wide` returns the same for libraries whose integers have 64 bits; None if there is one for all.
    """

    data: bytes
    label: str
    is_proved: bool = False
    wide: Callable[[], bytes] | None = None

    @cached_property
    def names(self) -> bytes:
        """The part of the bitcode with the names of all stand-ins: LLVM writes names together, at the end."""
        return self.data[self.data.find(PREFIX.encode()) :]

    def has(self, name: str) -> bool:
        """True if a function of this name has a derivative here."""
        return _spelled(name, self.names) is not None

    def type_of(self, name: str) -> str:
        """Returns the type of a function that has a derivative here; "" if its integers have 64 bits."""
        called = _spelled(name, self.names)
        return self._types.get(PREFIX + called.stand_in, "") if called and "64" not in called.ending else ""

    @cached_property
    def _types(self) -> dict[str, str]:
        """The types of the functions by name."""
        module = llvm_passes.parse_bitcode(self.data, llvm.create_context())
        return {f.name: str(f.global_value_type) for f in module.functions if not f.is_declaration}

    @staticmethod
    def shipped(architecture: str) -> DerivativeLibrary:
        """Returns what comes with enzyme-cc. Raises `EnzymeError` (EZ0113)."""
        narrow, wide = Shipped.DERIVATIVES, Shipped.DERIVATIVES_64
        return DerivativeLibrary(narrow.bitcode(architecture), narrow.label, True, lambda: wide.bitcode(architecture))


def with_derivatives(
    text: str,
    libraries: Sequence[DerivativeLibrary],
    type_of: Callable[[Entity], str],
    provenance: Callable[[str], str | None],
    has_bitcode: Callable[[str], bool],
    context: llvm.ContextRef,
    guard: Guard,
) -> str:
    """Returns the text of a merged module in which differentiated code calls functions with such derivatives.

    `type_of` gives the value type of a function, `provenance` the file that defines a symbol. What is defined with
    bitcode keeps its own code, also if the link leaves it out (`has_bitcode`). The first library with a function
    counts. Raises `EnzymeError`.
    """
    for library in libraries:
        text = _with_library(text, library, type_of, provenance, has_bitcode, context, guard)
    return text


def _with_library(
    text: str,
    library: DerivativeLibrary,
    type_of: Callable[[Entity], str],
    provenance: Callable[[str], str | None],
    has_bitcode: Callable[[str], bool],
    context: llvm.ContextRef,
    guard: Guard,
) -> str:
    module = ModuleText(text)
    known = {
        name: found
        for name in declared_functions(module)
        if not has_bitcode(name) and (found := _spelled(name, library.names)) is not None
    }
    reached = reached_by_requests(module) if known else set()
    taken = taken_addresses(module) & known.keys() if known else set()
    named = {n for e in reached for n in module.references(e)} & known.keys()
    called = _of_one_library([known[name] for name in sorted(named | taken)])
    if not called:
        return text
    is_wide = any(_is_wide(c, provenance) for c in called)
    data = library.wide() if is_wide and library.wide is not None else library.data
    bitcode = read_bitcode(data, library.label, guard, context, is_proved=library.is_proved)
    types = {f.name: str(f.global_value_type) for f in bitcode.functions if not f.is_declaration}
    adapters = dict(_adapters(called, lambda c: type_of(module.entities[c.name]), types))
    if not adapters:
        return text
    pointed = {c.name: type_of(module.entities[c.name]) for c in adapters if c.name in taken}
    pointers = ThroughPointers(pointed, _free_name(module))
    pattern = re.compile("@(" + "|".join(re.escape(quoted(c.name)) for c in adapters) + r")(?=\()")

    def change(entity: Entity, body: str) -> str | None:
        return pointers.call(pattern.sub(rf"@{_ADAPTER}\1", body)) if entity in reached else None

    changed = [linkage.edit(module, change), *adapters.values(), pointers.definitions(lambda name: _ADAPTER + name)]
    joined = llvm_passes.parse("\n".join(changed), context)
    endings = {c.ending for c in adapters if not _FIXED.match(c.name)}
    bitcode = _with_ending(bitcode, next(iter(endings), _PLAIN), context)
    _link_routines(joined, bitcode, library.label, [PREFIX + c.stand_in for c in adapters])
    return str(joined)


def _free_name(module: ModuleText) -> str:
    """Returns what the names of functions that compare pointers begin with: each library has its own."""
    names = (f"{THROUGH_POINTER}_of_library{n}" for n in count())
    return next(name for name in names if f"{name}.0" not in module.entities)


def _spelled(name: str, names: bytes) -> _Called | None:
    """Returns the function if it is one of the library, in one of the spellings of its name."""
    if _FIXED.match(name):
        return _Called(name, name, "") if (PREFIX + name).encode() in names else None
    for end, own, ending in _C_SPELLINGS if name.startswith(_C_PREFIXES) else _SPELLINGS:
        plain = name.removeprefix(WRAPPER).removesuffix(end)
        for stand_in in (plain + own, _without_work(plain) + own):
            if name.endswith(end) and (PREFIX + stand_in).encode() in names:
                return _Called(name, stand_in, ending)
    return None


def _without_work(name: str) -> str:
    """Returns the name of LAPACKE's function that does the same as one for callers with work space."""
    return name.removesuffix("_work") if name.startswith("LAPACKE_") else name


def _is_wide(called: _Called, provenance: Callable[[str], str | None]) -> bool:
    """True if the names of the functions or of the library say that its integers have 64 bits (libopenblas64)."""
    return "64" in called.ending or "64" in os.path.basename(provenance(called.name) or "")


def _of_one_library(called: list[_Called]) -> list[_Called]:
    """Returns the functions of the library that most names belong to: a derivative calls others of the same library."""
    counts = Counter(c.ending for c in called if not _FIXED.match(c.name))
    most = counts.most_common(1)[0][0] if counts else ""
    return [c for c in called if c.ending == most or _FIXED.match(c.name)]


def _adapters(
    called: list[_Called], declared: Callable[[_Called], str], types: Mapping[str, str]
) -> Iterator[tuple[_Called, str]]:
    stand_ins: set[str] = set()
    for c in called:
        own = types.get(PREFIX + c.stand_in)
        adapter = None if own is None else _adapter(c, declared(c), own)
        if adapter is not None:
            yield c, adapter if c.stand_in in stand_ins else f"{_declaration(c, own or '')}\n{adapter}"
            stand_ins.add(c.stand_in)


def _declaration(called: _Called, type_: str) -> str:
    result, parameters = _parts(type_)
    return f"declare {result} @{PREFIX}{called.stand_in}({', '.join(parameters)})"


def _parts(type_: str) -> tuple[str, list[str]]:
    found = _TYPE.fullmatch(type_)
    assert found is not None, type_
    return found["result"], [word.strip() for word in found["parameters"].split(",") if word.strip()]


def _adapter(called: _Called, declared: str, own: str) -> str | None:
    """Returns the text of a function of the declared type that calls the stand-in, or None if the types do not fit."""
    (result, given), (own_result, taken) = _parts(declared), _parts(own)
    pairs = list(zip(given, taken, strict=False))
    lengths = given[len(taken) :]  # of characters
    if len(given) < len(taken) or not set(lengths) <= {"i64", "i32"} or not all(map(_fits, pairs)):
        return None
    if own_result != result and not (own_result in _INTEGERS | {"void"} and result in _INTEGERS):
        return None
    lines = [f"  %n{k} = {_converted(a, b, f'%{k}')}" for k, (a, b) in enumerate(pairs) if a != b]
    passed = ", ".join(f"{b} %{'' if a == b else 'n'}{k}" for k, (a, b) in enumerate(pairs))
    call = f"call {own_result} @{PREFIX}{called.stand_in}({passed})"
    lines += [f"  {call}" if own_result == "void" else f"  %r = {call}"]
    if own_result == "void":
        lines += ["  ret void" if result == "void" else f"  ret {result} 0"]
    elif own_result == result:
        lines += [f"  ret {result} %r"]
    else:
        lines += [f"  %converted = {_converted(own_result, result, '%r')}", f"  ret {result} %converted"]
    parameters = ", ".join(f"{type_} %{k}" for k, type_ in enumerate(given))
    head = f"define internal {result} @{_ADAPTER}{called.name}({parameters}) alwaysinline {{"
    return "\n".join([head, *lines, "}"])


def _fits(types: tuple[str, str]) -> bool:
    return types[0] == types[1] or _INTEGERS.issuperset(types) or types == ("ptr", "i64")


def _converted(given: str, wanted: str, value: str) -> str:
    """Returns the instruction that makes an integer wider or narrower, or a number of a handle."""
    if given == "ptr":
        return f"ptrtoint ptr {value} to i64"
    return f"{'sext' if given == 'i32' else 'trunc'} {given} {value} to {wanted}"


def _with_ending(library: llvm.ModuleRef, ending: str, context: llvm.ContextRef) -> llvm.ModuleRef:
    """Returns the derivatives, which call the library by names with this end."""
    if ending == _PLAIN:
        return library
    names = [f.name for f in library.functions if f.is_declaration and f.name.endswith("_")]
    pattern = re.compile("@(" + "|".join(re.escape(name.removesuffix("_")) for name in names) + r")_(?![-\w.$])")
    return llvm_passes.parse(pattern.sub(rf"@\1{ending}", str(library)), context)


def _link_routines(module: llvm.ModuleRef, library: llvm.ModuleRef, label: str, names: list[str]) -> None:
    """Links the functions of the library, and the registrations of all routines that these reach."""
    text = ModuleText(str(library))
    registered: dict[str, set[str]] = {}
    for entity in filter(lambda e: is_registration(e.name), text.entities.values()):
        for name in text.references(entity):
            registered.setdefault(name, set()).add(entity.name)

    def following(name: str) -> set[str]:
        entity = text.entities[name]
        references = text.references(entity) if entity.is_definition else set()
        return (references | registered.get(name, set())) & text.entities.keys()

    needed = set(reachable(names, following))
    kept = {*names, *(name for name in needed if is_registration(name))}
    link_needed(module, library, label, kept)
    for name in names:
        module.get_function(name).linkage = llvm.Linkage.internal


def with_natives(text: str) -> str:
    """Returns the text after differentiation, in which calls of routines call the library."""
    natives = {found["routine"]: found["native"] for found in _REGISTRATION.finditer(text)}
    if not natives:
        return text
    module = ModuleText(_REGISTRATION.sub("", text))
    pattern = re.compile("(" + "|".join(map(re.escape, natives)) + r")(?![-\w.$])")

    def change(entity: Entity, body: str) -> str | None:
        if f"@{entity.name}" in natives:
            return ""
        return pattern.sub(lambda found: natives[found[1]], body) if entity.is_function else None

    return linkage.edit(module, change)


def link_natives(
    module: llvm.ModuleRef, linked: Linked, mpi: Callable[[], bytes], context: llvm.ContextRef, guard: Guard
) -> None:
    """Merges what the module declares of these, and what takes the place of functions that the program calls.

    `mpi` gives what belongs to the program's own MPI. Raises `EnzymeError`.
    """
    declared = {f.name for f in module.functions if f.is_declaration and f.name.startswith(_NATIVES)}
    of_mpi = set(filter(_OF_MPI.match, declared))
    if declared - of_mpi:
        shipped = Shipped.NATIVES.bitcode(architecture_name(module.triple))
        _link_natives(module, linked, shipped, Shipped.NATIVES.label, context, guard)
    if of_mpi:
        _link_natives(module, linked, mpi(), "mpi.bc", context, guard)


def _link_natives(
    module: llvm.ModuleRef, linked: Linked, data: bytes, label: str, context: llvm.ContextRef, guard: Guard
) -> None:
    declared = {f.name for f in module.functions if f.is_declaration and f.name.startswith(_NATIVES)}
    library = read_bitcode(data, label, guard, context, is_proved=True)
    called = {s.name for unit in linked.units for s in unit.symbols if not s.is_defined} - set(linked.wraps)
    called |= {f.name for f in module.functions if f.is_declaration}
    declared &= {f.name for f in library.functions if not f.is_declaration}  # a project has its own in an object
    wraps = {f.name for f in library.functions if f.name.startswith(_WRAP) and f.name.removeprefix(_WRAP) in called}
    link_needed(module, library, label, declared | wraps)
    for name in declared:
        module.get_function(name).linkage = llvm.Linkage.internal
