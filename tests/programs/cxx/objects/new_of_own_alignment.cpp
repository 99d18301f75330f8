/* The program's own operators for over-aligned memory: only they can free what they allocated. */
#include "../../check.h"
#include <cstddef>
#include <cstdlib>
#include <new>

static int held;

/* The block lies one alignment behind what malloc returned. */
void *operator new(std::size_t size, std::align_val_t alignment) {
  std::size_t a = static_cast<std::size_t>(alignment);
  held++;
  return static_cast<char *>(std::aligned_alloc(a, (size + 2 * a - 1) / a * a)) + a;
}
void operator delete(void *memory, std::align_val_t alignment) noexcept {
  if (memory)
    held--, std::free(static_cast<char *>(memory) - static_cast<std::size_t>(alignment));
}
void operator delete(void *memory, std::size_t, std::align_val_t alignment) noexcept {
  operator delete(memory, alignment);
}

struct alignas(64) wide {
  double v[8];
};

NOINLINE static void fill(wide *w, const double *x) {
  for (int i = 0; i < 8; i++)
    w->v[i] = x[i % 3] * (i + 1);
}
NOINLINE static double product(const wide *w) { return w->v[1] * w->v[2] + w->v[6]; }

static double f(double *x) {
  auto *one = new wide;
  auto *many = new wide[2];
  fill(one, x);
  fill(many + 1, one->v + 1);
  double s = product(one) * product(many + 1);
  delete[] many;
  delete one;
  return s;
}

int main() {
  CHECK(f, 0.5, 1.6, 0.7);
  same("held", 0, held, 0, 0);
  return failures;
}
