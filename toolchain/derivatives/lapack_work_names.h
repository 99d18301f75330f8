/* LAPACKE's functions that are passed work space, for one type T with the letter P. They do what those without it do. How
 * much they want is told by the functions with Fortran's names. */

#define W_NAME(NAME) EZ_JOIN(__ez_stand_in_LAPACKE_, P, EZ_JOIN(NAME, _work, ))

#ifndef EZ_LAPACK_WORK_NAMES_H
#define EZ_LAPACK_WORK_NAMES_H
/* A list has a row for each argument: V for a value, A for an address. */
#define V_PARAMETER(TYPE, NAME) , TYPE NAME
#define A_PARAMETER(TYPE, NAME) , TYPE *NAME
#define GIVEN(TYPE, NAME) , NAME
#define V_FOR_FORTRAN(TYPE, NAME) &NAME,
#define A_FOR_FORTRAN(TYPE, NAME) NAME,

/* The last arguments are those of the function without work space that stand elsewhere here. */
#define WITH_WORK(NAME, LIST, SPACES, IS_QUESTION, ...)                                                           \
    INLINED int W_NAME(NAME)(int layout LIST(V_PARAMETER, A_PARAMETER) SPACES(V_PARAMETER, A_PARAMETER)) {        \
        int info = 0;                                                                                             \
        if (!(IS_QUESTION))                                                                                       \
            return E_NAME(NAME)(layout LIST(GIVEN, GIVEN) __VA_ARGS__);                                           \
        F_NAME(NAME)(LIST(V_FOR_FORTRAN, A_FOR_FORTRAN) SPACES(V_FOR_FORTRAN, A_FOR_FORTRAN) &info);              \
        return info;                                                                                              \
    }
#define NORM_WITH_WORK(NAME, LIST)                                                                                \
    INLINED REAL W_NAME(NAME)(int layout LIST(V_PARAMETER, A_PARAMETER), REAL *work) {                            \
        return E_NAME(NAME)(layout LIST(GIVEN, GIVEN));                                                           \
    }

#define SPACE(V, A) A(T, work) V(int, lwork)
#define ONE_SPACE(V, A) A(T, work)
#define ASKS_ONE lwork == -1
#define ASKS_TWO lwork == -1 || liwork == -1
#define ASKS_THREE ASKS_TWO || lrwork == -1

#define LIST_OF_INVERSE(V, A) V(int, n) A(T, a) V(int, lda) A(const int, ipiv)
#define LIST_OF_FACTORS(V, A) V(int, m) V(int, n) A(T, a) V(int, lda) A(T, tau)
#define LIST_OF_ORTHOGONAL(V, A) V(int, m) V(int, n) V(int, k) A(T, a) V(int, lda) A(const T, tau)
#define LIST_OF_PRODUCT(V, A)                                                                                          \
    V(char, side) V(char, trans) V(int, m) V(int, n) V(int, k) A(const T, a) V(int, lda) A(const T, tau) A(T, c)  \
        V(int, ldc)
#define LIST_OF_EXCHANGES(V, A) V(int, m) V(int, n) A(T, a) V(int, lda) A(int, jpvt) A(T, tau)
#define LIST_OF_RIGHT_SIDES(V, A) V(int, m) V(int, n) V(int, nrhs) A(T, a) V(int, lda) A(T, b) V(int, ldb)
#define LIST_OF_LEAST_SQUARES(V, A) V(char, trans) LIST_OF_RIGHT_SIDES(V, A)
#define LIST_OF_VALUES_AND_RANK(V, A) LIST_OF_RIGHT_SIDES(V, A) A(REAL, sigma) V(REAL, rcond) A(int, rank)
#define LIST_OF_COLUMNS_AND_RANK(V, A) LIST_OF_RIGHT_SIDES(V, A) A(int, jpvt) V(REAL, rcond) A(int, rank)
#define LIST_OF_EIGEN(V, A) V(char, jobz) V(char, uplo) V(int, n) A(T, a) V(int, lda) A(REAL, w)
#define LIST_OF_PART(V, A)                                                                                             \
    V(char, jobz) V(char, range) V(char, uplo) V(int, n) A(T, a) V(int, lda) V(REAL, vl) V(REAL, vu) V(int, il)   \
        V(int, iu) V(REAL, abstol) A(int, m) A(REAL, w) A(T, z) V(int, ldz)
