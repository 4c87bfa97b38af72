/*
 * clock -- the clocks of the C library (virtual_time.h), and sleeping.
 *
 * The shim says what time it is, once there is one and MPI_Init was called; before that it is
 * counted here.  The processor's own counter is virtual/cycle_counter.h; who makes system calls with an instruction of its own passes by.
 */
#include "shim/gate/gate.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <poll.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/single_threaded.h>
#include <sys/time.h>
#include <sys/timeb.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "arch/system_call.h"
#include "call/wire.h"
#include "shim/gate/kept_state.h"

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
    int (*ppoll)(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);
    int (*pselect)(int, fd_set *, fd_set *, fd_set *, const struct timespec *, const sigset_t *);
    int (*epoll_pwait)(int, struct epoll_event *, int, int, const sigset_t *);
    bool is_virtual;
    bool known;
} real;
/*
 * Before MPI_Init each reading takes a microsecond, and sleeping takes as long as it should.  How often libraries read clocks as they come up may depend on
 * how fast the machine is, so what the executable reads is counted by itself, and goes on from there.
 */
static uint64_t readings, readings_of_libraries;
static uintptr_t executable_start, executable_end;

static int find_executable(struct dl_phdr_info *module, size_t size, void *data)
{
    (void)size, (void)data;
    for (int i = 0; i < module->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &module->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X))
            continue;
        executable_start = module->dlpi_addr + part->p_vaddr;
        executable_end = executable_start + part->p_memsz;
    }
    return 1; /* it is the first */
}

/* All at once, so that the memory of a rank does not depend on what it has called. */
__attribute__((constructor)) static void find_real(void)
{
    if (real.known)
        return;
    *(void **)&real.clock_gettime = dlsym(RTLD_NEXT, "clock_gettime");
    *(void **)&real.nanosleep = dlsym(RTLD_NEXT, "nanosleep");
    *(void **)&real.clock_nanosleep = dlsym(RTLD_NEXT, "clock_nanosleep");
    *(void **)&real.ppoll = dlsym(RTLD_NEXT, "ppoll");
    *(void **)&real.pselect = dlsym(RTLD_NEXT, "pselect");
    *(void **)&real.epoll_pwait = dlsym(RTLD_NEXT, "epoll_pwait");
    real.is_virtual = getenv(WIRE_ENV_TIME) != NULL;
    dl_iterate_phdr(find_executable, NULL);
    real.known = true;
}

static bool is_wall_clock(clockid_t id)
{
    return id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE || id == CLOCK_TAI;
}

/*
 * A clock of processor time that was asked for by the number of a process or thread, which clock_getcpuclockid and
 * pthread_getcpuclockid put into its name: whether it is this one's, which 0 stands for, too.
 */
static bool is_named_after_self(clockid_t id)
{
    pid_t number = ~(id >> 3);
    return id < 0 && (id & 3) == 2 && (number == 0 || gate_is_self(number));
}

static bool is_processor_time(clockid_t id)
{
    return id == CLOCK_PROCESS_CPUTIME_ID || id == CLOCK_THREAD_CPUTIME_ID || is_named_after_self(id);
}

/* Clocks of other processes, and of devices, are not. */
static bool is_own_clock(clockid_t id)
{
    return is_processor_time(id) || is_wall_clock(id) || id == CLOCK_MONOTONIC || id == CLOCK_MONOTONIC_RAW ||
           id == CLOCK_MONOTONIC_COARSE || id == CLOCK_BOOTTIME;
}

static bool is_of_executable(const void *place)
{
    return (uintptr_t)place - executable_start < executable_end - executable_start;
}

static enum gate_time ask_for_time(uint64_t *microseconds, const void *place)
{
    enum gate_time kind = gate_time ? gate_time(microseconds, place) : GATE_TIME_UNKNOWN;
    if (kind != GATE_TIME_UNKNOWN)
        return kind;
    bool own = is_of_executable(place);
    *(own ? &readings : &readings_of_libraries) += real.is_virtual;
    *microseconds = own ? 0 : readings_of_libraries;
    return real.is_virtual ? GATE_TIME_VIRTUAL : GATE_TIME_REAL;
}

static void add_microseconds(struct timespec *time, uint64_t microseconds)
{
    uint64_t nanoseconds = (uint64_t)time->tv_nsec + microseconds % MICRO * 1000;
    time->tv_sec += (time_t)(microseconds / MICRO + nanoseconds / NANO);
    time->tv_nsec = (long)(nanoseconds % NANO);
}

