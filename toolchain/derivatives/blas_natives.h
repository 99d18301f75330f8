/* The library's functions of BLAS, for one type. Each character has a length behind the other arguments. */

#define N(NAME) FORTRAN(P, NAME)
#define C const char *
#define K const int *
#define X const T *
#define L size_t
extern void N(gemm)(C, C, K, K, K, X, X, K, X, K, X, T *, K, L, L);
extern void N(symm)(C, C, K, K, X, X, K, X, K, X, T *, K, L, L);
extern void N(syrk)(C, C, K, K, X, X, K, X, T *, K, L, L);
extern void N(syr2k)(C, C, K, K, X, X, K, X, K, X, T *, K, L, L);
extern void N(trmm)(C, C, C, C, K, K, X, X, K, T *, K, L, L, L, L);
extern void N(trsm)(C, C, C, C, K, K, X, X, K, T *, K, L, L, L, L);
#if IS_COMPLEX
#define Y const REAL *
extern void N(hemm)(C, C, K, K, X, X, K, X, K, X, T *, K, L, L);
extern void N(herk)(C, C, K, K, Y, X, K, Y, T *, K, L, L);
extern void N(her2k)(C, C, K, K, X, X, K, X, K, Y, T *, K, L, L);
#undef Y
#endif
#undef N
#undef C
#undef K
#undef X
#undef L
