#include "run.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

void (*before_signal)(void);

static volatile pid_t running;

static void pass_signal(int signal_number) {
    if (running > 0)
        kill(running, signal_number);
}

/* The compiler handles signals: it removes its temporary files and ends. Then this process ends, too. */
static void leave_signals_to_child(void) {
    struct sigaction action = {.sa_handler = pass_signal};
    sigemptyset(&action.sa_mask);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    sigaction(SIGINT, &action, NULL);
}

int run_command(const struct words *line) {
    int status;
    pid_t child;
    int error = posix_spawn(&child, line->items[0], NULL, NULL, (char **)line->items, environ);
    if (error)
        fail("cannot run %s: %s", line->items[0], strerror(error));
    running = child;
    leave_signals_to_child();
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            fail("lost sight of %s: %s", line->items[0], strerror(errno));
    running = 0;
    if (!WIFSIGNALED(status))
        return WEXITSTATUS(status);
    if (before_signal)
        before_signal();
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
    return 128 + WTERMSIG(status);
}
