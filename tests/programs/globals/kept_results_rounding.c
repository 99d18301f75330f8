/* The same where the program sets the rounding mode, so that comparisons, differences and conversions have one.
 *
 * flags: -frounding-math -ftrapping-math
 */
#include <fenv.h>

int to_nearest(void) { return fesetround(FE_TONEAREST); }

#include "kept_results.c"
