/* The same with reads that check the size of the memory.
 *
 * flags: -D_FORTIFY_SOURCE=3
 */
#include "headers_in_files.c"
