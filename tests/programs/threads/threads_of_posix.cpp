/* Threads of POSIX and of C11: locks, conditions, semaphores, once.
 * flags: -pthread */
#include "../check.h"
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <time.h>

enum { N = 6 };

struct job_of_pthread_mutex {
  const double *x;
  double *s;
  pthread_mutex_t *m;
  int k;
};
static void *run_of_pthread_mutex(void *p) {
  job_of_pthread_mutex *j = (job_of_pthread_mutex *)p;
  double v = sin(j->x[j->k]) * j->k;
  pthread_mutex_lock(j->m);
  *j->s += v;
  pthread_mutex_unlock(j->m);
  return nullptr;
}
static double pthread_mutex(double *x) {
  pthread_mutex_t m;
  pthread_mutexattr_t at;
  pthread_mutexattr_init(&at);
  pthread_mutexattr_settype(&at, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&m, &at);
  pthread_mutexattr_destroy(&at);
  double s = 0;
  job_of_pthread_mutex j[4];
  pthread_t t[4];
  pthread_attr_t a;
  pthread_attr_init(&a);
  pthread_attr_setstacksize(&a, 1 << 20);
  for (int k = 0; k < 4; k++) {
    j[k] = {x, &s, &m, k};
    pthread_create(&t[k], &a, run_of_pthread_mutex, &j[k]);
  }
  for (auto &u : t)
    pthread_join(u, nullptr);
  pthread_attr_destroy(&a);
  pthread_mutex_destroy(&m);
  return s * s;
}

struct job_of_pthread_trylock_timed {
  const double *x;
  double *s;
  pthread_mutex_t *m;
  int k;
};
static void *run_of_pthread_trylock_timed(void *p) {
  job_of_pthread_trylock_timed *j = (job_of_pthread_trylock_timed *)p;
  double v = sin(j->x[j->k]) * j->k;
  while (pthread_mutex_trylock(j->m))
    sched_yield();
  *j->s += v;
  pthread_mutex_unlock(j->m);
  timespec ts;
  clock_gettime(CLOCK_REALTIME, &ts);
  ts.tv_sec += 100;
  if (!pthread_mutex_timedlock(j->m, &ts)) {
    *j->s += v * v;
    pthread_mutex_unlock(j->m);
  }
  return nullptr;
}
static double pthread_trylock_timed(double *x) {
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  double s = 0;
  job_of_pthread_trylock_timed j[4];
  pthread_t t[4];
  for (int k = 0; k < 4; k++) {
    j[k] = {x, &s, &m, k};
    pthread_create(&t[k], nullptr, run_of_pthread_trylock_timed, &j[k]);
  }
  for (auto &u : t)
    pthread_join(u, nullptr);
  return s * s;
}

struct job_of_pthread_rwlock_spin {
  const double *x;
  double *s;
  pthread_rwlock_t *m;
  pthread_spinlock_t *sp;
  int k;
};
static void *run_of_pthread_rwlock_spin(void *p) {
  job_of_pthread_rwlock_spin *j = (job_of_pthread_rwlock_spin *)p;
  double v = sin(j->x[j->k]) * j->k;
  pthread_rwlock_rdlock(j->m);
  v *= j->x[5];
  pthread_rwlock_unlock(j->m);
  pthread_rwlock_wrlock(j->m);
  *j->s += v;
  pthread_rwlock_unlock(j->m);
  pthread_spin_lock(j->sp);
  *j->s += v * v;
  pthread_spin_unlock(j->sp);
  return nullptr;
}
static double pthread_rwlock_spin(double *x) {
  pthread_rwlock_t m;
  pthread_rwlock_init(&m, nullptr);
  pthread_spinlock_t sp;
  pthread_spin_init(&sp, 0);
  double s = 0;
  job_of_pthread_rwlock_spin j[4];
  pthread_t t[4];
  for (int k = 0; k < 4; k++) {
    j[k] = {x, &s, &m, &sp, k};
    pthread_create(&t[k], nullptr, run_of_pthread_rwlock_spin, &j[k]);
  }
  for (auto &u : t)
    pthread_join(u, nullptr);
  pthread_rwlock_destroy(&m);
  pthread_spin_destroy(&sp);
  return s * s;
}

struct job_of_semaphore_posix {
  const double *x;
  sem_t *s;
  double r;
};
static void *run_of_semaphore_posix(void *p) {
  job_of_semaphore_posix *j = (job_of_semaphore_posix *)p;
  j->r = sin(j->x[0]) * j->x[1];
  sem_post(j->s);
  return nullptr;
}
static double semaphore_posix(double *x) {
  sem_t s;
  sem_init(&s, 0, 0);
  job_of_semaphore_posix j = {x, &s, 0};
  pthread_t t;
  pthread_create(&t, nullptr, run_of_semaphore_posix, &j);
  sem_wait(&s);
  double r = j.r * x[2];
  int v;
  sem_getvalue(&s, &v);
  if (sem_trywait(&s) == 0)
    r = 0;
  pthread_join(t, nullptr);
  sem_destroy(&s);
  return r;
}

struct q_of_producer_consumer {
  pthread_mutex_t m;
  pthread_cond_t c;
  double v[8];
  int n, taken;
  const double *x;
  double s;
};
static void *produce_of_producer_consumer(void *p) {
  q_of_producer_consumer *k = (q_of_producer_consumer *)p;
  for (int i = 0; i < 8; i++) {
    pthread_mutex_lock(&k->m);
    k->v[k->n] = k->x[i % N] * i;
    k->n++;
    pthread_cond_signal(&k->c);
    pthread_mutex_unlock(&k->m);
  }
  return nullptr;
}
static void *consume_of_producer_consumer(void *p) {
  q_of_producer_consumer *k = (q_of_producer_consumer *)p;
  for (int i = 0; i < 8; i++) {
    pthread_mutex_lock(&k->m);
    while (k->taken == k->n)
      pthread_cond_wait(&k->c, &k->m);
    double v = k->v[k->taken++];
    pthread_mutex_unlock(&k->m);
    k->s += v * v;
  }
  return nullptr;
}
static double producer_consumer(double *x) {
  q_of_producer_consumer k = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, {0}, 0, 0, x, 0};
  pthread_t a, b;
  pthread_create(&a, nullptr, produce_of_producer_consumer, &k);
  pthread_create(&b, nullptr, consume_of_producer_consumer, &k);
  pthread_join(a, nullptr);
  pthread_join(b, nullptr);
  return k.s;
}

int main() {
  CHECK(pthread_mutex, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(pthread_trylock_timed, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(pthread_rwlock_spin, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(semaphore_posix, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  CHECK(producer_consumer, 0.6, -0.7, 1.1, 0.45, -0.3, 0.83);
  return failures;
}
