/* Threads that free what they were given: derivatives run them on a team, and free it once all is reversed.
 * flags: -pthread */
#include "../check.h"
#include <memory>
#include <pthread.h>
#include <thread>
#include <vector>

enum { N = 24 };
static int threads;

/* the usual way to pass several things to a thread */
struct job {
  double *x, *out;
  int begin, end;
};
static void *run_job(void *given) {
  job *j = (job *)given;
  double sum = 0;
  for (int i = j->begin; i < j->end; i++)
    sum += j->x[i] * j->x[i];
  *j->out = sum;
  free(j);
  return nullptr;
}
static double jobs(double *x) {
  double out[8], product = 1;
  pthread_t made[8];
  for (int t = 0; t < threads; t++) {
    job *j = (job *)malloc(sizeof *j);
    *j = {x, &out[t], N * t / threads, N * (t + 1) / threads};
    pthread_create(&made[t], nullptr, run_job, j);
  }
  for (int t = 0; t < threads; t++) {
    pthread_join(made[t], nullptr);
    product *= out[t];
  }
  return product;
}

/* numbers that the maker has computed, and that nobody has after the thread */
static double arrays(double *x) {
  std::vector<std::thread> made;
  std::vector<double> out(threads);
  for (int t = 0; t < threads; t++) {
    double *own = new double[6];
    for (int i = 0; i < 6; i++)
      own[i] = x[i + t] * x[i];
    made.emplace_back(
        [](double *own, double *out) {
          for (int i = 0; i < 6; i++)
            *out += own[i] * own[i];
          delete[] own;
        },
        own, &out[t]);
  }
  for (auto &thread : made)
    thread.join();
  double sum = 0;
  for (double o : out)
    sum += o * o;
  return sum;
}

/* a lambda that owns numbers */
static double owners(double *x) {
  std::vector<std::thread> made;
  std::vector<double> out(threads);
  for (int t = 0; t < threads; t++)
    made.emplace_back([own = std::make_unique<double>(x[t] * x[t + 1]), x, o = &out[t]] { *o = *own * *own * x[3]; });
  for (auto &thread : made)
    thread.join();
  double sum = 0;
  for (double o : out)
    sum += o * o;
  return sum;
}

#define X                                                                                                              \
  0.6, -0.7, 1.1, 0.45, -0.3, 0.83, 0.2, 0.9, -1.2, 0.71, 0.33, -0.52, 1.3, 0.14, -0.66, 0.95, 0.47, -0.88, 0.25, 0.61, \
      -0.39, 0.74, 1.02, -0.18

int main() {
  for (threads = 1; threads <= 8; threads += threads < 3 ? 1 : 5) {
    CHECK(jobs, X);
    CHECK(arrays, X);
    CHECK(owners, X);
  }
  return failures;
}
