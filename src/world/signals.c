#include "world/signals.h"

#include <signal.h>
#include <stddef.h>

#include "base/deadline.h"

static const int heeded[] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP};
enum { HEEDED = sizeof heeded / sizeof *heeded };

/* What the handler may touch. */
static struct {
    _Atomic uint32_t *events;
    volatile sig_atomic_t child, stop;
} seen;

static void catch_signal(int sig)
{
    if (sig == SIGCHLD) {
        seen.child = 1;
    } else {
        seen.stop = sig;
        deadline_cut();
    }
    atomic_fetch_add(seen.events, 1);
}

void signals_take(_Atomic uint32_t *events)
{
    struct sigaction action = {.sa_handler = catch_signal}, old;
    seen.events = events;
    seen.child = seen.stop = 0;
    for (int i = 0; i < HEEDED; i++) {
        sigaction(heeded[i], NULL, &old);
        if (old.sa_handler != SIG_IGN || heeded[i] == SIGCHLD) /* as under nohup */
            sigaction(heeded[i], &action, NULL);
    }
}

void signals_leave(void)
{
    for (int i = 0; i < HEEDED; i++)
        signal(heeded[i], SIG_DFL);
}

bool signals_child(void)
{
    bool any = seen.child;
    if (any)
        seen.child = 0;
    return any;
}

int signals_stop(void)
{
    return seen.stop;
}
