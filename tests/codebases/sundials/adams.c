/* Two coupled decays by CVODE (CV_ADAMS, dense matrix), by the rates and the first state: callbacks and tables of operations. */
#define METHOD CV_ADAMS
#include "decays.h"
