"""`enzyme report`: a page about the derivatives of a program, made of the remarks that a link records."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct, field

from enzyme_cc.functions.sources import LANGUAGE, tool
from enzyme_cc.report.remarks import Remark, position, read

_BESIDE = ".remarks.yaml"
_ELF = b"\x7fELF"
_TYPE, _EXECUTABLE_TYPES = 16, (2, 3)  # of an ELF header: programs and shared libraries
_DERIVATIVE = re.compile(r"__ez_(?P<kind>[a-z_]+?)(?:_\d+)?\.(?P<function>.+)")
_ON_TAPES = re.compile(r"^enzyme-cc: (?P<place>.+): (?P<bytes>\d+) bytes, stored \d+ times$", re.M)
_PARTICIPANTS = re.compile(r"^enzyme-ld: participants: (.*)$", re.M)
_ACTIVE = re.compile(r"^    (?P<place>[^\s:][^:\n]*:\d+(?::\d+)?): (?P<what>.*)$")
_CONTEXT = 2  # lines around those with remarks


class NoReport(Exception):
    """What was given has no remarks, or does not link."""


class SourceLine(Struct):
    """A line of the source: what of it is stored (bytes and why), computed again, active, and other facts.

    `bytes` are those that the line has stored on tapes in a run.
    """

    number: int
    text: str = ""
    bytes: int = 0
    stored: list[str] = field(default_factory=list)
    again: list[str] = field(default_factory=list)
    facts: list[str] = field(default_factory=list)
    active: list[str] = field(default_factory=list)

    @property
    def is_told(self) -> bool:
        """True if the page says something of the line."""
        return bool(self.bytes or self.stored or self.again or self.facts or self.active)


class DerivativeSize(NamedTuple):
    """A derivative function of the program, and the bytes of its machine code."""

    kind: str
    function: str
    size: int


class Facts(Struct, frozen=True):
    """All that the page shows."""

    title: str
    remarks: tuple[Remark, ...]
    participants: tuple[str, ...] = ()
    derivatives: tuple[DerivativeSize, ...] = ()
    active: Mapping[str, Sequence[str]] = field(default_factory=dict)  # by "file:line"
    on_tapes: Mapping[str, int] | None = None  # bytes in a run, by "file:line" or by function


def written(inputs: Sequence[str], output: str, run: Sequence[str] | None = None) -> str:
    """Writes the page. Returns a line that tells what is on it. Raises `NoReport`.

    If `run` is not None, it has the arguments of a run of the program: the page has the bytes of its tapes by line.
    """
    facts = _facts(inputs, run)
    Path(output).write_text(page(facts), encoding="utf-8")
    return f"{output}: {len(facts.remarks)} remarks about {len({r.function for r in facts.remarks})} functions"


def _facts(inputs: Sequence[str], run: Sequence[str] | None) -> Facts:
    if len(inputs) == 1 and inputs[0].endswith((".yaml", ".yml")):
        if run is not None:
            raise NoReport(
                f"{inputs[0]} is no program that can run: give what it is linked of: enzyme report a.o b.o -lm"
            )
        return Facts(inputs[0], _remarks(Path(inputs[0])))
    if len(inputs) == 1 and _is_linked(inputs[0]):
        beside = Path(inputs[0] + _BESIDE)
        if not beside.exists():
            way = f"link it with --enzyme-remarks={beside}, or give what it is linked of: enzyme report a.o b.o -lm"
            raise NoReport(f"{inputs[0]} is linked, and a program does not hold its remarks: {way}")
        on_tapes = None if run is None else _stored_in_run(os.path.abspath(inputs[0]), run)
        if on_tapes == {}:
            raise NoReport(f"{inputs[0]} told nothing of its tapes: link it with --enzyme-tape-report, too")
        return Facts(inputs[0], _remarks(beside), derivatives=tuple(derivatives(inputs[0])), on_tapes=on_tapes)
    with tempfile.TemporaryDirectory() as folder:
        return _linked(inputs, folder, run)


def _is_linked(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            head = file.read(_TYPE + 2)
    except OSError:
        return False
    return head.startswith(_ELF) and head[_TYPE] in _EXECUTABLE_TYPES


def _remarks(path: Path) -> tuple[Remark, ...]:
    try:
        return tuple(read(path.read_text(encoding="utf-8")))
    except (OSError, ValueError) as error:
        raise NoReport(f"{path}: {error}") from None


def _linked(inputs: Sequence[str], folder: str, run: Sequence[str] | None) -> Facts:
    """Returns the facts of a link, whose output is not kept. A run has a link of its own: it counts bytes."""
    recorded, program = Path(folder, "remarks.yaml"), os.path.join(folder, "program")
    ours = [f"--enzyme-remarks={recorded}", "--enzyme-explain", "--enzyme-verbose", "--enzyme-no-cache"]
    link = [tool(_driver(inputs)), "-g", *inputs]
    command = [*link, *ours, "-o", program]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if not re.match(r"enzyme-\S+: |\s{4}", line)]
        raise NoReport("\n".join(["the program cannot be linked:", *errors]))
    if not recorded.exists():
        raise NoReport("the program makes no request for a derivative")
    found = _PARTICIPANTS.search(done.stderr)
    units = tuple(os.path.relpath(u) if u[:1] == "/" else u for u in found[1].split(", ")) if found else ()
    shown = " ".join(word for word in inputs if not word.startswith("-"))
    on_tapes = None
    if run is not None:
        counting = os.path.join(folder, "counting")
        subprocess.run([*link, "--enzyme-tape-report", "-o", counting], capture_output=True, check=True)
        on_tapes = _stored_in_run(counting, run)
    return Facts(shown, _remarks(recorded), units, tuple(derivatives(program)), active_lines(done.stderr), on_tapes)


def _stored_in_run(program: str, arguments: Sequence[str]) -> dict[str, int]:
    """Runs a program that was linked with --enzyme-tape-report. Returns bytes by line. Raises `NoReport`."""
    done = subprocess.run([program, *arguments], stderr=subprocess.PIPE, text=True, errors="replace")
    found: defaultdict[str, int] = defaultdict(int)
    for row in _ON_TAPES.finditer(done.stderr):
        found[row["place"]] += int(row["bytes"])
    sys.stderr.write(_ON_TAPES.sub("", done.stderr).lstrip("\n"))
    if done.returncode:
        raise NoReport(f"the program ended with status {done.returncode}: its arguments follow --argument")
    return dict(found)


def _driver(inputs: Iterable[str]) -> str:
    languages = {LANGUAGE.get(os.path.splitext(word)[1]) for word in inputs}
    return "enzyme-fc" if "fortran" in languages else "enzyme-c++" if "c++" in languages else "enzyme-cc"


def derivatives(program: str) -> Iterator[DerivativeSize]:
    """Yields the derivative functions of a program, the largest first."""
    from elftools.elf.elffile import ELFFile
    from elftools.elf.sections import SymbolTableSection

    with open(program, "rb") as file:
        table = ELFFile(file).get_section_by_name(".symtab")
        symbols = table.iter_symbols() if isinstance(table, SymbolTableSection) else ()
        sizes = [(symbol.name, symbol["st_size"]) for symbol in symbols]
    found = ((_DERIVATIVE.fullmatch(name), size) for name, size in sizes)
    rows = (
        DerivativeSize(m["kind"].replace("_", " "), m["function"], size) for m, size in found if m is not None and size
    )
    yield from sorted(rows, key=lambda row: (-row.size, row))


def active_lines(explained: str) -> dict[str, list[str]]:
    """Returns what `--enzyme-explain` says of active instructions, by "file:line"."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    is_active = False
    for line in explained.splitlines():
        if line.endswith(" active instructions"):
            is_active = True
        elif not line.startswith("    "):
            is_active = False
        elif is_active and (row := _ACTIVE.match(line)) is not None:
            file, number, _ = position(row["place"])
            found[f"{file}:{number}"].append(row["what"])
    return dict(found)


