"""Types and constants parsed from tokens, interned for one module.

`Context` is given a token list and an index, and gives back an object and the index after it. Types are interned, so
that tables may be keyed by their id; a constant of one token is made once.
"""

from __future__ import annotations

import re

from ..constants import (
    Constant,
    ConstantAggregate,
    ConstantExpr,
    ConstantFloat,
    ConstantInt,
    ConstantSplat,
    ConstantString,
    ConstantText,
    ConstantWord,
    GlobalRef,
    InlineAsm,
    MetadataOperand,
    brackets,
)
from ..instructions import CASTS
from ..types import (
    FLOAT_KINDS,
    I1,
    LABEL,
    METADATA,
    PTR,
    TOKEN,
    VOID,
    ArrayType,
    FloatType,
    FunctionType,
    IntType,
    NamedStruct,
    OpaqueKeyword,
    PointerType,
    StructType,
    TargetType,
    Type,
    VectorType,
    element_count,
    has_elements,
)
from ..values import CallInfo, MemoryInfo, Source
from .lexer import Unexpected, expect

_PRIMITIVES: dict[str, Type] = {
    "void": VOID,
    "label": LABEL,
    "metadata": METADATA,
    "token": TOKEN,
    "x86_amx": OpaqueKeyword("x86_amx"),
    "ptr": PTR,
    "i1": I1,
    **{f"i{bits}": IntType(bits) for bits in (8, 16, 32, 64, 128)},
    **{kind: FloatType(kind) for kind in FLOAT_KINDS},
}
_WORD_TYPE = re.compile(r"i(\d+)|ptr addrspace\((\d+)\)|(target\(.*\))")
_SHORT_TYPE_PART = re.compile(r"\w+|[<>\[\]{},]")
_FLOAT = re.compile(r"-?(?:0x[KLMHR]?[0-9A-Fa-f]+|\d+\.\d*(?:[eE][-+]?\d+)?)")
_INTEGER = re.compile(r"-?\d+")

CONSTANT_WORDS = frozenset(["null", "undef", "poison", "zeroinitializer", "none"])
#: constant expressions whose operands are a plain list
_LIST_EXPRESSIONS = frozenset(
    ["add", "sub", "mul", "shl", "lshr", "ashr", "and", "or", "xor", "extractelement", "insertelement", "shufflevector"]
)
_TEXT_CONSTANTS = frozenset(["dso_local_equivalent", "no_cfi"])
#: words that begin a value (and so end the attributes before it)
VALUE_WORDS = (
    CONSTANT_WORDS
    | CASTS
    | _LIST_EXPRESSIONS
    | _TEXT_CONSTANTS
    | {"true", "false", "splat", "getelementptr", "asm", "ptrauth"}
)


