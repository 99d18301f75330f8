"""The catalogue of diagnostics: one row per id. docs/diagnostics.md is made from it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Entry:
    """What an id means: a short title, an explanation, and what usually cures it."""

    title: str
    explanation: str
    remedy: str


FAMILIES: dict[str, str] = {
    "EZ01": "Inputs and linking",
    "EZ02": "Requests: what a program asks for",
    "EZ03": "Differentiation",
    "EZ09": "Errors of enzyme-cc itself",
}

_REBUILD = "compile the file again with enzyme-cc, enzyme-c++ or enzyme-fc"
_REPORT = "please report it, with the report file named above, if one was written"

CATALOGUE: dict[str, Entry] = {
    # Inputs and linking ---------------------------------------------------------------------------------------------
    "EZ0101": Entry(
        "corrupt object file",
        "An input is an ELF file by its first bytes, but its headers, section table or symbol table contradict it.",
        _REBUILD,
    ),
    "EZ0102": Entry(
        "corrupt archive",
        "An input is an archive by its first bytes, but a member header is damaged or reaches past its end.",
        "build the archive again from its objects (rm it first, then ar rcs)",
    ),
    "EZ0103": Entry(
        "corrupt bitcode",
        "The LLVM bitcode inside an object cannot be read: it is damaged or cut short.",
        _REBUILD,
    ),
    "EZ0104": Entry(
        "unreadable input",
        "An input file exists on the command line or in an archive, but cannot be opened or read.",
        "check that the file exists and that its permissions allow reading",
    ),
    "EZ0105": Entry(
        "bitcode of a newer LLVM",
        "The bitcode inside an object was made by an LLVM newer than the one enzyme-cc reads with.",
        "compile the file with clang 22, flang 22 or another compiler whose LLVM is not newer than 22",
    ),
    "EZ0106": Entry(
        "output cannot be written",
        "The disk is full, or the directory of the output does not allow writing.",
        "free some space, or choose another place with -o (temporaries: with TMPDIR)",
    ),
    "EZ0107": Entry(
        "request left unresolved",
        "A call of an `__enzyme_` function is left in code that carries no bitcode, so that nothing can replace it. "
        "Linking it would leave an undefined symbol or a derivative that is silently missing.",
        _REBUILD,
    ),
    "EZ0108": Entry(
        "no bitcode",
        "A function to differentiate is defined by an object or a library that carries no LLVM bitcode.",
        _REBUILD + "; or declare the function inactive, or give it a custom derivative",
    ),
    "EZ0109": Entry(
        "modules cannot be merged",
        "The bitcode of two units contradicts each other: for example, the same symbol is defined by both, or their "
        "data layouts differ.",
        "compile all units for the same target, and define each symbol once",
    ),
    "EZ0110": Entry(
        "no native linker",
        "enzyme-ld needs a native linker (ld, lld, gold or mold) for the final link and found none.",
        "install one (Debian: apt-get install binutils), or name one with -fuse-ld= or ENZYME_CC_LD",
    ),
    "EZ0111": Entry(
        "command line not understood",
        "An option of enzyme-ld lacks its value, or a response file cannot be read.",
        "correct the option; --enzyme-verbose shows what the compiler passed",
    ),
    "EZ0112": Entry(
        "target not supported",
        "Code generation for the target of the bitcode is not available.",
        "compile for x86-64 Linux",
    ),
    "EZ0113": Entry(
        "runtime missing",
        "The installed package lacks its runtime bitcode.",
        "install the package again (pip install --force-reinstall enzyme-cc)",
    ),
    "EZ0114": Entry(
        "native code and bitcode cannot be told apart",
        "`ld -r` put objects with and without bitcode into one object. For the sake of its native code it is linked as "
        "a whole, beside the new code made of its bitcode. Then constructors, and variables in sections that programs "
        "walk over, would be there twice.",
        "compile the native part with enzyme-cc too, or link the objects without ld -r",
    ),
    # Requests -------------------------------------------------------------------------------------------------------
    "EZ0201": Entry(
        "unknown activity marker",
        "An argument of a request is a global named `enzyme_…` which is no marker that enzyme-cc knows.",
        "use one of enzyme_const, enzyme_dup, enzyme_dupnoneed, enzyme_out, … (see the interface documentation)",
    ),
    "EZ0202": Entry(
        "wrong number of arguments",
        "The arguments of a request, after markers and shadows, are more or fewer than the function takes.",
        "pass each argument of the function in order, and a shadow after each that is enzyme_dup or enzyme_dupnoneed",
    ),
    "EZ0203": Entry(
        "wrong type of argument",
        "An argument of a request has not the type that the function, or the marker before it, takes.",
        "pass the argument with the type that the function declares (variadic calls turn float into double)",
    ),
    "EZ0204": Entry(
        "function is not a constant",
        "The first argument of a request is not a function that is known when the program is linked.",
        "name the function directly in the request, or a pointer loaded from a constant",
    ),
    "EZ0205": Entry(
        "wrong result type",
        "The declared result of a request does not fit the derivatives that it returns.",
        "declare the request with the type of the derivative: a double for one enzyme_out double, a struct for several",
    ),
    "EZ0206": Entry(
        "marker out of place",
        "A marker has a meaning, but not in this request or at this place.",
        "see the table of markers in the interface documentation",
    ),
    "EZ0207": Entry(
        "malformed registration",
        "An `__enzyme_register_…` or another declaring global has not the entries that its name asks for.",
        "see the table of custom derivatives in the interface documentation",
    ),
    "EZ0208": Entry(
        "request not supported",
        "The request is known, but enzyme-cc cannot do it yet.",
        "use __enzyme_autodiff",
    ),
    "EZ0209": Entry(
        "tape memory too small",
        "The memory that a program provides for a tape (`enzyme_allocated`) is smaller than the derivative's record.",
        "provide as many bytes as __enzyme_augmentsize returns for the same function and activities",
    ),
    "EZ0210": Entry(
        "request inside its own function",
        "A request differentiates a function that makes the same request, directly or through others.",
        "differentiate a function that makes no request of itself",
    ),
    "EZ0211": Entry(
        "loop of a checkpointed step has another shape",
        'A function with the attribute enzyme("checkpoint", N) is called in a loop that cannot run again from stored '
        "states.",
        "call the step in a counted loop, with all that changes in memory; or use <enzyme/checkpoint.h>",
    ),
    "EZ0212": Entry(
        "calls of a registered function are inlined",
        "A declaration (a derivative of its own, that it is inactive, …) is about calls of a function. The bitcode of "
        "flang, of rustc and of clang -flto is written after inlining: where they have put the body in the place of a "
        "call, it would have no effect.",
        "put the function into a file of its own, or forbid inlining: `!dir$ noinline` before each call in Fortran, "
        "`__attribute__((noinline))` in C and C++, `#[inline(never)]` in Rust; with -g only what is inlined is refused",
    ),
    # Differentiation ------------------------------------------------------------------------------------------------
    "EZ0301": Entry(
        "inline assembly",
        "A differentiated function contains inline assembly that may carry a derivative.",
        "write that part in the language, or give the function around it a custom derivative",
    ),
    "EZ0302": Entry(
        "function without a body",
        "A differentiated function calls a function of which enzyme-cc has neither bitcode nor a rule.",
        _REBUILD + "; or declare the function inactive, or give it a custom derivative",
    ),
    "EZ0303": Entry(
        "memory of unknown type",
        "Type analysis cannot tell whether some memory holds floating-point numbers, integers or pointers.",
        "give a hint with __enzyme_double, __enzyme_float, __enzyme_integer or __enzyme_pointer",
    ),
    "EZ0304": Entry(
        "instruction not supported",
        "A differentiated function contains an instruction that has no derivative rule.",
        "write that part otherwise, or give the function around it a custom derivative",
    ),
    "EZ0305": Entry(
        "indirect call without a shadow",
        "A differentiated function calls through a function pointer whose shadow is not known.",
        "give the pointer a shadow made with __enzyme_virtualreverse, or pass the function directly",
    ),
    "EZ0306": Entry(
        "shadow missing",
        "A pointer that carries a derivative has no shadow: memory declared constant is used as active memory. Said "
        "when the program runs: a global points at memory that was made outside of differentiated code.",
        "mark the argument enzyme_dup and pass a shadow, or use enzyme_runtime_activity; of a global, define a shadow",
    ),
    "EZ0307": Entry(
        "exception in differentiated code",
        "Differentiated code catches exceptions, and does with them what has no form as ordinary control flow: it asks "
        "what is in flight, throws a null pointer, has an exception specification, or catches what a derivative that "
        "it calls throws together with numbers.",
        "keep that out of the differentiated part, or give the throwing function a custom derivative",
    ),
    "EZ0308": Entry(
        "atomic or volatile access",
        "An atomic or volatile access carries a derivative in a form that enzyme-cc does not differentiate.",
        "use plain memory there, or give the function around it a custom derivative",
    ),
    "EZ0309": Entry(
        "gradient not differentiated again",
        "A reverse-mode derivative that is to be differentiated in reverse mode again does what has no adjoint itself.",
        "take forward mode of this gradient, or keep the numbers out of unions with pointers",
    ),
    # Errors of enzyme-cc itself -------------------------------------------------------------------------------------
    "EZ0900": Entry(
        "internal error",
        "enzyme-cc failed in a way that it should not. The report file holds what is needed to repeat it.",
        _REPORT,
    ),
    "EZ0901": Entry(
        "invalid code generated",
        "LLVM's verifier refused the code that enzyme-cc made.",
        _REPORT,
    ),
    "EZ0902": Entry(
        "LLVM failed",
        "LLVM ended the process that read, optimised or compiled the module.",
        _REPORT,
    ),
    "EZ0903": Entry(
        "out of memory",
        "The system, or a limit on the process (`ulimit -v`), gave no more memory.",
        "link with more memory, or differentiate less at once",
    ),
}
