/* A function that a thread calls ends the thread.
 * flags: -pthread
 * expect: a thread ends itself in a function that others call
 * expect: return from the function of the thread */
#include <pthread.h>
#include <stdlib.h>

extern double __enzyme_autodiff(void *, double);

static __attribute__((noinline)) void finish(double *x) {
  *x *= *x;
  pthread_exit(NULL);
}
static void *run(void *x) {
  finish(x);
  return NULL;
}
static double square(double x) {
  pthread_t thread;
  pthread_create(&thread, NULL, run, &x);
  pthread_join(thread, NULL);
  return x;
}

int main(void) { return __enzyme_autodiff((void *)square, 3.0) == 6 && square(3.0) == 9; }
