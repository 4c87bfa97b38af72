/*
 * usage -- what a process has used, which begins anew in a copy.
 *
 * The processor time is that of the virtual clock (clock.c).  The rest depends on what the kernel happened to do, and
 * is the same whenever a rank is run again.
 */
#include <stddef.h>
#include <sys/resource.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#include "arch/system_call.h"
#include "shim/gate/gate.h"
#include "shim/gate/kept_state.h"

#define EXPORTED __attribute__((visibility("default")))
#define CALLER __builtin_return_address(0)

enum { NANO = 1000000000, MEMORY_USED = 1 << 16 /* kilobytes: as much as any */ };

static clock_t ticks_of(clockid_t id)
{
    struct timespec now;
    long ticks = sysconf(_SC_CLK_TCK);
    clock_gettime(id, &now);
    return (clock_t)(now.tv_sec * ticks + now.tv_nsec / (NANO / ticks));
}

EXPORTED int getrusage(__rusage_who_t who, struct rusage *usage)
{
    struct timespec now;
    if (who == RUSAGE_CHILDREN || !usage || !gate_is_of_copied_program(CALLER))
        return (int)system_call_result(system_call(SYS_getrusage, who, (long)usage, 0, 0, 0, 0));
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    *usage = (struct rusage){.ru_utime = {now.tv_sec, now.tv_nsec / 1000}, .ru_maxrss = MEMORY_USED};
    return 0;
}

EXPORTED clock_t times(struct tms *used)
{
    if (!gate_is_of_copied_program(CALLER))
        return (clock_t)system_call_result(system_call(SYS_times, (long)used, 0, 0, 0, 0, 0));
    if (used)
        *used = (struct tms){.tms_utime = ticks_of(CLOCK_PROCESS_CPUTIME_ID)};
    return ticks_of(CLOCK_MONOTONIC);
}
