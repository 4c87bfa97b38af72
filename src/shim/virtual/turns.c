#include "shim/turns.h"

#include <dlfcn.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unwind.h>

#include "arch/registers.h"
#include "arch/system_call.h"
#include "shim/bodies/alternative.h"
#include "shim/bodies/entry.h"
#include "shim/channel.h"
#include "shim/comm.h"
#include "shim/core/complaint.h"
#include "shim/core/module.h"
#include "shim/core/refusal.h"
#include "shim/fence.h"
#include "shim/gate/threads.h"
#include "shim/noise.h"
#include "shim/virtual/kernel_filter.h"
#include "shim/virtual/thread_patterns.h"
#include "shim/virtual/turn_calls.h"

#pragma weak tourney_thread_starter
#pragma weak tourney_lock_hook
#pragma weak tourney_yield_hook

enum {
    MOST_THREADS = 256,
    PATIENCE = 1000,     /* ms that a thread may run without a stop while others wait for it; then it is taken to spin, */
    LESS_PATIENCE = 20,  /* and later sooner; of its own time, so that it does not matter how busy the machine is */
    MOST_ASKED = 1024,   /* requests */
    MOST_TOLD = 16,      /* threads, in a deadlock */
    LOOK = 20,           /* ms: how often that is looked at */
};

enum turn_state {
    TURN_NONE,     /* nobody has this number */
    TURN_RUNS,
    TURN_READY,    /* it can run on at once */
    TURN_STOPPED,  /* in front of a call that may compete, or of a lock */
    TURN_YIELDS,   /* polls, or waits for something that nobody tells */
    TURN_WAITS,    /* for requests */
    TURN_BLOCKED,  /* on a futex */
};

struct thread {
    enum turn_state state;
    _Atomic uint32_t go;          /* its futex: 1: it has the turn */
    bool ended;                   /* and gives its number back when it has left the kernel */
    pid_t tid;
    _Atomic int *tid_word;        /* the kernel makes it 0 when the thread is gone */
    struct call_pattern pattern;  /* TURN_STOPPED, and of a probe that polls */
    const void *lock;             /* the mutex that it has asked for last; NULL: it has called something else since */
    const uint32_t *number;       /* TURN_WAITS */
    uint32_t numbers;
    bool sure;                    /* one of them is complete, unless there is less slack */
    const uint32_t *word;         /* TURN_BLOCKED */
    uint32_t bits;
    bool timed;                   /* it does not wait for ever */
    long result;                  /* of the call that blocked */
    struct call_pattern seen;     /* the message that it has probed last; LESSON_NONE: it has received since */
    uint64_t yielded_at;          /* `steps` when it last went on from a poll */
    uint64_t turn;                /* number of its last turn: who has not had one for longest comes first */
    bool inside;                  /* it has given up its turn within an MPI call */
    enum call call;               /* the MPI call that it is in, or the last one; and where */
    const void *place;
    void *(*function)(void *);    /* with which it begins, and its argument */
    void *data;
    bool spins;                   /* TURN_YIELDS: it waits for another thread to change memory, and so for the next step of one */
    bool impatient;               /* it was found to spin before */
};

static struct {
    bool open;
    bool begun;
    bool is_script;               /* the program is an interpreter, whose locks are its own affair */
    struct wire_head *head;
    int alive, numbers;           /* threads, and numbers that were ever given */
    struct thread thread[MOST_THREADS];
    _Atomic(struct thread *) current;
    struct thread *leaver;        /* had the turn before the current one, and ends */
    bool asks;                    /* what is posted now is a question of ours */
    uint64_t steps;               /* grows when something else than a poll goes on */
    uint64_t turns;
    _Atomic uint64_t switches;
} turns;

static __thread struct thread *own;

bool turns_are_taken(void)
{
    return own && turns.alive > 1;
}

bool turns_know_thread(void)
{
    return own;
}

static int number_of_thread(const struct thread *t)
{
    return (int)(t - turns.thread);
}

