"""Sources of public code bases, from Debian's source packages, without touching the system's apt configuration."""

from __future__ import annotations

import functools
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

#: where sources and builds are kept for later runs
WORK = Path(os.environ.get("ENZYME_CC_CODEBASES", "/tmp/enzyme-cc-codebases"))
_MIRROR = "".join(f"{kind} http://deb.debian.org/debian bookworm main\n" for kind in ("deb", "deb-src"))


def debian_source(package: str, work: Path) -> Path:
    """The unpacked upstream source of a Debian source package, fetched once into `work`."""
    unpacked = work / package
    if not (unpacked / ".complete").exists():
        unpacked.mkdir(parents=True, exist_ok=True)
        tarball = _download(package, work)
        subprocess.run(["tar", "xf", str(tarball), "-C", str(unpacked), "--strip-components=1"], check=True)
        (unpacked / ".complete").touch()
    return unpacked


def source_or_skip(package: str) -> Path:
    """The same in `WORK`; skips the test where there is none to be had."""
    try:
        return debian_source(package, WORK)
    except (OSError, StopIteration) as error:
        pytest.skip(f"no source of {package}: {error}")
    except subprocess.CalledProcessError as error:
        pytest.skip(f"apt-get gives no source of {package}: {error}: {(error.stderr or b'').decode(errors='replace')}")


def debian_headers(packages: Sequence[str], work: Path) -> Path:
    """The /usr/include of Debian packages, fetched once and unpacked into `work`: nothing is installed."""
    unpacked = work / "headers"
    for package in packages:
        complete = unpacked / f".{package}"
        if not complete.exists():
            unpacked.mkdir(parents=True, exist_ok=True)
            subprocess.run([*_apt(work), "download", package], check=True, capture_output=True, cwd=unpacked)
            archive = next(unpacked.glob(f"{package}_*.deb"))
            subprocess.run(["dpkg", "-x", str(archive), str(unpacked)], check=True, capture_output=True)
            complete.touch()
    return unpacked / "usr" / "include"


def _download(package: str, work: Path) -> Path:
    fetch = [*_apt(work), "--download-only", "--tar-only", "source", package]
    subprocess.run(fetch, check=True, capture_output=True, cwd=work)
    return next(iter(sorted(work.glob(f"{package}_*.orig.tar.*"))))


def _apt(work: Path) -> list[str]:
    """apt-get with lists of its own in `work`, brought up to date once in a process."""
    state = work / "apt"
    (state / "lists" / "partial").mkdir(parents=True, exist_ok=True)
    sources = state / "sources.list"
    sources.write_text(_MIRROR)
    settings = {
        "Dir::Etc::SourceList": sources,
        "Dir::Etc::SourceParts": "/dev/null",
        "Dir::State::Lists": state / "lists",
        "Dir::Cache": state,
        "APT::Sandbox::User": "root",
    }
    apt = ["apt-get", *(word for key, value in settings.items() for word in ("-o", f"{key}={value}"))]
    _update(tuple(apt))
    return apt


@functools.cache
def _update(apt: tuple[str, ...]) -> None:
    subprocess.run([*apt, "update"], check=True, capture_output=True)
