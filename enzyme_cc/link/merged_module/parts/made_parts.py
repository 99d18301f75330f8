"""The object of the merged module: of a large one, in parts that are compiled at once and kept in the cache."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from enzyme_cc.link.inputs.module_text import ModuleText
from enzyme_cc.link.merged_module.kept_objects import KeptObjects
from enzyme_cc.link.merged_module.parts.sizes import Sizes


class PartCompiler(Struct, frozen=True):
    """What makes one object of parts. The object does not depend on how many are made at once.

    `jobs`: how many are made at once. 0: as many as there are cores. None: there are no parts.
    `join` makes one object of several. `kept` has the parts of earlier links. `tell` is told how many parts there are,
    and how many of them were kept.
    """

    join: Callable[[Sequence[bytes]], bytes]
    jobs: int | None = None
    kept: KeptObjects | None = None
    tell: Callable[[int, int], None] = lambda parts, kept: None
    sizes: Sizes = Sizes()

    def made(self, text: str, given: Sequence[object], make: Callable[[str, int | None], bytes]) -> bytes:
        """Returns the object of a module's text. `make` is given a text and its number, None for the whole module.

        `given`: what `make` knows beside it.
        """
        if self.jobs is None or text.count("\n") < self.sizes.whole:
            return make(text, None)
        from enzyme_cc.link.merged_module.parts.part_texts import part_texts
        from enzyme_cc.link.merged_module.parts.partition import partition
        from enzyme_cc.link.process.jobs import Jobs

        module = ModuleText(text)
        found = partition(module, self.sizes)
        if found is None:
            return make(text, None)
        made: set[int] = set()

        def part(numbered: tuple[int, str]) -> bytes:
            number, text = numbered

            def new() -> bytes:
                made.add(number)
                return make(text, number)

            return new() if self.kept is None else self.kept.part(text, given, new)

        objects = Jobs.of(self.jobs).map(part, enumerate(part_texts(module, found)))
        self.tell(len(objects), len(objects) - len(made))
        return self.join(objects)
