#include "shim/virtual/turn_futex.h"

#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unwind.h>

#include "arch/registers.h"
#include "arch/system_call.h"
#include "shim/bodies/entry.h"
#include "shim/core/module.h"
#include "shim/shim.h"
#include "shim/turns.h"
#include "shim/virtual/turn_calls.h"
#include "shim/virtual/turn_locks.h"
#include "shim/virtual/turn_order.h"
#include "shim/virtual/turn_questions.h"
#include "shim/virtual/turn_switch.h"

static _Unwind_Reason_Code look_for_program(struct _Unwind_Context *frame, void *found)
{
    const void *at = (const void *)_Unwind_GetIP(frame);
    if (module_kind_at((const char *)at - 1) != MODULE_PROGRAM)
        return _URC_NO_REASON;
    *(const void **)found = at;
    return _URC_END_OF_STACK;
}

/* Where the program has called what blocks. */
static const void *program_place(void)
{
    const void *found = NULL;
    _Unwind_Backtrace(look_for_program, &found);
    return found;
}

static long block_on(const uint32_t *word, uint32_t value, uint32_t bits, bool timed)
{
    if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != value)
        return -EAGAIN;
    own_thread->word = word;
    own_thread->bits = bits;
    own_thread->timed = timed;
    own_thread->result = 0;
    if ((const void *)word != own_thread->lock)
        own_thread->place = program_place();
    own_thread->state = TURN_BLOCKED;
    hand_on(own_thread);
    turn_note_mutex(own_thread);
    return own_thread->result;
}

/* In the order in which they have begun to wait: who had its last turn before all others has waited longest. */
static uint32_t find_waiters(const uint32_t *word, uint32_t bits, struct thread **found)
{
    uint32_t n = 0;
    for (int i = 0; i < turns.numbers; i++) {
        struct thread *t = &turns.thread[i];
        uint32_t at = n;
        if (t->state != TURN_BLOCKED || t->word != word || !(t->bits & bits))
            continue;
        for (n++; at > 0 && found[at - 1]->turn > t->turn; at--)
            found[at] = found[at - 1];
        found[at] = t;
    }
    return n;
}

/* Who of several that wait for a condition is meant by a signal, nobody says: it is a choice. */
long wake_waiters(const uint32_t *word, long most, uint32_t bits)
{
    struct thread *waiter[MOST_THREADS];
    uint32_t n = find_waiters(word, bits, waiter);
    long woken = 0;
    if (most == 1 && n > 1 && own_thread && own_thread->signals && !shim.over) {
        turn_wake(choose_thread(waiter, n));
        return 1;
    }
    for (; woken < most && woken < (long)n; woken++)
        turn_wake(waiter[woken]);
    return woken;
}

static long move_waiters(const uint32_t *from, const uint32_t *to, long most)
{
    long n = 0;
    for (int i = 0; i < turns.numbers && n < most; i++) {
        struct thread *t = &turns.thread[i];
        if (t->state == TURN_BLOCKED && t->word == from) {
            t->word = to;
            n++;
        }
    }
    return n;
}

/* A mutex that inherits priorities: the kernel writes its owner into the word. */
static long lock_with_priority(uint32_t *word, bool timed)
{
    uint32_t now, tid = (uint32_t)own_thread->owner;
    while ((now = __atomic_load_n(word, __ATOMIC_SEQ_CST)) & FUTEX_TID_MASK) {
        if ((now & FUTEX_TID_MASK) == tid)
            return -EDEADLK;
        __atomic_store_n(word, now | FUTEX_WAITERS, __ATOMIC_SEQ_CST);
        long rc = block_on(word, now | FUTEX_WAITERS, FUTEX_BITSET_MATCH_ANY, timed);
        if (rc == -ETIMEDOUT)
            return rc;
    }
    __atomic_store_n(word, tid | (now & FUTEX_WAITERS), __ATOMIC_SEQ_CST);
    return 0;
}

