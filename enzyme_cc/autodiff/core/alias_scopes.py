"""Alias scopes of derivative code: they tell LLVM that tape, shadow and primal memory never overlap."""

from __future__ import annotations

from enum import Enum

from ...analysis.type_analysis.declared.tbaa import FORTRAN_DATA, Tbaa
from ...ir.module import Module
from ...ir.values import Instruction

Metadata = tuple[tuple[str, str], ...]


class MemoryKind(Enum):
    """The kinds of memory that derivative code accesses. They do not overlap."""

    TAPE = "tape"
    SHADOW = "shadow"
    PRIMAL = "primal"


class ScopeLists:
    """The lists of scopes of one module's accesses."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._made: dict[tuple[str, ...], str] = {}
        self._joined: dict[tuple[str, str], str] = {}

    def of(self, scopes: tuple[str, ...]) -> str:
        """Returns the list of some scopes."""
        if scopes not in self._made:
            self._made[scopes] = self._module.add_metadata(f"!{{{', '.join(scopes)}}}")
        return self._made[scopes]

    def joined(self, old: str | None, new: str) -> str:
        """Returns the list that has those of both."""
        if old is None or self._module.metadata[old] == "!{}":
            return new
        key = old, new
        if key not in self._joined:
            parts = [self._module.metadata[node].strip("!{}") for node in key]
            self._joined[key] = self._module.add_metadata("!{" + ", ".join(f"!{p}" for p in parts) + "}")
        return self._joined[key]


class AliasScopes:
    """Makes the `!alias.scope` and `!noalias` nodes of one module, in one round of nested requests.

    - Each round has its own scopes: the shadow memory of an earlier round is primal memory in this one.
    - A scope describes memory and not one call, so it stays true after inlining and in loops.
    - In vector mode, what a derivative allocates as shadows of different directions does not overlap either. Shadows
      that it is given have no such scope: the program may pass them for other directions in the next call.
    - The kind SHADOW is for adjoint numbers only. Accesses to pointers in shadow memory get no scope: constant memory
      may be its own shadow.
    """

    def __init__(self, module: Module, round_number: int) -> None:
        self._module = module
        self._round_number = round_number
        self._lists: dict[MemoryKind, str] = {}
        self._others: dict[MemoryKind, str] = {}
        self._directions: list[str] = []  # their domain, and a scope for each
        self._of_directions: dict[tuple[int, int], dict[str, str]] = {}
        self._all = ScopeLists(module)
        self._tbaa = Tbaa(module)
        self._data_tags: dict[str, str] = {}

    def of(self, kind: MemoryKind, existing: Metadata = ()) -> Metadata:
        """Returns the metadata of an access to memory of a kind, with scopes added."""
        if not self._lists:
            self._make()
        rest = tuple(pair for pair in existing if pair[0] not in ("!alias.scope", "!noalias"))
        old = dict(existing)
        own = self._all.joined(old.get("!alias.scope"), self._lists[kind])
        others = self._all.joined(old.get("!noalias"), self._others[kind])
        return (*rest, ("!alias.scope", own), ("!noalias", others))

    def is_of_tape(self, access: Instruction) -> bool:
        """Returns whether an access that derivative code makes is one to the tape."""
        return bool(self._lists) and access.metadata_node("!alias.scope") == self._lists[MemoryKind.TAPE]

    def of_adjoint(self, existing: Metadata) -> Metadata:
        """Returns the metadata of an access to an adjoint in shadow memory, given that of the primal's access.

        flang gives each dummy argument and each variable a type of its own. Two of them may be the same memory if both
        are only read; the reverse sweep writes its shadow. So the shadow has the type of all data.
        """
        wider = tuple((kind, self._data_tag(node) if kind == "!tbaa" else node) for kind, node in existing)
        return self.of(MemoryKind.SHADOW, wider)

    def of_direction(self, direction: int, count: int, shadow: Metadata) -> Metadata:
        """Returns the metadata of an access to shadow memory that is made for one of `count` directions alone."""
        if (direction, count) not in self._of_directions:
            self._of_directions[direction, count] = self._make_direction(direction, count)
        added = self._of_directions[direction, count]
        return tuple((kind, self._all.joined(node, added[kind]) if kind in added else node) for kind, node in shadow)

    def _make_direction(self, direction: int, count: int) -> dict[str, str]:
        add = self._module.add_metadata
        if not self._directions:
            self._directions.append(add(f'!{{!"enzyme-cc directions, round {self._round_number}"}}'))
        domain = self._directions[0]
        while len(self._directions) <= count:
            self._directions.append(add(f'!{{!"enzyme-cc direction {len(self._directions)}", {domain}}}'))
        scopes = self._directions[1 : count + 1]
        own, others = scopes[direction], scopes[:direction] + scopes[direction + 1 :]
        return {"!alias.scope": self._all.of((own,)), "!noalias": self._all.of(tuple(others))}

    def _data_tag(self, reference: str) -> str:
        if reference not in self._data_tags:
            tag = self._tbaa.tag(reference)
            data = tag.access if tag is not None else None
            while data is not None and (node := self._tbaa.type(data)).name != FORTRAN_DATA:
                data = node.fields[0][1] if node.is_scalar and node.fields else None
            own = reference if data is None else self._module.add_metadata(f"!{{{data}, {data}, i64 0}}")
            self._data_tags[reference] = own
        return self._data_tags[reference]

    def _make(self) -> None:
        add = self._module.add_metadata
        domain = add(f'!{{!"enzyme-cc memory, round {self._round_number}"}}')
        scopes = {kind: add(f'!{{!"enzyme-cc {kind.value}", {domain}}}') for kind in MemoryKind}
        for kind in MemoryKind:
            self._lists[kind] = self._all.of((scopes[kind],))
            self._others[kind] = self._all.of(tuple(s for k, s in scopes.items() if k is not kind))
