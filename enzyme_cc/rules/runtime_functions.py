"""The functions of enzyme-cc's own runtime: name, prototype, and the row of knowledge for the analyses.

The bodies are C: toolchain/runtime, and toolchain/stand_ins/unwinding.c for exceptions. Generated code calls the
functions through these rows, never by a name in a string. A test compares the rows with the shipped bitcode.
The runtime's math functions have derivative rules instead: see `runtimes.py` and `complex.py`. Those of truncated code
(formats.c) are rows, too, since the engine calls them by name.
"""

from __future__ import annotations

import re

from msgspec import Struct
from msgspec.structs import replace

from ..ir.builder import Builder
from ..ir.constants import GlobalRef
from ..ir.module import Module
from ..ir.types import DOUBLE, FLOAT, I1, I32, I64, PTR, VOID, FunctionType, Type
from ..ir.values import Function, Instruction, Value
from .knowledge import SET_UP, CalleeKind, EffectsNotation, Known

#: The names of all functions of the runtime and of the stand-ins start with this.
PREFIX = "__ez_"

_TYPES: dict[str, Type] = {"void": VOID, "ptr": PTR, "i1": I1, "i32": I32, "i64": I64, "f32": FLOAT, "f64": DOUBLE}
_PROTOTYPE = re.compile(r"(?P<result>\w+) (?P<name>\w+)\((?P<parameters>[^)]*)\)")


class RuntimeFunction(Struct, frozen=True):
    """A function of the runtime. `known` is None if a derivative that calls it cannot be differentiated again."""

    name: str
    type: FunctionType
    known: Known | None = None
    attributes: str = ""

    @property
    def ref(self) -> GlobalRef:
        """The function, as an operand of an instruction."""
        return GlobalRef.of(self.symbol)

    @property
    def symbol(self) -> str:
        """The name in LLVM IR, with its @."""
        return f"@{self.name}"

    def declare(self, module: Module) -> Function:
        """Declares the function in the module, once."""
        return module.declare(self.symbol, self.type, self.attributes)

    def call(self, b: Builder, *arguments: Value) -> Instruction:
        """Emits a call of the function at the builder's place and returns it."""
        given = tuple(argument.type for argument in arguments)
        assert given == self.type.params, f"{self.name} takes {self.type}, and is given {', '.join(map(str, given))}"
        return b.call(self.symbol, self.type.result, arguments)


#: all rows, by name
RUNTIME_FUNCTIONS: dict[str, RuntimeFunction] = {}


def _function(prototype: str, known: Known | None = None, attributes: str = "") -> RuntimeFunction:
    """Adds a row. Parameters are written as in C, for the reader: `ptr name(ptr a, i64 b)`."""
    match = _PROTOTYPE.fullmatch(prototype)
    assert match is not None, prototype
    parameters = [parameter.split()[0] for parameter in match["parameters"].split(", ") if parameter]
    type_ = FunctionType(_TYPES[match["result"]], tuple(_TYPES[word] for word in parameters))
    row = RUNTIME_FUNCTIONS[match["name"]] = RuntimeFunction(match["name"], type_, known, attributes)
    return row


def _inactive(effects: str = "") -> Known:
    return EffectsNotation.parse(effects).known(CalleeKind.INACTIVE)


_NORETURN = Known(CalleeKind.NORETURN)
_FREE = Known(CalleeKind.FREE, writes=(0,))
_COPY = Known(CalleeKind.LINEAR, reads=(1,), writes=(0,))
_ADJOINT_OF_COPY = Known(CalleeKind.LINEAR, reads=(0, 1), writes=(0, 1))

# The tape's arena: memory that lives as long as the tape (tape.c) -----------------------------------------------------
_ALLOCATES = Known(CalleeKind.ALLOCATE, size_operands=(1,), arena=True)
ALLOCATE = _function("ptr __ez_alloc(ptr arena, i64 size)", _ALLOCATES)
PUSH_RECORD = _function("ptr __ez_push(ptr arena, i64 size)", _ALLOCATES)
FINISH = _function("void __ez_finish(ptr arena)", Known(CalleeKind.STACK, arena=True))
DEFER_FREE = _function(
    "void __ez_defer_free(ptr arena, ptr memory, ptr release)",
    Known(CalleeKind.FREE, pointer=1, arena=True, release_operand=2),
)
REALLOCATE = _function(
    "ptr __ez_reallocate(ptr arena, ptr old, i64 size)",
    Known(CalleeKind.REALLOCATE, reads=(1,), pointer=1, size_operands=(2,), arena=True),
)
KEEP_BYTES = _function("void __ez_keep(ptr arena, ptr start, i64 size, i64 step, i64 count)")
PUT_BACK = _function("void __ez_put_back(ptr arena)")
ALLOCATE_ZEROED = _function(
    "ptr __ez_zeroed(i64 size)", Known(CalleeKind.ALLOCATE, size_operands=(0,), zeroed=True, release="free")
)
#: a part of a block: no access through the block or through another part meets it
PART_OF_BLOCK = _function("ptr __ez_part(ptr block, i64 offset)", Known(CalleeKind.ALLOCATE))
#: precedes the release of the block
END_OF_PART = _function("void __ez_part_ends(ptr part)", _inactive("r0 w0"))
KEPT_BY_REALLOC = _function("i64 __ez_smaller(ptr old, i64 size)", Known(CalleeKind.INACTIVE))
#: memory of variables that set-up calls are given: constant, as what these calls make
SET_UP_MEMORY = _function("ptr __ez_set_up_memory(i64 size)", SET_UP)
#: returns its operand: memory that an inactive function made
CONSTANT_MEMORY = _function("ptr __ez_constant_memory(ptr memory)", SET_UP)

