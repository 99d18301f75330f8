"""The readers of ELF files and archives, compared with pyelftools and GNU ar."""

from __future__ import annotations

import glob
import io

import pytest
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from enzyme_cc.link.inputs import archive, carried_units, elf
from enzyme_cc.link.inputs.carried_units import CarriedError, CarriedUnit

from .conftest import SQUARE, Project

FILES = sorted([*glob.glob("/usr/lib/x86_64-linux-gnu/*crt*.o"), *glob.glob("/lib/x86_64-linux-gnu/lib[cm].so.6")])


@pytest.mark.parametrize("path", FILES)
def test_elf_as_pyelftools_reads_it(path: str) -> None:
    with open(path, "rb") as file:
        ours, theirs = elf.read(file.read()), ELFFile(file)
        assert [section.name for section in ours.sections] == [section.name for section in theirs.iter_sections()]
        kind = "SHT_DYNSYM" if ours.type == elf.TYPE_SHARED else "SHT_SYMTAB"
        tables = [s for s in theirs.iter_sections() if isinstance(s, SymbolTableSection) and s["sh_type"] == kind]
        names = [s.name for table in tables for s in table.iter_symbols() if s["st_info"]["bind"] != "STB_LOCAL"]
        assert [symbol.name for symbol in ours.symbols] == names


def test_elf_cut_short_is_refused() -> None:
    with open(FILES[0], "rb") as file:
        data = file.read()
    for size in range(0, len(data) - 1, 97):
        with pytest.raises(elf.ElfError):
            _ = elf.read(data[:size]).symbols


def test_archive_as_ar_reads_it(project: Project) -> None:
    path = glob.glob("/usr/lib/gcc/x86_64-linux-gnu/*/libgcc.a")[0]
    with open(path, "rb") as file:
        names = [member.name for member in archive.read(file.read(), path)]
    assert names == project.run("ar", "t", path).split()


@pytest.mark.parametrize("flags", ["rcs", "rcsT"])
@pytest.mark.parametrize("name", ["a.c", "a_rather_long_name_of_a_member.c", "name with spaces.c"])
def test_member_names(project: Project, flags: str, name: str) -> None:
    object_name = project.compile(name, SQUARE)
    path = str(project.path / project.archive("lib.a", object_name, flags=flags))
    (member,) = archive.read((project.path / "lib.a").read_bytes(), path)
    assert member.name == object_name
    assert (member.path is not None) == (flags == "rcsT")


def test_bsd_long_name() -> None:
    body = b"a long BSD name.o\0\0\0content!"
    header = b"#1/20".ljust(16) + b"0".ljust(12) + b"0".ljust(6) * 2 + b"644".ljust(8) + b"%-10d`\n" % len(body)
    (member,) = archive.read(archive.MAGIC + header + body, "lib.a")
    assert (member.name, bytes(member.data)) == ("a long BSD name.o", b"content!")


def test_written_archive_is_read_by_ar_and_ld(project: Project) -> None:
    members = [("a.o", "int a;"), ("a_rather_long_name_of_a_member.o", "int b; int main(void) { return b; }")]
    contents = []
    for name, text in members:
        data = (project.path / project.native(name.replace(".o", ".c"), text)).read_bytes()
        contents.append((name, data, [s.name for s in elf.read(data).symbols if s.is_defined]))
    (project.path / "lib.a").write_bytes(archive.write(contents))
    assert project.run("ar", "t", "lib.a").split() == [name for name, _ in members]
    project.run("gcc", "lib.a", "-o", "program")
    project.run("./program")


def test_numbered_names_identify_members(project: Project) -> None:
    first, second = project.native("a/x.c", "int a;"), project.native("b/x.c", "int main(void) { return 0; }")
    project.archive("lib.a", first, second, flags="qcs")
    data = (project.path / "lib.a").read_bytes()
    (project.path / "numbered.a").write_bytes(archive.with_numbered_names(data, archive.read(data, "lib.a")))
    assert project.run("ar", "t", "numbered.a").split() == [archive.numbered_name(0), archive.numbered_name(1)]
    project.run("gcc", "numbered.a", "-o", "program")


def test_an_object_with_one_section() -> None:
    data = elf.with_section(".enzyme_units", b"contents", "a_symbol", 62)
    theirs = ELFFile(io.BytesIO(data))
    section, table = theirs.get_section_by_name(".enzyme_units"), theirs.get_section_by_name(".symtab")
    assert (section.data(), section["sh_flags"]) == (b"contents", 0)
    (symbol,) = table.get_symbol_by_name("a_symbol")
    assert (symbol["st_size"], theirs.get_section(symbol["st_shndx"]).name) == (8, ".rodata")
    assert [s.name for s in elf.read(data).symbols if s.is_defined] == ["a_symbol"]


def test_units_that_a_library_carries() -> None:
    units = [CarriedUnit("a.o", b"first", {"x": "x.ez1"}), CarriedUnit("b.o", b"", {})]
    contents = carried_units.packed(units)
    assert list(carried_units.unpacked(contents)) == units
    for size in range(len(contents)):
        with pytest.raises(CarriedError):
            list(carried_units.unpacked(contents[:size]))


def test_symbols_are_read_once_for_all_sections(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """An object of C++ has a section with relocations for each function, and one table of symbols."""
    functions = "\n".join(f"double f{k}(double x) {{ return g(x) + h{k % 3}(x); }}" for k in range(300))
    source = f"double g(double), h0(double), h1(double), h2(double);\n{functions}\n"
    file = elf.read((project.path / project.compile("many.c", source, "-ffunction-sections")).read_bytes())
    tables = [section for section in file.sections if section.type == elf.SECTION_SYMTAB]
    read = []
    whole = elf.Elf.table
    monkeypatch.setattr(elf.Elf, "table", lambda self, table: read.append(table) or whole(self, table))
    found = sorted(file.users({"h1", "f0"}.__contains__))
    assert found == sorted((f"f{k}", "h1") for k in range(1, 300, 3))
    assert len(read) <= 3 * len(tables)
