/*
 * tasks -- the threads of this process, as the kernel counts them.
 */
#ifndef SHIM_PROCESS_TASKS_H
#define SHIM_PROCESS_TASKS_H

#include <stdbool.h>
#include <sys/types.h>

/* Calls `see` for each of them, this one included.  Allocates nothing, and leaves nothing of it in memory, where it would be noise. */
void tasks_each(void (*see)(pid_t, void *), void *data);

/* So many. */
int tasks_count(void);

/* By the kernel's numbers. */
enum { MOST_TASKS = 256 };
struct task_list {
    pid_t tid[MOST_TASKS];
    int n;
    bool complete;
};
void tasks_list(struct task_list *);
bool task_is_in(const struct task_list *, pid_t tid);

#endif
