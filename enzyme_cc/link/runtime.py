"""Finds the runtime's bitcode: in the installed package, or made from the sources of a source tree."""

from __future__ import annotations

import glob
import importlib.resources
import os
import shutil
import subprocess

from enzyme_cc.report import EnzymeError

NAME = "runtime.bc"

# The names that the runtime's functions start with.
PREFIX = "__ez_"

_COMPILERS = ("clang-22", "clang-21", "clang-20", "clang-19", "clang")
_FLAGS = ("-std=c11", "-O2", "-Xclang", "-disable-llvm-passes", "-fPIC", "-c", "-emit-llvm", "-x", "c", "-", "-o", "-")


def bitcode() -> bytes:
    """Return the runtime's module. Raises `EnzymeError` (EZ0113)."""
    package = importlib.resources.files("enzyme_cc")
    resource = package / "data" / NAME
    if resource.is_file():
        return resource.read_bytes()
    return _from_sources(os.path.join(str(package), os.pardir, "toolchain"))


def _from_sources(toolchain: str) -> bytes:
    sources = sorted(glob.glob(os.path.join(toolchain, "runtime", "*.c")))
    clang = os.environ.get("ENZYME_CC_CLANG") or next(filter(shutil.which, _COMPILERS), None)
    if not sources or clang is None:
        raise EnzymeError.of("EZ0113", f"the runtime {NAME} is missing from the package")
    text = "".join(f'#include "{os.path.abspath(source)}"\n' for source in sources)
    command = [clang, *_FLAGS, "-I", os.path.join(toolchain, "include")]
    done = subprocess.run(command, input=text.encode(), capture_output=True)
    if done.returncode:
        raise EnzymeError.of("EZ0113", "the runtime cannot be compiled", reason=done.stderr.decode(errors="replace"))
    return done.stdout
