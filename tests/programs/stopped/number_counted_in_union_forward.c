/* expect: the bits of a number that carries a derivative are accessed in place as an integer
 * A number in a tagged union is counted up as if it were an integer: the next number. The tangent tells.
 * flags: -O1 */
#define DERIVATIVE __enzyme_fwddiff
#include "number_counted_in_union.c"
