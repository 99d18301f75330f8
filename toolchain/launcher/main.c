/* One program under several names: enzyme-cc, enzyme-c++, enzyme-fc, and enzyme-ld (also ld, for compilers that take a
   linker's folder only). In a folder of their own: clang, clang++ and ld.lld of the Python package ziglang. */
#include "compile.h"
#include "link.h"
#include "words.h"
#include "ziglang.h"

#include <string.h>

int main(int argc, char **argv) {
    (void)argc;
    const char *name = argv[0] ? file_name(argv[0]) : "enzyme-cc";
    const char *const *arguments = (const char *const *)(argv[0] ? argv + 1 : argv);
    program_name = name;
    if (strcmp(name, "enzyme-ld") == 0 || strcmp(name, "ld") == 0) {
        program_name = "enzyme-ld";
        link_program(arguments);
    }
    if (strcmp(name, "clang") == 0 || strcmp(name, "clang++") == 0)
        ziglang_compile(strcmp(name, "clang") == 0 ? C : CXX, arguments);
    if (strcmp(name, "ld.lld") == 0)
        ziglang_link(arguments);
    if (strcmp(name, "enzyme-c++") == 0)
        return compile(CXX, arguments);
    if (strcmp(name, "enzyme-fc") == 0)
        return compile(FORTRAN, arguments);
    return compile(C, arguments);
}
