/* FFTW: what its planners plan, and its transforms and their adjoints as derivatives/fftw.c uses them. */
#include <enzyme/derivative.h>
#include "../derivatives/fftw_types.h"
#include "fftw_transforms.h"
#include "fftw_plans.h"

#define X(NAME) EZ_JOIN(, P, NAME)
#define FOR_EACH_PRECISION "../natives/fftw_precision.h"
#include "../derivatives/fftw_precisions.h"
