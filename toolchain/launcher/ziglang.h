/* The compilers and the linker of PyPI's package ziglang, for machines without clang. */
#ifndef ENZYME_ZIGLANG_H
#define ENZYME_ZIGLANG_H

#include "tools.h"

/* The path of "clang", "clang++" or "ld.lld", or NULL if this environment has no ziglang. The path is a copy of this
   program, in a folder of its own: it runs one of the functions below. */
const char *ziglang_tool(const char *name);
bool is_ziglang(const char *compiler);

/* Becomes zig's clang, told where its own headers and the target's libraries are. */
_Noreturn void ziglang_compile(enum language language, const char *const *arguments);
_Noreturn void ziglang_link(const char *const *arguments);

#endif