# Tapes of recursive calls, which are dropped if they are long (tape.c) ------------------------------------------------
MARK = _function("void __ez_mark(ptr arena, ptr mark)")
KEEP_TAPE = _function("ptr __ez_keep_tape(ptr arena, ptr mark, ptr tape)")
IS_DROPPED = _function("i64 __ez_is_dropped(ptr tape)")

# Tapes that requests hand to the program (tape.c) ---------------------------------------------------------------------
TAPE_OPEN = _function("ptr __ez_tape_open(ptr memory, i64 bytes, i64 needed, ptr made_for)")
TAPE_KEEP = _function("void __ez_tape_keep(ptr tape, ptr record)")
TAPE_RECORD = _function("ptr __ez_tape_record(ptr tape, i64 bytes, i64 needed, ptr made_for)")
TAPE_REVERSED = _function("void __ez_tape_reversed(ptr tape)", Known(CalleeKind.STACK, arena=True))
TAPE_CLOSE = _function("void __ez_tape_close(ptr tape)")

# Pointers behind arguments that are taken back in the end (replaced_pointers.c) ---------------------------------------
# A later round in forward mode does the same with the shadows; one in reverse mode refuses them: `mixed`.
_OF_SHADOW = Known(CalleeKind.LINEAR, writes=(0,), length=1, mixed=True)
POINTERS_REPLACED = _function(
    "void __ez_pointers_replaced(ptr shadow, i64 bytes, ptr primal, ptr arena, i64 period, i64 offset, i64 length, "
    "i64 how)",
    _OF_SHADOW,
)
SHADOW_FITS = _function("void __ez_shadow_fits(ptr memory, ptr shadow)")
SHADOW_MADE = _function("void __ez_shadow_made(ptr shadow, i64 size, ptr arena, ptr release)", _OF_SHADOW)
SHADOW_FREED = _function(
    "void __ez_shadow_freed(ptr shadow, i64 whose, ptr arena, ptr memory, ptr release)", _OF_SHADOW
)
SHADOW_ELSEWHERE = _function("void __ez_shadow_elsewhere(ptr shadow, i64 has_shadow, ptr arena)", _OF_SHADOW)

# Shadows are moved, cleared and added up (tape.c). Period, offset and length choose bytes of each element. ------------
COPY = _function("void __ez_copy(ptr to, ptr from, i64 bytes, i64 period, i64 offset, i64 length)", _COPY)
UNCOPY = _function("void __ez_uncopy(ptr to, ptr from, i64 bytes, i64 period, i64 offset, i64 length)", _COPY)
UNCOPY_SEGMENTS = _function(
    "void __ez_uncopy_segments(ptr to, ptr from, i64 bytes, i64 period, ptr segments, i64 count)", _COPY
)
CLEAR = _function(
    "void __ez_clear(ptr to, i64 bytes, i64 period, i64 offset, i64 length)",
    Known(CalleeKind.LINEAR, writes=(0,), length=1),
)
COPY_ADJOINT = _function(
    "void __ez_copy_adjoint(ptr to, ptr from, i64 bytes, i64 period, ptr segments, i64 count)", _ADJOINT_OF_COPY
)
#: by the element's type: the adjoint of a copy of numbers of one type
COPY_ADJOINTS = {
    suffix: _function(
        f"void __ez_copy_adjoint_{suffix}(ptr to, ptr from, i64 bytes, i64 period, i64 offset, i64 length)",
        _ADJOINT_OF_COPY,
    )
    for suffix in ("f64", "f32", "f80", "f128", "f16", "bf16")
}

CHECK_CUT = _function(
    "void __ez_check_cut(ptr to, i64 bytes, i64 period, i64 offset, i64 length, i64 number, ptr where)",
    _inactive("r0 r6 local"),
)

# Sparse derivatives: sets of inputs, and matrices by groups of columns (dependence.c, sparse.c) ---------------------
UNION = _function("f64 __ez_union(f64 a, f64 b)")
NARROWED_SET = _function("f64 __ez_narrowed_set(f64 set, f64 most)")
UNITE = _function("void __ez_unite(i64 whether)")
SPARSE = _function(
    "void __ez_sparse(ptr out, ptr context, ptr pattern, ptr values, ptr x, i64 n, i64 x_size, ptr y, i64 m, "
    "i64 y_size, i64 how)"
)

