"""The command by which the launcher has libraries made: python -m enzyme_cc.ziglang ZIG TARGET PART FOLDER."""

from __future__ import annotations

from pathlib import Path

import click

from enzyme_cc.ziglang.sysroot import PARTS, Sysroot, ZigFailed


@click.command()
@click.argument("zig", type=click.Path(exists=True, path_type=Path))
@click.argument("target")
@click.argument("part", type=click.Choice(PARTS))
@click.argument("folder", type=click.Path(path_type=Path))
def main(zig: Path, target: str, part: str, folder: Path) -> None:
    """Makes the libraries of TARGET, for C or for C++, in FOLDER."""
    try:
        Sysroot(zig, target, folder).make(part)
    except (ZigFailed, OSError) as error:
        raise SystemExit(f"enzyme-cc: error: ziglang cannot make the libraries of {target}: {error}") from None


main()
