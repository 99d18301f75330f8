"""On a machine with Python and nothing else, the wheel with [clang] compiles and differentiates C and C++.

    pytest -m bare tests/toolchain/test_bare_machine.py

makes a minimal Debian in a folder ($ENZYME_CC_BARE_MACHINE) with debootstrap, builds the wheels, and installs into it.
The folder is kept: given again, the Debian in it is used as it is.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDER = Path(os.environ.get("ENZYME_CC_BARE_MACHINE", "/tmp/enzyme-cc-bare-machine"))
TOOLS = ["debootstrap", "unshare", "chroot"]

VECTOR = """#include <cmath>
#include <iostream>
#include <map>
#include <stdexcept>
#include <vector>
extern "C" double __enzyme_autodiff(void *, double);
static double f(double x) {
    std::vector<double> powers;
    std::map<int, double> weights;
    for (int i = 0; i < 5; i++) {
        powers.push_back(i ? powers.back() * x : 1);
        weights[i] = i * x;
    }
    double sum = 0;
    for (auto &[i, weight] : weights)
        sum += weight * powers[i];
    return sum;
}
int main() {
    double x = 1.5, wanted = 0, power = 1;
    for (int i = 0; i < 5; i++, power *= x)
        wanted += i * (i + 1) * power;
    std::cout << __enzyme_autodiff((void *)f, x) << " " << wanted << "\\n";
    try {
        std::vector<int>().at(3);
    } catch (const std::out_of_range &) {
        return std::fabs(__enzyme_autodiff((void *)f, x) - wanted) > 1e-10;
    }
}
"""
FUNCTION = """import enzyme_cc
f = enzyme_cc.function("sin.c", "f")
print(*f.value_and_grad(1.5))
"""

pytestmark = pytest.mark.bare


@dataclass(frozen=True)
class Machine:
    """A root folder in which commands run as on a machine of their own, with all mounts private."""

    root: Path

    def run(self, script: str, seconds: int = 1200) -> subprocess.CompletedProcess[str]:
        variables = (
            "HOME=/root TERM=dumb PIP_CERT=/root/certificates.crt PATH=/root/venv/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        )
        mounts = f"mount -t proc proc {self.root}/proc && mount --rbind /dev {self.root}/dev"
        inside = f"exec chroot {self.root} env -i {variables} bash -eu"
        words = ["unshare", "--mount", "bash", "-c", f"{mounts} && {inside}"]
        return subprocess.run(words, input=f"cd /root\n{script}\n", capture_output=True, text=True, timeout=seconds)

    def check(self, script: str) -> str:
        done = self.run(script)
        assert done.returncode == 0, f"{script}\n{done.stdout}\n{done.stderr}"
        return done.stdout


def debian() -> Path:
    """A minimal Debian with Python. Skips the test where it cannot be made."""
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if os.getuid() != 0 or missing:
        pytest.skip(f"a bare machine needs root and the programs {', '.join(TOOLS)}")
    if not (FOLDER / "root" / "made").exists():
        words = ["debootstrap", "--variant=minbase", "--include=python3,python3-venv", "bookworm", str(FOLDER)]
        done = subprocess.run([*words, "http://deb.debian.org/debian"], capture_output=True, text=True)
        if done.returncode:
            pytest.skip(f"debootstrap cannot make a bare machine: {done.stdout[-500:]}")
        (FOLDER / "root" / "made").touch()
    shutil.copy("/etc/resolv.conf", FOLDER / "etc")
    # what this machine trusts, pip must there
    shutil.copy("/etc/ssl/certs/ca-certificates.crt", FOLDER / "root" / "certificates.crt")
    return FOLDER


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheels of all architectures, which auditwheel has checked."""
    folder = tmp_path_factory.mktemp("wheels")
    subprocess.run([ROOT / "toolchain" / "wheels", folder], check=True)
    return folder


