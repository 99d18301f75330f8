"""Makes the inputs of a link ready for the trial link.

Three kinds of input are not handed to the native linker as they are: linker scripts that list objects or archives of
the program (they are spelled out, so that their objects can be replaced), raw bitcode (a native object is made of it,
for its symbols), and archives in which names do not identify the members (a copy has the members numbered).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from enzyme_cc.link.command import command
from enzyme_cc.link.command.command import Item, LinkCommand, State
from enzyme_cc.link.inputs import archive, bitcode, elf
from enzyme_cc.link.inputs import library_search as search
from enzyme_cc.link.inputs.units import has_duplicates, member_label, read_file, read_members
from enzyme_cc.link.process.scratch import Scratch
from enzyme_cc.report import EnzymeError

Lower = Callable[[bytes, str], bytes]


@dataclass(frozen=True)
class Copy:
    """What a scratch file stands for: its original, and the raw bitcode by member index (None: the file itself)."""

    original: str
    names: tuple[str, ...] = ()
    raw: tuple[tuple[int | None, bytes], ...] = ()


@dataclass(frozen=True)
class Prepared:
    """A command ready for the trial: `paths` are its inputs' files, `copies` what scratch files stand for."""

    command: LinkCommand
    paths: dict[int, str]
    replaced: dict[int, tuple[str, ...]]
    copies: dict[str, Copy]
    scripts: tuple[str, ...]


def prepare(given: LinkCommand, scratch: Scratch, lower: Lower) -> Prepared:
    """Return the link with what needs it spelled out or copied; `lower` makes a native object of raw bitcode."""
    path = search.SearchPath.of(given)
    expanded = replace(given, items=tuple(_expanded(given.items, path)))
    paths = {i: found for i, item in expanded.inputs if (found := path.find(item)) is not None}
    replaced: dict[int, tuple[str, ...]] = {}
    copies: dict[str, Copy] = {}
    scripts = []
    made: dict[str, str | None] = {}
    for i, file in paths.items():
        if file not in made:
            made[file] = _copy(file, scratch, lower, copies)
        substitute = made[file]
        if substitute is not None:
            replaced[i] = (substitute,)
    for file in dict.fromkeys(paths.values()):
        data = read_file(file)
        if _is_script(data):
            scripts.append(_text(data))
    return Prepared(expanded, paths, replaced, copies, tuple(scripts))


def _copy(path: str, scratch: Scratch, lower: Lower, copies: dict[str, Copy]) -> str | None:
    """Return the scratch file to use instead of an input, None where the input itself will do."""
    data = read_file(path)
    if bitcode.is_bitcode(data):
        raw = bytes(data)
        copy = scratch.write(os.path.basename(path) + ".o", lower(raw, path))
        copies[copy] = Copy(path, raw=((None, raw),))
        return copy
    if not archive.is_archive(data):
        return None
    return _copy_archive(data, path, scratch, lower, copies)


def _copy_archive(data: memoryview, path: str, scratch: Scratch, lower: Lower, copies: dict[str, Copy]) -> str | None:
    members = read_members(data, path)
    raw = {member.index: bytes(member.data) for member in members if bitcode.is_bitcode(member.data)}
    names = tuple(member.name for member in members)
    if raw or any(member.origin is not None for member in members):
        lowered = {i: lower(module, member_label(path, names[i])) for i, module in raw.items()}
        numbered = [(archive.numbered_name(m.index), lowered.get(m.index, m.data)) for m in members]
        contents = archive.write([(name, body, defined_names(body, path)) for name, body in numbered])
    elif has_duplicates(names) and not archive.is_thin(data) and mentions_bitcode(data):
        contents = archive.with_numbered_names(data, members)
    else:
        return None
    copy = scratch.write(os.path.basename(path), contents)
    copies[copy] = Copy(path, names, tuple(raw.items()))
    return copy


def mentions_bitcode(data: memoryview) -> bool:
    """Say whether a file may hold bitcode: it names a section for it, or the magic number occurs in it."""
    whole = bytes(data)
    return any(mark in whole for mark in (*(name.encode() for name in bitcode.SECTIONS), bitcode.MAGIC))


def defined_names(data: bytes | memoryview, path: str) -> tuple[str, ...]:
    """Return the names that an object defines, for an archive's index. Raises `EnzymeError` (EZ0101)."""
    if not elf.is_supported(data):
        return ()
    try:
        return tuple(symbol.name for symbol in elf.read(data).symbols if symbol.is_defined)
    except elf.ElfError as error:
        raise EnzymeError.of("EZ0101", f"{path} holds a corrupt object: {error}") from None


def _expanded(items: tuple[Item, ...], path: search.SearchPath) -> Iterator[Item]:
    for item in items:
        file = path.find(item) if item.state is not None else None
        listed = _listed_program_files(file, item.state, path) if file is not None and item.state is not None else None
        yield from listed or (item,)


def _listed_program_files(file: str, state: State, path: search.SearchPath) -> tuple[Item, ...] | None:
    """Return the items that a script lists, None if `file` is no script or lists only shared libraries."""
    data = read_file(file)
    if not _is_script(data):
        return None
    listed = command.parse(search.script_inputs(_text(data))).items
    items = tuple(_located(replace(item, state=_within(item.state, state)), file, path) for item in listed)
    files = [path.find(item) for item in items if item.state is not None]
    return items if any(found and _needs_its_place(found, state.whole_archive) for found in files) else None


def _needs_its_place(path: str, whole: bool) -> bool:
    """Say whether the native linker may have to be handed something else instead of an input."""
    data = read_file(path)
    if not archive.is_archive(data):
        return bitcode.is_bitcode(data) or (elf.is_elf(data) and data[16] == elf.TYPE_RELOCATABLE)
    members = read_members(data, path)
    names = [member.name for member in members]
    return whole or has_duplicates(names) or any(bitcode.is_bitcode(member.data) for member in members)


def _within(inner: State | None, outer: State) -> State | None:
    """Return the state of an input that a script lists, where the script itself has the state `outer`."""
    if inner is None:
        return None
    return replace(outer, as_needed=inner.as_needed or outer.as_needed, in_group=inner.in_group or outer.in_group)


def _located(item: Item, script: str, path: search.SearchPath) -> Item:
    """Return the item with the path of its file: scripts name files relative to themselves, too."""
    if item.role is not None or item.state is None:
        return item
    beside = os.path.join(os.path.dirname(script), item.value)
    file = path.find(item) or (beside if os.path.exists(beside) else item.value)
    return replace(item, tokens=(file,), value=file)


def _is_script(data: memoryview) -> bool:
    """Say whether an input is text: neither ELF, nor an archive, nor bitcode."""
    head = bytes(data[:512])
    return bool(head) and b"\0" not in head and not archive.is_archive(head) and not bitcode.is_bitcode(head)


def _text(data: memoryview) -> str:
    return bytes(data).decode("utf-8", "surrogateescape")
