"""`enzyme_cc.function`: a compiled function as a differentiable function of arrays."""

from __future__ import annotations

import os
from collections.abc import Iterable

from .compiled import Compiled, EntryPoint, compiled
from .interface import Interface
from .sources import BuildRequest

Path = str | os.PathLike[str]


class DifferentiableFunction:
    """A differentiable function of arrays."""

    def __init__(self, built: Compiled) -> None:
        self.compiled = built
        self.interface: Interface = built.interface
        self.__name__ = built.interface.prototype.name

    def entry_point(self, kind: str, width: int = 1) -> EntryPoint:
        """Returns the C entry point of the primal, vjp, jvp or hvp."""
        return self.compiled.entry_point(kind, width)

    def __repr__(self) -> str:
        return f"<enzyme_cc.function {self.interface}>"


def function(
    sources: Path | Iterable[Path],
    name: str,
    signature: str | None = None,
    *,
    flags: str | Iterable[str] = (),
    libraries: Iterable[Path] = (),
    include: Iterable[Path] = (),
    verbose: bool = False,
) -> DifferentiableFunction:
    """Compiles a function of C, C++, Fortran, Rust or LLVM IR and returns it as a differentiable function.

    Raises `CompileError` and `SignatureError`.
    """
    return DifferentiableFunction(
        compiled(BuildRequest.of(sources, name, signature, flags, libraries, include), verbose)
    )
