"""Each sample for Python runs as its README says, and finds what it looks for."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

SAMPLES = Path(__file__).parents[2] / "samples"
BIN = Path(sys.executable).parent


def run(folder: Path, *words: str) -> str:
    env = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}", "MPLBACKEND": "agg"}
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=300, env=env)
    assert done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def copied(name: str, to: Path) -> Path:
    kept = shutil.ignore_patterns("*.o", "*.a", "*.mod", "build", "*.png")
    return Path(shutil.copytree(SAMPLES / name, to / name, ignore=kept))


def numbers(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"[-+]?\d+\.\d+(?:e[-+]\d+)?", text)]


def test_jax(tmp_path: Path) -> None:
    pytest.importorskip("optax")
    folder = copied("jax", tmp_path)
    run(folder, "make")
    found = [numbers(line) for line in run(folder, sys.executable, "fit.py").splitlines() if line.startswith("rate ")]
    assert len(found) == 3
    for rate, deviation, true in found:
        assert abs(rate - true) < 3 * deviation < 0.02


@pytest.mark.slow
def test_numba(tmp_path: Path) -> None:
    pytest.importorskip("scipy")
    lines = run(copied("numba", tmp_path), sys.executable, "conductivity.py").splitlines()
    before, after = numbers(lines[0])
    assert after < before / 1000
    # the heat has not reached the last places
    assert all(abs(a - b) < 0.05 for a, b in list(zip(numbers(lines[1]), numbers(lines[2]), strict=True))[:6])


def test_pytorch(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("matplotlib")
    folder = copied("pytorch", tmp_path)
    toolchain = Path(sysconfig.get_path("data")) / "share" / "cmake" / "EnzymeCC" / "enzyme_cc.cmake"
    run(folder, "cmake", "-S", ".", "-B", "build", f"-DCMAKE_TOOLCHAIN_FILE={toolchain}")
    run(folder, "cmake", "--build", "build")
    output = run(folder, sys.executable, "train.py")
    losses = [numbers(line)[0] for line in output.splitlines() if line.startswith("step ")]
    assert losses[-1] < losses[0] / 1000 and (folder / "orbits.png").exists()
    heaviest, true = (numbers(part)[0] for part in output.split("masses found:")[1].split("true:"))
    assert abs(heaviest - true) < 0.02


def test_tensorflow(tmp_path: Path) -> None:
    pytest.importorskip("tensorflow")
    loss, parameters = run(copied("tensorflow", tmp_path), sys.executable, "calibrate.py").splitlines()
    before, after = numbers(loss)
    assert after < before / 10
    found = numbers(parameters)
    assert all(abs(a - b) < 0.05 for a, b in zip(found[:3], found[3:], strict=True))


def test_mindspore(tmp_path: Path) -> None:
    pytest.importorskip("mindspore")
    targets, landed = run(copied("mindspore", tmp_path), sys.executable, "throw.py").splitlines()[-2:]
    assert all(abs(a - b) < 3 for a, b in zip(numbers(targets), numbers(landed), strict=True))


def test_notebook(tmp_path: Path) -> None:
    nbformat = pytest.importorskip("nbformat")
    client = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    pytest.importorskip("matplotlib")
    notebook = nbformat.read(SAMPLES / "notebook" / "aim.ipynb", 4)
    shown = [_printed(cell) for cell in notebook.cells]
    for cell in notebook.cells:
        cell.update({"outputs": []} if cell.cell_type == "code" else {})
    kernel = client.NotebookClient(notebook, resources={"metadata": {"path": str(tmp_path)}}, timeout=200)
    kernel.execute()
    assert [_printed(cell) for cell in notebook.cells] == shown
    assert sum("image/png" in out.get("data", {}) for cell in notebook.cells for out in cell.get("outputs", [])) == 2


def _printed(cell: dict[str, object]) -> str:
    outputs = cell.get("outputs", [])
    assert isinstance(outputs, list)
    return "".join(str(out["text"]) for out in outputs if out.get("name") == "stdout")
