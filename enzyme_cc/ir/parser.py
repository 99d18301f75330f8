"""The body of a function, from LLVM's text to blocks and instructions.

`parse_body` is given a function whose header is known and the text between its braces. It walks logical lines (one
instruction each), looks the opcode up in `opcodes.PARSERS`, and keeps the names. A value used before its definition
is a placeholder until then; a block named by a terminator is made at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .context import Context
from .instructions import TERMINATORS
from .lexer import IRSyntaxError, Unexpected, tokenize
from .opcodes import PARSERS
from .types import VOID, Type
from .values import Block, DebugRecord, Function, Instruction, Local, Value

#: line breaks within one instruction: invoke and callbr, landingpad
_CONTINUATION = re.compile(r"\n[ \t]+(?=to label |catch |filter |cleanup\b)")
_LABEL = re.compile(r'([-\w$.]+|"[^"]*"):\s*(?:;.*)?')
_ATTACHMENTS = re.compile(r"((?:, ![-\w$.\\]+ !\d+)+)\s*(?:;.*)?")
_ATTACHMENT = re.compile(r"(![-\w$.\\]+) (!\d+)")
#: a local value in a debug record: after its type, before a comma or parenthesis (a type never is in that position)
_RECORD_VALUE = re.compile(r'(?<=[\w>}\])"] )%([-\w$.]+|"[^"]*")(?=[,)])')


def parse_body(context: Context, function: Function, text: str) -> None:
    """Fills `function.blocks`. Raises IRSyntaxError; the function has no blocks then."""
    body = _Body(context, function)
    try:
        body.parse(text)
    except Unexpected as error:
        function.blocks = []
        raise error.in_line(body.line) from None
    except IndexError:
        function.blocks = []
        raise IRSyntaxError("the instruction ends too early", body.line, len(body.line)) from None


class _Body:
    """The state of parsing one function: names so far, names awaited, the block being filled."""

    __slots__ = (
        "awaited_blocks", "awaited_values", "block", "constants", "context", "function", "line", "locals",
        "next_number", "records", "types",
    )  # fmt: skip

    def __init__(self, context: Context, function: Function) -> None:
        self.context = context
        self.types = context.types
        self.constants = context.constants
        self.function = function
        self.locals: dict[str, Local] = {}
        self.awaited_values: dict[str, Local] = {}
        self.awaited_blocks: dict[str, Block] = {}
        self.block: Block | None = None
        self.next_number = 0
        self.line = ""
        self.records: list[tuple[Instruction | Block, list[str]]] = []

    # ------------------------------------------------------------------------------------------------ the driver

    def parse(self, text: str) -> None:
        for argument in self.function.arguments:
            self.define(f"%{argument.name}" if argument.name else "", argument)
        records: list[str] = []
        for self.line in _logical_lines(text):
            start = self.line.lstrip()
            if not start or start[0] == ";":
                continue
            if start[0] == "#":
                records.append(start.rstrip())
            elif self.line[0] not in " \t" and (label := _LABEL.fullmatch(self.line)):
                self.begin_block(label[1])
            else:
                instruction = self.instruction(self.line)
                if records:
                    self.records.append((instruction, records))
                    records = []
        if records:
            self.records.append((self.function.blocks[-1], records))
        self.finish()

    def instruction(self, line: str) -> Instruction:
        cut = line.find(", !")
        metadata: tuple[tuple[str, str], ...] = ()
        if cut >= 0:
            line, metadata = self.cut_metadata(line, cut)
        tokens: list[str] = tokenize(line)
        tokens.append("")
        if tokens[1] == "=":
            name, i = tokens[0], 2
        else:
            name, i = "", 0
        opcode = tokens[i]
        parse = PARSERS.get(opcode)
        if parse is None:
            raise Unexpected(f"unknown instruction '{opcode}'", i)
        instruction, end = parse(self, tokens, i + 1, opcode)
        if tokens[end] and tokens[end][0] != ";":
            raise Unexpected(f"unexpected '{tokens[end]}' after the instruction", end)
        instruction.metadata = metadata
        block = self.block
        if block is None:
            block = self.begin_block("")
        instruction.block = block
        block.instructions.append(instruction)
        if instruction.type is not VOID:
            self.define(name, instruction)
        elif name:
            raise Unexpected("a result of type void has no name", 0)
        if instruction.opcode in TERMINATORS:
            self.block = None
        return instruction

    def cut_metadata(self, line: str, cut: int) -> tuple[str, tuple[tuple[str, str], ...]]:
        """The line without its metadata attachments, and these."""
        known = self.context.metadata.get(line[cut:])
        if known is not None:
            return line[:cut], known
        match = _ATTACHMENTS.fullmatch(line, cut)
        while match is None:  # inside a string
            cut = line.find(", !", cut + 1)
            if cut < 0:
                return line, ()
            match = _ATTACHMENTS.fullmatch(line, cut)
        attachments = tuple((kind, node) for kind, node in _ATTACHMENT.findall(match[1]))
        self.context.metadata[line[cut:]] = attachments
        return line[:cut], attachments

    def finish(self) -> None:
        """Checks that all that was named exists, and ties the debug records to their values."""
        self.line = self.function.name
        if self.block is not None or not self.function.blocks:
            raise Unexpected("the last block has no terminator", 0)
        for name in [*self.awaited_values, *self.awaited_blocks]:
            raise Unexpected(f"use of the undefined value {name}", 0)
        for place, lines in self.records:
            made = tuple(map(self.record, lines))
            if isinstance(place, Block):
                place.trailing_records = made
            else:
                place.debug_records = made

    def record(self, text: str) -> DebugRecord:
        pieces = _RECORD_VALUE.split(text)
        if len(pieces) == 1:
            return DebugRecord((text,))
        self.line = text
        return DebugRecord(tuple(pieces[::2]), tuple(map(self.named, pieces[1::2])))

    def named(self, name: str) -> Local:
        found = self.locals.get(f"%{name}")
        if found is None:
            raise Unexpected(f"a debug record names the undefined value %{name}", 0)
        return found

    # ------------------------------------------------------------------------------------------------------ names

    def begin_block(self, name: str) -> Block:
        """Starts the block of a label, or an unnamed one where an instruction stands without."""
        if self.block is not None:
            raise Unexpected("the block before this label has no terminator", 0)
        block = self.awaited_blocks.pop(f"%{name}", None) if name else None
        if block is None:
            block = Block("", self.function)
        self.define(f"%{name}" if name else "", block)
        self.function.blocks.append(block)
        self.block = block
        return block

    def define(self, key: str, local: Local) -> None:
        """Enters a value by its printed name (with %); "" and all digits mean a number."""
        if not key or key[1:].isdigit():
            key = self.number(key)
        else:
            local.name = key[1:]
        if key in self.locals:
            raise Unexpected(f"{key} is defined twice", 0)
        self.locals[key] = local
        if self.awaited_values:
            placeholder = self.awaited_values.pop(key, None)
            if placeholder is not None:
                if placeholder.type != local.type:
                    raise Unexpected(f"{key} is of type {local.type}, but was used as {placeholder.type}", 0)
                placeholder.replace_uses(local)

    def number(self, key: str) -> str:
        number = int(key[1:]) if key else self.next_number
        if number < self.next_number:
            raise Unexpected(f"expected the number %{self.next_number} or a higher one, found {key}", 0)
        self.next_number = number + 1
        return f"%{number}"

    # ----------------------------------------------------------------------------------------------- for opcodes.py

    def type(self, tokens: list[str], i: int) -> tuple[Type, int]:
        found = self.types.get(tokens[i])
        if found is not None:
            return found, i + 1
        return self.context.type(tokens, i)

    def operand(self, type_: Type, tokens: list[str], i: int) -> tuple[Value, int]:
        """The value at index i, of a type already parsed."""
        token = tokens[i]
        if token[0] != "%":
            constant = self.constants.get((id(type_), token))
            return (constant, i + 1) if constant is not None else self.context.constant(type_, tokens, i)
        value = self.locals.get(token) or self.awaited_values.get(token)
        if value is None:
            value = self.awaited_values[token] = Local(type_)
        elif value.type is not type_ and value.type != type_:
            raise Unexpected(f"{token} is of type {value.type}, not {type_}", i)
        return value, i + 1

    def typed_operand(self, tokens: list[str], i: int) -> tuple[Value, int]:
        type_ = self.types.get(tokens[i])
        if type_ is not None:
            return self.operand(type_, tokens, i + 1)
        type_, i = self.context.type(tokens, i)
        return self.operand(type_, tokens, i)

    def destination(self, tokens: list[str], i: int) -> tuple[Block, int]:
        """`label %x`."""
        if tokens[i] != "label":
            raise Unexpected(f"expected 'label', found '{tokens[i]}'", i)
        return self.target(tokens, i + 1)

    def target(self, tokens: list[str], i: int) -> tuple[Block, int]:
        """A block by its name alone, as in phi."""
        token = tokens[i]
        found = self.locals.get(token) or self.awaited_blocks.get(token)
        if isinstance(found, Block):
            return found, i + 1
        if found is not None or token[:1] != "%":
            raise Unexpected(f"{token} is not a block", i)
        made = self.awaited_blocks[token] = Block("", self.function)
        return made, i + 1


def _logical_lines(text: str) -> Iterator[str]:
    """Lines with the pieces of one instruction joined."""
    if "\n          " in text:
        text = _CONTINUATION.sub(" ", text)
    lines = iter(text.split("\n"))
    for line in lines:
        if line[-1:] == "[":  # a switch lists its cases on the next lines
            pieces = [line]
            for piece in lines:
                pieces.append(piece.strip())
                if pieces[-1][:1] == "]":
                    break
            line = " ".join(pieces)
        yield line
