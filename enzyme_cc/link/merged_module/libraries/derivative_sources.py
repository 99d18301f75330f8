"""Compiles the derivatives that a project brings for functions without bitcode (--enzyme-derivatives=FILE.c)."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

from enzyme_cc.link.process.scratch import Scratch
from enzyme_cc.report import EnzymeError

_COMPILERS = ("clang-22", "clang")
_OPTIONS = ("-O2", "-Xclang", "-disable-llvm-passes", "-fPIC", "-c", "-emit-llvm")


def compiled(source: str, clang: str, scratch: Scratch) -> bytes:
    """Returns the bitcode of a C file with derivatives. Raises `EnzymeError` (EZ0116)."""
    compiler = clang or next(filter(shutil.which, _COMPILERS), "clang")
    made = scratch.path("derivatives.bc")
    command = [compiler, *_OPTIONS, "-I", os.path.join(sys.prefix, "include"), source, "-o", made]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    if done.returncode:
        raise EnzymeError.of("EZ0116", f"{source} cannot be compiled", reason=done.stderr.strip())
    with open(made, "rb") as file:
        return file.read()
