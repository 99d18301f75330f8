/* Threads that the program has made before the request do a part of the work: what they do has no derivative.
 * flags: -pthread
 * expect: a thread waits for another one, and differentiated code has made none that could go on
 * expect: make the other thread in the request, too */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

enum { THREADS = 2, N = 8 };
typedef void job(void *, int);
static _Atomic(job *) next;
static void *given;
static atomic_int left, round_of_work, stop;

static void *serve(void *number) {
  for (int done = 0; !stop;)
    if (round_of_work != done) {
      done = round_of_work;
      usleep(1000);
      next(given, (int)(long)number);
      left--;
    }
  return NULL;
}

struct parts {
  double x, sums[THREADS];
};

static void add(void *all, int number) {
  struct parts *parts = all;
  for (int i = number; i < N; i += THREADS)
    parts->sums[number] += sin(parts->x * i);
}

static double sum(double x) {
  struct parts parts = {x, {0}};
  given = &parts;
  left = THREADS;
  next = add;
  round_of_work++;
  while (left)
    ;
  return parts.sums[0] + parts.sums[1];
}

extern double __enzyme_autodiff(void *, double);

int main(void) {
  pthread_t threads[THREADS];
  for (long k = 0; k < THREADS; k++)
    pthread_create(&threads[k], NULL, serve, (void *)k);
  double derivative = __enzyme_autodiff((void *)sum, 0.3);
  stop = 1;
  for (int k = 0; k < THREADS; k++)
    pthread_join(threads[k], NULL);
  return derivative == 0;
}
