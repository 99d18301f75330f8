"""Reads the prototype of a function from the debug information in the text of an LLVM module."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from .prototype import NUMBERS, UNKNOWN, VOID, CPrototype, CType, Element, Field, RecordType, alignment, unnamed

_NODE = re.compile(r"^(!\d+) = (?:distinct )?!(\w*)[({](.*)[)}]$", re.M)
_FIELD = re.compile(r'(\w+): (?:"((?:[^"\\]|\\.)*)"|(!DIExpression\([^)]*\)|[^,()]+))')
_DEFINITION = re.compile(r'^define ([^\n@]*)@("[^"\n]*"|[-\w.$]+)\(([^\n]*)\{$', re.M)
_ATTACHED = re.compile(r" !dbg (!\d+)")
_GROUP = re.compile(r" (#\d+) ")
_PROCESSOR = re.compile(r'"(target-cpu|tune-cpu|target-features)"="([^"]*)"')
#: the types that a definition without debug information shows; a pointer does not show what it points at
_IR_TYPES = {
    "double": ("double", NUMBERS["float64"]),
    "float": ("float", NUMBERS["float32"]),
    "i8": ("char", NUMBERS["int8"]),
    "i16": ("short", NUMBERS["int16"]),
    "i32": ("int", NUMBERS["int32"]),
    "i64": ("long", NUMBERS["int64"]),
    "void": ("void", None),
}
_LANGUAGES = {"fortran": "DW_LANG_Fortran", "rust": "DW_LANG_Rust", "c++": "DW_LANG_C_plus_plus", "c": "DW_LANG_C"}
_NAMED = ("DISubprogram", "DINamespace", "DIModule", "DICompositeType", "DICommonBlock", "DIGlobalVariable")
_QUALIFIERS = ("DW_TAG_volatile_type", "DW_TAG_restrict_type", "DW_TAG_atomic_type")
_POINTERS = {"DW_TAG_pointer_type": "*", "DW_TAG_reference_type": "&", "DW_TAG_rvalue_reference_type": "&&"}
_STRUCTS = ("DW_TAG_structure_type", "DW_TAG_class_type")
#: what C++ passes and keeps in memory as C's complex numbers
_COMPLEX = {"complex<float>": "complex64", "complex<double>": "complex128"}
_KINDS = {
    "DW_ATE_float": "float",
    "DW_ATE_complex_float": "complex",
    "DW_ATE_signed": "int",
    "DW_ATE_signed_char": "int",
    "DW_ATE_unsigned": "uint",
    "DW_ATE_unsigned_char": "uint",
    "DW_ATE_UTF": "uint",
}


def prototypes(text: str, name: str) -> list[CPrototype]:
    """Returns the functions of this name that the module defines for other files, each once.

    `name` is the name in the source, with its namespaces or Fortran modules or without, or the symbol. Fortran's names
    are the same in small and large letters.
    """
    word = f'"{name.rpartition("::")[2]}"'
    if word not in text and word.lower() not in text and f"@{name}(" not in text:
        return []
    return list(DebugInfo(text).functions(name))


def all_prototypes(text: str) -> list[CPrototype]:
    """Returns all functions that the module defines for other files, as far as debug information describes them."""
    return [found for found in DebugInfo(text).functions(None) if found.location]


class DebugInfo:
    """The debug information of a module: `nodes` by their references, such as !7."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._nodes = {match[1]: (match[2], match[3]) for match in _NODE.finditer(text)}
        self._fields: dict[str, dict[str, str]] = {}

    @cached_property
    def _is_fortran(self) -> bool:
        return "language: DW_LANG_Fortran" in self.text

    def functions(self, name: str | None) -> Iterator[CPrototype]:
        """Yields the functions of this name, or all."""
        for match in _DEFINITION.finditer(self.text):
            symbol, attached = match[2].strip('"'), _ATTACHED.search(match[3])
            reference = attached[1] if attached is not None else ""
            if name is not None and not self._is_called(name, symbol, reference):
                continue
            if re.match(r"(?:internal|private)\b", match[1]) is None:
                found = self._prototype(reference, symbol, match[3]) if reference else _bare(symbol, match[1], match[3])
                yield found._replace(processor=self._processor(match[3]))

    def _is_called(self, name: str, symbol: str, reference: str) -> bool:
        names = (symbol, self.node(reference).get("name"), self.qualified(reference))
        return name in names or (self._language(reference) == "fortran" and name.lower() in names)

    def _language(self, reference: str) -> str:
        unit = self.node(self.node(reference).get("unit", "")).get("language", "")
        return next((name for name, prefix in _LANGUAGES.items() if unit.startswith(prefix)), "c")

    def _processor(self, definition: str) -> tuple[str, str, str]:
        """Returns what a definition's group of attributes says of the processor, or ""."""
        group = _GROUP.search(definition.rpartition(")")[2])
        attributes = group and re.search(rf"^attributes {group[1]} = (.*)$", self.text, re.M)
        found: dict[str, str] = dict(_PROCESSOR.findall(attributes[1])) if attributes else {}
        cpu = found.get("target-cpu", "")
        return cpu, found.get("tune-cpu", cpu), found.get("target-features", "")

    # -- nodes

    def node(self, reference: str) -> dict[str, str]:
        """Returns the fields of a node; its kind is the field without a name."""
        if reference not in self._fields:
            kind, body = self._nodes.get(reference, ("", ""))
            self._fields[reference] = {"": kind} | {n: quoted or plain for n, quoted, plain in _FIELD.findall(body)}
        return self._fields[reference]

    def _list(self, reference: str) -> list[str]:
        body = self._nodes.get(reference, ("", ""))[1]
        return [item.strip() for item in body.split(",")] if body else []

    def qualified(self, reference: str) -> str:
        """Returns the name of a node with the scopes that it is in."""
        node, parts = self.node(reference), []
        while node.get("name") and node[""] in _NAMED:
            parts.append(node["name"])
            node = self.node(node.get("scope", ""))
        return "::".join(reversed(parts))

    # -- functions

    def _prototype(self, reference: str, symbol: str, ir_parameters: str) -> CPrototype:
        node = self.node(reference)
        language = self._language(reference)
        result, *types = [self.type_of(t) for t in self._list(self.node(node.get("type", "")).get("types", ""))] or [
            VOID
        ]
        if language == "fortran":
            by_value = [not part.strip().startswith("ptr") for part in _split(ir_parameters)]
            types = [_in_fortran(t, value) for t, value in zip(types, [*by_value, *[False] * len(types)], strict=False)]
        variables = self._variables(reference)
        described = {i: self.node(type_) for i, (_, type_) in variables.items()}
        texts = {i: _characters(node) for i, node in described.items() if node[""] == "DIStringType"}
        types = [texts.get(i, type_) for i, type_ in enumerate(types, 1)]
        names = {i: name for i, (name, _) in variables.items()}
        parameters = tuple((names.get(i, unnamed(i)), type_) for i, type_ in enumerate(types, 1))
        file = self.node(node.get("file", "")).get("filename", "")
        return CPrototype(
            self.qualified(reference), symbol, language, result, parameters, f"{file}:{node.get('line', 0)}"
        )

    def _variables(self, function: str) -> dict[int, tuple[str, str]]:
        """Returns the names of the parameters, and the nodes of their types, by their numbers."""
        pattern = re.compile(rf'!DILocalVariable\(name: "([^"]+)", arg: (\d+), scope: {function}\b[^)]*? type: (!\d+)')
        return {int(match[2]): (match[1], match[3]) for match in pattern.finditer(self.text)}

    # -- types

    def type_of(self, reference: str) -> CType:
        """Returns the type that a node describes."""
        node = self.node(reference)
        tag, kind = node.get("tag", ""), node[""]
        inner = node.get("baseType", "")
        if reference == "null" or (kind == "DIDerivedType" and inner in ("", "null") and tag not in _POINTERS):
            return VOID
        if kind == "DIBasicType":
            return CType(node.get("name", ""), _number(node))
        if tag in _POINTERS:
            return self._pointer(inner, _POINTERS[tag])
        if tag == "DW_TAG_const_type":
            type_ = self.type_of(inner)
            return type_._replace(
                text=f"{type_.text} const" if type_.is_pointer else f"const {type_.text}", is_const=True
            )
        if tag in _QUALIFIERS:
            return self.type_of(inner)
        if tag == "DW_TAG_typedef":
            return self.type_of(inner)._replace(text=node.get("name", ""))
        if tag == "DW_TAG_array_type":
            return self._array(node)
        return self._composite(node, tag)

    def _pointer(self, inner: str, mark: str) -> CType:
        target = self.type_of(inner)
        text = f"{target.text}{'' if target.is_pointer and not target.lengths else ' '}{mark}"
        element = target.element if not target.is_pointer or target.lengths else None
        if target.function and not target.is_pointer:
            text = target.text.replace(" (", f" ({mark})(", 1)
        return CType(text, element, True, target.is_const, target.lengths, function=target.function)

    def _array(self, node: dict[str, str]) -> CType:
        element = self.type_of(node.get("baseType", ""))
        ranges = [self.node(r).get("count", "") for r in self._list(node.get("elements", ""))]
        lengths = tuple(int(count) if count.isdigit() else None for count in ranges)
        brackets = "".join(f"[{extent or ''}]" for extent in lengths)
        rank = len(lengths) if "dataLocation" in node else 0
        if "allocated" in node or "associated" in node:
            return CType(f"allocatable or pointer array of {element.text}", None, True)
        return element._replace(text=element.text + brackets, is_pointer=True, lengths=lengths, descriptor_rank=rank)

    def _composite(self, node: dict[str, str], tag: str) -> CType:
        name = node.get("name", "")
        if tag == "DW_TAG_enumeration_type":
            return CType(f"enum {name}", NUMBERS[f"int{node.get('size', '32')}"])
        if name in _COMPLEX:
            return CType(f"std::{name}", NUMBERS[_COMPLEX[name]])
        if node[""] == "DISubroutineType":
            types = [self.type_of(t) for t in self._list(node.get("types", ""))] or [VOID]
            parameters = ", ".join(type_.text for type_ in types[1:])
            return CType(f"{types[0].text} ({parameters})", None, function=tuple(types))
        return CType(f"struct {name}".strip(), self._struct(node) if tag in _STRUCTS else None)

    def _struct(self, node: dict[str, str]) -> RecordType | None:
        fields: list[Field] = []
        for reference in self._list(node.get("elements", "")):
            member = self.node(reference)
            if member.get("tag") not in ("DW_TAG_member", "DW_TAG_inheritance"):
                continue
            type_, flags = self.type_of(member.get("baseType", "")), member.get("flags", "")
            if "DIFlagStaticMember" in flags:
                continue
            if (
                type_.element is None
                or (type_.is_pointer and None in (type_.lengths or (None,)))
                or "BitField" in flags
            ):
                return None
            shape = tuple(extent or 0 for extent in type_.lengths)
            name = member.get("name") or f"base{len(fields)}"
            fields.append(Field(name, type_.element, int(member.get("offset", "0")) // 8, shape))
        size = int(node.get("size", "0")) // 8
        if self._is_fortran:  # flang's size ends with the last member
            size += -size % max((alignment(field.element) for field in fields), default=1)
        return RecordType(node.get("name", ""), tuple(fields), size) if fields else None


def _characters(node: dict[str, str]) -> CType:
    """Returns the type of a character: in the procedure's type, flang describes it as an integer."""
    lengths = (int(node["size"]) // 8,) if "size" in node else ()
    return CType(f"character(len={lengths[0] if lengths else '*'}) :: ", None, True, lengths=lengths, is_text=True)


def _number(node: dict[str, str]) -> Element | None:
    encoding, bits = node.get("encoding", ""), node.get("size", "")
    if encoding == "DW_ATE_boolean":
        return NUMBERS["bool" if bits == "8" else f"int{bits}"]
    return NUMBERS.get(_KINDS.get(encoding, "none") + bits)


def _bare(symbol: str, before: str, parameters: str) -> CPrototype:
    """Returns what a definition without debug information shows."""
    described = [_IR_PARAMETER.match(part.strip()) for part in _split(parameters) if part.strip()]
    named = [((m[2] or unnamed(i)), _ir_type(m[1])) for i, m in enumerate(described, 1) if m is not None]
    return CPrototype(symbol, symbol, "c", _ir_type((before.split() or ["void"])[-1]), tuple(named))


_IR_PARAMETER = re.compile(r"(\S+)(?:.*\s)?(?:%([A-Za-z_]\w*)|%\d+)?$")


def _ir_type(word: str) -> CType:
    text, element = _IR_TYPES.get(word, (word, None))
    return CType(f"{UNKNOWN} *", None, True) if word == "ptr" else CType(text, element)


def _in_fortran(type_: CType, by_value: bool) -> CType:
    """Returns the type of a Fortran argument: its debug information does not say that it is passed by reference."""
    if type_.function:
        return type_._replace(text="procedure() :: ", is_fortran_procedure=True)
    if type_.descriptor_rank:
        return type_._replace(
            text=f"{type_.text.partition('[')[0]}, dimension({', '.join(':' * type_.descriptor_rank)}) :: "
        )
    lengths = ", ".join(str(extent or "*") for extent in type_.lengths)
    shape = f", dimension({lengths})" if lengths else ""
    value = ", value" if by_value else ""
    text = f"{type_.text.partition('[')[0]}{shape}{value} :: "
    return type_._replace(text=text, is_pointer=not by_value)


def _split(parameters: str) -> list[str]:
    """Returns the parameters in the text of a definition, which continues behind the closing bracket."""
    parts, depth = [""], 0
    for character in parameters:
        depth += {"(": 1, "[": 1, "{": 1, "<": 1, ")": -1, "]": -1, "}": -1, ">": -1}.get(character, 0)
        if depth < 0:
            break
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts
