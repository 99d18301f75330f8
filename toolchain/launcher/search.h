/* Which bytes the inputs of a link hold, without understanding more of them than needed. */
#ifndef ENZYME_SEARCH_H
#define ENZYME_SEARCH_H

#include "words.h"

/* Where libraries are looked for: what -L, --sysroot and -Bstatic have set. */
struct library_search {
    struct words folders;
    const char *sysroot;
    bool static_only;
};

/* Does this input (object, archive, thin archive, bitcode, linker script) mention `__enzyme_`? What cannot be read does
   not: the native linker will say so. Shared libraries do not: their own link has answered their requests. An object of
   our driver that was not stamped is stamped now. */
bool input_mentions_enzyme(const struct library_search *search, const char *path);

/* The same of -lNAME or -l:FILE, given without the -l. */
bool library_mentions_enzyme(const struct library_search *search, const char *name);

#endif
