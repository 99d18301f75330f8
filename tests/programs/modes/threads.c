/* Gradients in several threads at once; a tape made in one and consumed in another; no thread leaves tape memory behind. */
#include "../check.h"
#include <pthread.h>

extern void *__enzyme_augmentfwd(void *, ...);
extern void __enzyme_reverse(void *, ...);

enum { THREADS = 8, N = 3 };
struct job {
  double x[N], dx[N];
  void *tape;
};

static double f(double *x) {
  double s = 1;
  for (double t = 0; t < 40; t += x[2])
    s = sin(s * x[0]) + x[1] * s;
  return s;
}

static void *gradient(void *p) {
  struct job *job = p;
  for (int i = 0; i < 20; i++) {
    memset(job->dx, 0, sizeof job->dx);
    __enzyme_autodiff((void *)f, job->x, job->dx);
  }
  return NULL;
}
static void *first_half(void *p) {
  struct job *job = p;
  job->tape = __enzyme_augmentfwd((void *)f, job->x, job->dx);
  return NULL;
}
static void *second_half(void *p) {
  struct job *job = p;
  memset(job->dx, 0, sizeof job->dx);
  __enzyme_reverse((void *)f, job->x, job->dx, job->tape);
  return NULL;
}

static void all(void *(*work)(void *), struct job *jobs) {
  pthread_t threads[THREADS];
  for (int k = 0; k < THREADS; k++)
    pthread_create(&threads[k], NULL, work, &jobs[k]);
  for (int k = 0; k < THREADS; k++)
    pthread_join(threads[k], NULL);
}

static void check_jobs(struct job *jobs) {
  for (int k = 0; k < THREADS; k++)
    for (int i = 0; i < 2; i++)
      same("job", k * N + i, jobs[k].dx[i], check_difference(f, jobs[k].x, N, i), 1e-7);
}

int main(void) {
  struct job jobs[THREADS];
  for (int k = 0; k < THREADS; k++)
    jobs[k] = (struct job){{0.5 + 0.1 * k, 0.3, 0.7}, {0}, NULL};
  all(gradient, jobs);
  check_jobs(jobs);
  all(first_half, jobs);
  all(second_half, jobs);
  check_jobs(jobs);
  return failures;
}