/* ---- the turn ---- */

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
    struct watch_on_spinner watch = {0};
    const struct timespec look = {.tv_nsec = LOOK * 1000000};
    while (!atomic_load(&self->go)) {
        long rc = own_call(SYS_futex, &self->go, (long)FUTEX_WAIT_PRIVATE, 0L, &look, 0L, 0L);
        if (rc == -ETIMEDOUT && !atomic_load(&self->go))
            look_for_spinner(&watch);
    }
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
    self->turn = ++turns.turns;
}

/* ---- who is next ---- */

/* Whether a lock is free as far as can be seen; what cannot be seen is tried. */
static bool lock_is_free(const struct thread *t)
{
    const pthread_mutex_t *mutex = t->lock;
    return t->pattern.kind != LESSON_LOCK || !mutex || mutex->__data.__lock == 0 || mutex->__data.__owner == t->tid;
}

static bool thread_can_go_on(const struct thread *t)
{
    return t->state == TURN_STOPPED && lock_is_free(t);
}

static bool may_time_out(const struct thread *t)
{
    return t->state == TURN_BLOCKED && t->timed;
}

static struct thread *first_ready(void)
{
    for (int i = 0; i < turns.numbers; i++)
        if (turns.thread[i].state == TURN_READY)
            return &turns.thread[i];
    return NULL;
}

/* One that spins, and may find that something has changed. */
static struct thread *first_spinner(void)
{
    for (int i = 0; i < turns.numbers; i++) {
        struct thread *t = &turns.thread[i];
        if (t->state == TURN_YIELDS && t->spins && t->yielded_at != turns.steps)
            return t;
    }
    return NULL;
}

static struct thread *longest_yielding(void)
{
    struct thread *found = NULL;
    for (int i = 0; i < turns.numbers; i++) {
        struct thread *t = &turns.thread[i];
        if (((t->state == TURN_YIELDS && !t->spins) || may_time_out(t)) && (!found || t->turn < found->turn))
            found = t;
    }
    return found;
}

/* Questions are posted as if the thread asked that they are about. */
static void speak_for(const struct thread *t)
{
    shim.call = t->call;
    shim.place = t->place;
    turns.asks = true;
}

static void stop_speaking(void)
{
    turns.asks = false;
    entry_resume_call();
}

/* Requests that threads wait for, and whose they are. */
struct question {
    uint32_t number[MOST_ASKED], n;
    struct thread *whose[MOST_ASKED];
};

static void add_to_question(struct question *q, struct thread *t)
{
    for (uint32_t k = 0; t->state == TURN_WAITS && k < t->numbers; k++) {
        if (q->n == MOST_ASKED)
            refuse_because("with threads that wait for more than 1024 requests");
        q->whose[q->n] = t;
        q->number[q->n++] = t->number[k];
    }
}

static int thread_by_tid(pid_t tid)
{
    for (int i = 0; i < turns.numbers; i++)
        if (turns.thread[i].state != TURN_NONE && turns.thread[i].tid == tid)
            return i;
    return -1;
}

static int thread_by_end(const uint32_t *word)
{
    for (int i = 0; i < turns.numbers; i++)
        if (turns.thread[i].state != TURN_NONE && (const void *)turns.thread[i].tid_word == (const void *)word)
            return i;
    return -1;
}

static struct op_thread tell_thread(const struct thread *t)
{
    struct op_thread told = {.thread = (uint16_t)number_of_thread(t), .wait = THREAD_IN_CALL, .other = -1};
    told.place = (uintptr_t)t->place;
    bool is_blocked = t->state == TURN_BLOCKED || t->state == TURN_YIELDS || (t->state == TURN_STOPPED && t->pattern.kind == LESSON_LOCK);
    if (!is_blocked) {
        told.call = (uint16_t)t->call;
    } else if (t->state == TURN_STOPPED || (t->state == TURN_BLOCKED && t->lock && (const void *)t->word == t->lock)) {
        told.wait = THREAD_ON_MUTEX;
        told.other = t->lock ? thread_by_tid(((const pthread_mutex_t *)t->lock)->__data.__owner) : -1;
    } else {
        told.other = t->state == TURN_BLOCKED ? thread_by_end(t->word) : -1;
        told.wait = told.other < 0 ? THREAD_ON_ANOTHER : THREAD_ON_END;
    }
    return told;
}

