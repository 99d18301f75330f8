"""Library functions: their kinds, what they touch, and which of them may be computed twice."""

from __future__ import annotations

import pytest

from enzyme_cc.rules import inactive
from enzyme_cc.rules import memory_functions as memory
from enzyme_cc.rules.knowledge import CalleeKind, EffectsNotation
from enzyme_cc.rules.library_functions import is_pure, known
from enzyme_cc.rules.streams import channels
from enzyme_cc.rules.table import lookup

KINDS = {
    "inactive": """
        __fread_chk __pread64_chk __wcscpy_chk __fdelt_chk
        printf __printf_chk vfprintf fflush strlen strcmp atoi getenv time clock_gettime rand __ctype_b_loc
        __errno_location pthread_mutex_lock __cxa_guard_acquire setlocale isalpha
        _ZNSo9_M_insertIdEERSoT_ _ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc
        _ZSt16__ostream_insertIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PKS3_l
        _ZNSt8ios_base4InitC1Ev _ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_appendEPKcm
        _ZNSt12future_errorD1Ev _ZNSt13runtime_errorC1EPKc _ZNSt6chrono3_V212system_clock3nowEv
        _ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm
        _FortranAioBeginExternalListOutput _FortranAioOutputReal64 _FortranAioEndIoStatement _FortranAProgramStart
        _RNvNtNtCsjrHSEGnQ3l9_3std2io5stdio6__print
        _RNvCsfLfy6EI15iL_7___rustc35___rust_no_alloc_shim_is_unstable_v2
        llvm.lifetime.start.p0 llvm.lifetime.end.p0 llvm.assume llvm.dbg.value llvm.dbg.declare llvm.umin.i32
        llvm.smax.v4i32 llvm.ctpop.i64 llvm.fshl.i32 llvm.usub.sat.i32 llvm.sadd.with.overflow.i32 llvm.bswap.i16
        llvm.experimental.noalias.scope.decl llvm.donothing llvm.prefetch.p0 llvm.expect.i1 llvm.objectsize.i64.p0
        llvm.is.constant.f64 llvm.va_start.p0 llvm.vector.reduce.add.v4i32 llvm.abs.i64 llvm.invariant.start.p0
    """,
    "allocate": """
        malloc calloc aligned_alloc posix_memalign memalign strdup _Znwm _Znam _ZnwmRKSt9nothrow_t
        _ZnwmSt11align_val_t __rust_alloc __rust_alloc_zeroed
        _RNvCsfLfy6EI15iL_7___rustc12___rust_alloc _RNvCsfLfy6EI15iL_7___rustc19___rust_alloc_zeroed
    """,
    "free": """
        free _ZdlPv _ZdlPvm _ZdaPv _ZdaPvm _ZdlPvSt11align_val_t _ZdlPvmSt11align_val_t __rust_dealloc
        _RNvCsfLfy6EI15iL_7___rustc14___rust_dealloc
    """,
    "reallocate": "realloc reallocarray __rust_realloc _RNvCsfLfy6EI15iL_7___rustc14___rust_realloc",
    "copy": """
        memcpy memmove mempcpy bcopy __memcpy_chk __memmove_chk llvm.memcpy.p0.p0.i64 llvm.memmove.p0.p0.i64
        llvm.memcpy.inline.p0.p0.i64
    """,
    "fill": "memset bzero __memset_chk llvm.memset.p0.i64 llvm.memset.inline.p0.i64",
    "noreturn": """
        abort exit _exit __assert_fail longjmp __longjmp_chk __cxa_throw _ZSt20__throw_length_errorPKc
        _ZSt24__throw_out_of_range_fmtPKcz _FortranAStopStatement llvm.trap
        _RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check
        _RNvNtCslNYArtu3iFV_5alloc7raw_vec12handle_error
    """,
    "stack": "llvm.stacksave.p0 llvm.stackrestore.p0",
}
_TABLES = [inactive.INACTIVE, inactive.NORETURN, inactive.INACTIVE_INTRINSICS]


@pytest.mark.parametrize(("kind", "names"), KINDS.items())
def test_kinds(kind: str, names: str) -> None:
    found = {name: row and row.kind.name.lower() for name in names.split() for row in [known(name)]}
    assert {name: got for name, got in found.items() if got != kind} == {}


