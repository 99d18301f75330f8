/* Includes the file FOR_EACH_PRECISION for each type T of FFTW: P begins its names, and LEGACY those of Fortran's older ones. */

#define T double
#define P fftw_
#define LEGACY dfftw_
#include FOR_EACH_PRECISION
#undef T
#undef P
#undef LEGACY

#define T float
#define P fftwf_
#define LEGACY sfftw_
#include FOR_EACH_PRECISION
#undef T
#undef P
#undef LEGACY

#define T long double
#define P fftwl_
#define LEGACY lfftw_
#include FOR_EACH_PRECISION
#undef T
#undef P
#undef LEGACY
#undef FOR_EACH_PRECISION
