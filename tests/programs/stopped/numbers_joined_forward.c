/* expect: a number is made of the bits of others that carry derivatives, by integer arithmetic [EZ0304]
 * Words of which an integer sum makes a number. The tangents tell. */
#define DERIVATIVE __enzyme_fwddiff
#include "numbers_joined.c"
