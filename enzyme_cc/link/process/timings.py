"""Measures the stages of a link for `--enzyme-timings` and `--enzyme-verbose`: wall time, processor time, memory."""

from __future__ import annotations

import resource
import time
from collections.abc import Iterator
from contextlib import contextmanager

from msgspec import Struct, field
from msgspec.structs import asdict

from enzyme_cc.link.process.limits import processor_seconds

_WHOSE = resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN  # also linkers and compilers that this process starts


class StageTime(Struct, frozen=True):
    """One stage. `megabytes` is the most that one process of the link has held until the stage's end."""

    name: str
    seconds: float
    processor_seconds: float
    megabytes: float

    def __str__(self) -> str:
        wall, processor = self.seconds * 1000, self.processor_seconds * 1000
        return f"{self.name}: {wall:.0f} ms ({processor:.0f} ms of processor time)"


class Timings(Struct):
    """The stages so far, the derivatives that were made, and the parts of the object, with those that were kept."""

    stages: list[StageTime] = field(default_factory=list)
    functions: int = 0
    parts: int = 1
    kept_parts: int = 0

    def count_parts(self, parts: int, kept: int) -> None:
        """Notes that the object is made of parts, some of which earlier links made."""
        self.parts, self.kept_parts = parts, kept

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Measures the `with` block as a stage, also if it fails."""
        start, used = time.perf_counter(), processor_seconds(*_WHOSE)
        try:
            yield
        finally:
            wall, processor = time.perf_counter() - start, processor_seconds(*_WHOSE) - used
            self.stages.append(StageTime(name, round(wall, 4), round(processor, 4), _megabytes()))

    def table(self) -> str:
        """Returns the stages as text, with their sum."""
        whole = sum(s.seconds for s in self.stages), sum(s.processor_seconds for s in self.stages)
        lines = [f"{'stage':<16}{'seconds':>9}{'processor':>11}{'MB':>7}"]
        lines += [f"{s.name:<16}{s.seconds:9.3f}{s.processor_seconds:11.3f}{s.megabytes:7.0f}" for s in self.stages]
        lines.append(f"{'all':<16}{whole[0]:9.3f}{whole[1]:11.3f}{_megabytes():7.0f}")
        parts = f"parts: {self.parts}, of which {self.kept_parts} were in the cache"
        return "\n".join([*lines, f"derivatives: {self.functions}", *([parts] if self.parts > 1 else [])])

    def json(self, is_cached: bool = False) -> str:
        """Returns the same as one line of JSON. `is_cached`: the link was in the cache."""
        import json

        numbers = {"functions": self.functions, "parts": self.parts, "kept_parts": self.kept_parts}
        return json.dumps({"cached": is_cached, **numbers, "stages": [*map(asdict, self.stages)]})


def _megabytes() -> float:
    return round(max(resource.getrusage(who).ru_maxrss for who in _WHOSE) / 1024, 1)
