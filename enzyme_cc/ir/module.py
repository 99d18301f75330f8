"""A module: its named structs, globals, functions, attribute groups and metadata, cut out of LLVM's text in one pass.

Parsing is lazy: a global or a function's header is parsed at its first access, a body by `Module.body`. All else is
printed as it was read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from .text.block_addresses import name_address_taken_blocks
from .text.context import Context
from .text.debug_locations import DebugLocations
from .text.headers import parse_global, parse_header, parse_line
from .text.lazy_table import LazyTable
from .text.lexer import IRSyntaxError, Unexpected, expect, tokenize
from .text.parser import parse_body
from .text.printer import print_function
from .types import FunctionType, NamedStruct, StructType
from .values import Argument, Function, GlobalVariable, Instruction

_NAME = r'[-\w$.]+|"[^"]*"'
_STRUCT = re.compile(rf"(%(?:{_NAME})) = type (.*)")
_GLOBAL = re.compile(rf"(@(?:{_NAME})) = ")
_FUNCTION = re.compile(r'(?:[^"@]|"[^"]*")*(@(?:[-\w$.]+|"[^"]*"))\(')
_METADATA = re.compile(r"^!(\d+) = (.*)$", re.MULTILINE)
_NAMED_METADATA = re.compile(r"(![-\w$.\\]+) = (.*)")
_ATTRIBUTES = re.compile(r"attributes (#\d+) = \{ ?(.*?) ?\}")


class Module:
    """One LLVM module. Names are keys as they are printed, with their sigil: "@main", "%struct.S", "#4", "!7"."""

    def __init__(self) -> None:
        self.context = Context()
        self.head: list[str] = []  # source_filename, target lines, module asm
        self.structs: dict[str, NamedStruct] = {}
        self.comdats: list[str] = []
        self.globals: LazyTable[GlobalVariable] = LazyTable(self._parse_global)
        self.functions: LazyTable[Function] = LazyTable(self._parse_function)
        self.attributes: dict[str, str] = {}
        self.named_metadata: dict[str, str] = {}
        self.metadata: dict[str, str] = {}
        self.locations = DebugLocations(self.metadata)
        self._numbers: dict[str, int] = {}  # of a name with this stem: the last that was taken
        self._metadata_number = 0  # where the search for a free one starts

    # ---------------------------------------------------------------------------------------------------- parsing

    @staticmethod
    def parse(text: str) -> Module:
        """Returns the module of a text, cut into entities. Raises IRSyntaxError for a line that it does not know."""
        module = Module()
        if "blockaddress(" in text:
            text = name_address_taken_blocks(text)
        position, end = 0, len(text)
        while position < end:
            character = text[position]
            if character == "!" and _METADATA.match(text, position) is not None:
                position = module._take_metadata(text, position)
                continue
            if text.startswith("define ", position):
                position = module._take_definition(text, position)
                continue
            line_end = text.find("\n", position)
            line_end = end if line_end < 0 else line_end
            if character not in ";\n\r":
                module._take_line(text[position:line_end])
            position = line_end + 1
        return module

    def _take_metadata(self, text: str, position: int) -> int:
        """Numbered metadata fills the end of a module, one node per line."""
        start = position
        while (match := _METADATA.match(text, position)) is not None:
            self.metadata[f"!{match[1]}"] = match[2]
            position = match.end() + 1
        if position == start:
            raise IRSyntaxError("not a metadata node", text[start : text.find("\n", start)], 0)
        return position

    def _take_definition(self, text: str, position: int) -> int:
        end = text.find("\n}", position)
        match = _FUNCTION.match(text, position)
        if end < 0 or match is None:
            line = text[position : text.find("\n", position)]
            raise IRSyntaxError("a function definition without a name or an end", line, 0)
        self.functions.add_text(match[1], text[position : end + 2])
        return end + 2

    def _take_line(self, line: str) -> None:
        first = line[0]
        if first == "@" and (match := _GLOBAL.match(line)):
            self.globals.add_text(match[1], line)
        elif line.startswith("declare ") and (match := _FUNCTION.match(line)):
            self.functions.add_text(match[1], line)
        elif first == "%" and (match := _STRUCT.fullmatch(line)):
            self._take_struct(match[1], match[2], line)
        elif first == "$":
            self.comdats.append(line)
        elif first == "!" and (match := _NAMED_METADATA.fullmatch(line)):
            self.named_metadata[match[1]] = match[2]
        elif line.startswith("attributes ") and (match := _ATTRIBUTES.fullmatch(line.rstrip())):
            self.attributes[match[1]] = match[2]
        elif line.startswith(("source_filename", "target ", "module asm ")):
            self.head.append(line)
        elif not line.startswith(("^", "uselistorder")):  # those hold nothing of the module's meaning
            raise IRSyntaxError("not a top-level entity", line, 0)

    def _take_struct(self, name: str, text: str, line: str) -> None:
        struct = self.structs[name] = self.context.struct(name)
        if text == "opaque":
            return
        tokens = [*tokenize(text), ""]
        for token in tokens:  # forward references
            if token[:1] == "%":
                self.context.struct(token)
        try:
            body, i = self.context.type(tokens, 0)
            expect(tokens, i, "")
        except Unexpected as error:
            raise IRSyntaxError(error.message, line, line.find("type")) from None
        if not isinstance(body, StructType):
            raise IRSyntaxError("the body of a named type is no struct", line, line.find("type"))
        struct.define(body)

    def _parse_global(self, name: str, text: str) -> GlobalVariable:
        return parse_line(parse_global, self.context, name, text)

    def _parse_function(self, name: str, text: str) -> Function:
        line_end = text.find("\n")
        if line_end < 0:
            return parse_line(parse_header, self.context, name, text)
        line = text[:line_end].rstrip()
        if line[-1] != "{":
            raise IRSyntaxError("a function's opening brace is expected at the end of its line", line, len(line))
        function = parse_line(parse_header, self.context, name, line[:-1])
        function.unparsed = text[line_end:-1]
        return function

    def body(self, name: str) -> Function:
        """Returns the function with its blocks, parsed at the first call. Raises IRSyntaxError, KeyError."""
        function = self.functions[name]
        if function.unparsed is not None:
            parse_body(self.context, function, function.unparsed)
            function.unparsed = None
        return function

    # --------------------------------------------------------------------------------------------------- printing

    def __str__(self) -> str:
        structs = [f"{struct} = type {struct.body or 'opaque'}" for struct in self.structs.values()]
        functions = [f"{text}\n" for text in self.functions.print(print_function)]
        attributes = [f"attributes {number} = {{ {text} }}" for number, text in self.attributes.items()]
        named = [f"{name} = {text}" for name, text in self.named_metadata.items()]
        nodes = [f"{number} = {text}" for number, text in self.metadata.items()]
        global_lines = list(self.globals.print(lambda variable: variable.text))
        sections = [self.head, structs, self.comdats, global_lines, functions, attributes, named, nodes]
        return "\n\n".join("\n".join(section) for section in sections if section) + "\n"

    # ----------------------------------------------------------------------------------------------------- adding

    def add_function(self, function: Function) -> Function:
        """Adds a function, in place of a declaration of the same name. Its blocks may be filled later."""
        self.functions[function.name] = function
        return function

    def add_global(self, line: str) -> GlobalVariable:
        """Adds a global, alias or ifunc from its line."""
        match = _GLOBAL.match(line)
        if match is None:
            raise IRSyntaxError("not a global", line, 0)
        self.globals.add_text(match[1], line)
        return self.globals[match[1]]

    def declare(self, name: str, function_type: FunctionType, attributes: str = "") -> Function:
        """Returns the function of that name, declared if it is new; `attributes` follow the parameters."""
        if name in self.functions:
            return self.functions[name]
        arguments = [Argument(type_, "", "", i) for i, type_ in enumerate(function_type.params)]
        return self.add_function(Function(name, function_type, arguments, "", attributes))

    def add_metadata(self, text: str) -> str:
        """Adds a node, for example `!{!4, i64 0}` or `distinct !{}`. Returns its number."""
        if not self._metadata_number:
            self._metadata_number = _next_number(self.metadata)
        while (name := f"!{self._metadata_number}") in self.metadata:
            self._metadata_number += 1
        self.metadata[name] = text
        return name

    def add_attributes(self, text: str) -> str:
        """Returns the attribute group with this text (without braces), made if it is new."""
        for name, known in self.attributes.items():
            if known == text:
                return name
        name = f"#{_next_number(self.attributes)}"
        self.attributes[name] = text
        return name

    def fresh_name(self, hint: str) -> str:
        """Returns an unused name of a global: `hint` (with or without @), if that is free."""
        stem = hint.removeprefix("@").strip('"')
        number = self._numbers.get(stem, 0)
        name = global_name(f"{stem}.{number}" if number else stem)
        while name in self.functions or name in self.globals:
            number += 1
            name = global_name(f"{stem}.{number}")
        self._numbers[stem] = number
        return name

    # ---------------------------------------------------------------------------------------------- where it came from

    def source_location(self, instruction: Instruction) -> str | None:
        """ "file:line:col" or "file" of the innermost inlined scope, from !dbg; None without debug information."""
        return self.locations.source_location(instruction)

    def inlined_functions(self, instruction: Instruction) -> list[str]:
        """Returns the functions from whose inlined bodies the instruction comes, the outermost first."""
        return self.locations.inlined_functions(instruction)

    def enclosing_function(self, instruction: Instruction) -> str | None:
        """Returns the symbol of the function whose source the instruction is in; None if that is not known."""
        return self.locations.enclosing_function(instruction)

    def function_location(self, function: Function) -> str | None:
        """ "file:line" of the function, from its DISubprogram."""
        return self.locations.function_location(function)


def global_name(name: str) -> str:
    """Returns a global's name as it is printed: with @, and in quotes if it has special characters."""
    return f"@{name}" if re.fullmatch(r"[-A-Za-z._][-A-Za-z._0-9]*", name) else f'@"{name}"'


def _next_number(table: Iterable[str]) -> int:
    return max((int(key[1:]) for key in table), default=-1) + 1
