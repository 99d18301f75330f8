/* The optimum that NLOPT_LN_COBYLA finds, by the parameters of the function: a callback with its data in a handle. */
#define METHOD NLOPT_LN_COBYLA
/* What the whole search returns has no derivative: it moves simplices until they are small, and multiplies rounding errors.
 * Of its result, the difference quotient by the first parameter is 2.183 with steps of 1e-3, 119 with 1e-11, and -2694 with
 * 1e-13. After ten evaluations it is 0.0416 with all of them. */
#define EVALUATIONS 10
#include "optimum.h"
