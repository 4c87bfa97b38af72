/*
 * gate_timer -- timers and locks that belong to a process, so that a copy of it would be without.
 *
 * Interval timers are only noted: the shim stops them while a rank sleeps and sets them again when it wakes up, in a copy
 * as well.  POSIX timers have numbers that the kernel gives out, and locks have an owner.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "shim/gate.h"
#include "shim/gate_kept.h"
#include "shim/gate_raw.h"

#define EXPORTED __attribute__((visibility("default")))
#define CALLER __builtin_return_address(0)

static int set_interval_timer(__itimer_which_t which, const struct itimerval *new, struct itimerval *old)
{
    tourney_gate_kept.alarms = true;
    return (int)gate_result(gate_raw(SYS_setitimer, which, (long)new, (long)old, 0, 0, 0));
}

EXPORTED int setitimer(__itimer_which_t which, const struct itimerval *new, struct itimerval *old)
{
    return set_interval_timer(which, new, old);
}

/* Rounded, but not to nothing. */
EXPORTED unsigned alarm(unsigned seconds)
{
    struct itimerval new = {.it_value = {.tv_sec = seconds}}, old;
    if (set_interval_timer(ITIMER_REAL, &new, &old) < 0)
        return 0;
    return (unsigned)old.it_value.tv_sec +
           (old.it_value.tv_usec >= 500000 || (old.it_value.tv_sec == 0 && old.it_value.tv_usec > 0));
}

EXPORTED useconds_t ualarm(useconds_t value, useconds_t interval)
{
    enum { MILLION = 1000000 };
    struct itimerval new = {{interval / MILLION, interval % MILLION}, {value / MILLION, value % MILLION}}, old;
    if (set_interval_timer(ITIMER_REAL, &new, &old) < 0)
        return (useconds_t)-1;
    return (useconds_t)(old.it_value.tv_sec * MILLION + old.it_value.tv_usec);
}

EXPORTED int timer_create(clockid_t clock, struct sigevent *event, timer_t *timer)
{
    static int (*next)(clockid_t, struct sigevent *, timer_t *);
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "timer_create");
    int result = next(clock, event, timer);
    tourney_gate_kept.timers += result == 0;
    return result;
}

EXPORTED int timer_delete(timer_t timer)
{
    static int (*next)(timer_t);
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "timer_delete");
    int result = next(timer);
    tourney_gate_kept.timers -= result == 0;
    return result;
}

static int lock_or_not(int fd, int command, void *argument, const void *caller)
{
    static int (*next)(int, int, ...);
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "fcntl");
    if ((command == F_SETLK || command == F_SETLKW) && gate_is_of_copied_program(caller))
        tourney_gate_kept.locks = true;
    return next(fd, command, argument);
}

EXPORTED int fcntl(int fd, int command, ...)
{
    va_list list;
    va_start(list, command);
    void *argument = va_arg(list, void *);
    va_end(list);
    return lock_or_not(fd, command, argument, CALLER);
}

EXPORTED int fcntl64(int fd, int command, ...)
{
    va_list list;
    va_start(list, command);
    void *argument = va_arg(list, void *);
    va_end(list);
    return lock_or_not(fd, command, argument, CALLER);
}

static int lock_file(int fd, int command, off64_t length, const void *caller)
{
    static int (*next)(int, int, off64_t);
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "lockf64");
    if (gate_is_of_copied_program(caller))
        tourney_gate_kept.locks = true;
    return next(fd, command, length);
}

EXPORTED int lockf(int fd, int command, off_t length)
{
    return lock_file(fd, command, length, CALLER);
}

EXPORTED int lockf64(int fd, int command, off64_t length)
{
    return lock_file(fd, command, length, CALLER);
}