@pytest.mark.parametrize("name", "qsort pthread_create dgemm_ foo llvm.masked.load.v4f64.p0 strtodx".split())
def test_what_is_not_known_is_said_so(name: str) -> None:
    assert known(name) is None


def test_math_functions_are_left_to_the_rules() -> None:
    for name in ("sin", "floor", "lrint", "llvm.fabs.f64", "llvm.powi.f64.i32", "cexp", "_FortranAModReal8", "isnan"):
        assert known(name) is None and lookup(name) is not None


@pytest.mark.parametrize("table", _TABLES, ids=["inactive", "noreturn", "intrinsics"])
def test_no_name_is_both_a_rule_and_known(table: dict[str, str]) -> None:
    prefix = "llvm." if table is inactive.INACTIVE_INTRINSICS else ""
    names = [prefix + name for row in table for name in row.split()]
    assert [name for name in names if lookup(name) is not None] == []
    assert len(names) == len(set(names))


def test_sizes_of_allocations() -> None:
    sizes = {"malloc": (0,), "calloc": (0, 1), "aligned_alloc": (1,), "posix_memalign": (2,), "_Znwm": (0,)}
    for name, operands in (sizes | {"reallocarray": (1, 2), "__rust_realloc": (3,)}).items():
        row = known(name)
        assert row is not None and row.size_operands == operands, name


def test_each_allocation_names_a_function_that_frees() -> None:
    names = [*memory.MEMORY, *memory.RUST_ALLOCATOR, "_RNvCs1_7___rustc12___rust_alloc"]
    for name in names:
        row = known(name)
        assert row is not None
        if row.kind in (CalleeKind.ALLOCATE, CalleeKind.REALLOCATE) and not row.arena:
            release = known(row.release)
            assert release is not None and release.kind is CalleeKind.FREE, name


def test_a_mangled_allocator_is_freed_by_its_own_crate() -> None:
    row = known("_RNvCsfLfy6EI15iL_7___rustc12___rust_alloc")
    assert row is not None and row.release == "_RNvCsfLfy6EI15iL_7___rustc14___rust_dealloc"
    assert row.release_operands == (-1, 0, 1)


def test_operands_of_copies() -> None:
    copy, backwards = known("memcpy"), known("bcopy")
    assert copy is not None and (copy.target, copy.source, copy.length) == (0, 1, 2)
    assert backwards is not None and (backwards.target, backwards.source, backwards.length) == (1, 0, 2)


def test_effects() -> None:
    for name, reads, writes, result in (
        ("strlen", (0,), "none", None),
        ("strcpy", (1,), (0,), 0),
        ("printf", "any", "none", None),
        ("sprintf", "any", (0,), None),
        ("fread", "none", (0,), None),
        ("sscanf", "any", "any", None),
        ("memcpy", (1,), (0,), 0),
        ("llvm.memset.p0.i64", "none", (0,), None),
        ("posix_memalign", "none", (0,), None),
    ):
        row = known(name)
        assert row is not None and (row.reads, row.writes, row.result) == (reads, writes, result), name


def test_an_effect_of_another_form_is_refused() -> None:
    with pytest.raises(ValueError, match="not an effect: x1"):
        EffectsNotation.parse("r0 x1")


@pytest.mark.parametrize(
    "name", "sin sinf llvm.sin.v2f64 llvm.frexp.f64.i32 llvm.umin.i32 abs cexp _FortranAModReal8 pow".split()
)
def test_pure(name: str) -> None:
    assert is_pure(name)


@pytest.mark.parametrize("name", "frexp modf sincos remquo lgammaf_r cexpl malloc printf rand strlen qsort".split())
def test_not_pure(name: str) -> None:
    assert not is_pure(name)


@pytest.mark.parametrize("name", "fprintf fwprintf swprintf vsnprintf vdprintf asprintf".split())
def test_checked_functions_write_to_the_same_channel(name: str) -> None:
    checked = f"__{name}_chk"
    assert channels.channel_written(checked) == channels.channel_written(name) is not None
    assert channels.stream_written(checked) == channels.stream_written(name)


def test_checked_reads_have_their_channels() -> None:
    """The stream of fread stands behind the size of the memory."""
    assert [channels.channel_read(name) for name in ("fread", "__fread_chk")] == [3, 4]
    assert channels.channel_read("__pread_chk") == channels.channel_read("pread") == channels.DESCRIPTORS
