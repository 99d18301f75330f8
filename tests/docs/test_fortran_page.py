"""docs/fortran.md says of each intrinsic and statement what the programs that it names show."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAMS = ROOT / "tests" / "programs"
_CODE = re.compile(r"`([^`]+)`")
_INTRINSICS = re.compile(r"## Intrinsic procedures\n(.*?)\n## ", re.DOTALL)
#: the intrinsic procedures of Fortran 2018 that take or return real or complex numbers, or are about arrays of them
NUMERIC = """
    abs acos acosh aimag aint all allocated anint any asin asinh associated atan atan2 atanh bessel_j0 bessel_j1
    bessel_jn bessel_y0 bessel_y1 bessel_yn ceiling cmplx conjg cos cosh count cshift dble digits dim dot_product dprod
    eoshift epsilon erf erfc erfc_scaled exp exponent findloc floor fraction gamma huge hypot int
    is_contiguous kind lbound log log10 log_gamma matmul max maxexponent maxloc maxval merge min minloc minval mod
    modulo move_alloc nearest nint norm2 out_of_range pack parity precision present product radix rank real reduce
    reshape rrspacing scale selected_real_kind set_exponent shape sign sin sinh size spacing spread sqrt
    sum tan tanh tiny transfer transpose ubound unpack
""".split()


def _rows() -> list[tuple[str, str, str]]:
    page = (ROOT / "docs" / "fortran.md").read_text()
    lines = [line for line in page.splitlines() if re.match(r"\| .*\.[fF](?:90)?` *\|$", line)]
    cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]
    return [(names, status, programs) for names, status, programs in cells]


def _program(name: str) -> Path:
    found = list(PROGRAMS.rglob(name))
    assert len(found) == 1, f"{name}: {found}"
    return found[0]


def _code(program: Path) -> str:
    """Returns the program's text in small letters, without comments."""
    return re.sub(r"(?m)^ *!.*$", "", program.read_text()).lower()


def _alone(name: str) -> str:
    """Returns a pattern for a name that is no part of a longer one."""
    before, after = (r"(?<!\w)" if name[0].isalnum() else "", r"(?!\w)" if name[-1].isalnum() else "")
    return before + re.escape(name) + after


@pytest.mark.parametrize("row", _rows(), ids=lambda row: row[0][:40])
def test_row_is_what_programs_show(row: tuple[str, str, str]) -> None:
    names, status, where = row
    programs = [_program(name) for name in _CODE.findall(where)]
    code = "\n".join(map(_code, programs))
    for name in _CODE.findall(names):
        assert re.search(_alone(name), code), f"{name} is not in {where}"
    folders = {program.relative_to(PROGRAMS).parts[0] for program in programs}
    assert folders == {{"refused": "refused", "stopped": "stopped"}.get(status.split()[0], "fortran")}
    for id_ in re.findall(r"EZ\d{4}", status):
        assert all(id_ in program.read_text().splitlines()[0] for program in programs)


def test_all_numeric_intrinsics_have_a_row() -> None:
    page = (ROOT / "docs" / "fortran.md").read_text()
    section = _INTRINSICS.search(page)
    assert section is not None
    assert not set(NUMERIC) - set(_CODE.findall(section[1]))
