"""The tables of passes: each pass finds what it requires, gets what it asks for, and no pass runs beside the tables."""

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from enzyme_cc.autodiff.core.pass_table import Invariant, Pass, TextCode, run
from enzyme_cc.autodiff.function_passes import NORMALISED
from enzyme_cc.ir.llvm_passes import PASSES, LLVMError
from enzyme_cc.link.merged_module.link_passes import AGAIN, PIPELINE, PassTable
from tests.structure.trees import tree

ROOT = Path(__file__).parents[2]
TABLES = [*PIPELINE, *AGAIN]
ROWS = [(section, row) for section in TABLES for row in section.table]
BY_TITLE = {section.title: section for section in TABLES}
#: passes that are a part of another one, and where
PARTS = {
    ("number_bits.py", "cast_phis.cast_before_phis"): "integers that are stored as numbers, once types are known",
    ("watch.py", "plain_forms.call_for_invokes"): "copies of checkpointed steps, which are analysed at once",
    ("plain_answers.py", "markings.drop_markings"): "a program that profiles its calls has no rounds",
}
#: runs LLVM on code that is no part of the program's module, and why
BESIDE = {
    "enzyme_cc/link/merged_module/merge.py": "what is linked in loses what nobody asks for",
    "enzyme_cc/link/merged_module/compile.py": "native copies of raw bitcode",
    "enzyme_cc/link/participants/set_up.py": "a copy of a unit, which is only looked at",
    "enzyme_cc/frameworks/jitted/jitted_module.py": "Numba's code, before it is an input of a link",
}


def names(row: tuple[PassTable, Pass]) -> str:
    return f"{row[0].title}: {row[1].name}"


def missing(sections: list[PassTable], held: set[Invariant]) -> list[str]:
    """Returns the requirements that do not hold where they must, and leaves in `held` what holds in the end."""
    found, of_copy = list[str](), set[Invariant]()
    for section in sections:
        known = of_copy if section.is_of_copy else held
        for row in section.table:
            found += [f"{row.name} requires {fact.name}" for fact in row.requires if fact not in held | of_copy]
            known |= set(row.establishes)
            held -= set(row.ends)
            of_copy -= set(row.ends)
        if section.title == "Answers":
            of_copy.clear()
    return found


def pipeline(*, rounds: int = 1, preoptimise: bool = True, inlines: bool = False) -> list[PassTable]:
    """Returns the sections of a link in the order in which they run."""
    left_out = "Before differentiation, at least" if preoptimise else "Before differentiation"
    titles = [section.title for section in PIPELINE if section.title != left_out]
    first, last = titles.index("Variants"), titles.index("Answers") + 1
    one = titles[first:last]
    if inlines:  # the round begins again
        again = one.index("All functions, by types") + 1
        one = [*one[:again], "Functions that must be inlined", *one[1:]]
    between = ["Before another round"]
    found = [*titles[:first], *one, *(title for _ in range(rounds - 1) for title in between + one), *titles[last:]]
    return [BY_TITLE[title] for title in found]


@pytest.mark.parametrize("rounds", [1, 2, 3])
@pytest.mark.parametrize("preoptimise", [True, False])
@pytest.mark.parametrize("inlines", [True, False])
def test_what_a_pass_requires_is_established_earlier(rounds: int, preoptimise: bool, inlines: bool) -> None:
    assert missing(pipeline(rounds=rounds, preoptimise=preoptimise, inlines=inlines), set()) == []


@pytest.mark.parametrize(
    ("first", "second"),
    [("follow_lanes", "define_numbers"), ("pack_repeated_bits", "load_as_read"), ("make_reducible", "unspeculate")],
)
def test_an_exchange_of_two_passes_is_seen(first: str, second: str) -> None:
    order = [row.name for row in NORMALISED]
    exchanged = list(NORMALISED)
    k, n = order.index(first), order.index(second)
    exchanged[k], exchanged[n] = exchanged[n], exchanged[k]
    sections = pipeline()
    changed = [replace(s, table=tuple(exchanged)) if s.table is NORMALISED else s for s in sections]
    assert missing(changed, set()) != []


