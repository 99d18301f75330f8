"""Which warnings are printed, and which are errors: the options -Wenzyme-…, by clang's conventions.

`-Wno-enzyme-own-shadow` switches a warning off, `-Werror=enzyme-own-shadow` makes it an error, and
`-Wno-error=enzyme-own-shadow` takes that back; the later option prevails. `enzyme` alone means all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from enzyme_cc.report.catalogue import CATALOGUE
from enzyme_cc.report.diagnostics import Diagnostic, EnzymeError
from enzyme_cc.report.presentation import warn
from enzyme_cc.report.spelling import did_you_mean

_ALL = "enzyme"
OPTIONS = frozenset(entry.option for entry in CATALOGUE.values() if entry.option) | {_ALL}


def tell(found: Iterable[Diagnostic], options: Sequence[str]) -> None:
    """Prints warnings, and raises `EnzymeError` of those that are errors. `options` are words without their -W.

    Raises `EnzymeError` (EZ0111) for an option that is not known.
    """
    check(options)
    severities = [(diagnostic, _severity(CATALOGUE[diagnostic.id].option, options)) for diagnostic in found]
    warn([diagnostic for diagnostic, severity in severities if severity == "warning"])
    errors = [diagnostic for diagnostic, severity in severities if severity == "error"]
    if errors:
        raise EnzymeError(errors)


def check(options: Sequence[str]) -> None:
    """Raises `EnzymeError` (EZ0111) for an option that is not known."""
    for word in options:
        if _split(word)[1] not in OPTIONS:
            known = [f"-W{option}" for option in sorted(OPTIONS)]
            remedy = did_you_mean(f"-W{_split(word)[1]}", known) + f"the options are {', '.join(known)}"
            raise EnzymeError.of("EZ0111", f"unknown warning option -W{word}", remedy=remedy)


def _severity(option: str, options: Sequence[str]) -> str:
    """Returns "warning", "error" or "ignored"."""
    is_on, is_error = True, False
    for word in options:
        form, name = _split(word)
        if name not in (_ALL, option):
            continue
        if form in ("", "no-"):
            is_on = form == ""
        else:
            is_error, is_on = form == "error=", is_on or form == "error="
    return "ignored" if not is_on else "error" if is_error else "warning"


def _split(word: str) -> tuple[str, str]:
    form, _, rest = word.partition("enzyme")
    return form, f"enzyme{rest}"
