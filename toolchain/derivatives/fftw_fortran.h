/* FFTW's planners as Fortran calls them (dfftw_plan_dft_1d): by address, and with dimensions in reverse order.
 * LEGACY_PLANNER(NAME, PARAMETERS, BEFORE, ARGUMENTS): the planner of C with this name is given these arguments. */

#ifndef EZ_FFTW_FORTRAN_H
#define EZ_FFTW_FORTRAN_H
enum { EZ_MOST_DIMENSIONS = 24 };

/* a list of integers in reverse order, in memory of this function */
#define REVERSED(NAME)                                                                                            \
    int NAME##_back[EZ_MOST_DIMENSIONS] = {0};                                                                    \
    for (int i = 0; i < *rank && i < EZ_MOST_DIMENSIONS; i++)                                                     \
        NAME##_back[i] = NAME[*rank - 1 - i];

#define PAIRED(NAME, RANK, N, IS, OS)                                                                             \
    struct ez_iodim NAME[EZ_MOST_DIMENSIONS];                                                                     \
    for (int i = 0; i < *RANK && i < EZ_MOST_DIMENSIONS; i++)                                                     \
        NAME[i].n = N[i], NAME[i].is = IS[i], NAME[i].os = OS[i];
#define PAIRED_DIMENSIONS PAIRED(dims, rank, n, is, os) PAIRED(over, many, many_n, many_is, many_os)

#define IN_OUT T *in, T *out
#define FLAGS const int *flags
#define N1 const int *n0
#define N2 const int *n1, const int *n0
#define N3 const int *n2, const int *n1, const int *n0
#define RANK_N const int *rank, const int *n
#define MANY_N const int *rank, const int *n, const int *howmany
#define MANY_IN T *in, const int *inembed, const int *istride, const int *idist
#define MANY_OUT T *out, const int *onembed, const int *ostride, const int *odist
#define MANY_REVERSED REVERSED(n) REVERSED(inembed) REVERSED(onembed)
#define MANY_GIVEN                                                                                                \
    *rank, n_back, *howmany, in, inembed_back, *istride, *idist, out, onembed_back, *ostride, *odist
#define GURU_DIMENSIONS                                                                                           \
    const int *rank, const int *n, const int *is, const int *os, const int *many, const int *many_n,              \
        const int *many_is, const int *many_os
#define GURU_GIVEN *rank, dims, *many, over
#endif

#define LEGACY_OF_FORM(FORM, SIGN, SIGN_GIVEN)                                                                    \
    LEGACY_PLANNER(plan_dft##FORM##_1d, (N1, IN_OUT, UNPACKED SIGN FLAGS), , (*n0, in, out, UNPACKED SIGN_GIVEN *flags)) \
    LEGACY_PLANNER(plan_dft##FORM##_2d, (N2, IN_OUT, UNPACKED SIGN FLAGS), ,                                      \
                   (*n0, *n1, in, out, UNPACKED SIGN_GIVEN *flags))                                               \
    LEGACY_PLANNER(plan_dft##FORM##_3d, (N3, IN_OUT, UNPACKED SIGN FLAGS), ,                                      \
                   (*n0, *n1, *n2, in, out, UNPACKED SIGN_GIVEN *flags))                                          \
    LEGACY_PLANNER(plan_dft##FORM, (RANK_N, IN_OUT, UNPACKED SIGN FLAGS), REVERSED(n),                            \
                   (*rank, n_back, in, out, UNPACKED SIGN_GIVEN *flags))                                          \
    LEGACY_PLANNER(plan_many_dft##FORM, (MANY_N, MANY_IN, MANY_OUT, UNPACKED SIGN FLAGS), MANY_REVERSED,          \
                   (MANY_GIVEN, UNPACKED SIGN_GIVEN *flags))                                                      \
    LEGACY_PLANNER(plan_guru_dft##FORM, (GURU_DIMENSIONS, IN_OUT, UNPACKED SIGN FLAGS), PAIRED_DIMENSIONS,        \
                   (GURU_GIVEN, in, out, UNPACKED SIGN_GIVEN *flags))

LEGACY_OF_FORM(, (const int *sign, ), (*sign, ))
LEGACY_OF_FORM(_r2c, (), ())
LEGACY_OF_FORM(_c2r, (), ())
LEGACY_PLANNER(plan_guru_split_dft, (GURU_DIMENSIONS, T *ri, T *ii, T *ro, T *io, FLAGS), PAIRED_DIMENSIONS,
               (GURU_GIVEN, ri, ii, ro, io, *flags))
LEGACY_PLANNER(plan_guru_split_dft_r2c, (GURU_DIMENSIONS, T *in, T *ro, T *io, FLAGS), PAIRED_DIMENSIONS,
               (GURU_GIVEN, in, ro, io, *flags))
LEGACY_PLANNER(plan_guru_split_dft_c2r, (GURU_DIMENSIONS, T *ri, T *ii, T *out, FLAGS), PAIRED_DIMENSIONS,
               (GURU_GIVEN, ri, ii, out, *flags))
LEGACY_PLANNER(plan_r2r_1d, (N1, IN_OUT, const int *kind0, FLAGS), , (*n0, in, out, *kind0, *flags))
LEGACY_PLANNER(plan_r2r_2d, (N2, IN_OUT, const int *kind1, const int *kind0, FLAGS), ,
               (*n0, *n1, in, out, *kind0, *kind1, *flags))
LEGACY_PLANNER(plan_r2r_3d, (N3, IN_OUT, const int *kind2, const int *kind1, const int *kind0, FLAGS), ,
               (*n0, *n1, *n2, in, out, *kind0, *kind1, *kind2, *flags))
LEGACY_PLANNER(plan_r2r, (RANK_N, IN_OUT, const int *kind, FLAGS), REVERSED(n) REVERSED(kind),
               (*rank, n_back, in, out, kind_back, *flags))
LEGACY_PLANNER(plan_many_r2r, (MANY_N, MANY_IN, MANY_OUT, const int *kind, FLAGS), MANY_REVERSED REVERSED(kind),
               (MANY_GIVEN, kind_back, *flags))
LEGACY_PLANNER(plan_guru_r2r, (GURU_DIMENSIONS, IN_OUT, const int *kind, FLAGS), PAIRED_DIMENSIONS,
               (GURU_GIVEN, in, out, kind, *flags))

#undef LEGACY_OF_FORM
