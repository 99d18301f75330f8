"""Functions that `--enzyme-inactive` names, as a declaration that the program could have written.

Names are those of the source: `write_log`, Fortran's `do_the_output` and `module::procedure`, C++'s `space::function`.
Symbols are names, too.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from difflib import get_close_matches

from enzyme_cc.report import Diagnostic, EnzymeError
from enzyme_cc.report.spelling import FORTRAN

#: the symbol of the declaration (declarations.py)
_DECLARATION = "__enzyme_inactivefn_of_option"
_CXX = re.compile(r"_ZN?(?P<rest>\d.*)")
_SHOWN = 3


def declaration_of(names: Iterable[str], symbols: Iterable[str], triple: str) -> str:
    """Returns the text of a module that declares the named functions inactive.

    `symbols` are all names that the linker sees. Raises `EnzymeError` (EZ0111) for a name that none of them has.
    """
    known = _by_name(sorted(set(symbols)))
    faults: list[Diagnostic] = []
    found: dict[str, None] = {}
    for name in dict.fromkeys(names):
        given = known.get(name) or known.get(name.lower(), {})
        if len(set(given.values())) == 1:
            found.update(dict.fromkeys(given))
        else:
            faults.append(_fault(name, given, known))
    if faults:
        raise EnzymeError(faults)
    entries = ", ".join(f'ptr @"{symbol}"' for symbol in found)
    declared = [f'declare void @"{symbol}"()' for symbol in found]
    table = f"@{_DECLARATION} = constant [{len(found)} x ptr] [{entries}]"
    return "\n".join([f'target triple = "{triple}"', table, *declared, ""])


def _by_name(symbols: list[str]) -> dict[str, dict[str, str]]:
    """Returns, for each name of the source, the symbols that it may mean, each with its whole name."""
    names: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for symbol in symbols:
        for name, whole in _names(symbol):
            names[name][symbol] = whole
    return {name: {name: name} if name in given else given for name, given in names.items()}


def _names(symbol: str) -> list[tuple[str, str]]:
    """Returns the names of a symbol, each with the whole name in the source."""
    found = [(symbol, symbol)]
    if (procedure := FORTRAN.fullmatch(symbol)) is not None:
        whole = f"{procedure['module']}::{procedure['name']}" if procedure["module"] else procedure["name"]
        found += [(procedure["name"], whole), (whole, whole)]
    elif (cxx := _CXX.fullmatch(symbol)) is not None:
        whole = "::".join(_parts(cxx["rest"]))
        found += [(whole, whole)] if whole else []
    elif symbol.endswith("_"):
        found.append((symbol.removesuffix("_"), symbol.removesuffix("_")))
    return found


def _parts(mangled: str) -> list[str]:
    """Returns the names at the beginning of a mangled name, each of which follows its length."""
    parts: list[str] = []
    while (length := re.match(r"\d+", mangled)) is not None:
        mangled = mangled[length.end() :]
        parts.append(mangled[: int(length[0])])
        mangled = mangled[int(length[0]) :]
    return parts


def _fault(name: str, given: dict[str, str], known: Iterable[str]) -> Diagnostic:
    if given:
        choices = " or ".join(sorted(set(given.values())))
        return Diagnostic(
            "EZ0111", f"--enzyme-inactive={name}: several functions have this name", remedy=f"say {choices}"
        )
    said = "give the name of the source, or the symbol that nm shows"
    near = get_close_matches(name.lower(), [n for n in known if n[0] != "_" and n[-1] != "_"], n=_SHOWN, cutoff=0.6)
    return Diagnostic(
        "EZ0111",
        f"--enzyme-inactive={name}: no function that is linked has this name",
        reason="the linker sees no functions that are static, or internal to a procedure",
        remedy=f"did you mean {' or '.join(near)}?" if near else said,
    )
