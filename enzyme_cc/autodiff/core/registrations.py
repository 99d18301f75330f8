"""Registrations: what a program declares about its functions and globals.

There are three spellings: constant globals whose names have a known prefix, the attributes of enzyme.h, and those of
Enzyme's plug-in for clang. The compilers make annotations of both kinds of attributes, "enzyme:word" and "enzyme_word".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches

from msgspec import Struct, field

from ...analysis.callees import CALL_INACTIVE, DeclaredFunctions, plain_name, strip_casts
from ...ir.constants import Constant, ConstantAggregate, ConstantExpr, ConstantInt, ConstantString, GlobalRef
from ...ir.module import Module
from ...report.diagnostics import EnzymeError
from ...report.spelling import did_you_mean
from ...rules.knowledge import CalleeKind, Known


class LibraryDerivative(Struct, frozen=True):
    """The derivative of a library function without bitcode (<enzyme/derivative.h>). Names have their @.

    - `augmented`: calls the function and returns what the other two need
    - `reverse`, `forward`: the adjoint and the tangent, which take that
    """

    augmented: str
    reverse: str
    forward: str


class Registrations(Struct, frozen=True):
    """The registrations of one module, as one value. Several are joined by `|`: what comes later counts.

    Keys are the functions and globals concerned, names with their @.

    - `inactive`: inactive functions; `globals`: inactive globals.
    - `like`: function → name of the library function whose rule applies.
    - `gradients`: function → its augmented and its reverse function.
    - `derivatives`: function → its forward-mode derivative.
    - `split_derivatives`: function → its augmented function and its forward-mode derivative.
    - `libraries`: function that stands for one of a library → its derivative.
    - `handles`: functions of libraries that take or return handles, called for the memory and for the shadows.
    - `shadows`: global → its shadow.
    - `known`: function that allocates or frees → row of knowledge.
    - `results`: function → true if its results are stored on the tape, false if they are computed again.
    - `preserving`: functions whose writes are made even where nobody needs them.
    - `steps`: step function of a loop → number of states that checkpointing stores.
    """

    inactive: frozenset[str] = frozenset()
    globals: frozenset[str] = frozenset()
    like: Mapping[str, str] = field(default_factory=dict)
    gradients: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    derivatives: Mapping[str, str] = field(default_factory=dict)
    split_derivatives: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    libraries: Mapping[str, LibraryDerivative] = field(default_factory=dict)
    handles: frozenset[str] = frozenset()
    shadows: Mapping[str, str] = field(default_factory=dict)
    known: Mapping[str, Known] = field(default_factory=dict)
    results: Mapping[str, bool] = field(default_factory=dict)
    preserving: frozenset[str] = frozenset()
    steps: Mapping[str, int] = field(default_factory=dict)

    @property
    def custom(self) -> frozenset[str]:
        derivatives = (self.gradients, self.derivatives, self.split_derivatives, self.libraries, self.handles)
        return frozenset(name for of_kind in derivatives for name in of_kind)

    def functions(self, native: frozenset[str]) -> DeclaredFunctions:
        """Returns what is declared of functions. `native`: those that the link left out."""
        return DeclaredFunctions(
            inactive=self.inactive,
            custom=self.custom,
            like=self.like,
            known=self.known,
            results=self.results,
            preserving=self.preserving,
            native_functions=native,
            handles=self.handles,
        )

    def __or__(self, other: Registrations) -> Registrations:
        pairs = {f: (getattr(self, f), getattr(other, f)) for f in self.__struct_fields__}
        return Registrations(**{name: a | b if b else a for name, (a, b) in pairs.items()})


class _Entries(Struct):
    """The entries of one registering global, or the arguments of one attribute, of which `written` is in its text."""

    module: Module
    name: str
    values: list[Constant]
    written: str | None = None
    location: str | None = None

    def symbols(self, count: int) -> list[str]:
        """Returns the entries as `count` functions or globals, with their @. Raises EnzymeError if they are not."""
        names = [v.name for v in self.values if isinstance(v, GlobalRef)]
        if len(names) != count or len(self.values) != count:
            raise self.malformed(f"{count} functions or globals are expected, and it has {len(self.values)}")
        return names

    def names(self) -> frozenset[str]:
        """Returns all functions and globals among the entries, with their @."""
        return frozenset(v.name for v in self.values if isinstance(v, GlobalRef))

    def text(self, k: int) -> str:
        value = self.values[k] if k < len(self.values) else None
        text = _text(self.module, value.name) if isinstance(value, GlobalRef) else None
        if text is None:
            raise self.malformed(f"entry {k + 1} is not a string")
        return text

    def number(self, k: int) -> int:
        """Returns an integer that is cast to a pointer, such as (void *)1."""
        value = self.values[k]
        while isinstance(value, ConstantExpr):
            value = value.operands[0]
        if isinstance(value, ConstantInt):
            return value.value
        if str(value) == "null":
            return 0
        raise self.malformed(f"entry {k + 1} is not a number")

    def malformed(self, reason: str, remedy: str | None = None) -> EnzymeError:
        message = f"{self.name} is malformed"
        return EnzymeError.of("EZ0207", message, location=self.location, reason=reason, remedy=remedy)


# -- one function per kind of declaration


def _inactive(entries: _Entries) -> Registrations:
    return Registrations(inactive=entries.names())


def _inactive_global(entries: _Entries) -> Registrations:
    return Registrations(globals=entries.names())


def _like(entries: _Entries) -> Registrations:
    if len(entries.values) != 2 or not isinstance(entries.values[0], GlobalRef):
        raise entries.malformed('a function and a name, such as {f, "sin"}, are expected')
    return Registrations(like={entries.values[0].name: entries.text(1)})


def _gradient(entries: _Entries) -> Registrations:
    function, augmented, reverse = entries.symbols(3)
    return Registrations(gradients={function: (augmented, reverse)})


def _derivative(entries: _Entries) -> Registrations:
    function, derivative = entries.symbols(2)
    return Registrations(derivatives={function: derivative})


def _split_derivative(entries: _Entries) -> Registrations:
    function, augmented, forward = entries.symbols(3)
    return Registrations(split_derivatives={function: (augmented, forward)})


def _library(entries: _Entries) -> Registrations:
    """Reads {function, augmented, reverse, forward, native}; the link calls the last one where the first is left."""
    function, augmented, reverse, forward, _ = entries.symbols(5)
    return Registrations(libraries={function: LibraryDerivative(augmented, reverse, forward)})


def _handle(entries: _Entries) -> Registrations:
    return Registrations(handles=frozenset(entries.symbols(1)))


def _allocation(entries: _Entries) -> Registrations:
    """Reads {alloc, index of the size, "indices of alloc's arguments that free takes; -1: the pointer", free}."""
    if len(entries.values) != 4 or not all(isinstance(entries.values[k], GlobalRef) for k in (0, 3)):
        raise entries.malformed('{alloc, (void *)1, "-1,2", free} is expected')
    allocate, _, _, free = entries.values
    assert isinstance(allocate, GlobalRef) and isinstance(free, GlobalRef)
    words = [word.strip() for word in entries.text(2).split(",")]
    if not all(re.fullmatch(r"-1|\d+", word) for word in words) or words.count("-1") != 1:
        raise entries.malformed(f'"{entries.text(2)}" must hold numbers of arguments, and -1 once')
    operands = tuple(int(word) for word in words)
    allocates = Known(
        CalleeKind.ALLOCATE,
        size_operands=(entries.number(1),),
        release=plain_name(free.name),
        release_operands=operands,
    )
    frees = Known(CalleeKind.FREE, writes=(operands.index(-1),), pointer=operands.index(-1))
    return Registrations(known={allocate.name: allocates, free.name: frees})


def _checkpoint(entries: _Entries) -> Registrations:
    """Reads {step, (void *)number of states}."""
    if len(entries.values) != 2 or not isinstance(entries.values[0], GlobalRef) or entries.number(1) < 1:
        raise entries.malformed("a step and a number of states, such as {step, (void *)10}, are expected")
    return Registrations(steps={entries.values[0].name: entries.number(1)})


def _recomputed(entries: _Entries) -> Registrations:
    return Registrations(results=dict.fromkeys(entries.names(), False))


def _hint(entries: _Entries) -> Registrations:
    """Ignores the hint: memory is freed where the program frees it."""
    return Registrations()


def _unknown(entries: _Entries) -> Registrations:
    """Refuses a global that would be a registration if its name were one: it points at functions or globals."""
    if not any(isinstance(v, GlobalRef) for v in entries.values):
        return Registrations()
    nearest = get_close_matches(entries.name, _PREFIXES, n=1, cutoff=0.6)
    raise EnzymeError.of(
        "EZ0214",
        f"the registration {entries.name} is not known",
        location=entries.location,
        reason="its name begins like that of a global which declares something, and none begins like this",
        remedy=f"did you mean {nearest[0]}?" if nearest else None,
    )


_PREFIXES: dict[str, Callable[[_Entries], Registrations]] = {
    "__enzyme_inactivefn": _inactive,
    "__enzyme_inactivenoblockfn": _inactive,
    "__enzyme_inactive_global": _inactive_global,
    "__enzyme_function_like": _like,
    "__enzyme_register_gradient": _gradient,
    "__enzyme_register_derivative": _derivative,
    "__enzyme_register_splitderivative": _split_derivative,
    "__enzyme_register_library": _library,
    "__enzyme_register_handle": _handle,
    "__enzyme_register_checkpoint": _checkpoint,
    "__enzyme_allocation_like": _allocation,
    "__enzyme_nofree": _hint,
    "__enzyme_shouldrecompute": _recomputed,
    "__enzyme_sparse_accumulate": _hint,
}


def read_registrations(module: Module) -> Registrations:
    """Returns the registrations of a module.

    Raises EnzymeError if one is malformed (EZ0207) or not known (EZ0214).
    """
    found = Registrations()
    for name in list(module.globals):
        plain = plain_name(name)
        if "__enzyme_" not in plain:
            continue
        variable = module.globals[name]
        values = _values(module, variable.initializer)
        entries = _Entries(module, plain, values, location=module.locations.global_location(variable))
        read = next((r for prefix, r in _PREFIXES.items() if prefix in plain), _unknown)
        found |= read(entries)
    found |= Registrations(inactive=frozenset(name for name in module.functions if CALL_INACTIVE in name))
    found |= _read_attributes(module)
    return found | _of_intrinsics(found, module)


def _values(module: Module, initializer: Constant | None) -> list[Constant]:
    elements = initializer.elements if isinstance(initializer, ConstantAggregate) else (initializer,)
    stripped = [strip_casts(e, module) for e in elements if e is not None]
    return [e for e in stripped if isinstance(e, Constant)]


def _text(module: Module, name: str) -> str | None:
    variable = module.globals.get(name)
    initializer = variable.initializer if variable is not None else None
    return initializer.text.removesuffix("\\00") if isinstance(initializer, ConstantString) else None


# -- attributes

#: an annotation: enzyme:word of enzyme.h, enzyme_word and enzyme_word=argument of the plug-in
_ATTRIBUTE = re.compile(r"enzyme[:_](\w+)(?:=(.*))?")
#: other words for the same: the plug-in annotates functions by its own words, and has one for those that do not block
_SYNONYMS = {"inactivefn": "inactive", "inactive_noblock": "inactive", "inactivenoblockfn": "inactive"}
#: whether the results of a function are stored
_RESULTS = {"mustcache": True, "nocache": False, "shouldrecompute": False}
#: they change no derivative: memory is freed where the program frees it, types are found in any case, and functions
#: that stand for memory are called for each access
_HINTS = frozenset(["nofree", "sparse_accumulate", "elementwise_read", "notypeanalysis", "ta_norecur"])

_ATTRIBUTES = (
    "augment",
    "gradient",
    "derivative",
    "inactive",
    "shadow",
    "preserve_primal",
    "function_like",
    "checkpoint",
)
_SEE_ATTRIBUTES = "see the table of attributes in the interface documentation"


def _read_attributes(module: Module) -> Registrations:
    found, halves = Registrations(), dict[str, dict[str, str]]()
    for name, word, entries in _attributes(module):
        if word in ("augment", "gradient"):
            halves.setdefault(name, {})[word] = entries.symbols(1)[0]
        else:
            found |= _of_attribute(module, name, word, entries)
    for name, words in halves.items():
        if len(words) != 2:
            present = next(iter(words))
            missing = "gradient" if present == "augment" else "augment"
            raise _Entries(module, f"the attribute enzyme({present}) of {plain_name(name)}", []).malformed(
                f"enzyme({missing}) is missing: the two belong together"
            )
    return found | Registrations(gradients={n: (w["augment"], w["gradient"]) for n, w in halves.items()})


def _location(module: Module, name: str) -> str | None:
    if name in module.functions:
        return module.function_location(module.functions[name])
    return module.locations.global_location(module.globals[name]) if name in module.globals else None


def _attributes(module: Module) -> Iterator[tuple[str, str, _Entries]]:
    """Yields each function or global with an attribute, the attribute's word, and its arguments."""
    annotations = module.globals.get("@llvm.global.annotations")
    if annotations is None or not isinstance(annotations.initializer, ConstantAggregate):
        return
    for row in annotations.initializer.elements:  # {symbol, "enzyme:word", file, line, arguments}
        values = _values(module, row)
        if len(values) < 2 or not isinstance(values[0], GlobalRef) or not isinstance(values[1], GlobalRef):
            continue
        match = _ATTRIBUTE.fullmatch(_text(module, values[1].name) or "")
        if match is not None:
            name = values[0].name
            word = _SYNONYMS.get(match[1], match[1])
            title = f"the attribute enzyme({word}) of {plain_name(name)}"
            yield name, word, _Entries(module, title, _arguments(module, values), match[2], _location(module, name))


