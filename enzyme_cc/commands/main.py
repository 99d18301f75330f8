"""The command `enzyme` and its subcommands, each with its text: the manual pages are made from it (`manual.py`)."""

from __future__ import annotations

import sys
from typing import Any

import click

from enzyme_cc import __version__

_PASSED = {"ignore_unknown_options": True, "allow_interspersed_args": False}


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="enzyme")
def enzyme() -> None:
    """Looks at programs that enzyme-cc links, at their derivatives, and at this machine.

    The compilers themselves are enzyme-cc, enzyme-c++ and enzyme-fc.
    """


@enzyme.command()
def doctor() -> None:
    """Looks at this machine: compilers, linkers, archivers, versions and caches.

    Says what is missing, and how to get it. The exit status is 1 if C programs cannot be differentiated here.
    """
    from enzyme_cc.commands.doctor import examined, shown

    found = examined()
    shown(found)
    sys.exit(any(row.is_needed and not row.is_good for row in found))


@enzyme.command()
@click.argument("id")
def explain(id: str) -> None:
    """Explains an error or a warning, for example EZ0302: what it means, and what to do."""
    from enzyme_cc.commands.explanation import explained

    try:
        click.echo(explained(id))
    except KeyError as error:
        raise click.BadParameter(str(error.args[0]), param_hint="ID") from None


@enzyme.command(context_settings=_PASSED)
@click.argument("program", type=click.Path(exists=True, dir_okay=False))
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def check(program: str, arguments: tuple[str, ...]) -> None:
    """Runs a program that checks its requests, and sums up what it finds.

    PROGRAM is one that was linked with --enzyme-check, or a source file, which is compiled for this with -g -O2. What
    follows are the arguments of the program. The exit status is that of the program; if it is 0, and something was
    found, it is 1.
    """
    from enzyme_cc.commands.checked_run import Unchecked, checked

    try:
        sys.exit(checked(program, arguments))
    except Unchecked as error:
        raise click.ClickException(str(error)) from None


@enzyme.command(context_settings={"ignore_unknown_options": True})
@click.argument("inputs", nargs=-1, required=True, type=click.UNPROCESSED)
@click.option("-o", "--output", default="report.html", show_default=True, help="The page that is written.")
@click.option("--run", is_flag=True, help="Runs the program: the page has the bytes of its tapes, line by line.")
@click.option("--argument", "arguments", multiple=True, help="An argument of the run; may be repeated.")
def report(inputs: tuple[str, ...], output: str, run: bool, arguments: tuple[str, ...]) -> None:
    """Writes a page about the derivatives of a program, with its source lines beside what they cost.

    INPUTS are what enzyme-cc is given for a link: sources, objects, libraries and options. The program that they make
    is not kept. Or it is one file of remarks, which a link has written with --enzyme-remarks=FILE. The page shows
    what the tape holds and why, line by line, what is recomputed, and how large the derivatives are. With --run, it
    also has the bytes that each line stores.
    """
    from enzyme_cc.commands.report_page import NoReport, written

    try:
        click.echo(written(inputs, output, arguments if run or arguments else None))
    except NoReport as error:
        raise click.ClickException(str(error)) from None


@enzyme.command()
@click.option("--show-stats", is_flag=True, help="Shows what the caches hold, and where.")
@click.option("--clear", is_flag=True, help="Removes all entries that no process uses.")
def cache(show_stats: bool, clear: bool) -> None:
    """Shows or clears the caches of links and of functions of Python."""
    from enzyme_cc.commands.caches import cleared, statistics

    if not (show_stats or clear):
        raise click.UsageError("give --show-stats or --clear")
    if clear:
        click.echo(cleared())
    if show_stats:
        click.echo(statistics())


@enzyme.command(context_settings={"ignore_unknown_options": True})
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.argument("flags", nargs=-1, type=click.UNPROCESSED)
def wrap(file: str, flags: tuple[str, ...]) -> None:
    """Proposes the lines of Python that make differentiable functions of those in a source file.

    FLAGS are for the compiler. Dimensions are guesses: docs/python.md describes signatures.
    """
    from enzyme_cc import CompileError
    from enzyme_cc.commands.wrapped import proposals

    try:
        click.echo("\n".join(proposals(file, flags)))
    except CompileError as error:
        raise click.ClickException(str(error)) from None


@enzyme.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Prints what makes a shell complete this command: eval "$(enzyme completion bash)"."""
    from click.shell_completion import get_completion_class

    made: Any = get_completion_class(shell)
    click.echo(made(enzyme, {}, "enzyme", "_ENZYME_COMPLETE").source())
