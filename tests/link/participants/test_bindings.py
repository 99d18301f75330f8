"""The slots of binding tables from which calls of type-bound procedures are loaded."""

from __future__ import annotations

import pytest

from enzyme_cc.ir.vtables import binding_slots, is_binding_table
from enzyme_cc.link.participants.pointers.bindings import Bindings
from enzyme_cc.link.participants.pointers.pointer_targets import PointedShape, Want, wants

_FUNPTR = "%_QM__fortran_builtinsT__builtin_c_funptr"
_BINDING = "%_QM__fortran_type_infoTbinding"
TABLE = (
    f"@_QMmEXvXd1 = linkonce_odr constant [3 x {_BINDING}] ["
    f"{_BINDING} {{ {_FUNPTR} {{ i64 ptrtoint (ptr @_QMmPf1 to i64) }}, {{ ptr }} {{ ptr @name }} }}, "
    f"{_BINDING} {{ {_FUNPTR} zeroinitializer, {{ ptr }} {{ ptr @name }} }}, "
    f"{_BINDING} {{ {_FUNPTR} {{ i64 ptrtoint (ptr @_QMmPg1 to i64) }}, {{ ptr }} {{ ptr @name }} }}]"
)
OPTIMISED = """
define void @run(ptr %object) {
  %place = getelementptr i8, ptr %object, i64 24
  %description = load ptr, ptr %place, align 8
  %table = load ptr, ptr %description, align 1
  %binding = getelementptr i8, ptr %table, i64 64
  %address = load i64, ptr %binding, align 8
  %f = inttoptr i64 %address to ptr
  call void %f(ptr %object)
  ret void
}
"""
UNOPTIMISED = f"""
define void @run(ptr %object, ptr %table) {{
  %binding = getelementptr {_BINDING}, ptr %table, i64 2
  %procedure = getelementptr {_BINDING}, ptr %binding, i32 0, i32 0
  %place = getelementptr {_FUNPTR}, ptr %procedure, i32 0, i32 0
  %address = load i64, ptr %place, align 8
  %f = inttoptr i64 %address to ptr
  call void %f(ptr %object)
  ret void
}}
"""


def test_tables() -> None:
    assert is_binding_table("_QMmEXvXd1")
    assert not is_binding_table("_QMmEXdtXd1")
    assert list(binding_slots(TABLE)) == [("@_QMmPf1", 0), ("@_QMmPg1", 2)]


@pytest.mark.parametrize("text", [OPTIMISED, UNOPTIMISED])
def test_slot(text: str) -> None:
    assert list(wants(text)) == [Want(PointedShape("void", ("ptr",)), slot=2, is_binding=True)]


def test_other_addresses() -> None:
    """A function whose address is an integer elsewhere: `type(c_funptr)` in a struct."""
    for other in (
        OPTIMISED.replace("load ptr, ptr %description", "getelementptr i8, ptr %description, i64 8 ;"),
        OPTIMISED.replace("i64 64", "i64 40"),
    ):
        assert Bindings(other).is_from_integer("%f")
        assert Bindings(other).slot("%f") is None
    assert not Bindings(OPTIMISED).is_from_integer("%table")
