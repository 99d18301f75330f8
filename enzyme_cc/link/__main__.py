"""`python -m enzyme_cc.link`: the part of enzyme-ld that the launcher starts where a link may want derivatives."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from enzyme_cc.link.command.command import LinkCommand, parse
from enzyme_cc.link.command.settings import asked_form
from enzyme_cc.link.native.kept_links import KeptLinks
from enzyme_cc.report import EXIT_STATUS, EnzymeError, tell
from enzyme_cc.report.presentation import choose

if TYPE_CHECKING:
    from enzyme_cc.link.pipeline import LinkPipeline
    from enzyme_cc.link.process.scratch import Scratch


def main(arguments: list[str]) -> int:
    """Does the link that the arguments ask for and returns the exit status."""
    gc.disable()  # parsing is twice as fast without, and the process ends soon
    try:
        choose(asked_form(arguments))
        command = parse(arguments)
        choose(command.settings.diagnostics)
        if not command.settings.native_linker:
            raise EnzymeError.of("EZ0110", "no --enzyme-native-linker=… is given")
        kept = KeptLinks.of(command)
        if kept is not None:
            kept.link_again()
        return _supervised(command, kept)
    except EnzymeError as error:
        tell(error)
        return EXIT_STATUS


def _supervised(command: LinkCommand, kept: KeptLinks | None) -> int:
    from enzyme_cc.link.process.scratch import Scratch, partial_output
    from enzyme_cc.link.process.supervise import supervise

    partial, scratch = partial_output(command.output), Scratch.create()

    def work(note: Callable[[str], None]) -> int:
        from enzyme_cc.link.pipeline import LinkPipeline

        return _work(command, LinkPipeline(command, scratch, partial, note, kept), note)

    return supervise(work, lambda crashed: _clean(scratch, partial, crashed))


def _work(command: LinkCommand, pipeline: LinkPipeline, note: Callable[[str], None]) -> int:
    from enzyme_cc.link.native.run_linker import NativeLinkError

    try:
        pipeline.run()
    except EnzymeError as error:
        return _fail(error, note)
    except NativeLinkError as error:
        sys.stderr.write(error.stderr)
        return error.status if error.status > 0 else EXIT_STATUS
    except Exception as error:
        from enzyme_cc.link.process.failure import diagnosed

        return _fail(diagnosed(command, error), note)
    return 0


def _fail(error: EnzymeError, note: Callable[[str], None]) -> int:
    note("")
    tell(error)
    return EXIT_STATUS


def _clean(scratch: Scratch, partial: str | None, crashed: bool) -> None:
    """Removes all temporary files. After a crash of LLVM, keeps the module that LLVM worked on as a report file."""
    if crashed:
        from enzyme_cc.link.process.failure import keep_module

        keep_module(scratch)
    scratch.remove()
    if partial is not None and os.path.lexists(partial):
        os.unlink(partial)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
