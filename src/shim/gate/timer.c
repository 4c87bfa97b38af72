/*
 * timer -- timers and locks that belong to a process, so that a copy of it would be without.
 *
 * Interval timers are only noted: the shim stops them while a rank sleeps and sets them again when it wakes up, in a copy
 * as well.  POSIX timers have numbers that the kernel gives out, and locks have an owner.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/file.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "arch/system_call.h"
#include "shim/gate/gate.h"
#include "shim/gate/kept_state.h"

#define EXPORTED __attribute__((visibility("default")))
#define CALLER __builtin_return_address(0)

/* All at once, so that the memory of a rank does not depend on what it has called. */
static struct {
    int (*timer_create)(clockid_t, struct sigevent *, timer_t *);
    int (*timer_delete)(timer_t);
    int (*fcntl)(int, int, ...);
    int (*lockf)(int, int, off64_t);
} next;

__attribute__((constructor)) static void find_next(void)
{
    if (next.lockf)
        return;
    *(void **)&next.timer_create = dlsym(RTLD_NEXT, "timer_create");
    *(void **)&next.timer_delete = dlsym(RTLD_NEXT, "timer_delete");
    *(void **)&next.fcntl = dlsym(RTLD_NEXT, "fcntl");
    *(void **)&next.lockf = dlsym(RTLD_NEXT, "lockf64");
}

static int set_interval_timer(__itimer_which_t which, const struct itimerval *new, struct itimerval *old)
{
    tourney_gate_kept.alarms = true;
    return (int)system_call_result(system_call(SYS_setitimer, which, (long)new, (long)old, 0, 0, 0));
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

/* Of more than there is room for, time goes on while the rank sleeps. */
static void note_timer(timer_t timer)
{
    struct gate_kept *kept = &tourney_gate_kept;
    if (kept->timers < KEPT_TIMERS)
        kept->timer[kept->timers++] = timer;
}

static void forget_timer(timer_t timer)
{
    struct gate_kept *kept = &tourney_gate_kept;
    for (int i = 0; i < kept->timers; i++)
        if (kept->timer[i] == timer) {
            kept->timer[i] = kept->timer[--kept->timers];
            kept->timer[kept->timers] = NULL;
        }
}

EXPORTED int timer_create(clockid_t clock, struct sigevent *event, timer_t *timer)
{
    find_next();
    int result = next.timer_create(clock, event, timer);
    if (result == 0 && gate_is_of_copied_program(CALLER))
        note_timer(*timer);
    return result;
}

EXPORTED int timer_delete(timer_t timer)
{
    find_next();
    int result = next.timer_delete(timer);
    if (result == 0)
        forget_timer(timer);
    return result;
}

static int lock_or_not(int fd, int command, void *argument, const void *caller)
{
    find_next();
    bool locks = command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK || command == F_OFD_SETLKW;
    if (locks && gate_is_of_copied_program(caller))
        tourney_gate_kept.locks = true;
    if (command == F_SETOWN)
        argument = (void *)(intptr_t)gate_meant((pid_t)(intptr_t)argument);
    return next.fcntl(fd, command, argument);
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
    find_next();
    if (gate_is_of_copied_program(caller))
        tourney_gate_kept.locks = true;
    return next.lockf(fd, command, length);
}

EXPORTED int lockf(int fd, int command, off_t length)
{
    return lock_file(fd, command, length, CALLER);
}

EXPORTED int lockf64(int fd, int command, off64_t length)
{
    return lock_file(fd, command, length, CALLER);
}

/* It goes with the open file, of which each copy has one of its own. */
EXPORTED int flock(int fd, int command)
{
    if (gate_is_of_copied_program(CALLER))
        tourney_gate_kept.locks = true;
    return (int)system_call_result(system_call(SYS_flock, fd, command, 0, 0, 0, 0));
}
