"""Finished objects carry their bitcode where GNU's binutils neither look for it nor lose it."""

from __future__ import annotations

import io
import random
import re
import stat
import zlib
from pathlib import Path
from typing import Any

import pytest
from elftools.elf.elffile import ELFFile

SHF_EXCLUDE = 0x80000000


def flags_of_sections(path: Path) -> dict[str, int]:
    with path.open("rb") as file:
        return {s.name: s["sh_flags"] for s in ELFFile(file).iter_sections()}


def symbols(listing: str) -> list[str]:
    return re.findall(r" [TDBC] (\w+)", listing)


def assert_stamped(path: Path) -> None:
    flags = flags_of_sections(path)
    assert flags[".enzybc"] & flags[".enzycmd"] & SHF_EXCLUDE
    assert ".llvmbc" not in flags and ".llvmcmd" not in flags


@pytest.mark.parametrize(
    "words, objects",
    [
        ("-c b.c", "b.o"),
        ("-c b.c -o x.o", "x.o"),
        ("-c a.c alone.c ./empty.c", "a.o alone.o empty.o"),
        ("-c -x c text", "text.o"),
        ("-ffunction-sections -g -O2 -c b.c", "b.o"),
        ("@words", "b.o"),
    ],
)
def test_every_object_is_stamped(shell: Any, enzyme_cc: Path, words: str, objects: str) -> None:
    shell.write("words", "-c b.c")
    shell.check(enzyme_cc, *words.split())
    for name in objects.split():
        assert_stamped(shell.folder / name)


def test_bitcode_is_not_optimised_and_carries_type_information(shell: Any, enzyme_cc: Path) -> None:
    loop = "for (int i = 0; i < n; i++) x[i] *= x[i];"
    shell.write("loop.c", f"void square(double *x, int n) {{ {loop} }}\n")
    shell.check(enzyme_cc, "-O3", "-c", "loop.c")
    with (shell.folder / "loop.o").open("rb") as file:
        bitcode = ELFFile(file).get_section_by_name(".enzybc").data()
    import llvmlite.binding as llvm

    text = str(llvm.parse_bitcode(bitcode))
    assert "alloca" in text and "!tbaa" in text
    assert "<2 x double>" not in text and "optnone" not in text


def test_unoptimised_units_may_be_optimised_later(shell: Any, enzyme_cc: Path) -> None:
    shell.check(enzyme_cc, "-O0", "-c", "b.c")
    with (shell.folder / "b.o").open("rb") as file:
        bitcode = ELFFile(file).get_section_by_name(".enzybc").data()
    import llvmlite.binding as llvm

    assert "optnone" not in str(llvm.parse_bitcode(bitcode))


def test_nm_ar_ranlib_and_strip_see_the_symbols(shell: Any, enzyme_cc: Path) -> None:
    shell.check(enzyme_cc, "-c", "b.c")
    assert symbols(shell.check("nm", "b.o")) == ["twice"]
    shell.check("ar", "rcs", "libb.a", "b.o")
    assert "twice in b.o" in shell.check("nm", "-s", "libb.a")
    shell.check("ar", "rcS", "libs.a", "b.o")
    shell.check("ranlib", "libs.a")
    assert "twice in b.o" in shell.check("nm", "-s", "libs.a")
    shell.check("strip", "--strip-unneeded", "b.o", "-o", "s.o")
    assert symbols(shell.check("nm", "s.o")) == ["twice"]
    assert_stamped(shell.folder / "b.o")


def test_relocatable_link_keeps_both_modules(shell: Any, enzyme_cc: Path) -> None:
    shell.check(enzyme_cc, "-c", "a.c", "b.c")
    shell.check("ld", "-r", "a.o", "b.o", "-o", "both.o")
    with (shell.folder / "both.o").open("rb") as file:
        data = ELFFile(file).get_section_by_name(".enzybc").data()
    assert data.count(b"BC\xc0\xde") == 2


@pytest.mark.parametrize("flavour", ["bfd", "lld"])
@pytest.mark.parametrize("shape", ["-fPIE", "-shared -fPIC", "-static"])
@pytest.mark.parametrize("at_once", [False, True])
def test_linked_programs_carry_no_bitcode(shell: Any, enzyme_cc: Path, flavour: str, shape: str, at_once: bool) -> None:
    words = [*shape.split(), f"-fuse-ld={flavour}"]
    if not at_once:
        shell.check(enzyme_cc, *shape.split()[-1:], "-c", "a.c", "b.c")
    shell.check(enzyme_cc, *words, *(["a.c", "b.c"] if at_once else ["a.o", "b.o"]), "-o", "prog")
    assert not {".enzybc", ".enzycmd", ".llvmbc", ".llvmcmd"} & flags_of_sections(shell.folder / "prog").keys()


