"""Where enzyme-cc itself fails: a short message, a status, and what is needed to repeat it; never a traceback."""

from __future__ import annotations

import resource
import subprocess
import sys

import pytest

from .conftest import Project

REQUEST = "extern double __enzyme_autodiff(void *, ...);\n"


def deeply_nested(depth: int) -> str:
    """A type that is nested deeper than Python recurses."""
    structs = [f"struct s{i} {{ struct s{i - 1} a; }};" for i in range(1, depth)]
    last = f"struct s{depth - 1}"
    body = f"""
{last} g;
__attribute__((noinline)) double f({last} *p) {{ {last} q = *p; g = q; return *(double *)&g * *(double *)p; }}
int main(void) {{ {last} x, dx; __enzyme_autodiff((void *)f, &x, &dx); return 0; }}
"""
    return "\n".join([REQUEST, "struct s0 { double v; };", *structs, body])


def long_function(statements: int) -> str:
    lines = [f"  y = sin(y * x[{i % 7}]) + x[{i % 5}] / (y + {i});" for i in range(statements)]
    body = "\n".join(lines)
    return f"""{REQUEST}double sin(double);
double f(double *x) {{
  double y = 1;
{body}
  return y;
}}
int main(void) {{ double x[7] = {{1, 2, 3, 4, 5, 6, 7}}, dx[7] = {{0}}; __enzyme_autodiff((void *)f, x, dx); }}
"""


def chain_of_calls(length: int) -> str:
    inner = "__attribute__((noinline)) static double f{}(double *x) {{ double y = {}; x[0] += y; return y * x[1]; }}"
    functions = [inner.format(i, f"f{i - 1}(x)" if i else "x[0]") for i in range(length)]
    main = f"""int main(void) {{
  double x[2] = {{1, 0.5}}, dx[2] = {{0}};
  __enzyme_autodiff((void *)f{length - 1}, x, dx);
  return !(dx[0] > 0);
}}
"""
    return "\n".join([REQUEST, *functions, main])


@pytest.mark.parametrize("text", [deeply_nested(3000), chain_of_calls(500)], ids=["types", "calls"])
def test_deep_programs_link(project: Project, text: str) -> None:
    project.link(project.compile("deep.c", text, "-O0"))
    project.run("./program")


@pytest.fixture(scope="module")
def long_object(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = Project(tmp_path_factory.mktemp("long"))
    (project.path / "tmp").mkdir()
    project.compile("long.c", long_function(700))
    return project


@pytest.mark.parametrize("megabytes", [60, 215, 225, 235, 245, 260])
def test_little_memory(long_object: Project, megabytes: int) -> None:
    """Python's allocations fail, or LLVM's, or the linker's, in whatever stage that is."""
    project = long_object
    words = [sys.executable, "-m", "enzyme_cc.link", "--enzyme-native-linker=/usr/bin/ld"]
    words += ["/usr/lib/x86_64-linux-gnu/crt1.o", "long.o", "-lc", "-lm", "-o", "program"]

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))

    done = subprocess.run(
        words, cwd=project.path, env=project.environment, capture_output=True, text=True, preexec_fn=limit
    )
    assert "Traceback" not in done.stderr
    assert done.returncode == 0 or "[EZ0" in done.stderr, (done.returncode, done.stderr)
    assert (project.path / "program").exists() == (done.returncode == 0)
    assert project.leftovers() == []
    for file in (*project.path.glob("enzyme-ld-report-*.txt"), project.path / "program"):
        file.unlink(missing_ok=True)
