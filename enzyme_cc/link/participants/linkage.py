"""Changes linkages in the text of a module: makes definitions internal or weak, or turns them into declarations.

It edits the first line of a definition. LLVM's text has it as `define [linkage] [preemption] [visibility] …` or
`@name = [linkage] [preemption] [visibility] … global|constant|alias|ifunc …`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from enzyme_cc.link.inputs.module_text import NAME, Entity, ModuleText, quoted, unquoted

LOCAL = frozenset({"internal", "private"})
ODR = frozenset({"available_externally", "linkonce_odr", "weak_odr"})
_SPECIAL = frozenset({"appending", "available_externally", "extern_weak", "external"})
_LASTING = {"linkonce": "weak", "linkonce_odr": "weak_odr"}

_HEAD = re.compile(
    rf"(?P<start>define |@{NAME} = )"
    r"(?:(?P<linkage>private|internal|available_externally|linkonce|weak|common|appending|extern_weak|linkonce_odr"
    r"|weak_odr|external) )?"
    r"(?P<preemption>(?:dso_local|dso_preemptable) )?(?P<visibility>(?:default|hidden|protected) )?"
)
# No function type has a space after the `ptr` of a parameter.
_ALIAS = re.compile(rf"@{NAME} = [^\"\n]*?\b(?:alias|ifunc) (?P<type>[^\n]*?), ptr ")
_ALIAS_TARGET = re.compile(
    rf"^@(?P<name>{NAME}) = [^\"\n]*?\balias [^\n]*?, ptr (?P<target>@{NAME}|\w[^\n]*\))", re.MULTILINE
)
_USED = re.compile(r"@llvm\.(?:compiler\.)?used = ")
# Strings are matched, too: they may contain such a name.
_USE = re.compile(rf'(?<!@)"[^"\n]*"|(?<!^)@{NAME}')
_REFERENCE = re.compile(rf"@({NAME})")
_FUNCTION_COMDAT = re.compile(rf" comdat(?:\(\${NAME}\))?(?= |$)")
_GLOBAL_COMDAT = re.compile(rf', comdat(?:\(\${NAME}\))?(?=(?:, [^"\n]*)?$)')
_ATTRIBUTE_GROUP = re.compile(r" #\d+")


def linkage(head: str) -> str:
    """Returns the linkage on the first line of a definition, `""` for the default (external)."""
    found = _HEAD.match(head)
    return (found and found["linkage"]) or ""


def is_constant(head: str) -> bool:
    """True if the first line of a variable's definition says that it never changes."""
    return " constant " in head.partition(' c"')[0]


def is_hidden(head: str) -> bool:
    """True if the first line of a definition has hidden visibility."""
    found = _HEAD.match(head)
    return bool(found and found["visibility"] == "hidden ")


def with_linkage(head: str, new: str) -> str:
    """Returns the first line of a definition with another linkage. A local one drops visibility and COMDAT."""
    found = _HEAD.match(head)
    assert found is not None, head
    rest = head[found.end() :]
    kept = (found["preemption"] or "") + ("" if new in LOCAL else found["visibility"] or "")
    if new in LOCAL:
        rest = (_FUNCTION_COMDAT if found["start"] == "define " else _GLOBAL_COMDAT).sub("", rest)
    return found["start"] + (new + " " if new else "") + kept + rest


def lasting(head: str) -> str:
    """Returns the first line of a definition that LLVM keeps if nothing in its module uses it."""
    old = linkage(head)
    return with_linkage(head, _LASTING[old]) if old in _LASTING else head


def edit(module: ModuleText, change: Callable[[Entity, str], str | None]) -> str:
    """Returns the text with entities changed. `change` gets each with its text and returns a new text or None."""
    pieces, position = [], 0
    for entity in module.entities.values():
        new = change(entity, module.of(entity))
        if new is not None:
            pieces += [module.text[position : entity.start], new]
            position = entity.end
    return "".join([*pieces, module.text[position:]])


def edit_heads(module: ModuleText, change: Callable[[Entity, str], str | None]) -> str:
    """Returns the text with first lines of definitions changed. `change` gets each and returns a new line or None."""

    def change_head(entity: Entity, text: str) -> str | None:
        if not entity.is_definition:
            return None
        head, newline, rest = text.partition("\n")
        new = change(entity, head)
        return None if new is None else new + newline + rest

    return edit(module, change_head)


def restrict(module: ModuleText, is_kept: Callable[[str, bool], bool]) -> str:
    """Returns the text with every definition internal, except those that are kept.

    - `is_kept` gets a symbol and whether it is hidden. Names in `llvm.used` and in module-level assembly are kept, too.
    - A kept definition becomes `weak` if it was `linkonce`: LLVM drops unused `linkonce` definitions.
    - An `available_externally` function becomes internal: LLVM would drop it, and its original may have no bitcode.
    - What is local leaves its COMDAT group: the native linker would keep this group in the place of another object's,
      whose symbols are visible.
    """
    pinned = _pinned(module)

    def change(entity: Entity, head: str) -> str | None:
        old = linkage(head)
        if old == "available_externally" and entity.is_function:
            return with_linkage(head, "internal")
        if old in LOCAL and " comdat" in head:
            return with_linkage(head, old)
        if old in LOCAL or old in _SPECIAL or entity.name.startswith("llvm."):
            return None
        if entity.name in pinned or is_kept(entity.name, is_hidden(head)):
            return lasting(head)
        return with_linkage(head, "internal")

    return edit_heads(module, change)


