/* Reads a compiler's command line: which objects it makes, and whether it links. */
#ifndef ENZYME_COMMAND_H
#define ENZYME_COMMAND_H

#include "words.h"

struct command {
    struct words passed; /* the words for the compiler: all without ours */
    struct words ours;   /* --enzyme-*, for enzyme-ld */
    struct words inputs;
    const char *output;  /* -o, or NULL */
    const char *flavour; /* the user's -fuse-ld=, or NULL */
    const char *linker;  /* the user's --ld-path=, or NULL */
    const char *target;  /* --target=, or NULL */
    const char *sysroot; /* --sysroot=, or NULL */
    bool verbose;
    bool asks_help;    /* --enzyme-help */
    bool asks_version; /* --version */
    bool makes_objects; /* -c */
    bool ends_early;    /* -E, -S, --version …: neither objects nor a link */
    bool dry_run;       /* -### */
    bool lto;
    bool has_link_input; /* -lfoo, -Wl,… */
};

struct command read_command(const char *const *arguments);

bool command_links(const struct command *command);

/* The object of a source as every compiler names it: name.o in the working directory for dir/name.suffix. */
const char *default_object(const char *source);

/* With -c: the names of the objects that the compiler makes. */
struct words object_names(const struct command *command);

#endif
