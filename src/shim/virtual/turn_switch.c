#include "shim/virtual/turn_switch.h"

#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>

#include "arch/system_call.h"
#include "shim/bodies/entry.h"
#include "shim/shim.h"
#include "shim/virtual/turn_copies.h"
#include "shim/virtual/turn_order.h"

enum {
    PATIENCE = 1000,     /* ms that a thread may run without a stop while others wait for it; then it is taken to spin, */
    LESS_PATIENCE = 20,  /* and later sooner; of its own time, so that it does not matter how busy the machine is */
    LOOK = 20,           /* ms: how often that is looked at */
};

static void wait_until_gone(struct thread *leaver)
{
    int tid;
    while (leaver->tid_word && (tid = atomic_load(leaver->tid_word)) != 0)
        own_call(SYS_futex, leaver->tid_word, (long)FUTEX_WAIT, (long)tid, 0L, 0L, 0L);
    leaver->state = TURN_NONE;
    leaver->ended = false;
}

static uint64_t cpu_time_of(const struct thread *t)
{
    struct timespec time = {0};
    clockid_t clock = (clockid_t)((~(unsigned)t->tid << 3) | 6); /* as pthread_getcpuclockid has it: of the thread, its time */
    own_call(SYS_clock_gettime, (long)clock, &time);
    return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

/* A thread that spins on memory never comes to a stop by itself: one that waits for the turn sends it a signal. */
struct watch_on_spinner {
    uint64_t switches, since;
};

static void look_for_spinner(struct watch_on_spinner *watch)
{
    uint64_t switches = atomic_load(&turns.switches);
    struct thread *current = atomic_load(&turns.current);
    uint64_t now = cpu_time_of(current);
    if (!watch->since || watch->switches != switches) {
        *watch = (struct watch_on_spinner){switches, now + 1};
        return;
    }
    if (now + 1 - watch->since < (uint64_t)(current->impatient ? LESS_PATIENCE : PATIENCE))
        return;
    watch->since = now + 1;
    own_call(SYS_tgkill, own_call(SYS_getpid), (long)current->tid, (long)SIGSYS);
}

static void wait_for_turn(struct thread *self)
{
    thread_note_kernel_state(self);
    savepoint_mark(&self->kept.place); /* in a copy it goes on from here */
    thread_is_parked(self, true);
    struct watch_on_spinner watch = {0};
    const struct timespec look = {.tv_nsec = LOOK * 1000000};
    while (!atomic_load(&self->go)) {
        long rc = own_call(SYS_futex, &self->go, (long)FUTEX_WAIT_PRIVATE, 0L, &look, 0L, 0L);
        if (rc == -ETIMEDOUT && !atomic_load(&self->go))
            look_for_spinner(&watch);
    }
    thread_is_parked(self, false);
    atomic_store(&self->go, 0);
}

static void give_turn(struct thread *next)
{
    atomic_store(&turns.current, next);
    atomic_fetch_add(&turns.switches, 1);
    atomic_store(&next->go, 1);
    own_call(SYS_futex, &next->go, (long)FUTEX_WAKE_PRIVATE, 1L, 0L, 0L, 0L);
}

static void begin_turn(struct thread *self)
{
    struct thread *leaver = turns.leaver;
    turns.leaver = NULL;
    if (leaver)
        wait_until_gone(leaver);
    self->state = TURN_RUNS;
    self->locks = 0;
    self->turn = ++turns.turns;
}

void hand_on(struct thread *self)
{
    struct thread *next = next_thread();
    if (next != self) {
        give_turn(next);
        wait_for_turn(self);
    }
    begin_turn(self);
}

void hand_on_spinning(struct thread *self)
{
    self->spins = true;
    self->yielded_at = turns.steps;
    self->state = TURN_YIELDS;
    hand_on(self);
    self->spins = false;
}

void hand_on_inside(struct thread *self, enum turn_state state)
{
    self->call = shim.call;
    self->place = shim.place;
    self->state = state;
    self->inside = true;
    entry_let_others_in();
    hand_on(self);
    entry_come_back();
    self->inside = false;
}

void wait_for_first_turn(struct thread *self)
{
    wait_for_turn(self);
    begin_turn(self);
}

void leave_turn(struct thread *self)
{
    struct thread *next = next_thread();
    turns.leaver = self;
    give_turn(next);
}
