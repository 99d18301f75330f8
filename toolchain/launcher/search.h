/* Searches the inputs of a link for requests: the bytes `__enzyme_`. Finds libraries along the search path. */
#ifndef ENZYME_SEARCH_H
#define ENZYME_SEARCH_H

#include "words.h"

/* Where libraries are searched, as -L, --sysroot and -Bstatic have set it. */
struct library_search {
    struct words folders;
    const char *sysroot;
    bool static_only, for_library; /* the link makes a shared library */
};

/* True if an object or an archive that was searched so far holds bitcode. */
bool met_bitcode(void);

/* True if an input (object, archive, thin archive, bitcode, linker script) mentions `__enzyme_`. False for a file
   that cannot be read: the native linker reports it. False for a shared library: its own link has answered its
   requests. Stamps an object of our driver that was not stamped. */
bool input_mentions_enzyme(const struct library_search *search, const char *path);

/* The same for -lNAME or -l:FILE, given without the -l. */
bool library_mentions_enzyme(const struct library_search *search, const char *name);

#endif
