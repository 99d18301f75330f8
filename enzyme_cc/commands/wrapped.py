"""`enzyme wrap`: the lines of Python that make differentiable functions of those in a source file."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence

from enzyme_cc.functions.compilation import Toolchain, compile_sources, defined
from enzyme_cc.functions.interface import suggestion
from enzyme_cc.functions.prototype import CPrototype
from enzyme_cc.functions.sources import BuildRequest


def proposals(file: str, flags: Sequence[str]) -> Iterator[str]:
    """Yields the lines: for each function its prototype, then the call. Raises `CompileError`."""
    request = BuildRequest.of(file, "", None, flags)
    with tempfile.TemporaryDirectory() as folder:
        found = list(defined(compile_sources(request, folder, Toolchain()).inputs))
    yield "import enzyme_cc"
    yield ""
    for prototype in found:
        yield from _proposal(file, prototype, flags)
    if not found:
        yield f"# {file} defines no function for other files"


def _proposal(file: str, prototype: CPrototype, flags: Sequence[str]) -> Iterator[str]:
    yield f"# {prototype}"
    opaque = [name for name, type_ in prototype.parameters if type_.element is None and not type_.function]
    if opaque:
        yield f"# cannot be called: {', '.join(opaque)} is no number, struct or array of these\n"
        return
    name = prototype.name.rpartition("::")[2]
    more = f", flags={list(flags)!r}" if flags else ""
    signature = suggestion(prototype)
    yield f'{name} = enzyme_cc.function("{os.path.relpath(file)}", "{prototype.name}", {signature}{more})\n'