def _of_attribute(module: Module, name: str, word: str, entries: _Entries) -> Registrations:
    if word == "inactive" and name in module.functions:
        return Registrations(inactive=frozenset([name]))
    if word == "inactive":
        return Registrations(globals=frozenset([name]))
    if word == "derivative":
        return Registrations(derivatives={name: entries.symbols(1)[0]})
    if word == "shadow":
        return Registrations(shadows={name: entries.symbols(1)[0]})
    if word in _RESULTS:
        return Registrations(results={name: _RESULTS[word]})
    if word == "preserve_primal":
        return Registrations(preserving=frozenset([name]))
    if word == "function_like":
        return Registrations(like={name: entries.written or entries.text(0)})
    if word == "checkpoint":
        return Registrations(steps={name: _states(entries)})
    if word in _HINTS:
        return Registrations()
    raise entries.malformed(
        "no attribute has this name",
        did_you_mean(word, {*_ATTRIBUTES, *_SYNONYMS, *_RESULTS, *_HINTS}) + _SEE_ATTRIBUTES,
    )


def _states(entries: _Entries) -> int:
    numbers = [v.value for v in entries.values if isinstance(v, ConstantInt)]
    if len(numbers) != 1 or numbers[0] < 1:
        raise entries.malformed("one number is expected: how many states are stored at a time, at least 1")
    return numbers[0]


