"""The manual pages, made of the texts of `--help` and `--enzyme-help`: `python -m enzyme_cc.commands.manual FOLDER`.

toolchain/man has the pages that are installed; a test compares. The format is man(7) of groff.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from enzyme_cc import __version__
from enzyme_cc.commands.main import enzyme
from enzyme_cc.link.command.settings import SETTINGS, spelt
from enzyme_cc.report.catalogue import CATALOGUE

_COMPILER = "Compiles and links as clang does, and answers requests for derivatives (__enzyme_autodiff and others)."
_VARIABLES = {
    "ENZYME_CC_CLANG, ENZYME_CC_CLANGXX, ENZYME_CC_FLANG": "the compilers; the default is the newest up to LLVM 22",
    "ENZYME_CC_LD": "the native linker",
    "ENZYME_CC_PYTHON": "the Python that has this package",
    "ENZYME_CC_CACHE": "the folder of the caches, or off",
    "ENZYME_CC_CACHE_SIZE": "how large each cache may be, in megabytes",
}


def pages() -> dict[str, str]:
    """Returns the text of each page by its file name."""
    found = {"enzyme.1": _page("enzyme", _command()), "enzyme-cc.1": _page("enzyme-cc", _compilers())}
    return found | {f"{name}.1": ".so man1/enzyme-cc.1\n" for name in ("enzyme-c++", "enzyme-fc")}


def _page(name: str, body: Iterator[str]) -> str:
    return "\n".join([f'.TH {name.upper()} 1 "" "enzyme-cc {__version__}"', *body, ""])


def _compilers() -> Iterator[str]:
    yield from (".SH NAME", r"enzyme-cc, enzyme-c++, enzyme-fc \- " + "compilers that differentiate programs")
    yield from (".SH SYNOPSIS", r".B enzyme-cc", r"[\fIoptions of clang\fR] [\fIoptions\fR] \fIfile\fR ...")
    yield from (".SH DESCRIPTION", _escaped(_COMPILER), ".SH OPTIONS")
    for name, setting in SETTINGS.items():
        if setting.help:
            yield from _item(spelt(name), setting.help)
    yield ".SH WARNINGS"
    for id, entry in CATALOGUE.items():
        if entry.option:
            yield from _item(f"-W{entry.option}, -Wno-{entry.option}, -Werror={entry.option}", f"{entry.title} ({id})")
    yield ".SH ENVIRONMENT"
    for name, text in _VARIABLES.items():
        yield from _item(name, text)
    yield from (".SH SEE ALSO", ".BR enzyme (1), clang (1)")


def _command() -> Iterator[str]:
    first, *paragraphs = _paragraphs(enzyme)
    yield from (".SH NAME", rf"enzyme \- {_escaped(first[:1].lower() + first[1:].rstrip('.'))}")
    yield from (".SH SYNOPSIS", ".B enzyme", r"\fIcommand\fR [\fIarguments\fR]", ".SH DESCRIPTION")
    yield from map(_escaped, paragraphs)
    yield ".SH COMMANDS"
    for name in sorted(enzyme.commands):
        yield from _subcommand(name, enzyme.commands[name])
    yield from (".SH SEE ALSO", ".BR enzyme-cc (1)")


def _subcommand(name: str, command: click.Command) -> Iterator[str]:
    usage = " ".join(_usage(p) for p in command.params if isinstance(p, click.Argument))
    yield f".SS enzyme {_escaped(name)} {_escaped(usage)}".rstrip()
    for k, paragraph in enumerate(_paragraphs(command)):
        yield from ([] if k == 0 else [".PP"])
        yield _escaped(paragraph)
    for option in command.params:
        if isinstance(option, click.Option) and option.help:
            yield from _item(", ".join(option.opts), option.help)


def _usage(argument: click.Argument) -> str:
    name = str(argument.name).upper()
    if argument.nargs == 1:
        return name
    return f"{name}..." if argument.required else f"[{name}...]"


def _paragraphs(command: click.Command) -> list[str]:
    text = inspect.cleandoc(command.help or "")
    return [" ".join(paragraph.split()) for paragraph in text.split("\n\n")]


def _item(name: str, text: str) -> Iterator[str]:
    yield from (".TP", f".B {_escaped(name)}", _escaped(text[:1].upper() + text[1:].rstrip(".") + "."))


def _escaped(text: str) -> str:
    escaped = text.replace("\\", r"\e").replace("-", r"\-")
    return rf"\&{escaped}" if escaped[:1] in (".", "'") else escaped


def write(folder: Path) -> None:
    """Writes all pages."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
