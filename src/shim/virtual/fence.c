#include "shim/fence.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <unwind.h>

#include "arch/registers.h"
#include "arch/system_call.h"
#include "shim/bodies/crash.h"
#include "shim/core/module.h"
#include "shim/guard/guard.h"
#include "shim/guard/region.h"
#include "shim/noise.h"
#include "shim/shim.h"
#include "shim/virtual/kernel_filter.h"
#include "shim/virtual/savepoint.h"

enum {
    MOST_SYSTEM_CALLS = 16, /* between two calls; then the fence stays down until the next one */
    VECTOR = 64,            /* bytes that the C library may read at once */
};

/* <linux/prctl.h>, <asm/siginfo.h>; Linux 5.11. */
enum { SET_DISPATCH = 59, DISPATCH_ON = 1, BY_DISPATCH = 2 };
enum { ALLOW, BLOCK };

static const int signals[] = {SIGSEGV, SIGTRAP, SIGSYS};
enum { SYSTEM_CALLS = 2, SIGNALS = sizeof signals / sizeof *signals };

static bool is_refused; /* somebody else needs the signals, or the kernel does not know how */
static struct {
    uintptr_t start, end;
} c_library;

bool fence_add(struct fence_run *run, int *runs, uintptr_t start, uintptr_t end, bool closed)
{
    start &= -(uintptr_t)FENCE_PAGE;
    end = (end + FENCE_PAGE - 1) & -(uintptr_t)FENCE_PAGE;
    if (*runs > FENCE_RUNS - 2)
        return false;
    struct fence_run *last = *runs ? &run[*runs - 1] : NULL;
    if (last && start < last->end && last->closed != closed) {
        /* The page that both are on is closed. */
        if (!last->closed && last->start == start)
            last->closed = true;
        else if (!last->closed) {
            uintptr_t shared = last->end;
            last->end = start;
            run[(*runs)++] = (struct fence_run){start, shared, true};
        }
        start = run[*runs - 1].end;
        last = NULL;
    }
    if (last && start <= last->end && last->closed == closed)
        last->end = end > last->end ? end : last->end;
    else if (start < end)
        run[(*runs)++] = (struct fence_run){start, end, closed};
    return true;
}

bool fence_exists(void)
{
    return true;
}

bool fence_can_hold(uintptr_t start, uintptr_t end)
{
    if (is_refused)
        return false;
    switch (region_find(start, end)) {
    case REGION_DATA:
    case REGION_HEAP:
    case REGION_MAPPED:
        return true;
    case REGION_OLD:
        return shim.own_threads == 0; /* whose system calls nobody catches */
    case REGION_STACK:
    case REGION_OTHER:
    case REGION_UNKNOWN:
        return false;
    }
    return false;
}

/* ---- pages ---- */

static bool protect(const struct fence_run *run, bool up)
{
    int mode = !up ? PROT_READ | PROT_WRITE : run->closed ? PROT_NONE : PROT_READ;
    return own_call(SYS_mprotect, run->start, run->end - run->start, (long)mode) == 0;
}

static bool protect_all(bool up)
{
    bool all = true;
    for (int i = 0; i < noise.fence.runs; i++)
        all = protect(&noise.fence.run[i], up) && all;
    return all;
}

static const struct fence_run *fence_run_at(uintptr_t address)
{
    for (int i = 0; i < noise.fence.runs; i++)
        if (noise.fence.run[i].start <= address && address < noise.fence.run[i].end)
            return &noise.fence.run[i];
    return NULL;
}

/* Threads of the MPI library can run into a fence, too. */
static void hold(void)
{
    while (atomic_exchange(&noise.fence.busy, true))
        ;
}

static void let_go_of_fence(void)
{
    atomic_store(&noise.fence.busy, false);
}

/* From now on system calls are caught: there must be none between this and the return to the program. */
static void watch(void)
{
    noise.fence.selector = BLOCK;
}

static void lower_until_next_call(void)
{
    protect_all(false);
    noise.fence.runs = 0;
}

/* Memory that is not there any more cannot be protected. */
static void put_up(void)
{
    if (noise.fence.runs && protect_all(true))
        watch();
    else
        lower_until_next_call();
}

/* ---- what the program does ---- */

