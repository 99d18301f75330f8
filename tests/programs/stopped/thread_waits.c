/* A thread waits for a signal that the thread which makes it gives later. One thread does all work here: no deadlock, but
 * a message.
 * expect: a thread waits for another one
 * expect: make the thread that waits behind the one that it waits for
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
  pthread_mutex_lock(&w.lock);
  w.number = x[0] * x[1];
  w.is_given = 1;
  pthread_cond_signal(&w.given);
  pthread_mutex_unlock(&w.lock);
  pthread_join(thread, NULL);
  return w.result;
}
int main(void) {
  double x[2] = {.4, .5}, d[2] = {0};
  __enzyme_autodiff((void *)f, x, d);
  return failures;
}
