/* Several threads of the program ask for gradients of a function that makes threads which wait for each other.
 * flags: -pthread */
#include "../check.h"
#include <pthread.h>

enum { N = 4, THREADS = 3, TIMES = 100 };

struct pair {
  double *x, a, b;
  pthread_barrier_t barrier;
};
static void *half(void *p) {
  struct pair *both = p;
  both->a = both->x[0] * both->x[1];
  pthread_barrier_wait(&both->barrier);
  both->b += sin(both->b) * both->a;
  return NULL;
}
static double work(double *x) {
  struct pair p = {x, 0, x[2]};
  pthread_t thread;
  pthread_barrier_init(&p.barrier, NULL, 2);
  pthread_create(&thread, NULL, half, &p);
  pthread_barrier_wait(&p.barrier);
  pthread_join(thread, NULL);
  pthread_barrier_destroy(&p.barrier);
  return p.a * p.b * x[3];
}

static double x[N] = {0.6, -0.7, 1.1, 0.45};
static void *repeat(void *got) {
  for (int n = 0; n < TIMES; n++)
    __enzyme_autodiff((void *)work, x, got);
  return NULL;
}

int main(void) {
  double want[N] = {0}, got[THREADS][N] = {{0}};
  pthread_t threads[THREADS];
  __enzyme_autodiff((void *)work, x, want);
  for (int k = 0; k < THREADS; k++)
    pthread_create(&threads[k], NULL, repeat, got[k]);
  for (int k = 0; k < THREADS; k++)
    pthread_join(threads[k], NULL);
  for (int k = 0; k < THREADS; k++)
    for (int i = 0; i < N; i++)
      SAME(got[k][i], TIMES * want[i]);
  CHECK(work, 0.6, -0.7, 1.1, 0.45);
  return failures;
}