/* Behind the numbers. */
static void post_with_threads(struct op *op, const uint32_t *number)
{
    struct op_thread told[MOST_TOLD];
    uint32_t n = 0;
    size_t numbers = op_round(op->items * sizeof *number);
    for (int i = 0; op->kind == OP_WAIT && i < turns.numbers && n < MOST_TOLD; i++)
        if (turns.thread[i].state != TURN_NONE)
            told[n++] = tell_thread(&turns.thread[i]);
    op->type = n;
    char *tail = channel_begin(op, numbers + n * sizeof *told);
    memset(tail, 0, numbers);
    memcpy(tail, number, op->items * sizeof *number);
    memcpy(tail + numbers, told, n * sizeof *told);
    channel_commit();
}

/* Which of the threads goes on, since its request is complete; NULL: none now. */
static struct thread *ask_tourney(const struct question *q, enum op_kind kind, uint32_t flags)
{
    if (!q->n)
        return NULL;
    speak_for(q->whose[0]);
    struct op op = {.kind = kind, .flags = OPF_ANY | OPF_EITHER | flags, .items = q->n};
    post_with_threads(&op, q->number);
    const struct answer *answer = channel_sleep();
    struct thread *found = kind == OP_WAIT || answer->flag ? q->whose[answer_completions(answer)->source] : NULL;
    stop_speaking();
    return found;
}

static struct thread *ask_who_is_complete(const bool *in)
{
    struct question q = {.n = 0};
    for (int i = 0; i < turns.numbers; i++)
        if (in[i])
            add_to_question(&q, &turns.thread[i]);
    return ask_tourney(&q, OP_TEST, 0);
}

static struct thread *ask_all(enum op_kind kind)
{
    struct question q = {.n = 0};
    for (int i = 0; i < turns.numbers; i++)
        add_to_question(&q, &turns.thread[i]);
    return ask_tourney(&q, kind, kind == OP_WAIT ? OPF_BLOCKING : 0);
}

/* Those whose requests are surely complete come first, and are asked for only because with less slack they would not be. */
static struct thread *ask_for_sure(bool others_go)
{
    struct question q = {.n = 0};
    bool sure = false;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < turns.numbers; i++)
            if (turns.thread[i].state == TURN_WAITS && turns.thread[i].sure == !pass) {
                add_to_question(&q, &turns.thread[i]);
                sure = sure || !pass;
            }
    return sure ? ask_tourney(&q, OP_WAIT, OPF_BLOCKING | (others_go ? OPF_OTHERS_GO : 0)) : NULL;
}

/* May this one, which is in the set, be overtaken by that one, which is not? */
static bool may_be_overtaken(const struct thread *t, int other)
{
    return (t->state == TURN_STOPPED || t->state == TURN_YIELDS) && thread_may_compete(other, &t->pattern);
}

static void add_all(bool *in)
{
    for (int i = 0; i < turns.numbers; i++)
        in[i] = true;
}

/*
 * A persistent set (as partial-order methods have them): threads such that what the others do until one of these goes on commutes with what these are
 * about to do.  One that competes and is blocked may be set free by anybody, and one that does not exist may be started by
 * anybody: then all are in it.
 */
static void find_persistent(const struct thread *first, bool *in)
{
    memset(in, 0, MOST_THREADS * sizeof *in);
    in[number_of_thread(first)] = true;
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < turns.numbers; i++)
            for (int k = 0; in[i] && k < MOST_THREADS; k++) {
                const struct thread *other = &turns.thread[k];
                if (in[k] || !may_be_overtaken(&turns.thread[i], k))
                    continue;
                in[k] = more = true;
                if (other->state == TURN_NONE || other->state == TURN_BLOCKED || (other->state == TURN_STOPPED && !thread_can_go_on(other))) {
                    add_all(in);
                    return;
                }
            }
    }
}

static struct thread *choose_thread(struct thread **among, uint32_t n)
{
    char text[512] = "thread";
    size_t length = strlen(text);
    if (n == 1)
        return among[0];
    for (uint32_t i = 0; i < n && length < sizeof text - 80; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "|lets thread %d go on first, in %s", number_of_thread(among[i]),
                                   among[i]->pattern.kind == LESSON_LOCK ? "a lock" : call_name(among[i]->call));
    speak_for(among[0]);
    uint32_t chosen = alternative_choose(n, text);
    stop_speaking();
    return among[chosen];
}

