/* What FFTW's planners are given, and what they describe. */
#ifndef EZ_FFTW_TYPES_H
#define EZ_FFTW_TYPES_H
enum ez_fftw_form { C2C, R2C, C2R, R2R };
enum { FORWARD_SIGN = -1, BACKWARD_SIGN = 1 };
struct ez_iodim { int n, is, os; };
struct ez_iodim64 { int64_t n, is, os; };

/* These return a number for a transform, 0 for one with too many dimensions. `precision` is the size of T. `kinds`: of
 * r2r; null otherwise. `same`: input and output are the same memory. */
int64_t __ez_inactive_fftw_plain(int precision, int form, int sign, const int *kinds, unsigned flags, int same, int rank,
                                 const int *n);
int64_t __ez_inactive_fftw_many(int precision, int form, int sign, const int *kinds, unsigned flags, int same, int rank,
                                const int *n, int howmany, const int *inembed, int istride, int idist,
                                const int *onembed, int ostride, int odist);
int64_t __ez_inactive_fftw_guru(int precision, int form, int sign, const int *kinds, unsigned flags, int split, int rank,
                                const struct ez_iodim *dims, int howmany_rank, const struct ez_iodim *howmany_dims);
int64_t __ez_inactive_fftw_guru64(int precision, int form, int sign, const int *kinds, unsigned flags, int split,
                                  int rank, const struct ez_iodim64 *dims, int howmany_rank,
                                  const struct ez_iodim64 *howmany_dims);

#define LEGACY_NAME(PREFIX, NAME) EZ_JOIN(PREFIX, LEGACY, EZ_JOIN(NAME, _, ))
/* lists in parentheses, and parts of lists */
#define UNPACKED(...) __VA_ARGS__
#define COMPLEX_IN in, in + 1
#define COMPLEX_OUT out, out + 1
#define REAL_IN in, in
#define REAL_OUT out, out

/* where the numbers of a side (0: the input, 1: the output) lie, from the address that a planner is given */
int64_t __ez_inactive_fftw_first(int64_t transform, int side);
int64_t __ez_inactive_fftw_end(int64_t transform, int side);
#endif
