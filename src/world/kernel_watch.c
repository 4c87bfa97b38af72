#include "world/kernel_watch.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/mem.h"
#include "world/original_files.h"

struct watched {
    pid_t pid;
    struct kernel_state state;
    rank_t rank;
    struct file_view files;
    bool aside;                /* it may leave no traces, and waits in the first call that would */
    struct seccomp_notif call; /* the call that it waits in; `id` 0: none */
    int listener;              /* from which that came */
};

struct kernel_watch {
    int listeners; /* all that are listened to, and */
    int end;       /* that it is over */
    pthread_t thread;
    pthread_mutex_t lock; /* of the following */
    VEC(struct watched) process;
    bool traces;          /* some process has left */
    struct original_files files;
};

/* NULL: not one of ours, such as a child of the program. */
static struct watched *find_watched(struct kernel_watch *watch, pid_t pid)
{
    for (size_t i = 0; i < watch->process.n; i++)
        if (watch->process.at[i].pid == pid)
            return &watch->process.at[i];
    return NULL;
}

/* Numbers of processes are used again. */
static void add_watched(struct kernel_watch *watch, struct watched watched)
{
    struct watched *old = find_watched(watch, watched.pid);
    if (old) {
        file_view_release(&old->files);
        *old = watched;
    } else {
        vec_push(&watch->process, watched);
    }
}

static void forget_watched(struct kernel_watch *watch, struct watched *old)
{
    file_view_release(&old->files);
    *old = vec_last(&watch->process);
    watch->process.n--;
}

/* ---- listening ---- */

/* The kernel may know more fields than our headers. */
union notice {
    struct seccomp_notif call;
    struct seccomp_notif_resp answer;
    char room[512];
};

static void take_note(struct kernel_watch *watch, struct watched *process, const struct seccomp_notif *call)
{
    original_files_note(&watch->files, &process->files, process->pid, process->rank, &call->data);
    kernel_effect(&process->state, process->pid, &call->data);
    watch->traces |= process->state.left_traces != DOUBT_NONE;
}

static bool would_leave_traces(const struct watched *process, const struct seccomp_notif *call)
{
    struct kernel_state state = {0};
    kernel_effect(&state, process->pid, &call->data);
    return state.left_traces != DOUBT_NONE;
}

/* It may have been killed meanwhile. */
static void let_go_on(int listener, uint64_t id)
{
    union notice notice = {.room = {0}};
    notice.answer.id = id;
    notice.answer.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &notice);
}

/* In place of what the kernel would do. */
static void answer_as_before(int listener, const struct seccomp_notif *call, struct original_answer answer)
{
    union notice notice = {.room = {0}};
    notice.answer.id = call->id;
    notice.answer.error = -answer.error;
    if (answer.opened >= 0) {
        struct seccomp_notif_addfd opened = {.id = call->id, .srcfd = (uint32_t)answer.opened, .newfd_flags = O_CLOEXEC};
        int fd = ioctl(listener, SECCOMP_IOCTL_NOTIF_ADDFD, &opened);
        notice.answer.val = fd;
        notice.answer.error = fd < 0 ? -errno : 0;
        close(answer.opened);
    }
    ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &notice);
}

/* A process that is not ours is of no interest. */
static void respond(struct kernel_watch *watch, struct watched *process, int listener, const struct seccomp_notif *call)
{
    struct original_answer answer = {.given = false};
    if (process)
        answer = original_files_answer(&watch->files, &process->files, process->pid, process->rank, &call->data);
    if (process)
        take_note(watch, process, call);
    if (answer.given)
        answer_as_before(listener, call, answer);
    else
        let_go_on(listener, call->id);
}

static void hear_notice(struct kernel_watch *watch, int listener)
{
    union notice notice = {.room = {0}};
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &notice) < 0)
        return;
    pthread_mutex_lock(&watch->lock);
    struct watched *process = find_watched(watch, (pid_t)notice.call.pid);
    if (process && process->aside && would_leave_traces(process, &notice.call)) {
        process->call = notice.call;
        process->listener = listener;
    } else {
        respond(watch, process, listener, &notice.call);
    }
    pthread_mutex_unlock(&watch->lock);
}

/* Another process may have the descriptor for a moment, between fork and exec: to close it is not enough for epoll. */
static void forget_listener(struct kernel_watch *watch, int listener)
{
    epoll_ctl(watch->listeners, EPOLL_CTL_DEL, listener, NULL);
    close(listener);
}

static void *listen_to_kernel(void *data)
{
    struct kernel_watch *watch = data;
    for (;;) {
        struct epoll_event event;
        if (epoll_wait(watch->listeners, &event, 1, -1) < 1)
            continue;
        if (event.data.fd == watch->end)
            return NULL;
        if (event.events & EPOLLIN)
            hear_notice(watch, event.data.fd);
        else
            forget_listener(watch, event.data.fd); /* nobody has the filter any more */
    }
}

/* ---- who is listened to ---- */

static void add_listener(struct kernel_watch *watch, int fd)
{
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
    epoll_ctl(watch->listeners, EPOLL_CTL_ADD, fd, &event);
}

/* Signals are for the thread that was there first. */
static int start_thread(struct kernel_watch *watch)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(&watch->thread, NULL, listen_to_kernel, watch);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed ? -1 : 0;
}

