/* The library's functions of LAPACK, for one type. Each character has a length behind the other arguments. */

#define N(NAME) FORTRAN(P, NAME)
#define C const char *
#define K const int *
#define X const T *
#define L size_t
extern void N(potrf)(C, K, T *, K, int *, L);
extern void N(potrs)(C, K, K, X, K, T *, K, int *, L);
extern void N(posv)(C, K, K, T *, K, T *, K, int *, L);
extern void N(getrf)(K, K, T *, K, int *, int *);
extern void N(getrs)(C, K, K, X, K, const int *, T *, K, int *, L);
extern void N(gesv)(K, K, T *, K, int *, T *, K, int *);
extern void N(trtri)(C, C, K, T *, K, int *, L, L);
extern void N(potri)(C, K, T *, K, int *, L);
extern void N(getri)(K, T *, K, const int *, T *, K, int *);
#if IS_COMPLEX
extern void N(heev)(C, C, K, T *, K, REAL *, T *, K, REAL *, int *, L, L);
extern void N(gesvd)(C, C, K, K, T *, K, REAL *, T *, K, T *, K, T *, K, REAL *, int *, L, L);
#else
extern void N(gesvd)(C, C, K, K, T *, K, T *, T *, K, T *, K, T *, K, int *, L, L);
extern void N(syev)(C, C, K, T *, K, T *, T *, K, int *, L, L);
#endif
#undef N
#undef C
#undef K
#undef X
#undef L
