#include "world/machine_limits.h"

#include <unistd.h>

#include "arch/machine.h"

bool machine_watches_accesses(void)
{
    return MACHINE_STEPS;
}

bool machine_calls_push(void)
{
    return MACHINE_CALLS_PUSH;
}

bool machine_has_known_pages(void)
{
    return sysconf(_SC_PAGESIZE) == 4096;
}
