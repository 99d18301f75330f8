/* A sorted table of the compiler options that the launcher must know. Any other word is passed on as it is. */
#ifndef ENZYME_OPTIONS_H
#define ENZYME_OPTIONS_H

#include <stddef.h>

enum option_form {
    ALONE,    /* -c */
    SEPARATE, /* -include FILE */
    JOINED,   /* --ld-path=FILE */
    EITHER,   /* -o FILE or -oFILE */
};

enum option_meaning {
    NOTHING,     /* only its form matters */
    OBJECT,      /* makes one object of each source */
    NO_OBJECT,   /* ends before there is an object, or only prints */
    DRY_RUN,     /* shows commands, runs none */
    OUTPUT,      /* names the output */
    LTO,         /* objects are raw bitcode */
    NO_LTO,      /* undoes LTO */
    LINKER,      /* names the linker's flavour: the compiler must see it too */
    LINKER_PATH, /* names the linker: in our place */
    TARGET,      /* names the target */
    SYSROOT,     /* names the folder of the target's headers and libraries */
    LINK_INPUT,  /* something for the linker, so there is something to link */
};

struct option {
    const char *name;
    enum option_form form;
    enum option_meaning meaning;
};

extern const struct option option_table[];
extern const size_t option_count;

/* Returns the row that describes `word`: the one with the longest name that fits. NULL if there is none. */
const struct option *find_option(const char *word);

#endif
