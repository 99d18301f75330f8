/* FFTW: derivatives of its transforms, and the names by which programs call it. */
#include <enzyme/derivative.h>
#include "fftw_types.h"

/* FFTW's transforms are linear: nothing is kept, and the adjoint is the transposed transform (natives/fftw.c). */
struct nothing {
    size_t size;
};

#define FOR_EACH_PRECISION "fftw_routines.h"
#include "fftw_precisions.h"
