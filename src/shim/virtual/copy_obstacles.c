#include "shim/virtual/copy_obstacles.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>

#include "arch/system_call.h"
#include "shim/core/module.h"
#include "shim/gate/kept_state.h"
#include "shim/noise.h"
#include "shim/process/open_files.h"

static struct gate_kept *kept;
static bool runs[ITIMER_PROF + 1]; /* interval timers that stand still: part of what the rank is, unlike the time left */

/* Allocates nothing: the caller may be anywhere. */
static bool is_internal(const void *place)
{
    Dl_info module;
    return dladdr(place, &module) && module.dli_fname && module_kind_of(module.dli_fname) == MODULE_LIBRARY;
}

static bool is_same_kept_file(const struct kept_file *a, const struct kept_file *b)
{
    return a->fd == b->fd && a->device == b->device && a->number == b->number;
}

static bool is_kept_file_among(const struct kept_file *file, const struct kept_file *list, int n)
{
    for (int i = 0; i < n; i++)
        if (is_same_kept_file(&list[i], file))
            return true;
    return false;
}

static struct kept_file named(int fd, const struct stat *file)
{
    return (struct kept_file){fd, file->st_dev, file->st_ino};
}

/* What the program had open when the library came up. */
struct before {
    struct kept_file file[KEPT_FILES];
    int files;
};

static void note_before(int fd, const struct stat *stat, void *data)
{
    struct before *before = data;
    struct kept_file file = named(fd, stat);
    if (before->files < KEPT_FILES && !is_kept_file_among(&file, kept->file, kept->files))
        before->file[before->files++] = file;
}

static void note_new(int fd, const struct stat *stat, void *data)
{
    const struct before *before = data;
    struct kept_file file = named(fd, stat);
    if (kept->files < KEPT_FILES && !is_kept_file_among(&file, before->file, before->files) &&
        !is_kept_file_among(&file, kept->file, kept->files))
        kept->file[kept->files++] = file;
}

static struct before before;

void uncopied_open(void (*kills_itself)(void))
{
    kept = dlsym(RTLD_DEFAULT, GATE_KEPT_NAME);
    if (!kept)
        return;
    kept->is_internal = is_internal;
    kept->kills_itself = kills_itself;
}

void uncopied_show_segments(struct segment_list *list)
{
    if (kept)
        kept->segments = list;
}

void uncopied_library_begins(void)
{
    if (!kept)
        return;
    kept->in_library = true;
    open_files_each(note_before, &before);
}

void uncopied_library_is_up(void)
{
    if (!kept)
        return;
    kept->in_library = false;
    open_files_each(note_new, &before);
}

/* Devices such as /dev/null and terminals have no state that matters. */
static void look_at_file(int fd, const struct stat *file, void *data)
{
    enum obstacle *found = data;
    struct kept_file name = named(fd, file);
    noise.has_files |= S_ISREG(file->st_mode) || S_ISDIR(file->st_mode);
    if (!kept || S_ISDIR(file->st_mode) || S_ISCHR(file->st_mode) || S_ISBLK(file->st_mode) ||
        is_kept_file_among(&name, kept->file, kept->files))
        return;
    if (!S_ISREG(file->st_mode))
        *found = OBSTACLE_CHANNEL;
    else if (file->st_nlink == 0 && (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY)
        *found = OBSTACLE_NAMELESS_FILE;
}

static bool has_children(void)
{
    siginfo_t info;
    int before = errno;
    bool none = waitid(P_ALL, 0, &info, WEXITED | WSTOPPED | WCONTINUED | WNOHANG | WNOWAIT) < 0 && errno == ECHILD;
    errno = before;
    return !none;
}

static bool has_pending_signal(void)
{
    sigset_t pending;
    return sigpending(&pending) == 0 && !sigisemptyset(&pending);
}

static enum obstacle obstacle_in_memory(void)
{
    if (kept->overflow || kept->made_segments)
        return OBSTACLE_SHARED_MEMORY;
    for (int i = 0; i < kept->ranges; i++)
        if (!kept->range[i].harmless)
            return kept->range[i].why;
    return OBSTACLE_NONE;
}

/* A file can be removed by others.  Descriptors of anything else change by system calls of this process only. */
static enum obstacle obstacle_in_files(bool same_files)
{
    enum obstacle found = OBSTACLE_NONE;
    if (same_files && !noise.has_files)
        return found;
    noise.has_files = false;
    open_files_each(look_at_file, &found);
    return found;
}

enum obstacle uncopied_obstacle(bool same_files)
{
    if (!kept)
        return obstacle_in_files(false);
    enum obstacle found = obstacle_in_memory();
    if (found)
        return found;
    if (kept->timers > 0)
        return OBSTACLE_TIMER;
    if (kept->locks)
        return OBSTACLE_LOCK;
    if (has_children())
        return OBSTACLE_CHILD;
    if (has_pending_signal())
        return OBSTACLE_SIGNAL;
    return obstacle_in_files(same_files);
}

bool uncopied_has_alarms(void)
{
    return !kept || kept->alarms;
}

static bool is_timer_set(const struct itimerspec *timer)
{
    return timer->it_value.tv_sec || timer->it_value.tv_nsec;
}

/* The kernel's number is what timer_create gives; for timers that start threads it gives an address, with the highest bit set. */
static void set_posix_timer(timer_t timer, const struct itimerspec *new, struct itimerspec *old)
{
    if ((intptr_t)timer >= 0)
        own_call(SYS_timer_settime, (long)(intptr_t)timer, 0L, new, old);
    else
        timer_settime(timer, 0, new, old);
}

/*
 * To set a timer takes back its signal if that is on its way, even if it is only to be stopped.  So one whose time is over is left
 * alone; and if the time is over just as it is stopped, it is up again as soon as the rank wakes.  No signal comes to this thread
 * in between, so what was on its way then has not arrived.
 */
static void stop_posix_timer(timer_t timer, struct itimerspec *left)
{
    static const struct itimerspec none;
    *left = none;
    if (timer_gettime(timer, left) < 0 || !is_timer_set(left))
        return;
    set_posix_timer(timer, &none, left);
    if (!is_timer_set(left))
        left->it_value.tv_nsec = 1;
}

static void stop_posix_timers(void)
{
    uint64_t all = ~UINT64_C(0), before;
    if (kept->timers == 0)
        return;
    own_call(SYS_rt_sigprocmask, (long)SIG_SETMASK, &all, &before, (long)sizeof all);
    for (int i = 0; i < kept->timers; i++)
        stop_posix_timer(kept->timer[i], &noise.posix_timer[i]);
    own_call(SYS_rt_sigprocmask, (long)SIG_SETMASK, &before, NULL, (long)sizeof before);
}

static void start_posix_timers(void)
{
    for (int i = 0; i < kept->timers; i++)
        if (is_timer_set(&noise.posix_timer[i]))
            set_posix_timer(kept->timer[i], &noise.posix_timer[i], NULL);
}

void uncopied_stop_timers(void)
{
    static const struct itimerval none;
    if (!kept)
        return;
    for (int i = 0; i <= ITIMER_PROF && kept->alarms; i++) {
        setitimer((__itimer_which_t)i, &none, &noise.timer[i]);
        runs[i] = noise.timer[i].it_value.tv_sec || noise.timer[i].it_value.tv_usec;
    }
    stop_posix_timers();
}

void uncopied_start_timers(void)
{
    if (!kept)
        return;
    for (int i = 0; i <= ITIMER_PROF; i++)
        if (runs[i])
            setitimer((__itimer_which_t)i, &noise.timer[i], NULL);
    start_posix_timers();
}
