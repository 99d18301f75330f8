"""Each sample is built by its own build system, with the enzyme compilers, and agrees with its finite differences."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SAMPLES = Path(__file__).parents[2] / "samples"
BIN = Path(sys.executable).parent


def run(folder: Path, *words: str) -> str:
    env = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"}
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=300, env=env)
    assert done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def build_by_cmake(sample: Path, build_type: str, *more: str) -> None:
    toolchain = BIN.parent / "share" / "cmake" / "EnzymeCC" / "enzyme_cc.cmake"
    flags = [f"-DCMAKE_TOOLCHAIN_FILE={toolchain}", f"-DCMAKE_BUILD_TYPE={build_type}"]
    run(sample, "cmake", "-S", ".", "-B", "build", *flags, *more)
    run(sample, "cmake", "--build", "build")


@pytest.fixture
def sample(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    kept = shutil.ignore_patterns("*.o", "*.a", "*.mod", "build", "temps")
    return Path(shutil.copytree(SAMPLES / request.param, tmp_path / request.param, ignore=kept))


@pytest.mark.parametrize("sample", ["hmc"], indirect=True)
def test_hmc(sample: Path) -> None:
    """Its exit status says whether mean and deviation are those of the posterior distribution."""
    run(sample, "make")
    assert "walks taken" in run(sample, "./hmc")


@pytest.mark.skipif(shutil.which("cargo") is None, reason="cargo is not installed")
@pytest.mark.slow
@pytest.mark.parametrize("sample", ["cargo"], indirect=True)
def test_cargo(sample: Path) -> None:
    shutil.rmtree(sample / "target", ignore_errors=True)
    assert run(sample, "cargo", "run", "--release", "--offline") == "energy 1.5, gradient [-1.0, 2.0, -3.0, 2.0]\n"


@pytest.mark.parametrize("sample", ["fpm"], indirect=True)
def test_fpm(sample: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if shutil.which("fpm", path=f"{BIN}:{os.environ['PATH']}") is None:
        pytest.skip("fpm is not installed: pip install fpm")
    monkeypatch.setenv("FPM_FC", "tools/flang-new")
    assert "energy 1.5, gradient -1.0  2.0 -3.0  2.0\n" in run(sample, "fpm", "run", "--flag", "-O2")


@pytest.mark.parametrize("sample", ["norm"], indirect=True)
def test_norm(sample: Path) -> None:
    run(sample, "make")
    output = run(sample, "./norm", "32000")
    growth = [float(x) for x in re.findall(r"([\d.]+) x$", output, re.MULTILINE)]
    # twice the n, twice the time: an O(n²) gradient would take 4 times as long in each row
    assert len(growth) == 5 and sorted(growth)[2] < 3
    run(sample, "./norm-no-preopt", "1000")


@pytest.mark.parametrize("sample", ["relu3"], indirect=True)
@pytest.mark.parametrize("level", ["-O0", "-O1", "-O2", "-O3"])
def test_relu3(sample: Path, level: str) -> None:
    run(sample, "make", f"CFLAGS={level}")
    assert "DISAGREES" not in run(sample, "./relu3")
    shown = run(sample, "make", "-s", "show", f"CFLAGS={level}").splitlines()
    # as one would write it by hand: no tape, no memory, no call, no branch
    assert [re.sub(r"%\S+ = ", "", line).split()[0] for line in shown[1:-1]] == "fcmp fmul fmul select ret".split()
    assert "3.000000e+00" in shown[3]


@pytest.mark.parametrize("sample", ["adbench"], indirect=True)
@pytest.mark.parametrize(
    "problems",
    [
        "gmm hand_tracking kmeans",
        pytest.param("ba brusselator det llsq lse lstm ode particle saddle", marks=pytest.mark.slow),
        pytest.param("black_scholes cg fft heat kalman nbody network roe sparse_solve", marks=pytest.mark.slow),
    ],
)
def test_adbench(sample: Path, problems: str) -> None:
    """Exit statuses say whether derivatives are those by hand."""
    output = run(sample, "make", "check", "CXXFLAGS=-O2", f"PROBLEMS={problems}")
    assert output.count("difference") == len(problems.split())
    nested = [sample / name for name in ("saddle", "particle") if (sample / name).exists()]
    for program in nested:
        for outer, inner in ("00", "01", "10", "11"):
            run(sample, str(program), "check", outer, inner)
    if (sample / "hand_tracking").exists():
        run(sample, "./hand_tracking", "check", "1")


@pytest.mark.parametrize("sample", ["checkpoint"], indirect=True)
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_checkpoint(sample: Path, level: str) -> None:
    run(sample, "make", f"CFLAGS={level}")
    output = run(sample, "./checkpoint", "20000")
    everything, stored, marked = (int(line.split()[-3]) for line in output.splitlines()[1:4])
    assert "DISAGREES" not in output and stored < everything / 1000 and marked < everything / 500


@pytest.mark.parametrize("sample", ["hessian"], indirect=True)
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_hessian(sample: Path, level: str) -> None:
    run(sample, "make", f"CFLAGS={level}")
    output = run(sample, "./newton")
    assert "DISAGREES" not in output
    gradients = [float(x) for x in re.findall(r"^ +\d+ .* (\S+)$", output, re.MULTILINE)]
    # exact second derivatives: the digits double in the last steps
    assert gradients[-2] < 1e-3 * gradients[-3] and gradients[-1] < 1e-10


@pytest.mark.parametrize("sample", ["heat"], indirect=True)
@pytest.mark.parametrize("level", ["-O1", "-O2", "-O3"])
def test_heat(sample: Path, level: str) -> None:
    run(sample, "make", f"FFLAGS={level}", f"CFLAGS={level}")
    assert "DISAGREES" not in run(sample, "./heat")


@pytest.mark.parametrize("sample", ["nbody"], indirect=True)
@pytest.mark.parametrize("build_type", ["Debug", "Release"])
def test_nbody(sample: Path, build_type: str) -> None:
    build_by_cmake(sample, build_type)
    run(sample, "ctest", "--test-dir", "build")
    assert "DISAGREES" not in run(sample, "build/nbody")


@pytest.mark.parametrize("sample", ["gaussian-process"], indirect=True)
@pytest.mark.parametrize("build_type", [pytest.param("Debug", marks=pytest.mark.slow), "Release"])
def test_gaussian_process(sample: Path, build_type: str) -> None:
    """The status of both programs says whether the parameters are those that fit best."""
    build_by_cmake(sample, build_type)
    assert run(sample, "build/fit_c").splitlines()[-1][:9] == run(sample, "build/fit_fortran").splitlines()[-1][:9]
    assert "DISAGREES" not in run(sample, "build/fit_c") + run(sample, "build/fit_fortran")


@pytest.mark.parametrize("sample", ["sparse"], indirect=True)
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_sparse(sample: Path, level: str) -> None:
    run(sample, "make", f"CFLAGS={level}")
    output = run(sample, "./membrane", "40")
    groups = {line.split()[3] for line in output.splitlines()[2:-1]}
    assert "1600 unknowns" in output and "DISAGREES" not in output and groups == {"6"}


@pytest.mark.parametrize("sample", ["openmp-nbody"], indirect=True)
@pytest.mark.parametrize("threads", ["1", "3"])
@pytest.mark.slow
def test_openmp_nbody(sample: Path, threads: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", threads)
    build_by_cmake(sample, "Release")
    output = run(sample, "build/nbody", "100")
    assert "DISAGREES" not in output and f"{threads} threads: speed-up" in output


@pytest.mark.parametrize("sample", ["openmp-heat"], indirect=True)
@pytest.mark.parametrize("threads", ["1", "3"])
@pytest.mark.slow
def test_openmp_heat(sample: Path, threads: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", threads)
    run(sample, "make")
    output = run(sample, "./heat")
    assert "DISAGREES" not in output and f"{threads} threads: speed-up" in output


@pytest.mark.parametrize("sample", ["heat-mpi"], indirect=True)
@pytest.mark.parametrize(
    ("starter", "flags"),
    [
        pytest.param("mpirun.openmpi --oversubscribe", "-DMPI_C_COMPILER=mpicc.openmpi", id="openmpi"),
        pytest.param(
            "mpirun.mpich",
            "-DSOLVER=Fortran -DMPI_C_COMPILER=mpicc.mpich -DMPI_Fortran_COMPILER=mpifort.mpich "
            "-DMPI_Fortran_COMPILE_OPTIONS=-O2",
            id="mpich-fortran",
        ),
    ],
)
def test_heat_mpi(sample: Path, starter: str, flags: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same numbers on any number of ranks."""
    if shutil.which(starter.split()[0]) is None:
        pytest.skip(f"{starter.split()[0]} is not installed")
    monkeypatch.setenv("OMPI_ALLOW_RUN_AS_ROOT", "1")
    monkeypatch.setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
    build_by_cmake(sample, "Release", *flags.split())
    outputs = {run(sample, *starter.split(), "-np", str(ranks), "build/heat") for ranks in (1, 2, 4)}
    assert len(outputs) == 1 and "DISAGREES" not in outputs.pop()
