"""`python -m enzyme_cc.link.command PROGRAM OPTION`: what the compilers say of an option of ours.

The compilers are C, and this has the texts: of `--enzyme-help`, and of the error if the option is not known.
"""

from __future__ import annotations

import signal
import sys
import textwrap
from collections.abc import Iterator

from enzyme_cc.link.command.settings import HELP, SETTINGS, chosen, spelt
from enzyme_cc.report import EXIT_STATUS, EnzymeError, tell
from enzyme_cc.report.catalogue import CATALOGUE
from enzyme_cc.report.warning_options import check

_WIDTH, _COLUMN = 110, 34


def main(program: str, option: str) -> int:
    """Prints the help, or an error if the option is not known. Returns the exit status."""
    if option == HELP:
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # of `| head`
        print("\n".join(help_text(program)))
        return 0
    try:
        check(chosen([option])[0].get("warnings", ()))
    except EnzymeError as error:
        tell(EnzymeError(d._replace(location=program) for d in error.diagnostics))
        return EXIT_STATUS
    return 0


def help_text(program: str) -> Iterator[str]:
    """Yields the lines of `--enzyme-help`."""
    yield f"{program}: the compiler with all its own options, and these:\n"
    for name, setting in SETTINGS.items():
        if setting.help:
            yield _row(spelt(name), setting.help)
    yield "\nWarnings of the link; -Wno-… switches one off, -Werror=… makes it an error:\n"
    for id, entry in CATALOGUE.items():
        if entry.option:
            yield _row(f"-W{entry.option}", f"{entry.title} ({id})")
    yield "\nenzyme explain EZ0221 explains an error or a warning; enzyme doctor looks at this machine."


def _row(name: str, text: str) -> str:
    indent = " " * _COLUMN
    first = f"  {name}".ljust(_COLUMN)
    if len(first) > _COLUMN:
        return f"{first.rstrip()}\n" + textwrap.fill(text, _WIDTH, initial_indent=indent, subsequent_indent=indent)
    return textwrap.fill(text, _WIDTH, initial_indent=first, subsequent_indent=indent)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
