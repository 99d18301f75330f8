"""Long blocks of a module's text, divided for code generation: parts of it are quadratic in the length of a block.

The scheduler, passes over registers, and splits of live ranges look at whole blocks. A constant that a block uses ten
thousand times is one register with ten thousand uses. A part of a block ends with `callbr` of an empty assembler text:
the code generator does not join the parts again, and emits nothing for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

#: lines of a block that is divided, and of each part
LONG, PART = 2_000, 1_000

_LABEL = re.compile(r'([\w.$-]+|"[^"]*"):', re.ASCII)
_INCOMING = re.compile(r'(?<=, %)([\w.$-]+|"[^"]*")(?= \])', re.ASCII)
_PHI = re.compile(r"  %\S+ = phi ")
# Instructions that keep their place: at the begin of a block, at its end, and directly before it. Their further lines
# are indented more, and so are debug records.
_FIXED = re.compile(
    r"  (?:%\S+ = )?(?:phi|alloca|landingpad|catchpad|cleanuppad|catchswitch|musttail"
    r"|br|switch|ret|unreachable|resume|invoke|indirectbr|callbr|catchret|cleanupret)\b"
)
_INSTRUCTION = re.compile(r"  [%a-z]")
_SINE_OR_COSINE = re.compile(
    r"  (?P<result>%\S+) = (?P<call>[^@]*call (?:[^@]* )?(?P<type>\w+) @(?:llvm\.)?(?P<name>sin|cos)(?:[fl]?|\.f\d+)"
    r"\(\w+ (?:noundef )?(?P<operand>%[^ ,)]+)\).*)"
)


def divide_long_blocks(text: str) -> str:
    """Returns the module's text, where blocks of 2,000 lines and more are chains of blocks of 1,000 lines."""
    head, *functions = re.split(r"^(?=define )", text, flags=re.MULTILINE)
    return head + "".join(_divided(function) if function.count("\n") >= LONG else function for function in functions)


def _divided(function: str) -> str:
    body, end, after = function.partition("\n}\n")
    header, *lines = body.split("\n")
    blocks = list(_blocks(lines))
    labels = {label for label, _ in blocks}
    ends: dict[str, str] = {}  # the last part of a divided block
    made = [header]
    for label, block in blocks:
        parts = list(_parts(block, f"__ez_part.{len(ends)}.")) if len(block) >= LONG else [block]
        if len(parts) > 1:
            ends[label] = parts[-1][0].removesuffix(":")
        made += [line for part in parts for line in part]

    def last_part(match: re.Match[str]) -> str:
        # an entry without a label has a number, which no label tells
        return ends.get(match[1] if match[1] in labels else "", match[1])

    return "\n".join(_INCOMING.sub(last_part, line) if _PHI.match(line) else line for line in made) + end + after


def _blocks(lines: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Yields label and lines of each block. An entry without a label has the empty one."""
    label, block = "", list[str]()
    for line in lines:
        if found := _LABEL.match(line):
            if block:
                yield label, block
            label, block = found[1], []
        block.append(line)
    yield label, block


def _parts(block: list[str], name: str) -> Iterator[list[str]]:
    block = _sines_beside_cosines(block, f"{name}both.")
    part, count = list[str](), 0
    for k, line in enumerate(block):
        if len(part) >= PART and _may_begin(line, block[k + 1 : k + 2]):
            count += 1
            yield [*part, f'  callbr void asm sideeffect "", ""() to label %{name}{count} []']
            part = [f"{name}{count}:"]
        part.append(line)
    yield part


def _sines_beside_cosines(block: list[str], prefix: str) -> list[str]:
    """Returns the block, where the cosine of a number is computed directly after its sine, or the other way round.

    The code generator makes one call of both, but in one block only.
    """
    functions: dict[tuple[str, str], dict[str, int]] = {}
    for k, line in enumerate(block):
        if found := _SINE_OR_COSINE.match(line):
            functions.setdefault((found["type"], found["operand"]), {}).setdefault(found["name"], k)
    moved = list(block)
    for (type_, _), places in functions.items():
        if len(places) == 2:
            first, second = sorted(places.values())
            found = _SINE_OR_COSINE.match(block[second])
            assert found is not None
            name = f"%{prefix}{second}"
            moved[first] += f"\n  {name} = {found['call']}"
            moved[second] = f"  {found['result']} = bitcast {type_} {name} to {type_}"
    return moved


def _may_begin(line: str, following: list[str]) -> bool:
    return bool(_INSTRUCTION.match(line)) and not any(_FIXED.match(one) for one in (line, *following))
