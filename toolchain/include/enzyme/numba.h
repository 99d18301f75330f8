/* What code that Numba compiles calls of Numba's runtime: memory with reference counts, and linear algebra.
 *
 * The declarations are Numba's (0.60 to 0.68). Everything is local to one call of a derivative: arrays that the caller
 * passed have no meminfo here, and what is made inside is freed inside. So the counts need no atomic operations, and
 * plain C is differentiated.
 */
#ifndef ENZYME_NUMBA_H
#define ENZYME_NUMBA_H
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Those that Numba generates take the data only. */
typedef void (*enzyme_numba_destructor)(void *data);
typedef struct {
  size_t references;
  enzyme_numba_destructor destructor;
  void *info, *data;
  size_t size;
  void *allocator;
} enzyme_numba_block;

static enzyme_numba_block *enzyme_numba_new(size_t size, enzyme_numba_destructor destructor) {
  enzyme_numba_block *block = malloc(sizeof *block);
  block->references = 1;
  block->destructor = destructor;
  block->info = 0;
  block->data = malloc(size);
  block->size = size;
  block->allocator = 0;
  return block;
}

void *NRT_Allocate(size_t size) { return malloc(size); }
void NRT_Free(void *data) { free(data); }
void *NRT_MemInfo_alloc(size_t size) { return enzyme_numba_new(size, 0); }
void *NRT_MemInfo_alloc_safe(size_t size) { return enzyme_numba_new(size, 0); }
void *NRT_MemInfo_alloc_aligned(size_t size, unsigned alignment) {
  (void)alignment;
  return enzyme_numba_new(size, 0);
}
void *NRT_MemInfo_alloc_safe_aligned(size_t size, unsigned alignment) {
  (void)alignment;
  return enzyme_numba_new(size, 0);
}
void *NRT_MemInfo_new_varsize(size_t size) { return enzyme_numba_new(size, 0); }
void *NRT_MemInfo_new_varsize_dtor(size_t size, enzyme_numba_destructor destructor) {
  return enzyme_numba_new(size, destructor);
}
void *NRT_MemInfo_varsize_alloc(enzyme_numba_block *block, size_t size) {
  block->size = size;
  return block->data = malloc(size);
}
void *NRT_MemInfo_varsize_realloc(enzyme_numba_block *block, size_t size) {
  block->size = size;
  return block->data = realloc(block->data, size);
}
void NRT_MemInfo_varsize_free(enzyme_numba_block *block, void *data) {
  free(data);
  if (block->data == data)
    block->data = 0;
}
void NRT_MemInfo_call_dtor(enzyme_numba_block *block) {
  if (block->destructor)
    block->destructor(block->data);
  free(block->data);
  free(block);
}
void NRT_incref(enzyme_numba_block *block) {
  if (block)
    block->references++;
}
void NRT_decref(enzyme_numba_block *block) {
  if (block && --block->references == 0)
    NRT_MemInfo_call_dtor(block);
}

/* These report errors of the runtime, after which Numba goes on nowhere. */
void numba_gil_ensure(int *state) { (void)state; }
void numba_gil_release(int *state) { (void)state; }
void numba_fatal_error(void) { abort(); }
void Py_FatalError(const char *message) {
  (void)message;
  abort();
}

double numba_ldexp(double x, int exponent) { return ldexp(x, exponent); }
float numba_ldexpf(float x, int exponent) { return ldexpf(x, exponent); }
double numba_frexp(double x, int *exponent) { return frexp(x, exponent); }
float numba_frexpf(float x, int *exponent) { return frexpf(x, exponent); }
double numba_gamma(double x) { return tgamma(x); }
float numba_gammaf(float x) { return tgammaf(x); }

/* Gives the strides of an array under another shape, where that needs no copy. Returns whether it does not: only
 * arrays in the order of C or, with is_f_order, of Fortran. */
int numba_attempt_nocopy_reshape(intptr_t rank, const intptr_t *shape, const intptr_t *strides, intptr_t new_rank,
                                 const intptr_t *new_shape, intptr_t *new_strides, intptr_t item, int is_f_order) {
  intptr_t step = item;
  for (intptr_t k = 0; k < rank; k++) {
    intptr_t i = is_f_order ? k : rank - 1 - k;
    if (shape[i] != 1 && strides[i] != step)
      return 0;
    step *= shape[i];
  }
  step = item;
  for (intptr_t k = 0; k < new_rank; k++) {
    intptr_t i = is_f_order ? k : new_rank - 1 - k;
    new_strides[i] = step;
    step *= new_shape[i];
  }
  return 1;
}

