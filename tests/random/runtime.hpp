/* What the random C++ functions are made of. Included in a namespace of its own for double (differentiated), for Step
   (the complex step, the reference) and for double with a trace of conditions; REAL, global and COND differ. */

#define N(name) name
#define RE(e) real_part(e)
#define INDEX(e) traced_index(COND, (int)(RE(e) * 7) & 3)
#define SIN sine
#define COS cosine
#define TANH tangent
#define EXP exponential
#define LOG logarithm
#define SQRT root
#define ATAN arctangent
#define POW power
#define SQUARE square
#define SQUASH squash
#define ABS absolute
#define MAX maximum
#define MIN minimum
#define traced_index(cond, e) cond(e)

#define FUNCTION(name, f)                                                                                              \
  inline double name(double a) { return std::f(a); }                                                                   \
  inline Step name(Step a) { return std::f(a.z); }
inline double real_part(double a) { return a; }
inline double real_part(Step a) { return a.z.real(); }
FUNCTION(sine, sin)
FUNCTION(cosine, cos)
FUNCTION(tangent, tanh)
FUNCTION(exponential, exp)
FUNCTION(logarithm, log)
FUNCTION(root, sqrt)
FUNCTION(arctangent, atan)
inline double power(double a, double b) { return std::pow(a, b); }
inline Step power(Step a, Step b) { return std::pow(a.z, b.z); }
#undef FUNCTION

inline REAL square(REAL e) { return e * e; }
inline REAL squash(REAL e) { return e / (1 + e * e); }
inline REAL absolute(REAL e) { return COND(RE(e) < 0) ? -e : e; }
inline REAL maximum(REAL a, REAL b) { return COND(RE(a) > RE(b)) ? a : b; }
inline REAL minimum(REAL a, REAL b) { return COND(RE(a) < RE(b)) ? a : b; }

struct Less {
  bool operator()(const REAL &a, const REAL &b) const { return COND(RE(a) < RE(b)); }
};

struct S {
  REAL p, q;
  int n;
  REAL r[2];
  REAL r2[4];
};

/* An arithmetic type of the program's own. */
template <class T> struct Pair {
  T a, b;
  Pair(T a = 0, T b = 0) : a(a), b(b) {}
  Pair &operator+=(const Pair &o) { return a += o.a, b += o.b, *this; }
  Pair &operator*=(const T &k) { return a *= k, b *= k, *this; }
  T &operator[](int k) { return k & 1 ? b : a; }
  const T &operator[](int k) const { return k & 1 ? b : a; }
  T operator()(T x) const { return a * x + b; }
  friend Pair operator+(Pair l, const Pair &r) { return l += r; }
  friend Pair operator*(Pair l, const T &k) { return l *= k; }
  friend Pair operator-(const Pair &l, const Pair &r) { return {l.a - r.a, l.b - r.b}; }
  friend T dot(const Pair &l, const Pair &r) { return l.a * r.a + l.b * r.b; }
};

/* Puts a number back when it leaves its scope. */
template <class T> class Restored {
  T &place_;
  T kept_;

public:
  explicit Restored(T &place) : place_(place), kept_(place) {}
  Restored(const Restored &) = delete;
  ~Restored() { place_ = kept_ + 0.5 * place_; }
};

struct Problem : std::runtime_error {
  REAL amount;
  explicit Problem(REAL amount) : std::runtime_error("a problem"), amount(amount) {}
};

template <class F, class... A> auto call(F &&f, A &&...arguments) {
  return std::forward<F>(f)(std::forward<A>(arguments)...);
}
