"""Source lines of instructions, functions and globals, through inlined calls."""

from __future__ import annotations

from enzyme_cc.ir.module import Module
from enzyme_cc.ir.text.debug_locations import DebugLocations
from enzyme_cc.ir.values import Instruction

MODULE = """
@counter = global i32 0, !dbg !9
define void @f() !dbg !2 {
  fence seq_cst, !dbg !5
  fence seq_cst, !dbg !6
  fence seq_cst, !dbg !8
  fence seq_cst
  ret void
}
define void @g() {
  ret void
}
!0 = !DIFile(filename: "f.c", directory: "/")
!1 = !DIFile(filename: "inline.h", directory: "/")
!2 = distinct !DISubprogram(name: "f", file: !0, line: 3)
!3 = distinct !DISubprogram(name: "small", file: !1, line: 9)
!4 = !DILexicalBlock(scope: !3, line: 10)
!5 = !DILocation(line: 4, column: 7, scope: !2)
!6 = !DILocation(line: 11, column: 2, scope: !4, inlinedAt: !7)
!7 = distinct !DILocation(line: 5, column: 1, scope: !2)
!8 = !DILocation(line: 0, scope: !2)
!9 = !DIGlobalVariableExpression(var: !10)
!10 = distinct !DIGlobalVariable(name: "counter", file: !0, line: 1)
"""


def found() -> tuple[Module, DebugLocations, list[Instruction]]:
    module = Module.parse(MODULE)
    return module, DebugLocations(module.metadata), list(module.body("@f").instructions())


def test_a_location_is_that_of_the_innermost_inlined_code() -> None:
    _, locations, lines = found()
    places = [locations.source_location(i) for i in lines[:4]]
    assert places == ["f.c:4:7", "inline.h:11:2", "f.c", None]  # line 0 is no line in particular


def test_inlined_code_tells_its_function_and_its_call() -> None:
    _, locations, lines = found()
    assert locations.inlined_functions(lines[0]) == []
    assert locations.inlined_functions(lines[1]) == ["small"]
    assert locations.inlined_call("!6", "!3") == "f.c:5"
    assert locations.inlined_call("!6", "!2") is None


def test_functions_and_globals_have_lines_if_the_module_says_so() -> None:
    module, locations, _ = found()
    assert locations.function_location(module.functions["@f"]) == "f.c:3"
    assert locations.function_location(module.functions["@g"]) is None
    assert locations.global_location(module.globals["@counter"]) == "f.c:1"
