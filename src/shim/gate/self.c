/*
 * self -- the number of a rank's process, which is the same in every copy of it and whenever it is run again.
 *
 * A rank is a function of its history, so its number must not depend on which process plays it just now.  It has one
 * that no process can have, beyond the largest that the kernel gives out; where it names itself to the kernel by that
 * number, the real one is put in its place.  Its children have their real numbers, and so have its other threads.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "arch/system_call.h"
#include "call/wire.h"
#include "shim/gate/gate.h"
#include "shim/gate/kept_state.h"
#include "shim/gate/own_shared.h"
#include "shim/process/open_files.h"

#define EXPORTED __attribute__((visibility("default")))

enum { BEYOND_ALL = (1 << 22) + 1 }; /* the kernel's PID_MAX_LIMIT, and one */

struct gate_kept tourney_gate_kept;

static struct {
    enum { UNKNOWN, REAL, VIRTUAL } kind;
    pid_t number;
    pid_t parent; /* in a child that the rank has made: the real number of the rank; else 0 */
    pid_t leads;  /* a group of processes, or a session: the real number that it had when it made that */
    int death_signal; /* that it wants when its parent ends: its parent is tourney, which kills it then */
} self;

static pid_t real_process(void)
{
    return (pid_t)system_call(SYS_getpid, 0, 0, 0, 0, 0, 0);
}

static pid_t real_thread(void)
{
    return (pid_t)system_call(SYS_gettid, 0, 0, 0, 0, 0, 0);
}

static pid_t real_parent(void)
{
    return (pid_t)system_call(SYS_getppid, 0, 0, 0, 0, 0, 0);
}

/* What a rank executes or a script starts is no child of tourney's. */
static void look_at_self(void)
{
    const char *world = getenv(WIRE_ENV);
    int tourney, rank;
    self.kind = REAL;
    if (!getenv(WIRE_ENV_COPIED) || !world || sscanf(world, "/proc%*[/]%d/fd%*[/]%*d:%*d:%d", &tourney, &rank) != 2)
        return;
    if (tourney != real_parent())
        return;
    self.number = BEYOND_ALL + rank;
    self.kind = VIRTUAL;
}

static void become_child(void)
{
    self.parent = real_parent();
}

/* Pipes that tourney was started with are handed on, and are nobody's in particular. */
static void note_inherited(int fd, const struct stat *file, void *data)
{
    struct gate_kept *kept = data;
    if (!S_ISREG(file->st_mode) && kept->files < KEPT_FILES)
        kept->file[kept->files++] = (struct kept_file){fd, file->st_dev, file->st_ino};
}

__attribute__((constructor)) static void open_self(void)
{
    if (self.kind == UNKNOWN)
        look_at_self();
    if (self.kind != VIRTUAL)
        return;
    pthread_atfork(NULL, NULL, become_child);
    open_files_each(note_inherited, &tourney_gate_kept);
}

static bool is_virtual(void)
{
    if (self.kind == UNKNOWN)
        look_at_self();
    return self.kind == VIRTUAL;
}

bool gate_is_of_program(const void *place)
{
    const struct gate_kept *kept = &tourney_gate_kept;
    return !kept->in_library && !(kept->is_internal && kept->is_internal(place));
}

bool gate_is_of_copied_program(const void *place)
{
    return is_virtual() && !self.parent && gate_is_of_program(place);
}

/* The shim is internal as well; it is where `is_internal` is. */
static bool is_of_shim(const void *place)
{
    Dl_info here, shim;
    return dladdr(place, &here) && dladdr((void *)tourney_gate_kept.is_internal, &shim) && here.dli_fbase == shim.dli_fbase;
}

bool gate_is_of_copied_library(const void *place)
{
    const struct gate_kept *kept = &tourney_gate_kept;
    return is_virtual() && !self.parent && !kept->in_library && kept->is_internal && kept->is_internal(place) && !is_of_shim(place);
}

/* Whoever asks once the rank is up writes it down, as MPI libraries do for each file that they open, and it must be the same in each process of the rank. */
static pid_t number_for(const void *place)
{
    return gate_is_of_copied_program(place) || gate_is_of_copied_library(place) ? self.number : real_process();
}

