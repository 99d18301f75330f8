"""Parses the lines of a module's globals, and the headers of its functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from ..constants import Constant
from ..types import FunctionType, Type
from ..values import Argument, Function, GlobalVariable
from ..vtables import is_vtable
from .context import Context
from .lexer import IRSyntaxError, Unexpected, expect, tokenize

T = TypeVar("T")

_LINKAGES = frozenset(
    ["private", "internal", "available_externally", "linkonce", "weak", "common", "appending", "extern_weak",
     "linkonce_odr", "weak_odr", "external"]
)  # fmt: skip
#: words of a global's line that come before its type
_GLOBAL_WORDS = _LINKAGES | {
    "dso_local", "dso_preemptable", "default", "hidden", "protected", "dllimport", "dllexport", "thread_local",
    "unnamed_addr", "local_unnamed_addr", "externally_initialized", "global", "constant", "alias", "ifunc",
}  # fmt: skip


def parse_line(parse: Callable[[Context, str, list[str]], T], context: Context, name: str, line: str) -> T:
    """Runs a parser over the tokens of a line, with errors that show where."""
    tokens: list[str] = [*tokenize(line), ""]
    try:
        return parse(context, line, tokens)
    except Unexpected as error:
        raise error.in_line(line) from None
    except IndexError:
        raise IRSyntaxError(f"the line of {name} ends too early", line, len(line)) from None


def parse_header(context: Context, line: str, tokens: list[str]) -> Function:
    """Returns a function from its `define` or `declare` line, without the brace."""
    at = next((i for i, token in enumerate(tokens) if token[:1] == "@"), 0)
    start = 1
    while not context.starts_type(tokens[start]):
        start += 1
    result, i = context.type(tokens, start)
    if i != at:
        raise Unexpected(f"expected the function's name, found '{tokens[i]}'", i)
    arguments, vararg, i = _formal_parameters(context, tokens, expect(tokens, i + 1, "("))
    params = tuple(argument.type for argument in arguments)
    function_type = FunctionType(result, params, vararg)
    return Function(tokens[at], function_type, arguments, " ".join(tokens[1:start]), " ".join(tokens[i:-1]))


def _formal_parameters(context: Context, tokens: list[str], i: int) -> tuple[list[Argument], bool, int]:
    arguments: list[Argument] = []
    while tokens[i] != ")":
        if arguments:
            i = expect(tokens, i, ",")
        if tokens[i] == "...":
            return arguments, True, expect(tokens, i + 1, ")")
        type_, i = context.type(tokens, i)
        start = i
        while tokens[i][0] not in ",)%":
            i += 1
        attributes, name = " ".join(tokens[start:i]), ""
        if tokens[i][0] == "%":
            name, i = tokens[i][1:], i + 1
        arguments.append(Argument(type_, "" if name.isdigit() else name, attributes, len(arguments)))
    return arguments, False, i + 1


def parse_global(context: Context, line: str, tokens: list[str]) -> GlobalVariable:
    """Returns a global variable, alias or ifunc from its line."""
    i = expect(tokens, 1, "=")
    words: list[str] = []
    while tokens[i] in _GLOBAL_WORDS or tokens[i].startswith(("thread_local(", "addrspace(")):
        words.append(tokens[i])
        i += 1
    value_type, i = context.type(tokens, i)
    linkage = next((word for word in words if word in _LINKAGES), "")
    alias = "alias" in words or "ifunc" in words
    initializer = _initializer(context, value_type, tokens, i, alias)
    return GlobalVariable(
        name=tokens[0],
        text=line,
        value_type=value_type,
        # clang declares the vtables of type descriptions as mutable
        constant="constant" in words or (initializer is None and is_vtable(tokens[0].lstrip('@"'))),
        initializer=initializer,
        external=initializer is None and not alias,
        thread_local=any(word.startswith("thread_local") for word in words),
        linkage=linkage,
        alias=alias,
    )


def _initializer(context: Context, type_: Type, tokens: list[str], i: int, alias: bool) -> Constant | None:
    if alias:
        if tokens[i] == "(":  # the type of an aliased function
            _, i = context.parameter_types(tokens, i, type_)
        return context.typed_constant(tokens, expect(tokens, i, ","))[0]
    return context.constant(type_, tokens, i)[0] if tokens[i] not in ("", ",") else None