def _arguments(module: Module, row: list[Constant]) -> list[Constant]:
    last = row[-1]
    variable = module.globals.get(last.name) if isinstance(last, GlobalRef) and len(row) == 5 else None
    return _values(module, variable.initializer) if variable is not None else []


_INTRINSIC_SUFFIXES = (("", "f64"), ("f", "f32"), ("l", "f80"))


def _of_intrinsics(found: Registrations, module: Module) -> Registrations:
    """Makes a registration for sin hold for llvm.sin.f64, too: compilers turn calls of sin into this intrinsic."""
    names = dict.fromkeys([*found.gradients, *found.derivatives])
    pairs = [(name, intrinsic) for name in names for intrinsic in _intrinsics_of(module, name)]
    return Registrations(
        gradients={i: found.gradients[name] for name, i in pairs if name in found.gradients},
        derivatives={i: found.derivatives[name] for name, i in pairs if name in found.derivatives},
    )


def _intrinsics_of(module: Module, name: str) -> list[str]:
    base = plain_name(name)
    words = [(base.removesuffix(suffix), type_) for suffix, type_ in _INTRINSIC_SUFFIXES if base.endswith(suffix)]
    names = [f"@llvm.{word}.{type_}" for word, type_ in words]
    return [n for n in names if n in module.functions and module.functions[n].type == module.functions[name].type]