# Memory that holds numbers or pointers, told apart when the program runs (mixed.c) ------------------------------------
# What is kept may be null, so a shadow of it must not be cleared: `zeroed`.
MIXED_KEEP = _function(
    "ptr __ez_mixed_keep(ptr arena, ptr from, i64 bytes)",
    Known(CalleeKind.ALLOCATE, reads=(1,), size_operands=(2,), zeroed=True, mixed=True, arena=True),
)
MIXED_COPY = _function("void __ez_mixed_copy(ptr to, ptr from, i64 bytes)", replace(_COPY, mixed=True))
MIXED_ADJOINT = _function(
    "void __ez_mixed_adjoint(ptr to, ptr from, i64 bytes, ptr kept, ptr kinds, i64 count, ptr where)",
    replace(_ADJOINT_OF_COPY, mixed=True),
)
MARK_ADJOINT = _function("void __ez_mark_adjoint(ptr place, i64 kind, i64 is_there)", _inactive("r0 local"))
MIXED_CONSTANTS = _function(
    "void __ez_mixed_constants(ptr shadow, i64 bytes, ptr kinds, i64 count)",
    Known(CalleeKind.LINEAR, reads=(0,), writes=(0,), mixed=True),
)
CLEAR_WORDS = _function(
    "void __ez_clear_words(ptr shadow, i64 bytes)", Known(CalleeKind.LINEAR, writes=(0,), length=1, mixed=True)
)
# the same where code outside of the derivative can reach the memory
CLEAR_POINTERS = _function(
    "void __ez_clear_pointers(ptr shadow, i64 bytes)",
    Known(CalleeKind.LINEAR, reads=(0,), writes=(0,), mixed=True),
)
KEEP_POINTER = _function("void __ez_keep_pointer(ptr arena, ptr place, ptr shadow_place, ptr pointer, ptr shadow)")
KEEP_POINTERS = _function(
    "void __ez_keep_pointers(ptr arena, ptr place, ptr shadow_place, ptr from, ptr kept, i64 bytes, ptr kinds, "
    "i64 count)"
)
IS_POINTER = _function("i64 __ez_is_pointer(ptr word, ptr shadow)", _inactive("local"))
TAGGED_KEEP = _function(
    "ptr __ez_tagged_keep(ptr arena, ptr from, i64 bytes, ptr primal, ptr kinds, i64 count)",
    Known(CalleeKind.ALLOCATE, reads=(1, 3), size_operands=(2,), zeroed=True, mixed=True, arena=True),
)
TAGGED_COPY = _function(
    "void __ez_tagged_copy(ptr to, ptr from, i64 bytes, ptr kept, i64 own, ptr kinds, i64 count)",
    replace(_COPY, mixed=True),
)
TAGGED_ADJOINT = _function(
    "void __ez_tagged_adjoint(ptr to, ptr from, i64 bytes, ptr kept, ptr kinds, i64 count, ptr where)",
    replace(_ADJOINT_OF_COPY, mixed=True),
)
TAGGED_CLEAR = _function(
    "void __ez_tagged_clear(ptr shadow, i64 bytes, i64 pointers, ptr kinds, i64 count)",
    Known(CalleeKind.LINEAR, reads=(0,), writes=(0,), mixed=True),
)

# Refusals at run time, and numbers of functions (functions.c, tape.c) -------------------------------------------------
UNKNOWN_FUNCTION = _function("void __ez_unknown_function(ptr type, ptr function, i64 is_direct, ptr calls)", _NORETURN)
FUNCTION_NUMBER = _function("i32 __ez_function_number(ptr function)", _inactive())
#: the table of functions that it searches; a function's number is its index
FUNCTIONS_TABLE = "__ez_functions"
REFUSE_FUNCTION = _function("void __ez_refuse_function(ptr address)", _inactive("local"))
NOT_DIFFERENTIABLE = _function("void __ez_not_differentiable(ptr function, ptr fault, ptr reason)", _NORETURN)
OTHER_LIBRARY = _function("void __ez_other_library(ptr name)", _NORETURN)
REFUSE = _function("void __ez_refuse(i64 condition, ptr message)", _inactive("r1 local"))
# the same for a container whose shadow has less memory (containers.c)
REFUSE_OUTGROWN = _function(
    "void __ez_refuse_outgrown(ptr begin, ptr end, ptr block_end, ptr shadow, ptr room, i64 may_be_null, ptr message)",
    _inactive("r2 r6 local"),
)

# Checks of requests (request_checks.c) --------------------------------------------------------------------------------
CHECK_SHADOW = _function(
    "void __ez_check_shadow(ptr primal, i64 room, ptr shadow, i64 shadow_room, i64 own, ptr what)", _inactive("local")
)
CHECK_IS_ZERO = _function("i64 __ez_check_is_zero(ptr shadow, i64 room)", _inactive("r0 local"))
CHECK_SEED = _function("void __ez_check_seed(i64 is_zero, ptr is_told, ptr what)", _inactive("local"))
CHECK_BEGIN = _function("void __ez_check_begin()", _inactive("local"))
NOTE_NUMBER = _function("void __ez_note_number(f64 number, f64 a, f64 b, ptr where)", _inactive("local"))
CHECK_POINTER = _function("void __ez_check_pointer(ptr pointer, ptr shadow, i64 own, ptr what)", _inactive("local"))
CHECK_NUMBER = _function("void __ez_check_number(f64 derivative, ptr what)", _inactive("local"))
CHECK_MADE = _function("void __ez_check_made(ptr is_told, ptr what)", _inactive("local"))
CHECK_NUMBERS = _function(
    "void __ez_check_numbers(ptr at, i64 bytes, i64 period, i64 offset, i64 length, i64 size, ptr what)",
    _inactive("r0 local"),
)

# Comparisons with differences (differences.c)
DIFFERENCE = _function("ptr __ez_difference(ptr primal, ptr frame, f64 seed, ptr told, ptr what)", _inactive("local"))
DIFFERENCE_OF = _function(
    "void __ez_difference_of(ptr d, ptr at, ptr shadow, i64 bytes, i64 period, i64 offset, i64 length, i64 size)",
    _inactive("r* w0 local"),
)
DIFFERENCE_RUN = _function("void __ez_difference_run(ptr d)", _inactive("local"))
DIFFERENCE_ADJOINT = _function("void __ez_difference_adjoint(ptr d, ptr at, f64 adjoint)", _inactive("local"))
DIFFERENCE_END = _function("void __ez_difference_end(ptr d)", _inactive("local"))

