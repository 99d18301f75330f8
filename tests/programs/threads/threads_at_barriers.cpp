/* Threads that meet: barriers, latches that a later thread counts down, steps of a stencil.
 * flags: -pthread -std=c++20 */
#include "../check.h"
#include <barrier>
#include <latch>
#include <pthread.h>
#include <thread>
#include <vector>

enum { N = 6, THREADS = 3, STEPS = 4 };

struct shared {
  double *x, middle[2], out[2];
  pthread_barrier_t barrier;
};
struct job {
  shared *all;
  int k;
};
static void *exchange(void *p) {
  job *j = static_cast<job *>(p);
  shared *s = j->all;
  s->middle[j->k] = sin(s->x[j->k]) * s->x[j->k + 2];
  pthread_barrier_wait(&s->barrier);
  s->out[j->k] = s->middle[1 - j->k] * s->middle[j->k] * s->x[j->k];
  return nullptr;
}
static double barrier_of_posix(double *x) {
  shared s = {x, {}, {}, {}};
  pthread_barrier_init(&s.barrier, nullptr, 2);
  job jobs[2] = {{&s, 0}, {&s, 1}};
  pthread_t threads[2];
  for (int k = 0; k < 2; k++)
    pthread_create(&threads[k], nullptr, exchange, &jobs[k]);
  for (pthread_t t : threads)
    pthread_join(t, nullptr);
  pthread_barrier_destroy(&s.barrier);
  return s.out[0] * s.out[1] + s.middle[0];
}

/* The maker is one of those that meet. What each thread reads is written by its neighbours in the step before. */
static double stencil(double *x) {
  pthread_barrier_t barrier;
  pthread_barrier_init(&barrier, nullptr, THREADS + 1);
  double old[N], next[N];
  for (int i = 0; i < N; i++)
    old[i] = x[i];
  std::vector<std::thread> threads;
  for (int k = 0; k < THREADS; k++)
    threads.emplace_back([&, k] {
      for (int step = 0; step < STEPS; step++) {
        for (int i = k * N / THREADS; i < (k + 1) * N / THREADS; i++)
          next[i] = 0.5 * old[i] + 0.3 * old[(i + 1) % N] * old[(i + N - 1) % N];
        pthread_barrier_wait(&barrier);
        for (int i = k * N / THREADS; i < (k + 1) * N / THREADS; i++)
          old[i] = sin(next[i]);
        pthread_barrier_wait(&barrier);
      }
    });
  double s = 0;
  for (int step = 0; step < STEPS; step++) {
    pthread_barrier_wait(&barrier);
    s += next[step] * next[0];
    pthread_barrier_wait(&barrier);
    s += old[step] * x[0];
  }
  for (auto &t : threads)
    t.join();
  return s;
}

/* Who arrives last runs a function. */
static double barrier_of_cxx(double *x) {
  double sums[THREADS], total = 1;
  int phase = 0;
  std::barrier meet(THREADS, [&]() noexcept {
    for (double s : sums)
      total += s * total;
    phase++;
  });
  std::vector<std::thread> threads;
  for (int k = 0; k < THREADS; k++)
    threads.emplace_back([&, k] {
      sums[k] = x[k] * x[k + THREADS];
      meet.arrive_and_wait();
      sums[k] = total * x[k];
      meet.arrive_and_wait();
      if (k == phase % THREADS)
        meet.arrive_and_drop();
      else
        meet.arrive_and_wait();
    });
  for (auto &t : threads)
    t.join();
  return total;
}

/* The first thread waits for the later ones. */
static double latch(double *x) {
  std::latch ready(2), done(1);
  double parts[2], result = 0;
  std::thread sum([&] {
    ready.wait();
    result = parts[0] * parts[1];
    done.count_down();
  });
  std::vector<std::thread> makers;
  for (int k = 0; k < 2; k++)
    makers.emplace_back([&, k] {
      parts[k] = sin(x[k]) * x[k + 2];
      ready.count_down();
      done.wait();
      parts[k] += result * result;
    });
  sum.join();
  for (auto &t : makers)
    t.join();
  return parts[0] * parts[1] + result * x[4];
}

int main() {
  CHECK(barrier_of_posix, 0.6, -0.7, 1.1, 0.45);
  CHECK(stencil, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(barrier_of_cxx, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(latch, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  return failures;
}