def test_every_fact_is_established_and_matters() -> None:
    assert {fact for _, row in ROWS for fact in row.establishes} == set(Invariant)
    assert {fact for _, row in ROWS for fact in row.requires} == set(Invariant) - {Invariant.FINAL}


@pytest.mark.parametrize("row", ROWS, ids=map(names, ROWS))
def test_a_pass_gets_what_the_code_has(row: tuple[PassTable, Pass]) -> None:
    section, made = row
    known = set(section.code.__struct_fields__) | {
        name for name, value in inspect.getmembers(section.code) if isinstance(value, property)
    }
    wanted = {*made.given.split(), *made.gives.split(), *([made.when] if made.when else [])}
    assert wanted <= known
    assert set(made.gives.split()) <= set(section.code.__struct_fields__)
    inspect.signature(made.function).bind(*made.given.split())


@pytest.mark.parametrize("row", ROWS, ids=map(names, ROWS))
def test_a_pass_says_what_it_does_and_why_it_stands_there(row: tuple[PassTable, Pass]) -> None:
    assert inspect.getdoc(row[1].function)
    assert row[1].why
    assert set(row[1].llvm.split()) <= {*PASSES, "O2", "O3"}


def calls(path: Path) -> Iterator[tuple[str, ast.Call]]:
    """Yields the calls in a file with the last word of what they call."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            yield name, node


def files() -> list[Path]:
    return [path for path in sorted((ROOT / "enzyme_cc").rglob("*.py")) if path.parent.name != "ir"]


def test_llvm_runs_in_passes_of_the_tables_only() -> None:
    tabled = {Path(inspect.getsourcefile(row.function) or "") for _, row in ROWS}
    running = {"run_passes", "optimise", "keep_null"}
    found = {path for path in files() for name, _ in calls(path) if name in running}
    assert {str(path.relative_to(ROOT)) for path in found - tabled} <= BESIDE.keys()


def test_rows_say_which_passes_of_llvm_they_run() -> None:
    for path in files():
        of_file = [row for _, row in ROWS if inspect.getsourcefile(row.function) == str(path)]
        said = {word for row in of_file for word in row.llvm.split()}
        ran = {
            argument.value
            for name, call in calls(path)
            if name == "run_passes"
            for argument in call.args
            if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
        }
        assert not of_file or ran <= said, path


def imports(path: Path) -> Iterator[str]:
    """Yields the functions that a file imports from others, each as `module.function`."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module.rpartition('.')[2]}.{alias.name}" for alias in node.names)


def test_no_pass_is_called_beside_the_tables() -> None:
    tables = {inspect.getsourcefile(table.code) for table in TABLES} | {inspect.getsourcefile(PassTable)}
    tables |= {str(path) for path in files() if path.name == "preoptimisation.py"}
    functions = {f"{row.function.__module__.rpartition('.')[2]}.{row.name}" for _, row in ROWS}
    found = {(path.name, name) for path in files() if str(path) not in tables for name in imports(path)}
    assert {(file, name) for file, name in found if name in functions} == PARTS.keys()


def test_invalid_text_is_seen_where_it_is_made() -> None:
    valid = "define i32 @f() {\n  ret i32 0\n}\n"

    def broken(text: str) -> str:
        """Breaks the text."""
        return text.replace("ret i32 0", "ret i64 0")

    row = Pass(broken, "text", "text", why="a test")
    assert run([row], TextCode(False, valid)).text != valid
    with pytest.raises(LLVMError):
        run([row], TextCode(True, valid))


def test_a_pass_without_work_is_left_out() -> None:
    class Counted(TextCode, frozen=True):
        is_needed: bool = False

    def doubled(text: str) -> str:
        """Doubles the text."""
        return text * 2

    row = Pass(doubled, "text", "text", why="a test", when="is_needed")
    assert run([row], Counted(False, "a")).text == "a"
    assert run([row], Counted(False, "a", True)).text == "aa"