static pid_t thread_for(const void *place)
{
    pid_t thread = real_thread();
    return thread == real_process() && gate_is_of_copied_program(place) ? self.number : thread;
}

static pid_t parent_for(void)
{
    pid_t parent = real_parent();
    return is_virtual() && parent == self.parent ? self.number : parent;
}

pid_t gate_meant(pid_t number)
{
    if (!is_virtual() || number != self.number)
        return number;
    return self.parent ? self.parent : real_process();
}

bool gate_is_self(pid_t number)
{
    pid_t meant = gate_meant(number);
    return meant == real_process() || meant == real_thread();
}

/* Who dies of SIGKILL without a word was killed by somebody else. */
static void note_signal(pid_t to, int sig)
{
    bool own = gate_meant(to) == real_process() || to == 0 || to == -1;
    if (sig == SIGKILL && own && !self.parent && tourney_gate_kept.kills_itself)
        tourney_gate_kept.kills_itself();
}

EXPORTED pid_t getpid(void)
{
    return number_for(__builtin_return_address(0));
}

EXPORTED pid_t gettid(void)
{
    return thread_for(__builtin_return_address(0));
}

EXPORTED pid_t getppid(void)
{
    return parent_for();
}

/* Who leads a group or a session, or -1.  Copies and children of one who does have inherited that. */
static pid_t as_it_knows(pid_t leader, const void *place)
{
    bool is_self = leader > 0 && leader == real_process();
    if (is_self && !self.parent && is_virtual())
        self.leads = leader;
    if (is_self)
        return number_for(place);
    return leader > 0 && leader == self.leads ? self.number : leader;
}

/* A copy of the process would have lost it, and no other history would differ by it. */
static long control_process(const long *a)
{
    if (a[0] == PR_SET_PDEATHSIG && is_virtual() && !self.parent && a[1] >= 0 && a[1] <= SIGRTMAX) {
        self.death_signal = (int)a[1];
        return 0;
    }
    if (a[0] == PR_GET_PDEATHSIG && is_virtual() && !self.parent && a[1]) {
        *(int *)a[1] = self.death_signal;
        return 0;
    }
    return system_call_result(system_call(SYS_prctl, a[0], a[1], a[2], a[3], a[4], 0));
}

EXPORTED int prctl(int option, ...)
{
    va_list list;
    long a[5] = {option};
    va_start(list, option);
    for (int i = 1; i < 5; i++)
        a[i] = va_arg(list, long);
    va_end(list);
    return (int)control_process(a);
}

/* What the gate answers when it is called by its name it answers here, too. */
static bool is_asked_of_gate(long number, const long a[6], long *told)
{
    switch (number) {
    case SYS_clock_gettime:
        *told = clock_gettime((clockid_t)a[0], (struct timespec *)a[1]);
        return true;
    case SYS_gettimeofday:
        *told = a[0] ? gettimeofday((struct timeval *)a[0], (void *)a[1]) : 0;
        return true;
#ifdef SYS_time /* not on all machines */
    case SYS_time:
        *told = time((time_t *)a[0]);
        return true;
#endif
    case SYS_nanosleep:
        *told = nanosleep((const struct timespec *)a[0], (struct timespec *)a[1]);
        return true;
    case SYS_getrandom:
        *told = getrandom((void *)a[0], (size_t)a[1], (unsigned)a[2]);
        return true;
    }
    return false;
}

/* With memory of its own, and not as fork() does it, which has handlers. */
static bool makes_child(long number, const long a[6])
{
    switch (number) {
#ifdef SYS_fork /* not on all machines */
    case SYS_fork:
        return true;
#endif
    case SYS_clone:
        return !(a[0] & CLONE_VM);
    case SYS_clone3:
        return !(*(const uint64_t *)a[0] & CLONE_VM);
    }
    return false;
}

