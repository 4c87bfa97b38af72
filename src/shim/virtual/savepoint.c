#include "shim/virtual/savepoint.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "arch/registers.h"
#include "arch/system_call.h"
#include "shim/channel.h"
#include "shim/fence.h"
#include "shim/gate/heap.h"
#include "shim/noise.h"
#include "shim/virtual/copy_obstacles.h"
#include "shim/virtual/kernel_filter.h"

#pragma weak tourney_heap_defer
#pragma weak tourney_heap_settle

enum { BY_SECCOMP = 1 }; /* SYS_SECCOMP of <asm/siginfo.h> */

/* Huge pages come and go without a fault, by which alone it is known that something was written. */
bool savepoint_begin(void)
{
    if (!noise.trapped)
        noise.trapped = !uncopied_has_alarms() && fence_takes_system_calls() &&
                        own_call(SYS_prctl, (long)PR_SET_THP_DISABLE, 1L, 0L, 0L, 0L) == 0 && kernel_filter_trap();
    return noise.trapped;
}

void savepoint_settle(void)
{
    if (noise.returns && &tourney_heap_settle)
        tourney_heap_settle();
}

void savepoint_before_sleep(_Atomic uint64_t *faults)
{
    struct rusage usage;
    own_call(SYS_rt_sigprocmask, 0L, 0L, &noise.signal_mask, (long)sizeof noise.signal_mask);
    own_call(SYS_getrusage, (long)RUSAGE_SELF, &usage);
    atomic_store(faults, (uint64_t)(usage.ru_minflt + usage.ru_majflt));
}

void savepoint_after_return(void)
{
    own_call(SYS_rt_sigprocmask, (long)SIG_SETMASK, &noise.signal_mask, 0L, (long)sizeof noise.signal_mask);
}

void savepoint_make(const struct savepoint_order *order, char *arena)
{
    const struct saved_span *span = (const struct saved_span *)(arena + order->spans);
    for (uint32_t i = 0; i < order->count; i++)
        memcpy(arena + order->save + span[i].room, (const void *)span[i].at, span[i].bytes);
}

/* No handler may run while the stack is put back. */
_Noreturn void savepoint_go_back(const struct savepoint_order *order, char *arena)
{
    static const uint64_t all = ~UINT64_C(0);
    own_call(SYS_rt_sigprocmask, (long)SIG_SETMASK, &all, 0L, (long)sizeof all);
    savepoint_return((const struct saved_span *)(arena + order->spans), order->back_count, arena + order->back,
                     order->count - order->back_count, arena + order->first, &noise.place);
}

/* ---- system calls ---- */

/* By those that a child would inherit a filter, or by which the handler would go. */
static bool is_beyond_us(int number, const long *argument)
{
    switch (number) {
    case SYS_clone:
    case SYS_clone3:
    case SYS_fork:
    case SYS_vfork:
    case SYS_execve:
    case SYS_execveat:
    case SYS_seccomp:
        return true;
    case SYS_rt_sigaction:
        return argument[1] != 0;
    }
    return false;
}

static bool gives_memory_back(int number, const long *argument)
{
    return number == SYS_madvise && argument[2] == MADV_DONTNEED;
}

bool savepoint_take_call(const siginfo_t *info, void *context)
{
    long a[6];
    if (info->si_code != BY_SECCOMP || !noise.trapped)
        return false;
    registers_arguments(context, a);
    if (info->si_syscall == SYS_exit_group)
        channel_end((int)a[0]);
    if (is_beyond_us(info->si_syscall, a))
        channel_end_unfit();
    if (gives_memory_back(info->si_syscall, a)) {
        if (&tourney_heap_defer && tourney_heap_defer((void *)a[0], (size_t)a[1])) {
            registers_set_result(context, 0);
            return true;
        }
        channel_tell_dropped((uintptr_t)a[0], (size_t)a[1]);
    } else if (info->si_syscall != SYS_rt_sigaction)
        channel_tell_remapped();
    if (info->si_syscall == SYS_mprotect)
        a[5] = (long)info->si_call_addr; /* nobody asks who makes other calls (world/kernel_effect.c) */
    registers_set_result(context, caught_call(info->si_syscall, a[0], a[1], a[2], a[3], a[4], a[5]));
    return true;
}
