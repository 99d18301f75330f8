/* FFTW's planners, for one type T whose functions X(…) names: PLANNER(name, parameters, arguments, transform, arrays).
 *
 * `transform` says what the planner's arguments describe (natives/fftw_transforms.h), `arrays` are the real and the
 * imaginary parts of input and output. Numbers without imaginary parts have their own array in that place. */

#define PLAIN_TRANSFORM(FORM, SIGN, KINDS, ...)                                                                   \
    __ez_inactive_fftw_plain(sizeof(T), FORM, SIGN, KINDS, flags, in == out, __VA_ARGS__)

/* plans of one transform: dimensions given one by one or as a list */
#define OF_SHAPE(SHAPE, GIVEN, NAMES, DIMENSIONS)                                                                 \
    PLANNER(plan_dft##SHAPE, (UNPACKED GIVEN, T * in, T * out, int sign, unsigned flags),                         \
            (UNPACKED NAMES, in, out, sign, flags), PLAIN_TRANSFORM(C2C, sign, 0, UNPACKED DIMENSIONS),           \
            (COMPLEX_IN, COMPLEX_OUT))                                                                            \
    PLANNER(plan_dft_r2c##SHAPE, (UNPACKED GIVEN, T * in, T * out, unsigned flags),                               \
            (UNPACKED NAMES, in, out, flags), PLAIN_TRANSFORM(R2C, FORWARD_SIGN, 0, UNPACKED DIMENSIONS),         \
            (REAL_IN, COMPLEX_OUT))                                                                               \
    PLANNER(plan_dft_c2r##SHAPE, (UNPACKED GIVEN, T * in, T * out, unsigned flags),                               \
            (UNPACKED NAMES, in, out, flags), PLAIN_TRANSFORM(C2R, BACKWARD_SIGN, 0, UNPACKED DIMENSIONS),        \
            (COMPLEX_IN, REAL_OUT))

#define REAL_OF_SHAPE(SHAPE, GIVEN, NAMES, DIMENSIONS, KINDS_GIVEN, KINDS_NAMES, KINDS)                           \
    PLANNER(plan_r2r##SHAPE, (UNPACKED GIVEN, T * in, T * out, UNPACKED KINDS_GIVEN, unsigned flags),             \
            (UNPACKED NAMES, in, out, UNPACKED KINDS_NAMES, flags),                                               \
            PLAIN_TRANSFORM(R2R, FORWARD_SIGN, UNPACKED KINDS, UNPACKED DIMENSIONS), (REAL_IN, REAL_OUT))

OF_SHAPE(, (int rank, const int *n), (rank, n), (rank, n))
OF_SHAPE(_1d, (int n0), (n0), (1, (int[]){n0}))
OF_SHAPE(_2d, (int n0, int n1), (n0, n1), (2, (int[]){n0, n1}))
OF_SHAPE(_3d, (int n0, int n1, int n2), (n0, n1, n2), (3, (int[]){n0, n1, n2}))
REAL_OF_SHAPE(, (int rank, const int *n), (rank, n), (rank, n), (const int *kind), (kind), (kind))
REAL_OF_SHAPE(_1d, (int n0), (n0), (1, (int[]){n0}), (int kind0), (kind0), ((int[]){kind0}))
REAL_OF_SHAPE(_2d, (int n0, int n1), (n0, n1), (2, (int[]){n0, n1}), (int kind0, int kind1), (kind0, kind1),
              ((int[]){kind0, kind1}))
REAL_OF_SHAPE(_3d, (int n0, int n1, int n2), (n0, n1, n2), (3, (int[]){n0, n1, n2}),
              (int kind0, int kind1, int kind2), (kind0, kind1, kind2), ((int[]){kind0, kind1, kind2}))