class Context:
    """The tables that all functions of one module share."""

    __slots__ = ("calls", "constants", "interned", "memory", "metadata", "sources", "types")

    def __init__(self) -> None:
        self.types: dict[str, Type] = dict(_PRIMITIVES)
        self.interned: dict[Type, Type] = {type_: type_ for type_ in self.types.values()}
        self.constants: dict[tuple[int, str], Constant] = {}
        self.calls: dict[object, CallInfo] = {}
        self.memory: dict[object, MemoryInfo] = {}
        self.sources: dict[int, Source] = {}
        self.metadata: dict[str, tuple[tuple[str, str], ...]] = {}

    # ------------------------------------------------------------------------------------------------------ types

    def intern(self, type_: Type) -> Type:
        return self.interned.setdefault(type_, type_)

    def struct(self, name: str) -> NamedStruct:
        """Returns the identified struct of that name, made opaque if it is new."""
        found = self.types.get(name)
        if isinstance(found, NamedStruct):
            return found
        made = NamedStruct(name)
        self.types[name] = self.interned[made] = made
        return made

    def type(self, tokens: list[str], i: int) -> tuple[Type, int]:
        found = self.types.get(tokens[i])
        if found is not None:
            return found, i + 1
        token = tokens[i]
        if token in ("[", "<", "{"):
            composite, end = self._composite(tokens, i)
            return self.intern(composite), end
        made = self.types[token] = self.intern(self._one_token_type(token, i))
        return made, i + 1

    def starts_type(self, token: str) -> bool:
        return token in self.types or token[:1] in "%<[{" or _WORD_TYPE.fullmatch(token) is not None

    def _one_token_type(self, token: str, i: int) -> Type:
        match = _WORD_TYPE.fullmatch(token)
        if match is not None:
            bits, addrspace, target = match.groups()
            if bits:
                return IntType(int(bits))
            return PointerType(int(addrspace)) if addrspace else TargetType(target)
        if token[:1] in ("<", "[", "{"):
            return self._composite([*_SHORT_TYPE_PART.findall(token), ""], 0)[0]
        raise Unexpected(f"expected a type, found '{token}'", i)

    def _composite(self, tokens: list[str], i: int) -> tuple[Type, int]:
        opening = tokens[i]
        if opening == "{":
            return self._struct_type(tokens, i + 1)
        if opening == "<" and tokens[i + 1][0] == "{":
            body, i = self.type(tokens, i + 1)
            if not isinstance(body, StructType):
                raise Unexpected(f"expected the fields of a packed struct, found {body}", i)
            return StructType(body.fields, packed=True), expect(tokens, i, ">")
        scalable = tokens[i + 1] == "vscale"
        if scalable:
            i = expect(tokens, i + 2, "x") - 1
        if not tokens[i + 1].isdigit():
            raise Unexpected(f"expected a number of elements, found '{tokens[i + 1]}'", i + 1)
        count = int(tokens[i + 1])
        element, i = self.type(tokens, expect(tokens, i + 2, "x"))
        if opening == "[":
            return ArrayType(element, count), expect(tokens, i, "]")
        return VectorType(element, count, scalable), expect(tokens, i, ">")

    def _struct_type(self, tokens: list[str], i: int) -> tuple[Type, int]:
        fields: list[Type] = []
        while tokens[i] != "}":
            if fields:
                i = expect(tokens, i, ",")
            field, i = self.type(tokens, i)
            fields.append(field)
        return StructType(tuple(fields)), i + 1

    def parameter_types(self, tokens: list[str], i: int, result: Type) -> tuple[FunctionType, int]:
        """Parses the parameters of a function type, from the index of the opening parenthesis."""
        params: list[Type] = []
        i = expect(tokens, i, "(")
        vararg = False
        while tokens[i] != ")":
            if params:
                i = expect(tokens, i, ",")
            if tokens[i] == "...":
                vararg, i = True, i + 1
                break
            param, i = self.type(tokens, i)
            params.append(param)
        made = self.intern(FunctionType(result, tuple(params), vararg))
        assert isinstance(made, FunctionType)
        return made, expect(tokens, i, ")")

    # -------------------------------------------------------------------------------------------------- constants

    def typed_constant(self, tokens: list[str], i: int) -> tuple[Constant, int]:
        type_, i = self.type(tokens, i)
        return self.constant(type_, tokens, i)

    def constant(self, type_: Type, tokens: list[str], i: int) -> tuple[Constant, int]:
        """Returns the constant at index i, of an interned type."""
        token = tokens[i]
        key = (id(type_), token)
        found = self.constants.get(key)
        if found is not None:
            return found, i + 1
        made = _one_token_constant(type_, token)
        if made is not None:
            self.constants[key] = made
            return made, i + 1
        return self._long_constant(type_, tokens, i)

    def _long_constant(self, type_: Type, tokens: list[str], i: int) -> tuple[Constant, int]:
        token = tokens[i]
        if token in ("[", "<", "{") and has_elements(type_):
            return self._aggregate(type_, tokens, i)
        if token == "splat":
            element, i = self.typed_constant(tokens, expect(tokens, i + 1, "("))
            return ConstantSplat(type_, element), expect(tokens, i, ")")
        if token in CASTS or token in _LIST_EXPRESSIONS or token == "getelementptr":
            return self._expression(type_, tokens, i)
        if token == "asm":
            return _inline_asm(type_, tokens, i)
        if token in _TEXT_CONSTANTS:
            return ConstantText(type_, f"{token} {tokens[i + 1]}"), i + 2
        if token == "ptrauth":
            end = i + 1
            while tokens[end][0] != ")":
                end += 1
            return ConstantText(type_, " ".join(tokens[i : end + 1])), end + 1
        raise Unexpected(f"expected a value of type {type_}, found '{token}'", i)

    def _aggregate(self, type_: Type, tokens: list[str], i: int) -> tuple[Constant, int]:
        opening, closing = brackets(type_)
        for bracket in opening.strip():
            i = expect(tokens, i, bracket)
        elements: list[Constant] = []
        while tokens[i] != closing.strip()[0]:
            if elements:
                i = expect(tokens, i, ",")
            element, i = self.typed_constant(tokens, i)
            elements.append(element)
        if len(elements) != element_count(type_):
            raise Unexpected(f"{type_} has {element_count(type_)} elements, not {len(elements)}", i)
        for bracket in closing.strip():
            i = expect(tokens, i, bracket)
        return ConstantAggregate(type_, tuple(elements)), i

    def _expression(self, type_: Type, tokens: list[str], i: int) -> tuple[Constant, int]:
        opcode, i = tokens[i], i + 1
        first_flag = i
        while tokens[i] != "(":
            if not tokens[i][:1].isalpha():
                raise Unexpected(f"expected '(' of a constant expression, found '{tokens[i]}'", i)
            i += 1
        flags, i = tuple(tokens[first_flag:i]), i + 1
        source = None
        if opcode == "getelementptr":
            source, i = self.type(tokens, i)
            i = expect(tokens, i, ",")
        operands: list[Constant] = []
        while tokens[i] not in (")", "to"):
            if operands:
                i = expect(tokens, i, ",")
            operand, i = self.typed_constant(tokens, i)
            operands.append(operand)
        if opcode in CASTS:
            _, i = self.type(tokens, expect(tokens, i, "to"))
        return ConstantExpr(type_, opcode, tuple(operands), source, flags), expect(tokens, i, ")")


