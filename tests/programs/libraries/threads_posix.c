/* Threads of POSIX in differentiated code: a thread's function runs where the thread is made. */
#include "../check.h"
#include <pthread.h>

struct job {
  const double *x;
  double result;
  int number;
};

static double total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *argument) {
  struct job *job = argument;
  double s = 0;
  for (int i = 1; i < 20; i++)
    s += sin(job->x[job->number % 3] * i + job->number) / i;
  job->result = s;
  pthread_mutex_lock(&lock);
  total += s * s;
  pthread_mutex_unlock(&lock);
  return argument;
}

static double jobs(double *x) {
  struct job jobs[4];
  pthread_t threads[4];
  total = x[0];
  for (int k = 0; k < 4; k++) {
    jobs[k].x = x;
    jobs[k].number = k;
    if (pthread_create(&threads[k], NULL, run, &jobs[k]))
      return 0;
  }
  double product = 1;
  for (int k = 0; k < 4; k++) {
    void *got;
    pthread_join(threads[k], k % 2 ? &got : NULL);
    product *= k % 2 ? ((struct job *)got)->result : jobs[k].result;
  }
  return product + total * x[1];
}

/* The address of a thread's result, through the thread alone. The program's threads are integers, ours are pointers. */
struct part {
  const double *x;
  int from, to;
  double result;
  pthread_mutex_t *lock;
  double *squares;
};

static void *sum_of_part(void *argument) {
  struct part *part = argument;
  double s = 0;
  for (int i = part->from; i < part->to; i++)
    s += sin(part->x[i % 3] * i);
  part->result = s;
  pthread_mutex_lock(part->lock);
  *part->squares += s * s;
  pthread_mutex_unlock(part->lock);
  return &part->result;
}

static double addresses(double *x) {
  pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
  double squares = 0, sum = 0;
  struct part parts[4];
  pthread_t threads[4];
  for (int k = 0; k < 4; k++) {
    parts[k] = (struct part){x, k * 5, k * 5 + 5, 0, &own, &squares};
    pthread_create(&threads[k], NULL, sum_of_part, &parts[k]);
  }
  for (int k = 0; k < 4; k++) {
    void *got;
    pthread_join(threads[k], &got);
    sum += *(double *)got * (k + 1);
  }
  return sum;
}

/* the thread that waits finds what it waits for */
struct box {
  pthread_mutex_t lock;
  pthread_cond_t done;
  int is_done;
  const double *x;
  double y;
};
static void *work(void *p) {
  struct box *b = p;
  pthread_mutex_lock(&b->lock);
  b->y = sin(b->x[0]) * b->x[1];
  b->is_done = 1;
  pthread_cond_signal(&b->done);
  pthread_mutex_unlock(&b->lock);
  return NULL;
}
static double waits(double *x) {
  struct box b = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, x, 0};
  pthread_t thread;
  pthread_create(&thread, NULL, work, &b);
  pthread_mutex_lock(&b.lock);
  while (!b.is_done)
    pthread_cond_wait(&b.done, &b.lock);
  pthread_mutex_unlock(&b.lock);
  pthread_join(thread, NULL);
  return b.y * x[2];
}

int main(void) {
  CHECK(waits, 0.7, -0.4, 1.3);
  CHECK(jobs, 0.7, -0.4, 1.3);
  CHECK(addresses, 0.7, -0.4, 1.3);
  return failures;
}