# Requests that are under way, and shadows of memory that a global points at (tape.c) ----------------------------------
IS_OUTERMOST = _function("i64 __ez_is_outermost(i64 round)", _inactive("local"))
REQUEST_BEGIN = _function("i64 __ez_request_begin(i64 round)", _inactive("local"))
REQUEST_END = _function("void __ez_request_end(i64 round, i64 mark)", _inactive("local"))
#: the second stack of the thread (second_stack.c)
SECOND_STACK = _function("ptr __ez_second_stack()")
HEAP_SHADOW = _function(
    "ptr __ez_heap_shadow(ptr pointer, ptr before, ptr found, ptr shadow, ptr made, ptr freed, i64 is_outermost, "
    "i64 clears, ptr allocate, ptr release)"
)
HEAP_CLEAR = _function("void __ez_heap_clear(ptr shadow, ptr made, i64 clears)")
HEAP_SIZE = _function("i64 __ez_heap_size(ptr shadow, ptr made)")
HEAP_BYTES = _function("i64 __ez_heap_bytes(ptr pointer)", _inactive("local"))
HEAP_FREED = _function("void __ez_heap_freed(ptr shadow, ptr place, ptr freed)", _inactive("r1 i2 local"))
HEAP_RENEWED = _function("void __ez_heap_renewed(ptr shadow, ptr freed)", _inactive("r1 i1 local"))

# Memory that a request knows by a name of its own (named_memory.c) ----------------------------------------------------
NAMING_BEGIN = _function("void __ez_naming_begin(ptr site)", _inactive("local"))
NAMED_MEMORY = _function("void __ez_named_memory(ptr start, i64 bytes, ptr shadow, i64 direction)", _inactive("local"))
NAMED_POINTERS = _function(
    "void __ez_named_pointers(ptr start, i64 bytes, ptr shadow, ptr offsets, i64 count, i64 direction)",
    _inactive("local"),
)
FORGET_NAME = _function("void __ez_forget_name(ptr pointer)", _inactive("local"))
NAMING_END = _function("void __ez_naming_end()", _inactive("local"))
REFUSE_OTHER_NAME = _function("void __ez_refuse_other_name(ptr pointer, ptr message)", _inactive("r1 local"))
#: functions of libraries that take handles ask these (toolchain/natives)
NAMED_SHADOW = _function("ptr __ez_named_shadow(ptr pointer, i64 direction)", _inactive("local"))
NAMING_DEPTH = _function("i64 __ez_naming_depth()", _inactive("local"))

# Keys of kept results (kept_results.c) --------------------------------------------------------------------------------
KEYS_BEGIN = _function("void __ez_keys_begin(i64 is_outermost)", _inactive("local"))
KEYS_CLEARED = _function("void __ez_keys_cleared(ptr start, i64 bytes)", _inactive("local"))
KEY_IS_OLD = _function("i64 __ez_key_is_old(i64 is_constant, ptr place, i64 has_result)", _inactive("local"))
KEY_WRITTEN = _function("void __ez_key_written(i64 is_constant, ptr place, i64 bytes)", _inactive("local"))
#: they stand in the primal's code for the question, and access no memory of the program
ABOUT_KEYS = frozenset((KEY_IS_OLD.symbol, KEY_WRITTEN.symbol))

# Shadows of pointers in memory without a shadow (no_shadow.c) --------------------------------------------------------
FOREIGN_BEGIN = _function("void __ez_foreign_begin(i64 is_outermost)")
FOREIGN_STORE = _function("void __ez_foreign_store(i64 is_constant, ptr place, ptr pointer, ptr shadow, i64 direction)")
FOREIGN_LOAD = _function("ptr __ez_foreign_load(i64 is_constant, ptr place, ptr pointer, ptr shadow, i64 direction)")
FOREIGN_ENTER = _function(
    "void __ez_foreign_enter(ptr target, ptr now, ptr shadow, i64 bytes, i64 period, i64 offset, i64 length, "
    "i64 direction)"
)
FOREIGN_COPY = _function(
    "void __ez_foreign_copy(i64 is_constant, ptr to, ptr target, ptr from, ptr now, i64 bytes, i64 direction)"
)

# Shadows of blocks that such pointers lead to (owned_shadows.c) -------------------------------------------------------
OWNED_MADE = _function("void __ez_owned_made(i64 is_constant, ptr block, ptr shadow, ptr release, i64 direction)")
OWNED_FREED = _function("ptr __ez_owned_freed(ptr block, ptr shadow, i64 direction)")

# Shadows of numbers in such memory (no_shadow_numbers.c) ------------------------------------------------------------
FOREIGN_NUMBERS_BEGIN = _function("void __ez_foreign_numbers_begin(i64 is_outermost, ptr globals, i64 number)")
FOREIGN_ARGUMENT = _function("void __ez_foreign_argument(ptr start, i64 bytes)")
FOREIGN_EXPECT = _function("void __ez_foreign_expect(i64 is_constant, ptr place, i64 bytes, i64 direction)")
FOREIGN_NUMBER = _function(
    "ptr __ez_foreign_number(i64 is_constant, ptr shadow, ptr other, i64 bytes, i64 how, i64 direction)"
)
FOREIGN_CLEAR = _function("void __ez_foreign_clear(i64 is_constant, ptr place, i64 bytes, i64 direction)")
FOREIGN_FREE = _function("void __ez_foreign_free(i64 is_constant, ptr memory, i64 direction)")
FOREIGN_MOVE = _function("void __ez_foreign_move(i64 is_constant, ptr to, ptr from, i64 bytes, i64 direction)")
FOREIGN_COPY_NUMBERS = _function(
    "void __ez_foreign_copy_numbers(ptr to, ptr target, ptr from, ptr source, i64 bytes, i64 period, i64 offset, "
    "i64 length, i64 direction)"
)
FOREIGN_LEND = _function(
    "ptr __ez_foreign_lend(i64 is_constant, ptr place, ptr shadow, i64 bytes, i64 is_taken, i64 direction)"
)
FOREIGN_RESTORE = _function("void __ez_foreign_restore(i64 is_constant, ptr place, ptr lent, i64 bytes, i64 direction)")
FOREIGN_COPY_WORDS = _function(
    "void __ez_foreign_copy_words(ptr to, ptr target, ptr from, ptr source, i64 bytes, ptr kinds, i64 count, "
    "i64 direction)"
)
FOREIGN_EXPECT_WORDS = _function(
    "void __ez_foreign_expect_words(i64 is_constant, ptr target, ptr from, ptr source, i64 bytes, ptr kinds, "
    "i64 count, i64 direction)"
)
FOREIGN_REFUSE_ROUTINE = _function(
    "void __ez_foreign_refuse_routine(i64 is_constant, ptr place, i64 is_lost, ptr message)", _inactive("r1 local")
)
# the same of routines of libraries (no_shadow_routines.c)
ROUTINE_TOUCHES = _function("void __ez_routine_touches(ptr argument, i64 place, i64 bytes)")
ROUTINE_LENDS = _function("void __ez_routine_lends(ptr arguments, i64 count, i64 is_active, i64 directions)")
ROUTINE_LEND = _function("void __ez_routine_lend(ptr arguments, i64 count, i64 direction)")
ROUTINE_RETURNS = _function("void __ez_routine_returns(ptr arguments, i64 count, i64 direction)")
FOREIGN_REFUSE = _function(
    "void __ez_foreign_refuse(i64 is_constant, ptr place, i64 bytes, ptr message, i64 direction)"
)