/* The one instruction is done with the fence down. */
static void step_one_instruction(ucontext_t *context)
{
    noise.fence.stepping = true;
    registers_step(context, true);
}

/*
 * Of what the program may not need we cannot say that the program read it: what compilers load ahead, and what functions
 * of the C library load that search for something, in whole vectors that begin before the string.
 */
static bool is_meant(const ucontext_t *context, uintptr_t address)
{
    uintptr_t at = registers_place(context);
    if (c_library.start <= at && at < c_library.end)
        return guard_forbids(address & -VECTOR, false) && guard_forbids(address | (VECTOR - 1), false);
    size_t left = FENCE_PAGE - at % FENCE_PAGE;
    return left >= INSTRUCTIONS_AHEAD && !instruction_reads_ahead((const unsigned char *)at);
}

struct frames {
    uintptr_t at[GUARD_FRAMES];
    int n;
    uintptr_t from; /* frames above this one are the handler's */
};

static _Unwind_Reason_Code add_frame_at_fence(struct _Unwind_Context *frame, void *arg)
{
    struct frames *frames = arg;
    int before = 0;
    uintptr_t at = _Unwind_GetIPInfo(frame, &before);
    if (frames->n == 0 && at != frames->from)
        return _URC_NO_REASON;
    frames->at[frames->n++] = at + (before ? 1 : 0); /* as if it were behind a call */
    return frames->n == GUARD_FRAMES ? _URC_END_OF_STACK : _URC_NO_REASON;
}

/* The fence is down: the unwinder reads what may be anywhere. */
static void tell_guard(const ucontext_t *context, uintptr_t start, uintptr_t end, bool writes)
{
    struct frames frames = {.from = registers_place(context)};
    _Unwind_Backtrace(add_frame_at_fence, &frames);
    if (frames.n == 0)
        frames.at[frames.n++] = frames.from + 1;
    guard_caught(start, end, writes, frames.at, frames.n);
}

/* Not by a function that the gate stands in front of: this is asked in handlers. */
static int own_thread(void)
{
    return (int)system_call(SYS_gettid, 0, 0, 0, 0, 0, 0);
}

/*
 * The fence may have been lowered since: what another thread ran into need not be there any
 * more.  If it runs into it again, it was something else.
 */
static bool is_foreign_access(uintptr_t address)
{
    if (noise.fence.thread == own_thread() || (noise.fence.runs == 0 && noise.fence.foreign == address))
        return false;
    noise.fence.foreign = address;
    lower_until_next_call();
    return true;
}

/* False: it has nothing to do with us. */
static bool take_fault(siginfo_t *info, ucontext_t *context)
{
    uintptr_t address = (uintptr_t)info->si_addr;
    if (is_foreign_access(address))
        return true;
    if (!fence_run_at(address) || info->si_code != SEGV_ACCERR) {
        lower_until_next_call();
        return false;
    }
    bool writes = registers_fault_writes(context);
    if (guard_forbids(address, writes) && (writes || is_meant(context, address))) {
        protect_all(false);
        tell_guard(context, address, address + 1, writes);
        noise.fence.runs = guard_fence(noise.fence.run);
        put_up();
        return true;
    }
    if (noise.fence.steps-- == 0) {
        lower_until_next_call();
        return true;
    }
    uintptr_t page = address & -(uintptr_t)FENCE_PAGE;
    protect(&(struct fence_run){page, page + FENCE_PAGE, false}, false);
    step_one_instruction(context);
    return true;
}

static void on_fault(int sig, siginfo_t *info, void *context)
{
    noise.fence.selector = ALLOW;
    hold();
    bool taken = take_fault(info, context);
    let_go_of_fence();
    if (!taken)
        crash_tell(sig);
}

static void on_trap(int sig, siginfo_t *info, void *arg)
{
    (void)info;
    ucontext_t *context = arg;
    noise.fence.selector = ALLOW;
    if (!noise.fence.stepping) {
        lower_until_next_call();
        signal(sig, SIG_DFL);
        raise(sig); /* comes when this has returned */
        return;
    }
    noise.fence.stepping = false;
    registers_step(context, false);
    hold();
    put_up();
    let_go_of_fence();
}

