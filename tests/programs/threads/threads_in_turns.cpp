/* Threads that run in turns: semaphores, conditions of C, locks that are held while others wait, variables of threads,
 * and tapes that the program holds.
 * flags: -pthread -std=c++20 */
#include "../check.h"
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <pthread.h>
#include <semaphore.h>
#include <semaphore>
#include <shared_mutex>
#include <thread>
#include <threads.h>
#include <vector>

enum { N = 6, TURNS = 4, THREADS = 3 };

static double ping_pong(double *x) {
  sem_t ping, pong;
  sem_init(&ping, 0, 0);
  sem_init(&pong, 0, 0);
  double ball = x[0];
  std::thread other([&] {
    for (int i = 0; i < TURNS; i++) {
      sem_wait(&ping);
      ball = sin(ball) * x[i + 1];
      sem_post(&pong);
    }
  });
  double s = 0;
  for (int i = 0; i < TURNS; i++) {
    ball *= x[i] + ball;
    sem_post(&ping);
    sem_wait(&pong);
    s += ball * ball;
  }
  other.join();
  sem_destroy(&ping);
  sem_destroy(&pong);
  return s;
}

static double semaphores_of_cxx(double *x) {
  std::counting_semaphore<8> free(2), full(0);
  double room[2], product = 1;
  std::thread consumer([&] {
    for (int i = 0; i < N; i++) {
      full.acquire();
      product *= 1 + room[i % 2] * x[i];
      free.release();
    }
  });
  for (int i = 0; i < N; i++) {
    free.acquire();
    room[i % 2] = x[i] * x[(i + 1) % N];
    full.release();
  }
  consumer.join();
  return product;
}

struct ring {
  mtx_t lock;
  cnd_t turn;
  double *x, value;
  int next;
};
struct member {
  ring *all;
  int k;
};
static int in_order(void *p) {
  member *m = static_cast<member *>(p);
  ring *r = m->all;
  for (int round = 0; round < 2; round++) {
    mtx_lock(&r->lock);
    while (r->next % THREADS != m->k)
      cnd_wait(&r->turn, &r->lock);
    r->value = sin(r->value) + r->x[m->k] * r->value;
    r->next++;
    cnd_broadcast(&r->turn);
    mtx_unlock(&r->lock);
  }
  return m->k;
}
/* Made in one order, run in another one. */
static double condition_of_c11(double *x) {
  ring r = {{}, {}, x, x[3], 0};
  mtx_init(&r.lock, mtx_plain);
  cnd_init(&r.turn);
  thrd_t threads[THREADS];
  member members[THREADS];
  int sum = 0;
  for (int k = THREADS - 1; k >= 0; k--) {
    members[k] = {&r, k};
    thrd_create(&threads[k], in_order, &members[k]);
  }
  for (thrd_t t : threads) {
    int result;
    thrd_join(t, &result);
    sum += result;
  }
  cnd_destroy(&r.turn);
  mtx_destroy(&r.lock);
  return r.value * sum;
}

/* A thread holds a lock while it waits for something else: others wait for the lock. */
static double held_locks(double *x) {
  std::recursive_mutex lock;
  std::shared_mutex shared;
  sem_t go, holds;
  sem_init(&go, 0, 0);
  sem_init(&holds, 0, 0);
  double value = x[0];
  std::thread holder([&] {
    std::lock_guard<std::recursive_mutex> a(lock);
    std::lock_guard<std::recursive_mutex> b(lock);
    sem_post(&holds);
    sem_wait(&go);
    value = sin(value) * x[1];
  });
  sem_wait(&holds);
  std::thread reader([&] {
    std::shared_lock<std::shared_mutex> s(shared);
    sem_post(&holds);
    std::lock_guard<std::recursive_mutex> a(lock);
    value *= value + x[2];
  });
  sem_wait(&holds);
  std::thread writer([&] {
    std::lock_guard<std::shared_mutex> s(shared);
    value += value * x[3];
  });
  value *= x[4];
  sem_post(&go);
  writer.join();
  reader.join();
  holder.join();
  sem_destroy(&go);
  sem_destroy(&holds);
  return value * value;
}

