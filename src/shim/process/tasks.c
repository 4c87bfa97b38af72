#include "shim/process/tasks.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "arch/system_call.h"

void tasks_each(void (*see)(pid_t, void *), void *data)
{
    _Alignas(struct dirent64) char entries[2048];
    long flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC, size;
    long folder = own_call(SYS_openat, (long)AT_FDCWD, "/proc/self/task", flags, 0L);
    while (folder >= 0 && (size = own_call(SYS_getdents64, folder, entries, sizeof entries)) > 0)
        for (long i = 0; i < size;) {
            const struct dirent64 *entry = (const struct dirent64 *)(entries + i);
            pid_t task = (pid_t)atoi(entry->d_name);
            if (task)
                see(task, data);
            i += entry->d_reclen;
        }
    if (folder >= 0)
        own_call(SYS_close, folder);
    explicit_bzero(entries, sizeof entries);
}

/* A folder has a link from each folder in it.  Ranks with threads ask at every call, and nobody is to hear of it. */
int tasks_count(void)
{
    struct stat tasks;
    return own_call(SYS_newfstatat, (long)AT_FDCWD, "/proc/self/task", &tasks, 0L) == 0 ? (int)tasks.st_nlink - 2 : 1;
}

static void add_task(pid_t tid, void *data)
{
    struct task_list *list = data;
    list->complete = list->complete && list->n < MOST_TASKS;
    if (list->n < MOST_TASKS)
        list->tid[list->n++] = tid;
}

void tasks_list(struct task_list *list)
{
    list->n = 0;
    list->complete = true;
    tasks_each(add_task, list);
}

bool task_is_in(const struct task_list *list, pid_t tid)
{
    for (int i = 0; i < list->n; i++)
        if (list->tid[i] == tid)
            return true;
    return false;
}