_MODULE_ASM = re.compile(r'^module asm "(.*)"$', re.M)


def _pinned(module: ModuleText) -> set[str]:
    used = (module.entities[name] for name in ("llvm.used", "llvm.compiler.used") if name in module.entities)
    names = {name for entity in used for name in module.references(entity)}
    return names | assembly_words(module)


def has_assembly(module: ModuleText) -> bool:
    """True if the module has assembly at its top level."""
    return "\nmodule asm " in module.text


def assembly_words(module: ModuleText) -> set[str]:
    """Returns all words of the module's assembly: all symbols that it defines and uses, and more."""
    if "module asm " not in module.text:
        return set()
    return {word for line in _MODULE_ASM.findall(module.text) for word in re.findall(r"[\w.$]+", line)}


def declared(module: ModuleText, names: Iterable[str], type_of: Callable[[Entity], str], suffix: str = "") -> str:
    """Returns the text in which the definitions of `names` are declarations. Aliases keep what they stand for.

    `type_of` gives the value type of a function or variable, such as `double (ptr, ...)` or `i32`. `suffix` ends the
    declarations of functions.
    """
    chosen = frozenset(names)
    kept = chosen & aliased(module)

    def change(entity: Entity, text: str) -> str | None:
        if entity.name in chosen and entity.is_definition:
            own = _own_copy(entity, text) if entity.name in kept else ""
            return declaration(entity, type_of, text, suffix) + "\n" + own
        if _ALIAS.match(text) and not kept.isdisjoint(module.references(entity)):
            return _REFERENCE.sub(lambda found: _own_name(found[0]) if unquoted(found[1]) in kept else found[0], text)
        return None

    return edit(module, change)


def aliases(module: ModuleText) -> dict[str, str]:
    """Returns the names of the module's aliases, with the definitions that they stand for."""
    entities = [entity for entity in module.entities.values() if not entity.is_function]
    found = {entity.name: _ALIAS.match(module.of(entity)) for entity in entities}
    return {name: module.ordered_references(module.entities[name])[0] for name, match in found.items() if match}


def aliased(module: ModuleText) -> frozenset[str]:
    """Returns the definitions that the module's aliases stand for."""
    return frozenset(aliases(module).values())


def _own_copy(entity: Entity, text: str) -> str:
    """Returns the definition under another name, for aliases: they do not change where another definition prevails."""
    head, newline, rest = text.partition("\n")
    name = "@" + quoted(entity.name)
    return with_linkage(head.replace(name, _own_name(name), 1), "internal") + newline + rest


def _own_name(name: str) -> str:
    return f'{name[:-1]}.own"' if name.endswith('"') else f"{name}.own"


def declaration(entity: Entity, type_of: Callable[[Entity], str], text: str, suffix: str = "") -> str:
    """Returns the line that declares an entity with this text. An alias is declared as what it stands for."""
    name = quoted(entity.name)
    alias = _ALIAS.match(text)
    value_type = alias["type"] if alias else type_of(entity)
    if value_type.endswith(")") and " (" in value_type:
        result, _, parameters = value_type.partition(" (")
        return f"declare {result} @{name}({parameters}{suffix}"
    head = text.partition("\n")[0].partition(" = ")[2]
    tls = re.search(r"\bthread_local(?:\([a-z]+\))? ", head.partition(value_type)[0])
    return f"@{name} = external {tls[0] if tls else ''}global {value_type}"


def without_attributes(line: str) -> str:
    """Returns the line of a call or declaration without its attribute group."""
    return _ATTRIBUTE_GROUP.sub("", line)


def wrapped(module: ModuleText, symbols: Iterable[str]) -> str:
    """Returns the text under `--wrap=symbol`: undefined `symbol` is `__wrap_symbol`, `__real_symbol` is `symbol`."""
    text = module.text
    for symbol in symbols:
        entities = ModuleText(text).entities
        if symbol not in entities or not entities[symbol].is_definition:
            text = _renamed(text, symbol, f"__wrap_{symbol}")
        text = _renamed(text, f"__real_{symbol}", symbol)
    return text


def _renamed(text: str, old: str, new: str) -> str:
    """Returns the text with a declared symbol renamed. If the new name exists, both become one symbol."""
    module = ModuleText(text)
    if old not in module.entities:
        return text
    if new in module.entities:
        text = edit(module, lambda entity, _: "" if entity.name == old else None)
    return re.sub(rf"@{re.escape(quoted(old))}(?![-\w.$])", lambda _: "@" + quoted(new), text)


def restored(module: ModuleText, linkages: Mapping[str, str]) -> str:
    """Returns the text with the given linkages on definitions, by name."""
    return edit_heads(module, lambda e, head: with_linkage(head, linkages[e.name]) if e.name in linkages else None)


def with_aliases_resolved(text: str) -> str:
    """Returns a module's text in which nothing uses an alias: all use what it stands for. Lists of used names stay.

    Derivatives are made of definitions. LLVM resolves an alias that is local; in a shared library, others may see it.
    """
    if " alias " not in text:
        return text
    targets = {found["name"]: found["target"] for found in _ALIAS_TARGET.finditer(text)}
    if not targets:
        return text

    def resolved(found: re.Match[str]) -> str:
        target = found[0]
        while target[1:] in targets:
            target = targets[target[1:]]
        return target

    lines = (line if _USED.match(line) else _USE.sub(resolved, line) for line in text.split("\n"))
    return "\n".join(lines)
