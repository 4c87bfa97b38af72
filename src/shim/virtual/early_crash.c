#include "shim/virtual/early_crash.h"

#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>

#include "arch/system_call.h"
#include "call/wire.h"
#include "shim/bodies/crash.h"
#include "shim/channel.h"
#include "shim/gate/early_crash.h"
#include "shim/gate/gate.h"
#include "shim/shim.h"

#pragma weak tourney_early_crash

void early_crash_is_over(void)
{
    struct sigaction now;
    for (int i = 0; i < FATAL_SIGNALS; i++)
        if (!sigaction(fatal_signals[i], NULL, &now) && now.sa_sigaction == tourney_early_crash && tourney_early_crash)
            signal(fatal_signals[i], SIG_DFL);
}

/* What takes locks has been done, and the gate need not end the process if it takes too long: somebody may look at it with a debugger. */
static void stop_alarm(void)
{
    static const struct itimerval none;
    system_call(SYS_setitimer, ITIMER_REAL, (long)&none, 0, 0, 0, 0);
}

__attribute__((visibility("default"))) gate_crash_function tourney_shim_crash;
void tourney_shim_crash(int sig)
{
    crash_load_unwinder();
    if (!shim.up && channel_open(getenv(WIRE_ENV)))
        return;
    stop_alarm();
    crash_tell(sig);
}
