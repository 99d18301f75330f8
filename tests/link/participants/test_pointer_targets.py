"""Which functions a call through a pointer may reach: those of its type whose address is taken in some unit."""

from __future__ import annotations

from enzyme_cc.ir import llvm_passes
from enzyme_cc.link.inputs.module_text import ModuleText
from enzyme_cc.link.inputs.units import Linked, Unit
from enzyme_cc.link.participants.pointers.pointer_targets import (
    PointedShape,
    PointerTargets,
    Want,
    first_type,
    shape_of_definition,
    type_of_definition,
    wants,
)
from enzyme_cc.link.participants.pointers.static_types import StaticTypes

UNARY = PointedShape("double", ("double",))

THROUGH_ARGUMENT = """
define double @apply(ptr %f, double %x) {
  %r = call double %f(double %x)
  ret double %r
}
"""
SQUARE = """
define double @square(double %x) {
  %r = fmul double %x, %x
  ret double %r
}
"""
VIRTUAL = """
define double @area(ptr %shape) {
  %table = load ptr, ptr %shape, align 8
  %place = getelementptr inbounds ptr, ptr %table, i64 2
  %f = load ptr, ptr %place, align 8
  %r = call noundef double %f(ptr noundef %shape)
  ret double %r
}
"""


def found(want: Want, *texts: str) -> list[tuple[int, str]]:
    """Returns what the modules of a link answer: the number of the unit that takes the address, and the function."""
    modules = {unit(text): text for text in texts}
    targets = PointerTargets(Linked(tuple(modules), (), ()), lambda of: ModuleText(modules[of]), {"tanh"}.__contains__)
    return sorted((list(modules).index(taker), name) for taker, name in targets.of(want))


def unit(text: str) -> Unit:
    module = llvm_passes.parse(text)
    return Unit("unit.o", None, "unit.o", memoryview(llvm_passes.emit_object(module)), module.as_bitcode())


def test_a_call_through_a_pointer_wants_a_function_of_its_type() -> None:
    assert list(wants(THROUGH_ARGUMENT)) == [Want(UNARY)]


def test_a_call_by_name_wants_nothing() -> None:
    assert not list(wants(THROUGH_ARGUMENT.replace("call double %f", "call double @f")))


def test_a_virtual_call_wants_the_slot_of_its_vtable() -> None:
    assert list(wants(VIRTUAL)) == [Want(PointedShape("double", ("ptr",)), slot=2)]


def test_a_call_that_does_not_pass_the_object_is_not_virtual() -> None:
    other = VIRTUAL.replace("%f(ptr noundef %shape)", "%f(ptr noundef %place)")
    assert list(wants(other)) == [Want(PointedShape("double", ("ptr",)))]


def test_attributes_and_names_of_structs_do_not_tell_shapes_apart() -> None:
    definition = "define internal noundef %s.1 @f(ptr noalias sret({ i64, i64 }) %a, <2 x double> %b) #0 {"
    assert shape_of_definition(definition) == PointedShape("%", ("ptr", "<2 x double>"))


def test_a_function_with_variable_arguments_has_no_shape() -> None:
    assert shape_of_definition("define double @sum(i32 %count, ...) {") is None


def test_a_function_whose_address_nobody_takes_is_no_target() -> None:
    calls = "declare double @square(double)\ndefine double @f(double %x) {\n  %r = call double @square(double %x)\n"
    assert found(Want(UNARY), SQUARE, calls + "  ret double %r\n}\n") == []


def test_an_address_in_a_table_of_another_unit_counts() -> None:
    table = "declare double @square(double)\n@table = global [1 x ptr] [ptr @square]\n"
    assert found(Want(UNARY), SQUARE, table) == [(1, "square")]


def test_an_address_that_a_function_passes_on_counts() -> None:
    passes_on = """
declare double @square(double)
declare void @keep(ptr)
define void @start() {
  call void @keep(ptr @square)
  ret void
}
"""
    assert found(Want(UNARY), SQUARE, passes_on) == [(1, "square")]


def test_a_library_function_with_a_rule_is_a_target() -> None:
    table = "declare double @{0}(double)\n@table = global [1 x ptr] [ptr @{0}]\n"
    assert found(Want(UNARY), SQUARE, table.format("tanh")) == [(1, "tanh")]
    assert found(Want(UNARY), SQUARE, table.format("unknown")) == []


def test_an_alias_takes_no_address_but_its_address_is_that_of_the_function() -> None:
    alias = SQUARE + "@also = alias double (double), ptr @square\n"
    assert found(Want(UNARY), alias) == []
    assert found(Want(UNARY), alias + "@table = global ptr @also\n") == [(0, "square")]
    table = "declare double @also(double)\n@table = global [1 x ptr] [ptr @also]\n"
    assert found(Want(UNARY), alias, table) == [(0, "square")]


def test_the_function_that_a_request_names_is_not_taken_by_it() -> None:
    request = """
declare double @square(double)
declare double @__enzyme_autodiff(ptr, double)
define double @gradient(double %x) {
  %r = call double @__enzyme_autodiff(ptr @square, double %x)
  ret double %r
}
"""
    assert found(Want(UNARY), SQUARE, request) == []


