"""The catalogue of diagnostics: title, explanation and remedy of each id. docs/diagnostics.md is made from it.

The text of a message stands where it is raised: `grep -rn EZ0303 enzyme_cc` finds the place.
"""

from __future__ import annotations

from typing import NamedTuple


class Entry(NamedTuple):
    """The meaning of an id: a short title, an explanation, and the usual remedy.

    `option`: what `-W` says of it: -Wno-enzyme-… and -Werror=enzyme-….
    """

    title: str
    explanation: str
    remedy: str
    option: str = ""


FAMILIES: dict[str, str] = {
    "EZ01": "Inputs and linking",
    "EZ02": "Requests: what a program asks for",
    "EZ03": "Differentiation",
    "EZ09": "Errors of enzyme-cc itself",
}

_REBUILD = "compile the file again with enzyme-cc, enzyme-c++ or enzyme-fc"
_DERIVATIVE = (
    "give the function a custom derivative; for a function of a library, that may be in a C file with "
    "--enzyme-derivatives=FILE.c (docs/extending.md)"
)
_REPORT = "please report it, with the report file named above, if one was written"

CATALOGUE: dict[str, Entry] = {
    # Inputs and linking ---------------------------------------------------------------------------------------------
    "EZ0101": Entry(
        "corrupt object file",
        "An input starts as an ELF file does, but its headers, section table or symbol table contradict each other.",
        _REBUILD,
    ),
    "EZ0102": Entry(
        "corrupt archive",
        "An input starts as an archive does, but a member header is damaged or reaches past the end of the file.",
        "build the archive again from its objects (rm it first, then ar rcs)",
    ),
    "EZ0103": Entry(
        "corrupt bitcode",
        "The LLVM bitcode in an object cannot be read: it is damaged or cut short.",
        _REBUILD,
    ),
    "EZ0104": Entry(
        "unreadable input",
        "An input file that the command line or an archive names cannot be opened or read.",
        "check that the file exists and that its permissions allow reading",
    ),
    "EZ0105": Entry(
        "bitcode of a newer LLVM",
        "The LLVM that made the bitcode in an object is newer than the LLVM in enzyme-cc.",
        "compile the file with clang 22, flang 22 or another compiler whose LLVM is not newer than 22",
    ),
    "EZ0106": Entry(
        "output cannot be written",
        "The disk is full, or the folder of the output does not exist or does not allow writing.",
        "check that the folder exists, can be written and has space; or choose another place with -o (temporaries: "
        "with TMPDIR)",
    ),
    "EZ0107": Entry(
        "request left unresolved",
        "Code without bitcode calls an `__enzyme_` function, and enzyme-cc cannot replace the call by a derivative. "
        "Linking it would leave an undefined symbol or a derivative that is silently missing.",
        f"{_REBUILD}; for rustc, add -C linker-plugin-lto -C no-prepopulate-passes",
    ),
    "EZ0108": Entry(
        "no bitcode",
        "An object or a library without LLVM bitcode defines a function that is to be differentiated. A shared library "
        "that enzyme-cc linked has bitcode, but not of files with requests, and not with `--enzyme-no-library-units`, "
        "nor of objects of -flto, nor if it defines a symbol that the program defines, too.",
        f"{_REBUILD}; or {_DERIVATIVE}",
    ),
    "EZ0109": Entry(
        "modules cannot be merged",
        "The bitcode of two units contradicts each other: for example, the same symbol is defined by both, or their "
        "data layouts differ.",
        "compile all units for the same target, and define each symbol once",
    ),
    "EZ0110": Entry(
        "no native linker",
        "enzyme-ld found no native linker (ld, lld, gold or mold). It needs one for the final link.",
        "install one (Debian: apt-get install binutils), or name one with -fuse-ld= or ENZYME_CC_LD",
    ),
    "EZ0111": Entry(
        "command line not understood",
        "An option of enzyme-ld is unknown or lacks its value, or a response file cannot be read.",
        "correct the option; --enzyme-verbose shows the options that the compiler passed",
    ),
    "EZ0112": Entry(
        "target not supported",
        "enzyme-cc cannot generate code for the target of the bitcode.",
        "compile for Linux on x86-64 or AArch64",
    ),
    "EZ0113": Entry(
        "runtime missing",
        "The installed package lacks the bitcode of the runtime.",
        "install the package again (pip install --force-reinstall enzyme-cc)",
    ),
    "EZ0114": Entry(
        "native code and bitcode cannot be told apart",
        "`ld -r` put objects with and without bitcode into one object. The program needs its native code, so the whole "
        "object is linked, beside the new code that is made of its bitcode. The program would then have two copies of "
        "constructors, and of variables in sections that programs walk over.",
        "compile the native part with enzyme-cc too, or link the objects without ld -r",
    ),
    "EZ0115": Entry(
        "checks of a sanitizer lost",
        "A warning: a file was compiled with -fsanitize=address or a similar option, and some of its functions are "
        "compiled again. clang's passes put the checks in, but the only LLVM here is that of llvmlite, which has none.",
        "install clang 22",
    ),
    "EZ0116": Entry(
        "derivatives that cannot be compiled",
        "A file that `--enzyme-derivatives=` names does not compile.",
        "mend the file; docs/extending.md shows one",
    ),
    "EZ0117": Entry(
        "MPI's header not found",
        "Derivatives of calls of MPI are compiled against the program's own mpi.h when it is linked. enzyme-cc looks "
        "for it where the objects that call MPI were told to look (-I), in CPATH, near the library of MPI, and where "
        "mpicc looks.",
        "compile with the wrapper of your MPI (OMPI_CC=enzyme-cc mpicc), or set CPATH to the folder of mpi.h",
    ),
    "EZ0118": Entry(
        "another shared library",
        "A program has derivatives of functions in a shared library. It was started with a library that has other code "
        "than the derivatives were made of.",
        "link the program again, or give it the library that it was linked with",
    ),
    "EZ0119": Entry(
        "code of a shared library cannot take part",
        "A derivative needs a function of a shared library. The function uses a variable that others cannot name, "
        "or its file contains assembly or addresses of labels, or the library is not for x86-64.",
        "link the library statically, or give the function a custom derivative; or, if its results carry no "
        "derivative, link with --enzyme-inactive=NAME",
    ),
    "EZ0120": Entry(
        "lines that --coverage does not count",
        "A warning: a file was compiled with --coverage, and some of its functions are compiled again at the link, as "
        "are its derivatives. gcov shows how often the program's other functions ran, and takes these for unused.",
        "use -fprofile-instr-generate -fcoverage-mapping and llvm-cov: these counters stay, and derivatives count, too",
    ),
    # Requests -------------------------------------------------------------------------------------------------------
    "EZ0201": Entry(
        "unknown activity marker",
        "An argument of a request is a global `enzyme_…` that is no marker of enzyme-cc.",
        "use one of enzyme_const, enzyme_dup, enzyme_dupnoneed, enzyme_out, … (see the interface documentation)",
    ),
    "EZ0202": Entry(
        "wrong number of arguments",
        "A request passes more or fewer arguments than the function takes. Markers and shadows do not count.",
        "pass each argument of the function in order; behind one with enzyme_dup or enzyme_dupnoneed, pass its shadow",
    ),
    "EZ0203": Entry(
        "wrong type of argument",
        "An argument of a request has another type than the function, or the marker before it, takes.",
        "pass the argument with the type that the function declares (variadic calls turn float into double)",
    ),
    "EZ0204": Entry(
        "function is not a constant",
        "The function that a request is to differentiate is not known when the program is linked.",
        "name one function in each request; or pass a pointer that is loaded from a constant",
    ),
    "EZ0205": Entry(
        "wrong result type",
        "The declared result type of a request does not fit the derivatives that it returns.",
        "declare the request with the type of the derivatives: double for one enzyme_out double, a struct for several",
    ),
    "EZ0206": Entry(
        "marker out of place",
        "A marker has no meaning in this request or at this place.",
        "see the table of markers in the interface documentation",
    ),
    "EZ0207": Entry(
        "malformed registration",
        "An `__enzyme_register_…` or another global that declares something has the wrong entries for its name.",
        "see the table of custom derivatives in the interface documentation",
    ),
    "EZ0208": Entry(
        "request not supported",
        "Enzyme has the request, but enzyme-cc cannot answer it.",
        "ask for the derivative by __enzyme_autodiff or __enzyme_fwddiff",
    ),
    "EZ0209": Entry(
        "tape memory too small",
        "The program provides less memory for a tape (`enzyme_allocated`) than the derivative needs.",
        "provide as many bytes as __enzyme_augmentsize returns for the same function and activities",
    ),
    "EZ0210": Entry(
        "request inside its own function",
        "A request differentiates a function that makes the same request, directly or through other functions.",
        "differentiate a function that makes no request for itself",
    ),
    "EZ0211": Entry(
        "loop of a checkpointed step has another shape",
        'A loop calls a function with the attribute enzyme("checkpoint", N), and cannot run again from stored states.',
        "call the step in a counted loop, and keep all values that change in memory; or use <enzyme/checkpoint.h>",
    ),
    "EZ0212": Entry(
        "calls of a registered function are inlined",
        "A declaration (a registered derivative, inactive, …) is about the calls of a function. flang, rustc and clang "
        "-flto write bitcode after inlining. The declaration would have no effect on an inlined call, nor on one that "
        "LLVM removed: it uses the argument of a function that returns it. Nor would the declaration of an inactive "
        "variable have an effect where LLVM uses the number that was stored there before.",
        "put the function into a file of its own, or forbid inlining: `!dir$ noinline` before each call in Fortran, "
        "`__attribute__((noinline))` in C and C++, `#[inline(never)]` in Rust; with -g only inlined calls are refused; "
        "declare an inactive variable volatile; "
        "with clang -flto, add `-Xclang -fembed-bitcode=all`, which keeps the code before inlining, too",
    ),
    "EZ0213": Entry(
        "attribute not supported",
        "Enzyme has the attribute, but enzyme-cc does not carry it out.",
        "remove the attribute if the derivative does not depend on it, or see the table of attributes in the interface "
        "documentation",
    ),
    "EZ0214": Entry(
        "request or registration not known",
        "A function that is called, or a global that points at functions, has a name like `__enzyme_…`, and the "
        "interface has none of this name.",
        "correct the name: the interface documentation has all requests and declarations",
    ),
    "EZ0215": Entry(
        "no variant of this code",
        "A request asks for a variant of a function: one that estimates its rounding error, or computes in another "
        "floating-point format. The function calls "
        "code that is not known when the program is linked, or has an operation whose variant is not known.",
        "compile that code with enzyme-cc too, call it directly and not through a pointer, or keep it out of the "
        "function",
    ),
    "EZ0216": Entry(
        "memory of functions used in another way",
        "`__enzyme_todense` returns memory that two functions stand for. Code uses it in a way for which there is no "
        "function: it copies or clears it as a whole, mixes its addresses with others, or passes them to code that is "
        "not known or that calls itself.",
        "access that memory by loads and stores of single numbers; or use enzyme_sparse, which needs no such functions",
    ),
    "EZ0217": Entry(
        "no function that keeps traces",
        "A request about a probabilistic program calls functions of the program that keep traces, and one of them is "
        "neither defined nor declared in a file with requests.",
        "define the functions that the interface documentation lists, in a file with requests",
    ),
    "EZ0218": Entry(
        "derivative behind a test of equality may be lost",
        "A warning. The derivative of a branch is that of the side that the program takes, also where x == 2. flang, "
        "rustc and clang -flto write bitcode after LLVM's passes, which put 2 in the place of x there. The branch has "
        "a constant as its result, or computes with the one that x equals. If the source has it so, nothing is lost.",
        "for rustc, add `-C no-prepopulate-passes`; for clang -flto, add `-Xclang -fembed-bitcode=all`; compile "
        "Fortran by enzyme-fc, with the names of the sources on the command line",
    ),
    "EZ0221": Entry(
        "nothing is differentiated",
        "A warning. No argument of the request has a derivative, and the function uses no variable that could have "
        "one: integers and arguments behind enzyme_const have none. The call only computes the function.",
        "pass an argument as enzyme_dup, with its shadow, or as enzyme_out",
        "enzyme-nothing-active",
    ),
    "EZ0222": Entry(
        "memory is its own shadow",
        "A warning. A request passes the same pointer as an argument and as its shadow. Derivatives are then added to "
        "the numbers that they are derivatives of. With enzyme_runtime_activity, it says that the memory is constant.",
        "pass memory of its own as the shadow, or pass the argument as enzyme_const",
        "enzyme-own-shadow",
    ),
    "EZ0223": Entry(
        "shadow that is never set",
        "A warning. The shadow is a local variable, or a block of malloc, that nothing is stored in. Reverse mode adds "
        "to what a shadow holds, and forward mode reads it.",
        "clear the shadow before the request (= {0}, calloc, memset), or store the seed there",
        "enzyme-unset-shadow",
    ),
    "EZ0224": Entry(
        "shadow smaller than its argument",
        "A warning. The shadow has fewer bytes than the variable or block that it is the shadow of. A derivative "
        "lies at the same distance in the shadow as its number in the argument.",
        "give the shadow the size of the argument",
        "enzyme-small-shadow",
    ),
    "EZ0225": Entry(
        "shadow of other numbers",
        "A warning. The shadow is an array of other numbers than the argument, as float and double. A shadow has the "
        "type of its argument.",
        "declare the shadow with the type of the argument",
        "enzyme-shadow-type",
    ),
    "EZ0226": Entry(
        "no seed",
        "A warning. The function returns no number, and all shadows of the request are zero before it: each derivative "
        "is zero then. The shadow of an output is the seed, the derivative of the final result with respect to it.",
        "store the seed in the shadow of the output, as 1",
        "enzyme-zero-seed",
    ),
    "EZ0227": Entry(
        "mistake in a request, found when the program runs",
        "The program was linked with --enzyme-check. The message says where the request is. A shadow is null, is the "
        "argument itself, or is smaller than the argument (of local variables, global variables and blocks whose "
        "allocation LLVM can see); or the memory of an argument has a pointer to numbers, whose shadow is null or the "
        "same pointer, as in a copy of the struct (with -g, the message has its path from a variable of the function: "
        "p->next->data); or a derivative that the request returns, or that is in a shadow, is infinite or not a "
        "number. Then the message also says where the first such number arose in the derivative: in its primal sweep "
        "or in its reverse sweep, at the line of the function's own code; or where one was used that an argument or a "
        "shadow held before, as a shadow that nobody has set. In a loop that is vectorised, the first is one of those "
        "that the same iterations make; a sum over a loop that grows too large is found behind the loop. It is a "
        "warning where memory leads to other memory, which is not looked at.",
        "pass memory of its own, of the size of the argument, as the shadow, and let its pointers lead to such memory "
        "(or say enzyme_runtime_activity: what is its own shadow is constant then); docs/conventions.md says where "
        "derivatives are infinite",
    ),
    "EZ0228": Entry(
        "derivative that differs from differences",
        "A warning when the program runs. It was linked with --enzyme-check=differences, which compares the first "
        "gradient of each request with differences along a random direction, in processes of their own. They differ "
        "by more than the error of the differences. A function that is not smooth near these arguments, or that an "
        "iteration ends early, has such derivatives; so has one that a custom derivative or an inactive declaration "
        "describes wrongly.",
        "compare with docs/conventions.md and docs/iterative-solvers.md; if neither is the cause, please report it",
    ),
    "EZ0229": Entry(
        "address expected, numbers passed",
        "A warning. The function reads an address behind a pointer; the request passes an array of numbers there. A "
        "Fortran procedure with an array of assumed shape, `x(:)`, reads a description of the array.",
        "pass what the function declares; in Fortran, give x one shape in the procedure and in the interface",
        "enzyme-argument-type",
    ),
    # Differentiation ------------------------------------------------------------------------------------------------
    "EZ0301": Entry(
        "inline assembly",
        "A differentiated function contains inline assembly that may carry a derivative.",
        "write that part without assembly, or give the function around it a custom derivative",
    ),
    "EZ0302": Entry(
        "function without a body",
        "A differentiated function calls a function, and enzyme-cc has neither its bitcode nor a rule for it. Where "
        "the call is under a condition, this is a warning, and the program ends if it makes the call (EZ0310).",
        f"{_REBUILD}; or {_DERIVATIVE}; or, if its results carry no derivative, link with --enzyme-inactive=NAME",
    ),
    "EZ0303": Entry(
        "memory of unknown type",
        "Type analysis cannot tell whether some memory holds floating-point numbers, integers or pointers.",
        "give a hint with __enzyme_double, __enzyme_float, __enzyme_integer or __enzyme_pointer",
    ),
    "EZ0304": Entry(
        "instruction not supported",
        "A differentiated function contains an instruction that has no derivative rule.",
        "write that part in another way, or give the function around it a custom derivative",
    ),
    "EZ0305": Entry(
        "unknown function called through a pointer",
        "A message of the running program: differentiated code calls a function through a pointer, and the link knew "
        "no derivative of it. It is a function of a shared library, of a file that was not compiled with enzyme-cc, or "
        "of another type than the call. Or the link left the function out (EZ0311); then the call may also be a direct "
        "one. Or the profile of calls (--enzyme-use-calls) does not have it. As an error of the link: the call has "
        "variable arguments.",
        "compile the file that defines the function with enzyme-cc, and link it as an object or in a static library; "
        "or register a derivative of the function; make the profile again, or add the line that the message tells",
    ),
    "EZ0306": Entry(
        "shadow missing",
        "A pointer that carries a derivative has no shadow: the program uses memory as active that it has declared "
        "constant. Or, as a message of the running program: a number that carries a derivative is stored in memory "
        "that was made before the derivative was called, and it might be read from there as a constant. Or "
        "such memory holds a pointer to memory that carries a derivative, and numbers are read or written through it.",
        "mark the argument enzyme_dup and pass a shadow, or use enzyme_runtime_activity; for a global, define a shadow",
    ),
    "EZ0307": Entry(
        "exception in differentiated code",
        "Differentiated code catches exceptions, and uses them in a way that enzyme-cc cannot turn into ordinary "
        "control flow: it asks for the type of the exception in flight, throws a null pointer, has an exception "
        "specification, or catches an exception with numbers that a derivative throws.",
        "keep that out of differentiated code, or give the throwing function a custom derivative",
    ),
    "EZ0308": Entry(
        "atomic or volatile access",
        "An atomic or volatile access carries a derivative in a form that enzyme-cc does not differentiate.",
        "use plain memory there, or give the function around it a custom derivative",
    ),
    "EZ0309": Entry(
        "gradient not differentiated again",
        "A request differentiates a reverse-mode derivative in reverse mode again, and a part of it has no adjoint.",
        "differentiate this gradient in forward mode, or keep numbers out of unions with pointers and the memory of "
        "arguments in place",
    ),
    "EZ0310": Entry(
        "called function cannot be differentiated",
        "A message of the running program: differentiated code calls a function, and the link could not make the "
        "derivative of this function. The link does not refuse a function that is only reached through a pointer or "
        "under a condition, because the program may never call it. For a condition, the link warns. The reason is the "
        "error that a certain call would give.",
        "remove what the reason names, or give the function a custom derivative",
    ),
    "EZ0311": Entry(
        "functions left out",
        "A warning: calls through pointers may reach more code than the link takes part of. Of the functions that they "
        "may reach, those with the least code behind them take part. If direct calls alone reach more than that, too, "
        "functions with much code behind them that hardly ever touches numbers (databases, networks) are left out; if "
        "they reach three times as much, those with little arithmetic and few moves of numbers behind them. If "
        "differentiated code calls one that is left out, and the call may carry a derivative, the program ends "
        "(EZ0305).",
        "if the program ends at such a call, or the link refuses it, link with --enzyme-candidate=NAME, the name of "
        "the function or of its source file, or with --enzyme-closure=MEGABYTES, as the reason says; 2 is the default, "
        "and each megabyte of LLVM's text may take half a minute; or let a run tell the functions "
        "(--enzyme-profile-calls)",
    ),
    "EZ0312": Entry(
        "number of threads from elsewhere",
        "A warning: OpenMP's regions run in one thread in differentiated code here. What asks there for the number of "
        "threads says one. But here the number comes from elsewhere: from a variable that other code has set, from an "
        "argument of the request, or from a clause num_threads. If the code reads a slot for each of so many threads, "
        "the value and the derivative are wrong. A region that does not need its threads at the same time runs once "
        "for each of them, and there is no warning. A region that divides its work by the numbers of its threads, and "
        "has barriers or the like, ends the program with this code.",
        "ask for the number in the differentiated function (omp_get_max_threads, omp_get_num_threads), or pass 1",
    ),
    "EZ0314": Entry(
        "shadow too small",
        "A message of the running program: a derivative begins, and a member of an argument points to a larger block "
        "than that member of the shadow does. Or it uses a `std::vector` that has more elements than its shadow has "
        "room for. An earlier call has given the argument more memory, and the shadow is as it was. The derivative "
        "would write behind the end of the shadow's block.",
        "make the shadow fit before each call: give it as much memory as the argument has",
    ),
    # Errors of enzyme-cc itself -------------------------------------------------------------------------------------
    "EZ0900": Entry(
        "internal error",
        "enzyme-cc has a mistake. The report file holds everything that is needed to repeat the failure.",
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
    "EZ0904": Entry(
        "out of processor time",
        "The process reached its limit on processor time (`ulimit -t`), or type analysis its limit of work. The latter "
        "is a count, the same on all machines. The reason says in which stage the link ended, and how many functions "
        "were done.",
        "raise the limit, or differentiate less at once: a smaller function, a lower --enzyme-closure, or custom "
        "derivatives of functions of the library",
    ),
}
