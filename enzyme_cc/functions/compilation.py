"""Builds a differentiable function: from sources objects, from objects an interface, from both entry points."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from msgspec import Struct

from enzyme_cc.report.spelling import did_you_mean

from .array_signature import parse
from .errors import CompileError, SignatureError
from .interface import Interface, join
from .prototype import CPrototype, LibraryVariable
from .sources import (
    COMPILER,
    CXX,
    FORTRAN,
    IR,
    LINKED,
    RUST,
    BuildRequest,
    C,
    ObjectFiles,
    SourceFile,
    is_shared_library,
    tool,
)

#: A shared library that refers to its own symbols first. Otherwise, functions and variables of Python, libc and libm
#: with the same name (`gamma`, `error`, `timezone`) take their places when it is loaded.
SHARED = ("-shared", "-Wl,-Bsymbolic", "-Wl,--enzyme-no-library-units")
_OPTIONS = ["-O2", "-g", "-fPIC"]
_LINK_FLAGS = ("-l", "-L", "-Wl,", "-fuse-ld", "-fsanitize", "-fopenmp", "-stdlib", "--enzyme-", "--target", "-pthread")


class Toolchain(Struct, frozen=True):
    """Runs compilers; `show` is given each command before it runs."""

    show: Callable[[Sequence[str]], None] = lambda command: None

    def run(self, command: Sequence[str], folder: str | None = None) -> None:
        """Runs a compiler. Raises `CompileError` if it fails."""
        self.show(command)
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", cwd=folder, stdin=subprocess.DEVNULL
        )
        if done.returncode != 0:
            raise CompileError(done.stderr + done.stdout, command)


def compile_sources(request: BuildRequest, folder: str, tools: Toolchain) -> ObjectFiles:
    """Compiles the sources into `folder`, several at once. Fortran's go one after the other, since modules come first.

    Raises `CompileError`.
    """
    jobs = [(s, Path(folder, f"{i}.o")) for i, s in enumerate(request.sources) if s.language != LINKED]
    in_order = [job for job in jobs if job[0].language == FORTRAN]
    at_once = [job for job in jobs if job[0].language != FORTRAN]
    with ThreadPoolExecutor(max(1, min(len(at_once) + 1, os.cpu_count() or 1))) as pool:
        runs = [pool.submit(_compile, request, s, output, tools) for s, output in at_once]
        for s, output in in_order:
            _compile(request, s, output, tools)
        for run in runs:
            run.result()
    outputs = {s.path: str(output) for s, output in jobs}
    read = [path for s, output in jobs for path in _read(request, s, output)]
    linked = [s.path for s in request.sources if s.language == LINKED]
    libraries = [library for library in request.libraries if os.path.isfile(library)]
    inputs = tuple(outputs.get(s.path, s.path) for s in request.sources)
    return ObjectFiles(
        inputs, frozenset(s.language for s in request.sources), tuple(dict.fromkeys([*read, *linked, *libraries]))
    )


def _compile(request: BuildRequest, s: SourceFile, output: Path, tools: Toolchain) -> None:
    if s.language == RUST:
        rustc = shutil.which("rustc")
        if rustc is None:
            raise CompileError(f"{s.path}: error: rustc is not installed, or not on PATH")
        options = [
            "--crate-type=staticlib",
            "-C",
            "opt-level=2",
            "-g",
            "-C",
            "panic=abort",
            "-C",
            "relocation-model=pic",
            "-C",
            "no-prepopulate-passes",  # our own passes keep derivatives behind tests of equality
        ]
        bitcode = f"{output}.bc"
        emitted = [f"--emit=llvm-bc={bitcode},dep-info={output}.d", "-C", "codegen-units=1"]
        tools.run([rustc, *options, *emitted, *request.flags, s.path])
        _compile(request, SourceFile(bitcode, IR), output, tools)
        return
    includes = [f"-I{folder}" for folder in request.include]
    dependencies = ["-MD", "-MF", f"{output}.d"] if s.language in (C, CXX) else []
    modules = [f"-J{output.parent}", f"-I{output.parent}"] if s.language == FORTRAN else []
    flags = [] if s.language == IR else [*includes, *dependencies, *modules, *request.flags]
    options = ["-O2", "-fPIC", "-Wno-override-module"] if s.language == IR else _OPTIONS
    tools.run([tool(COMPILER[s.language]), *options, *flags, "-c", s.path, "-o", str(output)])


def _read(request: BuildRequest, s: SourceFile, output: Path) -> Iterator[str]:
    """Yields the files that a compilation read."""
    yield s.path
    listed = Path(f"{output}.d")
    if listed.exists():
        yield from made_from(listed)
    elif s.language == FORTRAN:
        yield from _read_by_fortran(request, s)


def made_from(listed: Path) -> Iterator[str]:
    """Yields the files that clang names in a file of dependencies (`-MD`)."""
    rule = listed.read_text(errors="surrogateescape").replace("\\\n", " ").split("\n")[0].partition(": ")[2]
    for word in re.findall(r"(?:\\.|[^\s\\])+", rule):
        yield os.path.abspath(re.sub(r"\\(.)", r"\1", word).replace("$$", "$"))


def _read_by_fortran(request: BuildRequest, s: SourceFile) -> Iterator[str]:
    """flang lists no dependencies: what `include` and `use` lines name, where it is in a folder of include files."""
    text = Path(s.path).read_text(errors="replace")
    names = re.findall(r"""^\s*(?:#\s*)?include\s*["']([^"']+)["']""", text, re.M | re.I)
    names += [f"{name.lower()}.mod" for name in re.findall(r"^\s*use\b[\s,\w]*?(?:::)?\s*(\w+)", text, re.M | re.I)]
    flagged = [flag[2:] for flag in request.flags if flag.startswith("-I")]
    for folder in [os.path.dirname(s.path), *request.include, *flagged]:
        yield from (path for name in names if os.path.isfile(path := os.path.abspath(os.path.join(folder, name))))


def read_interface(
    request: BuildRequest, objects: ObjectFiles, variables: Callable[[], Mapping[str, LibraryVariable]]
) -> Interface:
    """Returns the function's interface. Raises `SignatureError`; `CompileError` if no object defines the function.

    `variables` finds the variables that the signature may name.
    """
    found = list(_prototypes(objects.inputs, request.name))
    by_symbol = {prototype.symbol: prototype for prototype in found}
    if not by_symbol:
        raise CompileError(_nothing_defines(request, objects))
    if len(by_symbol) > 1:
        listed = "\n".join(f"  {p.symbol}: {p} at {p.location}" for p in by_symbol.values())
        raise SignatureError(f"{request.name} names several functions; give the symbol of one:\n{listed}")
    (prototype,) = by_symbol.values()
    signature = None if request.signature is None else parse(request.signature)
    return join(prototype, signature, variables() if signature is not None and signature.has_variables else {})


def _nothing_defines(request: BuildRequest, objects: ObjectFiles) -> str:
    where = ", ".join(s.path for s in request.sources)
    near = did_you_mean(request.name, {prototype.name for prototype in defined(objects.inputs)})
    return (
        f"{request.sources[0].path}: error: no function {request.name} is defined for other files\n"
        f"  reason: none of {where} defines it with external linkage, debug information and bitcode\n"
        f"  remedy: {near}check the name; a static function must lose its static; compile objects with enzyme-cc -g"
    )


def _prototypes(inputs: Iterable[str], name: str) -> Iterator[CPrototype]:
    from .debug_info import prototypes

    for text in modules_of(inputs, name.rpartition("::")[2].encode()):
        yield from prototypes(text, name)


def defined(inputs: Iterable[str]) -> Iterator[CPrototype]:
    """Yields all functions that objects define for other files, in the order of their sources."""
    from .debug_info import all_prototypes

    for text in modules_of(inputs):
        yield from all_prototypes(text)


def modules_of(inputs: Iterable[str], word: bytes = b"") -> Iterator[str]:
    """Yields the text of each module in objects and libraries whose bitcode has a word.

    Case does not matter: Fortran's names have small letters.
    """
    import llvmlite.binding as llvm

    from enzyme_cc.link.inputs import units

    for path in inputs:
        data = units.read_file(path)
        for member in members_of(data, path):
            unit = units.Unit(path, None, path, member, bytes(member) if _is_bitcode(member) else None)
            yield from (
                str(llvm.parse_bitcode(module)) for module in unit.modules if word in module or word.lower() in module
            )


def members_of(data: memoryview, path: str) -> list[memoryview]:
    """Returns the objects in a file: in an archive, in a shared library that carries them, or the file itself."""
    from enzyme_cc.link.inputs import archive, carried_units, elf, units

    if archive.is_archive(data):
        return [member.data for member in units.read_members(data, path)]
    carried = carried_units.in_library(elf.read(data)) if elf.is_supported(data) else []
    return [memoryview(unit.data) for unit in carried] or [data]


def _is_bitcode(data: memoryview) -> bool:
    from enzyme_cc.link.inputs import bitcode

    return bitcode.is_bitcode(data)


def compile_text(objects: ObjectFiles, interface: Interface, text: str, output: str, tools: Toolchain) -> None:
    """Compiles C source that calls the function, with its language. Raises `CompileError`."""
    is_cxx = CXX in objects.languages or interface.prototype.language == "c++"
    written = Path(output).with_suffix(".cpp" if is_cxx else ".c")
    written.write_text(text)
    compiler = tool("enzyme-c++" if is_cxx else "enzyme-cc")
    options = ["-O2", "-fPIC", "-fno-strict-aliasing", "-w", *_processor(interface.prototype)]
    tools.run([compiler, *options, "-c", str(written), "-o", output])
    written.unlink()


def _processor(prototype: CPrototype) -> Iterator[str]:
    """Yields options for the function's own processor: LLVM does not inline code that needs more than its caller."""
    cpu, tuned, features = prototype.processor
    named = [("-target-cpu", cpu), ("-tune-cpu", tuned), *(("-target-feature", f) for f in features.split(","))]
    for option, value in named:
        if value:
            yield from ("-Xclang", option, "-Xclang", value)


def link(
    request: BuildRequest, objects: ObjectFiles, interface: Interface, compiled: str, output: str, tools: Toolchain
) -> None:
    """Makes a shared library of an object that calls the function. Raises `CompileError`."""
    driver, words = linked(request, objects, interface)
    tools.run([driver, *SHARED, "-fPIC", compiled, *words, "-lm", "-o", output])


def link_library(request: BuildRequest, objects: ObjectFiles, output: str, tools: Toolchain) -> None:
    """Makes a shared library of all objects, which carries them for derivatives. Raises `CompileError`."""
    whole = ["-Wl,--whole-archive", *objects.inputs, "-Wl,--no-whole-archive"]
    libraries = [name if os.path.isabs(name) else f"-l{name}" for name in request.libraries]
    flags = [flag for flag in request.flags if flag.startswith(_LINK_FLAGS)]
    driver = tool(_driver(objects.languages))
    tools.run([driver, "-shared", "-Wl,-Bsymbolic", "-fPIC", *whole, *flags, *libraries, "-lm", "-o", output])


def linked(request: BuildRequest, objects: ObjectFiles, interface: Interface) -> tuple[str, list[str]]:
    """Returns the compiler that links the function, and what it links: objects, options and libraries."""
    libraries = [name if os.path.isabs(name) else f"-l{name}" for name in request.libraries]
    flags = [flag for flag in request.flags if flag.startswith(_LINK_FLAGS)]
    places = [f"-Wl,-rpath,{os.path.dirname(path)}" for path in objects.inputs if is_shared_library(path)]
    languages = objects.languages | {interface.prototype.language}
    return tool(_driver(languages)), [*objects.inputs, *places, *flags, *libraries]


def _driver(languages: frozenset[str]) -> str:
    if FORTRAN in languages:
        return "enzyme-fc"
    return "enzyme-c++" if CXX in languages else "enzyme-cc"
