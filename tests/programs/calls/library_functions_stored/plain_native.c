/* The same in native code: only its relocations tell which addresses it takes. */
#include "hooks.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

double (*const plain_table[])(double) = {tanh, log1p};

hooks *native_hooks(void) {
  hooks *made = malloc(sizeof *made);
  made->outer = atan, made->power = hypot, made->single = cosf;
  made->allocate = malloc, made->copy = memmove, made->release = free;
  made->sort = qsort, made->order = ascending, made->equal = strcasecmp;
  return made;
}