/* A poll that was made since anything else went on is not one of them again. */
static bool is_alternative(const struct thread *t)
{
    return thread_can_go_on(t) || (t->state == TURN_YIELDS && !t->spins && t->yielded_at != turns.steps);
}

static struct thread *first_stopped(void)
{
    for (int i = 0; i < turns.numbers; i++)
        if (thread_can_go_on(&turns.thread[i]))
            return &turns.thread[i];
    return NULL;
}

static struct thread *next_stopped(struct thread *first)
{
    bool in[MOST_THREADS];
    struct thread *among[MOST_THREADS], *complete;
    uint32_t n = 0;
    find_persistent(first, in);
    complete = ask_who_is_complete(in);
    for (int i = 0; i < turns.numbers && !complete; i++)
        if (in[i] && is_alternative(&turns.thread[i]))
            among[n++] = &turns.thread[i];
    return complete ? complete : choose_thread(among, n);
}

static const struct thread *first_blocked(void)
{
    int i = 0;
    while (turns.thread[i].state == TURN_NONE)
        i++;
    return &turns.thread[i];
}

/* Nobody can go on, and nobody waits for what others could bring: tourney is told so by a wait for nothing. */
static _Noreturn void tell_blocked(void)
{
    static uint32_t nobody;
    for (;;) {
        if (!shim.over) {
            speak_for(first_blocked());
            struct op op = {.kind = OP_WAIT, .flags = OPF_ANY | OPF_EITHER | OPF_BLOCKING, .context = comm_self()->context};
            post_with_threads(&op, &nobody);
            channel_sleep();
        }
        own_call(SYS_futex, &nobody, (long)FUTEX_WAIT_PRIVATE, 0L, 0L, 0L, 0L);
    }
}

static struct thread *find_next_thread(void)
{
    struct thread *next = first_ready(), *first;
    if (next || (next = ask_for_sure(first_stopped() || longest_yielding())))
        return next;
    if ((next = first_spinner()))
        return next;
    if ((first = first_stopped()))
        return next_stopped(first);
    if ((next = longest_yielding())) {
        struct thread *complete = ask_all(OP_TEST);
        return complete ? complete : next;
    }
    if ((next = ask_all(OP_WAIT)))
        return next;
    tell_blocked();
}

static struct thread *take_next_thread(void)
{
    struct thread *next = find_next_thread();
    if (next->state == TURN_YIELDS)
        next->yielded_at = turns.steps;
    else if (may_time_out(next))
        next->result = -ETIMEDOUT;
    else
        turns.steps++;
    return next;
}

/* The thread that has the turn, and has said in its state why it gives it up, waits until it has it again. */
static void hand_on(struct thread *self)
{
    struct thread *next = take_next_thread();
    if (next != self) {
        give_turn(next);
        wait_for_turn(self);
    }
    begin_turn(self);
}

/* The same in an MPI call, in which others may be meanwhile. */
static void hand_on_inside(struct thread *self, enum turn_state state)
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

/* ---- stops ---- */

void turns_saw_message(context_t context, rank_t source, int32_t tag)
{
    own->seen = (struct call_pattern){LESSON_PROBE, context, source, tag};
}

/* Of a message that two threads could receive, which have both seen it or not, one gets it; who has seen it counts on it. */
static void compare_with_probes(const struct call_pattern *receive)
{
    own->seen.kind = LESSON_NONE;
    for (int i = 0; i < turns.numbers; i++) {
        struct thread *t = &turns.thread[i];
        if (t == own || t->state == TURN_NONE || t->seen.kind == LESSON_NONE || !thread_patterns_meet(receive, &t->seen))
            continue;
        complain(COMPLAINT_THREAD_PROBE, "%s may take the message from rank %d with tag %d that another thread of the rank has seen by a probe",
                 call_name(shim.call), t->seen.peer, t->seen.tag);
        t->seen.kind = LESSON_NONE;
    }
}

