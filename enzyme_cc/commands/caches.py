"""`enzyme cache`: what the caches hold."""

from __future__ import annotations

from collections.abc import Iterator

from enzyme_cc.cache.entries import Cache, current, limit_in_bytes

_KINDS = ("links", "functions")


def statistics() -> str:
    """Returns a line for each cache."""
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    for kind, cache in _caches():
        count, size = cache.contents()
        limit = limit_in_bytes() / 1e6
        yield f"{kind}: {count} entries, {size / 1e6:.1f} of at most {limit:.0f} MB, in {cache.folder}"


def cleared() -> str:
    """Removes all entries that no process uses. Returns a line that tells how many."""
    removed = {kind: cache.clear() for kind, cache in _caches()}
    return "removed: " + ", ".join(f"{count} of {kind}" for kind, count in removed.items())


def _caches() -> Iterator[tuple[str, Cache]]:
    return ((kind, current(kind)) for kind in _KINDS)
