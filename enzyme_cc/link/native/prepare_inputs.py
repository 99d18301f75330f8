"""Prepares the inputs of a link for the trial link.

The native linker gets three kinds of input in another form:

- a linker script that lists objects or archives of the program becomes the inputs that it lists: so they can be
  replaced;
- raw bitcode becomes a native object: so the linker sees its symbols;
- an archive with several members of one name becomes a copy with numbered members: so names identify them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

from msgspec import Struct

from enzyme_cc.link.command import command
from enzyme_cc.link.command.command import CommandItem, InputState, LinkCommand
from enzyme_cc.link.inputs import archive, bitcode, elf
from enzyme_cc.link.inputs import library_search as search
from enzyme_cc.link.inputs.units import has_duplicates, member_label, read_file, read_members
from enzyme_cc.link.process.scratch import Scratch
from enzyme_cc.report import EnzymeError

Lower = Callable[[bytes, str], bytes]


class Copy(Struct, frozen=True):
    """The input that a scratch file stands for, and its raw bitcode by member index (None: the file itself)."""

    original: str
    names: tuple[str, ...] = ()
    raw: tuple[tuple[int | None, bytes], ...] = ()


class Prepared(Struct, frozen=True):
    """A command that is ready for the trial link.

    `paths` are the files of its inputs by item, `replaced` the other tokens of some items, `copies` the scratch files
    that stand for inputs, and `scripts` the texts of linker scripts.
    """

    command: LinkCommand
    paths: dict[int, str]
    replaced: dict[int, tuple[str, ...]]
    copies: dict[str, Copy]
    scripts: tuple[str, ...]


def prepare(given: LinkCommand, scratch: Scratch, lower: Lower) -> Prepared:
    """Returns the prepared command. `lower` makes a native object of raw bitcode."""
    path = search.SearchPath.of(given)
    expanded = given._replace(items=tuple(_expanded(given.items, path)))
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
    """Returns the scratch file that takes the place of an input. None if the input itself can be linked."""
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
    """True if a file may hold bitcode: the name of a bitcode section or bitcode's magic number occurs in it."""
    whole = bytes(data)
    return any(mark in whole for mark in (*(name.encode() for name in bitcode.SECTIONS), bitcode.MAGIC))


def defined_names(data: bytes | memoryview, path: str) -> tuple[str, ...]:
    """Returns the names that an object defines, for the index of an archive. Raises `EnzymeError` (EZ0101)."""
    if not elf.is_supported(data):
        return ()
    try:
        return tuple(symbol.name for symbol in elf.read(data).symbols if symbol.is_defined)
    except elf.ElfError as error:
        raise EnzymeError.of("EZ0101", f"{path} holds a corrupt object: {error}") from None


def _expanded(items: tuple[CommandItem, ...], path: search.SearchPath) -> Iterator[CommandItem]:
    for item in items:
        file = path.find(item) if item.state is not None else None
        listed = _listed_program_files(file, item.state, path) if file is not None and item.state is not None else None
        yield from listed or (item,)


def _listed_program_files(file: str, state: InputState, path: search.SearchPath) -> tuple[CommandItem, ...] | None:
    """Returns the items that a script lists. None if `file` is no script or lists only shared libraries."""
    data = read_file(file)
    if not _is_script(data):
        return None
    listed = command.parse(search.script_inputs(_text(data))).items
    items = tuple(_located(item._replace(state=_within(item.state, state)), file, path) for item in listed)
    files = [path.find(item) for item in items if item.state is not None]
    return items if any(found and _needs_its_place(found, state.whole_archive) for found in files) else None


def _needs_its_place(path: str, whole: bool) -> bool:
    """True if an input must stand on the command line itself, because another file may have to replace it."""
    data = read_file(path)
    if not archive.is_archive(data):
        return bitcode.is_bitcode(data) or (elf.is_elf(data) and data[16] == elf.TYPE_RELOCATABLE)
    members = read_members(data, path)
    names = [member.name for member in members]
    return whole or has_duplicates(names) or any(bitcode.is_bitcode(member.data) for member in members)


def _within(inner: InputState | None, outer: InputState) -> InputState | None:
    """Returns the state of an input that a script lists. `outer` is the state of the script."""
    if inner is None:
        return None
    return outer._replace(as_needed=inner.as_needed or outer.as_needed, in_group=inner.in_group or outer.in_group)


def _located(item: CommandItem, script: str, path: search.SearchPath) -> CommandItem:
    """Returns the item with the path of its file. A script may name files relative to its own folder."""
    if item.role is not None or item.state is None:
        return item
    beside = os.path.join(os.path.dirname(script), item.value)
    file = path.find(item) or (beside if os.path.exists(beside) else item.value)
    return item._replace(tokens=(file,), value=file)


def _is_script(data: memoryview) -> bool:
    """True if an input is text: not ELF, not an archive, not bitcode."""
    head = bytes(data[:512])
    return bool(head) and b"\0" not in head and not archive.is_archive(head) and not bitcode.is_bitcode(head)


def _text(data: memoryview) -> str:
    return bytes(data).decode("utf-8", "surrogateescape")
