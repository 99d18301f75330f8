"""Inlines what the functions of parallel regions call, as far as a budget allows.

How threads add to shadows is found out for accesses in a region's own function (analysis/storage/team_places.py): in
functions that it calls, additions are atomic. LLVM inlines a large function only where it is called once. But a region
is there twice, as the program's own calls keep theirs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...ir.graphs import reachable, strongly_connected
from ...rules.parallel.openmp import FORK, NATIVE
from .force_inlining import calls_of, marked, within_budget

#: the module may grow by so many lines
_LINES = 20_000
_FORK = f"@{FORK}("
_REGION = re.compile(
    rf"@{FORK}\(ptr [^\n]*?, i32 \d+, ptr (?:nonnull |noundef )*(?P<region>@(?:[-\w.$]+|\"[^\"\n]*\"))"
)
#: other functions than internal ones may be replaced: by registered derivatives, say
_INTERNAL = re.compile(r'^define internal [^@\n]*(@(?:[-\w.$]+|"[^"\n]*"))\([^\n]*#(\d+)', re.MULTILINE)
_KEPT = re.compile(r"^attributes #(\d+) = \{ [^\n]*\b(?:noinline|optnone)\b", re.MULTILINE)


def with_whole_regions(text: str) -> str:
    """Returns the text in which functions that regions on teams call are marked to be inlined. LLVM's O2 does it."""
    if _FORK not in text:
        return text
    names = frozenset(_called_by_regions(text))
    return marked(text, within_budget(text, names, _LINES)) if names else text


def _called_by_regions(text: str) -> Iterator[str]:
    calls = calls_of(text)
    regions = [r for r in _REGION.findall(text) if r in calls and not r.startswith((f"@{NATIVE}", f'@"{NATIVE}'))]
    kept = set(_KEPT.findall(text))
    can_be = {name for name, group in _INTERNAL.findall(text) if group not in kept}
    found = reachable(dict.fromkeys(regions), lambda name: [other for other in calls[name] if other in can_be])
    done: dict[str, bool] = {}
    for name in found:
        for members in strongly_connected(name, lambda n: [o for o in calls[n] if o in calls], done):
            done.update(dict.fromkeys(members, len(members) > 1 or members[0] in calls[members[0]]))
        if name in can_be and not done[name] and name not in regions:
            yield name
