"""Frees memory while the garbage collector is off, as it is in a link: objects that refer to each other stay."""

from __future__ import annotations

import gc

#: a collection takes about a second for so many objects
_MANY_OBJECTS = 1_000_000


def free_memory() -> None:
    """Frees objects that nothing refers to any more, if there may be many of them."""
    if not gc.isenabled() and gc.get_count()[0] > _MANY_OBJECTS:
        gc.collect()
