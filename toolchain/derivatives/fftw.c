/* FFTW: derivatives of its transforms, and the names by which programs call it. */
#include <enzyme/derivative.h>
#include "fftw_types.h"

/* FFTW's transforms are linear: nothing is kept, and the adjoint is the transposed transform (natives/fftw.c). */
struct nothing {
    size_t size;
};

#define T double
#define P fftw_
#define LEGACY dfftw_
#include "fftw_routines.h"
#undef T
#undef P
#undef LEGACY
#define T float
#define P fftwf_
#define LEGACY sfftw_
#include "fftw_routines.h"
#undef T
#undef P
#undef LEGACY
#define T long double
#define P fftwl_
#define LEGACY lfftw_
#include "fftw_routines.h"
#undef T
#undef P
#undef LEGACY
