"""Lines of derivatives are those of the primal, in functions of their own for debuggers."""

from __future__ import annotations

from enzyme_cc.autodiff.core.derivative_lines import DerivativeLines
from enzyme_cc.ir.builder import Builder
from enzyme_cc.ir.module import Module
from enzyme_cc.ir.types import VOID, FunctionType
from enzyme_cc.ir.values import Function

TEXT = """\
define void @f() !dbg !3 {
  call void @g(), !dbg !5
  call void @h(), !dbg !7
  call void @h(), !dbg !9
  ret void
}

declare void @g()

declare void @h()

!0 = !DIFile(filename: "f.c", directory: "/")
!1 = distinct !DICompileUnit(language: DW_LANG_C11, file: !0)
!2 = distinct !DISubprogram(name: "inlined", scope: !0, file: !0, line: 1, unit: !1)
!3 = distinct !DISubprogram(name: "f", scope: !0, file: !0, line: 4, unit: !1, keyInstructions: true)
!4 = distinct !DILexicalBlock(scope: !3, file: !0, line: 5)
!5 = !DILocation(line: 6, column: 3, scope: !4, atomGroup: 1, atomRank: 1)
!6 = distinct !DILocation(line: 7, scope: !3)
!7 = !DILocation(line: 2, scope: !2, inlinedAt: !6)
!8 = distinct !DISubprogram(name: "other", scope: !0, file: !0, line: 9, unit: !1)
!9 = !DILocation(line: 10, scope: !8)
"""


def places(parts: tuple[str, ...], text: str = TEXT) -> list[list[str]]:
    """The names of functions and the line of each instruction of a derivative with these parts of the primal."""
    module = Module.parse(text)
    primal, made = module.body("@f"), Function("@__ez_gradient.f", FunctionType(VOID, ()), [])
    lines, b = DerivativeLines(module, primal, made, "gradient"), Builder(made.add_block())
    for part in parts:
        for i in primal.entry.instructions:
            made.come_from(i, part)
            b.call("@g", VOID, ()) if i.opcode == "call" else None
    b.ret()
    lines.put()
    found = []
    for i in made.instructions():
        node = i.metadata_node("!dbg")
        inner = (module.source_location(i) or "?").split(":")[1:2]
        outer = made.suffix.rpartition("!dbg ")[2]
        names = [module.metadata[outer].split('"')[1]] if outer in module.metadata else []
        found.append([*inner, *names, *module.inlined_functions(i)] if node is not None else [])
    return found


def test_lines_and_inlined_calls_are_kept() -> None:
    """A place that does not lie in the primal gets the one before."""
    f, inlined = ["6", "f.gradient"], ["2", "f.gradient", "inlined"]
    assert places(("",)) == [f, inlined, inlined, inlined]


def test_parts_are_functions_that_are_inlined() -> None:
    f, adjoint = ["6", "f.gradient"], ["6", "f.gradient", "f.adjoint"]
    found = places(("", "adjoint"))
    assert (found[0], found[3]) == (f, adjoint)
    assert found[4] == ["2", "f.gradient", "f.adjoint", "inlined"]


def test_nothing_is_added_without_debug_information() -> None:
    assert places(("",), TEXT.replace(" !dbg !3", "")) == [[]] * 4
