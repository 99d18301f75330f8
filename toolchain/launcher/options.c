#include "options.h"

#include <stdbool.h>
#include <string.h>

/* Sorted by name as strcmp sorts. Forms are those of `clang --help-hidden` and `flang --help-hidden`, LLVM 14 to 22. */
const struct option option_table[] = {
    {"-###", ALONE, DRY_RUN},
    {"--analyze", ALONE, NO_OBJECT},
    {"--analyzer-output", SEPARATE, NOTHING},
    {"--assemble", ALONE, NO_OBJECT},
    {"--compile", ALONE, OBJECT},
    {"--config", SEPARATE, NOTHING},
    {"--dependencies", ALONE, NO_OBJECT},
    {"--help", JOINED, NO_OBJECT},
    {"--ld-path=", JOINED, LINKER_PATH},
    {"--output", SEPARATE, OUTPUT},
    {"--output=", JOINED, OUTPUT},
    {"--param", SEPARATE, NOTHING},
    {"--precompile", ALONE, NO_OBJECT},
    {"--preprocess", ALONE, NO_OBJECT},
    {"--print-", JOINED, NO_OBJECT},
    {"--sysroot", SEPARATE, SYSROOT},
    {"--sysroot=", JOINED, SYSROOT},
    {"--target", SEPARATE, TARGET},
    {"--target=", JOINED, TARGET},
    {"--user-dependencies", ALONE, NO_OBJECT},
    {"--version", ALONE, NO_OBJECT},
    {"-A", EITHER, NOTHING},
    {"-B", EITHER, NOTHING},
    {"-D", EITHER, NOTHING},
    {"-E", ALONE, NO_OBJECT},
    {"-F", EITHER, NOTHING},
    {"-G", EITHER, NOTHING},
    {"-I", EITHER, NOTHING},
    {"-J", EITHER, NOTHING},
    {"-L", EITHER, NOTHING},
    {"-M", ALONE, NO_OBJECT},
    {"-MF", EITHER, NOTHING},
    {"-MJ", EITHER, NOTHING},
    {"-MM", ALONE, NO_OBJECT},
    {"-MQ", EITHER, NOTHING},
    {"-MT", EITHER, NOTHING},
    {"-S", ALONE, NO_OBJECT},
    {"-T", EITHER, NOTHING},
    {"-Tbss", EITHER, NOTHING},
    {"-Tdata", EITHER, NOTHING},
    {"-Ttext", EITHER, NOTHING},
    {"-U", EITHER, NOTHING},
    {"-V", EITHER, NOTHING},
    {"-Wl,", JOINED, LINK_INPUT},
    {"-Xanalyzer", SEPARATE, NOTHING},
    {"-Xarch_device", SEPARATE, NOTHING},
    {"-Xarch_host", SEPARATE, NOTHING},
    {"-Xassembler", SEPARATE, NOTHING},
    {"-Xclang", SEPARATE, NOTHING},
    {"-Xclangas", SEPARATE, NOTHING},
    {"-Xcuda-fatbinary", SEPARATE, NOTHING},
    {"-Xcuda-ptxas", SEPARATE, NOTHING},
    {"-Xflang", SEPARATE, NOTHING},
    {"-Xlinker", SEPARATE, LINK_INPUT},
    {"-Xopenmp-target", SEPARATE, NOTHING},
    {"-Xpreprocessor", SEPARATE, NOTHING},
    {"-arch", SEPARATE, NOTHING},
    {"-b", EITHER, NOTHING},
    {"-c", ALONE, OBJECT},
    {"-cc1", JOINED, NO_OBJECT},
    {"-ccc-gcc-name", SEPARATE, NOTHING},
    {"-ccc-install-dir", SEPARATE, NOTHING},
    {"-cxx-isystem", EITHER, NOTHING},
    {"-darwin-target-variant", SEPARATE, NOTHING},
    {"-darwin-target-variant-triple", SEPARATE, NOTHING},
    {"-dependency-dot", SEPARATE, NOTHING},
    {"-dependency-file", SEPARATE, NOTHING},
    {"-dsym-dir", SEPARATE, NOTHING},
    {"-dumpdir", SEPARATE, NOTHING},
    {"-dumpmachine", ALONE, NO_OBJECT},
    {"-dumpversion", ALONE, NO_OBJECT},
    {"-e", EITHER, NOTHING},
    {"-emit-", JOINED, NO_OBJECT},
    {"-fc1", ALONE, NO_OBJECT},
    {"-fexperimental-openacc-macro-override", SEPARATE, NOTHING},
    {"-fintrinsic-modules-path", SEPARATE, NOTHING},
    {"-flto", ALONE, LTO},
    {"-flto=", JOINED, LTO},
    {"-fmodules-user-build-path", SEPARATE, NOTHING},
    {"-fno-lto", ALONE, NO_LTO},
    {"-framework", SEPARATE, NOTHING},
    {"-fsyntax-only", ALONE, NO_OBJECT},
    {"-fuse-ld=", JOINED, LINKER},
    {"-gen-cdb-fragment-path", SEPARATE, NOTHING},
    {"-help", JOINED, NO_OBJECT},
    {"-hlsl-entry", SEPARATE, NOTHING},
    {"-iapinotes-modules", SEPARATE, NOTHING},
    {"-idirafter", EITHER, NOTHING},
    {"-iframework", EITHER, NOTHING},
    {"-iframeworkwithsysroot", SEPARATE, NOTHING},
    {"-imacros", EITHER, NOTHING},
    {"-include", EITHER, NOTHING},
    {"-include-pch", SEPARATE, NOTHING},
    {"-iprefix", EITHER, NOTHING},
    {"-iquote", EITHER, NOTHING},
    {"-isysroot", EITHER, NOTHING},
    {"-isystem", EITHER, NOTHING},
    {"-isystem-after", EITHER, NOTHING},
    {"-ivfsoverlay", EITHER, NOTHING},
    {"-iwithprefix", EITHER, NOTHING},
    {"-iwithprefixbefore", EITHER, NOTHING},
    {"-iwithsysroot", EITHER, NOTHING},
    {"-l", EITHER, LINK_INPUT},
    {"-meabi", SEPARATE, NOTHING},
    {"-mllvm", SEPARATE, NOTHING},
    {"-mmlir", SEPARATE, NOTHING},
    {"-module-dependency-dir", SEPARATE, NOTHING},
    {"-module-dir", EITHER, NOTHING},
    {"-mthread-model", SEPARATE, NOTHING},
    {"-o", EITHER, OUTPUT},
    {"-objcmt-", JOINED, NOTHING},
    {"-object-file-name=", JOINED, NOTHING},
    {"-print-", JOINED, NO_OBJECT},
    {"-resource-dir", SEPARATE, NOTHING},
    {"-rpath", SEPARATE, NOTHING},
    {"-serialize-diagnostics", SEPARATE, NOTHING},
    {"-stdlib++-isystem", EITHER, NOTHING},
    {"-target", SEPARATE, TARGET},
    {"-u", EITHER, NOTHING},
    {"-undef", ALONE, NOTHING},
    {"-vfsoverlay", SEPARATE, NOTHING},
    {"-working-directory", SEPARATE, NOTHING},
    {"-x", EITHER, NOTHING},
    {"-z", SEPARATE, LINK_INPUT},
};
const size_t option_count = sizeof option_table / sizeof *option_table;

enum { LONGEST_NAME = 40 };

/* Returns the row whose name is the first `length` characters of `word`. */
static const struct option *row_named(const char *word, size_t length) {
    size_t low = 0, high = option_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = strncmp(word, option_table[middle].name, length);
        if (order == 0 && option_table[middle].name[length] == '\0')
            return &option_table[middle];
        if (order > 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static bool may_be_joined(const struct option *option) { return option->form == JOINED || option->form == EITHER; }

const struct option *find_option(const char *word) {
    size_t whole = strlen(word);
    for (size_t length = whole < LONGEST_NAME ? whole : LONGEST_NAME; length > 1; length--) {
        const struct option *option = row_named(word, length);
        if (option && (length == whole || may_be_joined(option)))
            return option;
    }
    return NULL;
}
