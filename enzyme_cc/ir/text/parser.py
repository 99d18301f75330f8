"""The body of a function, from LLVM's text to blocks and instructions.

`parse_body` is given a function whose header is known and the text between its braces. It walks logical lines (one
instruction each) and calls the parse function that `opcodes.PARSERS` has for the opcode.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..instructions import TERMINATORS
from ..types import VOID
from ..values import Block, DebugRecord, Function, Instruction
from .context import Context
from .lexer import IRSyntaxError, Unexpected, tokenize
from .opcodes import PARSERS
from .operands import Operands

#: line breaks within one instruction: invoke and callbr, landingpad
_CONTINUATION = re.compile(r"\n[ \t]+(?=to label |catch |filter |cleanup\b)")
_LABEL = re.compile(r'([-\w$.]+|"[^"]*"):\s*(?:;.*)?')
_ATTACHMENTS = re.compile(r"((?:, ![-\w$.\\]+ !\d+)+)\s*(?:;.*)?")
_ATTACHMENT = re.compile(r"(![-\w$.\\]+) (!\d+)")
#: a local value in a debug record: after its type, before a comma or parenthesis (a type never is in that position)
_RECORD_VALUE = re.compile(r'(?<=[\w>}\])"] )%([-\w$.]+|"[^"]*")(?=[,)])')


def parse_body(context: Context, function: Function, text: str) -> None:
    """Fills `function.blocks`. Raises IRSyntaxError; the function has no blocks then."""
    body = _BodyParser(context, function)
    try:
        body.parse(text)
    except Unexpected as error:
        function.blocks = []
        raise error.in_line(body.line) from None
    except IndexError:
        function.blocks = []
        raise IRSyntaxError("the instruction ends too early", body.line, len(body.line)) from None


class _BodyParser(Operands):
    """The state of parsing one function: the block being filled, and debug records, which may name later values."""

    __slots__ = ("block", "line", "records")

    def __init__(self, context: Context, function: Function) -> None:
        super().__init__(context, function)
        self.block: Block | None = None
        self.line = ""
        self.records: list[tuple[Instruction | Block, list[str]]] = []

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
        """Returns the line without its metadata attachments, and the attachments."""
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
        """Checks that each named value exists, and gives the debug records their values."""
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

    def begin_block(self, name: str) -> Block:
        """Starts the block of a label, or an unnamed one for an instruction without a label."""
        if self.block is not None:
            raise Unexpected("the block before this label has no terminator", 0)
        block = self.awaited_blocks.pop(f"%{name}", None) if name else None
        if block is None:
            block = Block("", self.function)
        self.define(f"%{name}" if name else "", block)
        self.function.blocks.append(block)
        self.block = block
        return block


def _logical_lines(text: str) -> Iterator[str]:
    """Yields lines with the pieces of one instruction joined."""
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