def test_a_comparator_that_is_only_lent_to_the_c_library_is_no_target() -> None:
    sorts = """
declare void @qsort(ptr, i64, i64, ptr)
define internal i32 @compare(ptr %a, ptr %b) {
  ret i32 0
}
define void @sort(ptr %p) {
  call void @qsort(ptr noundef %p, i64 noundef 8, i64 noundef 8, ptr noundef nonnull @compare)
  ret void
}
"""
    shape = PointedShape("i32", ("ptr", "ptr"))
    kept = "define void @keep(ptr %p) {\n  store ptr @compare, ptr %p\n  ret void\n}\n"
    own = "define void @qsort(ptr %p, i64 %n, i64 %size, ptr %compare) {\n  ret void\n}\n"
    assert found(Want(shape), sorts) == []
    assert found(Want(shape), sorts + kept) == [(0, "compare")]
    assert found(Want(shape), sorts, own) == [(0, "compare")]


def test_functions_of_another_type_are_no_targets() -> None:
    assert found(Want(PointedShape("float", ("float",))), SQUARE + "@table = global ptr @square\n") == []


def test_local_functions_of_one_name_are_told_apart_by_their_unit() -> None:
    local = SQUARE.replace("define", "define internal")
    tables = ("@a = global ptr @square\n", "@b = global ptr @square\n")
    assert found(Want(UNARY), *(local + table for table in tables)) == [(0, "square"), (1, "square")]


def test_a_virtual_call_reaches_only_the_functions_in_its_slot() -> None:
    method = "define double @{}(ptr %this) {{\n  ret double 1.0\n}}\n"
    vtable = "@_ZTV5shape = constant { [4 x ptr] } { [4 x ptr] [ptr null, ptr null, ptr @area, ptr @length] }\n"
    text = vtable + method.format("area") + method.format("length")
    shape = PointedShape("double", ("ptr",))
    assert found(Want(shape, slot=1), text) == [(0, "length")]
    assert found(Want(shape), text) == [(0, "area"), (0, "length")]


def test_a_call_of_a_binding_reaches_only_the_procedures_in_its_slot() -> None:
    binding = "%_QM__fortran_builtinsT__builtin_c_funptr"
    types = f"{binding} = type {{ i64 }}\n"
    entry = f"{binding} {{{{ i64 ptrtoint (ptr @{{}} to i64) }}}}"
    table = "@_QMmEXv{} = constant [2 x " + binding + "] [{}, {}]\n"
    bodies = "".join(
        f"define void @{name}(ptr %this) {{\n  ret void\n}}\n" for name in ("f1", "g1", "f2", "g2", "kept")
    )
    text = types + table.format("Xa", entry.format("f1"), entry.format("g1")) + bodies
    text += table.format("Xb", entry.format("f2"), entry.format("g2")) + "@pointer = global ptr @kept\n"
    shape = PointedShape("void", ("ptr",))
    assert found(Want(shape, slot=1, is_binding=True), text) == [(0, "g1"), (0, "g2"), (0, "kept")]
    assert [name for _, name in found(Want(shape, is_binding=True), text)] == ["f1", "f2", "g1", "g2", "kept"]
    assert len(found(Want(shape, may_be_method=False), text)) == 5


def test_a_virtual_call_reaches_only_classes_derived_from_its_static_type() -> None:
    names = ("shape", "square", "stream")
    text = "".join(f"define double @{n}(ptr %this) {{\n  ret double 1.0\n}}\n@_ZTI{n} = constant ptr {b}\n"
                   f"@_ZTV{n} = constant {{ [3 x ptr] }} {{ [3 x ptr] [ptr null, ptr @_ZTI{n}, ptr @{n}] }}\n"
                   for n, b in zip(names, ("null", "@_ZTIshape", "null"), strict=True))  # fmt: skip
    shape = PointedShape("double", ("ptr",))
    assert found(Want(shape, 0, "shape"), text) == [(0, "shape"), (0, "square")]
    assert found(Want(shape, 0, "square"), text) == [(0, "square")]
    elsewhere = text + "@other = global ptr @stream\n"
    assert found(Want(shape, 0, "square"), elsewhere) == [(0, "square"), (0, "stream")]
    assert found(Want(shape, 0, "square", is_virtual=True), elsewhere) == [(0, "square")]


def test_only_pointers_to_members_lead_to_functions_of_vtables_in_another_way() -> None:
    method = "define double @area(ptr %this) {\n  ret double 1.0\n}\n"
    vtable = "@_ZTV5shape = constant { [3 x ptr] } { [3 x ptr] [ptr null, ptr null, ptr @area] }\n"
    shape = PointedShape("double", ("ptr",))
    assert found(Want(shape, may_be_method=False), method + vtable) == []
    assert found(Want(shape), method + vtable) == [(0, "area")]
    assert found(Want(shape, may_be_method=False), method + vtable + "@f = global ptr @area\n") == [(0, "area")]


def test_a_chosen_pointer_may_be_one_to_a_member() -> None:
    text = "define void @f(ptr %o, ptr %p) {{\n  %f = {}\n  call void %f(ptr %o)\n  ret void\n}}\n"
    chosen, loaded = text.format("phi ptr [ %a, %1 ], [ %b, %2 ]"), text.format("load ptr, ptr %p, align 8")
    shape = PointedShape("void", ("ptr",))
    assert list(wants(chosen, StaticTypes(ModuleText(chosen)))) == [Want(shape)]
    assert list(wants(loaded, StaticTypes(ModuleText(loaded)))) == [Want(shape, may_be_method=False)]
    assert list(wants(loaded)) == [Want(shape)]


def test_names_of_types_may_have_spaces() -> None:
    name = '%"struct.(anonymous namespace)::Pair"'
    assert first_type(f"{name} zeroinitializer, align 8") == name
    assert type_of_definition(f"define internal {name} @f(i32 %0, {name} %1) {{") == f"{name} (i32, {name})"
