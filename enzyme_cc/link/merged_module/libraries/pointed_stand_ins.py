"""Calls through pointers that may reach a library function with a stand-in or a shipped derivative.

Such a call becomes a call of a function that compares the pointer with the library function. LLVM inlines that one. So
a stand-in sees the operands of each call, as if it had been called by its name. Other pointers are called in a function
that is not inlined: LLVM may know that there is no other function than the library's, and would call that by its name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from msgspec import Struct

from enzyme_cc.link.inputs.module_text import NAME, quoted
from enzyme_cc.link.participants.pointers.pointer_targets import PointedShape, call_shape, shape_of_type
from enzyme_cc.rules.library_functions import THROUGH_POINTER

_CALL = re.compile(rf" (?:call|invoke) (?P<head>[^@%\"\n]*?)(?P<pointer>%{NAME})\((?P<arguments>[^\n]*)")


class ThroughPointers(Struct, frozen=True):
    """Library functions with stand-ins whose address is taken: name → type in LLVM's text.

    `helper` begins the names of the functions that compare.
    """

    types: Mapping[str, str]
    helper: str = THROUGH_POINTER

    def call(self, body: str) -> str:
        """Returns the text of a function that calls the stand-ins through its pointers."""
        return _CALL.sub(self._with_comparison, body) if self.types else body

    def _with_comparison(self, call: re.Match[str]) -> str:
        shape = call_shape(call["head"], call["arguments"])
        if shape not in self._shapes:
            return call[0]
        empty = call["arguments"].startswith(")")
        start = call[0][: call.start("pointer") - call.start()]
        return f"{start}@{self._shapes[shape]}(ptr {call['pointer']}{'' if empty else ', '}{call['arguments']}"

    @property
    def _shapes(self) -> dict[PointedShape | None, str]:
        return {shape_of_type(type_): name for type_, name in self._helpers.items()}

    @property
    def _helpers(self) -> dict[str, str]:
        """The names of the functions that compare, by the type of what they call."""
        return {type_: f"{self.helper}.{n}" for n, type_ in enumerate(dict.fromkeys(self.types.values()))}

    def definitions(self, stand_in: Callable[[str], str]) -> str:
        """Returns the functions that compare, one for each type. `stand_in` gives the name of a stand-in."""
        return "".join(
            _definition(helper, type_, [name for name in self.types if self.types[name] == type_], stand_in)
            for type_, helper in self._helpers.items()
        )


def _definition(helper: str, type_: str, names: list[str], stand_in: Callable[[str], str]) -> str:
    result, _, rest = type_.partition(" (")
    parameters = [f"{t} %a{k}" for k, t in enumerate(filter(None, rest.removesuffix(")").split(", ")))]
    passed = ", ".join(parameters)

    def returned(callee: str, arguments: str, number: int = 0) -> str:
        call, name = f"call {result} {callee}({arguments})", f"%r{number}"
        return f"  {call}\n  ret void\n" if result == "void" else f"  {name} = {call}\n  ret {result} {name}\n"

    blocks = "".join(
        f"  %is{k} = icmp eq ptr %pointer, @{quoted(name)}\n  br i1 %is{k}, label %hit{k}, label %next{k}\n"
        f"hit{k}:\n{returned('@' + quoted(stand_in(name)), passed, k)}next{k}:\n"
        for k, name in enumerate(names)
    )
    both = ", ".join(["ptr %pointer", *parameters])
    other = returned(f"@{helper}.other", both, len(names))
    return (
        f"define internal {result} @{helper}({both}) alwaysinline {{\n{blocks}{other}}}\n"
        f"define internal {result} @{helper}.other({both}) noinline {{\n{returned('%pointer', passed)}}}\n"
    )
