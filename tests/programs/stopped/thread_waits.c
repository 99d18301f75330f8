/* A thread waits for a signal that nobody gives: no deadlock, but a message.
 * expect: each thread of differentiated code waits for another one
 * expect: what a thread waits for must happen in the request
 */
#include "../check.h"
#include <pthread.h>

struct work {
  pthread_mutex_t lock;
  pthread_cond_t given;
  int is_given;
  double number, result;
};
static void *worker(void *p) {
  struct work *w = p;
  pthread_mutex_lock(&w->lock);
  while (!w->is_given)
    pthread_cond_wait(&w->given, &w->lock);
  w->result = sin(w->number);
  pthread_mutex_unlock(&w->lock);
  return NULL;
}
static double f(double *x) {
  struct work w = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER};
  pthread_t thread;
  pthread_create(&thread, NULL, worker, &w);
  w.number = x[0] * x[1];
  pthread_join(thread, NULL);
  return w.result;
}
int main(void) {
  double x[2] = {.4, .5}, d[2] = {0};
  __enzyme_autodiff((void *)f, x, d);
  return failures;
}
