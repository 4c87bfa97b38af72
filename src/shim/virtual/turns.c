#include "shim/turns.h"

#include "call/window.h"
#include "shim/bodies/entry.h"
#include "shim/core/refusal.h"
#include "shim/shim.h"
#include "shim/virtual/turn_order.h"
#include "shim/virtual/turn_questions.h"
#include "shim/virtual/turn_switch.h"

struct turn_table turns;
__thread struct thread *own_thread;

bool turns_are_taken(void)
{
    return turns.alive > 1 && own_thread;
}

int turns_speaker(void)
{
    const struct thread *speaker = turns.asks ? turns.spoken : own_thread;
    return speaker ? number_of_thread(speaker) : -1;
}

bool turns_know_thread(void)
{
    return own_thread;
}

void turns_poll_succeeded(void)
{
    if (own_thread)
        own_thread->yielded_at = NEVER_YIELDED;
}

/* One that is alone may compete with those that have ended, unless it has waited for them. */
static bool calls_are_noted(void)
{
    return own_thread && (turns.alive > 1 || turns.left > 0);
}

static void stop_if_others_compete(const struct call_pattern *pattern)
{
    if (turns_are_taken() && thread_pattern_competes(number_of_thread(own_thread), pattern))
        hand_on_inside(own_thread, TURN_STOPPED);
}

/* In which order two threads change a window, or a shared file pointer, is not varied, so one of them may. */
static void refuse_second_user(void)
{
    if (turns.keeper_user && turns.keeper_user != own_thread && turns.keeper_user->state != TURN_NONE)
        refuse_because("in a second thread of its rank that uses windows or shared file pointers: use tourney run");
    turns.keeper_user = own_thread;
}

void turns_before(const struct op *op)
{
    struct call_pattern pattern = pattern_of_op(op);
    if (turns_are_taken() && op->context == KEEPER_CONTEXT && !window_tag_is_of_contents(op->tag)) /* files are ordered by the program, or race */
        refuse_second_user();
    if (!calls_are_noted() || turns.asks || op->kind == OP_COLL)
        return;
    own_thread->pattern = pattern;
    own_thread->lock = NULL;
    own_thread->locks = 0;
    if (!op_is_poll(op) || own_thread->polls_at != shim.place)
        own_thread->yielded_at = NEVER_YIELDED;
    own_thread->polls_at = shim.place;
    if (turns_are_taken() && op_is_poll(op))
        hand_on_inside(own_thread, TURN_YIELDS);
    else
        stop_if_others_compete(&pattern);
    own_thread->pattern.kind = LESSON_NONE;
    thread_pattern_note(number_of_thread(own_thread), &pattern);
}

void turns_before_collective(context_t context)
{
    struct call_pattern pattern = {LESSON_COLLECTIVE, context, RANK_NONE, 0};
    if (!calls_are_noted())
        return;
    own_thread->pattern = pattern;
    stop_if_others_compete(&pattern);
    own_thread->pattern.kind = LESSON_NONE;
    thread_pattern_note(number_of_thread(own_thread), &pattern);
}

void turns_with_buffer(uintptr_t start, uintptr_t end, bool filled)
{
    struct call_pattern pattern = {LESSON_BUFFER, start, filled, end - start < INT32_MAX ? (int32_t)(end - start) : INT32_MAX};
    if (!turns_are_taken() || turns.asks)
        return;
    own_thread->pattern.kind = LESSON_NONE;
    stop_if_others_compete(&pattern);
    thread_pattern_note(number_of_thread(own_thread), &pattern);
}

void turns_wait(const uint32_t *number, uint32_t n, bool sure)
{
    own_thread->sure = sure;
    own_thread->number = number;
    own_thread->numbers = n;
    hand_on_inside(own_thread, TURN_WAITS);
}

void turns_probe_beside(void)
{
    if (turns.head->less_slack)
        atomic_store(&turns.head->probes_beside, 1);
}

bool turns_yield(void)
{
    if (!turns_are_taken() || !somebody_else_may_go_on())
        return false;
    if (entry_is_open()) {
        hand_on_inside(own_thread, TURN_YIELDS);
    } else {
        own_thread->state = TURN_YIELDS;
        hand_on(own_thread);
    }
    return true;
}

bool turns_other_is_inside(void)
{
    for (int i = 0; turns_are_taken() && i < turns.numbers; i++) {
        const struct thread *t = &turns.thread[i];
        if (t != own_thread && t->state != TURN_NONE && t->inside)
            return true;
    }
    return false;
}

void turns_end(void)
{
    if (turns.head && turns.head->copied)
        thread_patterns_settle();
}