void turns_before(const struct op *op)
{
    struct call_pattern pattern = pattern_of_op(op);
    if (!turns_are_taken() || turns.asks || op->kind == OP_COLL)
        return;
    own->pattern = pattern;
    own->lock = NULL;
    if (op_is_poll(op))
        hand_on_inside(own, TURN_YIELDS);
    else if (thread_pattern_competes(number_of_thread(own), &pattern))
        hand_on_inside(own, TURN_STOPPED);
    own->pattern.kind = LESSON_NONE;
    thread_pattern_note(number_of_thread(own), &pattern);
    if (pattern.kind == LESSON_RECEIVE && turns_are_taken())
        compare_with_probes(&pattern);
}

void turns_before_collective(context_t context)
{
    struct call_pattern pattern = {LESSON_COLLECTIVE, context, RANK_NONE, 0};
    if (!turns_are_taken())
        return;
    own->pattern = pattern;
    if (thread_pattern_competes(number_of_thread(own), &pattern))
        hand_on_inside(own, TURN_STOPPED);
    own->pattern.kind = LESSON_NONE;
    thread_pattern_note(number_of_thread(own), &pattern);
}

void turns_wait(const uint32_t *number, uint32_t n, bool sure)
{
    own->sure = sure;
    own->number = number;
    own->numbers = n;
    hand_on_inside(own, TURN_WAITS);
}

static bool somebody_else_may_go_on(void)
{
    for (int i = 0; i < turns.numbers; i++) {
        const struct thread *t = &turns.thread[i];
        if (t != own && t->state != TURN_NONE && (t->state != TURN_BLOCKED || t->timed) &&
            (t->state != TURN_STOPPED || lock_is_free(t)))
            return true;
    }
    return false;
}

bool turns_yield(void)
{
    if (!turns_are_taken() || !somebody_else_may_go_on())
        return false;
    if (entry_is_open()) {
        hand_on_inside(own, TURN_YIELDS);
    } else {
        own->state = TURN_YIELDS;
        hand_on(own);
    }
    return true;
}

bool turns_other_is_inside(void)
{
    for (int i = 0; turns_are_taken() && i < turns.numbers; i++) {
        const struct thread *t = &turns.thread[i];
        if (t != own && t->state != TURN_NONE && t->inside)
            return true;
    }
    return false;
}

/* In front of a lock that the program takes; what libraries lock is their affair. */
static void before_lock(const void *lock, const void *place, bool is_mutex)
{
    if (!turns_are_taken() || entry_is_open() || turns.asks || shim.over || turns.is_script || module_kind_at(place) != MODULE_PROGRAM)
        return;
    own->pattern = (struct call_pattern){LESSON_LOCK, (uintptr_t)lock, RANK_NONE, 0};
    own->lock = is_mutex ? lock : NULL;
    own->place = place;
    if (thread_pattern_competes(number_of_thread(own), &own->pattern)) {
        own->state = TURN_STOPPED;
        hand_on(own);
    }
    thread_pattern_note(number_of_thread(own), &own->pattern);
    own->pattern.kind = LESSON_NONE;
}

/* ---- futexes ---- */

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
    own->word = word;
    own->bits = bits;
    own->timed = timed;
    own->result = 0;
    if ((const void *)word != own->lock)
        own->place = program_place();
    own->state = TURN_BLOCKED;
    hand_on(own);
    return own->result;
}

