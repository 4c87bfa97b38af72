#include "shim/virtual/turn_order.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "shim/virtual/turn_questions.h"

/* Whether a thread that has stopped before a lock would get it, as far as can be seen; what cannot be seen is tried. */
static bool lock_is_free(const struct thread *t)
{
    const pthread_mutex_t *mutex = t->lock;
    return t->pattern.kind != LESSON_LOCK || !mutex || mutex->__data.__lock == 0 || mutex->__data.__owner == t->owner;
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

/* One whose request is complete in any case; what it does next commutes with what the others are about to do. */
static bool is_sure(const struct thread *t)
{
    return t->state == TURN_WAITS && t->sure;
}

static struct thread *first_sure(const bool *in)
{
    for (int i = 0; i < turns.numbers; i++)
        if ((!in || in[i]) && is_sure(&turns.thread[i]) && !turns.thread[i].held)
            return &turns.thread[i];
    return NULL;
}

/* All others only poll, this one for longest: one that is held goes on when all have polled in vain. */
static struct thread *next_sure_of_all(const struct thread *poller)
{
    struct thread *sure = first_sure(NULL);
    bool in_vain = poller->state == TURN_YIELDS && poller->yielded_at == turns.steps;
    for (int i = 0; i < turns.numbers && !sure && in_vain; i++)
        if (is_sure(&turns.thread[i]))
            sure = &turns.thread[i];
    return sure ? ask_for_sure(sure) : NULL;
}

/*
 * If there is such a one it goes on, unless it is chosen to wait as with less slack it would: only then is it seen whether the others come to
 * a stop that they cannot leave without it.
 */
static struct thread *next_sure(const bool *in)
{
    struct thread *sure;
    while ((sure = first_sure(in))) {
        if (!choose_to_hold(sure))
            return ask_for_sure(sure);
        sure->held = true;
    }
    return NULL;
}

/* They come in the order of their numbers, or so that who has not had a turn for longest comes first. */
static uint32_t find_alternatives(const bool *in, bool fairly, struct thread **among)
{
    uint32_t n = 0;
    for (int i = 0; i < turns.numbers; i++) {
        struct thread *t = &turns.thread[i];
        uint32_t at = n;
        if (!in[i] || !is_alternative(t))
            continue;
        for (n++; fairly && at > 0 && among[at - 1]->turn > t->turn; at--)
            among[at] = among[at - 1];
        among[at] = t;
    }
    return n;
}

/*
 * What is tried first makes up the first run.  A thread that looks again and again whether another has done something, each time with a lock, would be
 * tried first for ever, and no run would end; so after some times in a row it comes last.  No alternative is lost.
 */
static struct thread *choose_fairly(const bool *in)
{
    enum { IN_A_ROW = 16 };
    struct thread *among[MOST_THREADS], *chosen;
    uint32_t n = find_alternatives(in, turns.in_a_row >= IN_A_ROW, among);
    chosen = choose_thread(among, n);
    turns.in_a_row = n > 1 && chosen == turns.chosen ? turns.in_a_row + 1 : 0;
    turns.chosen = chosen;
    return chosen;
}

static struct thread *next_stopped(struct thread *first)
{
    bool in[MOST_THREADS];
    struct thread *complete;
    find_persistent(first, in);
    if (!(complete = next_sure(in)))
        complete = ask_who_is_complete(in);
    return complete ? complete : choose_fairly(in);
}

static struct thread *find_next_thread(void)
{
    struct thread *next = first_ready(), *first;
    if (next || (next = first_spinner()))
        return next;
    if ((first = first_stopped()))
        return next_stopped(first);
    if ((next = longest_yielding())) {
        struct thread *complete = next_sure_of_all(next);
        if (!complete)
            complete = ask_all(OP_TEST);
        return complete ? complete : next;
    }
    if ((next = ask_all(OP_WAIT)))
        return next;
    tell_blocked();
}

struct thread *next_thread(void)
{
    struct thread *next = find_next_thread();
    next->gives_way = next->state == TURN_YIELDS && next->spins;
    if (next->state == TURN_YIELDS)
        next->yielded_at = turns.steps;
    else if (may_time_out(next))
        next->result = -ETIMEDOUT;
    else
        turns.steps++;
    next->held = false;
    return next;
}

bool somebody_else_may_go_on(void)
{
    for (int i = 0; i < turns.numbers; i++) {
        const struct thread *t = &turns.thread[i];
        if (t != own_thread && t->state != TURN_NONE && (t->state != TURN_BLOCKED || t->timed) &&
            (t->state != TURN_STOPPED || lock_is_free(t)))
            return true;
    }
    return false;
}

bool somebody_else_goes_on_by_itself(void)
{
    for (int i = 0; i < turns.numbers; i++) {
        const struct thread *t = &turns.thread[i];
        if (t != own_thread && (t->state == TURN_READY || t->state == TURN_YIELDS || thread_can_go_on(t)))
            return true;
    }
    return false;
}
