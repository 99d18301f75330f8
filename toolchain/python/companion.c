#include "companion.h"
#include <fenv.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { TENTH = 100000000, SECOND = 1000000000 }; /* nanoseconds */
/* Where the main thread's stack has no limit. Only pages that are touched take memory. */
static const size_t LARGE_STACK = (size_t)1 << 32;

struct companion {
  pthread_t thread;
  sem_t asked, ended;
  entry_point *call; /* NULL: the thread shall end */
  const char *(*message)(void);
  void *const *buffers;
  const int64_t *sizes;
  fenv_t environment; /* rounding and exceptions: of the caller before the call, of the call after it */
  const char *text;
  int status;
  bool has_ended;
};

static companion *idle; /* the one that waits for a call, or NULL */

bool is_main_thread(void) { return syscall(SYS_gettid) == getpid(); }

static void *work(void *given) {
  companion *c = given;
  for (;;) {
    while (sem_wait(&c->asked) != 0)
      ;
    if (!c->call)
      return NULL;
    fesetenv(&c->environment);
    c->status = c->call(c->buffers, c->sizes);
    fegetenv(&c->environment);
    c->text = c->status ? c->message() : NULL; /* a variable of this thread */
    sem_post(&c->ended);
  }
}

/* Signals go to the main thread, which Python expects, but for those that the thread's own code causes and that of
   profilers. */
static void keep_signals_away(sigset_t *before) {
  static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS, SIGPROF};
  sigset_t away;
  sigfillset(&away);
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    sigdelset(&away, own[i]);
  pthread_sigmask(SIG_BLOCK, &away, before);
}

/* As large a stack as the main thread has: Fortran keeps arrays there. */
static bool start(companion *c) {
  struct rlimit limit;
  bool is_limited = getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  pthread_attr_t attributes;
  sigset_t before;
  if (pthread_attr_init(&attributes) != 0)
    return false;
  bool started = pthread_attr_setstacksize(&attributes, is_limited ? limit.rlim_cur : LARGE_STACK) == 0;
  keep_signals_away(&before);
  started = started && pthread_create(&c->thread, &attributes, work, c) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  return started;
}

static void end(companion *c) {
  c->call = NULL;
  sem_post(&c->asked);
  pthread_join(c->thread, NULL);
  sem_destroy(&c->asked);
  sem_destroy(&c->ended);
  free(c);
}

/* Threads do not live on in a child process; and Python warns of a fork if there are any. */
static void end_idle(void) {
  if (idle)
    end(idle);
  idle = NULL;
}

static companion *new_companion(void) {
  static bool is_prepared;
  if (!is_prepared)
    is_prepared = pthread_atfork(end_idle, NULL, NULL) == 0;
  companion *c = is_prepared ? calloc(1, sizeof *c) : NULL;
  if (!c)
    return NULL;
  sem_init(&c->asked, 0, 0);
  sem_init(&c->ended, 0, 0);
  if (start(c))
    return c;
  sem_destroy(&c->asked);
  sem_destroy(&c->ended);
  free(c);
  return NULL;
}

companion *companion_calls(entry_point *call, const char *(*message)(void), void *const *buffers, const int64_t *sizes) {
  companion *c = idle ? idle : new_companion();
  if (!c)
    return NULL;
  idle = NULL;
  c->call = call;
  c->message = message;
  c->buffers = buffers;
  c->sizes = sizes;
  c->has_ended = false;
  fegetenv(&c->environment);
  sem_post(&c->asked);
  return c;
}

bool companion_waits(companion *c) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += TENTH;
  until.tv_sec += until.tv_nsec / SECOND;
  until.tv_nsec %= SECOND;
  c->has_ended = c->has_ended || sem_timedwait(&c->ended, &until) == 0;
  if (c->has_ended)
    fesetenv(&c->environment);
  return c->has_ended;
}

bool companion_has_ended(companion *c) { return c->has_ended = c->has_ended || sem_trywait(&c->ended) == 0; }

int companion_status(const companion *c, const char **message) {
  *message = c->text;
  return c->status;
}

void companion_is_free(companion *c) {
  if (idle)
    end(c);
  else
    idle = c;
}
