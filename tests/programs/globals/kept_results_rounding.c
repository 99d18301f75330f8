/* The same with comparisons, differences and conversions that have a rounding mode: they are calls.
 *
 * flags: -frounding-math -ftrapping-math
 */
#include "kept_results.c"
