/* Runs a program and waits for it. */
#ifndef ENZYME_RUN_H
#define ENZYME_RUN_H

#include "words.h"

/* Returns the program's status. Signals are passed to the program; if it dies of one, so does this process. */
int run_command(const struct words *line);

/* What to do before this process dies of a signal, or NULL. */
extern void (*before_signal)(void);

#endif