/* After these the fence stays down: two would come back, or nobody, or with other signals, or without the trap flag. */
static bool ends_watch(int number)
{
    switch (number) {
    case SYS_clone:
    case SYS_clone3:
    case SYS_fork:
    case SYS_vfork:
    case SYS_execve:
    case SYS_execveat:
    case SYS_exit:
    case SYS_exit_group:
    case SYS_rt_sigreturn:
    case SYS_rt_sigaction:
    case SYS_rt_sigprocmask:
    case SYS_rt_sigsuspend:
        return true;
    }
    return false;
}

static void on_system_call(int sig, siginfo_t *info, void *arg)
{
    ucontext_t *context = arg;
    if (savepoint_take_call(info, context))
        return;
    uintptr_t start = registers_first_argument(context), bytes = registers_second_argument(context);
    noise.fence.selector = ALLOW;
    if (info->si_code != BY_DISPATCH) {
        lower_until_next_call();
        signal(sig, SIG_DFL);
        raise(sig);
        return;
    }
    hold();
    protect_all(false);
    if ((info->si_syscall == SYS_munmap || info->si_syscall == SYS_mremap) && (intptr_t)bytes > 1)
        tell_guard(context, start, start + bytes, true);
    registers_call_again(context);
    noise.fence.runs = guard_fence(noise.fence.run);
    if (ends_watch(info->si_syscall) || noise.fence.system_calls-- == 0)
        noise.fence.runs = 0;
    else
        step_one_instruction(context);
    let_go_of_fence();
}

/* ---- up and down ---- */

static void (*const handlers[SIGNALS])(int, siginfo_t *, void *) = {on_fault, on_trap, on_system_call};

static struct kernel_handler action_of(int sig)
{
    struct kernel_handler action = {0};
    syscall(SYS_rt_sigaction, sig, NULL, &action, sizeof action.mask);
    return action;
}

/* Unless it is there already. */
static bool take_signal(int i)
{
    struct kernel_handler action = {handlers[i], SA_SIGINFO | SA_ONSTACK | KERNEL_HANDLER_RETURNS, signal_return, ~0UL};
    return action_of(signals[i]).handler == handlers[i] ||
           (crash_is_free(signals[i]) &&
            own_call(SYS_rt_sigaction, (long)signals[i], &action, 0L, (long)sizeof action.mask) == 0);
}

bool fence_takes_system_calls(void)
{
    return take_signal(SYSTEM_CALLS);
}

static bool take_signals(void)
{
    for (int i = 0; i < SIGNALS; i++)
        if (!take_signal(i))
            return false;
    return module_span((const void *)&memchr, &c_library.start, &c_library.end);
}

/* The program may have changed that. */
static bool has_signals(void)
{
    unsigned long blocked = 0;
    syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &blocked, sizeof blocked);
    for (int i = 0; i < SIGNALS; i++)
        if (blocked & 1UL << (signals[i] - 1) || action_of(signals[i]).handler != handlers[i])
            return false;
    return true;
}

static bool catch_system_calls(void)
{
    if (noise.fence.is_known_to_kernel)
        return true;
    noise.fence.is_known_to_kernel = prctl(SET_DISPATCH, DISPATCH_ON, signal_return, signal_return_end - signal_return,
                                           &noise.fence.selector) == 0;
    return noise.fence.is_known_to_kernel;
}

void fence_forget_kernel(void)
{
    noise.fence.is_known_to_kernel = false;
    noise.fence.busy = false;
}

void fence_raise(const struct fence_run *run, int runs, uint32_t most_steps)
{
    static bool taken;
    if (is_refused || !shim_can_be_copied())
        return;
    if (!taken && !(taken = take_signals() && catch_system_calls()))
        is_refused = true;
    if (is_refused || !has_signals() || !catch_system_calls())
        return;
    noise.fence.thread = own_thread();
    memcpy(noise.fence.run, run, runs * sizeof *run);
    noise.fence.runs = runs;
    noise.fence.steps = most_steps;
    noise.fence.system_calls = MOST_SYSTEM_CALLS;
    noise.fence.stepping = false;
    hold();
    put_up();
    let_go_of_fence();
}

void fence_lower(void)
{
    noise.fence.selector = ALLOW;
    if (noise.fence.runs == 0)
        return;
    hold();
    lower_until_next_call();
    let_go_of_fence();
}
