"""Every program with sets of flags that change what the compiler writes: it must still find itself right."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import CLANG, FORTRAN, Builder
from .test_programs import PROGRAMS, name

pytestmark = pytest.mark.flags

SETS = {
    "lto": ("-O2", "-flto"),
    "thin-lto": ("-O2", "-flto=thin"),
    "size": ("-Os",),
    "smallest": ("-Oz",),
    "shared": ("-O2", "-fPIC", "-shared"),
    "debug": ("-O0", "-g"),
    "debug-optimised": ("-O2", "-g"),
    "debuggable": ("-Og", "-g"),
    "sanitized": ("-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"),
    "sanitized-unoptimised": ("-O0", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"),
    "profiled": ("-O1", "-fprofile-instr-generate", "-fcoverage-mapping"),
    "coverage": ("-O0", "--coverage"),
    "untyped": ("-O2", "-fno-strict-aliasing"),
    "uninlined": ("-O2", "-fno-inline"),
    "unbuilt": ("-O2", "-fno-builtin"),
    "rounding": ("-O2", "-frounding-math", "-ftrapping-math"),
    "hardened": tuple(
        "-O2 -g -D_FORTIFY_SOURCE=3 -fstack-protector-strong -fstack-clash-protection -fcf-protection -fwrapv"
        " -ftrivial-auto-var-init=zero -ffunction-sections -fdata-sections -fno-plt -fvisibility=hidden".split()
    ),
    "native": ("-O3", "-march=native"),
    "fast-math": ("-O2", "-ffast-math"),
    "checked": ("-O2", "-g", "--enzyme-check"),
}
#: with -flto, some programs are refused, unless the bitcode also holds what it was before inlining (a vectorised loop
#: compares its pointers, of which one may be null: EZ0203)
LTO = ("lto", "thin-lto")
REFUSED_AFTER_INLINING = dict.fromkeys(LTO, ("EZ0203", "EZ0204", "EZ0212", "EZ0303", "EZ0304"))
BEFORE_INLINING = ("-Xclang", "-fembed-bitcode=all")
#: programs that LLVM changes before the link, without a trace: it makes a constant of a static variable that no code of
#: the program writes, and variables of the elements of an array of pointers
CHANGED_BEFORE_LINK = {
    (lto, name) for lto in LTO for name in ("shadow_of_global_read_outside", "nested_globals_outside")
}
#: flang has no instrumentation, and warns that it ignores other options
FOR_FORTRAN = {"lto", "thin-lto", "shared", "debug", "debug-optimised", "native", "fast-math"}

#: programs that mean something else with a set: -ffast-math lets LLVM take (x + C) - C for x, which rounds x, and
#: x - (n*C + n*D) for (x - n*C) - n*D, which reduces an angle, rounds what runs again otherwise, and what other formats
#: are compared with, has no rounding modes, and divides complex numbers without scaling; checks of a pointer keep a
#: write that nobody needs; functions with counters do not run again; the address sanitizer ends a program where `new`
#: would throw
OTHER_MEANING = {
    *(("fast-math", name) for name in ("bits_exponent", "bits_of_vectors", "words_by_casts", "words_of_numbers")),
    *(("fast-math", name) for name in ("checkpoint_attribute", "random_choices", "rounding_modes", "tiny_divisors")),
    *(("fast-math", f"truncate_{name}") for name in ("program_without_requests", "template")),
    *(("fast-math", f"truncate_to_{name}") for name in ("float", "many_bits", "widths")),
    *(("sanitized", name) for name in ("stored_results", "exceptions_of_allocation")),
    *(("sanitized-unoptimised", name) for name in ("stored_results", "exceptions_of_allocation")),
    *((counting, "stored_results") for counting in ("profiled", "coverage")),
}

#: programs of which instrumentation makes so much that LLVM's O2 takes half an hour
TOO_LONG = {("sanitized-unoptimised", "text_left_out")}

#: what the link or the run may say of programs that instrumentation hides from the analyses, of words that nothing but
#: declared types tells, of memory that only functions stand for, which has no address that a sanitizer could check, of
#: a null pointer, which one compares, and of blocks whose addresses code outside of a shared library may have, too: it
#: sees the module variables
REFUSED = {
    ("shared", "module_arrays_made_outside"): "EZ0306",
    ("untyped", "copies_of_all_precisions"): "EZ0303",
    **{("untyped", name): "EZ0304" for name in ("flags_chosen", "flags_then_numbers")},
    **{("untyped", name): "EZ0304" for name in ("flags_in_variants", "union_packed_or_popped")},
} | {
    (flags, name): refusal
    for flags in ("sanitized", "sanitized-unoptimised")
    for name, refusal in {
        "vectors_that_stay": "EZ0306",
        "dense_memory": "EZ0216",
        "marker_dupnoneed_null": "EZ0203",
        "forward_requests": "EZ0203",
        "sparse_jacobian": "EZ0203",
        "constant_handles": "EZ0306",
        "checkpoint_attribute": "EZ0211",
        **dict.fromkeys(("tags_in_pointers", "words_by_casts", "words_of_numbers"), "EZ0304"),
        **dict.fromkeys(("values_of_interpreters", "optional_variant"), "EZ0304"),
        **dict.fromkeys(("recursive_variants", "flags_in_variants"), "EZ0304"),
    }.items()
}


@pytest.mark.parametrize("program", PROGRAMS, ids=name)
@pytest.mark.parametrize("flags", SETS)
def test_gradient(builder: Builder, program: Path, flags: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if is_fortran(program) and flags not in FOR_FORTRAN:
        pytest.skip("not for Fortran")
    if (flags, program.stem) in OTHER_MEANING:
        pytest.skip("another program with these flags")
    if (flags, program.stem) in TOO_LONG:
        pytest.skip("LLVM takes too long")
    monkeypatch.setenv("ASAN_OPTIONS", "detect_leaks=0")  # test_memory_is_sound looks for leaks
    built = builder.build(program, *SETS[flags])
    if (flags, program.stem) in CHANGED_BEFORE_LINK or any(
        id_ in built.text for id_ in REFUSED_AFTER_INLINING.get(flags, ())
    ):
        built = builder.build(program, *SETS[flags], *BEFORE_INLINING)
    refusal = REFUSED.get((flags, program.stem))
    if refusal is not None and built.status:
        assert refusal in built.text
        return
    assert built.status == 0, built.text
    if flags == "shared":
        load(builder)
    done = builder.run("./program")
    assert done.status == 0 or (refusal is not None and refusal in done.text), done.text


def is_fortran(program: Path) -> bool:
    return program.suffix in FORTRAN or (program.is_dir() and any(path.suffix in FORTRAN for path in program.iterdir()))


def load(builder: Builder) -> None:
    """Makes a program of the library that was built: its main is the library's."""
    (builder.folder / "program").rename(builder.folder / "libprogram.so")
    linked = builder.run(CLANG, "libprogram.so", "-Wl,-rpath,.", "-o", "program")
    assert linked.status == 0, linked.text
