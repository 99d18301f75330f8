"""Types of library functions whose address only native code takes: no bitcode declares them."""

from __future__ import annotations

from enzyme_cc.rules.math import MATH

# The suffixes of C's names, without that of long double: its type depends on the architecture.
_SUFFIXES = {"": "double", "f": "float"}
# Functions with integer or pointer operands, or with such results; T is the type of the suffix.
_OTHER_MATH = {
    "T (T, i32)": "ldexp scalbn",
    "T (T, i64)": "scalbln",
    "T (i32, T)": "jn yn",
    "T (T, ptr)": "frexp modf lgamma_r gamma_r",
    "T (T, T, ptr)": "remquo",
    "void (T, ptr, ptr)": "sincos",
    "i32 (T)": "ilogb isnan isinf finite",
    "i64 (T)": "llogb lrint llrint lround llround",
}
# Not called through pointers, or with operands of several types.
_LEFT = "pown compoundn rootn nexttoward __iseqsig fromfp ufromfp fromfpx ufromfpx".split()
_OTHERS = {
    "ptr (i64)": "malloc valloc _Znwm _Znam",
    "ptr (i64, i64)": "calloc aligned_alloc memalign",
    "ptr (ptr, i64)": "realloc strndup",
    "ptr (ptr, i64, i64)": "reallocarray",
    "void (ptr)": "free cfree _ZdlPv _ZdaPv",
    "void (ptr, i64)": "bzero _ZdlPvm _ZdaPvm",
    "i32 (ptr, i64, i64)": "posix_memalign",
    "ptr (ptr, ptr, i64)": "memcpy memmove mempcpy strncpy strncat",
    "void (ptr, ptr, i64)": "bcopy",
    "ptr (ptr, i32, i64)": "memset memchr",
    "i32 (ptr, ptr, i64)": "memcmp strncmp strncasecmp bcmp",
    "i32 (ptr, ptr)": "strcmp strcasecmp strcoll fputs",
    "i64 (ptr)": "strlen",
    "ptr (ptr)": "strdup",
    "ptr (ptr, ptr)": "strcpy strcat stpcpy strstr",
    "ptr (ptr, i32)": "strchr strrchr",
    "void (ptr, i64, i64, ptr)": "qsort",
    "ptr (ptr, ptr, i64, i64, ptr)": "bsearch",
    "i64 (ptr, i64, i64, ptr)": "fwrite fread",
    "i32 (ptr)": "puts fclose fflush atoi",
    "double (ptr)": "atof",
    "i32 (i32)": "abs putchar",
    "i64 (i64)": "labs llabs",
    "void ()": "abort",
    "void (i32)": "exit _exit",
}


def _math() -> dict[str, str]:
    others = {base: type_ for type_, bases in _OTHER_MATH.items() for base in bases.split()}
    plain = {base: f"T ({', '.join('T' for _ in rule.partials)})" for base, rule in MATH.items()}
    types = {base: type_ for base, type_ in (plain | others).items() if base not in _LEFT and "__" not in base}
    return {
        _with_suffix(base, suffix): type_.replace("T", number)
        for base, type_ in types.items()
        for suffix, number in _SUFFIXES.items()
    }


def _with_suffix(base: str, suffix: str) -> str:
    stem, reentrant, _ = base.partition("_r")
    return stem + suffix + reentrant


_TYPES = _math() | {name: type_ for type_, names in _OTHERS.items() for name in names.split()}


def prototype(name: str) -> str:
    """Returns the type of a library function of a 64-bit architecture in LLVM's text; "" if none is known."""
    return _TYPES.get(name, "")
