/* The module of a Fortran source as it was before LLVM's passes, where these may have lost derivatives. */
#ifndef ENZYME_FORTRAN_H
#define ENZYME_FORTRAN_H

#include "command.h"

/* True if each source of this command can be compiled by a command of its own. */
bool compiles_apart(const struct command *command);

/* Compiles each source of `command` into an object, and stamps the object. `line`: flang, and the options that come
   before the command's own. `linked` gets the words of the command with temporary objects in the place of sources.
   Returns flang's status. */
int compile_fortran_sources(const struct words *line, const struct command *command, struct words *linked);

/* Removes all temporary files. */
void remove_temporary(void);

#endif
