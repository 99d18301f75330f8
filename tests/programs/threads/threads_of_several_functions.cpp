/* Threads with different functions: derivatives run them on one team.
 * flags: -pthread */
#include "../check.h"
#include <mutex>
#include <pthread.h>
#include <thread>
#include <vector>

enum { N = 24 };
static int threads;

/* two functions that are given different things */
struct squares {
  const double *x;
  double *y, sum;
};
static void *run_squares(void *given) {
  squares *s = (squares *)given;
  s->sum = 0;
  for (int i = 0; i < N / 2; i++) {
    s->y[i] = s->x[i] * s->x[i];
    s->sum += s->y[i];
  }
  return nullptr;
}
struct sines {
  double scale;
  const double *x;
  double *y, *product;
};
static void *run_sines(void *given) {
  sines *s = (sines *)given;
  for (int i = N / 2; i < N; i++) {
    s->y[i] = sin(s->x[i]) * s->x[0];
    *s->product *= 1 + s->scale * s->y[i];
  }
  return nullptr;
}
static double pair(double *x) {
  double y[N], product = 1;
  squares first = {x, y, 0};
  sines second = {x[5], x, y, &product};
  pthread_t made[2];
  pthread_create(&made[0], nullptr, run_squares, &first);
  pthread_create(&made[1], nullptr, run_sines, &second);
  pthread_join(made[0], nullptr);
  pthread_join(made[1], nullptr);
  double sum = first.sum * product;
  for (int i = 0; i < N; i++)
    sum += y[i] * y[N - 1 - i];
  return sum;
}

/* a table tells the function */
static void *run_cube(void *given) {
  double *v = (double *)given;
  v[1] = v[0] * v[0] * v[0];
  return nullptr;
}
static void *run_cosine(void *given) {
  double *v = (double *)given;
  v[1] = cos(v[0]);
  return nullptr;
}
static double by_table(double *x) {
  void *(*const table[])(void *) = {run_cube, run_cosine};
  double values[8][2], sum = 0;
  pthread_t made[8];
  for (int t = 0; t < threads; t++) {
    values[t][0] = x[t] * x[t + 1];
    pthread_create(&made[t], nullptr, table[(t * t + threads) % 2], values[t]);
  }
  for (int t = 0; t < threads; t++) {
    pthread_join(made[t], nullptr);
    sum += values[t][1] * (t + 1);
  }
  return sum;
}

/* sections of one lock in both functions: those of the product have an order, which matters to rounding only */
static double sections(double *x) {
  std::mutex lock;
  double sum = 0, product = 1;
  std::vector<std::thread> made;
  for (int t = 0; t < threads; t++)
    if (t % 2)
      made.emplace_back([&, t] {
        double own = x[t] * x[t + 1];
        std::lock_guard<std::mutex> guard(lock);
        product *= 1 + own;
      });
    else
      made.emplace_back([&, t] {
        for (int i = t; i < N; i += threads) {
          std::lock_guard<std::mutex> guard(lock);
          product *= 1 + 0.1 * x[i];
          sum += x[i] * x[i];
        }
      });
  for (auto &thread : made)
    thread.join();
  return sum * product;
}

/* all add to the adjoints of the same numbers */
static double shared(double *x) {
  double squares = 0, cubes = 0;
  std::thread first([&] {
    for (int i = 0; i < N; i++)
      squares += x[i] * x[0];
  });
  std::thread second([&] {
    for (int i = 0; i < N; i++)
      cubes += x[i] * x[i] * x[0];
  });
  first.join();
  second.join();
  return squares * cubes;
}

#define X                                                                                                              \
  0.6, -0.7, 1.1, 0.45, -0.3, 0.83, 0.2, 0.9, -1.2, 0.71, 0.33, -0.52, 1.3, 0.14, -0.66, 0.95, 0.47, -0.88, 0.25, 0.61, \
      -0.39, 0.74, 1.02, -0.18

int main() {
  for (threads = 1; threads <= 8; threads += threads < 3 ? 1 : 5) {
    CHECK(pair, X);
    CHECK(by_table, X);
    CHECK(sections, X);
    CHECK(shared, X);
  }
  return failures;
}