struct kernel_watch *kernel_watch_open(const made_files_t *made)
{
    struct kernel_watch *watch = xcalloc(1, sizeof *watch);
    watch->listeners = epoll_create1(EPOLL_CLOEXEC);
    watch->end = eventfd(0, EFD_CLOEXEC);
    pthread_mutex_init(&watch->lock, NULL);
    add_listener(watch, watch->end);
    original_files_open(&watch->files, made);
    if (watch->listeners >= 0 && watch->end >= 0 && start_thread(watch) == 0)
        return watch;
    original_files_release(&watch->files);
    close(watch->listeners), close(watch->end);
    free(watch);
    return NULL;
}

void kernel_watch_close(struct kernel_watch *watch)
{
    if (!watch || eventfd_write(watch->end, 1) < 0)
        return;
    pthread_join(watch->thread, NULL);
    close(watch->listeners);
    close(watch->end);
    pthread_mutex_destroy(&watch->lock);
    while (watch->process.n)
        forget_watched(watch, &vec_last(&watch->process));
    vec_release(&watch->process);
    original_files_release(&watch->files);
    free(watch);
}

static int take_descriptor(pid_t pid, int fd)
{
    int process = (int)syscall(SYS_pidfd_open, pid, 0);
    int taken = process < 0 ? -1 : (int)syscall(SYS_pidfd_getfd, process, fd, 0);
    if (process >= 0)
        close(process);
    return taken;
}

bool kernel_watch_can_take(pid_t pid, int fd)
{
    int taken = take_descriptor(pid, fd);
    if (taken >= 0)
        close(taken);
    return taken >= 0;
}

bool kernel_watch_begin(struct kernel_watch *watch, pid_t pid, rank_t rank, int fd)
{
    int listener = watch ? take_descriptor(pid, fd) : -1;
    if (listener < 0)
        return false;
    pthread_mutex_lock(&watch->lock);
    add_watched(watch, (struct watched){.pid = pid, .rank = rank});
    pthread_mutex_unlock(&watch->lock);
    add_listener(watch, listener);
    return true;
}

void kernel_watch_copied(struct kernel_watch *watch, pid_t original, pid_t copy)
{
    if (!watch)
        return;
    pthread_mutex_lock(&watch->lock);
    const struct watched *process = find_watched(watch, original);
    struct watched same = process ? *process : (struct watched){0};
    same.pid = copy;
    if (process) {
        same.files = file_view_copy(&process->files);
        add_watched(watch, same);
    }
    pthread_mutex_unlock(&watch->lock);
}

uint32_t kernel_watch_changed_files(struct kernel_watch *watch)
{
    if (!watch)
        return 0;
    pthread_mutex_lock(&watch->lock);
    uint32_t changed = watch->files.changes;
    pthread_mutex_unlock(&watch->lock);
    return changed;
}

void kernel_watch_made_files(struct kernel_watch *watch, made_files_t *made)
{
    if (!watch)
        return;
    pthread_mutex_lock(&watch->lock);
    original_files_tell_made(&watch->files, made);
    pthread_mutex_unlock(&watch->lock);
}

void kernel_watch_show_files(struct kernel_watch *watch, pid_t pid, uint32_t changed)
{
    if (!watch)
        return;
    pthread_mutex_lock(&watch->lock);
    struct watched *process = find_watched(watch, pid);
    if (process)
        file_view_set(&process->files, &watch->files, changed);
    pthread_mutex_unlock(&watch->lock);
}

void kernel_watch_gone(struct kernel_watch *watch, pid_t pid)
{
    if (!watch)
        return;
    pthread_mutex_lock(&watch->lock);
    struct watched *process = find_watched(watch, pid);
    if (process)
        forget_watched(watch, process);
    pthread_mutex_unlock(&watch->lock);
}

void kernel_watch_aside(struct kernel_watch *watch, pid_t pid, bool aside)
{
    if (!watch)
        return;
    pthread_mutex_lock(&watch->lock);
    struct watched *process = find_watched(watch, pid);
    if (process)
        process->aside = aside;
    if (process && !aside && process->call.id) {
        respond(watch, process, process->listener, &process->call);
        process->call.id = 0;
    }
    pthread_mutex_unlock(&watch->lock);
}

bool kernel_watch_holds(struct kernel_watch *watch, pid_t pid)
{
    if (!watch)
        return false;
    pthread_mutex_lock(&watch->lock);
    struct watched *process = find_watched(watch, pid);
    bool holds = process && process->call.id;
    pthread_mutex_unlock(&watch->lock);
    return holds;
}

bool kernel_watch_saw_traces(struct kernel_watch *watch)
{
    if (!watch)
        return true;
    pthread_mutex_lock(&watch->lock);
    bool traces = watch->traces;
    pthread_mutex_unlock(&watch->lock);
    return traces;
}

struct kernel_state kernel_watch_state(struct kernel_watch *watch, pid_t pid)
{
    struct kernel_state state = {.unknowable = DOUBT_UNHEARD, .left_traces = DOUBT_UNHEARD};
    if (!watch)
        return state;
    pthread_mutex_lock(&watch->lock);
    const struct watched *process = find_watched(watch, pid);
    if (process)
        state = process->state;
    pthread_mutex_unlock(&watch->lock);
    return state;
}
