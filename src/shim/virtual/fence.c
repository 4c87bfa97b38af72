#include "shim/fence.h"

#include <signal.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <unwind.h>

#include "arch/registers.h"
#include "arch/system_call.h"
#include "shim/bodies/crash.h"
#include "shim/channel.h"
#include "shim/core/module.h"
#include "shim/guard/guard.h"
#include "shim/guard/region.h"
#include "shim/noise.h"
#include "shim/shim.h"
#include "shim/touches.h"
#include "shim/virtual/kernel_filter.h"
#include "shim/virtual/savepoint.h"
#include "shim/virtual/turn_calls.h"

enum { VECTOR = 64 }; /* bytes that the C library may read at once */

/* <linux/prctl.h>, <asm/siginfo.h>; Linux 5.11. */
enum { SET_DISPATCH = 59, DISPATCH_OFF = 0, DISPATCH_ON = 1, BY_DISPATCH = 2 };
enum { ALLOW, BLOCK };

static const int signals[] = {SIGSEGV, SIGTRAP, SIGSYS};
enum { SYSTEM_CALLS = 2, SIGNALS = sizeof signals / sizeof *signals };

static bool is_refused = !MACHINE_STEPS; /* or somebody else needs the signals, or the kernel does not know how */
static struct {
    uintptr_t start, end;
} c_library, executable;

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
    return MACHINE_STEPS;
}