@pytest.fixture(scope="module")
def machine(wheels: Path) -> Machine:
    """A bare machine with the wheel in an environment of its own."""
    machine = Machine(debian())
    [wheel] = wheels.glob("enzyme_cc-*x86_64.whl")
    shutil.copy(wheel, machine.root / "root")
    readme = (ROOT / "README.md").read_text()
    (machine.root / "root" / "sin.c").write_text(re.findall(r"```c\n(.*?)```", readme, re.DOTALL)[0])
    (machine.root / "root" / "vector.cpp").write_text(VECTOR)
    (machine.root / "root" / "function.py").write_text(FUNCTION)
    machine.check("rm -rf venv .cache/enzyme-cc; /usr/bin/python3 -m venv venv")
    machine.check(f'pip --disable-pip-version-check -q install "./{wheel.name}[clang]" numpy')
    return machine


def test_wheel_for_aarch64(wheels: Path, tmp_path: Path) -> None:
    """All its programs and libraries are for AArch64, and the launcher runs in an emulator."""
    [wheel] = wheels.glob("enzyme_cc-*manylinux_2_17_aarch64.whl")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(tmp_path)
    heads = {path: path.read_bytes()[:20] for path in tmp_path.rglob("*") if path.is_file()}
    machines = {path.name: head[18:] for path, head in heads.items() if head.startswith(b"\x7fELF")}
    assert {"enzyme-cc", "enzyme-ld", "fast_call.abi3.so"} <= machines.keys()
    assert set(machines.values()) == {b"\xb7\0"}
    emulator, libraries = shutil.which("qemu-aarch64"), Path("/usr/aarch64-linux-gnu")
    if emulator is None or not libraries.exists():
        pytest.skip("Debian's packages qemu-user and libc6-arm64-cross are not installed")
    [launcher] = tmp_path.rglob("scripts/enzyme-cc")
    clang = tmp_path / "clang-22"
    clang.write_text('#!/bin/sh\necho "$@"\n')
    for program in (clang, launcher):
        program.chmod(0o755)
    words = [emulator, "-L", str(libraries), str(launcher), "-c", "a.c"]
    done = subprocess.run(words, capture_output=True, text=True, env={"PATH": str(tmp_path)})
    assert "-fembed-bitcode" in done.stdout and done.stdout.endswith("-c a.c\n"), done


@pytest.mark.parametrize("tool", ["cc", "gcc", "clang", "ld", "make"])
def test_machine_is_bare(machine: Machine, tool: str) -> None:
    assert machine.run(f"command -v {tool}").returncode != 0
    assert not (machine.root / "usr" / "include" / "stdio.h").exists()


def test_example_of_the_readme(machine: Machine) -> None:
    assert machine.check("enzyme-cc -O2 sin.c -o sin -lm && ./sin") == "f'(1.5) = -1.884520868168218\n"


def test_cxx_with_a_vector(machine: Machine) -> None:
    machine.check("enzyme-c++ -O2 vector.cpp -o vector && ./vector")


def test_function_in_python(machine: Machine) -> None:
    value, slope = map(float, machine.check("python function.py").split())
    assert value == pytest.approx(0.7780731968879212) and slope == pytest.approx(-1.884520868168218)


def test_quickstart_without_root(machine: Machine) -> None:
    """From a checkout alone: Python's own packages bring the compiler. A second run installs nothing."""
    tracked = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], capture_output=True, check=True).stdout
    words = ["tar", "-C", ROOT, "--null", "-T", "-", "-cf", machine.root / "root" / "checkout.tar"]
    subprocess.run(words, input=tracked, check=True)
    machine.check("rm -rf checkout; mkdir checkout; tar -C checkout -xf checkout.tar")
    for is_first in (True, False):
        shown = machine.check("checkout/toolchain/quickstart --no-root")
        assert ("installing enzyme-cc" in shown) == is_first
        rows = re.findall(r"^ *\d+ +([-+\d.]+) +([-+\d.]+)$", shown, re.M)
        assert rows, shown
        for gradient, difference in rows:
            assert float(gradient) == pytest.approx(float(difference), abs=1e-6)
