/* Two coupled decays by CVODE (CV_BDF, dense matrix), by the rates and the first state: callbacks and tables of operations. */
#define METHOD CV_BDF
#include "decays.h"
