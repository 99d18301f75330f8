/* What the random functions are made of. Included three times in a program: for double (`_d`, differentiated), for
   double complex (`_c`, the reference) and for double with a trace of conditions (`_t`). */
#undef REAL
#undef LREAL
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
#define LREAL long double complex
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
#define LREAL long double
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
#define L N(L)
#define T N(T)
#define U N(U)
#define F N(F)
#define PUSH N(push)
#define POPPED N(popped)
#define REVERSED N(reversed)
#define LIST_SUM N(list_sum)
#define TREE N(tree)
#define TREE_SUM N(tree_sum)
#define TREE_FREE N(tree_free)
#define VALUE_OF N(value_of)
#define VEC N(VEC)
#define VLOAD N(vector_of)
#define VSTORE N(store_vector)
#define VSPREAD N(spread)
#define VADD N(vector_sum)
#define VMUL N(vector_product)
#define VDIV N(vector_quotient)
#define VMAX N(vector_maximum)
#define VSET N(with_lane)
#define VFLIP N(flip_lanes)
#define VKEEP N(keep_lanes)
#define VSIZE N(size_of_lanes)
#define VMIX N(mix_lanes)
#define VWHERE N(where_greater)
#undef VLANE
#undef VPICK

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

struct L {
  REAL v;
  struct L *next;
};
static struct L *PUSH(struct L *l, REAL v) {
  struct L *n = malloc(sizeof *n);
  n->v = v, n->next = l;
  return n;
}
static struct L *POPPED(struct L *l) {
  struct L *next = l ? l->next : NULL;
  free(l);
  return next;
}
static struct L *REVERSED(struct L *l) {
  struct L *r = NULL;
  while (l) {
    struct L *next = l->next;
    l->next = r, r = l, l = next;
  }
  return r;
}
static REAL LIST_SUM(const struct L *l) { return l ? l->v + SIN(LIST_SUM(l->next)) * l->v : 0; }

struct T {
  REAL v;
  struct T *left, *right;
};
static struct T *TREE(int depth, REAL v, const REAL *a) {
  struct T *t = malloc(sizeof *t);
  *t = (struct T){v, NULL, NULL};
  if (depth > 0) {
    t->left = TREE(depth - 1, SIN(v) * a[depth], a);
    t->right = TREE(depth - 1, v - a[depth - 1], a);
  }
  return t;
}
static REAL TREE_SUM(const struct T *t) {
  return t ? SIN(t->v) + TREE_SUM(t->left) * t->v - COS(TREE_SUM(t->right)) : 0.5;
}
static void TREE_FREE(struct T *t) {
  if (!t)
    return;
  TREE_FREE(t->left), TREE_FREE(t->right);
  free(t);
}

struct U {
  int tag;
  union {
    REAL r;
    REAL *p;
    long n;
  } u;
};
static REAL VALUE_OF(const struct U *u) {
  switch (u->tag) {
  case 0:
    return u->u.r;
  case 1:
    return *u->u.p;
  default:
    return u->u.n;
  }
}

/* Four numbers: a vector where LLVM's are to be seen, a struct elsewhere. */
#if defined COMPLEX || defined TRACED
typedef struct {
  REAL l[4];
} VEC;
#define VLANE(v, i) ((v).l[i])
#define VPICK(a, b, i, j, k, m) ((VEC){{(a).l[i], (b).l[j], (a).l[k], (b).l[m]}})
#define VECTOR(NAME, LANE)                                                                                             \
  static inline VEC NAME(VEC a, VEC b) {                                                                                     \
    VEC c;                                                                                                               \
    for (int i = 0; i < 4; i++)                                                                                        \
      c.l[i] = LANE(a.l[i], b.l[i]);                                                                                   \
    return c;                                                                                                          \
  }
