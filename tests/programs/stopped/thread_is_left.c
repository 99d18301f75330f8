/* The function returns while a thread that it made waits for work: what the thread does later has no reverse.
 * expect: a thread that differentiated code makes has not ended when the function of the request returns
 * expect: join it there
 */
#ifndef DERIVATIVE
#define DERIVATIVE __enzyme_autodiff
#endif
#include "../check.h"
#include <pthread.h>
#include <semaphore.h>

struct work {
  sem_t given, done;
  double number, result;
};
static struct work w;
static void *worker(void *p) {
  (void)p;
  for (;;) {
    sem_wait(&w.given);
    w.result = sin(w.number);
    sem_post(&w.done);
  }
}
static double f(double *x) {
  pthread_t thread;
  sem_init(&w.given, 0, 0);
  sem_init(&w.done, 0, 0);
  pthread_create(&thread, NULL, worker, NULL);
  pthread_detach(thread);
  w.number = x[0] * x[1];
  sem_post(&w.given);
  sem_wait(&w.done);
  return w.result;
}
int main(void) {
  double x[2] = {.4, .5}, d[2] = {1, 0};
  DERIVATIVE((void *)f, x, d);
  return failures;
}
