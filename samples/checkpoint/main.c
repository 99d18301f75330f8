/* The gradient of 100,000 steps, with all that its reverse sweep needs on the tape, and with 20 stored states. */
#include "heat.h"
#include <malloc.h>
#include <math.h>
#include <time.h>

static size_t tape;
void enzyme_tape_released(unsigned long bytes) { tape = bytes > tape ? bytes : tape; }

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static struct rod start_of_rod(void) {
  struct rod rod = {{0}};
  for (int i = 0; i < CELLS; i++)
    rod.u[i] = sin(3.0 * i / CELLS) + 0.3 * sin(20.0 * i / CELLS);
  return rod;
}

typedef double misfit(struct rod *, const struct material *, const struct rod *, long);
struct gradient {
  double seconds;
  size_t tape;
  struct rod start;
  struct material material;
};

#define GRADIENT_OF(f)                                                                                                 \
  static struct gradient gradient_##f(const struct rod *wanted, const struct material *m, long steps) {                \
    struct gradient g = {0};                                                                                           \
    struct rod rod = start_of_rod();                                                                                   \
    double began = now();                                                                                              \
    tape = 0;                                                                                                          \
    __enzyme_autodiff((void *)f, enzyme_dup, &rod, &g.start, enzyme_dup, m, &g.material, enzyme_const, wanted, steps);  \
    g.seconds = now() - began;                                                                                         \
    g.tape = tape;                                                                                                     \
    return g;                                                                                                          \
  }
GRADIENT_OF(misfit_plain)
GRADIENT_OF(misfit_marked)
GRADIENT_OF(misfit_checkpointed)

static double difference(const struct rod *wanted, struct material m, int growth, long steps) {
  double h = 1e-5, value[2];
  for (int side = 0; side < 2; side++) {
    struct material moved = m;
    *(growth ? &moved.growth : &moved.conductivity) += side ? h : -h;
    struct rod rod = start_of_rod();
    value[side] = misfit_plain(&rod, &moved, wanted, steps);
  }
  return (value[1] - value[0]) / (2 * h);
}

int main(int count, char **words) {
  long steps = count > 1 ? atol(words[1]) : 100000;
  struct rod wanted = {{0}};
  struct material m = {0.4, 0.3};
  struct gradient plain = gradient_misfit_plain(&wanted, &m, steps);
  struct gradient marked = gradient_misfit_marked(&wanted, &m, steps);
  struct gradient pointed = gradient_misfit_checkpointed(&wanted, &m, steps);
  pointed.tape += 21 * sizeof(struct rod);
  printf("%ld steps           seconds        bytes   d/d conductivity         d/d growth\n", steps);
  printf("everything stored  %8.3f %12zu %18.12g %18.12g\n", plain.seconds, plain.tape, plain.material.conductivity,
         plain.material.growth);
  printf("20 states stored   %8.3f %12zu %18.12g %18.12g\n", pointed.seconds, pointed.tape,
         pointed.material.conductivity, pointed.material.growth);
  printf("the same, marked   %8.3f %12zu %18.12g %18.12g\n", marked.seconds, marked.tape, marked.material.conductivity,
         marked.material.growth);
  double by_difference[] = {difference(&wanted, m, 0, steps), difference(&wanted, m, 1, steps)};
  printf("differences                              %18.12g %18.12g\n", by_difference[0], by_difference[1]);
  double got[] = {pointed.material.conductivity, pointed.material.growth};
  double apart = 0;
  for (int i = 0; i < CELLS; i++)
    apart = fmax(apart, fabs(plain.start.u[i] - pointed.start.u[i]) / fabs(plain.start.u[i]));
  for (int i = 0; i < CELLS; i++)
    apart = fmax(apart, fabs(plain.start.u[i] - marked.start.u[i]) / fabs(plain.start.u[i]));
  int wrong = !(apart < 1e-11);
  wrong |= !(fabs(marked.material.conductivity / got[0] - 1) < 1e-11 && fabs(marked.material.growth / got[1] - 1) < 1e-11);
  for (int i = 0; i < 2; i++)
    wrong |= !(fabs(got[i] - by_difference[i]) <= 1e-6 * fabs(by_difference[i]));
  printf("gradient with respect to the %d starting temperatures: they differ by %.1e\n", CELLS, apart);
  puts(wrong ? "DISAGREES" : "agrees with the differences");
  return wrong;
}