# -- the page


def page(facts: Facts) -> str:
    """Returns the page as HTML. It needs nothing from the network."""
    from jinja2 import Environment, PackageLoader

    environment = Environment(
        loader=PackageLoader("enzyme_cc.commands", ""), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    totals, size = list(_totals(facts.remarks)), sum(d.size for d in facts.derivatives)
    template = environment.get_template("report.html.j2")
    return template.render(facts=facts, files=source_files(facts), totals=totals, size=size)


def _totals(remarks: Iterable[Remark]) -> Iterator[tuple[str, str, str]]:
    """Yields function, place and text of what each tape holds."""
    for remark in remarks:
        if remark.name == "Tape":
            yield remark.function, remark.location or "", remark.message


def source_files(facts: Facts) -> dict[str, list[SourceLine | None]]:
    """Returns the lines to show, by file; None stands for lines left out."""
    files: defaultdict[str, dict[int, SourceLine]] = defaultdict(dict)
    for remark in facts.remarks:
        file, number, _ = position(remark.location)
        if number and remark.name != "Tape":
            line = files[file].setdefault(number, SourceLine(number))
            {"Stored": line.stored, "NotStored": line.again}.get(remark.name, line.facts).append(remark.message)
    for place, size in (facts.on_tapes or {}).items():
        file, number, _ = position(f"{place}:0")
        if number:
            files[file].setdefault(number, SourceLine(number)).bytes = size
    for place, told in facts.active.items():
        file, number, _ = position(place)
        files[file].setdefault(number, SourceLine(number)).active.extend(told)
    return {file: list(_shown(lines, _source(file))) for file, lines in sorted(files.items())}


def _source(file: str) -> list[str]:
    """Returns the lines of a file, none if it cannot be read.

    clang names a file from the folder that its path and the working directory have in common.
    """
    for folder in (Path(), *Path.cwd().parents):
        try:
            return (folder / file).read_text(errors="replace").splitlines()
        except OSError:
            continue
    return []


def _shown(told: Mapping[int, SourceLine], source: Sequence[str]) -> Iterator[SourceLine | None]:
    around = {k for number in told for k in range(number - _CONTEXT, number + _CONTEXT + 1)}
    last = 0
    for number in sorted(k for k in around if k in told or 0 < k <= len(source)):
        if last and number > last + 1:
            yield None
        line = told.get(number, SourceLine(number))
        line.text = source[number - 1] if number <= len(source) else ""
        yield line
        last = number
