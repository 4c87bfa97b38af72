#include "shim/virtual/turn_copies.h"

#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if __has_include(<sys/rseq.h>)
#include <sys/rseq.h>
#endif

#include "arch/registers.h"
#include "arch/system_call.h"
#include "shim/shim.h"
#include "shim/turns.h"

enum { FIRST_STEPS = 1 << 14 }; /* bytes of stack until a thread goes on where it was */

static _Alignas(16) char first_steps[FIRST_STEPS];

void thread_note_kernel_state(struct thread *self)
{
    struct thread_kept *kept = &self->kept;
    own_call(SYS_rt_sigprocmask, (long)SIG_SETMASK, 0L, &kept->blocked, (long)sizeof kept->blocked);
    own_call(SYS_sigaltstack, 0L, &kept->handlers);
    own_call(SYS_get_robust_list, 0L, &kept->robust, &kept->robust_bytes);
    kept->pointer = __builtin_thread_pointer();
}

void thread_is_parked(struct thread *self, bool parked)
{
    atomic_store(&self->parked, parked);
    if (parked)
        own_call(SYS_futex, &self->parked, (long)FUTEX_WAKE_PRIVATE, 1L, 0L, 0L, 0L);
}

/* It has handed on the turn, or was just started, and is on its way there. */
static void wait_until_parked(struct thread *t)
{
    while (!atomic_load(&t->parked))
        own_call(SYS_futex, &t->parked, (long)FUTEX_WAIT_PRIVATE, 0L, 0L, 0L, 0L);
}

static bool is_another(const struct thread *t)
{
    return t != own_thread && t->state != TURN_NONE;
}

/*
 * A thread that has ended is counted by the kernel a little longer, and if it was the first of its process, until that ends.  One that is about to end
 * asks who goes on before it does.
 */
static bool all_take_turns(void)
{
    enum { PATIENCE = 5000 }; /* ms: more than the longest wait for a processor */
    for (int i = 0; i < PATIENCE; i++) {
        if (shim_count_program_threads() <= turns.alive + (turns.first_is_gone || own_thread->ended))
            return true;
        own_call(SYS_nanosleep, &(struct timespec){.tv_nsec = 1000 * 1000}, 0L);
    }
    return false;
}

bool turns_can_be_copied(void)
{
    if (!turns.begun || !own_thread || !all_take_turns())
        return false;
    for (int i = 0; i < turns.numbers; i++)
        if (is_another(&turns.thread[i]))
            wait_until_parked(&turns.thread[i]);
    thread_note_kernel_state(own_thread);
    return true;
}

/* The kernel writes the number of the processor where the C library looks for it. */
static void register_processor(const struct thread *t)
{
#ifdef RSEQ_SIG
    enum { FIRST_SIZE = 32 };
    if (__rseq_size)
        own_call(SYS_rseq, (char *)t->kept.pointer + __rseq_offset, (long)(__rseq_size > FIRST_SIZE ? __rseq_size : FIRST_SIZE), 0L, (long)RSEQ_SIG);
#else
    (void)t;
#endif
}

static void go_on_as_thread(void *data)
{
    struct thread *self = data;
    self->tid = (pid_t)own_call(SYS_gettid);
    own_call(SYS_sigaltstack, &self->kept.handlers, 0L);
    own_call(SYS_set_robust_list, self->kept.robust, (long)self->kept.robust_bytes);
    register_processor(self);
    own_call(SYS_rt_sigprocmask, (long)SIG_SETMASK, &self->kept.blocked, 0L, (long)sizeof self->kept.blocked);
    savepoint_return(NULL, 0, NULL, 0, NULL, &self->kept.place);
}

static void make_thread(struct thread *t)
{
    const long flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_SETTLS | CLONE_CHILD_CLEARTID;
    atomic_store(&t->parked, false);
    if (own_thread_call(go_on_as_thread, t, first_steps + sizeof first_steps, flags, t->kept.pointer, t->tid_word) < 0)
        own_call(SYS_exit_group, 3L);
    wait_until_parked(t); /* the next one needs the same stack */
}

void turns_copied(void)
{
    const uint64_t all = ~UINT64_C(0);
    uint64_t before;
    if (!turns.begun || !own_thread)
        return;
    own_call(SYS_rt_sigprocmask, (long)SIG_SETMASK, &all, &before, (long)sizeof all);
    own_thread->tid = (pid_t)own_call(SYS_gettid);
    own_call(SYS_set_robust_list, own_thread->kept.robust, (long)own_thread->kept.robust_bytes);
    turns.first_is_gone = own_thread->ended; /* it is the first of this process, and about to end */
    for (int i = 0; i < turns.numbers; i++)
        if (is_another(&turns.thread[i]))
            make_thread(&turns.thread[i]);
    own_call(SYS_rt_sigprocmask, (long)SIG_SETMASK, &before, 0L, (long)sizeof before);
}
