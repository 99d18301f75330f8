"""The passes before differentiation, around LLVM's O2: what moves out of a loop now is not differentiated inside it.

Between the two runs of O2, exceptions become control flow, and second parts of stand-ins are inlined: their operands
have become constants. The passes themselves are in optimise/.
"""

from __future__ import annotations

from collections.abc import Callable

from ..ir.back_ends import BackEnd
from ..ir.text.vector_roots import with_vector_roots
from ..rules.parallel import gathered
from .core.pass_table import Invariant, Pass, TextCode
from .optimise import preoptimise
from .optimise.constructed_text import with_unrolled_constructors
from .optimise.descriptors import with_expected
from .optimise.gathered_functions import with_functions
from .optimise.short_loops import with_short_loops_marked
from .optimise.specialise import hide_templates, specialise
from .optimise.whole_regions import with_whole_regions


class OptimisedCode(TextCode, frozen=True):
    """A module that LLVM optimises before it is differentiated.

    `lower` makes exceptions control flow; None if that has been done. `has_instances`: templates had instances.
    `has_short_loops`: loops are marked that LLVM unrolls. `runs_apart`: gathered threads of several functions do not
    run together.
    """

    back_end: BackEnd
    lower: Callable[[str], str] | None = None
    has_instances: bool = False
    has_short_loops: bool = False
    runs_apart: bool = False

    @property
    def ignores_errno(self) -> bool:
        return "@__errno_location" not in self.text

    @property
    def has_exceptions(self) -> bool:
        return self.lower is not None and " landingpad " in self.text

    @property
    def needs_two_rounds(self) -> bool:
        is_hidden = "@__ez_late_" in self.text or self.has_gathered_threads
        return preoptimise.are_loops_apart(self.text) or is_hidden or self.has_exceptions

    @property
    def has_gathered_threads(self) -> bool:
        return f"@{gathered.CALL}(" in self.text


_SIMPLIFY = "text back_end", "text"

