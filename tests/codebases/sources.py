"""Sources of public code bases, from Debian and PyPI, without touching the system's apt configuration."""

from __future__ import annotations

import functools
import hashlib
import os
import subprocess
import urllib.request
from collections.abc import Sequence
from pathlib import Path

import pytest

#: where sources and builds are kept for later runs
WORK = Path(os.environ.get("ENZYME_CC_CODEBASES", "/tmp/enzyme-cc-codebases"))
_MIRROR = "".join(f"{kind} http://deb.debian.org/debian bookworm main\n" for kind in ("deb", "deb-src"))
_PYPI = "https://files.pythonhosted.org/packages"
#: source distributions of PyPI, with their SHA-256
_DISTRIBUTIONS = {
    "scs-3.3.1": (
        "6c/14/f2042d968fc1d633beee798329274b8496f9481362797124879a1d66bad3",
        "dd9d43c1f2f189a84e84c26721e2c5129abf921a6a8acc48c154abae993357b1",
    ),
    "osqp-0.6.7.post3": (
        "74/35/45d4d1832b31d207f83e0f9734d041be125fb4f0dff49413674bd1b08032",
        "b0c5e0a721f21c9724097a4fd50108304d296468d124e16f34ac67046f7020e1",
    ),
    "rebound-5.2.2": (
        "c4/5c/b0346f6e40cc459b4a0a47f8af222adca9a54c29298bccefcfa55a581d4e",
        "cefb2bce433a134e0f6fa0cb68df01079b0a5c160fadd2a2c85b06f286735a5f",
    ),
}


def unpacked_source(package: str, work: Path) -> Path:
    """The unpacked source of a Debian source package or a distribution of PyPI, fetched once into `work`.

    Raises `OSError`, `StopIteration` or `CalledProcessError` if there is none.
    """
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
        return unpacked_source(package, WORK)
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
    if package in _DISTRIBUTIONS:
        return _from_pypi(package, *_DISTRIBUTIONS[package], work)
    fetch = [*_apt(work), "--download-only", "--tar-only", "source", package]
    subprocess.run(fetch, check=True, capture_output=True, cwd=work)
    return next(iter(sorted(work.glob(f"{package}_*.orig.tar.*"))))


def _from_pypi(name: str, folder: str, digest: str, work: Path) -> Path:
    with urllib.request.urlopen(f"{_PYPI}/{folder}/{name}.tar.gz", timeout=60) as answer:
        data = answer.read()
    if hashlib.sha256(data).hexdigest() != digest:
        raise OSError(f"{name} is not the file that it was")
    archive = work / f"{name}.tar.gz"
    archive.write_bytes(data)
    return archive


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
