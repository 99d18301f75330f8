/* FFTW: what its planners plan, and its transforms and their adjoints as derivatives/fftw.c uses them. */
#include <enzyme/derivative.h>
#include "../derivatives/fftw_types.h"
#include "fftw_transforms.h"
#include "fftw_plans.h"

#define X(NAME) EZ_JOIN(, P, NAME)
#define T double
#define P fftw_
#define LEGACY dfftw_
#include "fftw_precision.h"
#undef T
#undef P
#undef LEGACY
#define T float
#define P fftwf_
#define LEGACY sfftw_
#include "fftw_precision.h"
#undef T
#undef P
#undef LEGACY
#define T long double
#define P fftwl_
#define LEGACY lfftw_
#include "fftw_precision.h"
