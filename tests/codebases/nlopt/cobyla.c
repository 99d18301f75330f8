/* The optimum that NLOPT_LN_COBYLA finds, by the parameters of the function: a callback with its data in a handle. */
#define METHOD NLOPT_LN_COBYLA
#include "optimum.h"