def _one_token_constant(type_: Type, token: str) -> Constant | None:
    first = token[:1]
    if first == "@":
        return GlobalRef(type_, token)
    if token in CONSTANT_WORDS:
        return ConstantWord(type_, token)
    if isinstance(type_, IntType):
        return _integer(type_, token)
    if isinstance(type_, FloatType):
        return ConstantFloat(type_, token) if _FLOAT.fullmatch(token) else None
    if type_ is METADATA:
        return MetadataOperand(type_, token) if first == "!" else None
    if token.startswith('c"'):
        return ConstantString(type_, token[2:-1])
    return ConstantText(type_, token) if token.startswith("blockaddress(") else None


def _integer(type_: IntType, token: str) -> Constant | None:
    if type_.bits == 1 and token in ("true", "false"):
        return ConstantInt(type_, int(token == "true"))
    if not _INTEGER.fullmatch(token):
        return None
    value = int(token) & ((1 << type_.bits) - 1)
    negative = type_.bits > 1 and value >> (type_.bits - 1)
    return ConstantInt(type_, value - (1 << type_.bits) if negative else value)


def _inline_asm(type_: Type, tokens: list[str], i: int) -> tuple[Constant, int]:
    start = i
    while tokens[i][0] != '"':
        i += 1
    i = expect(tokens, i + 1, ",")
    if tokens[i][:1] != '"':
        raise Unexpected("expected the constraints of inline assembly", i)
    return InlineAsm(type_, f"{' '.join(tokens[start : i - 1])}, {tokens[i]}"), i + 1
