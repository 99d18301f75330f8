"""Entry points in C of a jitted function's derivatives, and the shared library that holds them."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from numba.core import types

from enzyme_cc.functions.cache import CacheEntry, current, tools_identity
from enzyme_cc.functions.compilation import Toolchain, made_from
from enzyme_cc.functions.errors import SignatureError
from enzyme_cc.functions.progress import building
from enzyme_cc.functions.sources import tool

from .jitted_arguments import ArgumentLeaf, number_type
from .jitted_module import SYMBOL, Lowered

_LIBRARY = "derivatives.so"
REVERSE, FORWARD = "reverse", "forward"
_REQUEST = {REVERSE: "__enzyme_autodiff", FORWARD: "__enzyme_fwddiff"}


@dataclass(frozen=True)
class LoadedDerivatives:
    """The loaded library. `address` maps `REVERSE` and `FORWARD` to functions of one prototype.

    They take what Numba passes for the arguments, pointers to the shadow of each active leaf, to the result and to its
    shadow. They return Numba's status: 0, or that the function has raised an exception.
    """

    address: dict[str, int]
    entry: CacheEntry


@dataclass(frozen=True)
class _Text:
    """The C text for one function."""

    leaves: Sequence[ArgumentLeaf]
    result: types.Type

    @cached_property
    def number(self) -> str:
        scalar = self.result.dtype if isinstance(self.result, types.Array) else self.result
        number = number_type(scalar)
        if number is None:
            raise SignatureError(
                f"the function returns {self.result}, which has no derivative here\n"
                "  remedy: return a float, or an array of float32 or float64"
            )
        return number

    @cached_property
    def words(self) -> list[tuple[str, str, bool]]:
        """(C type, name, whether its shadow is passed too) for each word."""
        return [
            (word, f"a{i}_{k}", k == leaf.active_word)
            for i, leaf in enumerate(self.leaves)
            for k, word in enumerate(leaf.words)
        ]

    @cached_property
    def text(self) -> str:
        declared = ", ".join(["void *result", "void **exception", *(word for word, _, _ in self.words)])
        return "\n".join(
            [
                "#include <enzyme/enzyme.h>",
                "#include <enzyme/numba.h>",
                f"extern int {SYMBOL}({declared});",
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
            f" strides[{rank or 1}]; }} array;"
        )

    @property
    def primal(self) -> str:
        """Numbers come by pointer, so that each has a shadow. Arrays that are returned are copied."""
        stars = ["*" if self._by_pointer(word, on) else "" for word, _, on in self.words]
        parameters = [f"{word} {star}{name}" for star, (word, name, _) in zip(stars, self.words, strict=True)]
        passed = [f", {star}{name}" for star, (_, name, _) in zip(stars, self.words, strict=True)]
        lines = [
            f"static void primal({', '.join([*parameters, f'{self.number} *result', 'int *status'])}) {{",
            "  void *exception = 0;",
            f"  {self._made} made;",
            f"  *status = {SYMBOL}(&made, &exception{''.join(passed)});",
            "  if (*status) return;",
        ]
        return "\n".join([*lines, *self._copy, "}"])

    @property
    def _made(self) -> str:
        return "array" if isinstance(self.result, types.Array) else self.number

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
    def _by_pointer(word: str, active: bool) -> bool:
        return active and word != "void *"

    def entry(self, mode: str) -> str:
        parameters = [f"{word} {name}" for word, name, _ in self.words]
        shadows = [f"void *d{name}" for _, name, on in self.words if on]
        results = [f"{self.number} *result", f"{self.number} *dresult"]
        passed = []
        for word, name, on in self.words:
            value = f"&{name}" if self._by_pointer(word, on) else name
            passed += ["enzyme_dup", value, f"d{name}"] if on else ["enzyme_const", value]
        passed += ["enzyme_dup", "result", "dresult", "enzyme_const", "&status"]
        return (
            f"extern void {_REQUEST[mode]}_of_jitted(void *, ...);\n"
            f"int {mode}({', '.join([*parameters, *shadows, *results])}) {{\n"
            f"  int status = 0;\n  {_REQUEST[mode]}_of_jitted((void *)primal, {', '.join(passed)});\n"
            "  return status;\n}"
        )


def derivatives(lowered: Lowered, leaves: Sequence[ArgumentLeaf]) -> LoadedDerivatives:
    """Returns the loaded derivatives, from the cache or from the compilers.

    Raises `SignatureError` for results without derivative, and `CompileError`.
    """
    c_text = _Text(leaves, lowered.result).text

    def build(folder: str) -> Sequence[str]:
        with building(lowered.name, False) as show:
            return _build(Path(folder), lowered.text, c_text, Toolchain(show))

    entry = current().find_or_build([tools_identity(), "jitted", lowered.text, c_text], build)
    library = ctypes.CDLL(entry.file(_LIBRARY))
    address = {mode: ctypes.cast(getattr(library, mode), ctypes.c_void_p).value or 0 for mode in _REQUEST}
    return LoadedDerivatives(address, entry)


def _build(folder: Path, text: str, c_text: str, tools: Toolchain) -> Sequence[str]:
    """Makes the library in a folder. Returns the headers that were read."""
    (folder / "jitted.ll").write_text(text)
    (folder / "entry.c").write_text(c_text)
    options = ["-O2", "-w", "-Wno-override-module", "-fPIC", "-fno-strict-aliasing", "-march=native"]
    compiled = [str(folder / name) for name in ("entry.o", "jitted.ll")]
    tools.run([tool("enzyme-cc"), "-c", "-MD", *options, str(folder / "entry.c"), "-o", compiled[0]])
    tools.run([tool("enzyme-cc"), "-shared", *options, *compiled, "-lm", "-Wl,-z,defs", "-o", str(folder / _LIBRARY)])
    return [path for path in made_from(folder / "entry.d") if not path.startswith(str(folder))]
