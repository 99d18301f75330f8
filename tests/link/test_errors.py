"""Links that must fail: each with a message that has an id, names the input, and leaves nothing behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from enzyme_cc.link.inputs import elf

from .conftest import MAIN, SQUARE, Project, Result

# these links leave the C library out
NO_LIBRARY = ("--unresolved-symbols=ignore-all",)


def expect(project: Project, result: Result, id: str, *words: str) -> None:
    assert result.status == 1, result.stderr
    for word in (f"[{id}]", "error:", "remedy:", *words):
        assert word in result.stderr
    assert "Traceback" not in result.stderr
    assert project.leftovers() == []
    assert not (project.path / "program").exists()


def test_request_in_native_code(project: Project) -> None:
    main = project.native("main.c", MAIN)
    result = project.try_link(main, project.compile("square.c", SQUARE))
    expect(project, result, "EZ0107", "main.o calls __enzyme_autodiff", "carries no bitcode")


def test_request_in_a_native_archive_member(project: Project) -> None:
    project.archive("libmain.a", project.native("main.c", MAIN))
    result = project.try_link("libmain.a", project.compile("square.c", SQUARE))
    expect(project, result, "EZ0107", "libmain.a(main.o)")


def test_corrupt_bitcode(project: Project) -> None:
    square = project.path / project.compile("square.c", SQUARE)
    data = bytearray(square.read_bytes())
    (section,) = elf.read(bytes(data)).named(".enzybc")
    data[section.offset + 40 : section.offset + section.size - 40] = b"\x55" * (section.size - 80)
    square.write_bytes(data)
    expect(project, project.try_link(project.compile("main.c", MAIN), "square.o"), "EZ0103", "square.o")


def test_bitcode_of_a_newer_llvm(project: Project) -> None:
    """The producer's name is patched to LLVM 99, and the record after it damaged, as an unknown record would be."""
    from enzyme_cc.link.merged_module.merge import _unreadable

    error = _unreadable("a.o", "Unknown attribute kind (106) (Producer: 'LLVM99.1.0' Reader: 'LLVM 22.1.0')")
    assert error.diagnostics[0].id == "EZ0105"
    assert "LLVM99.1.0" in (error.diagnostics[0].reason or "")


def test_truncated_object(project: Project) -> None:
    square = project.path / project.compile("square.c", SQUARE)
    square.write_bytes(square.read_bytes()[:-200])
    result = project.try_link(project.compile("main.c", MAIN), "square.o")
    assert result.status == 1
    assert "square.o" in result.stderr
    assert project.leftovers() == []


def test_corrupt_archive(project: Project) -> None:
    library = project.path / project.archive("libsquare.a", project.compile("square.c", SQUARE))
    data = bytearray(library.read_bytes())
    data[8 + 48 : 8 + 58] = b"x" * 10
    library.write_bytes(data)
    expect(project, project.try_link(project.compile("main.c", MAIN), "libsquare.a"), "EZ0102", "libsquare.a")


def test_unreadable_input(project: Project) -> None:
    """A directory can be opened as little as a file without permissions, also by root."""
    (project.path / "square.o").mkdir()
    expect(project, project.try_link(project.compile("main.c", MAIN), "square.o"), "EZ0104", "square.o")


def test_missing_thin_member(project: Project) -> None:
    project.archive("libsquare.a", project.compile("square.c", SQUARE), flags="rcsT")
    (project.path / "square.o").unlink()
    expect(project, project.try_link(project.compile("main.c", MAIN), "libsquare.a"), "EZ0104", "square.o")


def test_native_linker_errors_pass_through(project: Project) -> None:
    main = MAIN.replace("return 0", "return missing()").replace("int main", "int missing(void);\nint main")
    result = project.try_link(project.compile("main.c", main), project.compile("square.c", SQUARE))
    assert result.status == 1
    assert "undefined reference to `missing'" in result.stderr
    assert "EZ" not in result.stderr and "__enzyme" not in result.stderr
    assert project.leftovers() == []
    assert not (project.path / "program").exists()


def test_undefined_symbols_are_told_before_the_work(project: Project) -> None:
    main = MAIN.replace("return 0", "return missing()").replace("int main", "int missing(void);\nint main")
    objects = project.compile("main.c", main), project.compile("square.c", SQUARE)
    result = project.try_link(*objects, enzyme=("--enzyme-verbose",))
    assert result.status == 1 and "undefined reference to `missing'" in result.stderr
    assert "closure" not in result.stderr


