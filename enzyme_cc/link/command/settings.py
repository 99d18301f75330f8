"""The options of enzyme-cc itself, `--enzyme-…`: what each sets, and its text for people.

`enzyme-cc --enzyme-help` and the manual pages show this table. toolchain/launcher/own_options.c has its names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from typing import Any, NamedTuple

from enzyme_cc.report import EnzymeError
from enzyme_cc.report.presentation import JSON, SARIF, TEXT
from enzyme_cc.report.spelling import did_you_mean

#: what --enzyme-check checks
BASIC, DIFFERENCES = "basic", "differences"
Reader = Callable[[str], str | int | tuple[str, ...]]


def _megabytes(value: str) -> int:
    if not re.fullmatch(r"\d{1,6}", value):
        raise EnzymeError.of("EZ0111", f"--enzyme-closure={value} needs a number of megabytes")
    return int(value)


def _jobs(value: str) -> int:
    if not re.fullmatch(r"\d{1,4}", value):
        raise EnzymeError.of("EZ0111", f"--enzyme-jobs={value} needs a number of processes")
    return int(value)


def _one_of(option: str, *forms: str) -> Reader:
    def read(value: str) -> str:
        if value not in forms:
            known = f"the only form is {forms[0]}" if len(forms) == 1 else f"the forms are {', '.join(forms)}"
            raise EnzymeError.of("EZ0111", f"{option}={value} names no form", remedy=known)
        return value

    return read


def _names(value: str) -> tuple[str, ...]:
    return tuple(filter(None, value.split(",")))


def _file(value: str) -> tuple[str, ...]:
    return (value,)


class Setting(NamedTuple):
    """One option.

    - `field` is the field of `Settings` that it sets.
    - `alone` is what the option sets without a value; None if it needs one.
    - `read` makes what it sets of a value; None if it takes none. `value` stands for the value in texts.
    - `help` says what it does; an option without is not for users.
    """

    field: str
    help: str
    alone: bool | str | None = None
    read: Reader | None = None
    value: str = ""


#: sorted by name
SETTINGS: dict[str, Setting] = {
    "--enzyme-candidate": Setting(
        "candidates",
        "this function takes part, beside what --enzyme-closure allows: the name of a function, or of a source file "
        "for all its functions that calls through pointers may reach; may be repeated",
        read=_names,
        value="NAME",
    ),
    "--enzyme-candidates": Setting(
        "candidate_files",
        "a file with names as --enzyme-candidate takes them, each on a line; may be repeated",
        read=_file,
        value="FILE",
    ),
    "--enzyme-check": Setting(
        "check",
        "the program checks its requests when it runs: shadows that are null, smaller than their arguments or these "
        "themselves; results and numbers in shadows that are infinite or not a number; seeds that are all zero (with "
        "-g, it tells their lines); with =differences, it also compares the first gradient of each request with "
        "differences",
        BASIC,
        _one_of("--enzyme-check", DIFFERENCES),
        DIFFERENCES,
    ),
    "--enzyme-clang": Setting("clang", "", read=str),
    "--enzyme-closure": Setting(
        "closure_budget",
        "how much code calls through pointers may add to what is differentiated, as LLVM's text; 2 is the default; "
        "with 0, direct calls alone count",
        read=_megabytes,
        value="MEGABYTES",
    ),
    "--enzyme-derivatives": Setting(
        "derivatives",
        "derivatives that the project brings for functions of libraries without bitcode; may be repeated",
        read=_names,
        value="FILE.c",
    ),
    "--enzyme-diagnostics": Setting(
        "diagnostics",
        "the form of errors and warnings of the link: text, or sarif (json is the same), a log of SARIF 2.1 on one "
        "line; -fdiagnostics-format= sets it, too",
        read=_one_of("--enzyme-diagnostics", TEXT, SARIF, JSON),
        value="FORM",
    ),
    "--enzyme-explain": Setting(
        "explain",
        "for each derivative: the rule of each instruction, and what is stored, reloaded or recomputed",
        True,
    ),
    "--enzyme-follow-text": Setting(
        "follow_text", "numbers that are written as text and read back keep their derivatives", True
    ),
    "--enzyme-inactive": Setting(
        "inactive",
        "calls of these functions carry no derivative; names are those of the source (write_log, "
        "module::procedure) or symbols; may be repeated",
        read=_names,
        value="NAME[,NAME]",
    ),
    "--enzyme-jobs": Setting(
        "jobs",
        "a large object is compiled in parts by so many processes at once (0: one for each core, shared with make if "
        "its jobserver offers jobs), and parts that did not change are found in the cache; the object is the same for "
        "any number, but may be slower than one without parts",
        read=_jobs,
        value="N",
    ),
    "--enzyme-native-linker": Setting("native_linker", "", read=str),
    "--enzyme-no-cache": Setting("cache", "do the link even if the same link is in the cache", False),
    "--enzyme-no-library-units": Setting(
        "carry_units",
        "a shared library is made without the units that derivatives of its users need; it is smaller then",
        False,
    ),
    "--enzyme-no-preopt": Setting("preoptimise", "differentiate before optimising (to see what that costs)", False),
    "--enzyme-precision-report": Setting(
        "precision_report",
        "truncated functions and estimates of rounding errors print errors by source line to stderr when the program "
        "runs (with -g)",
        True,
    ),
    "--enzyme-profile-calls": Setting(
        "profile_calls",
        "make a program that runs without derivatives, and that writes the names of the functions which calls through "
        "pointers reach in requests: to the file that ENZYME_CALLS_FILE names, or to enzyme-calls.txt",
        True,
    ),
    "--enzyme-remarks": Setting(
        "remarks",
        "what is stored on the tape, its size and why; what is recomputed; with a file: as LLVM's YAML records, which "
        "opt-viewer shows; -Rpass=enzyme prints them, too",
        "",
        str,
        "FILE",
    ),
    "--enzyme-save-temps": Setting("save_temps", "keep the intermediate modules", read=str, value="DIR"),
    "--enzyme-serial-regions": Setting(
        "serial_regions",
        "OpenMP regions and threads of differentiated code run in one thread: results are the same in each run",
        True,
    ),
    "--enzyme-strict-math": Setting(
        "strict_math",
        "sum adjoints in program order, without reassociation and without fused or approximate arithmetic",
        True,
    ),
    "--enzyme-tape-report": Setting(
        "tape_report",
        "the program prints to stderr, when it ends, how many bytes each source line has stored on tapes (with -g)",
        True,
    ),
    "--enzyme-timings": Setting(
        "timings",
        "print what each stage of the link took: seconds, seconds of processor time, and the most megabytes that one "
        "process has held so far; and how many derivatives were made",
        TEXT,
        _one_of("--enzyme-timings", JSON),
        JSON,
    ),
    "--enzyme-truncate": Setting(
        "truncation",
        "the whole program computes its doubles in another format: 64to32, or 64to8-7 with bits of exponent and of "
        "mantissa",
        read=str,
        value="64to32",
    ),
    "--enzyme-truncate-all": Setting("truncation", "Enzyme's name of --enzyme-truncate", read=str, value="64to32"),
    "--enzyme-use-calls": Setting(
        "call_files",
        "calls through pointers reach the functions in this file, which a program of --enzyme-profile-calls has "
        "written, and no others; may be repeated",
        read=_file,
        value="FILE",
    ),
    "--enzyme-verbose": Setting("verbose", "show every program that is run", True),
    "--enzyme-verify": Setting(
        "verify",
        "check the intermediate representation after each pass that rewrites it (to find defects of enzyme-cc)",
        True,
    ),
}
#: what the compilers answer themselves
HELP = "--enzyme-help"

#: -Rpass=enzyme and its like, which ask clang for remarks of passes
_REMARKS = re.compile(r"-Rpass(-missed|-analysis)?=.*enzyme.*")
#: options about warnings, without -W
_WARNINGS = re.compile(r"-W((?:no-|error=|no-error=)?enzyme(?:-[-\w]+)?)")


def chosen(arguments: Iterable[str]) -> tuple[dict[str, Any], list[str]]:
    """Returns what the options set, by field, and all other arguments. Raises `EnzymeError` (EZ0111)."""
    fields: dict[str, Any] = {}
    rest: list[str] = []
    for argument in arguments:
        if _REMARKS.fullmatch(argument):
            fields.setdefault("remarks", "")
        elif (warning := _WARNINGS.fullmatch(argument)) is not None:
            fields["warnings"] = (*fields.get("warnings", ()), warning[1])
        elif argument.startswith("--enzyme-"):
            field, value = _set(argument)
            fields[field] = (*fields.get(field, ()), *value) if isinstance(value, tuple) else value
        else:
            rest.append(argument)
    return fields, rest


def asked_form(arguments: Iterable[str]) -> str:
    """Returns the form of errors that options ask for: also errors in the options themselves have it."""
    asked = [value for name, _, value in (a.partition("=") for a in arguments) if name == "--enzyme-diagnostics"]
    return asked[-1] if asked and asked[-1] in (JSON, SARIF) else TEXT


def _set(argument: str) -> tuple[str, object]:
    name, equals, value = argument.partition("=")
    setting = SETTINGS.get(name)
    if setting is None:
        raise EnzymeError.of("EZ0111", f"unknown option {argument}", remedy=_remedy(name, SETTINGS))
    if equals and setting.read is not None:
        return setting.field, setting.read(value)
    if equals or setting.alone is None:
        takes = "takes no value" if equals else f"needs a value: {spelt(name)}"
        raise EnzymeError.of("EZ0111", f"option {argument} {takes}", remedy=f"{name}: {setting.help}")
    return setting.field, setting.alone


def spelt(name: str) -> str:
    """Returns an option as texts show it, with its value."""
    setting = SETTINGS[name]
    if not setting.value:
        return name
    return f"{name}={setting.value}" if setting.alone is None else f"{name}[={setting.value}]"


def _remedy(name: str, known: Collection[str]) -> str:
    return did_you_mean(name, [other for other in known if SETTINGS[other].help]) + "enzyme-cc --enzyme-help lists them"