/* Linear algebra: matrices in Fortran's order, as in BLAS and LAPACK. `kind` is 's' or 'd'. */
#define ENZYME_NUMBA_ALGEBRA(T, S)                                                                                     \
  static void enzyme_numba_dot_##S(intptr_t n, const T *x, const T *y, T *result) {                                    \
    T sum = 0;                                                                                                         \
    for (intptr_t i = 0; i < n; i++)                                                                                   \
      sum += x[i] * y[i];                                                                                              \
    *result = sum;                                                                                                     \
  }                                                                                                                    \
  static void enzyme_numba_nrm2_##S(intptr_t n, const T *x, intptr_t step, T *result) {                                \
    T sum = 0;                                                                                                         \
    for (intptr_t i = 0; i < n; i++)                                                                                   \
      sum += x[i * step] * x[i * step];                                                                                \
    *result = (T)sqrt(sum);                                                                                            \
  }                                                                                                                    \
  static void enzyme_numba_gemm_##S(int ta, int tb, intptr_t m, intptr_t n, intptr_t k, const T *alpha, const T *a,    \
                                    intptr_t lda, const T *b, intptr_t ldb, const T *beta, T *c, intptr_t ldc) {       \
    T scale = *beta, factor = *alpha;                                                                                  \
    for (intptr_t j = 0; j < n; j++) {                                                                                 \
      for (intptr_t i = 0; i < m; i++)                                                                                 \
        c[i + j * ldc] = scale == 0 ? 0 : scale * c[i + j * ldc];                                                      \
      for (intptr_t l = 0; l < k; l++) {                                                                               \
        T number = factor * (tb ? b[j + l * ldb] : b[l + j * ldb]);                                                    \
        for (intptr_t i = 0; i < m; i++)                                                                               \
          c[i + j * ldc] += number * (ta ? a[l + i * lda] : a[i + l * lda]);                                           \
      }                                                                                                                \
    }                                                                                                                  \
  }                                                                                                                    \
  static int enzyme_numba_getrf_##S(intptr_t m, intptr_t n, T *a, intptr_t lda, int32_t *pivots) {                     \
    int singular = 0;                                                                                                  \
    for (intptr_t j = 0; j < (m < n ? m : n); j++) {                                                                   \
      intptr_t best = j;                                                                                               \
      for (intptr_t i = j + 1; i < m; i++)                                                                             \
        if (fabs(a[i + j * lda]) > fabs(a[best + j * lda]))                                                            \
          best = i;                                                                                                    \
      pivots[j] = (int32_t)best + 1;                                                                                   \
      if (a[best + j * lda] == 0) {                                                                                    \
        singular = singular ? singular : (int)j + 1;                                                                   \
        continue;                                                                                                      \
      }                                                                                                                \
      if (best != j)                                                                                                   \
        for (intptr_t k = 0; k < n; k++) {                                                                             \
          T moved = a[j + k * lda];                                                                                    \
          a[j + k * lda] = a[best + k * lda];                                                                          \
          a[best + k * lda] = moved;                                                                                   \
        }                                                                                                              \
      for (intptr_t i = j + 1; i < m; i++)                                                                             \
        a[i + j * lda] /= a[j + j * lda];                                                                              \
      for (intptr_t k = j + 1; k < n; k++)                                                                             \
        for (intptr_t i = j + 1; i < m; i++)                                                                           \
          a[i + k * lda] -= a[i + j * lda] * a[j + k * lda];                                                           \
    }                                                                                                                  \
    return singular;                                                                                                   \
  }                                                                                                                    \
  static int enzyme_numba_gesv_##S(intptr_t n, intptr_t columns, T *a, intptr_t lda, int32_t *pivots, T *b,            \
                                   intptr_t ldb) {                                                                     \
    int singular = enzyme_numba_getrf_##S(n, n, a, lda, pivots);                                                       \
    if (singular)                                                                                                      \
      return singular;                                                                                                 \
    for (intptr_t k = 0; k < columns; k++) {                                                                           \
      T *x = b + k * ldb;                                                                                              \
      for (intptr_t i = 0; i < n; i++) {                                                                               \
        T moved = x[pivots[i] - 1];                                                                                    \
        x[pivots[i] - 1] = x[i];                                                                                       \
        x[i] = moved;                                                                                                  \
      }                                                                                                                \
      for (intptr_t j = 0; j < n; j++)                                                                                 \
        for (intptr_t i = j + 1; i < n; i++)                                                                           \
          x[i] -= a[i + j * lda] * x[j];                                                                               \
      for (intptr_t j = n - 1; j >= 0; j--) {                                                                          \
        x[j] /= a[j + j * lda];                                                                                        \
        for (intptr_t i = 0; i < j; i++)                                                                               \
          x[i] -= a[i + j * lda] * x[j];                                                                               \
      }                                                                                                                \
    }                                                                                                                  \
    return 0;                                                                                                          \
  }
