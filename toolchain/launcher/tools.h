/* Finds the programs that the launcher runs, and the folder of its own installation. */
#ifndef ENZYME_TOOLS_H
#define ENZYME_TOOLS_H

#include <stdbool.h>

/* The architecture that this program is compiled for, as LLVM's triples and Debian's folders have it. */
#if defined(__aarch64__)
#define OWN_ARCHITECTURE "aarch64"
#elif defined(__riscv)
#define OWN_ARCHITECTURE "riscv64"
#else
#define OWN_ARCHITECTURE "x86_64"
#endif

enum language { C, CXX, FORTRAN };

/* Each returns a path that can be executed. Or it ends the process with an error that says what to install or set. */
const char *find_compiler(enum language language);
const char *find_python(void);

/* As find_compiler. Returns NULL if there is none. */
const char *search_compiler(enum language language);

/* The native linker: `wanted` (a path or name, may be NULL), else ENZYME_CC_LD, else ld as found on PATH. */
const char *find_linker(const char *wanted);

/* The program that `compiler` would run for -fuse-ld=`flavour`: its own folder comes before PATH. */
const char *find_flavour(const char *flavour, const char *compiler);

/* The prefix this program is installed under: <prefix>/bin/enzyme-cc, <prefix>/include/enzyme/enzyme.h … */
const char *install_prefix(void);

/* The linker under its own name, and a folder in which it is called ld (flang takes no path of a linker). */
const char *own_linker(void);
const char *own_linker_folder(void);

#endif