# Calls by which stand-ins inform the analyses, and helpers of stand-ins (tape.c, sort_order.c) ------------------------
PRIMAL_ONLY = _function("void __ez_primal_only(ptr function)", _inactive("r* local"))
BEYOND_STAND_IN = _function(
    "void __ez_beyond_stand_in(ptr function)", EffectsNotation.parse("r*").known(CalleeKind.NORETURN)
)
MARK_POINTER = _function("void __ez_mark_pointer(ptr memory, i64 bytes)", _inactive("r* local"))
ALIKE = _function("i64 __ez_alike(i64 distance)", Known(CalleeKind.INACTIVE, pure=True))
OTHER_TYPE = _function("i64 __ez_other_type(i64 given, i64 expected)", Known(CalleeKind.INACTIVE, pure=True))
LEND = _function("void __ez_lend(ptr copy, ptr descriptor, i64 bytes)", _inactive("r* i0 local"))
LEND_GROUP = _function("ptr __ez_lend_group(ptr group, ptr fresh, i64 count)", _inactive("r* local"))
FREE_GROUP = _function("void __ez_free_group(ptr group)", _inactive("r0 i0"))
RANDOM_BYTES = _function("i64 __ez_random_bytes(ptr to, i64 size, i32 flags)", _inactive("i0 local"))
ENTROPY = _function("i32 __ez_entropy(ptr to, i64 size)", _inactive("i0 local"))
OVERWRITTEN = _function("void __ez_overwritten(ptr place)", _inactive("w0 local"))
OVERWRITTEN_STORAGE = _function("void __ez_overwritten_storage(ptr place, i64 bytes)", _inactive("w0 i1 local"))
IS_UNREAD_LONG = _function("i32 __ez_is_unread_long(ptr fresh)", _inactive("r0 local"))
#: of a text of Fortran (characters.c)
BLANKS = _function("i64 __ez_blanks(ptr text, i64 bytes, i64 width, i64 at_end)", _inactive("r0 local"))
#: functions that call comparators of the program; these change no numbers
ORDER = _function("void __ez_order(ptr base, i64 n, i64 size, ptr compare, ptr order)", _inactive("r* w* i0 i4 i5"))
ORDER_R = _function(
    "void __ez_order_r(ptr base, i64 n, i64 size, ptr compare, ptr argument, ptr order)", _inactive("r* w* i0 i4 i5")
)

# Numbers in texts, with --enzyme-follow-text (text.c) -----------------------------------------------------------------
TEXT_PRINT = _function(
    "i32 __ez_text_print(ptr to, i64 size, ptr format, ptr list, ptr found)", _inactive("r* w0 i4 local")
)
TEXT_NUMBER = _function("f64 __ez_text_number(ptr text, ptr end)", _inactive("r0 w1"))
TEXT_FLOAT = _function("f32 __ez_text_float(ptr text, ptr end)", _inactive("r0 w1"))
TEXT_CONSTANT = _function("f64 __ez_text_constant(f64 x)", Known(CalleeKind.INACTIVE, pure=True))
TEXT_WROTE = _function("void __ez_text_wrote(ptr places, ptr place, ptr number)", _inactive("r0 r1 i0 i2 local"))
TEXT_READ = _function(
    "void __ez_text_read(ptr places, ptr text, f64 value, ptr number)", _inactive("r0 r1 i0 i3 local")
)

