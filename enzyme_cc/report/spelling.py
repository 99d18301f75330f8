"""The names of functions and variables as the source has them, for people; and names that are near a wrong one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

#: The link adds this and a number to local names that the new object and native code share.
ENDING = ".ez"
_ENDINGS = re.compile(re.escape(ENDING) + r"\d+(?!\w)")
#: in a profile of calls, stands between a function without bitcode and its object
OBJECT = " of "
_LOWER = "[a-z0-9_]+"
#: flang's symbols of procedures: of modules, submodules, and inside of other procedures
FORTRAN = re.compile(rf"_Q(?:M(?P<module>{_LOWER}))?(?:S{_LOWER})*(?:F[a-z0-9_]*)*P(?P<name>{_LOWER})")
_SYMBOL = re.compile(rf"(?<![\w.$])(?:_Z\w+|{re.sub(r'[?]P<[a-z]+>', '?:', FORTRAN.pattern)})(?![\w.$])")


def as_in_source(text: str) -> str:
    """Returns the text without the endings that the link added to names."""
    return _ENDINGS.sub("", text)


def demangled(text: str) -> str:
    """Returns the text with the names of C++, Rust and Fortran as their sources have them."""
    return _SYMBOL.sub(lambda found: name_in_source(found[0]), text)


def line_of_local(function: str, source_file: str) -> str:
    """Returns the line of a profile of calls for a function that only its unit sees."""
    return f"{source_file}:{function}" if source_file else function


@cache
def name_in_source(symbol: str) -> str:
    """Returns the name that a symbol stands for; the symbol itself if that is not known."""
    symbol = as_in_source(symbol)
    fortran = FORTRAN.fullmatch(symbol)
    if fortran is not None:
        return "::".join(filter(None, (fortran["module"], fortran["name"])))
    return (_of_cxx(symbol) if symbol.startswith("_Z") else None) or symbol


def _of_cxx(symbol: str) -> str | None:
    import ctypes

    try:
        library = ctypes.CDLL("libstdc++.so.6")
        demangle, free = library.__cxa_demangle, ctypes.CDLL(None).free
    except (OSError, AttributeError):
        return None
    demangle.restype, free.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
    found = demangle(symbol.encode(), None, None, None)
    if not found:
        return None
    name = ctypes.string_at(found).decode(errors="replace")
    free(found)
    return name


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Returns `did you mean …? ` with the nearest name; an empty text if none is near."""
    from difflib import get_close_matches

    near = get_close_matches(name, sorted(known), n=1)
    return f"did you mean {near[0]}? " if near else ""