#define LIST_OF_PART_AND_SUPPORT(V, A) LIST_OF_PART(V, A) A(int, isuppz)
#define LIST_OF_TWO_MATRICES(V, A)                                                                                     \
    V(int, itype) V(char, jobz) V(char, uplo) V(int, n) A(T, a) V(int, lda) A(T, b) V(int, ldb) A(REAL, w)
#define LIST_OF_BOTH_SIDES(V, A)                                                                                       \
    V(char, jobvl) V(char, jobvr) V(int, n) A(T, a) V(int, lda) EIGENVALUES(V, A) A(T, vl) V(int, ldvl) A(T, vr)  \
        V(int, ldvr)
#define LIST_OF_SINGULAR(V, A)                                                                                         \
    V(int, m) V(int, n) A(T, a) V(int, lda) A(REAL, sigma) A(T, u) V(int, ldu) A(T, vt) V(int, ldvt)
#define LIST_OF_TWO_JOBS(V, A) V(char, jobu) V(char, jobvt) LIST_OF_SINGULAR(V, A)
#define LIST_OF_ONE_JOB(V, A) V(char, jobz) LIST_OF_SINGULAR(V, A)
#define LIST_OF_INDEFINITE(V, A) V(char, uplo) V(int, n) A(T, a) V(int, lda) A(int, ipiv)
#define LIST_OF_INDEFINITE_INVERSE(V, A) V(char, uplo) V(int, n) A(T, a) V(int, lda) A(const int, ipiv)
#define LIST_OF_INDEFINITE_SYSTEM(V, A)                                                                                \
    V(char, uplo) V(int, n) V(int, nrhs) A(T, a) V(int, lda) A(int, ipiv) A(T, b) V(int, ldb)
#define LIST_OF_NORM(V, A) V(char, norm) V(int, m) V(int, n) A(const T, a) V(int, lda)
#define LIST_OF_SYMMETRIC_NORM(V, A) V(char, norm) V(char, uplo) V(int, n) A(const T, a) V(int, lda)
#define LIST_OF_TRIANGULAR_NORM(V, A)                                                                                  \
    V(char, norm) V(char, uplo) V(char, diag) V(int, m) V(int, n) A(const T, a) V(int, lda)
#define LIST_OF_CONDITION(V, A) V(char, norm) V(int, n) A(const T, a) V(int, lda) V(REAL, anorm) A(REAL, rcond)
#define LIST_OF_DEFINITE_CONDITION(V, A) V(char, uplo) V(int, n) A(const T, a) V(int, lda) V(REAL, anorm) A(REAL, rcond)
#define LIST_OF_TRIANGULAR_CONDITION(V, A)                                                                             \
    V(char, norm) V(char, uplo) V(char, diag) V(int, n) A(const T, a) V(int, lda) A(REAL, rcond)
#endif

#undef MORE_SPACE
#undef DIVIDED_SPACE
#undef VARIANT_SPACE
#undef EXPERT_SPACE
#undef CONDITION_SPACE
#undef EIGENVALUES
#undef ASKS_ALL
#if IS_COMPLEX
#define MORE_SPACE(V, A) SPACE(V, A) A(REAL, rwork)
#define VARIANT_SPACE(V, A) MORE_SPACE(V, A) V(int, lrwork) A(int, iwork) V(int, liwork)
#define CONDITION_SPACE(V, A) A(T, work) A(REAL, rwork)
#define EIGENVALUES(V, A) A(T, w)
#define ASKS_ALL ASKS_THREE
#else
#define MORE_SPACE(V, A) SPACE(V, A)
#define VARIANT_SPACE(V, A) SPACE(V, A) A(int, iwork) V(int, liwork)
#define CONDITION_SPACE(V, A) A(T, work) A(int, iwork)
#define EIGENVALUES(V, A) A(T, wr) A(T, wi)
#define ASKS_ALL ASKS_TWO
#endif
#define DIVIDED_SPACE(V, A) MORE_SPACE(V, A) A(int, iwork)
#define EXPERT_SPACE(V, A) DIVIDED_SPACE(V, A) A(int, ifail)

