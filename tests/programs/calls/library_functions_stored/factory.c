/* Stores functions of the C library in a struct, which other files call. */
#include "hooks.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int descending(const void *a, const void *b) { return ascending(b, a); }

hooks *made_hooks(void) {
  hooks *made = calloc(1, sizeof *made);
  *made = (hooks){exp, pow, sinf, malloc, memcpy, free, qsort, descending, strcmp};
  return made;
}
