/* expect: the second half of a derivative runs in another thread than the first
 * Work space that main made: the table with the shadows of its numbers is that of the thread. */
#include "../check.h"
#include <pthread.h>

extern void *__enzyme_augmentfwd(void *, ...);
extern void __enzyme_reverse(void *, ...);

static double *work;
static double f(double *x) {
  for (int i = 0; i < 8; i++)
    work[i] = sin(x[0] * i);
  return work[3] * work[5];
}

static double x[] = {0.5}, dx[1];
static void *second_half(void *tape) {
  __enzyme_reverse((void *)f, x, dx, 1.0, tape);
  return NULL;
}

int main(int argc, char **argv) {
  double table[8] = {0};
  work = argv && argc ? table : NULL;
  pthread_t thread;
  pthread_create(&thread, NULL, second_half, __enzyme_augmentfwd((void *)f, x, dx));
  return pthread_join(thread, NULL);
}
