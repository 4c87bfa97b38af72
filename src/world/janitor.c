#include "world/janitor.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/die.h"
#include "world/segments.h"
#include "world/system_v.h"

enum { PAUSE = 5 * 1000 * 1000 }; /* nanoseconds between looks */

static void pause_a_moment(void)
{
    nanosleep(&(struct timespec){.tv_nsec = PAUSE}, NULL);
}

/* ---- what is marked ---- */

bool janitor_marks(pid_t pid, const char *mark)
{
    static char environment[1 << 18];
    char *path = xformat("/proc/%d/environ", (int)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, environment, sizeof environment) : 0;
    if (fd >= 0)
        close(fd);
    free(path);
    return n > 0 && memmem(environment, (size_t)n, mark, strlen(mark));
}

typedef VEC(pid_t) pids_t;

static void find_marked(const char *mark, pids_t *found)
{
    DIR *proc = opendir("/proc");
    struct dirent *entry;
    while (proc && (entry = readdir(proc))) {
        pid_t pid = entry->d_name[0] >= '1' && entry->d_name[0] <= '9' ? atoi(entry->d_name) : 0;
        if (pid && pid != getpid() && janitor_marks(pid, mark))
            vec_push(found, pid);
    }
    if (proc)
        closedir(proc);
}

static bool kill_once(const char *mark, segments_t *segments)
{
    pids_t found = {0};
    find_marked(mark, &found);
    for (size_t i = 0; i < found.n; i++)
        segments_note_last(segments, found.at[i]);
    for (size_t i = 0; i < found.n; i++)
        kill(found.at[i], SIGKILL);
    bool any = found.n;
    vec_release(&found);
    return any;
}

/* A process that forks or executes while it is looked for can be missed: look until several looks find none. */
void janitor_kill_marked(const char *mark)
{
    enum { LOOKS = 4, PATIENCE = 400 };
    segments_t segments = {0};
    for (int idle = 0, i = 0; idle < LOOKS && i < PATIENCE; i++) {
        idle = kill_once(mark, &segments) ? 0 : idle + 1;
        pause_a_moment();
    }
    segments_remove(&segments);
}

static bool is_any_marked(const char *mark)
{
    pids_t found = {0};
    find_marked(mark, &found);
    bool any = found.n;
    vec_release(&found);
    return any;
}

static void let_end(const char *mark, int seconds)
{
    for (int64_t until = microseconds() + (int64_t)seconds * 1000000; microseconds() < until && is_any_marked(mark);)
        pause_a_moment();
}

/* ---- the directory ---- */

static int remove_entry(const char *path, const struct stat *s, int kind, struct FTW *ftw)
{
    (void)s, (void)kind, (void)ftw;
    return remove(path) < 0 && errno != ENOENT ? -1 : 0;
}

/* Somebody who has not quite died may put something there meanwhile.  False: it is there still. */
static bool remove_scratch(const char *path)
{
    enum { TRIES = 100 };
    struct stat there;
    bool stays = lstat(path, &there) == 0;
    for (int i = 0; i < TRIES && stays; i++) {
        if (i)
            pause_a_moment();
        nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
        stays = lstat(path, &there) == 0;
    }
    return !stays;
}

const char *janitor_folder(void)
{
    const char *given = getenv("TMPDIR");
    return given && *given ? given : "/tmp";
}

char *janitor_name_scratch(const char *prefix)
{
    uint64_t number = 0;
    if (getrandom(&number, sizeof number, 0) != sizeof number)
        die("no random numbers: %s", strerror(errno));
    return xformat("%s/%s.%016" PRIx64, janitor_folder(), prefix, number);
}

/* ---- the child ---- */

/* Nobody is to wait for the janitor who waits for the end of tourney's output, or for a lock of its. */
static void let_go_of_files(int kept)
{
    DIR *files = opendir("/proc/self/fd");
    struct dirent *entry;
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 0; null >= 0 && fd < 3; fd++)
        dup2(null, fd);
    while (files && (entry = readdir(files))) {
        int fd = atoi(entry->d_name);
        if (fd > 2 && fd != kept && fd != dirfd(files))
            close(fd);
    }
    if (files)
        closedir(files);
}

static _Noreturn void clean_up_behind(int pipe, const char *mark, const char *scratch, int patience, struct segment_list *list)
{
    char byte;
    ssize_t got;
    let_go_of_files(pipe);
    setsid(); /* who kills the group that tourney is in shall not kill its janitor */
    for (int sig = 1; sig < NSIG; sig++)
        signal(sig, SIG_IGN); /* until here they are held back */
    while ((got = read(pipe, &byte, 1)) < 0 && errno == EINTR)
        ;
    if (got == 0) {
        let_end(mark, patience);
        janitor_kill_marked(mark);
    }
    if (!remove_scratch(scratch)) { /* on a busy machine it takes a process that was killed a while to die */
        janitor_kill_marked(mark);
        remove_scratch(scratch);
    }
    if (list)
        system_v_remove_all(list);
    _exit(0);
}

void janitor_start(struct janitor *janitor, const char *mark, const char *scratch, int patience, struct segment_list *list)
{
    int end[2];
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before); /* one that comes at once, from a terminal, is not for the janitor either */
    if (pipe2(end, O_CLOEXEC) < 0 || (janitor->pid = fork()) < 0)
        die("cannot start a process: %s", strerror(errno));
    if (janitor->pid)
        sigprocmask(SIG_SETMASK, &before, NULL);
    if (janitor->pid == 0) {
        close(end[1]);
        clean_up_behind(end[0], mark, scratch, patience, list);
    }
    close(end[0]);
    janitor->pipe = end[1];
}

void janitor_dismiss(struct janitor *janitor, const char *scratch)
{
    if (write(janitor->pipe, "", 1) < 0)
        die("the process that cleans up is gone: %s stays", scratch);
    close(janitor->pipe);
    while (waitpid(janitor->pid, NULL, 0) < 0 && errno == EINTR)
        ;
}