EXPORTED long syscall(long number, ...)
{
    va_list list;
    long a[6];
    va_start(list, number);
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(list, long);
    va_end(list);
    if (number == SYS_kill || number == SYS_tgkill || number == SYS_tkill || number == SYS_rt_sigqueueinfo)
        note_signal((pid_t)a[0], (int)a[number == SYS_tgkill ? 2 : 1]);
    long told;
    if (gate_is_of_copied_program(__builtin_return_address(0)) && is_asked_of_gate(number, a, &told))
        return told;
    if (makes_child(number, a))
        own_shared_before_child();
    switch (number) {
    case SYS_getpid:
        return number_for(__builtin_return_address(0));
    case SYS_gettid:
        return thread_for(__builtin_return_address(0));
    case SYS_getppid:
        return parent_for();
    case SYS_prctl:
        return control_process(a);
    case SYS_getpriority:
    case SYS_setpriority:
        if (a[0] == PRIO_PROCESS)
            a[1] = gate_meant((pid_t)a[1]);
        break;
    case SYS_tgkill:
    case SYS_setpgid:
        a[1] = gate_meant((pid_t)a[1]); /* fall through */
    case SYS_kill:
    case SYS_tkill:
    case SYS_rt_sigqueueinfo:
    case SYS_pidfd_open:
    case SYS_prlimit64:
    case SYS_getpgid:
    case SYS_getsid:
    case SYS_process_vm_readv:
    case SYS_process_vm_writev:
    case SYS_sched_setaffinity:
    case SYS_sched_getaffinity:
    case SYS_sched_setscheduler:
    case SYS_sched_getscheduler:
    case SYS_sched_setparam:
    case SYS_sched_getparam:
    case SYS_sched_rr_get_interval:
        a[0] = gate_meant((pid_t)a[0]);
        break;
    }
    return system_call_result(system_call(number, a[0], a[1], a[2], a[3], a[4], a[5]));
}

/* ---- calls that are given a number ---- */

#define ON_PROCESS(type, name, number, parameters, ...)          \
    EXPORTED type name parameters                                \
    {                                                            \
        return (type)system_call_result(system_call(number, __VA_ARGS__)); \
    }

EXPORTED int kill(pid_t pid, int sig)
{
    note_signal(pid, sig);
    return (int)system_call_result(system_call(SYS_kill, gate_meant(pid), sig, 0, 0, 0, 0));
}

EXPORTED int sigqueue(pid_t pid, int sig, const union sigval value)
{
    siginfo_t info = {.si_signo = sig, .si_code = SI_QUEUE};
    info.si_pid = number_for(__builtin_return_address(0));
    info.si_uid = getuid();
    info.si_value = value;
    note_signal(pid, sig);
    return (int)system_call_result(system_call(SYS_rt_sigqueueinfo, gate_meant(pid), sig, (long)&info, 0, 0, 0));
}

/* To this thread, as the C library does it. */
EXPORTED int raise(int sig)
{
    note_signal(real_process(), sig);
    return (int)system_call_result(system_call(SYS_tgkill, real_process(), real_thread(), sig, 0, 0, 0));
}

ON_PROCESS(int, tgkill, SYS_tgkill, (pid_t group, pid_t thread, int sig), gate_meant(group), gate_meant(thread), sig, 0, 0, 0)
ON_PROCESS(int, setpgid, SYS_setpgid, (pid_t pid, pid_t group), gate_meant(pid), gate_meant(group), 0, 0, 0, 0)
ON_PROCESS(int, sched_getscheduler, SYS_sched_getscheduler, (pid_t pid), gate_meant(pid), 0, 0, 0, 0, 0)
ON_PROCESS(int, sched_setscheduler, SYS_sched_setscheduler, (pid_t pid, int policy, const struct sched_param *param),
           gate_meant(pid), policy, (long)param, 0, 0, 0)
ON_PROCESS(int, sched_getparam, SYS_sched_getparam, (pid_t pid, struct sched_param *param), gate_meant(pid), (long)param, 0,
           0, 0, 0)
ON_PROCESS(int, sched_setaffinity, SYS_sched_setaffinity, (pid_t pid, size_t size, const cpu_set_t *set), gate_meant(pid),
           (long)size, (long)set, 0, 0, 0)
ON_PROCESS(int, setpriority, SYS_setpriority, (__priority_which_t which, id_t who, int value), which,
           which == PRIO_PROCESS ? gate_meant((pid_t)who) : (long)who, value, 0, 0, 0)