def test_a_registered_function_needs_no_definition(project: Project) -> None:
    """What differentiated code calls is its derivative, and LLVM drops the function that calls it."""
    main = """
    double __enzyme_autodiff(void *, double), missing(double);
    static double augmented(double x) { return x; }
    static double gradient(double x, double seed) { return 7 * seed; }
    void *__enzyme_register_gradient_missing[] = {(void *)missing, (void *)augmented, (void *)gradient};
    static double f(double x) { return missing(x); }
    int main(void) { return __enzyme_autodiff((void *)f, 2.0) != 7; }
    """
    project.link(project.compile("main.c", main, "-O2"))
    project.run("./program")


def test_multiple_definition_passes_through(project: Project) -> None:
    result = project.try_link(
        project.compile("main.c", MAIN), project.compile("square.c", SQUARE), project.compile("two.c", SQUARE)
    )
    assert result.status == 1
    assert "multiple definition of `square'" in result.stderr


def test_missing_library_passes_through(project: Project) -> None:
    result = project.try_link(project.compile("main.c", MAIN), project.compile("square.c", SQUARE), "-lmissing")
    assert result.status == 1
    assert "cannot find -lmissing" in result.stderr


def test_no_space_left(project: Project) -> None:
    project.environment.clear()
    wrapper = [sys.executable, "-m", "enzyme_cc.link", "--enzyme-native-linker=/usr/bin/ld", "x.o", "-o", "program"]
    project.compile("x.c", MAIN)
    environment = {**project.environment, "TMPDIR": str(project.path / "nowhere")}
    done = subprocess.run(wrapper, cwd=project.path, env=environment, capture_output=True, text=True)
    expect(project, Result(done.returncode, done.stdout, done.stderr), "EZ0106", "nowhere")


def test_no_native_linker(project: Project) -> None:
    project.linker = "/nonexistent/ld"
    result = project.try_link(project.compile("main.c", MAIN), project.compile("square.c", SQUARE))
    expect(project, result, "EZ0110", "/nonexistent/ld")


def test_unknown_option(project: Project) -> None:
    result = project.try_link(project.compile("main.c", MAIN), enzyme=["--enzyme-verbosity"])
    expect(project, result, "EZ0111", "--enzyme-verbosity", "did you mean --enzyme-verbose?")


def test_an_error_in_options_is_sarif_if_that_is_asked_for(project: Project) -> None:
    result = project.try_link(
        project.compile("main.c", MAIN), enzyme=["--enzyme-nonsense", "--enzyme-diagnostics=sarif"]
    )
    log = next(line for line in result.stderr.splitlines() if line.startswith("{"))
    assert json.loads(log)["runs"][0]["results"][0]["ruleId"] == "EZ0111"


def test_output_in_a_folder_that_is_not_there(project: Project) -> None:
    units = [project.compile("main.c", MAIN), project.compile("square.c", SQUARE)]
    expect(project, project.try_link(*units, output="nowhere/program"), "EZ0106", "there is no folder nowhere")


@pytest.mark.parametrize("broken_part", ["ir.builder.Builder.ret", "link.participants.closure_walk.ClosureWalk.run"])
def test_internal_error_writes_a_report(project: Project, broken_part: str) -> None:
    """A broken engine: the screen shows a short message, the report file the traceback, and the IR if any was read."""
    module, name, method = broken_part.rsplit(".", 2)
    code = f"import enzyme_cc.{module} as m\nm.{name}.{method} = lambda self, *_: 1 / 0\n"
    project.write("broken/sitecustomize.py", code)
    units = [project.compile("main.c", MAIN), project.compile("square.c", SQUARE)]
    broken = {"PYTHONPATH": f"{project.path}/broken:{project.environment['PYTHONPATH']}"}
    script = [
        sys.executable,
        "-m",
        "enzyme_cc.link",
        "--enzyme-native-linker=/usr/bin/ld",
        *units,
        *NO_LIBRARY,
        "-o",
        "program",
    ]
    done = subprocess.run(
        script, cwd=project.path, env={**project.environment, **broken}, capture_output=True, text=True
    )
    expect(project, Result(done.returncode, done.stdout, done.stderr), "EZ0900", "report file", "division by zero")
    (report,) = project.path.glob("enzyme-ld-report-*.txt")
    assert "Traceback" in report.read_text()
    assert "builder" not in broken_part or "\ndefine " in report.read_text()


