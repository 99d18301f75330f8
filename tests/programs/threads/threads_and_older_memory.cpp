/* Threads that copy pointers to memory which is there before the request: these lead to shadows all the same.
 * flags: -pthread */
#include "../check.h"
#include <pthread.h>

enum { N = 24 };
static int threads;

struct job {
  double *x, *out;
  int begin, end;
};
struct start {
  int number;
  job work;
};
static job *table;
static double *scratch;
static void *run_start(void *given) {
  start *s = (start *)given;
  int t = s->number;
  memcpy(&table[t], &s->work, sizeof(job));
  free(s);
  job copies[2], *j = &copies[t & 1];
  memcpy(j, &table[t], sizeof(job));
  for (int i = j->begin; i < j->end; i++)
    scratch[4 * t + i] = j->x[i];
  scratch[4 * t] *= scratch[4 * t + 1];
  double sum = 0;
  for (int i = j->begin; i < j->end; i++)
    sum += scratch[4 * t + i] * scratch[4 * t + i];
  *j->out = sum;
  return nullptr;
}
static double starts(double *x) {
  pthread_t made[8];
  double out[8], sum = 0;
  for (int t = 0; t < threads; t++) {
    start *s = (start *)malloc(sizeof *s);
    *s = {t, {x + t, &out[t], 0, 4}};
    pthread_create(&made[t], nullptr, run_start, s);
  }
  for (int t = 0; t < threads; t++) {
    pthread_join(made[t], nullptr);
    sum += out[t] * out[t];
  }
  return sum;
}

#define X                                                                                                              \
  0.6, -0.7, 1.1, 0.45, -0.3, 0.83, 0.2, 0.9, -1.2, 0.71, 0.33, -0.52, 1.3, 0.14, -0.66, 0.95, 0.47, -0.88, 0.25, 0.61, \
      -0.39, 0.74, 1.02, -0.18

int main() {
  table = (job *)calloc(8, sizeof *table);
  scratch = (double *)calloc(32, sizeof *scratch);
  for (threads = 1; threads <= 8; threads += threads < 3 ? 1 : 5) {
    CHECK(starts, X);
  }
  free(table);
  free(scratch);
  return failures;
}
