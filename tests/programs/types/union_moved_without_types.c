/* As union_moved_by_calls.c, without declared types: only where floats were stored tells that a double may be floats.
 *
 * flags: -fno-strict-aliasing */
#include "union_moved_by_calls.c"
