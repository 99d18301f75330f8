"""Random C++ functions built into one program, as program.py builds those in C.

The functions are compiled in three namespaces: for double, which is differentiated, for double with a trace of
conditions, and for Step, a complex number that compares as its real part.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from .generate import Source
from .program import CLANG, ENZYME_CC, HERE, Program

_HEADERS = """algorithm any array cmath complex cstdio cstdlib cstring deque functional list map memory numeric optional
queue set stdexcept string tuple unordered_map utility variant vector""".split()
_COMMON = (
    "".join(f"#include <{name}>\n" for name in _HEADERS)
    + """
using std::fabs, std::fmax, std::isfinite, std::isnan;

/* A complex number in the place of a real one. */
struct Step {
  std::complex<double> z;
  Step(double re = 0) : z(re) {}
  Step(std::complex<double> z) : z(z) {}
  Step &operator+=(Step o) { return z += o.z, *this; }
  Step &operator-=(Step o) { return z -= o.z, *this; }
  Step &operator*=(Step o) { return z *= o.z, *this; }
  Step &operator/=(Step o) { return z /= o.z, *this; }
  friend Step operator+(Step l, Step r) { return l += r; }
  friend Step operator-(Step l, Step r) { return l -= r; }
  friend Step operator*(Step l, Step r) { return l *= r; }
  friend Step operator/(Step l, Step r) { return l /= r; }
  Step operator-() const { return -z; }
};
"""
)
_JUDGED = """typedef Step complex_number;
static const Step I = std::complex<double>(0, 1);
static double creal(Step a) { return a.z.real(); }
static double cimag(Step a) { return a.z.imag(); }
"""


def _instance(name: str, real: str, condition: str, functions: bool = True, methods: bool = True) -> str:
    """The functions, the methods of classes that have them elsewhere, or both, in a namespace.

    The functions have a global that C code would find by its name.
    """
    return f"""#define REAL {real}
#define COND(c) {condition}
#define FUNCTIONS {functions:d}
#define METHODS {methods:d}
#define global state_{name}
extern "C" {{ {"" if functions else "extern "}REAL global[4]; }}
namespace {name} {{
#include "{HERE}/runtime.hpp"
#include "functions.inc"
}}
#undef REAL
#undef COND
#undef FUNCTIONS
#undef METHODS
#undef global
"""


class CxxProgram(Program):
    """Random C++ functions in a folder of their own."""

    suffix = ".cpp"
    compiler = (CLANG.replace("clang", "clang++", 1), "-std=c++17")
    enzyme = (ENZYME_CC.with_name("enzyme-c++"), "-std=c++17")
    language = "C++"

    def primal(self, source: Source) -> str:
        return f"d::{source.name}"

    def __init__(self, folder: Path, sources: Sequence[Source]) -> None:
        super().__init__(folder, sources)
        if any("#if METHODS" in source.text() for source in self.sources):
            self.inputs = ("methods.cpp",)
            (folder / "methods.cpp").write_text(_COMMON + _instance("d", "double", "(c)", functions=False))

    def differentiated(self) -> str:
        return _COMMON + _instance("d", "double", "(c)", methods=False)

    def reference(self) -> str:
        trace = "static unsigned long trace_hash;\n"
        traced = "static inline int traced(int c) { trace_hash = trace_hash * 7 + c + 1; return c; }\n"
        parts = [_COMMON, _JUDGED, trace, traced]
        for kind, name, real in (("real", "t", "double"), ("complex", "c", "Step")):
            parts.append(_instance(name, real, "traced(c)"))
            names = ", ".join(f"{name}::{s.name}" for s in self.sources)
            parts.append(f"static {real} (*const {kind}_functions[])({real} *) = {{{names}}};\n")
        return "".join(parts)
