"""The signature of a differentiable function, as the user writes it: `x[n,3], n, const mass[n] -> return`.

A parameter is a name, or a name with its dimensions in brackets. Before it may stand

- `const`: an input without derivative
- `out`: an output; what the array holds before the call does not matter
- `inout`: an input that the function overwrites; its new contents are an output
- `string`: a text. In C, it is a pointer to characters that end with a zero; in Fortran, it is a character
- `handle`: a pointer that the program has made (`Library.constructor`); it has no derivative
- `callback`: a function that the caller passes, with its own signature: `callback rhs(t, y[n], out dy[n])`. What it
  returns in C is known; in Fortran, it is written: `callback f(x -> return)`
- `global`: a variable of the program, which no call passes: `global params.g`, `const global g`, `out global total`.
  Its name for the caller is `params_g`

A dimension that is no parameter is free: arrays that name it have the same extent there. `:` is a free dimension of its
own (`u[:,:]`).

`-> return` says that the function's result is an output. A type of NumPy may stand before the name (`float32 x[n]`); it
is needed for functions without debug information.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from .dimensions import Extent, ExtentError
from .errors import SignatureError
from .prototype import NUMBERS

IN, CONST, OUT, INOUT, HANDLE, RETURN = "in", "const", "out", "inout", "handle", "return"
GLOBAL, CALLBACK, STRING = "global", "callback", "string"
_ROLES = (CONST, OUT, INOUT, HANDLE, CALLBACK, STRING, IN)
_ARROW = r"->(?![^(]*\))"  # outside brackets
_SEPARATOR = r"\.|::"
_PARAMETER = (
    rf"(?P<words>(?:\w+\s+)*)(?P<name>[A-Za-z_]\w*(?:(?:{_SEPARATOR})\w+)*)"
    r"\s*(?:\[(?P<dimensions>[^\]]*)\]|\((?P<inside>[^)]*)\))?"
)


class WrittenParameter(NamedTuple):
    """A parameter as the signature has it. `dimensions` is None without brackets, `dtype` None without a type.

    `variable` is the name of a variable of the program, with its modules or namespaces: params::g. `callback` is the
    signature of a function that the caller passes.
    """

    name: str
    role: str
    dimensions: tuple[Extent, ...] | None = None
    dtype: str | None = None
    variable: str | None = None
    callback: ArraySignature | None = None

    def __str__(self) -> str:
        words = [*([] if self.role == IN else [self.role]), *([self.dtype] if self.dtype else [])]
        words += [self.name] if self.variable is None else [GLOBAL, self.variable]
        inside = (
            "" if self.dimensions is None or self.role == STRING else f"[{', '.join(d.text for d in self.dimensions)}]"
        )
        inside += "" if self.callback is None else f"({self.callback})"
        return " ".join(words) + inside


class ArraySignature(NamedTuple):
    """A whole signature. `result` is None without `-> return`, else the dtype before `return`, which may be empty."""

    parameters: tuple[WrittenParameter, ...]
    result: str | None = None

    @property
    def has_variables(self) -> bool:
        """True if a parameter is a variable of the program."""
        return any(parameter.variable is not None for parameter in self.parameters)

    def __str__(self) -> str:
        result = "" if self.result is None else f" -> {self.result} return".replace("  ", " ")
        return ", ".join(map(str, self.parameters)) + result


def parse(text: str) -> ArraySignature:
    """Returns the signature that the text describes. Raises `SignatureError`."""
    left, *arrows = re.split(_ARROW, text, maxsplit=1)
    right = "".join(arrows)
    result = None
    if arrows:
        *types, word = right.split() or [""]
        if word != RETURN or len(types) > 1 or not set(types) <= NUMBERS.keys():
            raise SignatureError(f"after -> stands return; the signature has {right.strip()!r}: {text}")
        result = "".join(types)
    parameters = tuple(_parameter(part, text) for part in _parts(left))
    names = [parameter.name for parameter in parameters]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise SignatureError(f"{twice} occurs twice in the signature {text!r}")
    return ArraySignature(parameters, result)


def free_dimensions(name: str, rank: int) -> tuple[Extent, ...]:
    """Returns the names of the free dimensions of an array."""
    return tuple(Extent(f"{name}_{axis}") for axis in range(1, rank + 1))


def _parts(text: str) -> list[str]:
    """Returns the parameters: split at the commas outside brackets."""
    parts = re.split(r",(?![^\[]*\])(?![^(]*\))", text)
    return [] if parts == [""] or not text.strip() else [part.strip() for part in parts]


def _parameter(part: str, whole: str) -> WrittenParameter:
    match = re.fullmatch(_PARAMETER, part)
    if match is None:
        raise SignatureError(
            f"{part!r} is no parameter: it has the form [{'|'.join((*_ROLES[:-1], GLOBAL))}] name[dimensions],"
            f" in {whole!r}"
        )
    words = match["words"].split()
    is_global = GLOBAL in words
    words = [word for word in words if word != GLOBAL]
    path = re.split(_SEPARATOR, match["name"])
    if len(path) > 1 and not is_global:
        raise SignatureError(f"{part!r} has the name of a variable: write global {match['name']}, in {whole!r}")
    roles = [word for word in words if word in _ROLES]
    types = [word for word in words if word in NUMBERS]
    if len(roles) > 1 or len(types) > 1 or len(roles) + len(types) < len(words):
        known = ", ".join([*_ROLES[:-1], GLOBAL])
        raise SignatureError(f"{part!r} has unknown words before the name; {known} are known, in {whole!r}")
    dimensions = None
    if match["dimensions"] is not None:
        if not match["dimensions"].strip():
            raise SignatureError(f"{part!r} has no dimension in its brackets, in {whole!r}")
        try:
            texts = match["dimensions"].split(",")
            free = free_dimensions(match["name"], len(texts))
            dimensions = tuple(d if t.strip() == ":" else Extent.parse(t) for t, d in zip(texts, free, strict=True))
        except ExtentError as error:
            raise SignatureError(f"{error}, in {whole!r}") from None
    role = roles[0] if roles else IN
    if role == STRING and (dimensions is not None or is_global or types):
        raise SignatureError(f"{part!r} is a string, which has a name alone: string {match['name']}, in {whole!r}")
    dimensions = (Extent(f"{match['name']}_bytes"),) if role == STRING else dimensions
    if is_global and (dimensions is not None or role == HANDLE):
        raise SignatureError(f"{part!r} is a variable, whose type gives its dimensions, in {whole!r}")
    if (role == CALLBACK) is not (match["inside"] is not None):
        raise SignatureError(f"{part!r}: a callback has its parameters in brackets, (x, out y[n]), in {whole!r}")
    variable = "::".join(path) if is_global else None
    callback = None if match["inside"] is None else parse(match["inside"])
    return WrittenParameter("_".join(path), role, dimensions, types[0] if types else None, variable, callback)
