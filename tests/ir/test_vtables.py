"""Slots of vtables: counted from the entry behind the type's description, whatever stands before it."""

from __future__ import annotations

from enzyme_cc.ir.vtables import vtable_slots

PLAIN = "@_ZTV1A = constant { [4 x ptr] } { [4 x ptr] [ptr null, ptr @_ZTI1A, ptr @f, ptr @g] }"
VIRTUAL_BASE = (
    "@_ZTV1B = constant { [5 x ptr], [4 x ptr] } { [5 x ptr] [ptr inttoptr (i64 16 to ptr), ptr null, ptr @_ZTI1B, "
    "ptr @f, ptr null], [4 x ptr] [ptr inttoptr (i64 -16 to ptr), ptr @_ZTI1B, ptr @h, ptr @f] }"
)
WITHOUT_RTTI = "@_ZTV1C = constant { [4 x ptr] } { [4 x ptr] [ptr null, ptr null, ptr @f, ptr @g] }"


def test_the_first_function_follows_the_description() -> None:
    assert list(vtable_slots(PLAIN)) == [("@f", 0), ("@g", 1)]


def test_distances_to_virtual_bases_stand_before_the_description() -> None:
    assert list(vtable_slots(VIRTUAL_BASE)) == [("@f", 0), ("@h", 0), ("@f", 1)]


def test_without_descriptions_the_first_symbol_is_a_function() -> None:
    assert list(vtable_slots(WITHOUT_RTTI)) == [("@f", 0), ("@g", 1)]
