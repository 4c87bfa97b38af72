#include "world/children.h"

#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

void children_adopt(void)
{
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}

static bool is_spared(pid_t pid, const pid_t *spared, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (spared[i] == pid)
            return true;
    return false;
}

bool children_kill(const pid_t *spared, size_t n)
{
    char path[64];
    bool any = false;
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    FILE *children = fopen(path, "re");
    int pid;
    while (children && fscanf(children, "%d", &pid) == 1)
        if (!is_spared(pid, spared, n)) {
            kill(pid, SIGKILL);
            any = true;
        }
    if (children)
        fclose(children);
    return any;
}
