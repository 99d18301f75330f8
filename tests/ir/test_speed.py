"""50,000 instructions of every kind parse in under 3 s of one core (0.5 s is usual)."""

from __future__ import annotations

import time

from tests.ir.llvm_check import parsed
from tests.ir.test_instructions import PARAMETERS, PRELUDE, VALID

INSTRUCTIONS = 50_000


def test_speed_of_parsing() -> None:
    lines = [line.replace("%r = ", f"%r{i} = ") for i, line in enumerate(VALID.strip().splitlines())]
    body = "".join(f"  {line}\n" for line in lines)
    count = INSTRUCTIONS // (len(lines) + 1) + 1
    functions = [f"define void @f{i}({PARAMETERS}) {{\n{body}  ret void\n}}\n" for i in range(count)]
    text = PRELUDE + "\n".join(functions)
    start = time.process_time()
    module = parsed(text)
    seconds = time.process_time() - start
    instructions = sum(1 for name in module.functions for _ in module.functions[name].instructions())
    print(f"{instructions} instructions parsed in {seconds:.2f} s")
    assert instructions >= INSTRUCTIONS
    assert seconds < 3
