"""Objects that were made before: the same merged module needs neither LLVM nor derivatives again.

An object is found by the text of the merged module and by all that the work on it is given. That work also asks about
the rest of the link; the answers are part of the entry. So an object is found if other units of the link have changed.
"""

from __future__ import annotations

import marshal
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from enzyme_cc.cache.entries import Cache, CacheEntry, digest_of, remove_tree
from enzyme_cc.link.inputs.units import Linked
from enzyme_cc.link.merged_module.link_passes import MergedCode
from enzyme_cc.link.process.scratch import write_file
from enzyme_cc.report.said import remembered

_FILE = "object"
#: what is compiled against the program's own headers
_OF_MPI = "MPI_"


class MadeObject(NamedTuple):
    """An object, what was printed while it was made, and the contents of the file of remarks."""

    data: bytes
    said: str
    remarks: bytes


class Asked(Struct, frozen=True):
    """What is asked about the rest of the link while an object is made. Keeps the answers."""

    is_kept: Callable[[str, bool], bool]
    provenance: Callable[[str], str | None]
    _answers: dict[tuple[str, bool | None], object] = field(default_factory=dict)

    @classmethod
    def nothing(cls) -> Asked:
        """Returns the questions of work that asks none."""
        return cls(lambda name, is_hidden: False, lambda name: None)

    def kept(self, name: str, is_hidden: bool) -> bool:
        """See `Compiler.is_kept`."""
        answer = self.is_kept(name, is_hidden)
        self._answers[name, is_hidden] = answer
        return answer

    def defined_in(self, name: str) -> str | None:
        """See `Linked.provenance`."""
        answer = self.provenance(name)
        self._answers[name, None] = answer
        return answer

    @property
    def note(self) -> list[tuple[str, bool | None, object]]:
        """All questions with their answers, in order."""
        return sorted(((*asked, answer) for asked, answer in self._answers.items()), key=repr)

    def agrees(self, note: object) -> bool:
        """True if the answers are the same in this link."""
        assert isinstance(note, list)
        return all(self._answer(name, hidden) == answer for name, hidden, answer in note)

    def _answer(self, name: str, is_hidden: bool | None) -> object:
        return self.provenance(name) if is_hidden is None else self.is_kept(name, is_hidden)


class KeptObjects(Struct, frozen=True):
    """The cache as one link sees it. `words` are the versions and options. `remarks`: the file that takes them."""

    cache: Cache
    words: tuple[str, ...]
    remarks: str | None

    def made(
        self, code: MergedCode, given: Sequence[object], asked: Asked, make: Callable[[MergedCode], bytes]
    ) -> bytes:
        """Returns the object of a merged module, from the cache if it is there. `given`: what `make` knows beside it.

        Prints what `make` prints, and writes the file of remarks.
        """
        if _OF_MPI in code.text:
            return make(code)
        words = [*self.words, *_words(code), *map(repr, given)]
        found = self._found(words, asked)
        if found is not None:
            sys.stderr.write(found.said)
            if self.remarks:
                write_file(self.remarks, found.remarks)
            return found.data
        with remembered() as said:
            data = make(replace(code, is_kept=asked.kept))
        self._keep(words, MadeObject(data, said.text, self._contents), asked)
        return data

    def part(self, text: str, given: Sequence[object], make: Callable[[], bytes]) -> bytes:
        """Returns the object of a part of a module, from the cache if it is there. Nothing is printed."""
        words = [*self.words, "part", digest_of(text), *map(repr, given)]
        found = self._found(words, Asked.nothing())
        if found is not None:
            return found.data
        data = make()
        self._keep(words, MadeObject(data, "", b""), Asked.nothing())
        return data

    def _found(self, words: Sequence[str], asked: Asked) -> MadeObject | None:
        entry = self.cache.find(words, asked.agrees)
        if entry is None:
            return None
        try:
            return _read(entry)
        except (OSError, ValueError, EOFError, TypeError):
            self.cache.discard(entry)
            return None

    def _keep(self, words: Sequence[str], made: MadeObject, asked: Asked) -> None:
        """Adds an object. A cache that cannot be written is no error."""
        try:
            folder = self.cache.new_folder()
            write_file(os.path.join(folder, _FILE), marshal.dumps(tuple(made)))
            os.close(self.cache.add(words, (), folder, asked.note).lock)
            remove_tree(folder)
        except OSError:
            return

    @property
    def _contents(self) -> bytes:
        if not self.remarks:
            return b""
        with open(self.remarks, "rb") as file:
            return file.read()


def _read(entry: CacheEntry) -> MadeObject:
    with open(entry.file(_FILE), "rb") as file:
        made = MadeObject(*marshal.loads(file.read()))
    os.close(entry.lock)
    return made


def _words(code: MergedCode) -> Iterator[str]:
    """Yields all that passes take from a merged module after it was opened."""
    yield from ("object", digest_of(code.text), _ordered(code.linkages), _ordered(code.markers))
    calls, loans = code.calls, code.loans
    yield from (_ordered(calls.linkages) if calls else "", _ordered(loans.types))
    yield from (repr(sorted(names)) for names in (loans.symbols, loans.written, loans.again, loans.visible))
    yield from (repr(code.is_pic), repr(code.follows), repr(code.regions), _undefined(code.linked))
    for carrier in code.carriers:
        exported = repr(sorted(carrier.exported))
        yield from (carrier.path, carrier.identity, _ordered(carrier.names), _ordered(carrier.hidden), exported)


def _ordered(names: Mapping[str, str]) -> str:
    return repr(sorted(names.items()))


def _undefined(linked: Linked) -> str:
    """Returns a hash of the names that units need, some of which are wrapped."""
    names = {s.name for unit in linked.units for s in unit.symbols if not s.is_defined}
    return digest_of("\0".join([*sorted(names), "", *linked.wraps]))
