"""Whatever a build asks of its compiler, enzyme-cc answers as clang does: status, output, and every file made.

Objects may differ by the bitcode sections alone, executables not by a byte.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from elftools.elf.elffile import ELFFile

BITCODE = {".enzybc", ".enzycmd"}
# what is written to standard output cannot be stamped
UNSTAMPED = {".llvmbc", ".llvmcmd"}
# their contents name or count the sections, of which there are two more
COUNTING = {".strtab", ".shstrtab", ".symtab", ".llvm_addrsig", ".group", ".note.gnu.build-id"}
SHF_EXCLUDE = 0x80000000
# -dM shows the macros for attributes, and --version ours
PREDEFINED = re.compile(rb"(?m)^(#define enzyme_\w+(\(\.\.\.\))? (annotate\(|_Pragma\().*|enzyme-cc version [\d.]+)\n")

COMMANDS = [
    "",
    "-v",
    "--version",
    "--help",
    "-dumpmachine",
    "-dumpversion",
    "-print-search-dirs",
    "-print-prog-name=ld",
    "-print-file-name=libc.a",
    "-print-libgcc-file-name",
    "--print-target-triple",
    "-E a.c",
    "-E -dM empty.c",
    "-P -E a.c -o a.i",
    "-M a.c",
    "-MM a.c b.c",
    "-M -MF deps a.c",
    "-S a.c",
    "-S -O2 b.c -o b.asm",
    "-fsyntax-only a.c",
    "-fsyntax-only bad.c",
    "-emit-llvm -S b.c",
    "-emit-llvm -c b.c",
    "-c a.c",
    "-O2 -g -c b.c",
    "-c b.c -o sub.o",
    "-c b.c -osub.o",
    "-c b.c --output=sub.o",
    "-o sub.o b.c -c",
    "-c a.c b.c",
    "-O2 -c a.c alone.c plus.cpp",
    "-c ./b.c",
    "-c -- b.c",
    "-c @words",
    "@nested",
    "-c @missing",
    "-x c -c text",
    "-xc -c text -o text.o",
    "-c asm.s",
    "-c cpp.S",
    "-c asm.s b.c",
    "-x assembler-with-cpp -c cpp.S -o c.o",
    "-c empty.c",
    "-c bad.c",
    "-c bad.c b.c",
    "-c missing.c",
    "-c warns.c -Wall",
    "-c warns.c -Wall -Werror",
    "-c b.c -Wall -Werror -Wunused-command-line-argument -lm",
    "-c b.c --no-such-option",
    "-MD -c a.c",
    "-MMD -MP -MT target -MF deps.d -c a.c -o x.o",
    "-flto -c b.c",
    "-flto=thin -O2 -c b.c",
    "-flto -fno-lto -c b.c",
    "-flto -O2 a.c b.c -o prog",
    "-fuse-ld=lld -flto -O2 a.c b.c -o prog",
    "-ffunction-sections -fdata-sections -c a.c b.c",
    "-a.h",
    "a.h",
    "-x c-header a.h -o a.pch",
    "a.c b.c -o prog",
    "-O2 -g a.c b.c -o prog",
    "-static a.c b.c -o prog",
    "a.c -o prog",
    "-r a.c -nostdlib -o part.o",
    "-fuse-ld=lld a.c b.c -o prog",
    "-fuse-ld=bfd a.c b.c -o prog",
    "-fuse-ld=nothing a.c b.c -o prog",
    "--ld-path=ld.lld-22 a.c b.c -o prog",
    "-Wl,--no-such-linker-option a.c b.c -o prog",
    "-ftime-trace -c b.c -o t.o",
    "-fopenmp -c b.c",
    "-fprofile-instr-generate -fcoverage-mapping -c b.c",
    "-target aarch64-linux-gnu -c b.c",
]

CXX_COMMANDS = ["-c plus.cpp", "-O2 plus.cpp -o prog", "-S plus.cpp", "-stdlib=libstdc++ -g -c plus.cpp"]


def sections(data: bytes) -> dict[str, list[tuple[int, bytes]]]:
    found: dict[str, list[tuple[int, bytes]]] = {}
    for section in ELFFile(io.BytesIO(data)).iter_sections():
        found.setdefault(section.name, []).append((section["sh_flags"], section.data()))
    return found


def assert_same_object(name_of_object: str, plain: bytes, ours: bytes) -> None:
    expected, found = sections(plain), sections(ours)
    for name in found.keys() - expected.keys():
        assert name in (UNSTAMPED if name_of_object == "stdout" else BITCODE)
        assert name_of_object == "stdout" or all(flags & SHF_EXCLUDE for flags, _ in found[name])
    for name in expected.keys() - COUNTING:
        kept, wanted = [d for _, d in found[name]], [d for _, d in expected[name]]
        if name.startswith(".rela"):  # -r counts section symbols
            kept, wanted = [d[:8] for d in kept], [d[:8] for d in wanted]
        assert kept == wanted, name


def is_object(data: bytes) -> bool:
    return data[:4] == b"\x7fELF" and data[16] == 1 and data[4] == 2


def assert_same_bytes(name: str, plain: bytes, ours: bytes) -> None:
    if is_object(plain) and is_object(ours):
        assert_same_object(name, plain, ours)
    elif name.endswith((".json", ".pch")):  # times, and the command line
        assert plain[:4] == ours[:4]
    else:
        assert plain == PREDEFINED.sub(b"", ours), name


def files(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def prepare(shell: Any) -> None:
    shell.write("words", '-O2 -DNAME=\'"a b"\' "b.c"\n-o b\\.o')
    shell.write("nested", "-c @words")


def compare(fresh_shell: Callable[[str], Any], plain: str, ours: Path, words: list[str], stdin: bytes = b"") -> None:
    # one folder for both, since debug information and __FILE__ hold its name
    shell = fresh_shell("same")
    prepare(shell)
    before = files(shell.folder)
    expected = shell.run(plain, *words, stdin=stdin)
    expected_files = files(shell.folder)
    for name in expected_files.keys() - before.keys():
        (shell.folder / name).unlink()
    found = shell.run(ours, *words, stdin=stdin)
    found_files = files(shell.folder)
    assert found.status == expected.status, found.err
    assert_same_bytes("stdout", expected.out, found.out)
    assert normal(found.err) == normal(expected.err)
    assert found_files.keys() == expected_files.keys()
    for name, data in expected_files.items():
        assert_same_bytes(name, data, found_files[name])


def normal(err: str) -> list[str]:
    """Messages without the program's name and the temporaries' random letters; -v's commands are not compared."""
    lines = (line.replace("enzyme-cc:", "clang:").replace("clang-22:", "clang:") for line in err.splitlines())
    return [line.split("/tmp/")[0] for line in lines if not line.startswith(' "')]


