// Records of numbers of several sizes without padding: written by bytes and by members, copied whole, in parts that cut a
// number, through a growing vector, sorted, and summed at both places.
#include "../check.h"
#include <algorithm>
#include <vector>

enum { N = 5, BYTES = 13 };

static void put_record(char *to, double x, int i) {
  char tag = (char)i;
  float rounded = (float)(2 * x);
  double product = x * x;
  memcpy(to, &rounded, 4);
  memcpy(to + 4, &product, 8);
  memcpy(to + 12, &tag, 1);
}

static double sum_of_records(const char *from, int weight) {
  double s = 0;
  for (int i = 0; i < N; i++) {
    float rounded;
    double product;
    memcpy(&rounded, from + BYTES * i, 4);
    memcpy(&product, from + BYTES * i + 4, 8);
    s += weight * product * rounded + from[BYTES * i + 12] * product;
  }
  return s;
}

template <class Copy> static double copied(const double *x, Copy copy) {
  char *from = (char *)malloc(BYTES * N), *to = (char *)malloc(BYTES * N);
  for (int i = 0; i < N; i++)
    put_record(from + BYTES * i, x[i], i);
  copy(to, from);
  double s = sum_of_records(to, 1) + sum_of_records(from, 3);
  free(from);
  free(to);
  return s;
}

static double whole(double *x) {
  return copied(x, [](char *to, char *from) { memcpy(to, from, BYTES * N); });
}

static volatile int cut = BYTES + 7; // within a double

static double in_parts(double *x) {
  return copied(x, [](char *to, char *from) {
    int first = cut;
    memcpy(to, from, first);
    memcpy(to + first, from + first, BYTES * N - first);
  });
}

static double shifted(double *x) {
  return copied(x, [](char *to, char *from) {
    memcpy(to, from, BYTES * N);
    memmove(to + BYTES, to, BYTES * (N - 1));
  });
}

#pragma pack(push, 1)
struct packed {
  signed char tag;
  double x;
  float y;
};
#pragma pack(pop)

static double sorted(double *x) {
  packed a[N], b[N];
  for (int i = 0; i < N; i++)
    a[i] = {(signed char)i, x[i] * x[i], (float)x[i]};
  memcpy(b, a, sizeof b);
  std::sort(b, b + N, [](const packed &p, const packed &q) { return p.x < q.x; });
  double s = 0;
  for (int i = 0; i < N; i++)
    s += b[i].x * b[i].y * (i + 1) + a[i].x * b[i].tag;
  return s;
}

// a header, then rows, in a vector of bytes that grows and is copied
static double serialised(double *x) {
  std::vector<char> bytes;
  auto put = [&](auto v) {
    size_t at = bytes.size();
    bytes.resize(at + sizeof v);
    memcpy(bytes.data() + at, &v, sizeof v);
  };
  put(x[0]);
  put((float)x[1]);
  for (short i = 0; i < N; i++)
    put(i), put(x[i] * x[i]);
  auto copy = bytes;
  const char *at = copy.data();
  auto get = [&](auto v) {
    memcpy(&v, at, sizeof v);
    at += sizeof v;
    return v;
  };
  double s = get(double()) * get(float());
  for (int i = 0; i < N; i++) {
    short weight = get(short());
    s += weight * get(double());
  }
  return s;
}

int main() {
  double x[N] = {0.5, 2, 1.25, -1.5, 0.75};
#define SUMS(f, i, want)                                                                                               \
  {                                                                                                                    \
    double d[N] = {0}, v[N] = {0};                                                                                     \
    v[i] = 1;                                                                                                          \
    __enzyme_autodiff((void *)f, enzyme_dup, x, d);                                                                    \
    same(#f, i, d[i], want, 1e-6);                                                                                     \
    same(#f " forwards", i, __enzyme_fwddiff((void *)f, enzyme_dup, x, v), want, 1e-6);                                \
  }
  for (int i = 0; i < N; i++) {
    SUMS(whole, i, 4 * 6 * x[i] * x[i] + 2 * i * 2 * x[i]);
    SUMS(in_parts, i, 4 * 6 * x[i] * x[i] + 2 * i * 2 * x[i]);
  }
  for (int i = 0; i < N; i++) { // record i goes to i + 1, the first also stays
    int copies = (i == 0) + (i < N - 1);
    SUMS(shifted, i, (copies + 3) * 6 * x[i] * x[i] + i * (copies + 1) * 2 * x[i]);
  }
  const int rank[N] = {0, 4, 2, 3, 1}; // its own inverse; by squares: 0.25, 0.5625, 1.5625, 2.25, 4
  for (int i = 0; i < N; i++)
    SUMS(sorted, i, 3 * x[i] * x[i] * (rank[i] + 1) + 2 * x[i] * rank[i]);
  for (int i = 0; i < N; i++)
    SUMS(serialised, i, (i == 0 ? (float)x[1] : i == 1 ? x[0] : 0) + 2 * i * x[i]);
  return failures;
}