ON_PROCESS(int, sched_setparam, SYS_sched_setparam, (pid_t pid, const struct sched_param *param), gate_meant(pid),
           (long)param, 0, 0, 0, 0)
ON_PROCESS(int, sched_rr_get_interval, SYS_sched_rr_get_interval, (pid_t pid, struct timespec *time), gate_meant(pid),
           (long)time, 0, 0, 0, 0)
int pidfd_open(pid_t, unsigned); /* <sys/pidfd.h>, of glibc 2.36 */
ON_PROCESS(int, pidfd_open, SYS_pidfd_open, (pid_t pid, unsigned flags), gate_meant(pid), flags, 0, 0, 0, 0)
ON_PROCESS(ssize_t, process_vm_readv, SYS_process_vm_readv,
           (pid_t pid, const struct iovec *own, unsigned long parts, const struct iovec *theirs, unsigned long their_parts,
            unsigned long flags),
           gate_meant(pid), (long)own, (long)parts, (long)theirs, (long)their_parts, (long)flags)
ON_PROCESS(ssize_t, process_vm_writev, SYS_process_vm_writev,
           (pid_t pid, const struct iovec *own, unsigned long parts, const struct iovec *theirs, unsigned long their_parts,
            unsigned long flags),
           gate_meant(pid), (long)own, (long)parts, (long)theirs, (long)their_parts, (long)flags)
ON_PROCESS(int, prlimit, SYS_prlimit64,
           (pid_t pid, __rlimit_resource_t resource, const struct rlimit *new, struct rlimit *old), gate_meant(pid),
           resource, (long)new, (long)old, 0, 0)

/* The kernel answers with 20 less the value, so that it is never negative. */
EXPORTED int getpriority(__priority_which_t which, id_t who)
{
    long pid = which == PRIO_PROCESS ? gate_meant((pid_t)who) : (long)who;
    long told = system_call_result(system_call(SYS_getpriority, which, pid, 0, 0, 0, 0));
    return told < 0 ? -1 : 20 - (int)told;
}

#define TELLS_LEADER(name, number, parameters, argument)                                                        \
    EXPORTED pid_t name parameters                                                                              \
    {                                                                                                           \
        pid_t leader = (pid_t)system_call_result(system_call(number, argument, 0, 0, 0, 0, 0));                  \
        return as_it_knows(leader, __builtin_return_address(0));                                                \
    }

TELLS_LEADER(getpgrp, SYS_getpgrp, (void), 0)
TELLS_LEADER(getpgid, SYS_getpgid, (pid_t pid), gate_meant(pid))
TELLS_LEADER(getsid, SYS_getsid, (pid_t pid), gate_meant(pid))
TELLS_LEADER(setsid, SYS_setsid, (void), 0)

EXPORTED int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set)
{
    long bytes = system_call_result(system_call(SYS_sched_getaffinity, gate_meant(pid), (long)size, (long)set, 0, 0, 0));
    if (bytes >= 0 && (size_t)bytes < size)
        memset((char *)set + bytes, 0, size - (size_t)bytes);
    return bytes < 0 ? -1 : 0;
}

static struct {
    int (*pthread_setaffinity_np)(pthread_t, size_t, const cpu_set_t *);
    int (*pthread_getaffinity_np)(pthread_t, size_t, cpu_set_t *);
} next;

/* All at once, so that the memory of a rank does not depend on what it has called. */
__attribute__((constructor)) static void find_next(void)
{
    *(void **)&next.pthread_setaffinity_np = dlsym(RTLD_NEXT, "pthread_setaffinity_np");
    *(void **)&next.pthread_getaffinity_np = dlsym(RTLD_NEXT, "pthread_getaffinity_np");
}

/* The C library would ask for the thread by the number of the original. */
EXPORTED int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *set)
{
    if (pthread_equal(thread, pthread_self()))
        return (int)-system_call(SYS_sched_setaffinity, 0, (long)size, (long)set, 0, 0, 0);
    return next.pthread_setaffinity_np(thread, size, set);
}

EXPORTED int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *set)
{
    if (pthread_equal(thread, pthread_self()))
        return sched_getaffinity(0, size, set) < 0 ? errno : 0;
    return next.pthread_getaffinity_np(thread, size, set);
}