WITH_WORK(getri, LIST_OF_INVERSE, SPACE, ASKS_ONE)
WITH_WORK(geqrf, LIST_OF_FACTORS, SPACE, ASKS_ONE)
WITH_WORK(gelqf, LIST_OF_FACTORS, SPACE, ASKS_ONE)
WITH_WORK(ORTHOGONAL(gqr), LIST_OF_ORTHOGONAL, SPACE, ASKS_ONE)
WITH_WORK(ORTHOGONAL(glq), LIST_OF_ORTHOGONAL, SPACE, ASKS_ONE)
WITH_WORK(ORTHOGONAL(mqr), LIST_OF_PRODUCT, SPACE, ASKS_ONE)
WITH_WORK(ORTHOGONAL(mlq), LIST_OF_PRODUCT, SPACE, ASKS_ONE)
WITH_WORK(geqp3, LIST_OF_EXCHANGES, MORE_SPACE, ASKS_ONE)
WITH_WORK(gels, LIST_OF_LEAST_SQUARES, SPACE, ASKS_ONE)
WITH_WORK(gelsd, LIST_OF_VALUES_AND_RANK, DIVIDED_SPACE, ASKS_ONE)
WITH_WORK(gelss, LIST_OF_VALUES_AND_RANK, MORE_SPACE, ASKS_ONE)
WITH_WORK(gelsy, LIST_OF_COLUMNS_AND_RANK, MORE_SPACE, ASKS_ONE)
WITH_WORK(SELF_ADJOINT(ev), LIST_OF_EIGEN, MORE_SPACE, ASKS_ONE)
WITH_WORK(SELF_ADJOINT(evd), LIST_OF_EIGEN, VARIANT_SPACE, ASKS_ALL)
WITH_WORK(SELF_ADJOINT(evr), LIST_OF_PART_AND_SUPPORT, VARIANT_SPACE, ASKS_ALL)
WITH_WORK(SELF_ADJOINT(evx), LIST_OF_PART, EXPERT_SPACE, ASKS_ONE, , ifail)
WITH_WORK(SELF_ADJOINT(gv), LIST_OF_TWO_MATRICES, MORE_SPACE, ASKS_ONE)
WITH_WORK(SELF_ADJOINT(gvd), LIST_OF_TWO_MATRICES, VARIANT_SPACE, ASKS_ALL)
WITH_WORK(geev, LIST_OF_BOTH_SIDES, MORE_SPACE, ASKS_ONE)
WITH_WORK(gesvd, LIST_OF_TWO_JOBS, MORE_SPACE, ASKS_ONE, , 0)
WITH_WORK(gesdd, LIST_OF_ONE_JOB, DIVIDED_SPACE, ASKS_ONE)
WITH_WORK(sytrf, LIST_OF_INDEFINITE, SPACE, ASKS_ONE)
WITH_WORK(sytri, LIST_OF_INDEFINITE_INVERSE, ONE_SPACE, 0)
WITH_WORK(sysv, LIST_OF_INDEFINITE_SYSTEM, SPACE, ASKS_ONE)
NORM_WITH_WORK(lange, LIST_OF_NORM)
NORM_WITH_WORK(lansy, LIST_OF_SYMMETRIC_NORM)
NORM_WITH_WORK(lantr, LIST_OF_TRIANGULAR_NORM)
WITH_WORK(gecon, LIST_OF_CONDITION, CONDITION_SPACE, 0)
WITH_WORK(pocon, LIST_OF_DEFINITE_CONDITION, CONDITION_SPACE, 0)
WITH_WORK(trcon, LIST_OF_TRIANGULAR_CONDITION, CONDITION_SPACE, 0)
#if IS_COMPLEX
WITH_WORK(hetrf, LIST_OF_INDEFINITE, SPACE, ASKS_ONE)
WITH_WORK(hetri, LIST_OF_INDEFINITE_INVERSE, ONE_SPACE, 0)
WITH_WORK(hesv, LIST_OF_INDEFINITE_SYSTEM, SPACE, ASKS_ONE)
NORM_WITH_WORK(lanhe, LIST_OF_SYMMETRIC_NORM)
#endif
