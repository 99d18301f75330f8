"""Other tools for derivatives: those that overload operators of C++, and array frameworks.

A tool is there if the compiler finds its headers (in the folders of $CPATH, too) or the interpreter its module.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sysconfig
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
OVERLOADING = HERE / "overloading"
# where pip puts CppAD (cmeel-cppad)
CMEEL = Path(sysconfig.get_paths()["purelib"]) / "cmeel.prefix"
SEARCHED = (f"-I{CMEEL}/include", f"-L{CMEEL}/lib", f"-Wl,-rpath,{CMEEL}/lib") if CMEEL.exists() else ()


@dataclass(frozen=True)
class Overloading:
    adapter: str  # in overloading/
    header: str
    source: str  # where to get it
    libraries: tuple[str, ...] = ()

    def found(self, compiler: str) -> bool:
        words = (compiler, "-E", "-x", "c++", *SEARCHED[:1], "-")
        line = f"#include <{self.header}>"
        return subprocess.run(words, input=line, capture_output=True, text=True).returncode == 0


@dataclass(frozen=True)
class Arrays:
    module: str
    source: str

    def found(self, _: str) -> bool:
        return importlib.util.find_spec(self.module) is not None


TOOLS: dict[str, Overloading | Arrays] = {
    "ADOL-C": Overloading("adolc.hpp", "adolc/adolc.h", "Debian's libadolc-dev", ("-ladolc",)),
    "CppAD": Overloading("cppad.hpp", "cppad/cppad.hpp", "PyPI's cmeel-cppad", ("-lcppad_lib",)),
    "CoDiPack": Overloading("codipack.hpp", "codi.hpp", "its repository, `include` in $CPATH"),
    "Adept": Overloading(
        "adept.hpp", "adept_source.h", "its repository, after include/create_adept_source_header, `include` in $CPATH"
    ),
    "JAX": Arrays("jax", "PyPI's jax"),
    "PyTorch": Arrays("torch", "PyPI's torch"),
}
# Jacobians, and derivatives of derivatives
NO_GRADIENT = ("ba", "hand_tracking", "kmeans", "saddle", "particle")
# what overloading/overloading.cpp does not do; the last one is in Fortran
NOT_OVERLOADED = (*NO_GRADIENT, "heat")
