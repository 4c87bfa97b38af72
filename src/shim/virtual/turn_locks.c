#include "shim/virtual/turn_locks.h"

#include "shim/bodies/entry.h"
#include "shim/core/module.h"
#include "shim/shim.h"
#include "shim/turns.h"
#include "shim/virtual/turn_order.h"
#include "shim/virtual/turn_switch.h"

/*
 * Who asks for locks so often, and for nothing else, may look again and again whether another thread has done something: it yields to one that can do something.  That is
 * counted and not timed, so that a rank does the same each time; who was at work has lost nothing but its turn.  If all others wait for requests, nobody yields: that would be
 * a poll for these, and who works for long would be taken to poll for ever.
 */
enum { MANY_LOCKS = 1000 };

static const enum lesson_kind lesson_of_step[] = {
    [LOCK_MUTEX] = LESSON_LOCK,       [LOCK_OTHER] = LESSON_LOCK,       [LOCK_SHARED] = LESSON_SHARED_LOCK,
    [LOCK_ATTEMPT] = LESSON_ATTEMPT,  [LOCK_RELEASE] = LESSON_RELEASE,
};

static struct call_pattern pattern_of_lock(const void *lock, enum lesson_kind kind)
{
    return (struct call_pattern){kind, (uintptr_t)lock, RANK_NONE, 0};
}

/* What libraries lock is their affair. */
static bool heeds_locks_of(const void *place)
{
    return own_thread && (turns.alive > 1 || turns.left > 0) && !entry_is_open() && !turns.asks && !shim.over && !turns.is_script && module_kind_at(place) == MODULE_PROGRAM;
}

static void give_way(enum lock_step step)
{
    if (step == LOCK_RELEASE || entry_is_open() || own_thread->state != TURN_RUNS || !somebody_else_may_go_on())
        return;
    if (own_thread->gives_way) {
        own_thread->gives_way = false;
        hand_on_spinning(own_thread);
    } else if (++own_thread->locks >= MANY_LOCKS && somebody_else_goes_on_by_itself()) {
        turns_yield();
    }
}

void turn_before_lock(const void *lock, const void *place, enum lock_step step)
{
    if (own_thread)
        give_way(step);
    if (!heeds_locks_of(place))
        return;
    struct call_pattern pattern = pattern_of_lock(lock, lesson_of_step[step]);
    own_thread->pattern = pattern;
    own_thread->lock = step == LOCK_MUTEX ? lock : NULL;
    own_thread->place = place;
    if (turns_are_taken() && thread_pattern_competes(number_of_thread(own_thread), &pattern)) {
        own_thread->state = TURN_STOPPED;
        hand_on(own_thread);
    }
    thread_pattern_note(number_of_thread(own_thread), &pattern);
    own_thread->pattern.kind = LESSON_NONE;
}

void turn_condition(const void *mutex)
{
    if (own_thread && !entry_is_open())
        own_thread->returns_to = mutex;
}

void turn_signals(bool signals)
{
    if (own_thread)
        own_thread->signals = signals;
}

void turn_wake(struct thread *t)
{
    t->state = TURN_READY;
    if (!t->returns_to)
        return;
    struct call_pattern pattern = pattern_of_lock(t->returns_to, LESSON_LOCK);
    if (!thread_pattern_competes(number_of_thread(t), &pattern))
        return;
    t->pattern = pattern;
    t->lock = t->returns_to;
    t->state = TURN_STOPPED;
}

void turn_note_mutex(struct thread *t)
{
    if (!t->returns_to)
        return;
    struct call_pattern pattern = pattern_of_lock(t->returns_to, LESSON_LOCK);
    thread_pattern_note(number_of_thread(t), &pattern);
    t->pattern.kind = LESSON_NONE;
    t->returns_to = NULL;
}