static long wake_waiters(const uint32_t *word, long most, uint32_t bits)
{
    long n = 0;
    for (;;) {
        struct thread *oldest = NULL; /* who had its last turn before all others has waited longest */
        for (int i = 0; i < turns.numbers; i++) {
            struct thread *t = &turns.thread[i];
            if (t->state == TURN_BLOCKED && t->word == word && t->bits & bits && (!oldest || t->turn < oldest->turn))
                oldest = t;
        }
        if (!oldest || n == most)
            return n;
        oldest->state = TURN_READY;
        n++;
    }
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

/* `a` are its arguments.  Who is not one of ours may wait, too, so the kernel is told of all that wakes. */
static long do_futex(const long *a)
{
    const uint32_t *word = (const uint32_t *)a[0];
    long command = a[1] & FUTEX_CMD_MASK, most = (int)a[2], woken;
    bool is_ours = own && !own->ended && turns.alive > 1 && !entry_is_open();
    switch (command) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
        if (!is_ours)
            break;
        return block_on(word, (uint32_t)a[2], command == FUTEX_WAIT ? FUTEX_BITSET_MATCH_ANY : (uint32_t)a[5], a[3] != 0);
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET:
        woken = own ? wake_waiters(word, most, command == FUTEX_WAKE ? FUTEX_BITSET_MATCH_ANY : (uint32_t)a[5]) : 0;
        return woken == most ? woken : woken + own_call(SYS_futex, a[0], a[1], most - woken, a[3], a[4], a[5]);
    case FUTEX_CMP_REQUEUE:
    case FUTEX_REQUEUE:
        if (command == FUTEX_CMP_REQUEUE && __atomic_load_n(word, __ATOMIC_SEQ_CST) != (uint32_t)a[5])
            return -EAGAIN;
        woken = wake_waiters(word, most, FUTEX_BITSET_MATCH_ANY);
        return woken + move_waiters(word, (const uint32_t *)a[4], (int)a[3]);
    }
    return own_call(SYS_futex, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* Another thread has waited for the turn for too long: this one spins. */
static void stop_spinner(void)
{
    if (!turns_are_taken() || entry_is_open() || atomic_load(&turns.current) != own || own->state != TURN_RUNS)
        return;
    own->impatient = true;
    atomic_store(&turns.head->restless, 1);
    own->spins = true;
    own->yielded_at = turns.steps;
    own->state = TURN_YIELDS;
    hand_on(own);
    own->spins = false;
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

/* ---- beginnings and ends ---- */

static void note_kernel_numbers(struct thread *t)
{
    const uint64_t call = UINT64_C(1) << (SIGSYS - 1);
    own_call(SYS_rt_sigprocmask, (long)SIG_UNBLOCK, &call, 0L, (long)sizeof call);
    t->tid = (pid_t)own_call(SYS_gettid);
    t->tid_word = noise_thread_number();
}

/* Whoever comes next waits until the kernel has seen the last of this one. */
static void leave_turns(void *unused)
{
    struct thread *self = own;
    (void)unused;
    self->ended = true;
    turns.alive--;
    self->state = TURN_NONE;
    wake_waiters((const uint32_t *)self->tid_word, MOST_THREADS, FUTEX_BITSET_MATCH_ANY);
    struct thread *next = take_next_thread();
    turns.leaver = self;
    give_turn(next);
}

/* Before it has the turn it must not allocate memory, which the first use of a variable of the thread does. */
static void *run_thread(void *data)
{
    struct thread *self = data;
    void *result;
    note_kernel_numbers(self);
    wait_for_turn(self);
    begin_turn(self);
    own = self;
    pthread_cleanup_push(leave_turns, NULL);
    result = self->function(self->data);
    pthread_cleanup_pop(1);
    return result;
}

static bool begin_turns(void)
{
    if (turns.begun)
        return own;
    if (!shim_can_be_copied() || !fence_takes_system_calls() || !kernel_filter_catch_futex())
        return false;
    own = &turns.thread[0];
    own->state = TURN_RUNS;
    note_kernel_numbers(own);
    turns.numbers = turns.alive = 1;
    turns.current = own;
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
    turns.thread[i] = (struct thread){.state = TURN_READY, .turn = ++turns.turns};
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

static void yield_hook(void)
{
    if (!shim.over)
        turns_yield();
}

static struct thread_starter starter = {start_with_turns, take_back};

void turns_open(void)
{
    thread_patterns_open((struct wire_head *)channel_head(), shim.rank);
    turns.head = (struct wire_head *)channel_head();
    if (!turns.head->copied || shim.thread_level < MPI_THREAD_SERIALIZED || !&tourney_thread_starter)
        return;
    turns.open = true;
    turns.is_script = dlsym(RTLD_DEFAULT, "Py_IsInitialized") != NULL;
    tourney_thread_starter = &starter;
    tourney_lock_hook = before_lock;
    tourney_yield_hook = yield_hook;
}

void turns_end(void)
{
    if (turns.head && turns.head->copied)
        thread_patterns_settle();
}
