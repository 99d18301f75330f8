"""Sources of public code bases, from Debian's source packages, without touching the system's apt configuration."""

from __future__ import annotations

import subprocess
from pathlib import Path

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
