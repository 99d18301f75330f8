/* The optimum that NLOPT_LD_LBFGS finds, by the parameters of the function: a callback with its data in a handle. */
#define METHOD NLOPT_LD_LBFGS
#include "optimum.h"
