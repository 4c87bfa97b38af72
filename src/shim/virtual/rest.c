#include "shim/rest.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shim/bodies/entry.h"
#include "shim/channel.h"
#include "shim/comm.h"
#include "shim/noise.h"
#include "shim/process/library_threads.h"
#include "shim/process/tasks.h"
#include "shim/shim.h"
#include "shim/virtual/thread_waits.h"

/* A thread that waits. */
struct resting_thread {
    struct resting_thread *next;
    pid_t tid;
    enum call call;
    const void *place;
    const uint32_t *number;
    uint32_t n;
};

static struct {
    struct resting_thread *first; /* of those who wait; in their stacks */
    pthread_cond_t changed;
    uint64_t news;                /* grows when all are to ask again */
    int wanting;                  /* threads that want to make a call */
    bool asleep;                  /* one of those who wait sleeps for all */
} rest = {.changed = PTHREAD_COND_INITIALIZER};

/* ---- who else is there, and what it does ---- */

/*
 * Whether a thread sleeps until another one of this process does something: in a wait for a futex without an end, which is not that of
 * the entry.  A futex that is shared may be another process's affair, unless it is the end of a thread that is waited for.
 */
static bool is_blocked(pid_t tid, const struct task_list *tasks)
{
    char path[64], text[256] = "";
    unsigned long call, word, operation, value, timeout;
    snprintf(path, sizeof path, "/proc/self/task/%d/syscall", (int)tid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = '\0';
    if (sscanf(text, "%lu %lx %lx %lx %lx", &call, &word, &operation, &value, &timeout) != 5 || call != SYS_futex)
        return false;
    unsigned long command = operation & FUTEX_CMD_MASK;
    bool waits = command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET || command == FUTEX_LOCK_PI;
    bool shared = !(operation & FUTEX_PRIVATE_FLAG);
    return waits && !timeout && word != (uintptr_t)&noise.entry && (!shared || task_is_in(tasks, (pid_t)value));
}

static bool is_resting(pid_t tid)
{
    for (const struct resting_thread *t = rest.first; t; t = t->next)
        if (t->tid == tid)
            return true;
    return false;
}

static bool others_rest(void)
{
    struct task_list tasks;
    tasks_list(&tasks);
    if (!tasks.complete)
        return false;
    for (int i = 0; i < tasks.n; i++)
        if (!is_resting(tasks.tid[i]) && !library_threads_have(tasks.tid[i]) && !is_blocked(tasks.tid[i], &tasks))
            return false;
    return true;
}

/* ---- sleeping for all ---- */

static uint32_t gather_numbers(uint32_t *number)
{
    uint32_t n = 0;
    for (const struct resting_thread *t = rest.first; t; t = t->next)
        for (uint32_t i = 0; i < t->n && n < MOST_ASKED; i++)
            number[n++] = t->number[i];
    return n;
}

/* Those who wait in calls, and the others, who wait for one of these. */
static uint32_t gather_threads(struct op_thread *told)
{
    struct task_list tasks;
    uint32_t n = 0;
    tasks_list(&tasks);
    for (int i = 0; i < tasks.n && n < MOST_TOLD; i++) {
        const struct resting_thread *t = rest.first;
        while (t && t->tid != tasks.tid[i])
            t = t->next;
        if (library_threads_have(tasks.tid[i]))
            continue;
        told[n] = (struct op_thread){.thread = (uint16_t)n, .wait = t ? THREAD_IN_CALL : THREAD_ON_ANOTHER, .other = -1};
        if (t) {
            told[n].call = (uint16_t)t->call;
            told[n].place = (uintptr_t)t->place;
        }
        n++;
    }
    return n;
}

static void announce_rest(bool others_go)
{
    uint32_t number[MOST_ASKED];
    struct op_thread told[MOST_TOLD];
    struct op op = {.kind = OP_WAIT,
                    .flags = OPF_ANY | OPF_EITHER | OPF_BLOCKING | (others_go ? OPF_OTHERS_GO : 0),
                    .items = gather_numbers(number),
                    .context = comm_self()->context};
    thread_waits_post(&op, number, told, gather_threads(told));
}

static void sleep_for_all(void)
{
    bool others_go = !others_rest();
    rest.asleep = true;
    announce_rest(others_go);
    pthread_mutex_unlock(&noise.entry);
    channel_sleep_watching(others_go ? others_rest : NULL);
    pthread_mutex_lock(&noise.entry);
    rest.asleep = false;
    rest.news++;
    pthread_cond_broadcast(&rest.changed);
}

void rest_interrupt(void)
{
    if (!rest.asleep)
        return;
    rest.wanting++;
    while (rest.asleep) {
        channel_withdraw();
        pthread_cond_wait(&rest.changed, &noise.entry);
    }
    if (--rest.wanting == 0)
        pthread_cond_broadcast(&rest.changed);
}

void rest_until_news(const uint32_t *number, uint32_t n)
{
    struct resting_thread self = {
        .next = rest.first, .tid = (pid_t)syscall(SYS_gettid), .call = shim.call, .place = shim.place, .number = number, .n = n};
    uint64_t seen = rest.news;
    rest.first = &self;
    channel_forget_grants(); /* what is asked again is really asked: another thread may bring it about */
    while (rest.news == seen)
        if (rest.asleep || rest.wanting)
            pthread_cond_wait(&rest.changed, &noise.entry);
        else
            sleep_for_all();
    struct resting_thread **at = &rest.first;
    while (*at != &self)
        at = &(*at)->next;
    *at = self.next;
    rest_interrupt(); /* another one may have fallen asleep again before this one came here */
    entry_resume_call();
}
