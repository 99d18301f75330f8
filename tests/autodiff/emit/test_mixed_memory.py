"""Copies of memory whose words hold numbers at one time and pointers at another."""

from enzyme_cc.autodiff.emit.shadow_access.mixed_memory import mixing_of
from enzyme_cc.ir.folding import int_constant
from tests.autodiff.sweeps import analysed

TEXT = """
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define double @f(double %x, i1 %c) {
  %own = alloca double
  %word = alloca [8 x i8], align 8
  %numbers = alloca [8 x i8], align 8
  store double %x, ptr %own
  store double %x, ptr %numbers
  br i1 %c, label %number, label %pointer
number:
  store double %x, ptr %word
  br label %end
pointer:
  store ptr %own, ptr %word
  br label %end
end:
  call void @copies(ptr %word)
  %v = load double, ptr %numbers
  %w = call double @plain(double %v)
  ret double %w
}

define double @plain(double %x) {
  ret double %x
}

define void @copies(ptr %word) {
  %copy = alloca [8 x i8], align 8
  call void @llvm.memcpy.p0.p0.i64(ptr %copy, ptr %word, i64 8, i1 false)
  ret void
}

"""
ANALYSES = analysed(TEXT, "out const")


def test_a_word_that_holds_both_is_mixed() -> None:
    by_name = {i.name: i for i in ANALYSES.function.instructions() if i.opcode == "alloca"}
    found = {name: mixing_of(ANALYSES, [alloca], int_constant(8)) is not None for name, alloca in by_name.items()}
    assert found == {"own": False, "word": True, "numbers": False}


def test_functions_that_copy_such_memory_are_found_and_so_are_their_callers() -> None:
    names = ["@copies", "@f", "@plain"]
    assert [name for name in names if name in ANALYSES.round.mixed_functions] == ["@copies", "@f"]