/* plans of many transforms */
#define MANY(NAME, FORM, SIGN, KINDS, MORE, MORE_NAMES, ARRAYS)                                                   \
    PLANNER(NAME,                                                                                                 \
            (int rank, const int *n, int howmany, T *in, const int *inembed, int istride, int idist, T *out,      \
             const int *onembed, int ostride, int odist, UNPACKED MORE),                                          \
            (rank, n, howmany, in, inembed, istride, idist, out, onembed, ostride, odist, UNPACKED MORE_NAMES),   \
            __ez_inactive_fftw_many(sizeof(T), FORM, SIGN, KINDS, flags, in == out, rank, n, howmany, inembed,    \
                                    istride, idist, onembed, ostride, odist),                                     \
            ARRAYS)

MANY(plan_many_dft, C2C, sign, 0, (int sign, unsigned flags), (sign, flags), (COMPLEX_IN, COMPLEX_OUT))
MANY(plan_many_dft_r2c, R2C, FORWARD_SIGN, 0, (unsigned flags), (flags), (REAL_IN, COMPLEX_OUT))
MANY(plan_many_dft_c2r, C2R, BACKWARD_SIGN, 0, (unsigned flags), (flags), (COMPLEX_IN, REAL_OUT))
MANY(plan_many_r2r, R2R, FORWARD_SIGN, kind, (const int *kind, unsigned flags), (kind, flags), (REAL_IN, REAL_OUT))

/* the guru's plans, with integers of 32 and of 64 bits */
#define GURU(NAME, WIDTH, FORM, SIGN, KINDS, SPLIT, MORE, MORE_NAMES, ARRAYS)                                     \
    PLANNER(NAME,                                                                                                 \
            (int rank, const struct ez_iodim##WIDTH *dims, int howmany_rank,                                      \
             const struct ez_iodim##WIDTH *howmany_dims, UNPACKED MORE),                                          \
            (rank, dims, howmany_rank, howmany_dims, UNPACKED MORE_NAMES),                                        \
            __ez_inactive_fftw_guru##WIDTH(sizeof(T), FORM, SIGN, KINDS, flags, SPLIT, rank, dims, howmany_rank,  \
                                           howmany_dims),                                                         \
            ARRAYS)
#define GURU_OF_WIDTH(WIDTH)                                                                                      \
    GURU(plan_guru##WIDTH##_dft, WIDTH, C2C, sign, 0, 0, (T * in, T * out, int sign, unsigned flags),             \
         (in, out, sign, flags), (COMPLEX_IN, COMPLEX_OUT))                                                       \
    GURU(plan_guru##WIDTH##_dft_r2c, WIDTH, R2C, FORWARD_SIGN, 0, 0, (T * in, T * out, unsigned flags),           \
         (in, out, flags), (REAL_IN, COMPLEX_OUT))                                                                \
    GURU(plan_guru##WIDTH##_dft_c2r, WIDTH, C2R, BACKWARD_SIGN, 0, 0, (T * in, T * out, unsigned flags),          \
         (in, out, flags), (COMPLEX_IN, REAL_OUT))                                                                \
    GURU(plan_guru##WIDTH##_r2r, WIDTH, R2R, FORWARD_SIGN, kind, 0,                                               \
         (T * in, T * out, const int *kind, unsigned flags), (in, out, kind, flags), (REAL_IN, REAL_OUT))         \
    GURU(plan_guru##WIDTH##_split_dft, WIDTH, C2C, FORWARD_SIGN, 0, 1,                                            \
         (T * ri, T * ii, T * ro, T * io, unsigned flags), (ri, ii, ro, io, flags), (ri, ii, ro, io))             \
    GURU(plan_guru##WIDTH##_split_dft_r2c, WIDTH, R2C, FORWARD_SIGN, 0, 1,                                        \
         (T * in, T * ro, T * io, unsigned flags), (in, ro, io, flags), (REAL_IN, ro, io))                        \
    GURU(plan_guru##WIDTH##_split_dft_c2r, WIDTH, C2R, BACKWARD_SIGN, 0, 1,                                       \
         (T * ri, T * ii, T * out, unsigned flags), (ri, ii, out, flags), (ri, ii, REAL_OUT))

GURU_OF_WIDTH()
GURU_OF_WIDTH(64)

#undef PLAIN_TRANSFORM
#undef OF_SHAPE
#undef REAL_OF_SHAPE
#undef MANY
#undef GURU
#undef GURU_OF_WIDTH
