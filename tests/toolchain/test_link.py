"""The front of enzyme-ld: a link without requests is the native linker's at once, another is the Python stage's."""

from __future__ import annotations

import shutil
import stat
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def parts(shell: Any, enzyme_cc: Path) -> Any:
    """a.o b.o without a request, asks.o with one; each also in an archive and in a thin archive, in sub/."""
    shell.check(enzyme_cc, "-fPIC", "-c", "a.c", "b.c", "asks.c")
    (shell.folder / "sub").mkdir()
    for name in ["b", "asks"]:
        shell.check("ar", "rcs", f"sub/lib{name}.a", f"{name}.o")
        shell.check("ar", "rcsT", f"sub/libthin{name}.a", f"{name}.o")
    recorder = shell.write("python", '#!/bin/sh\nprintf "%s\\n" "$@" > recorded\n')
    native = shell.write("native", '#!/bin/sh\nprintf "%s\\n" "$@" > native-recorded\n')
    for script in (recorder, native):
        script.chmod(script.stat().st_mode | stat.S_IXUSR)
    shell.environment.update(ENZYME_CC_PYTHON=str(recorder), ENZYME_CC_LD=str(native))
    return shell


def route(shell: Any, enzyme_ld: Path, words: str) -> tuple[str, list[str]]:
    """Who was started, and with which words."""
    shell.check(enzyme_ld, *words.split())
    for who, name in [("python", "recorded"), ("native", "native-recorded")]:
        path = shell.folder / name
        if path.exists():
            return who, path.read_text().split("\n")[:-1]
    pytest.fail("nothing was started")


WITHOUT = [
    "a.o b.o -o prog",
    "a.o sub/libb.a",
    "a.o sub/libthinb.a",
    "a.o -Lsub -lb",
    "a.o -L sub -l b",
    "a.o --library-path=sub --library=b",
    "a.o -Lsub -l:libb.a",
    "@rsp",
    "-r asks.o -o part.o",
    "--relocatable asks.o -o part.o",
    "--version",
    "missing.o",
    "a.o libasks.so",
    "a.o -L. -lasks",
    "-soname __enzyme_ a.o",
    "a.o script-without",
    "a.o -o asks-output",
    "a.o almost",
    "a.o commented-script",
]

WITH = [
    "asks.o",
    "a.o b.o asks.o -o prog",
    "a.o sub/libasks.a",
    "a.o sub/libthinasks.a",
    "a.o -Lsub -lasks",
    "-lasks -Lsub a.o",
    "a.o -L sub -l asks",
    "a.o --library-path sub --library asks",
    "a.o -Lsub -l:libasks.a",
    "a.o -Lsub -lthinasks",
    "a.o -Lsub --start-group -lb -lasks --end-group",
    "a.o --whole-archive sub/libasks.a --no-whole-archive",
    "a.o -Bstatic -L. -Lsub -lasks -Bdynamic",
    "a.o -Bstatic --push-state -Bdynamic --pop-state -L. -Lsub -lasks",
    "@rsp-asks",
    "@rsp-outer",
    "a.o script",
    "a.o -L. -lscript",
    "-T script a.o",
    "asks.bc",
    "a.o only",
    "a.o at-end",
]


@pytest.fixture
def inputs(parts: Any, clang: str) -> Any:
    parts.check(clang, "-shared", "-Wl,--unresolved-symbols=ignore-all", "asks.o", "-o", "libasks.so")
    parts.check(clang, "-c", "-emit-llvm", "asks.c", "-o", "asks.bc")
    parts.write("only", "__enzyme_")
    parts.write("at-end", "zz _enzyme_ z__enzyme __enzyme_")
    parts.write("almost", "_enzyme_ __enzyme")
    parts.write("commented-script", "/* not asks.o */ GROUP ( a.o ) /* asks.o")
    parts.write("rsp", "a.o\n'b.o'")
    parts.write("rsp-asks", 'a.o "asks.o"')
    parts.write("rsp-outer", "a.o @rsp-asks")
    parts.write("script", "GROUP ( a.o AS_NEEDED ( asks.o ) )")
    parts.write("libscript.so", "INPUT(-lc sub/libasks.a)")
    parts.write("script-without", "GROUP ( a.o b.o )")
    return parts


@pytest.mark.parametrize("words", WITHOUT)
def test_without_request_the_native_linker_gets_the_same_words(inputs: Any, enzyme_ld: Path, words: str) -> None:
    assert route(inputs, enzyme_ld, words) == ("native", words.split())


@pytest.mark.parametrize("words", WITH)
def test_with_request_the_python_stage_gets_the_same_words(
    inputs: Any, enzyme_ld: Path, clang: str, words: str
) -> None:
    who, given = route(inputs, enzyme_ld, words)
    native = f"--enzyme-native-linker={inputs.environment['ENZYME_CC_LD']}"
    start = ["-P", "-m", "enzyme_cc.link", native, f"--enzyme-clang={shutil.which(clang)}"]
    assert (who, given) == ("python", [*start, *words.split()])


