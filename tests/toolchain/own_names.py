"""Writes toolchain/launcher/own_names.h, the names of our options: `python -m tests.toolchain.own_names`."""

from collections.abc import Iterable
from pathlib import Path

from enzyme_cc.link.command.settings import HELP, SETTINGS
from enzyme_cc.report.warning_options import OPTIONS

FILE = Path(__file__).parents[2] / "toolchain" / "launcher" / "own_names.h"
_BEGIN = """\
/* The names of our options: written by `python -m tests.toolchain.own_names` of enzyme_cc/link/command/settings.py and
   enzyme_cc/report/catalogue.py. */
"""


def document() -> str:
    """Returns the text of the file."""
    return (
        f"{_BEGIN}{_array('own_names', [*SETTINGS, HELP])}\n/* without their -W */\n{_array('own_warnings', OPTIONS)}"
    )


def _array(name: str, words: Iterable[str]) -> str:
    rows = "".join(f'    "{word}",\n' for word in sorted(words))
    return f"static const char *const {name}[] = {{\n{rows}    NULL,\n}};\n"


if __name__ == "__main__":
    FILE.write_text(document())
