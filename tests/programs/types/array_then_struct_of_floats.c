/* One block is an array at one time and a struct with floats at another: of floats, of doubles or of pointers. */
#include "../check.h"

struct floats_between {
  double a;
  float c, d;
  double *p;
};
struct floats_first {
  float c, d;
  double *p;
  double a;
};
struct pointer_first {
  double *p;
  float c, d;
  double a;
};
struct floats_last {
  double a;
  double *p;
  float c, d;
};
struct integer_between {
  float c;
  int n;
  float d;
  double a;
  double *p;
};
enum { N = 4 };

NOINLINE static void copy(void *to, const void *from, size_t bytes) { memcpy(to, from, bytes); }

/* the sum of k squared times x squared */
#define ARRAY(type, name, count, put, get)                                                                             \
  static double name(void *block, void *other, double *v, double x, int n) {                                           \
    type *rows = block, *again = other;                                                                                \
    double sum = 0;                                                                                                    \
    for (int i = 0; i < count; i++) {                                                                                  \
      v[i] = x * (i + 1) * x;                                                                                          \
      rows[i] = put v[i];                                                                                              \
    }                                                                                                                  \
    copy(other, block, N * 8);                                                                                         \
    for (int i = 0; i < count; i++)                                                                                    \
      sum += get again[i] * (i + 1);                                                                                   \
    return sum;                                                                                                        \
  }
ARRAY(float, floats, 2 * n, , )
ARRAY(double, doubles, n, , )
typedef double *row;
ARRAY(row, pointers, n, &, *)

#define WITH(type, array, first, name)                                                                                 \
  static float name(float *x) {                                                                                        \
    void *block = malloc(N * 8), *other = malloc(N * 8);                                                               \
    double v[2 * N], w = x[0] * x[0], r, sum = first ? array(block, other, v, x[0], N) : x[0];                         \
    struct type *s = block, *t = other;                                                                                \
    s->a = sum * x[1], s->c = sinf(x[0]), s->d = x[1] * 0.5F, s->p = &w;                                               \
    copy(other, block, sizeof *s);                                                                                     \
    r = t->a * t->c + *t->p * t->d;                                                                                    \
    if (!first)                                                                                                        \
      r += array(block, other, v, x[0], N);                                                                            \
    free(block), free(other);                                                                                          \
    return r;                                                                                                          \
  }

static double squares(double x, int n) { return x * x * n * (n + 1) * (2 * n + 1) / 6; }
static double twin(double sum, const double *x) { return sum * x[1] * sin(x[0]) + x[0] * x[0] * x[1] * 0.5; }
static double first_of_8(double *x) { return twin(squares(x[0], 8), x); }
static double first_of_4(double *x) { return twin(squares(x[0], 4), x); }
static double last_of_8(double *x) { return twin(x[0], x) + squares(x[0], 8); }
static double last_of_4(double *x) { return twin(x[0], x) + squares(x[0], 4); }

#define ALL(type)                                                                                                      \
  WITH(type, floats, 1, type##_after_floats)                                                                           \
  WITH(type, doubles, 1, type##_after_doubles)                                                                         \
  WITH(type, pointers, 1, type##_after_pointers)                                                                       \
  WITH(type, floats, 0, type##_before_floats)                                                                          \
  WITH(type, doubles, 0, type##_before_doubles)                                                                        \
  WITH(type, pointers, 0, type##_before_pointers)
ALL(floats_between)
ALL(floats_first)
ALL(pointer_first)
ALL(floats_last)
ALL(integer_between)

#define CHECK_ALL(type)                                                                                                \
  CHECK_FLOAT(type##_after_floats, first_of_8, 0.75, 0.4);                                                             \
  CHECK_FLOAT(type##_after_doubles, first_of_4, 0.75, 0.4);                                                            \
  CHECK_FLOAT(type##_after_pointers, first_of_4, 0.75, 0.4);                                                           \
  CHECK_FLOAT(type##_before_floats, last_of_8, 0.75, 0.4);                                                             \
  CHECK_FLOAT(type##_before_doubles, last_of_4, 0.75, 0.4);                                                            \
  CHECK_FLOAT(type##_before_pointers, last_of_4, 0.75, 0.4)

int main(void) {
  CHECK_ALL(floats_between);
  CHECK_ALL(floats_first);
  CHECK_ALL(pointer_first);
  CHECK_ALL(floats_last);
  CHECK_ALL(integer_between);
  return failures;
}
