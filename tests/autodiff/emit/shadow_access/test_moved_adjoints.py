"""The two sides of a copy whose adjoints are moved back: the runtime lends what it has recorded."""

from __future__ import annotations

from .emitted import lines, runtime_calls

COPIED = """%own = alloca double
  store double %x, ptr %own!D
  call void @llvm.memcpy.p0.p0.i64(ptr {to}, ptr {source}, i64 8, i1 false)
  %y = load double, ptr {to}!D"""


def calls(to: str, source: str = "%own", *, asks: bool = True) -> list[str]:
    body = COPIED.format(to=to, source=source)
    body = "%other = alloca double\n  " + body if "%other" in body else body
    return [name for name in runtime_calls(lines(body, asks=asks)) if name in ("foreign_lend", "foreign_restore")]


def test_adjoints_of_recorded_memory_are_lent_and_given_back() -> None:
    assert calls("%h") == ["foreign_lend", "foreign_restore"]


def test_memory_with_a_shadow_needs_no_loan() -> None:
    assert calls("%other") == []
    assert calls("%h", asks=False) == []
