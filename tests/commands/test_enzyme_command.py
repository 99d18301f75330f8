"""The command `enzyme`: each subcommand once as users start it, and the parts of what it prints."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from enzyme_cc.cache.entries import Cache
from enzyme_cc.commands import caches, checked_run, explanation, manual, report_page, wrapped
from enzyme_cc.commands.doctor import examined
from enzyme_cc.commands.main import enzyme
from enzyme_cc.report.remarks import Remark, RemarkKind, read, records

ROOT = Path(__file__).parents[2]
PROGRAM = """\
#include <stdlib.h>
extern double __enzyme_autodiff(void *, ...);
__attribute__((noinline)) double product(double *x) {
  double s = 1;
  for (int i = 0; i < (int)x[0]; i++)
    s *= x[0] * s;
  return s;
}
double square(double *x) { return x[0] * x[0] + 0 * product(x) * product(x); }
int main(int argc, char **argv) {
  double x = 3, dx = 0;
  __enzyme_autodiff((void *)square, &x, argc > 1 ? NULL : &dx);
  return dx != 6;
}
"""


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(enzyme, list(map(str, words)))


def as_users_do(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    program = Path(sys.executable).parent / "enzyme"
    return subprocess.run([program, *words], cwd=folder, capture_output=True, text=True, timeout=120)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("command")
    (made / "square.c").write_text(PROGRAM)
    return made


def test_doctor_finds_that_this_machine_has_what_c_needs() -> None:
    rows = examined()
    assert all(row.is_good for row in rows if row.is_needed)
    assert {"enzyme-cc", "native linker", "cache of links", "a gradient"} <= {row.what for row in rows}
    assert all(row.remedy for row in rows if not row.is_good)


def test_explanation_has_the_remedy_and_the_options() -> None:
    assert "Remedy: " in explanation.explained("302") and "-Werror=enzyme-own-shadow" in explanation.explained("ez0222")
    assert "did you mean EZ0902?" in run("explain", "EZ9302").output


def test_check_sums_up_what_a_program_finds(folder: Path) -> None:
    found = as_users_do(folder, "check", "square.c", "wrong")
    assert "the shadow of argument 1 of square is null [EZ0227]" in found.stderr
    assert "enzyme check: 1 × " in found.stderr and "SIGABRT" in found.stderr and found.returncode
    assert "no mistake" in as_users_do(folder, "check", "square.c").stderr


def test_check_refuses_a_program_without_checks() -> None:
    with pytest.raises(checked_run.Unchecked, match="link it with --enzyme-check"):
        checked_run.checked("/bin/true", [])


def test_report_shows_what_is_stored_beside_its_line(folder: Path) -> None:
    assert run("report", folder / "square.c", "-O2", "-o", folder / "a.html").exit_code == 0
    page = (folder / "a.html").read_text()
    assert "the tape holds" in page and "s *= x[0] * s;" in page and "machine code" in page
    assert "http" not in page and "<script" not in page
    assert "a program does not hold its remarks" in run("report", "/bin/true").output


def test_report_shows_sources_from_a_folder_beside_theirs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "build").mkdir(exist_ok=True)
    monkeypatch.chdir(folder / "build")
    assert run("report", folder / "square.c", "-O2", "-o", "a.html").exit_code == 0
    assert "s *= x[0] * s;" in Path("a.html").read_text()


def test_report_has_the_bytes_of_a_run(folder: Path) -> None:
    done = run("report", folder / "square.c", "-O2", "--run", "-o", folder / "b.html")
    assert done.exit_code == 0, done.output
    page = (folder / "b.html").read_text()
    (row,) = re.findall(r'<td class="n stored">([\d,]+)</td><td><pre>.* (\w+\(.*\)) {<', page)
    assert row == ("24", "product(double *x)") and "24 in all" in page  # three values of s, at the function's line
    assert "ended with status" in run("report", folder / "square.c", "--argument", "wrong", "-o", "c.html").output


def test_report_of_records(tmp_path: Path) -> None:
    why = (("Value", "the value of this load"), ("String", " is stored: it's 8 bytes"))
    remark = Remark(RemarkKind.MISSED, "Stored", "f", "a.c:3:7", why)
    assert read(records([remark])) == [remark]
    (tmp_path / "a.yaml").write_text(records([remark]))
    assert report_page.written([str(tmp_path / "a.yaml")], str(tmp_path / "a.html")).endswith("about 1 functions")
    assert "the value of this load is stored: it&#39;s 8 bytes" in (tmp_path / "a.html").read_text()
    with pytest.raises(ValueError, match="no record"):
        read("nothing")


def test_active_lines_are_those_of_the_first_list() -> None:
    explained = "f\n  2 active instructions\n    a.c:1:2: fadd: rule\n  stored once\n    a.c:9:9: fadd: primal\n"
    assert report_page.active_lines(explained) == {"a.c:1": ["fadd: rule"]}


def test_cache_tells_its_size_and_can_be_cleared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENZYME_CC_CACHE", str(tmp_path))
    assert "links: 0 entries" in caches.statistics()
    cache = Cache(str(tmp_path / "links"))
    entry = cache.find_or_build(["x"], lambda folder: [])
    assert "links: 1 entries" in caches.statistics()
    assert "0 of links" in caches.cleared()  # this process uses it
    cache.discard(entry)
    cache.find_or_build(["x"], lambda folder: [])
    assert run("cache").exit_code == 2


def test_wrap_proposes_a_signature_for_each_function(folder: Path) -> None:
    source = folder / "two.c"
    source.write_text(
        "double f(double *x, int n) { return x[n - 1]; }\nvoid g(void *p) {}\nstatic int h;\n"
        "double k(double (*f)(double), double x) { return f(x); }\n"
    )
    text = "\n".join(wrapped.proposals(str(source), []))
    assert "\"f\", 'x[n], n -> return')" in text
    assert "# cannot be called: p is no number" in text
    assert "\"k\", 'callback f(argument1), x -> return')" in text


def test_manual_pages_are_up_to_date() -> None:
    found = {path.name: path.read_text() for path in (ROOT / "toolchain" / "man").iterdir()}
    assert found == manual.pages()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_of_each_shell(shell: str) -> None:
    assert "_ENZYME_COMPLETE" in run("completion", shell).output


def test_links_do_not_import_the_command() -> None:
    others = "{'click', 'jinja2', 'rich', 'enzyme_cc.commands'}"
    code = f"import sys, enzyme_cc.link.__main__, enzyme_cc.link.pipeline; print({others} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "set()\n"
