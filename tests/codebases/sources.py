"""Sources of public code bases, from Debian's source packages, without touching the system's apt configuration."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

#: where sources and builds are kept for later runs
WORK = Path(os.environ.get("ENZYME_CC_CODEBASES", "/tmp/enzyme-cc-codebases"))
_MIRROR = "deb-src http://deb.debian.org/debian bookworm main\n"


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


def _download(package: str, work: Path) -> Path:
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
    subprocess.run([*apt, "update"], check=True, capture_output=True)
    fetch = [*apt, "--download-only", "--tar-only", "source", package]
    subprocess.run(fetch, check=True, capture_output=True, cwd=work)
    return next(iter(sorted(work.glob(f"{package}_*.orig.tar.*"))))
