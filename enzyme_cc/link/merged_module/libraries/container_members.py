"""Declares members of containers in units without TBAA (-O0), where the types of address computations tell them.

Derivatives ask there whether the shadow of a container fits (autodiff/emit/shadow_access/fitting.py).
"""

from __future__ import annotations

import re

from enzyme_cc.ir.text.metadata_numbers import first_free
from enzyme_cc.rules.containers import BEGIN, BLOCK_NAME, BLOCK_TYPE, END, END_OF_BLOCK

_MEMBER = re.compile(
    rf"^( *(%[\w.$-]+) = getelementptr (?:inbounds )?(?:nuw )?{BLOCK_TYPE}, ptr %[\w.$-]+, i32 0, i32 ([012])\b.*\n"
    r" *%[\w.$-]+ = load ptr, ptr \2, align 8)",
    re.MULTILINE,
)
_NODES = """
!{0} = !{{!{1}, !{2}, i64 {begin}}}
!{3} = !{{!{1}, !{2}, i64 {end}}}
!{4} = !{{!{1}, !{2}, i64 {last}}}
!{1} = !{{!"{name}", !{2}, i64 {begin}, !{2}, i64 {end}, !{2}, i64 {last}}}
!{2} = !{{!"any pointer", !{5}, i64 0}}
!{5} = !{{!"omnipotent char", !{6}, i64 0}}
!{6} = !{{!"Simple C++ TBAA"}}
"""


def with_container_members(text: str) -> str:
    """Returns a unit's text with TBAA at loads of the pointers of a `std::vector`, if it has no TBAA."""
    if "!tbaa" in text or not _MEMBER.search(text):
        return text
    free = first_free(text)
    tags = dict(zip("012", (free, free + 3, free + 4), strict=True))
    declared = _MEMBER.sub(lambda found: f"{found[1]}, !tbaa !{tags[found[3]]}", text)
    numbers = range(free, free + 7)
    return declared + _NODES.format(*numbers, name=BLOCK_NAME, begin=BEGIN, end=END, last=END_OF_BLOCK)