/* Where the program cannot read the processor's counter, what the kernel maps into each process cannot, either. */
static int read_real_clock(clockid_t id, struct timespec *time)
{
    if (!real.is_virtual)
        return real.clock_gettime(id, time);
    return (int)system_call_result(system_call(SYS_clock_gettime, id, (long)time, 0, 0, 0, 0));
}

static int read_programs_clock(clockid_t id, struct timespec *time, const void *place)
{
    uint64_t microseconds;
    int status = 0;
    find_real();
    enum gate_time kind = is_own_clock(id) && time ? ask_for_time(&microseconds, place) : GATE_TIME_REAL;
    if (kind == GATE_TIME_VIRTUAL)
        *time = (struct timespec){.tv_sec = is_wall_clock(id) ? wall : is_processor_time(id) ? 0 : up};
    else
        status = read_real_clock(id, time);
    if (kind == GATE_TIME_VIRTUAL)
        add_microseconds(time, readings);
    if (kind != GATE_TIME_REAL && status == 0)
        add_microseconds(time, microseconds);
    return status;
}

#define EXPORTED __attribute__((visibility("default")))
#define CALLER __builtin_return_address(0)

EXPORTED int clock_gettime(clockid_t id, struct timespec *time)
{
    return read_programs_clock(id, time, CALLER);
}

EXPORTED int gettimeofday(struct timeval *restrict time, void *restrict zone)
{
    struct timespec now;
    if (zone)
        *(struct timezone *)zone = (struct timezone){0};
    read_programs_clock(CLOCK_REALTIME, &now, CALLER);
    *time = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return 0;
}

EXPORTED time_t time(time_t *seconds)
{
    struct timespec now;
    read_programs_clock(CLOCK_REALTIME, &now, CALLER);
    if (seconds)
        *seconds = now.tv_sec;
    return now.tv_sec;
}

EXPORTED clock_t clock(void)
{
    struct timespec now;
    read_programs_clock(CLOCK_PROCESS_CPUTIME_ID, &now, CALLER);
    return (clock_t)(now.tv_sec * CLOCKS_PER_SEC + now.tv_nsec / (NANO / CLOCKS_PER_SEC));
}

EXPORTED int ftime(struct timeb *told)
{
    struct timespec now;
    read_programs_clock(CLOCK_REALTIME, &now, CALLER);
    *told = (struct timeb){.time = now.tv_sec, .millitm = (unsigned short)(now.tv_nsec / MICRO)};
    return 0;
}

EXPORTED int timespec_get(struct timespec *time, int base)
{
    return base == TIME_UTC && read_programs_clock(CLOCK_REALTIME, time, CALLER) == 0 ? base : 0;
}

/* ---- sleeping ---- */

/* A timer may be what it sleeps for. */
static bool waits_for_signal(void)
{
    return tourney_gate_kept.alarms || tourney_gate_kept.timers;
}

static bool has_children_before_init(void)
{
    return system_call(SYS_waitid, P_ALL, 0, 0, WEXITED | WNOHANG | WNOWAIT, 0, 0) != -ECHILD;
}

/*
 * Before MPI_Init the executable need not sleep, unless another thread or a child may be what it waits for.  A library really does, and its
 * clock goes on: libpsm2, as it is loaded, sleeps until the clock says that enough time has passed to measure the processor's frequency.
 */
static bool sleeps_virtually_before_init(uint64_t microseconds, const void *place)
{
    bool own = is_of_executable(place);
    *(own ? &readings : &readings_of_libraries) += real.is_virtual ? microseconds : 0;
    return own && real.is_virtual && gate_is_of_copied_program(place) && __libc_single_threaded && !has_children_before_init();
}

static bool sleeps_virtually(const struct timespec *time, const void *place)
{
    find_real();
    if (!time || time->tv_sec < 0 || time->tv_nsec < 0 || time->tv_nsec >= NANO || waits_for_signal())
        return false;
    uint64_t microseconds = (uint64_t)time->tv_sec * MICRO + (uint64_t)time->tv_nsec / 1000;
    enum gate_sleep kind = gate_sleeps ? gate_sleeps(microseconds) : GATE_SLEEP_UNKNOWN;
    return kind == GATE_SLEEP_UNKNOWN ? sleeps_virtually_before_init(microseconds, place) : kind == GATE_SLEEP_VIRTUAL;
}

