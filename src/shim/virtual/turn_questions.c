#include "shim/virtual/turn_questions.h"

#include <linux/futex.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>

#include "arch/system_call.h"
#include "shim/bodies/alternative.h"
#include "shim/bodies/entry.h"
#include "shim/channel.h"
#include "shim/comm.h"
#include "shim/core/refusal.h"
#include "shim/shim.h"
#include "shim/virtual/thread_waits.h"

/* Questions are posted as if the thread asked that they are about. */
static void speak_for(const struct thread *t)
{
    shim.call = t->call;
    shim.place = t->place;
    turns.spoken = t;
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

static int thread_by_owner(pid_t owner)
{
    for (int i = 0; owner && i < turns.numbers; i++)
        if (turns.thread[i].state != TURN_NONE && turns.thread[i].owner == owner)
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
    bool is_blocked = t->state == TURN_BLOCKED || t->state == TURN_YIELDS || (t->state == TURN_STOPPED && t->pattern.kind >= LESSON_LOCK);
    if (!is_blocked) {
        told.call = (uint16_t)t->call;
    } else if (t->state == TURN_STOPPED || (t->state == TURN_BLOCKED && t->lock && (const void *)t->word == t->lock)) {
        told.wait = THREAD_ON_MUTEX;
        told.lock = (uintptr_t)t->lock;
        told.other = t->lock ? thread_by_owner(((const pthread_mutex_t *)t->lock)->__data.__owner) : -1;
    } else {
        told.other = t->state == TURN_BLOCKED ? thread_by_end(t->word) : -1;
        told.wait = told.other < 0 ? THREAD_ON_ANOTHER : THREAD_ON_END;
    }
    return told;
}

static void post_with_threads(struct op *op, const uint32_t *number)
{
    struct op_thread told[MOST_TOLD];
    uint32_t n = 0;
    for (int i = 0; op->kind == OP_WAIT && i < turns.numbers && n < MOST_TOLD; i++)
        if (turns.thread[i].state != TURN_NONE)
            told[n++] = tell_thread(&turns.thread[i]);
    thread_waits_post(op, number, told, n);
}

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

struct thread *ask_who_is_complete(const bool *in)
{
    struct question q = {.n = 0};
    for (int i = 0; i < turns.numbers; i++)
        if (in[i] && !turns.thread[i].sure)
            add_to_question(&q, &turns.thread[i]);
    return ask_tourney(&q, OP_TEST, turns.head->less_slack ? 0 : OPF_ORDERED);
}

/* One that was taken to spin may as well be at work, and go on by itself. */
static bool somebody_spins(void)
{
    for (int i = 0; i < turns.numbers; i++)
        if (turns.thread[i].state == TURN_YIELDS && turns.thread[i].spins)
            return true;
    return false;
}

struct thread *ask_all(enum op_kind kind)
{
    struct question q = {.n = 0};
    bool sure = false, unsure = false;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < turns.numbers; i++) {
            struct thread *t = &turns.thread[i];
            if (t->state != TURN_WAITS || t->sure != pass || (kind != OP_WAIT && t->held))
                continue;
            add_to_question(&q, t);
            sure = sure || pass;
            unsure = unsure || !pass;
        }
    bool ordered = kind == OP_WAIT ? sure && unsure && turns.head->less_slack : !turns.head->less_slack;
    uint32_t flags = kind == OP_WAIT ? OPF_BLOCKING | (somebody_spins() ? OPF_OTHERS_GO : 0) : 0;
    return ask_tourney(&q, kind, flags | (ordered ? OPF_ORDERED : 0));
}

struct thread *ask_for_sure(struct thread *first)
{
    struct question q = {.n = 0};
    add_to_question(&q, first);
    for (int i = 0; i < turns.numbers; i++)
        if (&turns.thread[i] != first)
            add_to_question(&q, &turns.thread[i]);
    return ask_tourney(&q, OP_WAIT, OPF_BLOCKING | OPF_OTHERS_GO);
}

bool choose_to_hold(const struct thread *t)
{
    char text[200];
    if (!turns.head->less_slack)
        return false;
    snprintf(text, sizeof text, "wait|lets thread %d go on from %s, which need not wait|lets thread %d wait in %s", number_of_thread(t),
             call_name(t->call), number_of_thread(t), call_name(t->call));
    speak_for(t);
    bool holds = alternative_choose(2, text) == 1;
    stop_speaking();
    return holds;
}

static const char *what_is_next(const struct thread *t)
{
    switch ((enum lesson_kind)t->pattern.kind) {
    case LESSON_LOCK:
    case LESSON_SHARED_LOCK:
        return "a lock";
    case LESSON_ATTEMPT:
        return "an attempt to lock";
    case LESSON_RELEASE:
        return "the release of a lock";
    case LESSON_NONE:
    case LESSON_SEND:
    case LESSON_RECEIVE:
    case LESSON_PROBE:
    case LESSON_COLLECTIVE:
    case LESSON_BUFFER:
    case LESSON_OVERTAKING:
        break;
    }
    return t->state == TURN_BLOCKED ? "a wait for a condition" : call_name(t->call);
}

struct thread *choose_thread(struct thread **among, uint32_t n)
{
    char text[512] = "thread";
    size_t length = strlen(text);
    if (n == 1)
        return among[0];
    for (uint32_t i = 0; i < n && length < sizeof text - 80; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "|lets thread %d go on first, in %s", number_of_thread(among[i]),
                                   what_is_next(among[i]));
    speak_for(among[0]);
    uint32_t chosen = alternative_choose(n, text);
    stop_speaking();
    return among[chosen];
}

static const struct thread *first_blocked(void)
{
    int i = 0;
    while (turns.thread[i].state == TURN_NONE)
        i++;
    return &turns.thread[i];
}

_Noreturn void tell_blocked(void)
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

_Noreturn void turn_refuse(const void *place, const char *why)
{
    shim.place = place;
    refuse_because(why);
}
