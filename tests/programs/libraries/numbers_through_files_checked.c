/* The same with reads that check the size of the memory.
 *
 * flags: -D_FORTIFY_SOURCE=3
 */
#include "numbers_through_files.c"