@pytest.mark.parametrize("words", COMMANDS)
def test_c(words: str, fresh_shell: Any, clang: str, enzyme_cc: Path) -> None:
    compare(fresh_shell, clang, enzyme_cc, words.split())


@pytest.mark.parametrize("words", CXX_COMMANDS)
def test_cxx(words: str, fresh_shell: Any, clangxx: str, enzyme_cxx: Path) -> None:
    compare(fresh_shell, clangxx, enzyme_cxx, words.split())


@pytest.mark.parametrize("words", ["-x c -c -", "-x c -c - -o s.o", "-x c -E -", "-x c -S - -o -", "-x c -c - -o -"])
def test_standard_input_and_output(words: str, fresh_shell: Any, clang: str, enzyme_cc: Path) -> None:
    compare(fresh_shell, clang, enzyme_cc, words.split(), stdin=b"int f(void) { return 1; }\n")


def test_dry_run_shows_the_same_steps_and_makes_nothing(shell: Any, clang: str, enzyme_cc: Path) -> None:
    before = files(shell.folder)
    expected = shell.run(clang, "-###", "a.c", "b.c", "-o", "prog")
    found = shell.run(enzyme_cc, "-###", "a.c", "b.c", "-o", "prog")
    assert found.status == expected.status == 0
    assert files(shell.folder) == before
    assert len(found.err.splitlines()) == len(expected.err.splitlines())
    assert "enzyme-ld" in found.err.splitlines()[-1]


def test_verbose_compilation_works(shell: Any, enzyme_cc: Path) -> None:
    result = shell.run(enzyme_cc, "-v", "-c", "b.c")
    assert result.status == 0
    assert "-cc1" in result.err


def test_save_temps_keeps_the_same_kinds_of_files(fresh_shell: Any, clang: str, enzyme_cc: Path) -> None:
    plain, ours = fresh_shell("plain"), fresh_shell("ours")
    plain.check(clang, "-save-temps", "-c", "b.c")
    ours.check(enzyme_cc, "-save-temps", "-c", "b.c")
    assert files(ours.folder).keys() == files(plain.folder).keys()
    assert "2 * x" in (ours.folder / "b.i").read_text()
    assert ".enzybc" in sections((ours.folder / "b.o").read_bytes())


@pytest.mark.parametrize("maker_is_ours", [False, True])
def test_precompiled_headers_are_exchangeable(shell: Any, clang: str, enzyme_cc: Path, maker_is_ours: bool) -> None:
    maker, user = (enzyme_cc, clang) if maker_is_ours else (clang, enzyme_cc)
    shell.check(maker, "-O2", "-x", "c-header", "a.h", "-o", "a.h.pch")
    shell.check(user, "-O2", "-Werror", "-include-pch", "a.h.pch", "-c", "b.c")


def test_configure_probe_to_dev_null(shell: Any, enzyme_cc: Path) -> None:
    assert shell.check(enzyme_cc, "-c", "b.c", "-o", "/dev/null") == ""
    assert Path("/dev/null").is_char_device()


def test_parallel_compilations_of_one_source(shell: Any, enzyme_cc: Path) -> None:
    """libtool compiles a file twice; make -j compiles many at once."""
    script = " & ".join(f"{enzyme_cc} -O2 -c b.c -o o{i}.o" for i in range(8)) + " & wait"
    shell.check("bash", "-c", script)
    first = (shell.folder / "o0.o").read_bytes()
    assert all((shell.folder / f"o{i}.o").read_bytes().count(b".enzybc") == first.count(b".enzybc") for i in range(8))