# Numbers in files (files.c) -------------------------------------------------------------------------------------------
# What is read goes to memory of its own, where no number carries a derivative (`i`).
FILE_BEGIN = _function("void __ez_file_begin()")
FILE_WRITE = _function(
    "i64 __ez_file_write(ptr from, i64 size, i64 count, ptr file, i64 unit, ptr place)", _inactive("m0 r3 i5 local")
)
FILE_READ = _function(
    "i64 __ez_file_read(ptr to, i64 size, i64 count, ptr file, i64 unit, ptr kept, ptr place)",
    _inactive("r3 r5 i0 i6 local"),
)
FILE_PUT = _function(
    "i64 __ez_file_put(i32 descriptor, ptr from, i64 size, i64 offset, i64 unit, ptr place)", _inactive("m1 i5 local")
)
FILE_GET = _function(
    "i64 __ez_file_get(i32 descriptor, ptr to, i64 size, i64 offset, i64 unit, ptr kept, ptr place)",
    _inactive("r5 i1 i6 local"),
)
FILE_PLACE = _function("i64 __ez_file_place(ptr kept, i64 at, i64 size)", _inactive("r0 local"))
# The same of streams of C++ (streams.c).
STREAM_WRITE = _function(
    "void __ez_stream_write(ptr stream, ptr from, i64 size, i64 unit, ptr place)", _inactive("m1 r0 w0 i4 local")
)
STREAM_READ = _function("i64 __ez_stream_read(ptr stream, ptr to, i64 size, ptr start)", _inactive("r0 w0 i1 i3 local"))
STREAM_TEXT = _function("ptr __ez_stream_text(ptr stream, ptr size)", _inactive("r0 i1 local"))
STREAM_PART = _function(
    "i64 __ez_stream_part(i64 k, ptr stream, i64 start, i64 size, ptr read, i64 unit, ptr kept, ptr found)",
    _inactive("r* i7 local"),
)
# These end the program if they read bytes of a number.
FILE_CHARACTER = _function("i32 __ez_file_character(ptr file)", _inactive("r0 local"))
FILE_LINE = _function("ptr __ez_file_line(ptr to, i32 size, ptr file)", _inactive("r2 w0 =0 local"))
FILE_TEXT = _function("i64 __ez_file_text(ptr line, ptr room, i32 last, ptr file)", _inactive("r0 r3 w0 w1"))

# Checkpoints: memory that a step accesses is kept, and steps run again (touched.c, touched_loops.c) -------------------
CHECKPOINT_TOUCH = _function("void __ez_checkpoint_touch(ptr place, i64 size, i32 writes)")
CHECKPOINT_FOLLOWED = _function("void __ez_checkpoint_followed(ptr place)")
CHECKPOINT_ALLOCATED = _function("void __ez_checkpoint_allocated(ptr memory, i64 size)")
CHECKPOINT_FREED = _function("void __ez_checkpoint_freed(ptr memory)")
CHECKPOINT_UNKNOWN = _function("void __ez_checkpoint_unknown()")
CHECKPOINT_FORWARD = _function(
    "ptr __ez_checkpoint_forward(ptr watched, ptr name, ptr closure, ptr shadow, i64 bytes, i64 numbers, i64 steps, "
    "i64 states)"
)
CHECKPOINT_BACKWARD = _function("ptr __ez_checkpoint_backward(ptr tape, ptr step, ptr gradient)")
CHECKPOINT_COPY = _function("ptr __ez_checkpoint_copy(ptr tape, ptr shadow)")
CHECKPOINT_END = _function("void __ez_checkpoint_end(ptr tape)")

# A function runs again, from the same memory as the first time (touched_again.c) --------------------------------------
AGAIN_BEGIN = _function("ptr __ez_again_begin(ptr name)")
AGAIN_DONE = _function("void __ez_again_done(ptr record)")
AGAIN_REWIND = _function("void __ez_again_rewind(ptr record)")
AGAIN_END = _function("void __ez_again_end(ptr record)")
AGAIN_INPUTS = _function("void __ez_again_inputs(ptr record, ptr tape)")
AGAIN_ENTER = _function("void __ez_again_enter(ptr tape)")
AGAIN_LEAVE = _function("void __ez_again_leave(ptr tape)")