#define SUM(a, b) ((a) + (b))
#define PRODUCT(a, b) ((a) * (b))
#define QUOTIENT(a, b) ((a) / (1.3 + (b) * (b)))
VECTOR(VADD, SUM)
VECTOR(VMUL, PRODUCT)
VECTOR(VDIV, QUOTIENT)
#define FIRST_OR_ZERO(a, b) (COND(RE(a) > RE(b)) ? (a) : 0)
VECTOR(VMAX, MAX)
VECTOR(VWHERE, FIRST_OR_ZERO)
/* Lanes are chosen by the bits of an integer. */
#define OF_LANES(NAME, LANE, OTHER)                                                                                    \
  static inline VEC NAME(VEC v, int chosen) {                                                                          \
    for (int i = 0; i < 4; i++)                                                                                        \
      v.l[i] = chosen >> i & 1 ? LANE(v.l[i]) : OTHER(v.l[i]);                                                         \
    return v;                                                                                                          \
  }
#define SAME(e) (e)
#define NEGATED(e) (-(e))
#define ZERO(e) (0)
OF_LANES(VFLIP, NEGATED, SAME)
OF_LANES(VKEEP, SAME, ZERO)
OF_LANES(VSIZE, ABS, SAME)
static inline VEC VMIX(VEC a, VEC b, int chosen) {
  for (int i = 0; i < 4; i++)
    a.l[i] = chosen >> i & 1 ? a.l[i] : b.l[i];
  return a;
}
#undef FIRST_OR_ZERO
#undef OF_LANES
#undef SAME
#undef NEGATED
#undef ZERO
#undef VECTOR
#undef SUM
#undef PRODUCT
#undef QUOTIENT
#else
typedef double VEC __attribute__((ext_vector_type(4)));
#define VLANE(v, i) ((v)[i])
#define VPICK(a, b, i, j, k, m) __builtin_shufflevector(a, b, i, 4 + j, k, 4 + m)
static inline VEC VADD(VEC a, VEC b) { return a + b; }
static inline VEC VMUL(VEC a, VEC b) { return a * b; }
static inline VEC VDIV(VEC a, VEC b) { return a / (1.3 + b * b); }
static inline VEC VMAX(VEC a, VEC b) { return a > b ? a : b; }
/* The same on bits. */
typedef long long VBITS __attribute__((ext_vector_type(4)));
#define LANES(chosen, e) ((VBITS){(chosen) & 1 ? (e) : 0, (chosen) & 2 ? (e) : 0, (chosen) & 4 ? (e) : 0, (chosen) & 8 ? (e) : 0})
#define SIGN_BIT (-0x7fffffffffffffffLL - 1)
static inline VEC VFLIP(VEC v, int chosen) { return (VEC)((VBITS)v ^ LANES(chosen, SIGN_BIT)); }
static inline VEC VKEEP(VEC v, int chosen) { return (VEC)((VBITS)v & LANES(chosen, -1)); }
static inline VEC VSIZE(VEC v, int chosen) { return (VEC)((VBITS)v & ~LANES(chosen, SIGN_BIT)); }
static inline VEC VMIX(VEC a, VEC b, int chosen) {
  return (VEC)(((VBITS)a & LANES(chosen, -1)) | ((VBITS)b & ~LANES(chosen, -1)));
}
static inline VEC VWHERE(VEC a, VEC b) { return (VEC)((VBITS)a & (a > b)); }
#undef LANES
#undef SIGN_BIT
#endif
static inline VEC VLOAD(const REAL *a) {
  VEC v;
  memcpy(&v, a, sizeof v);
  return v;
}
static inline void VSTORE(REAL *a, VEC v) { memcpy(a, &v, sizeof v); }
static inline VEC VSPREAD(REAL e) {
  REAL a[4] = {e, e, e, e};
  return VLOAD(a);
}
static inline VEC VSET(VEC v, int i, REAL e) {
  VLANE(v, i) = e;
  return v;
}

struct F {
  REAL (*f)(REAL, REAL);
  REAL c;
};