ENZYME_NUMBA_ALGEBRA(double, d)
ENZYME_NUMBA_ALGEBRA(float, s)

/* Each returns 0; complex kinds end the program: functions that use them are refused before. */
#define ENZYME_NUMBA_KIND(call)                                                                                        \
  switch (kind) {                                                                                                      \
  case 'd':                                                                                                            \
    call(double, d);                                                                                                   \
    break;                                                                                                             \
  case 's':                                                                                                            \
    call(float, s);                                                                                                    \
    break;                                                                                                             \
  default:                                                                                                             \
    abort();                                                                                                           \
  }
int numba_xxdot(char kind, char conjugate, intptr_t n, void *x, void *y, void *result) {
#define CALL(T, S) enzyme_numba_dot_##S(n, (T *)x, (T *)y, (T *)result)
  (void)conjugate;
  ENZYME_NUMBA_KIND(CALL)
#undef CALL
  return 0;
}
int numba_xxnrm2(char kind, intptr_t n, void *x, intptr_t step, void *result) {
#define CALL(T, S) enzyme_numba_nrm2_##S(n, (T *)x, step, (T *)result)
  ENZYME_NUMBA_KIND(CALL)
#undef CALL
  return 0;
}
int numba_xxgemm(char kind, char transa, char transb, intptr_t m, intptr_t n, intptr_t k, void *alpha, void *a,
                 intptr_t lda, void *b, intptr_t ldb, void *beta, void *c, intptr_t ldc) {
#define CALL(T, S)                                                                                                     \
  enzyme_numba_gemm_##S((transa | 32) != 'n', (transb | 32) != 'n', m, n, k, (T *)alpha, (T *)a, lda, (T *)b, ldb,      \
                        (T *)beta, (T *)c, ldc)
  ENZYME_NUMBA_KIND(CALL)
#undef CALL
  return 0;
}
/* y is alpha times a (m by n) or its transpose, times x; it is a product of matrices with one column. */
int numba_xxgemv(char kind, char trans, intptr_t m, intptr_t n, void *alpha, void *a, intptr_t lda, void *x, void *beta,
                 void *y) {
  int turned = (trans | 32) != 'n';
  intptr_t rows = turned ? n : m, columns = turned ? m : n;
  return numba_xxgemm(kind, trans, 'n', rows, 1, columns, alpha, a, lda, x, columns, beta, y, rows);
}
int numba_xxgetrf(char kind, intptr_t m, intptr_t n, void *a, intptr_t lda, int32_t *pivots) {
  int singular = 0;
#define CALL(T, S) singular = enzyme_numba_getrf_##S(m, n, (T *)a, lda, pivots)
  ENZYME_NUMBA_KIND(CALL)
#undef CALL
  return singular;
}
int numba_xgesv(char kind, intptr_t n, intptr_t columns, void *a, intptr_t lda, int32_t *pivots, void *b,
                intptr_t ldb) {
  int singular = 0;
#define CALL(T, S) singular = enzyme_numba_gesv_##S(n, columns, (T *)a, lda, pivots, (T *)b, ldb)
  ENZYME_NUMBA_KIND(CALL)
#undef CALL
  return singular;
}
#endif