static int sleep_for(const struct timespec *time, struct timespec *left, const void *place)
{
    return sleeps_virtually(time, place) ? 0 : real.nanosleep(time, left);
}

EXPORTED int nanosleep(const struct timespec *time, struct timespec *left)
{
    return sleep_for(time, left, CALLER);
}

/* Up to a moment that the virtual clock shows. */
static bool sleeps_virtually_until(clockid_t id, const struct timespec *end, const void *place)
{
    struct timespec now;
    const struct timespec none = {0};
    if (!end || end->tv_nsec < 0 || end->tv_nsec >= NANO || !sleeps_virtually(&none, place))
        return false;
    read_programs_clock(id, &now, place);
    struct timespec rest = {end->tv_sec - now.tv_sec, end->tv_nsec - now.tv_nsec};
    if (rest.tv_nsec < 0)
        rest = (struct timespec){rest.tv_sec - 1, rest.tv_nsec + NANO};
    return rest.tv_sec < 0 || sleeps_virtually(&rest, place);
}

EXPORTED int clock_nanosleep(clockid_t id, int flags, const struct timespec *time, struct timespec *left)
{
    bool done = flags & TIMER_ABSTIME ? sleeps_virtually_until(id, time, CALLER) : sleeps_virtually(time, CALLER);
    return done ? 0 : real.clock_nanosleep(id, flags, time, left);
}

EXPORTED int usleep(useconds_t microseconds)
{
    return sleep_for(&(struct timespec){microseconds / MICRO, (long)(microseconds % MICRO) * 1000}, NULL, CALLER);
}

EXPORTED unsigned sleep(unsigned seconds)
{
    struct timespec left = {.tv_sec = seconds};
    return sleep_for(&left, &left, CALLER) == 0 ? 0 : (unsigned)left.tv_sec;
}

/* ---- waiting for files, up to some time ---- */

/*
 * What waits for no file at all only sleeps.  Others may be given something at any moment by whoever has the other end, so they
 * really wait; if nothing comes, virtual time has passed.
 */
static int after_waiting(int ready, const struct timespec *time)
{
    if (ready == 0 && time)
        (void)sleeps_virtually(time, NULL);
    return ready;
}

EXPORTED int ppoll(struct pollfd *file, nfds_t files, const struct timespec *time, const sigset_t *mask)
{
    find_real();
    if (files == 0 && time && sleeps_virtually(time, CALLER))
        return 0;
    return after_waiting(real.ppoll(file, files, time, mask), files ? time : NULL);
}

static struct timespec of_milliseconds(int milliseconds)
{
    return (struct timespec){milliseconds / 1000, (long)(milliseconds % 1000) * MICRO};
}

EXPORTED int poll(struct pollfd *file, nfds_t files, int milliseconds)
{
    struct timespec time = of_milliseconds(milliseconds);
    return ppoll(file, files, milliseconds < 0 ? NULL : &time, NULL);
}

EXPORTED int pselect(int files, fd_set *in, fd_set *out, fd_set *other, const struct timespec *time, const sigset_t *mask)
{
    bool none = files == 0 || (!in && !out && !other);
    find_real();
    if (none && time && sleeps_virtually(time, CALLER))
        return 0;
    return after_waiting(real.pselect(files, in, out, other, time, mask), none ? NULL : time);
}

/* What is left of the time would be told by how long it took: nothing, or all of it. */
EXPORTED int select(int files, fd_set *in, fd_set *out, fd_set *other, struct timeval *time)
{
    struct timespec most = {0};
    if (time)
        most = (struct timespec){time->tv_sec + time->tv_usec / MICRO, (long)(time->tv_usec % MICRO) * 1000};
    int ready = pselect(files, in, out, other, time ? &most : NULL, NULL);
    if (time && ready == 0)
        *time = (struct timeval){0};
    return ready;
}

EXPORTED int epoll_pwait(int set, struct epoll_event *event, int most, int milliseconds, const sigset_t *mask)
{
    struct timespec time = of_milliseconds(milliseconds);
    find_real();
    return after_waiting(real.epoll_pwait(set, event, most, milliseconds, mask), milliseconds > 0 ? &time : NULL);
}

EXPORTED int epoll_wait(int set, struct epoll_event *event, int most, int milliseconds)
{
    return epoll_pwait(set, event, most, milliseconds, NULL);
}