# Regions of threads (teams.c; rules/parallel/openmp.py has the duals) -------------------------------------------------
_ORDERS = replace(_inactive("r* local"), orders=True)
TEAM_OPEN = _function("ptr __ez_team_open(ptr arena, i64 flags)")
TEAM_JOIN = _function("ptr __ez_team_join(ptr team)")
TEAM_LEAVE_MEMBER = _function("void __ez_team_leave_member(ptr member, ptr tape)")
TEAM_REVERSE = _function("void __ez_team_reverse(ptr place, ptr team, ptr start, ptr frame)")
TEAM_NEXT = _function("ptr __ez_team_next(ptr team, ptr member)")
TEAM_TAPE = _function("ptr __ez_team_tape(ptr member)")
TEAM_IS_ONE = _function("i64 __ez_team_is_one()")
TEAM_IS_APART = _function("i64 __ez_team_is_apart(ptr team)")
TEAM_REACHES = _function("void __ez_team_reaches(ptr member, i64 count)")
TEAM_REACHED = _function("void __ez_team_reached(ptr member, i64 number, i64 lowest, i64 end)")
TEAM_ZONE_START = _function("i64 __ez_team_zone_start(i64 number)")
TEAM_ZONE_SIZE = _function("i64 __ez_team_zone_size(i64 number)")
TEAM_COPY = _function("ptr __ez_team_copy(ptr copy, ptr shadow, i64 low, i64 high, i64 size, i64 is_wanted)")
TEAM_USED = _function("void __ez_team_used(ptr copy, i64 bytes)")
TEAM_FLUSH = _function("void __ez_team_flush(ptr copy)")
TEAM_DROP = _function("void __ez_team_drop(ptr copy)")
TEAM_TABLES = _function("ptr __ez_team_tables()")
TEAM_USE_TABLES = _function("ptr __ez_team_use_tables(ptr tables)")
TEAM_LEAVE_TABLES = _function("void __ez_team_leave_tables(ptr before)")
TEAM_TOOK_TABLES = _function("void __ez_team_took_tables()")
TEAM_REQUEST = _function("void __ez_team_request(i64 is_outermost)")
TEAM_IS_NEW = _function("i64 __ez_team_is_new()")
TEAM_ALONE = _function("void __ez_team_alone(ptr what)", _inactive("r0 local"))
#: by the type: adds to a number, to which other threads may add at the same time if `is_alone` is zero
TEAM_ADDITIONS: dict[Type, RuntimeFunction] = {
    DOUBLE: _function("void __ez_team_add_f64(ptr place, f64 number, i64 is_alone)"),
    FLOAT: _function("void __ez_team_add_f32(ptr place, f32 number, i64 is_alone)"),
}
#: the adjoint of a copy of numbers, where other threads add to the shadow of the source
TEAM_COPY_ADJOINTS = {
    suffix: _function(
        f"void __ez_team_copy_adjoint_{suffix}(ptr to, ptr from, i64 bytes, i64 period, i64 offset, i64 length)"
    )
    for suffix in ("f64", "f32")
}
TEAM_BARRIER = _function("void __ez_team_barrier(ptr place)", _ORDERS)
TEAM_BARRIER_BACK = _function("void __ez_team_barrier_back(ptr place)")
TEAM_WAIT = _function("void __ez_team_wait(ptr place, i64 kind)", _ORDERS)
TEAM_WAIT_TAPED = _function("void __ez_team_wait_taped(ptr place, i64 kind)")
TEAM_WAIT_BACK = _function("void __ez_team_wait_back()")
TEAM_TASK = _function("void __ez_team_task(i32 thread, ptr task, ptr routine)")
TEAM_DEPENDS = _function("void __ez_team_depends(i32 count, ptr first, i32 others, ptr more)", _inactive("r1 r3 local"))
TEAM_HOLD_LIST = _function("void __ez_team_hold_list()", _ORDERS)
TEAM_RELEASE_LIST = _function("void __ez_team_release_list()", _ORDERS)
TASK_MAKE = _function("ptr __ez_task_make(ptr arena, ptr start, ptr reverse, ptr frame, ptr reverse_frame)")
TASK_DONE = _function("void __ez_task_done(ptr task, ptr tape)")
TASK_BACK = _function("void __ez_task_back(ptr task)")
TEAM_ENTER = _function("i64 __ez_team_enter(ptr place, ptr lock, i64 kind)", _ORDERS)
TEAM_LEAVE = _function("i64 __ez_team_leave(ptr place, ptr lock, i64 kind)", _ORDERS)
TEAM_ENTER_TO_ADD = _function("i64 __ez_team_enter_to_add(ptr place, ptr lock, i64 kind)", _ORDERS)
TEAM_LEAVE_ADDED = _function("i64 __ez_team_leave_added(ptr place, ptr lock, i64 kind)", _ORDERS)
TEAM_BARRIER_TAPED = _function("void __ez_team_barrier_taped(ptr place)")
TEAM_ENTER_TAPED = _function("i64 __ez_team_enter_taped(ptr place, ptr lock, i64 kind)")
TEAM_LEAVE_TAPED = _function("i64 __ez_team_leave_taped(ptr place, ptr lock, i64 kind)")
TEAM_ENTER_BACK = _function("void __ez_team_enter_back(ptr lock, i64 ticket)")
TEAM_LEAVE_BACK = _function("void __ez_team_leave_back(ptr lock, i64 ticket)")

# Threads that wait for each other (runtime/thread_fibers.c) -----------------------------------------------------------
FIBER_MAKE = _function("ptr __ez_fiber_make(ptr arena, ptr start, ptr reverse, ptr frame, ptr reverse_frame)")
FIBER_DONE = _function("void __ez_fiber_done(ptr fiber, ptr tape)")
FIBER_ARENA = _function("ptr __ez_fiber_arena(ptr fiber)")
FIBER_TAPE = _function("ptr __ez_fiber_tape(ptr fiber)")
FIBER_BACK = _function("void __ez_fiber_back(ptr fiber)")
FIBER_CALL = _function("void __ez_fiber_call(ptr routine, ptr frame, ptr function, ptr argument)")
FIBER_WAIT = _function("i64 __ez_fiber_wait(i64 kind, ptr address, i64 value)", _ORDERS)
FIBER_WAIT_TAPED = _function("i64 __ez_fiber_wait_taped(i64 kind, ptr address, i64 value)")
FIBER_WAIT_BACK = _function("void __ez_fiber_wait_back(i64 ticket)")
FIBER_ALL_ENDED = _function("void __ez_fiber_all_ended()")
FIBER_IS_LATE = _function("i64 __ez_fiber_is_late()", _inactive())
FIBER_NAME = _function("void __ez_fiber_name(i64 name)", _inactive())
FIBER_SELF = _function("i64 __ez_fiber_self()", _inactive())
FIBER_HOLD = _function("void __ez_fiber_hold(ptr lock, i64 is_shared)", _inactive("local"))
FIBER_RELEASE = _function("void __ez_fiber_release(ptr lock)", _inactive("local"))
FIBER_IS_HELD = _function("i64 __ez_fiber_is_held(ptr lock, i64 is_shared)", _inactive("local"))
FIBER_WAKE = _function("void __ez_fiber_wake(ptr address, i64 all)", _inactive("local"))
FIBER_ARRIVE = _function("i64 __ez_fiber_arrive(ptr barrier, i64 count)", _inactive("local"))

