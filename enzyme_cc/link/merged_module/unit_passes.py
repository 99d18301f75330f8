"""The tables of passes of a unit, before it is merged with others (merge.py)."""

from __future__ import annotations

from collections.abc import Container

import llvmlite.binding as llvm
from msgspec import field

from enzyme_cc.autodiff.call_profile.noted_calls import with_local_names
from enzyme_cc.autodiff.core.pass_table import Code, Invariant, Pass, TextCode
from enzyme_cc.link.inputs.module_text import ModuleText
from enzyme_cc.link.inputs.units import Linked, Unit
from enzyme_cc.link.merged_module import hindrances, sanitizers
from enzyme_cc.link.merged_module.borrow import reduce_to
from enzyme_cc.link.merged_module.libraries.container_members import with_container_members
from enzyme_cc.link.merged_module.libraries.second_names import with_usual_names
from enzyme_cc.link.merged_module.prevailing import with_internal_aliases, with_wraps, without_beaten
from enzyme_cc.link.merged_module.protect_requests import open_markers
from enzyme_cc.link.merged_module.threads.atomic_pointers import with_atomic_pointers
from enzyme_cc.link.participants.borrowed import Borrowed


class UnitCode(TextCode, frozen=True):
    """A unit's text.

    `with_modes`: what rounds keeps its rounding mode. `beaten`: definitions that do not prevail, or are left out.
    `unused`: aliases that are not borrowed. `wraps`: symbols of --wrap. `defined`: functions of the program.
    `source_file`: that of the unit, if the program writes a profile of its calls.
    """

    with_modes: bool
    beaten: frozenset[str]
    unused: frozenset[str]
    wraps: tuple[str, ...]
    defined: Container[str] = ()
    source_file: str = ""

    @property
    def has_one_mode(self) -> bool:
        return not self.with_modes


class UnitModuleCode(Code, frozen=True):
    """A unit's module. `source` is its text as it was read. `borrowed`: what of it is merged; None if all is."""

    module: llvm.ModuleRef
    source: ModuleText
    unit: Unit
    linked: Linked
    borrowed: Borrowed | None
    native_functions: frozenset[str] = frozenset()
    markers: dict[str, str] = field(default_factory=dict)

    @property
    def is_whole(self) -> bool:
        return self.borrowed is None


UNIT_TEXT = (
    Pass(
        hindrances.without_blanket_noinline,
        "text",
        "text",
        why="before other attributes go: `noinline` on all functions tells the option from the program's wish",
    ),
    Pass(
        hindrances.without_attributes,
        "text",
        "text",
        why="in each unit: functions of units with other attributes are inlined into one another",
    ),
    Pass(
        sanitizers.with_notes,
        "text",
        "text",
        why="in each unit: functions of units with other sanitizers are inlined into one another",
    ),
    Pass(
        hindrances.with_one_class_of_data,
        "text",
        "text",
        why="before LLVM inlines anything: two runs of one function in a caller have the same alias classes",
    ),
    Pass(
        hindrances.without_exact_rounding_modes,
        "text",
        "text",
        why="before declarations are counted: these calls become instructions",
    ),
    Pass(
        hindrances.without_fake_uses,
        "text",
        "text",
        why="in each unit, as LLVM would move such uses",
    ),
    Pass(
        hindrances.with_open_checks,
        "text",
        "text",
        why="in each unit, as it declares such functions",
        establishes=(Invariant.NO_HINDRANCES,),
    ),
    Pass(
        hindrances.without_rounding_modes,
        "text",
        "text",
        why="after without_exact_rounding_modes: what is left rounds, and the program has one mode",
        requires=(Invariant.NO_HINDRANCES,),
        when="has_one_mode",
    ),
    Pass(
        with_atomic_pointers,
        "text",
        "text",
        why="before LLVM removes the variables on the stack, which have the type",
    ),
    Pass(
        with_container_members,
        "text",
        "text",
        why="in each unit, as units with TBAA need none; after without_blanket_noinline, which asks for TBAA",
    ),
    Pass(
        without_beaten,
        "text beaten",
        "text",
        why="before units are merged: LLVM's linker takes another definition than the native one, or refuses two",
        establishes=(Invariant.PREVAILING,),
    ),
    Pass(
        with_internal_aliases,
        "text unused",
        "text",
        why="before units are merged, so that less is",
        when="unused",
    ),
    Pass(
        with_usual_names,
        "text defined",
        "text",
        why="before wraps, which are of usual names; in each unit, as modules of LLVM cannot join two functions",
        requires=(Invariant.PREVAILING,),
    ),
    Pass(
        with_wraps,
        "text wraps",
        "text",
        why="after definitions that do not prevail have gone: only what is undefined is wrapped",
        requires=(Invariant.PREVAILING,),
        when="wraps",
    ),
    Pass(
        with_local_names,
        "text source_file",
        "text",
        why="before units are merged, which changes names of local functions",
        when="source_file",
    ),
)

UNIT_MODULE = (
    Pass(
        reduce_to,
        "borrowed module unit linked",
        "native_functions",
        why="the last in a unit that stays in the link: what is not borrowed goes before units are merged",
        requires=(Invariant.PREVAILING,),
        when="borrowed",
        llvm="globaldce",
    ),
    Pass(
        open_markers,
        "module source",
        "markers",
        why="the last in another unit: several units define markers and requests, which are merged",
        requires=(Invariant.PREVAILING,),
        when="is_whole",
    ),
)
