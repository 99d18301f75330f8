"""Writes docs/libraries.md from toolchain/derivatives: `python -m tests.docs.library_page`."""

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "libraries.md"
FOLDER = ROOT / "toolchain" / "derivatives"

_INTRODUCTION = """\
# Libraries as binaries: BLAS and LAPACK

A program may call these functions of a library without bitcode, such as OpenBLAS, the reference BLAS or MKL. They
differentiate in all modes, several directions at once and second derivatives included, from C, C++ and Fortran. The
derivative calls the same library. `python -m tests.docs.library_page` writes this page from `toolchain/derivatives`.

    enzyme-cc program.c -o program -lopenblas

- Types: `s` and `d`. Complex ones (`c`, `z`) and functions that are not listed are refused by name (EZ0302).
- Names: Fortran's (`dgemm_`, `dgemm`), CBLAS's (`cblas_dgemm`) and LAPACKE's (`LAPACKE_dpotrf`), by rows and columns.
  `gels`, `gesvd` and `gesdd` have Fortran's names only.
  With 64-bit integers: `dgemm_64_`, `dgemm_64`, `dgemm64_`, and the plain names if the library's file name contains 64.
  Routines of LAPACK that take pivots or work arrays, and `trtrs`, are refused there.
- The library must have Fortran's names, which the derivatives call. `gslcblas` does not have them.
- If the library is linked with its bitcode, that is differentiated.
- A project adds functions of other libraries by a file of the same form:
  [extending.md](extending.md#a-function-of-a-library-without-bitcode).

Conventions:

- With beta = 0, BLAS does not read the matrix or vector that beta scales. The derivative by beta is 0 then.
- The derivative by alpha is right where alpha = 0, as line searches need it.
- `nrm2` at 0 has the derivative 0, and `asum` at 0 has 1 in each element. `iamax` has none. `rotg` has that of the
  branch that it takes.
- Eigenvectors of equal eigenvalues, and singular vectors of equal singular values or of 0, have no derivative. The
  program ends with a message if one is asked for.
- If a factorisation fails (`info` > 0), adjoints and tangents stay as they are.

## BLAS, level 3, and LAPACK

Each has a derivative by other routines of the library. *Active* arguments may carry derivatives. What a constant
argument would get is neither computed nor kept. The next two columns say what the derivative may need of memory. What
nobody overwrites until then is used where it lies. `X before` and `X after` are what X holds before and after the call.
The last column lists the routines that the reverse sweep may call.

| routine | active | copied if others overwrite it | copied | the reverse sweep calls |
|---|---|---|---|---|
"""
_NOTE = """
`trtrs` is `trsm` with a test of the diagonal. `syevd` is `syev`, and `gesdd` is `gesvd`. They always
compute the vectors. `gels` has a
derivative of the solution alone, for matrices with no more columns than rows, not transposed. If the program reads the
factors or the residual, reverse mode ends it with a message, and their tangents are NaN.
"""
_VECTORS = """
## BLAS, levels 1 and 2

They are bound by memory, so they have bodies in C, which are differentiated like the program's own code.

"""
_MATHEMATICS = """
## Mathematical functions

- `libm`, also `_Float128` and `__float128` by its own names: [conventions.md](conventions.md).
- `libquadmath`: all functions, also complex ones.
- `libmvec` and SLEEF (`_ZGVdN4v_sin`): the rule of the scalar function, lane by lane. `_ZGVbN2vvv_sincos` and its like
  take vectors of pointers, and are refused (EZ0302).

Pointers to functions that other code stores reach all functions of this page.
"""
_LIST = re.compile(r"^#define (\w+)\(V, R, W, I\)(.*?[^\\])$", re.M | re.S)
_DERIVATIVE = re.compile(r"^DERIVATIVE\((\w+), (\w+)\)$", re.M)
_KEEP = re.compile(
    r"OWN\(keep\)\(&s, \d+, (?P<need>.*?), (?P<stays>UNCHANGED\(\d+\)|0), (?P<what>\w+), .*moment == (?P<when>\w+)"
)
_CALL = re.compile(r"\b(?:ROUTINE|OWN)\((\w+)\)\s*\(library")
_NAME = re.compile(r"^(?:INLINED T )?F(?:_NAME)?\((\w+)\)", re.M)
_SHAPED = re.compile(r"^ON_TRIANGLES\((\w+),", re.M)
_SOLVED = re.compile(r"^TRIANGLES_SOLVED\((\w+),", re.M)


def document() -> str:
    """Returns the text of docs/libraries.md."""
    sources = "\n".join(
        (FOLDER / name).read_text()
        for name in (
            "blas_level3.h",
            "lapack_cholesky.h",
            "lapack_lu.h",
            "lapack_eigen.h",
            "lapack_inverse.h",
            "lapack_svd.h",
        )
    )
    lists = {name: " ".join(text.replace("\\", " ").split()) for name, text in _LIST.findall(sources)}
    routines = dict(_DERIVATIVE.findall(sources))
    rows = "".join(_row(name, lists[routines[name]], sources, frozenset(routines)) for name in routines)
    return f"{_INTRODUCTION}{rows}{_NOTE}{_VECTORS}{_vectors()}{_MATHEMATICS}"


def _row(name: str, arguments: str, sources: str, routines: frozenset[str]) -> str:
    active = re.findall(r"\b[RW]\((\w+)\)", arguments)
    kept = list(_KEEP.finditer(_body(f"KEPT SAVED({name})", sources)))
    changing = [_told(match) for match in kept if match["stays"] != "0"]
    always = [_told(match) for match in kept if match["stays"] == "0"]
    calls = sorted(set(_calls(_body(f"void REVERSE({name})", sources), sources, routines)))
    cells = [
        f"`{name}`",
        *(", ".join(f"`{word}`" if word in active else word for word in c) for c in (active, changing, always)),
        ", ".join(f"`{c}`" for c in calls),
    ]
    return f"| {' | '.join(cells)} |\n".replace("|  |", "| |")


def _told(match: re.Match[str]) -> str:
    is_scalar = match["what"] in ("alpha", "beta")
    return f"`{match['what']}`" + ("" if is_scalar else f" {match['when'].lower()}")


def _body(head: str, sources: str) -> str:
    start = sources.index(head)
    return sources[start : sources.index("\n}\n", start)]


def _calls(body: str, sources: str, routines: frozenset[str], seen: frozenset[str] = frozenset()) -> Iterator[str]:
    """Yields the routines that a function calls, also through helpers."""
    for name in _CALL.findall(body):
        if name in routines:
            yield name
        elif name not in seen and f"void OWN({name})(" in sources:
            yield from _calls(_body(f"void OWN({name})(", sources), sources, routines, seen | {name})


def _vectors() -> str:
    text = (FOLDER / "blas_vectors.h").read_text()
    names = [
        *_NAME.findall(text),
        *(f"{shape}mv" for shape in _SHAPED.findall(text)),
        *_SOLVED.findall(text),
        "iamax",
        "dsdot",
        "sdsdot",
    ]
    return ", ".join(f"`{name}`" for name in sorted(set(names))) + ".\n"


if __name__ == "__main__":
    PAGE.write_text(document())
