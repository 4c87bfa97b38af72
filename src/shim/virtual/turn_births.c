#include <dlfcn.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>

#include "arch/system_call.h"
#include "shim/bodies/entry.h"
#include "shim/channel.h"
#include "shim/core/refusal.h"
#include "shim/fence.h"
#include "shim/gate/threads.h"
#include "shim/noise.h"
#include "shim/turns.h"
#include "shim/virtual/kernel_filter.h"
#include "shim/virtual/turn_futex.h"
#include "shim/virtual/turn_locks.h"
#include "shim/virtual/turn_questions.h"
#include "shim/virtual/turn_switch.h"

#pragma weak tourney_thread_turns

static void note_kernel_numbers(struct thread *t)
{
    const uint64_t call = UINT64_C(1) << (SIGSYS - 1);
    own_call(SYS_rt_sigprocmask, (long)SIG_UNBLOCK, &call, 0L, (long)sizeof call);
    t->tid = (pid_t)own_call(SYS_gettid);
    t->tid_word = noise_thread_number();
    t->owner = atomic_load(t->tid_word);
}

/* The kernel would tell those who wait for it that its owner has died, and those wait here. */
static bool holds_robust_mutex(void)
{
    struct robust_list_head *head = NULL;
    size_t length;
    return own_call(SYS_get_robust_list, 0L, &head, &length) == 0 && head && head->list.next != &head->list;
}

/* Whoever comes next waits until the kernel has seen the last of this one. */
static void leave_turns(void *unused)
{
    struct thread *self = own_thread;
    (void)unused;
    if (holds_robust_mutex() && turns.alive > 1 && !shim.over)
        turn_refuse(self->place, "in a thread that ends with a robust mutex held: use tourney run");
    self->ended = true;
    turns.first_is_gone |= self->tid == (pid_t)own_call(SYS_getpid);
    turns.alive--;
    turns.left++;
    self->state = TURN_NONE;
    wake_waiters((const uint32_t *)self->tid_word, MOST_THREADS, FUTEX_BITSET_MATCH_ANY);
    leave_turn(self);
}

/* Before it has the turn it must not allocate memory, which the first use of a variable of the thread does. */
static void *run_thread(void *data)
{
    struct thread *self = data;
    void *result;
    note_kernel_numbers(self);
    wait_for_first_turn(self);
    own_thread = self;
    pthread_cleanup_push(leave_turns, NULL);
    result = self->function(self->data);
    pthread_cleanup_pop(1);
    return result;
}

static bool begin_turns(void)
{
    if (turns.begun)
        return own_thread;
    if (!shim_can_be_copied() || !fence_takes_system_calls() || !kernel_filter_catch_futex())
        return false;
    own_thread = &turns.thread[0];
    own_thread->state = TURN_RUNS;
    note_kernel_numbers(own_thread);
    turns.numbers = turns.alive = 1;
    turns.current = own_thread;
    turns.begun = true;
    atomic_store(&turns.head->take_turns, 1);
    return true;
}

static struct thread *new_thread(void)
{
    int i = 0;
    while (i < turns.numbers && (turns.thread[i].state != TURN_NONE || &turns.thread[i] == turns.leaver))
        i++;
    if (i == MOST_THREADS)
        refuse_because("with more than 256 threads");
    if (i == turns.numbers)
        turns.numbers++;
    turns.thread[i] = (struct thread){.state = TURN_READY, .turn = ++turns.turns, .yielded_at = NEVER_YIELDED};
    turns.alive++;
    return &turns.thread[i];
}

/* A thread is about to be started, with this function and its argument. */
static bool start_with_turns(void *(**function)(void *), void **data)
{
    if (!turns.open || entry_is_open() || shim.over || !begin_turns())
        return false;
    struct thread *started = new_thread();
    started->function = *function;
    started->data = *data;
    *function = run_thread;
    *data = started;
    return true;
}

/* It could not be. */
static void take_back(void *data)
{
    ((struct thread *)data)->state = TURN_NONE;
    turns.alive--;
}

static void note_join(void)
{
    if (own_thread && turns.left > 0)
        turns.left--;
}

static void yield_turn(void)
{
    if (!shim.over)
        turns_yield();
}

/* It would run on, up to its end, without having the turn. */
static void refuse_cancel(const void *place)
{
    if (own_thread && !shim.over)
        turn_refuse(place, "with pthread_cancel of a thread that takes turns with others: use tourney run");
}

static struct thread_turns hooks = {start_with_turns, take_back,    note_join,  turn_before_lock,
                                    turn_condition,   turn_signals, yield_turn, refuse_cancel};

void turns_open(void)
{
    thread_patterns_open((struct wire_head *)channel_head(), shim.rank);
    turns.head = (struct wire_head *)channel_head();
    if (!turns.head->copied || shim.thread_level < MPI_THREAD_SERIALIZED || !&tourney_thread_turns)
        return;
    turns.open = true;
    turns.is_script = dlsym(RTLD_DEFAULT, "Py_IsInitialized") != NULL;
    tourney_thread_turns = &hooks;
}
