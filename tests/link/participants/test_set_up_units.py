"""Which functions of other units only set something up: what the search makes of the calls of one unit."""

from __future__ import annotations

from functools import partial

from enzyme_cc.link.inputs.module_text import ModuleText
from enzyme_cc.link.inputs.units import Definition, Linked, Unit
from enzyme_cc.link.participants.set_up_units import SetUps, SetUpSearch

#: f makes something, then computes with x
PROGRAM = """
declare ptr @make(i32)
declare void @use(ptr)
define double @f(double %x) {{
  {first}
  %y = fmul double %x, %x
  {last}
  ret double %y
}}
"""
LIBRARY = """
@table = {table}
define ptr @make(i32 %n) {{
  {body}
  ret ptr null
}}
define void @use(ptr %p) {{
  {used}
  ret void
}}
"""
MADE = "%m = call ptr @make(i32 3)"


class WithBitcode(Unit):
    """A unit of which only the text matters."""

    modules = (b"",)  # type: ignore[assignment]


def found(first: str = MADE, last: str = "", table: str = "global i32 0", body: str = "", used: str = "") -> SetUps:
    program, library = (WithBitcode(name, None, name, memoryview(b"")) for name in ("program.o", "library.o"))
    texts = {
        program: ModuleText(PROGRAM.format(first=first, last=last)),
        library: ModuleText(LIBRARY.format(table=table, body=body, used=used)),
    }

    def definition(unit: Unit, name: str) -> Definition | None:
        return next(((u, name) for u in (unit, program, library) if _is_defined(texts[u], name)), None)

    def behind(place: Definition) -> list[Definition]:
        module = texts[place[0]]
        named = map(partial(definition, place[0]), module.references(module.entities[place[1]]))
        return [other for other in named if other is not None]

    search = SetUpSearch(
        linked=Linked((program, library), (), ()),
        asking=[program],
        text_of=texts.__getitem__,
        text=lambda place: texts[place[0]].of(texts[place[0]].entities[place[1]]),
        definition=definition,
        behind=behind,
        may_stay_native=lambda place: place[0] is library,
        is_large=lambda place: place[1] == "make",
    )
    return search.find([(program, "f")])


def _is_defined(module: ModuleText, name: str) -> bool:
    return name in module.entities and module.entities[name].is_definition


def names(set_ups: SetUps) -> set[str]:
    return {name for _, name in set_ups.functions}


def test_a_call_before_any_number_is_a_set_up() -> None:
    assert names(found()) == {"make"}


def test_a_call_that_is_given_a_number_is_none() -> None:
    store = "%p = alloca double\n  store double %x, ptr %p\n  call void @use(ptr %p)\n  " + MADE
    assert names(found(store)) == set()


def test_a_function_that_other_code_calls_at_another_time_is_none() -> None:
    calls = "%again = call ptr @make(i32 1)"
    assert names(found(last="call void @use(ptr null)", used=calls)) == set()
    assert names(found(used=calls)) == {"make"}


def test_variables_with_numbers_that_a_set_up_changes_are_told() -> None:
    changes = "store double 1.0, ptr @table\n"
    uses = "%v = load double, ptr @table"
    for table, expected in (("global double 0.0", {"make"}), ("global i32 0", set())):
        set_ups = found(table=table, body=changes, used=uses)
        library = next(unit for unit, _ in set_ups.functions)
        shared = set_ups.sharing_variables({(library, "table"), (library, "use")})
        assert {name for _, name in shared} == expected
