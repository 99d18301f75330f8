#ifndef ENZYME_COMPILE_H
#define ENZYME_COMPILE_H

#include "tools.h"

/* Runs the compiler of `language` so that its objects carry bitcode and its links go through enzyme-ld. */
int compile(enum language language, const char *const *arguments);

#endif
