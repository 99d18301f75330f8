"""Reports of precision name source lines; each line has one record."""

from __future__ import annotations

from enzyme_cc.autodiff.variants.source_lines import SourceLines, line_of, text_of
from enzyme_cc.ir.module import Module

MODULE = """
define double @f(double %x) {
  %a = fadd double %x, %x, !dbg !3
  %b = fmul double %a, %x, !dbg !4
  %c = fmul double %b, %x
  ret double %c
}
!0 = !DIFile(filename: "step.c", directory: "/")
!2 = distinct !DISubprogram(name: "f", file: !0, line: 1)
!3 = !DILocation(line: 7, column: 1, scope: !2)
!4 = !DILocation(line: 7, column: 9, scope: !2)
"""


def test_columns_of_one_line_are_one_place() -> None:
    module = Module.parse(MODULE)
    first, second, other, _ = module.body("@f").instructions()
    assert line_of(module, first) == line_of(module, second) == "step.c:7"
    assert line_of(module, other) is None


def test_each_line_has_one_record_and_code_without_lines_that_of_its_function() -> None:
    module = Module.parse(MODULE)
    first, second, other, _ = module.body("@f").instructions()
    lines = SourceLines(module)
    assert lines.record(first, "f") is lines.record(second, "f")
    assert lines.record(first, "f") is not lines.record(other, "f")


def test_a_text_has_no_character_that_would_end_it() -> None:
    module = Module.parse(MODULE)
    name = text_of(module, 'a"b\\é').name
    assert module.globals[name].text.endswith('[6 x i8] c"a?b??\\00"')