def test_crash_of_llvm_keeps_the_module(project: Project) -> None:
    code = "import os, enzyme_cc.ir.llvm_passes as p\np.emit_object = lambda *_, **__: os.abort()\n"
    project.write("broken/sitecustomize.py", code)
    units = [project.compile("main.c", MAIN), project.compile("square.c", SQUARE)]
    broken = {"PYTHONPATH": f"{project.path}/broken:{project.environment['PYTHONPATH']}"}
    script = [
        sys.executable,
        "-m",
        "enzyme_cc.link",
        "--enzyme-native-linker=/usr/bin/ld",
        *units,
        *NO_LIBRARY,
        "-o",
        "program",
    ]
    done = subprocess.run(
        script, cwd=project.path, env={**project.environment, **broken}, capture_output=True, text=True
    )
    expect(project, Result(done.returncode, done.stdout, done.stderr), "EZ0902", "report file", "SIGABRT")
    (report,) = project.path.glob("enzyme-ld-report-*.txt")
    assert "define" in report.read_text()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("delay", [0.02, 0.1, 0.25])
def test_signal_leaves_nothing(project: Project, number: signal.Signals, delay: float) -> None:
    units = [project.compile("main.c", MAIN), project.compile("square.c", SQUARE)]
    slow = project.path / "slow-ld"
    slow.write_text('#!/bin/sh\nsleep 0.1\n/usr/bin/ld "$@" && sleep 5\n')
    slow.chmod(0o755)
    script = [
        sys.executable,
        "-m",
        "enzyme_cc.link",
        f"--enzyme-native-linker={slow}",
        *units,
        *NO_LIBRARY,
        "-o",
        "program",
    ]
    running = subprocess.Popen(script, cwd=project.path, env=project.environment, stderr=subprocess.PIPE)
    started = time.monotonic()
    while not list((project.path / "tmp").iterdir()) and time.monotonic() - started < 10:
        time.sleep(0.005)
    time.sleep(delay)
    running.send_signal(number)
    assert running.wait(timeout=10) == -number
    assert project.leftovers() == []
    assert not _processes_of(slow)


def test_reader_that_ends_ends_the_link(project: Project) -> None:
    """`2>&1 | head`: what is printed after the reader has ended is no internal error."""
    main = MAIN.replace("double);", "int);", 1).replace(", 3.0)", ", 3)").replace("square(double)", "square(int)")
    units = [project.compile("main.c", main), project.compile("square.c", SQUARE.replace("double x", "int x"))]
    script = [sys.executable, "-m", "enzyme_cc.link", "--enzyme-native-linker=/usr/bin/ld", *units, *NO_LIBRARY]
    assert "EZ0221" in project.try_link(*units).stderr
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([*script, "-o", "program"], cwd=project.path, env=project.environment, stderr=writing)
    os.close(writing)
    assert done.returncode == -signal.SIGPIPE
    assert project.leftovers() == [] and not list(project.path.glob("enzyme-ld-report-*"))


def _processes_of(program: Path) -> list[str]:
    found = []
    for process in Path("/proc").iterdir():
        try:
            if process.name.isdigit() and os.fsencode(program) in (process / "cmdline").read_bytes():
                found.append(process.name)
        except OSError:
            continue
    return found


@pytest.mark.parametrize("limit", ["ulimit -S -t 2", "ulimit -t 2"])
def test_limit_on_processor_time_is_named(project: Project, limit: str) -> None:
    code = (
        "from enzyme_cc.link.participants.closure_walk import ClosureWalk\n"
        "def run(self):\n    while True: pass\nClosureWalk.run = run\n"
    )
    project.write("broken/sitecustomize.py", code)
    units = [project.compile("main.c", MAIN), project.compile("square.c", SQUARE)]
    slow = {"PYTHONPATH": f"{project.path}/broken:{project.environment['PYTHONPATH']}"}
    words = [
        sys.executable,
        "-m",
        "enzyme_cc.link",
        "--enzyme-native-linker=/usr/bin/ld",
        *units,
        *NO_LIBRARY,
        "-o",
        "program",
    ]
    done = subprocess.run(
        ["sh", "-c", f'{limit}; exec "$@"', "sh", *words],
        cwd=project.path,
        env={**project.environment, **slow},
        capture_output=True,
        text=True,
    )
    expect(
        project, Result(done.returncode, done.stdout, done.stderr), "EZ0904", "processor time; it ended in the stage"
    )
