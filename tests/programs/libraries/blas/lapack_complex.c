/* Some cases of each routine of complex_factorisations, which has them all.
 * flags: -lopenblas */
#define ONE
#include "complex_factorisations/main.c"
