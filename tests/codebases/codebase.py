"""A code base as a row of data: its source, how its own build system makes it, and programs that differentiate it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
_SUFFIXES = (".c", ".cpp")


@dataclass(frozen=True)
class Codebase:
    """One public code base.

    `build` are shell commands, run one after another in a copy of the unpacked `source`: a Debian source package, or
    a distribution of PyPI ("": it is `headers` alone), with the compilers in $CC, $CXX and $FC; `archives` are what
    they make, in the order of the link; `includes` are folders with headers in that copy, `code` patterns of files
    whose lines are counted. `headers` are Debian packages that are unpacked beside it, for their headers only
    ($HEADERS is their /usr/include). `uses` are names of other code bases whose archives are linked too. `tests` are
    commands that build and run the code base's own tests, after `build`; these pass if each command succeeds. The
    programs are all C and C++ files in the folder of the row's name here; `runs` are commands, each of which runs a
    program.
    """

    name: str
    source: str
    build: tuple[str, ...] = ()
    archives: tuple[str, ...] = ()
    includes: tuple[str, ...] = (".",)
    code: tuple[str, ...] = ("**/*",)
    headers: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ("-lm",)
    flags: tuple[str, ...] = ("-O2",)
    linker: str = "enzyme-c++"
    uses: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    runs: tuple[str, ...] = ("./program",)

    @property
    def programs(self) -> list[Path]:
        """Returns the programs in the row's folder, sorted by name."""
        return sorted(path for path in (HERE / self.name).rglob("*") if path.suffix in _SUFFIXES)


@dataclass(frozen=True)
class Variant:
    """One way to compile a program: the mode, and where its handle is made ("" if it has none)."""

    program: Path
    mode: str
    handle: str = ""

    @property
    def defines(self) -> tuple[str, ...]:
        """Returns the options that select the variant."""
        forward = ("-DFORWARD",) if self.mode == "forward" else ()
        return (*forward, "-DINSIDE") if self.handle == "inside" else forward

    @property
    def label(self) -> str:
        """Returns the variant's name for people and files."""
        return "-".join(part for part in (self.program.stem, self.handle, self.mode) if part)


def variants(program: Path) -> list[Variant]:
    """Returns all variants of a program, both modes of one handle side by side.

    A header beside the program is a part of it.
    """
    texts = [path.read_text() for path in (program, *program.parent.glob("*.h"))]
    handles = ("outside", "inside") if any("CHECK_HANDLE" in text for text in texts) else ("",)
    return [Variant(program, mode, handle) for handle in handles for mode in ("reverse", "forward")]
