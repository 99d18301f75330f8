"""Sysroots made of ziglang: what a target asks zig for."""

from __future__ import annotations

import platform
from pathlib import Path

import pytest

from enzyme_cc.ziglang.sysroot import Sysroot, ZigFailed


def sysroot(folder: Path, target: str, zig: str) -> Sysroot:
    """A sysroot of a zig that ends with `zig`, a line of shell."""
    program = folder / "zig"
    program.write_text(f"#!/bin/sh\n{zig}\n")
    program.chmod(0o755)
    return Sysroot(program, target, folder / "sysroot")


@pytest.mark.parametrize("target", ["x86_64-linux-gnu", "aarch64-linux-gnu"])
def test_another_machine_gets_the_oldest_glibc_and_this_one_its_own(target: str, tmp_path: Path) -> None:
    with pytest.raises(ZigFailed) as found:
        sysroot(tmp_path, target, 'echo "$@" >&2; exit 1').make("c")
    is_own = target.startswith(f"{platform.machine()}-")
    own = platform.libc_ver()[1] if platform.libc_ver()[0] == "glibc" else "2.28"
    assert f"-target {target}.{own if is_own else '2.28'} " in str(found.value)


def test_musl_has_no_version(tmp_path: Path) -> None:
    with pytest.raises(ZigFailed, match="-target x86_64-linux-musl -O1"):
        sysroot(tmp_path, "x86_64-linux-musl", 'echo "$@" >&2; exit 1').make("c")


def test_what_is_made_is_not_made_again(tmp_path: Path) -> None:
    found = sysroot(tmp_path, "x86_64-linux-musl", "exit 1")
    (found.folder / "made").mkdir(parents=True)
    (found.folder / "made" / "c").touch()
    found.make("c")
    with pytest.raises(ZigFailed):
        found.make("c++")