# Exceptions (runtime/unwinding.c) -------------------------------------------------------------------------------------
UNWIND_CATCHES = _function("i32 __ez_unwind_catches(ptr handler, ptr type, ptr object)", _inactive("r0 r1 r2 local"))
UNWIND_DISTANCE = _function("i64 __ez_unwind_distance(ptr handler, ptr type, ptr object)", _inactive("r0 r1 r2 local"))
UNWIND_KEEP = _function("void __ez_unwind_keep(ptr header)")
UNWIND_KEPT = _function("ptr __ez_unwind_kept()", _inactive())
UNWIND_TYPE = _function("ptr __ez_unwind_type(ptr object)", _inactive())
UNWIND_CONSTANT = _function("ptr __ez_unwind_constant(ptr object)", _inactive())
UNWIND_HOLD = _function("void __ez_unwind_hold(ptr object, ptr type)", _inactive())
UNWIND_STAY = _function("void __ez_unwind_stay(ptr object)", _inactive())
UNWIND_IS_INDIRECT = _function("i64 __ez_unwind_is_indirect(ptr type)", _inactive())
UNWIND_FREE = _function("void __ez_unwind_free(ptr object)", _FREE)
UNWIND_RELEASE = _function("void __ez_unwind_release(ptr object)", _FREE)
UNWIND_DISOWN = _function("void __ez_unwind_disown(ptr object)", Known(CalleeKind.FREE, writes=(0,), shadow_only=True))
UNWIND_ESCAPE = _function("void __ez_unwind_escape(ptr object, ptr type, ptr destroy, i64 indirect)", _inactive())
UNWIND_ESCAPED = _function("ptr __ez_unwind_escaped()", _inactive())
UNWIND_ESCAPED_TYPE = _function("ptr __ez_unwind_escaped_type()", _inactive())
UNWIND_ESCAPED_DESTRUCTOR = _function("ptr __ez_unwind_escaped_destructor()", _inactive())
UNWIND_ESCAPED_INDIRECT = _function("i64 __ez_unwind_escaped_indirect()", _inactive())
UNWIND_DROP_TAPE = _function("void __ez_unwind_drop_tape(ptr tape)")
UNWIND_TERMINATE = _function("void __ez_unwind_terminate()", _NORETURN)

# Exceptions: stand-ins, which are differentiated (stand_ins/unwinding.c) ----------------------------------------------
UNWIND_THROW = _function("void __ez_unwind_throw(ptr object, ptr type, ptr destroy, i64 indirect, ptr unwinding)")
UNWIND_ADOPT = _function("void __ez_unwind_adopt(ptr unwinding)")
UNWIND_READOPT = _function("void __ez_unwind_readopt(ptr unwinding)")
UNWIND_MATCH = _function("i32 __ez_unwind_match(ptr exception, ptr handler, i64 is_pointer)")
UNWIND_OBJECT = _function("ptr __ez_unwind_object(ptr exception)")
UNWIND_BEGIN = _function("ptr __ez_unwind_begin(ptr exception, ptr unwinding)")
UNWIND_END = _function("void __ez_unwind_end(ptr unwinding)")
UNWIND_RETHROW = _function("void __ez_unwind_rethrow(ptr unwinding)")
UNWIND_UNCAUGHT = _function("i32 __ez_unwind_uncaught(ptr unwinding)")
UNWIND_IS_UNCAUGHT = _function("i1 __ez_unwind_is_uncaught(ptr unwinding)")
UNWIND_KEEP_CAUGHT = _function("void __ez_unwind_keep_caught(ptr pointer, ptr unwinding)")
UNWIND_THROW_KEPT = _function("void __ez_unwind_throw_kept(ptr pointer, ptr unwinding)")
UNWIND_LEAVE = _function("void __ez_unwind_leave(ptr unwinding)")

# Reports of precision (precision_report.c) ----------------------------------------------------------------------------
NOTE_ERROR = _function("void __ez_note_error(ptr line, f64 got, f64 wanted)", _inactive("r0 w0"))
REPORT_ESTIMATE = _function(
    "void __ez_report_estimate(ptr function, ptr places, ptr errors, i64 count)", _inactive("r0 r1 r2 w2")
)

# The report of tapes (tape_report.c) ------------------------------------------------------------------------------
NOTE_TAPE = _function("void __ez_note_tape(ptr line, i64 bytes)", _inactive("r0 w0"))

# The profile of calls through pointers (functions_called.c) -----------------------------------------------------------
NOTE_CALL = _function("void __ez_note_call(ptr function)", _inactive())
BEGIN_NOTING = _function("void __ez_begin_noting()", _inactive())
END_NOTING = _function("void __ez_end_noting()", _inactive())
#: the table of functions with their lines in the profile
NAMED_FUNCTIONS = "__ez_named_functions"
#: is defined if a profile said which functions calls through pointers may reach (functions.c)
USED_CALLS = "__ez_used_calls"
#: globals that the runtime declares and the link may define
DEFINED_BY_LINK = frozenset([FUNCTIONS_TABLE, NAMED_FUNCTIONS, USED_CALLS])

# Floating-point formats of truncated code (formats.c); runtimes.py has the derivatives --------------------------------
_PURE = "nounwind willreturn memory(none)"
ROUND_TO = _function("f64 __ez_round_to(f64 x, i32 exponent_bits, i32 mantissa_bits)", attributes=_PURE)
#: by the name of the instruction or of the rule: the operation in a format
IN_FORMAT = {
    "fadd": _function("f64 __ez_format_add(f64 a, f64 b, i32 exponent_bits, i32 mantissa_bits)", attributes=_PURE),
    "fmul": _function("f64 __ez_format_multiply(f64 a, f64 b, i32 exponent_bits, i32 mantissa_bits)", attributes=_PURE),
    "fdiv": _function("f64 __ez_format_divide(f64 a, f64 b, i32 exponent_bits, i32 mantissa_bits)", attributes=_PURE),
    "sqrt": _function("f64 __ez_format_root(f64 a, i32 exponent_bits, i32 mantissa_bits)", attributes=_PURE),
    "fma": _function(
        "f64 __ez_format_fused(f64 a, f64 b, f64 c, i32 exponent_bits, i32 mantissa_bits)", attributes=_PURE
    ),
}
