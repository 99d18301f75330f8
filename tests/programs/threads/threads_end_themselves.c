/* Threads end by pthread_exit and thrd_exit, in their own functions.
 * flags: -pthread */
#include "../check.h"
#include <pthread.h>
#include <threads.h>

enum { N = 6, THREADS = 3 };

struct job {
  double *x, sum;
  int k;
};

static void *run_of_posix(void *p) {
  struct job *j = p;
  for (int i = j->k; i < N; i += THREADS) {
    if (j->x[i] > 1)
      pthread_exit(j->x + i);
    j->sum += j->x[i] * j->x[i];
  }
  pthread_exit(&j->sum);
}
static double of_posix(double *x) {
  pthread_t threads[THREADS];
  struct job jobs[THREADS];
  double product = 1;
  for (int k = 0; k < THREADS; k++) {
    jobs[k] = (struct job){x, 0, k};
    pthread_create(threads + k, NULL, run_of_posix, jobs + k);
  }
  for (int k = 0; k < THREADS; k++) {
    void *result;
    pthread_join(threads[k], &result);
    product *= *(double *)result;
  }
  return product;
}

static int run_of_c11(void *p) {
  struct job *j = p;
  for (int i = j->k; i < N; i += THREADS) {
    j->sum += sin(j->x[i]);
    if (i == 4)
      thrd_exit(3);
  }
  return 1;
}
static double of_c11(double *x) {
  thrd_t threads[THREADS];
  struct job jobs[THREADS];
  double sum = 0;
  for (int k = 0; k < THREADS; k++) {
    jobs[k] = (struct job){x, 0, k};
    thrd_create(threads + k, run_of_c11, jobs + k);
  }
  for (int k = 0; k < THREADS; k++) {
    int result;
    thrd_join(threads[k], &result);
    sum += result * jobs[k].sum * jobs[k].sum;
  }
  return sum;
}

int main(void) {
  CHECK(of_posix, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(of_c11, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  return failures;
}
