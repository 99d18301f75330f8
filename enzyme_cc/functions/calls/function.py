"""`enzyme_cc.function`: a compiled function as a differentiable function of arrays."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from ..compiled import compiled
from ..sources import PROJECT, BuildRequest
from .differentiable import DifferentiableFunction

AnyPath = str | os.PathLike[str]


def function(
    sources: AnyPath | Iterable[AnyPath],
    name: str,
    signature: str | None = None,
    *,
    flags: str | Iterable[str] = (),
    libraries: Iterable[AnyPath] = (),
    include: Iterable[AnyPath] = (),
    verbose: bool = False,
    isolated: bool = False,
    debug: bool = False,
) -> Any:
    """Compiles a function of C, C++, Fortran, Rust or LLVM IR and returns it as a differentiable function.

    - `sources` are one file or several: sources, LLVM IR or bitcode, and objects and static libraries of enzyme-cc.
    - `name` is the function's name in the source, or its symbol.
    - `signature` is described in docs/python.md. Without one, the prototype gives it if it can.
    - `flags` are for the compilers, `libraries` are names for `-l` or paths, `include` are folders with headers.
    - `verbose` shows the commands that are run.
    - `isolated` runs the function in a child process: if it crashes, the call raises `Crash`.
    - `debug` checks each call: outputs that are too small, inputs that are written to, derivatives (`DebugFunction`).

    What is built is kept in a cache. Raises `CompileError` and `SignatureError`.
    """
    request = BuildRequest.of(sources, name, signature, flags, libraries, include)
    return differentiable(request, verbose, isolated, debug)


def differentiable(request: BuildRequest, verbose: bool = False, isolated: bool = False, debug: bool = False) -> Any:
    """Returns the function of a request. Raises `CompileError` and `SignatureError`."""
    if any(source.language == PROJECT for source in request.sources):
        raise ValueError(f"{request.sources[0].path} is a CMake project: enzyme_cc.library makes a target of it")
    if debug and (isolated or request.signature is None):
        raise ValueError("debug needs a signature, and excludes isolated")
    built = compiled(request, verbose)
    if debug:
        from .debugging import DebugFunction

        return DebugFunction.of_built(built)
    if isolated:
        from .isolated import IsolatedFunction

        return IsolatedFunction(built)
    if built.interface.any_shape:
        from .any_shape import AnyShapeFunction

        return AnyShapeFunction(built)
    return DifferentiableFunction(built)


def load(
    library: AnyPath,
    name: str,
    signature: str | None = None,
    *,
    libraries: Iterable[AnyPath] = (),
    flags: str | Iterable[str] = (),
    verbose: bool = False,
    isolated: bool = False,
    debug: bool = False,
) -> Any:
    """Returns a function of a static library or object that another build system made with enzyme-cc.

    The parameters are those of `function`.
    """
    return function(
        library,
        name,
        signature,
        libraries=libraries,
        flags=flags,
        verbose=verbose,
        isolated=isolated,
        debug=debug,
    )