static thread_local double own = 0.5;
static thread_local double sums[2] = {1, 2};
static double variables(double *x) {
  pthread_barrier_t barrier;
  pthread_barrier_init(&barrier, nullptr, THREADS + 1);
  double results[THREADS];
  std::vector<std::thread> threads;
  own = x[5];
  sums[1] = x[4];
  for (int k = 0; k < THREADS; k++)
    threads.emplace_back([&, k] {
      for (int i = 0; i < 2; i++) {
        own *= x[k] + x[k + i];
        pthread_barrier_wait(&barrier);
        sums[i] += own * x[k];
      }
      results[k] = sums[0] * sums[1];
    });
  for (int i = 0; i < 2; i++) {
    own *= x[i];
    pthread_barrier_wait(&barrier);
    sums[1] += own;
  }
  double s = own * sums[1];
  for (auto &t : threads)
    t.join();
  for (double r : results)
    s += r * r;
  return s;
}

/* Yields, and times that pass only if nobody else can run. */
static double polled(double *x) {
  std::atomic<int> is_ready{0};
  std::mutex m;
  std::condition_variable never;
  double value = 0;
  std::thread waiting([&] {
    while (!is_ready.load())
      std::this_thread::yield();
    value *= x[1];
    is_ready = 2;
  });
  std::thread late([&] {
    std::unique_lock<std::mutex> lock(m);
    while (is_ready != 2)
      never.wait_for(lock, std::chrono::milliseconds(1));
    value += x[2] * value;
  });
  value = sin(x[0]);
  is_ready = 1;
  waiting.join();
  late.join();
  return value * value;
}

/* Threads that threads make. */
static double tree(double *x) {
  std::counting_semaphore<8> up(0);
  double leaves[4];
  std::vector<std::thread> branches;
  for (int k = 0; k < 2; k++)
    branches.emplace_back([&, k] {
      std::counting_semaphore<8> start(0);
      std::thread leaf([&, k] {
        start.acquire();
        leaves[k] = x[k] * x[k + 1];
        up.release();
      });
      leaves[k + 2] = sin(x[k + 3]);
      start.release();
      up.release();
      leaf.join();
    });
  for (int k = 0; k < 4; k++)
    up.acquire();
  double s = leaves[0] * leaves[1] + leaves[2] * leaves[3];
  for (auto &t : branches)
    t.join();
  return s;
}

extern void *__enzyme_augmentfwd(void *, ...);
extern void __enzyme_reverse(void *, ...);
struct Four {
  double of[4];
};
extern int enzyme_width;
extern Four __enzyme_fwddiff_four(void *, ...);

/* Two tapes at a time, reversed in the order in which they were made. */
template <double (*f)(double *)> static void held_tapes() {
  double x[2][6] = {{0.6, -0.7, 1.1, 0.45, -0.3, 0.83}, {0.3, 0.9, -0.4, 0.7, 1.2, -0.5}}, d[2][6] = {}, want[2][6] = {};
  void *tapes[2];
  for (int k = 0; k < 2; k++)
    tapes[k] = __enzyme_augmentfwd((void *)f, x[k], d[k]);
  for (int k = 0; k < 2; k++)
    __enzyme_reverse((void *)f, x[k], d[k], 1.0, tapes[k]);
  for (int k = 0; k < 2; k++) {
    __enzyme_autodiff((void *)f, x[k], want[k]);
    for (int i = 0; i < 6; i++)
      SAME(d[k][i], want[k][i]);
  }
}
/* Several directions at once. */
template <double (*f)(double *)> static void vector_mode() {
  double x[6] = {0.6, -0.7, 1.1, 0.45, -0.3, 0.83}, d[6] = {}, v[4][6] = {};
  for (int k = 0; k < 4; k++)
    v[k][k] = 1;
  __enzyme_autodiff((void *)f, x, d);
  Four all = __enzyme_fwddiff_four((void *)f, enzyme_width, 4, enzyme_dup, x, v[0], v[1], v[2], v[3]);
  for (int k = 0; k < 4; k++)
    SAME(all.of[k], d[k]);
}

int main() {
  CHECK(ping_pong, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(semaphores_of_cxx, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(condition_of_c11, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(held_locks, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(variables, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(polled, 0.6, -0.7, 1.1);
  CHECK(tree, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  held_tapes<ping_pong>();
  held_tapes<variables>();
  vector_mode<ping_pong>();
  return failures;
}