PREOPTIMISED = (
    Pass(
        preoptimise.without_errno,
        "text",
        "text",
        why="before all of LLVM's passes: they move and merge such calls then",
        when="ignores_errno",
    ),
    Pass(
        with_unrolled_constructors,
        "text",
        "text",
        why="before the first O2, which joins the stores of an unrolled loop",
    ),
    Pass(
        preoptimise.with_local_pointers,
        "text",
        "text",
        why="before all of LLVM's passes, which keep values in registers across such calls then",
        requires=(Invariant.BODIES,),
    ),
    Pass(
        hide_templates,
        "text",
        "text",
        why="before all of LLVM's passes: a template has instances only once its operands are constants",
        requires=(Invariant.BODIES,),
        establishes=(Invariant.HIDDEN_TEMPLATES,),
    ),
    Pass(
        with_expected,
        "text",
        "text",
        why="before descriptors are copied by fields: it reads what variables they are copied to",
        requires=(Invariant.BODIES,),
        llvm="always-inline globaldce",
    ),
    Pass(
        preoptimise.with_wrapping_sums,
        "text",
        "text",
        why="before all of LLVM's passes: they believe what flang declares",
    ),
    Pass(
        preoptimise.by_fields,
        "text",
        "text",
        why="before the first O2, which then knows each field",
        establishes=(Invariant.FIELDS,),
    ),
    Pass(preoptimise.with_throws_apart, "text", "text", why="before the first O2, which would merge places that throw"),
    Pass(
        preoptimise.hide_late,
        "text",
        "text",
        why="after the copies by fields: its passes of LLVM are the first to see the text",
        requires=(Invariant.BODIES, Invariant.HIDDEN_TEMPLATES),
        establishes=(Invariant.HIDDEN_LATE,),
        llvm="always-inline globaldce sroa function-attrs",
    ),
    Pass(
        preoptimise.keep_loops_apart,
        "text",
        "text",
        why="the last before the first O2: LLVM can hoist a call out of a loop, but not an inlined loop",
        establishes=(Invariant.LOOPS_APART,),
    ),
    Pass(
        preoptimise.simplify,
        *_SIMPLIFY,
        why="the first O2, if there is something to do between two",
        requires=(Invariant.LOOPS_APART, Invariant.HIDDEN_LATE, Invariant.HIDDEN_TEMPLATES),
        establishes=(Invariant.OPTIMISED,),
        when="needs_two_rounds",
        llvm="O2",
    ),
    Pass(
        preoptimise.inline_loops,
        "text",
        "text",
        why="after the first O2, which has inlined what these functions call; before their marks go",
        requires=(Invariant.LOOPS_APART,),
    ),
    Pass(
        preoptimise.rejoin_loops,
        "text",
        "text",
        why="after the first O2, so that the second inlines loops",
        requires=(Invariant.LOOPS_APART,),
        ends=(Invariant.LOOPS_APART,),
    ),
    Pass(
        preoptimise.inline_late,
        "text",
        "text",
        why="after the first O2, which has made the operands of second parts constants",
        requires=(Invariant.HIDDEN_LATE,),
        ends=(Invariant.HIDDEN_LATE,),
    ),
    Pass(
        preoptimise.without_exceptions,
        "text lower",
        "text",
        why="between the two: functions are inlined into those that catch, and O2 cleans up after it",
        requires=(Invariant.PROTECTED,),
        establishes=(Invariant.NO_EXCEPTIONS,),
        when="has_exceptions",
        file="lowered.ll",
    ),
    Pass(
        preoptimise.with_throws_apart,
        "text",
        "text",
        why="again, as lowered code throws in other places",
        when="has_exceptions",
    ),
    Pass(
        with_functions,
        "text runs_apart",
        "text",
        why="after the first O2, which knows the functions of threads: virtual ones are read from new objects",
        requires=(Invariant.BODIES,),
        when="has_gathered_threads",
    ),
    Pass(
        with_whole_regions,
        "text",
        "text",
        why="just before the second O2, which inlines what it marks, and optimises it there",
        requires=(Invariant.BODIES,),
    ),
    Pass(
        preoptimise.simplify,
        *_SIMPLIFY,
        why="the second O2: what was kept apart is inlined",
        requires=(Invariant.FIELDS,),
        establishes=(Invariant.OPTIMISED,),
        llvm="O2",
    ),
    Pass(
        specialise,
        "text",
        "text has_instances",
        why="after the second O2, which has made the operands of templates constants",
        requires=(Invariant.OPTIMISED, Invariant.HIDDEN_TEMPLATES),
        establishes=(Invariant.SPECIALISED,),
        ends=(Invariant.HIDDEN_TEMPLATES,),
        llvm="always-inline sroa instcombine simplifycfg globaldce",
    ),
    Pass(
        preoptimise.simplify,
        *_SIMPLIFY,
        why="once more, as instances are made of templates that LLVM has not optimised",
        requires=(Invariant.SPECIALISED,),
        when="has_instances",
        llvm="O2",
    ),
    Pass(
        with_short_loops_marked,
        "text",
        "text has_short_loops",
        why="once arrays are inlined, and loops have one block and constants for bounds",
        requires=(Invariant.OPTIMISED,),
    ),
    Pass(
        preoptimise.simplify,
        *_SIMPLIFY,
        why="unrolls what is marked; arrays become registers",
        when="has_short_loops",
        llvm="O2",
    ),
    Pass(
        with_vector_roots,
        "text",
        "text",
        why="after the last O2, which vectorises loops that ask for it (`omp simd`): a root has one partial then",
        requires=(Invariant.OPTIMISED,),
    ),
    Pass(
        preoptimise.with_whole_words,
        "text",
        "text",
        why="the last: LLVM does it before it has inlined all",
        requires=(Invariant.OPTIMISED,),
        llvm="aggressive-instcombine",
        file="preopt.ll",
    ),
)

#: what --enzyme-no-preopt leaves of PREOPTIMISED
CLEANED = (
    Pass(
        preoptimise.clean_up,
        "text",
        "text",
        why="the least that makes SSA form of clang's unoptimised code",
        establishes=(Invariant.OPTIMISED, Invariant.SPECIALISED),
        llvm=" ".join(preoptimise.CLEANUP),
    ),
    Pass(
        preoptimise.without_exceptions,
        "text lower",
        "text",
        why="on SSA form, as its copies of functions need it",
        requires=(Invariant.PROTECTED,),
        establishes=(Invariant.NO_EXCEPTIONS,),
        when="has_exceptions",
        file="lowered.ll",
    ),
    Pass(
        preoptimise.clean_up,
        "text",
        "text",
        why="again, for what is lowered",
        establishes=(Invariant.OPTIMISED,),
        llvm=" ".join(preoptimise.CLEANUP),
        file="preopt.ll",
    ),
)
