#include "shim/process/library_threads.h"

#include "shim/process/tasks.h"

static struct {
    struct task_list before, library;
    bool going;
} threads;

void library_threads_begin(void)
{
    tasks_list(&threads.before);
}

void library_threads_are_up(void)
{
    struct task_list now;
    tasks_list(&now);
    for (int i = 0; i < now.n && threads.before.complete; i++)
        if (!task_is_in(&threads.before, now.tid[i]))
            threads.library.tid[threads.library.n++] = now.tid[i];
}

bool library_threads_have(pid_t tid)
{
    return task_is_in(&threads.library, tid);
}

void library_threads_go(void)
{
    threads.going = true;
}

bool library_threads_are_going(void)
{
    return threads.going;
}
