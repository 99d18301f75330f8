/* The optimum that NLOPT_LD_SLSQP finds, by the parameters of the function: a callback with its data in a handle. */
#define METHOD NLOPT_LD_SLSQP
#include "optimum.h"