bool fence_can_hold_at_any_cost(uintptr_t start, uintptr_t end)
{
    return fence_can_hold(start, end) || (!is_refused && region_guess(start, end) == REGION_STACK);
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

/* Not by a function that the gate stands in front of: this is asked in handlers. */
static int own_thread(void)
{
    return (int)system_call(SYS_gettid, 0, 0, 0, 0, 0, 0);
}

/*
 * Threads of the MPI library can run into a fence, too.  False: this thread has it already, and has run into the fence while it
 * raised it, around its own stack.
 */
static bool hold(void)
{
    int self = own_thread(), nobody = 0;
    if (atomic_load(&noise.fence.busy) == self)
        return false;
    while (!atomic_compare_exchange_strong(&noise.fence.busy, &nobody, self))
        nobody = 0;
    return true;
}

static void let_go_of_fence(bool held)
{
    if (held)
        atomic_store(&noise.fence.busy, 0);
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
    noise.fence.stepped = registers_place(context);
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
static struct frames frames_of(const ucontext_t *context)
{
    struct frames frames = {.from = registers_place(context)};
    _Unwind_Backtrace(add_frame_at_fence, &frames);
    if (frames.n == 0)
        frames.at[frames.n++] = frames.from + 1;
    return frames;
}

static void tell_guard(const ucontext_t *context, uintptr_t start, uintptr_t end, bool writes)
{
    struct frames frames = frames_of(context);
    guard_caught(start, end, writes, frames.at, frames.n);
}

/* ---- what is looked at once more (touches.h) ---- */

/* It needs no unwinder: what it does, it does itself. */
static bool is_in_executable(uintptr_t at)
{
    return executable.start <= at && at < executable.end;
}

static bool is_in_c_library(uintptr_t at)
{
    return c_library.start <= at && at < c_library.end;
}

/* Copying functions of the C library load what they were asked for, and nothing else. */
static bool is_copying(uintptr_t at)
{
    enum { BEFORE = 256 }; /* a small variant stands in front of the one that is used, and shares code with it */
    struct {
        void *text, *data, *function;
    } here = {0}, there = {0};
    extern const void *_Unwind_Find_FDE(void *, void *);
    uintptr_t copying = (uintptr_t)&memmove;
    if (copying - BEFORE <= at && at < copying)
        return true;
    return _Unwind_Find_FDE((void *)at, &here) && _Unwind_Find_FDE((void *)copying, &there) &&
           here.function == there.function;
}

/* Who is there, with the fence down if the stack is needed for that. */
static struct frames frames_of_touch(const ucontext_t *context)
{
    uintptr_t at = registers_place(context);
    if (is_in_executable(at))
        return (struct frames){.at = {at + 1}, .n = 1};
    protect_all(false);
    struct frames frames = frames_of(context);
    frames.n = frames.n < TOUCH_FRAMES ? frames.n : TOUCH_FRAMES;
    return frames;
}

static void give_up_looking(const ucontext_t *context)
{
    if (!touches_need_fence())
        return;
    struct frames frames = frames_of_touch(context);
    touches_give_up(frames.at, frames.n);
}

static void note_touch(const ucontext_t *context, uintptr_t start, uint64_t bytes, bool writes)
{
    uintptr_t at = registers_place(context);
    struct frames frames = frames_of_touch(context);
    bool about = !writes && is_in_c_library(at) && !is_copying(at);
    touches_note(&(struct seen_touch){.start = start,
                                      .bytes = bytes,
                                      .flags = (writes ? TOUCH_STORES : 0) | (about ? TOUCH_ABOUT : 0),
                                      .code = (const uint8_t *)at,
                                      .code_bytes = FENCE_PAGE - at % FENCE_PAGE,
                                      .frame = frames.at,
                                      .frames = frames.n});
}

/* The same instruction runs into the fence a second time: it touches two pages, or has two operands. */
static bool is_second_fault(const ucontext_t *context)
{
    return noise.fence.stepping && noise.fence.stepped == registers_place(context);
}

/* What compilers load ahead the program may not need. */
static bool is_loaded_ahead(uintptr_t at)
{
    return !is_in_c_library(at) &&
           (FENCE_PAGE - at % FENCE_PAGE < INSTRUCTIONS_AHEAD || instruction_reads_ahead((const unsigned char *)at));
}

/* What goes on from one page to the next was noted with the first. */
static void see_touch(const ucontext_t *context, uintptr_t address, bool writes)
{
    if (touches_need_fence() && touches_concern(address, address + 1) &&
        !(is_second_fault(context) && address % FENCE_PAGE == 0) &&
        (writes || !is_loaded_ahead(registers_place(context))))
        note_touch(context, address, 0, writes);
}

/* The page of this access is opened for one instruction; for its second one all are. */
static void open_for_step(const ucontext_t *context, uintptr_t address)
{
    uintptr_t page = address & -(uintptr_t)FENCE_PAGE;
    if (is_second_fault(context)) {
        protect_all(false);
        return;
    }
    if (touches_need_fence() && !is_in_executable(registers_place(context)))
        protect_all(true); /* the unwinder has needed it down */
    protect(&(struct fence_run){page, page + FENCE_PAGE, false}, false);
}

/* What is left of a repeated instruction is done at once, unless the guard wants to see it. */
static bool do_string_instruction(ucontext_t *context)
{
    struct string_instruction string;
    uintptr_t at = registers_place(context);
    if (!touches_need_fence() || FENCE_PAGE - at % FENCE_PAGE < INSTRUCTIONS_AHEAD ||
        !instruction_is_string(context, (const unsigned char *)at, &string) ||
        guard_minds(string.to, string.to + string.bytes, true) ||
        (string.from && guard_minds(string.from, string.from + string.bytes, false)))
        return false;
    if (touches_concern(string.to, string.to + string.bytes))
        note_touch(context, string.to, string.bytes, true);
    if (string.from && touches_concern(string.from, string.from + string.bytes))
        note_touch(context, string.from, string.bytes, false);
    protect_all(false);
    instruction_do_string(context, &string);
    return true;
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
    if (noise.fence.lowering && fence_run_at(address)) {
        protect_all(false);
        return true;
    }
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
    if (noise.fence.steps == 0) {
        lower_until_next_call();
        give_up_looking(context);
        return true;
    }
    noise.fence.steps--;
    if (do_string_instruction(context)) {
        put_up();
        return true;
    }
    see_touch(context, address, writes);
    open_for_step(context, address);
    step_one_instruction(context);
    return true;
}

static void on_fault(int sig, siginfo_t *info, void *context)
{
    if (crash_is_done(info, context))
        return;
    noise.fence.selector = ALLOW;
    bool held = hold();
    bool taken = take_fault(info, context);
    let_go_of_fence(held);
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
    bool held = hold();
    put_up();
    let_go_of_fence(held);
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
    if (turns_take_call(info, context) || savepoint_take_call(info, context))
        return;
    uintptr_t start = registers_first_argument(context), bytes = registers_second_argument(context);
    noise.fence.selector = ALLOW;
    if (info->si_code != BY_DISPATCH) {
        lower_until_next_call();
        signal(sig, SIG_DFL);
        raise(sig);
        return;
    }
    bool held = hold();
    protect_all(false);
    if ((info->si_syscall == SYS_munmap || info->si_syscall == SYS_mremap) && (intptr_t)bytes > 1)
        tell_guard(context, start, start + bytes, true);
    registers_call_again(context);
    noise.fence.runs = guard_fence(noise.fence.run);
    if (ends_watch(info->si_syscall) || noise.fence.system_calls-- == 0) {
        noise.fence.runs = 0;
        give_up_looking(context);
    } else {
        step_one_instruction(context);
    }
    let_go_of_fence(held);
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
    return module_span((const void *)&memchr, &c_library.start, &c_library.end) &&
           module_span((const void *)getauxval(AT_ENTRY), &executable.start, &executable.end);
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

void fence_note_calm(void)
{
    enum { CALM = 1 << 10 };
    if (!noise.fence.is_known_to_kernel || channel_head()->copied || ++noise.fence.calm < CALM)
        return;
    noise.fence.calm = 0;
    noise.fence.is_known_to_kernel = prctl(SET_DISPATCH, DISPATCH_OFF, 0L, 0L, 0L) != 0;
}

void fence_forget_kernel(void)
{
    noise.fence.is_known_to_kernel = false;
    noise.fence.busy = 0;
}

void fence_raise(const struct fence_run *run, int runs, uint32_t most_steps, uint32_t most_system_calls)
{
    static bool taken;
    if (is_refused || !shim_can_be_copied())
        return;
    if (!taken && !(taken = take_signals() && catch_system_calls()))
        is_refused = true;
    if (is_refused || !has_signals() || !catch_system_calls())
        return;
    noise.fence.calm = 0;
    noise.fence.thread = own_thread();
    memcpy(noise.fence.run, run, runs * sizeof *run);
    noise.fence.runs = runs;
    noise.fence.steps = most_steps;
    noise.fence.system_calls = most_system_calls;
    noise.fence.stepping = false;
    bool held = hold();
    put_up();
    let_go_of_fence(held);
}

bool fence_is_up(void)
{
    return noise.fence.runs > 0;
}

uint32_t fence_steps_left(void)
{
    return noise.fence.steps;
}

void fence_lower(void)
{
    noise.fence.selector = ALLOW;
    if (noise.fence.runs == 0)
        return;
    noise.fence.lowering = true;
    bool held = hold();
    lower_until_next_call();
    let_go_of_fence(held);
    noise.fence.lowering = false;
}
