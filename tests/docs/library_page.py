"""Writes docs/libraries.md from toolchain/derivatives: `python -m tests.docs.library_page`."""

import re
from collections.abc import Iterator
from pathlib import Path

from .fftw_page import section

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "libraries.md"
FOLDER = ROOT / "toolchain" / "derivatives"

_INTRODUCTION = """\
# Libraries as binaries: BLAS, LAPACK and FFTW

A program may call these functions of a library without bitcode, such as OpenBLAS, the reference BLAS or MKL. They have
derivatives in all modes, from C, C++ and Fortran. Several directions at once and second derivatives are included. The
derivative calls the same library. `python -m tests.docs.library_page` writes this page from `toolchain/derivatives`.

    enzyme-cc program.c -o program -lopenblas

- Types: `s`, `d`, `c` and `z`. Functions that are not listed are refused by name (EZ0302). So is
  the Schur form (`gees`): its vectors are determined up to phases, and up to rotations in blocks of order 2.
- The adjoint of a complex number z is dL/d(re z) + i dL/d(im z), as its two parts in memory have it.
- Functions with a complex result (`zdotc_`) must return it as C, gfortran and flang do. If a library or a program
  returns it through a first argument, the link is refused.
- Names: Fortran's (`dgemm_`, `dgemm`), CBLAS's (`cblas_dgemm`) and LAPACKE's (`LAPACKE_dpotrf`), by rows and columns.
  Names of Armadillo's library (`wrapper2_dgemm_`) are known, so `-larmadillo` alone is enough. LAPACKE's
  functions for callers with work space (`LAPACKE_dgesv_work`, `LAPACKE_dsyev_work`) are known, too. They do not use it.
  With 64-bit integers: `dgemm_64_`, `dgemm_64`, `dgemm64_`, and the plain names if the library's file name contains 64.
- flang 22 has no option by which `matmul` calls BLAS. Products by `matmul` have bodies of enzyme-cc.
- The library must have Fortran's names, which the derivatives call. `gslcblas` does not have them.
- If the library is linked with its bitcode, the bitcode is differentiated.
- A project adds functions of other libraries by a file of the same form:
  [extending.md](extending.md#a-function-of-a-library-without-bitcode).

Conventions:

- If beta = 0, BLAS does not read the matrix or vector that beta scales. The derivative by beta is then 0.
- The derivative by alpha is right where alpha = 0, as line searches need it.
- At 0, `nrm2` has the derivative 0, and `asum` has 1 in each element. `iamax` has no derivative. `rotg` has the
  derivative of the branch that it takes. Complex `rotg` with a = 0 ends the program with a message, since libraries
  differ there.
- Eigenvectors of equal eigenvalues, and singular vectors of equal singular values or of 0, have no derivative. The
  program ends with a message if one is asked for.
- A complex eigenvector may be multiplied by any number of absolute value 1. LAPACK makes its first component real, or
  its last component if the upper triangle is stored. Singular vectors have a real first component of v, or of u if
  there are fewer rows than columns. The derivative is that of these vectors. If this component is 0, a function of the
  phase has no derivative. Then reverse mode ends the program with a message. Forward mode gives the derivative of
  functions that do not depend on the phase.
- Singular vectors beyond the singular values (`gesvd`, `gesdd` with job A) are a basis of what the others leave. A
  function has no derivative if its value depends on the choice of this basis. Then reverse mode ends the program with a
  message. Forward mode gives the derivative of functions that do not depend on the choice.
- No routine of BLAS takes the conjugate of an operand without its transpose. So the adjoint of a product with A^T of a
  complex type copies the conjugate of the other operand. Products with A and A^H copy nothing.
- Hermitian matrices have real diagonals. The imaginary parts there are not read, and have the adjoint 0.
- If a factorisation fails (`info` > 0), adjoints and tangents stay as they are. But `getrf` and `gesv` have made both
  factors then. These have a derivative if only the last pivot is 0. If another one is 0, reverse mode ends the program
  with a message where an adjoint depends on it. Forward mode is right for what no choice of the pivot changes.

## BLAS, level 3, and LAPACK

The derivative of each is made of other routines of the library. *Active* arguments may carry derivatives. The
derivative by a constant argument is neither computed nor kept. The next two columns say what the derivative may need of
memory. If nobody overwrites it until then, it is used where it lies. `X before` and `X after` are what X holds before
and after the call.
The last column lists the routines that the reverse sweep may call.

| routine | active | copied if others overwrite it | copied | the reverse sweep calls |
|---|---|---|---|---|
"""
_NOTE = """
All types have these routines. `hemm`, `herk` and `her2k` are of complex types only. Complex types have `heev…`, `hegv…`
and `un…` in place of `syev…`, `sygv…` and `or…`, both `hetrf`, `hetrs`, `hetri` and `hesv` and those with `sy`, `lanhe`
beside `lansy`, and the eigenvalues of `geev` in one array.

`syevd`, `syevr` and `syevx` have the derivative of `syev`, and `gesdd` has that of `gesvd`. Each calls the library's
routine of its own name, as the signs of vectors may differ. They always compute all vectors, and so does `geev`.
`trtrs` is `trsm` with a test of the diagonal.

The derivatives of `geqrf`, `orgqr`, `ormqr`, `sytrf`, `sytrs` and `sytri` are those of what the routines store: the
vectors and numbers of the reflections, the factors and their exchanges. They are right whatever reads these.

`gecon`, `pocon`, `trcon`, `gbcon`, `sycon` and `hecon` estimate condition numbers. These estimates have the
derivative 0.
"""
_BODIES = """
## LAPACK by bodies

They have bodies in C, which are differentiated like the program's own code. Those of dense matrices call the routines
above, and take their cost. The others are bound by memory.

"""
_BODIES_NOTE = """
- `lange`, `lansy`, `lantr` and `langb`: of several elements or sums that are the largest, the first one has the
  derivative.
- `gels`, `gelss`, `gelsd` and `gelsy` take matrices of any shape. The last three end the program with a message if the
  rank is not full. They leave the residual as `gels` does.
- `geevx` does not balance the matrix; condition numbers of eigenvalues end the program with a message.
- Those of bands and of three diagonals keep what they overwrite: of the order of their arithmetic. Differentiated code
  does not call the library's functions.
- `gesvx`, `posvx` and `gbsvx` neither equilibrate nor refine, and the bounds of errors that they leave are 0.
- `sygv` and `sygvd` have the Cholesky factor of B and then `syev` or `syevd`.
- `lamch` gives the constants of IEEE arithmetic.
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
_NAME = re.compile(
    r"^(?:(?:INLINED \w+ )?(?:F(?:_NAME)?|BY_REAL|OF_NORM)|ON_TRIANGLES|TRIANGLES_SOLVED|OUTER|RANK_\d)\((\w+)[,)]",
    re.M,
)
#: what the macros of blas_symmetric.h stand for: of symmetric matrices, and of Hermitian ones
_MACROS = ("MM", "RK", "R2K", "ADD_MIRRORED", "ADD_BOTH_SIDES", "ADD_BY_ALPHA")
_FAMILIES = tuple(
    dict(zip(_MACROS, (*routines.split(), f"add_both_sides_{kind}", f"add_by_alpha_{kind}"), strict=True))
    for routines, kind in (("symm syrk syr2k syadd", "symmetric"), ("hemm herk her2k headd", "hermitian"))
)
_FILES = {"all": "blas_vector_names.h", "real": "blas_real.h", "complex": "blas_complex.h"}
_TITLES = {"all": "All types", "real": "Real types", "complex": "Complex types"}
#: names with the letters of both types
_ABBREVIATED = {"nrm2": "dznrm2", "asum": "dzasum", "scal": "zdscal", "rot": "zdrot"}
#: names of several families stand for their first
_FAMILY = re.compile(r"(SELF_ADJOINT|KIND|ORTHOGONAL)\((\w+)\)")
_FAMILY_OF = {"SELF_ADJOINT": "sy", "KIND": "sy", "ORTHOGONAL": "or"}
_WITHOUT_FAMILY = re.compile(r"^(GENERATED|MULTIPLIED)\((\w+)", re.M)
_BODY_NAME = re.compile(r"^(?:INLINED (?:void|T|REAL) F_NAME|FACTORISED|GENERATED|MULTIPLIED)\((\w+)[,)]", re.M)


_ROUTINES = (
    "lapack_cholesky.h",
    "lapack_lu.h",
    "lapack_eigen.h",
    "lapack_inverse.h",
    "lapack_svd.h",
    "lapack_reflections.h",
    "lapack_qr.h",
    "lapack_indefinite.h",
    "lapack_symmetric.h",
    "lapack_nonsymmetric_eigen.h",
    "lapack_sylvester.h",
)
_OF_BODIES = (
    "lapack_norms.h",
    "lapack_least_squares.h",
    "lapack_banded.h",
    "lapack_symmetric.h",
    "lapack_eigen_variants.h",
    "lapack_eigen_names.h",
    "lapack_expert.h",
)


def _sources(names: tuple[str, ...]) -> str:
    return "\n".join(re.sub(r"^#if IS_COMPLEX.*?^#endif$", "", _read(name), flags=re.M | re.S) for name in names)


def document() -> str:
    """Returns the text of docs/libraries.md."""
    sources = "\n".join([_sources(("blas_level3.h",)), *_symmetric(), _sources(_ROUTINES)])
    lists = {name: " ".join(text.replace("\\", " ").split()) for name, text in _LIST.findall(sources)}
    routines = dict(_DERIVATIVE.findall(sources))
    rows = "".join(_row(name, lists[routines[name]], sources, frozenset(routines)) for name in routines)
    bodies = f"{_BODIES}{_bodies(frozenset(routines))}{_BODIES_NOTE}"
    return f"{_INTRODUCTION}{rows}{_NOTE}{bodies}{_VECTORS}{_vectors()}{_MATHEMATICS}{section()}"


def _bodies(routines: frozenset[str]) -> str:
    text = _WITHOUT_FAMILY.sub(r"\1(or\2", _sources(_OF_BODIES))
    others = {*routines, *dict(_DERIVATIVE.findall(text))}
    return ", ".join(f"`{name}`" for name in sorted({*_BODY_NAME.findall(text)} - others)) + ".\n"


def _read(name: str) -> str:
    return _FAMILY.sub(lambda match: _FAMILY_OF[match[1]] + match[2], (FOLDER / name).read_text())


def _symmetric() -> Iterator[str]:
    text = _read("blas_symmetric.h")
    for family in _FAMILIES:
        yield re.sub("|".join(rf"\b{macro}\b" for macro in family), lambda match, f=family: f[match[0]], text)


def _row(name: str, arguments: str, sources: str, routines: frozenset[str]) -> str:
    active = re.findall(r"\b[RW]\((\w+)\)", arguments)
    kept = list(_KEEP.finditer(_saved(name, sources)))
    changing = [_told(match) for match in kept if match["stays"] != "0"]
    always = [_told(match) for match in kept if match["stays"] == "0"]
    calls = sorted(set(_calls(_body(f"void REVERSE({name})", sources), sources, routines)))
    cells = [
        f"`{name}`",
        *(", ".join(f"`{word}`" if word in active else word for word in c) for c in (active, changing, always)),
        ", ".join(f"`{c}`" for c in calls),
    ]
    return f"| {' | '.join(cells)} |\n".replace("|  |", "| |")


def _saved(name: str, sources: str) -> str:
    """Returns the body of SAVED, which may be that of another routine."""
    body = _body(f"KEPT SAVED({name})", sources)
    same = re.search(r"return SAVED\((\w+)\)", body)
    return _saved(same[1], sources) if same else body


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
        elif name not in seen and f"OWN({name})(int64_t library" in sources:
            yield from _calls(_body(f"OWN({name})(int64_t library", sources), sources, routines, seen | {name})


def _vectors() -> str:
    """Tells the names that all types have, those of real types, and those of complex ones."""
    texts = {what: _read(name).partition("/* -- level 3")[0] for what, name in _FILES.items()}
    more = {"all": ["iamax"], "real": ["dsdot", "sdsdot"], "complex": []}
    names = {what: sorted({*_NAME.findall(text), *more[what]} - {"NAME"}) for what, text in texts.items()}
    names["complex"] = [_ABBREVIATED.get(name, name) for name in names["complex"]]
    return "".join(f"- {_TITLES[what]}: {', '.join(f'`{name}`' for name in names[what])}.\n" for what in names)


if __name__ == "__main__":
    PAGE.write_text(document())