static long unlock_with_priority(uint32_t *word)
{
    __atomic_store_n(word, 0, __ATOMIC_SEQ_CST);
    wake_waiters(word, MOST_THREADS, FUTEX_BITSET_MATCH_ANY);
    return 0;
}

/* The others have ended, and nobody is there to wake the last one. */
static bool is_alone_for_ever(bool timed)
{
    return !timed && !shim.over && shim_can_be_copied();
}

/* `a` are its arguments.  Who is not one of ours may wait, too, so the kernel is told of all that wakes. */
static long do_futex(const long *a)
{
    const uint32_t *word = (const uint32_t *)a[0];
    long command = a[1] & FUTEX_CMD_MASK, most = (int)a[2], woken;
    bool is_ours = own_thread && !own_thread->ended && !entry_is_open() && (turns.alive > 1 || is_alone_for_ever(a[3] != 0));
    switch (command) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
        if (!is_ours)
            break;
        return block_on(word, (uint32_t)a[2], command == FUTEX_WAIT ? FUTEX_BITSET_MATCH_ANY : (uint32_t)a[5], a[3] != 0);
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET:
        woken = own_thread ? wake_waiters(word, most, command == FUTEX_WAKE ? FUTEX_BITSET_MATCH_ANY : (uint32_t)a[5]) : 0;
        return woken == most ? woken : woken + own_call(SYS_futex, a[0], a[1], most - woken, a[3], a[4], a[5]);
    case FUTEX_LOCK_PI:
    case FUTEX_LOCK_PI2:
        return is_ours ? lock_with_priority((uint32_t *)a[0], a[3] != 0) : own_call(SYS_futex, a[0], a[1], a[2], a[3], a[4], a[5]);
    case FUTEX_UNLOCK_PI:
        return own_thread ? unlock_with_priority((uint32_t *)a[0]) : own_call(SYS_futex, a[0], a[1], a[2], a[3], a[4], a[5]);
    case FUTEX_CMP_REQUEUE:
    case FUTEX_REQUEUE:
        if (command == FUTEX_CMP_REQUEUE && __atomic_load_n(word, __ATOMIC_SEQ_CST) != (uint32_t)a[5])
            return -EAGAIN;
        woken = wake_waiters(word, most, FUTEX_BITSET_MATCH_ANY);
        return woken + move_waiters(word, (const uint32_t *)a[4], (int)a[3]);
    }
    return own_call(SYS_futex, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* Another thread has waited for the turn for too long: this one spins; unless all others wait for what only it can do, as for a lock that it has. */
static void stop_spinner(void)
{
    if (!turns_are_taken() || entry_is_open() || atomic_load(&turns.current) != own_thread || own_thread->state != TURN_RUNS ||
        !somebody_else_may_go_on())
        return;
    own_thread->impatient = true;
    atomic_store(&turns.head->restless, 1);
    hand_on_spinning(own_thread);
}

/* What is done here may take long, and is no affair of a handler: signals come as they did before. */
static void let_signals_in(const ucontext_t *context)
{
    uint64_t mask;
    memcpy(&mask, &context->uc_sigmask, sizeof mask);
    mask &= ~(UINT64_C(1) << (SIGSYS - 1));
    own_call(SYS_rt_sigprocmask, (long)SIG_SETMASK, &mask, 0L, (long)sizeof mask);
}

bool turns_take_call(const siginfo_t *info, void *context)
{
    int saved = errno;
    if (!turns.begun)
        return false;
    if (info->si_code == SI_TKILL) {
        let_signals_in(context);
        stop_spinner();
        errno = saved;
        return true;
    }
    if (info->si_code != TURN_CALL_BY_SECCOMP || info->si_syscall != SYS_futex)
        return false;
    long a[6];
    registers_arguments(context, a);
    let_signals_in(context);
    registers_set_result(context, do_futex(a));
    errno = saved;
    return true;
}
