/* What the random functions are made of. Included three times in a program: for double (`_d`, differentiated), for
   double complex (`_c`, the reference) and for double with a trace of conditions (`_t`). */
#undef REAL
#undef RE
#undef N
#undef SIN
#undef COS
#undef TANH
#undef EXP
#undef LOG
#undef SQRT
#undef ATAN
#undef POW
#undef COND
#undef INDEX
#ifdef COMPLEX
#define REAL double complex
#define RE(e) creal(e)
#define SIN csin
#define COS ccos
#define TANH ctanh
#define EXP cexp
#define LOG clog
#define SQRT csqrt
#define ATAN catan
#define POW cpow
#else
#define REAL double
#define RE(e) (e)
#define SIN sin
#define COS cos
#define TANH tanh
#define EXP exp
#define LOG log
#define SQRT sqrt
#define ATAN atan
#define POW pow
#endif
#ifdef TRACED
#define COND(c) traced(c)
#define INDEX(e) traced((int)(RE(e) * 7) & 3)
#else
#define COND(c) (c)
#define INDEX(e) ((int)(RE(e) * 7) & 3)
#endif
#define N(name) JOIN(name, SUFFIX)
#define JOIN(name, suffix) JOIN_(name, suffix)
#define JOIN_(name, suffix) name##suffix
#define SQUARE N(square)
#define SQUASH N(squash)
#define ABS N(absolute)
#define MAX N(maximum)
#define MIN N(minimum)
#define global N(state)
#define S N(S)

struct S {
  REAL p, q;
  int n;
  REAL r[2];
  REAL r2[4];
};
static REAL global[4];
static inline REAL SQUARE(REAL e) { return e * e; }
static inline REAL SQUASH(REAL e) { return e / (1 + e * e); }
static inline REAL ABS(REAL e) { return COND(RE(e) < 0) ? -e : e; }
static inline REAL MAX(REAL a, REAL b) { return COND(RE(a) > RE(b)) ? a : b; }
static inline REAL MIN(REAL a, REAL b) { return COND(RE(a) < RE(b)) ? a : b; }
