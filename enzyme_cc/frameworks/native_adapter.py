"""Shared libraries that stand between a framework and compiled functions: built once, on the machine, in the cache."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from enzyme_cc.cache.entries import current
from enzyme_cc.cache.tools import tools_identity
from enzyme_cc.functions.compilation import Toolchain
from enzyme_cc.functions.progress import building
from enzyme_cc.functions.sources import tool


def native_adapter(framework: str, version: str, source: Path, flags: Sequence[str]) -> str:
    """Returns the path of the library made of one C or C++ source with the headers that the framework ships.

    It is built again if the source, the framework's version, the flags or the compilers change. Raises `CompileError`.
    """
    name = f"{source.stem}.so"

    def build(folder: str) -> Sequence[str]:
        compiler = tool("enzyme-cc" if source.suffix == ".c" else "enzyme-c++")
        with building(f"the adapter for {framework}", False) as show:
            command = [compiler, "-O2", "-fPIC", "-shared", str(source), *flags]
            Toolchain(show).run([*command, "-o", os.path.join(folder, name)])
        return (str(source),)

    return current("functions").find_or_build([tools_identity(), framework, version, *flags], build).file(name)