def test_symbols_that_share_the_section_names_bytes_keep_their_names(shell: Any, enzyme_cc: Path) -> None:
    """String tables share tails: the symbol mbc is stored as the end of ".llvmbc", bc and c end both names."""
    shell.write("tails.c", "double mbc, bc, c; double llvmcmd(void) { return mbc + bc + c; }\n")
    shell.check(enzyme_cc, "-c", "tails.c")
    listing = shell.check("readelf", "-sW", "tails.o")
    assert {"mbc", "bc", "c", "llvmcmd"} <= set(listing.split())
    flags = flags_of_sections(shell.folder / "tails.o")
    assert flags[".llvmbc"] & flags[".llvmcmd"] & SHF_EXCLUDE  # not renamed, but still kept out of programs
    shell.write("tails.c", "double bc, c, d; double cmd(void) { return bc + c + d; }\n")
    shell.check(enzyme_cc, "-c", "tails.c")
    assert_stamped(shell.folder / "tails.o")
    assert symbols(shell.check("nm", "tails.o")) == ["bc", "c", "cmd", "d"]


def test_very_many_sections(shell: Any, enzyme_cc: Path) -> None:
    """Beyond 65,279 sections ELF keeps their number elsewhere."""
    shell.write("many.c", "\n".join(f"int f{i}(void) {{ return {i}; }}" for i in range(33000)))
    shell.check(enzyme_cc, "-ffunction-sections", "-c", "many.c")
    assert_stamped(shell.folder / "many.o")


def fake_compiler(shell: Any, body: str) -> dict[str, str]:
    script = shell.write("fake-clang", f"#!/bin/sh\n{body}\n")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    return {"ENZYME_CC_CLANG": str(script)}


def test_what_is_no_object_is_left_as_it_is(shell: Any, enzyme_cc: Path) -> None:
    for i, content in enumerate([b"", b"text .llvmbc", b"\x7fELF", b"\x7fELF\x02\x01\x01" + bytes(57), b"!<arch>\n"]):
        (shell.folder / "given").write_bytes(content)
        shell.check(enzyme_cc, "-c", "x.c", "-o", f"{i}.o", env=fake_compiler(shell, f"cp given {i}.o"))
        assert (shell.folder / f"{i}.o").read_bytes() == content


def test_damaged_objects_neither_crash_nor_grow(shell: Any, clang: str, enzyme_cc: Path) -> None:
    shell.check(clang, "-Xclang", "-fembed-bitcode=all", "-c", "b.c", "-o", "good.o")
    good = (shell.folder / "good.o").read_bytes()
    env = fake_compiler(shell, "cp given out.o")
    chance = random.Random(1)
    sections_at = int.from_bytes(good[40:48], "little")
    for _ in range(150):
        damaged = bytearray(good)
        for _ in range(chance.randrange(1, 6)):
            place = chance.choice([chance.randrange(64), chance.randrange(sections_at, len(good))])
            damaged[place] = chance.randrange(256)
        if chance.random() < 0.3:
            del damaged[chance.randrange(len(damaged)) :]
        (shell.folder / "given").write_bytes(damaged)
        result = shell.run(enzyme_cc, "-c", "x.c", "-o", "out.o", env=env)
        assert result.status == 0 and result.err == ""
        assert len((shell.folder / "out.o").read_bytes()) == len(damaged)


def test_stamping_changes_names_and_header_fields_only(shell: Any, clang: str, enzyme_cc: Path) -> None:
    flags = ["-Xclang", "-fembed-bitcode=all", "-O1", "-c", "b.c"]
    shell.check(clang, *flags, "-o", "given")
    before = (shell.folder / "given").read_bytes()
    shell.check(enzyme_cc, "-c", "x.c", "-o", "out.o", env=fake_compiler(shell, "cp given out.o"))
    after = (shell.folder / "out.o").read_bytes()
    changed = [i for i in range(len(before)) if before[i] != after[i]]
    elf = ELFFile(io.BytesIO(before))
    names = elf.get_section(elf["e_shstrndx"])
    for place in changed:
        in_names = names["sh_offset"] <= place < names["sh_offset"] + names["sh_size"]
        assert in_names or place >= elf["e_shoff"] or 9 <= place < 16
    assert len(changed) <= 8 + 2 + 7  # "llvm" twice, one byte of each section's flags, the checksum


def test_header_keeps_a_checksum_of_the_bitcode(shell: Any, enzyme_cc: Path) -> None:
    shell.check(enzyme_cc, "-c", "b.c")
    data = (shell.folder / "b.o").read_bytes()
    section = ELFFile(io.BytesIO(data)).get_section_by_name(".enzybc")
    assert data[9:12] == b"EZ\x01"
    assert int.from_bytes(data[12:16], "little") == zlib.crc32(section.data())


def test_read_only_object_is_left(shell: Any, enzyme_cc: Path) -> None:
    shell.write("given", "x")
    shell.check(enzyme_cc, "-c", "x.c", "-o", "out.o", env=fake_compiler(shell, "cp given out.o; chmod 400 out.o"))
    assert (shell.folder / "out.o").read_text() == "x"
