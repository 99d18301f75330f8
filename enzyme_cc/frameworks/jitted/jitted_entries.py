"""Entry points in C of a jitted function's derivatives, and the shared library that holds them."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from msgspec import Struct
from numba.core import types

from enzyme_cc.cache.entries import CacheEntry, current
from enzyme_cc.cache.tools import tools_identity
from enzyme_cc.functions.compilation import SHARED, Toolchain, made_from
from enzyme_cc.functions.errors import SignatureError
from enzyme_cc.functions.progress import building
from enzyme_cc.functions.sources import tool

from .jitted_arguments import ArgumentLeaf, number_type
from .jitted_module import Lowered
from .linked_symbols import LinkedPart, define, parts_of

_LIBRARY = "derivatives.so"
REVERSE, FORWARD = "reverse", "forward"
_REQUEST = {REVERSE: "__enzyme_autodiff", FORWARD: "__enzyme_fwddiff"}


class LoadedDerivatives(Struct, frozen=True):
    """The loaded library. `symbols` maps `REVERSE` and `FORWARD` to functions of one prototype.

    They take what Numba passes for the arguments, pointers to the shadow of each active leaf, to the result and to its
    shadow. They return Numba's status: 0, or that the function has raised an exception.
    """

    symbols: dict[str, str]
    entry: CacheEntry


class _Text(Struct, frozen=True, dict=True):
    """The C text for one function."""

    symbol: str
    leaves: Sequence[ArgumentLeaf]
    result: types.Type

    @cached_property
    def number(self) -> str:
        scalar = self.result.dtype if isinstance(self.result, types.Array) else self.result
        number = number_type(scalar)
        if number is None or isinstance(scalar, types.Complex):
            raise SignatureError(
                f"the function returns {self.result}, which has no derivative here\n"
                "  remedy: return a float, or an array of float32 or float64"
            )
        return number

    @cached_property
    def words(self) -> list[tuple[str, str, str]]:
        """(C type, name, expression of its shadow or nothing) for each word."""
        return [
            (
                word,
                f"a{i}_{k}",
                f"({leaf.number} *)d{i} + {leaf.active_words.index(k)}" if k in leaf.active_words else "",
            )
            for i, leaf in enumerate(self.leaves)
            for k, word in enumerate(leaf.words)
        ]

    @cached_property
    def text(self) -> str:
        declared = ", ".join(["void *result", "void **exception", *(word for word, _, _ in self.words)])
        return "\n".join(
            [
                f"extern int {self.symbol}({declared});",
                self.array_type,
                self.primal,
                self.entry(REVERSE),
                self.entry(FORWARD),
            ]
        )

    @property
    def array_type(self) -> str:
        if not isinstance(self.result, types.Array):
            return ""
        rank = self.result.ndim
        return (
            f"typedef struct {{ void *block, *parent; int64_t count, size; char *data; int64_t shape[{rank or 1}],"
            f" strides[{rank or 1}]; }} {self.symbol}_array;"
        )

    @property
    def primal(self) -> str:
        """Numbers come by pointer, so that each has a shadow. Arrays that are returned are copied."""
        stars = ["*" if self._by_pointer(word, shadow) else "" for word, _, shadow in self.words]
        parameters = [f"{word} {star}{name}" for star, (word, name, _) in zip(stars, self.words, strict=True)]
        passed = [f", {star}{name}" for star, (_, name, _) in zip(stars, self.words, strict=True)]
        lines = [
            f"static void {self.symbol}_primal({', '.join([*parameters, f'{self.number} *result', 'int *status'])}) {{",
            "  void *exception = 0;",
            f"  {self._made} made;",
            f"  *status = {self.symbol}(&made, &exception{''.join(passed)});",
            "  if (*status) return;",
        ]
        return "\n".join([*lines, *self._copy, "}"])

    @property
    def _made(self) -> str:
        return f"{self.symbol}_array" if isinstance(self.result, types.Array) else self.number

    @property
    def _copy(self) -> list[str]:
        if not isinstance(self.result, types.Array):
            return ["  *result = made;"]
        rank = range(self.result.ndim)
        loops = [f"{'  ' * (i + 1)}for (int64_t i{i} = 0; i{i} < made.shape[{i}]; i{i}++)" for i in rank]
        offset = "".join(f" + i{i} * made.strides[{i}]" for i in rank)
        copied = f"{'  ' * (len(rank) + 1)}*result++ = *({self.number} *)(made.data{offset});"
        return [*loops, copied, "  NRT_decref(made.block);"]

    @staticmethod
    def _by_pointer(word: str, shadow: str) -> bool:
        return shadow != "" and word != "void *"

    def entry(self, mode: str) -> str:
        parameters = [f"{word} {name}" for word, name, _ in self.words]
        shadows = [f"void *d{i}" for i, leaf in enumerate(self.leaves) if leaf.active_words]
        results = [f"{self.number} *result", f"{self.number} *dresult"]
        passed = []
        for word, name, shadow in self.words:
            value = f"&{name}" if self._by_pointer(word, shadow) else name
            passed += ["enzyme_dup", value, shadow] if shadow else ["enzyme_const", value]
        passed += ["enzyme_dup", "result", "dresult", "enzyme_const", "&status"]
        return (
            f"extern void {_REQUEST[mode]}_of_jitted(void *, ...);\n"
            f"int {self.symbol}_{mode}({', '.join([*parameters, *shadows, *results])}) {{\n"
            f"  int status = 0;\n  {_REQUEST[mode]}_of_jitted((void *){self.symbol}_primal, {', '.join(passed)});\n"
            "  return status;\n}"
        )


def derivatives(lowered: Lowered, leaves: Sequence[ArgumentLeaf]) -> LoadedDerivatives:
    """Returns the loaded derivatives, from the cache or from the compilers.

    Raises `SignatureError` for results without derivative, and `CompileError`.
    """
    part = LinkedPart(lowered.text, _Text(lowered.symbol, leaves, lowered.result).text)
    parts = (*parts_of(lowered.text), part)

    def build(folder: str) -> Sequence[str]:
        with building(lowered.name, False) as show:
            return _build(Path(folder), parts, Toolchain(show))

    words = [text for part in parts for text in part.texts]
    entry = current("functions").find_or_build([tools_identity(), "jitted", *words], build)
    library = ctypes.CDLL(entry.file(_LIBRARY))
    symbols = {mode: f"{lowered.symbol}_{mode}" for mode in _REQUEST}
    addresses = {name: ctypes.cast(getattr(library, name), ctypes.c_void_p).value or 0 for name in symbols.values()}
    define(addresses, part)
    return LoadedDerivatives(symbols, entry)


def _build(folder: Path, parts: Sequence[LinkedPart], tools: Toolchain) -> Sequence[str]:
    """Makes the library in a folder. Returns the headers that were read."""
    head = ["#include <enzyme/enzyme.h>", "#include <enzyme/numba.h>"]
    (folder / "entry.c").write_text("\n".join([*head, *(part.c_text for part in parts)]))
    target = ["-O2", "-fPIC", "-march=native"]
    options = [*target, "-w", "-Wno-override-module", "-fno-strict-aliasing"]
    compiled = str(folder / "entry.o")
    tools.run([tool("enzyme-cc"), "-c", "-MD", *options, str(folder / "entry.c"), "-o", compiled])
    inputs = []
    for i, part in enumerate(part for part in parts if part.module):
        module, output = folder / f"jitted{i}.ll", str(folder / f"jitted{i}.o")
        module.write_text(part.module)
        tools.run([tool("enzyme-cc"), "-c", *options, str(module), "-o", output])
        inputs.append(output)
    linked = [word for part in parts for word in part.linked]
    command = [_driver(parts), *SHARED, *target, compiled, *inputs, *linked, "-lm", "-Wl,-z,defs"]
    tools.run([*command, "-o", str(folder / _LIBRARY)])
    return [path for path in made_from(folder / "entry.d") if not path.startswith(str(folder))]


def _driver(parts: Sequence[LinkedPart]) -> str:
    """Returns the compiler that links all parts: that of C++ or Fortran where a part needs it."""
    found = {os.path.basename(part.driver): part.driver for part in parts}
    return next((found[name] for name in ("enzyme-fc", "enzyme-c++") if name in found), tool("enzyme-cc"))
