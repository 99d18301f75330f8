/* Threads of C11's <threads.h> in differentiated code: a thread's function runs where the thread is made. */
#include "../check.h"
#include <threads.h>

struct job {
  const double *x;
  int number;
  double result;
};

static double total;
static mtx_t lock;
static once_flag begun = ONCE_FLAG_INIT;
static _Thread_local double factor;

static void begin(void) { mtx_init(&lock, mtx_plain); }

static int run(void *argument) {
  struct job *job = argument;
  call_once(&begun, begin);
  factor = job->x[1] * (job->number + 1);
  job->result = sin(job->x[job->number % 3] * factor);
  mtx_lock(&lock);
  total += job->result * job->result;
  mtx_unlock(&lock);
  return job->number * 2;
}

static double jobs(double *x) {
  struct job jobs[4];
  thrd_t threads[4];
  total = x[0];
  for (int k = 0; k < 4; k++) {
    jobs[k] = (struct job){x, k, 0};
    if (thrd_create(&threads[k], run, &jobs[k]) != thrd_success)
      return 0;
  }
  double sum = 0;
  for (int k = 0; k < 4; k++) {
    int number = 3;
    thrd_join(threads[k], k % 2 ? &number : NULL);
    sum += jobs[k].result * number;
  }
  return sum * total;
}

/* the thread that waits finds what it waits for */
struct box {
  mtx_t lock;
  cnd_t done;
  int is_done;
  const double *x;
  double y;
};

static int work(void *p) {
  struct box *b = p;
  mtx_lock(&b->lock);
  b->y = b->x[0] * b->x[0] * b->x[1];
  b->is_done = 1;
  cnd_signal(&b->done);
  mtx_unlock(&b->lock);
  return 0;
}

static double wait_for_box(double *x) {
  struct box b = {.x = x};
  thrd_t thread;
  mtx_init(&b.lock, mtx_plain);
  cnd_init(&b.done);
  thrd_create(&thread, work, &b);
  thrd_detach(thread);
  mtx_lock(&b.lock);
  while (!b.is_done)
    cnd_wait(&b.done, &b.lock);
  mtx_unlock(&b.lock);
  cnd_destroy(&b.done);
  mtx_destroy(&b.lock);
  return b.y;
}

int main(void) {
  CHECK(jobs, 0.7, 1.2, 0.4);
  CHECK(wait_for_box, 0.7, 1.2);
  return failures;
}