def test_verbose_is_kept_from_the_native_linker(parts: Any, enzyme_ld: Path) -> None:
    assert route(parts, enzyme_ld, "a.o --enzyme-verbose b.o") == ("native", ["a.o", "b.o"])


def test_settings_reach_the_python_stage_without_a_request(parts: Any, enzyme_ld: Path) -> None:
    who, given = route(parts, enzyme_ld, "--enzyme-no-preopt a.o --enzyme-explain b.o")
    assert (who, given[5:]) == ("python", ["--enzyme-no-preopt", "--enzyme-explain", "a.o", "b.o"])


def test_our_options_reach_the_python_stage_in_front(parts: Any, enzyme_ld: Path) -> None:
    parts.write("words", "--enzyme-explain asks.o")
    _, given = route(parts, enzyme_ld, "a.o --enzyme-save-temps=dir @words")
    assert given[5:] == ["--enzyme-save-temps=dir", "--enzyme-explain", "a.o", "asks.o"]


def test_compiler_hands_our_options_to_the_link_only(parts: Any, enzyme_cc: Path) -> None:
    parts.check(enzyme_cc, "--enzyme-no-preopt", "-c", "b.c", "-o", "other.o")
    parts.check(enzyme_cc, "a.o", "asks.o", "--enzyme-no-preopt", "--enzyme-save-temps=a,b", "-o", "prog")
    given = (parts.folder / "recorded").read_text().split("\n")
    assert given[5:7] == ["--enzyme-no-preopt", "--enzyme-save-temps=a,b"]


def test_sources_with_a_request_linked_at_once(parts: Any, enzyme_cc: Path) -> None:
    parts.check(enzyme_cc, "a.c", "asks.c", "b.c", "-o", "prog")
    assert "enzyme_cc.link" in (parts.folder / "recorded").read_text()


@pytest.mark.parametrize("choice", ["-fuse-ld=lld", "--ld-path=ld.lld-22", "--ld-path=/usr/bin/ld.lld-22"])
def test_users_linker_is_the_native_one(parts: Any, enzyme_cc: Path, choice: str) -> None:
    parts.check(enzyme_cc, choice, "a.o", "asks.o", "-o", "prog")
    given = (parts.folder / "recorded").read_text().split("\n")
    assert given[3].startswith("--enzyme-native-linker=/") and "lld" in given[3]


def test_environment_names_the_native_linker(shell: Any, enzyme_cc: Path) -> None:
    shell.check(enzyme_cc, "a.c", "b.c", "-o", "prog", env={"ENZYME_CC_LD": "ld.lld-22"})
    assert "Linker: Debian LLD" in shell.check("readelf", "-p", ".comment", "prog").replace("[", " ")


def test_verbose_shows_compiler_and_linker(shell: Any, enzyme_cc: Path) -> None:
    result = shell.run(enzyme_cc, "--enzyme-verbose", "-DX='a b'", "a.c", "b.c", "-o", "prog")
    compiler, linker = result.err.splitlines()
    assert compiler.startswith("enzyme-cc: ") and "-fembed-bitcode=all" in compiler
    assert linker.startswith("enzyme-ld: ") and linker.endswith("crtn.o")


def test_unknown_option_is_refused_without_a_request_too(shell: Any, enzyme_cc: Path) -> None:
    result = shell.run(enzyme_cc, "--enzyme-nonsense", "a.c", "b.c", "-o", "prog")
    assert result.status == 1
    assert "EZ0111" in result.err and "--enzyme-nonsense" in result.err
    shell.check(enzyme_cc, "--enzyme-remarks", "a.c", "b.c", "-o", "prog")
    shell.check("./prog")


def test_linker_called_ld_on_path_is_never_ourselves(shell: Any, enzyme_ld: Path, enzyme_cc: Path) -> None:
    folder = enzyme_ld.parent.parent / "libexec" / "enzyme-cc"
    env = {"PATH": f"{folder}:/usr/bin:/bin"}
    assert "GNU ld" in shell.check(enzyme_ld, "--version", env=env)
    (shell.folder / "ld").symlink_to(enzyme_ld)
    assert "GNU ld" in shell.check(enzyme_ld, "--version", env={"PATH": f"{shell.folder}:/usr/bin:/bin"})


def test_damaged_thin_archive_is_the_native_linkers_to_refuse(parts: Any, enzyme_ld: Path) -> None:
    good = (parts.folder / "sub" / "libthinasks.a").read_bytes()
    for length in range(8, len(good), 7):
        (parts.folder / "cut.a").write_bytes(good[:length])
        parts.check(enzyme_ld, "cut.a")
