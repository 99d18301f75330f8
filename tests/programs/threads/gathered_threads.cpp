/* Threads that only their makers wait for: derivatives run them on a team, once one is joined.
 * flags: -pthread */
#include "../check.h"
#include <atomic>
#include <functional>
#include <mutex>
#include <pthread.h>
#include <thread>
#include <threads.h>
#include <vector>

enum { N = 24 };
static int threads;

/* each thread has a part of an array, by bounds in memory; those of neighbours are read, too */
struct part {
  const double *x;
  double *y;
  long begin, end;
  double sum;
};
static void *run_part(void *given) {
  part *p = (part *)given;
  double sum = 0;
  for (long i = p->begin; i < p->end; i++) {
    double v = p->x[i] + 0.5 * p->x[i > 0 ? i - 1 : 0] - p->x[i + 1 < N ? i + 1 : N - 1] * p->x[N / 2];
    p->y[i] = v * v;
    sum += v * p->y[i];
  }
  p->sum = sum;
  return nullptr;
}
static void make_parts(part *parts, pthread_t *made, const double *x, double *y) {
  for (int t = 0; t < threads; t++) {
    parts[t] = {x, y, (long)N * t / threads, (long)N * (t + 1) / threads, 0};
    pthread_create(&made[t], nullptr, run_part, &parts[t]);
  }
}
static double parts_of_posix(double *x) {
  double y[N], sum = 0;
  part parts[8];
  pthread_t made[8];
  make_parts(parts, made, x, y);
  double own = x[0] * x[N - 1]; /* the maker works, too */
  for (int t = 0; t < threads; t++) {
    pthread_join(made[t], nullptr);
    sum += parts[t].sum;
  }
  for (int i = 0; i < N; i++)
    sum += y[i] * x[N - 1 - i];
  return sum * own;
}

static void *run_result(void *given) {
  double *x = (double *)given, *result = (double *)malloc(sizeof *result);
  *result = exp(x[0]) * x[1];
  return result;
}
static double results_of_posix(double *x) {
  pthread_t made[8];
  double sum = 0;
  for (int t = 0; t < threads; t++)
    pthread_create(&made[t], nullptr, run_result, x + t);
  for (int t = 0; t < threads; t++) {
    void *result;
    pthread_join(made[t], &result);
    sum += *(double *)result * (t + 1);
    free(result);
  }
  return sum;
}

struct term {
  double *x, value;
};
static int run_term(void *given) {
  term *t = (term *)given;
  t->value = cos(t->x[0] * t->x[1]);
  return t->x[0] > 0.5 ? 2 : 3;
}
static double terms_of_c11(double *x) {
  term terms[8];
  thrd_t made[8];
  double sum = 0;
  for (int t = 0; t < threads; t++) {
    terms[t] = {x + 2 * t, 0};
    thrd_create(&made[t], run_term, &terms[t]);
  }
  for (int t = 0; t < threads; t++) {
    int factor;
    thrd_join(made[t], &factor);
    sum += factor * terms[t].value;
  }
  return sum;
}

/* two regions, one behind the other, and lambdas */
static double stages(double *x) {
  std::vector<double> y(N), part(threads);
  for (int stage = 0; stage < 2; stage++) {
    std::vector<std::thread> made;
    for (int t = 0; t < threads; t++)
      made.emplace_back([&, t] {
        for (int i = t; i < N; i += threads)
          if (stage == 0)
            y[i] = sin(x[i]);
          else
            part[t] += y[i] * y[(i + 7) % N];
      });
    for (auto &thread : made)
      thread.join();
  }
  double sum = 0;
  for (double p : part)
    sum += p * p;
  return sum;
}

/* sections of a lock, in which the order matters to nothing but rounding, and those of others */
static double sections(double *x) {
  std::mutex lock;
  double sum = 0, product = 1;
  std::vector<std::thread> made;
  for (int t = 0; t < threads; t++)
    made.emplace_back([&, t] {
      double own = 0;
      for (int i = t; i < N; i += threads)
        own += x[i] * x[i];
      std::lock_guard<std::mutex> guard(lock);
      sum += own;
      product *= 1 + own;
    });
  for (auto &thread : made)
    thread.join();
  return sum * product;
}

/* threads take what is left: which one does what, is another thing in each run */
static double taken(double *x) {
  std::atomic<int> next{0};
  double y[N];
  std::vector<std::thread> made;
  for (int t = 0; t < threads; t++)
    made.emplace_back([&] {
      for (int i; (i = next.fetch_add(1)) < N;)
        y[i] = x[i] * x[(i + 1) % N];
    });
  for (auto &thread : made)
    thread.join();
  double sum = 0;
  for (double v : y)
    sum += v * v;
  return sum;
}

/* two functions of threads at the same time; one calls itself, and stays in one thread */
static double power(double v, int n) { return n == 0 ? 1 : v * power(v, n - 1) + n; }
static void left(const double *x, double *out) { *out = power(x[0], 5); }
static void right(const double *x, double *out, int n) {
  for (int i = 0; i < n; i++)
    *out += x[i] * x[N - 1 - i];
}
static double several(double *x) {
  double a = 0, b = 0, c = 0;
  std::thread first(left, x, &a), second(right, x, &b, 5), third(right, x, &c, N);
  first.join();
  second.join();
  third.join();
  return a * b + c;
}

/* additions in a function that is not inlined */
static NOINLINE void add(double *sum, const double *x, int n) {
  for (int i = 0; i < n; i++)
    *sum += x[i] * x[(i * 5) % n];
}
static double out_of_line(double *x) {
  double sums[8] = {};
  std::vector<std::thread> made;
  for (int t = 0; t < threads; t++)
    made.emplace_back(add, &sums[t], x, N);
  for (auto &thread : made)
    thread.join();
  double sum = 0;
  for (double s : sums)
    sum += s;
  return sum;
}

/* the thread that nobody joins here has run when the function returns */
static double left_behind(double *x) {
  static double y;
  auto *other = new std::thread([x] { y = x[0] * x[1] * x[2]; });
  std::thread([] {}).join();
  double result = 0;
  std::thread last([&result, x] { result = x[3] * x[3]; });
  last.join();
  other->join();
  delete other;
  return result + y;
}

#define X                                                                                                              \
  0.6, -0.7, 1.1, 0.45, -0.3, 0.83, 0.2, 0.9, -1.2, 0.71, 0.33, -0.52, 1.3, 0.14, -0.66, 0.95, 0.47, -0.88, 0.25, 0.61, \
      -0.39, 0.74, 1.02, -0.18

int main() {
  for (threads = 1; threads <= 8; threads += threads < 3 ? 1 : 5) {
    CHECK(parts_of_posix, X);
    CHECK(results_of_posix, X);
    CHECK(terms_of_c11, X);
    CHECK(stages, X);
    CHECK(sections, X);
    CHECK(taken, X);
    CHECK(several, X);
    CHECK(left_behind, X);
    CHECK(out_of_line, X);
  }
  return failures;
}
