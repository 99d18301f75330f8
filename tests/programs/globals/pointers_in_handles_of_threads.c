/* Two threads differentiate at once. Each stores the address of its data in a handle that main made: the request of one
 * begins and ends while the other needs the shadow of its pointer. */
#include <pthread.h>

#include "../check.h"

struct handle {
  double *data;
};
static struct handle *first, *second;
static pthread_barrier_t stored, ended;

NOINLINE static void wait_for_the_other(void) {
  pthread_barrier_wait(&stored);
  pthread_barrier_wait(&ended);
}
void *__enzyme_inactivefn_wait[] = {(void *)wait_for_the_other};

NOINLINE static void set(struct handle *h, double *data) { h->data = data; }
NOINLINE static double evaluate(const struct handle *h) { return h->data[0] * sin(h->data[1]); }
static double with_first(double *x) {
  set(first, x);
  wait_for_the_other();
  return evaluate(first);
}
static double with_second(double *x) {
  set(second, x);
  return evaluate(second);
}

static void *run_first(void *gradient) {
  double x[] = {0.5, 0.7};
  __enzyme_autodiff((void *)with_first, x, gradient);
  return NULL;
}
static void *run_second(void *gradient) {
  double x[] = {0.5, 0.7};
  pthread_barrier_wait(&stored);
  __enzyme_autodiff((void *)with_second, x, gradient);
  pthread_barrier_wait(&ended);
  return NULL;
}

int main(int argc, char **argv) {
  double gradients[2][2] = {0};
  pthread_t threads[2];
  struct handle *made = malloc(2 * argc * sizeof *made);
  first = argv ? made : NULL, second = argv ? made + 1 : NULL;
  pthread_barrier_init(&stored, NULL, 2);
  pthread_barrier_init(&ended, NULL, 2);
  pthread_create(&threads[0], NULL, run_first, gradients[0]);
  pthread_create(&threads[1], NULL, run_second, gradients[1]);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  for (int i = 0; i < 2; i++) {
    SAME(gradients[i][0], sin(0.7));
    SAME(gradients[i][1], 0.5 * cos(0.7));
  }
  free(made);
  return failures;
}
