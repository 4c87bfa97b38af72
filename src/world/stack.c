#include "world/stack.h"

#include <elfutils/libdwfl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>

/* One that is deep in the kernel does not stop at once, and perhaps never: it is not waited for longer. */
static bool wait_until_stopped(pid_t pid)
{
    enum { PATIENCE = 10000 }; /* ms; on a busy machine it may have to wait for its turn */
    for (int ms = 0; ms < PATIENCE; ms++) {
        siginfo_t stop = {0}; /* of its end, others want to hear */
        if (waitid(P_PID, pid, &stop, WSTOPPED | WNOHANG | __WALL) < 0 || stop.si_pid == pid)
            return stop.si_pid == pid;
        nanosleep(&(struct timespec){.tv_nsec = 1000 * 1000}, NULL);
    }
    return false;
}

/* What unwinding needs is in the files that are mapped; no others are looked for, on disk or in the net. */
static int find_no_debuginfo(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base, const char *file,
                             const char *link, GElf_Word sum, char **found)
{
    (void)module, (void)data, (void)name, (void)base, (void)file, (void)link, (void)sum, (void)found;
    return -1;
}

struct frame_walk {
    uint64_t *address;
    int depth;
};

static int add_walked_frame(Dwfl_Frame *frame, void *data)
{
    struct frame_walk *walk = data;
    Dwarf_Addr at;
    bool executing;
    if (walk->depth == STACK_DEPTH || !dwfl_frame_pc(frame, &at, &executing))
        return DWARF_CB_ABORT;
    walk->address[walk->depth++] = at + executing;
    return DWARF_CB_OK;
}

static int unwind(pid_t pid, uint64_t *address)
{
    static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_linux_proc_find_elf,
                                             .find_debuginfo = find_no_debuginfo};
    struct frame_walk walk = {address, 0};
    Dwfl *dwfl = dwfl_begin(&callbacks);
    if (dwfl && dwfl_linux_proc_report(dwfl, pid) == 0 && dwfl_report_end(dwfl, NULL, NULL) == 0 &&
        dwfl_linux_proc_attach(dwfl, pid, true) == 0)
        dwfl_getthread_frames(dwfl, pid, add_walked_frame, &walk);
    dwfl_end(dwfl);
    return walk.depth;
}

int stack_take(pid_t pid, uint64_t address[static STACK_DEPTH])
{
    int depth = 0;
    if (ptrace(PTRACE_SEIZE, pid, NULL, NULL) == 0 && ptrace(PTRACE_INTERRUPT, pid, NULL, NULL) == 0 &&
        wait_until_stopped(pid))
        depth = unwind(pid, address);
    kill(pid, SIGSTOP);
    ptrace(PTRACE_DETACH, pid, NULL, NULL);
    return depth;
}
