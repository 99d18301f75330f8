/* Our own options: --enzyme-…, -Wenzyme-… and -Rpass=enzyme. */
#ifndef ENZYME_OWN_OPTIONS_H
#define ENZYME_OWN_OPTIONS_H

#include "words.h"

/* True for one of our own options, which no other tool may see. */
bool is_ours(const char *word);

/* Ends the process if an option is not known: also where nothing is linked, which would tell it. */
void refuse_unknown(const struct words *ours);

/* Prints what our options mean, and ends the process. */
_Noreturn void show_help(void);

/* Prints our version, behind the compiler's. */
void show_version(void);

#endif
