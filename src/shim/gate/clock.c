/*
 * clock -- the clocks of the C library (virtual_time.h), and sleeping.
 *
 * The shim says what time it is, once there is one and MPI_Init was called; before that it is
 * counted here.  What reads the processor's own counter, or makes system calls of its own, passes by.
 */
#include "shim/gate/gate.h"

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "call/wire.h"

#define HIDDEN __attribute__((visibility("hidden")))
HIDDEN gate_time_function *gate_time;
HIDDEN gate_sleep_function *gate_sleeps;

enum { MICRO = 1000000, NANO = 1000000000 };

/* When virtual time begins: the wall clock at the beginning of 2026, the others as after a restart. */
static const int64_t wall = 1767225600, up = 1000;

static struct {
    int (*clock_gettime)(clockid_t, struct timespec *);
    int (*nanosleep)(const struct timespec *, struct timespec *);
    int (*clock_nanosleep)(clockid_t, int, const struct timespec *, struct timespec *);
    bool is_virtual;
    bool known;
} real;
static uint64_t readings; /* before MPI_Init */

/* All at once, so that the memory of a rank does not depend on what it has called. */
__attribute__((constructor)) static void find_real(void)
{
    if (real.known)
        return;
    *(void **)&real.clock_gettime = dlsym(RTLD_NEXT, "clock_gettime");
    *(void **)&real.nanosleep = dlsym(RTLD_NEXT, "nanosleep");
    *(void **)&real.clock_nanosleep = dlsym(RTLD_NEXT, "clock_nanosleep");
    real.is_virtual = getenv(WIRE_ENV_TIME) != NULL;
    real.known = true;
}

static bool is_processor_time(clockid_t id)
{
    return id == CLOCK_PROCESS_CPUTIME_ID || id == CLOCK_THREAD_CPUTIME_ID;
}

static bool is_wall_clock(clockid_t id)
{
    return id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE || id == CLOCK_TAI;
}

/* Clocks of other processes, and of devices, are not. */
static bool is_own_clock(clockid_t id)
{
    return is_processor_time(id) || is_wall_clock(id) || id == CLOCK_MONOTONIC || id == CLOCK_MONOTONIC_RAW ||
           id == CLOCK_MONOTONIC_COARSE || id == CLOCK_BOOTTIME;
}

static enum gate_time ask_for_time(uint64_t *microseconds)
{
    enum gate_time kind = gate_time ? gate_time(microseconds) : GATE_TIME_UNKNOWN;
    if (kind != GATE_TIME_UNKNOWN)
        return kind;
    *microseconds = 0;
    readings += real.is_virtual;
    return real.is_virtual ? GATE_TIME_VIRTUAL : GATE_TIME_REAL;
}

static void add_microseconds(struct timespec *time, uint64_t microseconds)
{
    uint64_t nanoseconds = (uint64_t)time->tv_nsec + microseconds % MICRO * 1000;
    time->tv_sec += (time_t)(microseconds / MICRO + nanoseconds / NANO);
    time->tv_nsec = (long)(nanoseconds % NANO);
}

static int read_programs_clock(clockid_t id, struct timespec *time)
{
    uint64_t microseconds;
    int status = 0;
    find_real();
    enum gate_time kind = is_own_clock(id) && time ? ask_for_time(&microseconds) : GATE_TIME_REAL;
    if (kind == GATE_TIME_VIRTUAL)
        *time = (struct timespec){.tv_sec = is_wall_clock(id) ? wall : is_processor_time(id) ? 0 : up};
    else
        status = real.clock_gettime(id, time);
    if (kind == GATE_TIME_VIRTUAL)
        add_microseconds(time, readings);
    if (kind != GATE_TIME_REAL && status == 0)
        add_microseconds(time, microseconds);
    return status;
}

#define EXPORTED __attribute__((visibility("default")))

EXPORTED int clock_gettime(clockid_t id, struct timespec *time)
{
    return read_programs_clock(id, time);
}

EXPORTED int gettimeofday(struct timeval *restrict time, void *restrict zone)
{
    struct timespec now;
    if (zone)
        *(struct timezone *)zone = (struct timezone){0};
    read_programs_clock(CLOCK_REALTIME, &now);
    *time = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return 0;
}

EXPORTED time_t time(time_t *seconds)
{
    struct timespec now;
    read_programs_clock(CLOCK_REALTIME, &now);
    if (seconds)
        *seconds = now.tv_sec;
    return now.tv_sec;
}

EXPORTED clock_t clock(void)
{
    struct timespec now;
    read_programs_clock(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (clock_t)(now.tv_sec * CLOCKS_PER_SEC + now.tv_nsec / (NANO / CLOCKS_PER_SEC));
}

EXPORTED int timespec_get(struct timespec *time, int base)
{
    return base == TIME_UTC && read_programs_clock(CLOCK_REALTIME, time) == 0 ? base : 0;
}

/* ---- sleeping ---- */

static bool sleeps_virtually(const struct timespec *time)
{
    find_real();
    return gate_sleeps && time && time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < NANO &&
           gate_sleeps((uint64_t)time->tv_sec * MICRO + (uint64_t)time->tv_nsec / 1000);
}

EXPORTED int nanosleep(const struct timespec *time, struct timespec *left)
{
    return sleeps_virtually(time) ? 0 : real.nanosleep(time, left);
}

EXPORTED int clock_nanosleep(clockid_t id, int flags, const struct timespec *time, struct timespec *left)
{
    return !(flags & TIMER_ABSTIME) && sleeps_virtually(time) ? 0 : real.clock_nanosleep(id, flags, time, left);
}

EXPORTED int usleep(useconds_t microseconds)
{
    return nanosleep(&(struct timespec){microseconds / MICRO, (long)(microseconds % MICRO) * 1000}, NULL);
}

EXPORTED unsigned sleep(unsigned seconds)
{
    struct timespec left = {.tv_sec = seconds};
    return nanosleep(&left, &left) == 0 ? 0 : (unsigned)left.tv_sec;
}
