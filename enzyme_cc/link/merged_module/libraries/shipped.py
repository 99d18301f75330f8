"""Finds the shipped bitcode: in the installed package, or compiled from the sources of a source tree."""

from __future__ import annotations

import glob
import importlib.resources
import os
import shutil
import subprocess
from enum import Enum

from enzyme_cc.report import EnzymeError

_COMPILERS = ("clang-22", "clang-21", "clang-20", "clang-19", "clang")
_WIDE = "_64"
# what stand-ins call may throw
_EXCEPTIONS = {"stand_ins": ["-fexceptions"]}
_FLAGS = ("-std=gnu11", "-O2", "-Xclang", "-disable-llvm-passes", "-fPIC", "-nostdlibinc", "-c", "-emit-llvm")


class Shipped(Enum):
    """A shipped module. Its value is its name, and that of the folder under toolchain/ with its sources.

    A module of which there is one for libraries with 64-bit integers, too, has the same sources for both.
    """

    RUNTIME = "runtime"  # the functions that generated code calls
    STAND_INS = "stand_ins"  # bodies of library functions that have no bitcode
    DERIVATIVES = "derivatives"  # derivatives of library functions that have no bitcode
    DERIVATIVES_64 = "derivatives_64"
    NATIVES = "natives"  # what derivatives call, and what the linker calls in the place of library functions

    @property
    def label(self) -> str:
        return f"{self.value}.bc"

    def bitcode(self, architecture: str) -> bytes:
        """Returns the module for an architecture, such as x86_64. Raises `EnzymeError` (EZ0113)."""
        package = importlib.resources.files("enzyme_cc")
        resource = package / "data" / architecture / self.label
        if resource.is_file():
            return resource.read_bytes()
        return self._from_sources(os.path.join(str(package), os.pardir, "toolchain"), architecture)

    def _from_sources(self, toolchain: str, architecture: str) -> bytes:
        folder = self.value.removesuffix(_WIDE)
        sources = sorted(glob.glob(os.path.join(toolchain, folder, "*.c")))
        clang = os.environ.get("ENZYME_CC_CLANG") or next(filter(shutil.which, _COMPILERS), None)
        if not sources or clang is None:
            raise EnzymeError.of("EZ0113", f"{self.label} for {architecture} is missing from the package")
        text = "".join(f'#include "{os.path.abspath(source)}"\n' for source in sources)
        folders = ["-isystem", os.path.join(toolchain, "headers"), "-I", os.path.join(toolchain, "include")]
        wide = ["-DEZ_WIDE"] if self.value.endswith(_WIDE) else []
        flags = [*_FLAGS, *wide, *_EXCEPTIONS.get(self.value, [])]
        command = [clang, f"--target={architecture}-linux-gnu", *flags, *folders, "-x", "c", "-", "-o", "-"]
        done = subprocess.run(command, input=text.encode(), capture_output=True)
        if done.returncode:
            reason = done.stderr.decode(errors="replace")
            raise EnzymeError.of("EZ0113", f"{self.label} cannot be compiled", reason=reason)
        return done.stdout


# The names that the runtime's functions start with.
RUNTIME_PREFIX = "__ez_"
