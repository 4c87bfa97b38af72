#include "shim/virtual/thread_patterns.h"

#include <stdlib.h>
#include <string.h>

#include "call/window.h"
#include "shim/shim.h"

/* A pattern, and who has used it in this run. */
struct used_pattern {
    struct call_pattern pattern;
    int thread;
    uint32_t times;
};

enum {
    MOST_BUFFERS = 512,       /* that are noted in a run, so that a call with one takes no longer the more there were */
    MOST_BUFFER_LESSONS = 32, /* so that there is room for others */
};

static struct {
    struct wire_head *head;
    rank_t rank;
    struct used_pattern *used; /* owned */
    size_t n, room;
    size_t buffers; /* of these */
} known;

void thread_patterns_open(struct wire_head *head, rank_t rank)
{
    known.head = head;
    known.rank = rank;
}

static enum lesson_kind kind_of_op(const struct op *op)
{
    if (op->context == KEEPER_CONTEXT)
        return LESSON_NONE;
    if (op->kind == OP_SEND)
        return LESSON_SEND;
    if (op->kind == OP_RECV)
        return LESSON_RECEIVE;
    if (op_probes(op))
        return op->flags & OPF_TAKE ? LESSON_RECEIVE : LESSON_PROBE;
    return LESSON_NONE;
}

struct call_pattern pattern_of_op(const struct op *op)
{
    return (struct call_pattern){kind_of_op(op), op->context, op->peer, op->tag};
}

static uint64_t context_bit(context_t context)
{
    return UINT64_C(1) << context % 64;
}

static bool patterns_overlap(const struct call_pattern *a, const struct call_pattern *b)
{
    return (a->peer == b->peer || a->peer == RANK_ANY || b->peer == RANK_ANY) &&
           (a->tag == b->tag || a->tag == TAG_ANY || b->tag == TAG_ANY);
}

static bool takes_lock(const struct call_pattern *pattern)
{
    return pattern->kind == LESSON_LOCK || pattern->kind == LESSON_SHARED_LOCK || pattern->kind == LESSON_ATTEMPT;
}

/* Who waits for a lock does not see when it was released, but who only tries does. */
static bool locks_compete(const struct call_pattern *a, const struct call_pattern *b)
{
    if (a->kind == LESSON_RELEASE || b->kind == LESSON_RELEASE)
        return a->kind == LESSON_ATTEMPT || b->kind == LESSON_ATTEMPT;
    return takes_lock(a) && takes_lock(b) && !(a->kind == LESSON_SHARED_LOCK && b->kind == LESSON_SHARED_LOCK);
}

/* Bytes in common, and one of the calls fills them. */
static bool buffers_are_at_odds(const struct call_pattern *a, const struct call_pattern *b)
{
    return (a->peer || b->peer) && a->context < b->context + (uint32_t)b->tag && b->context < a->context + (uint32_t)a->tag;
}

/* `any_tag` as in struct wire_head: where the order of sends with different tags matters. */
static bool patterns_compete(const struct call_pattern *a, const struct call_pattern *b, uint64_t any_tag)
{
    if (a->kind == LESSON_BUFFER && b->kind == LESSON_BUFFER)
        return buffers_are_at_odds(a, b);
    if (a->context != b->context)
        return false;
    if (a->kind == LESSON_SEND && b->kind == LESSON_SEND)
        return a->peer == b->peer && (a->tag == b->tag || any_tag & context_bit(a->context));
    bool receives = a->kind == LESSON_RECEIVE || b->kind == LESSON_RECEIVE;
    if (receives && (a->kind == LESSON_PROBE || b->kind == LESSON_PROBE || a->kind == b->kind))
        return patterns_overlap(a, b);
    return (a->kind == LESSON_COLLECTIVE && b->kind == LESSON_COLLECTIVE) || locks_compete(a, b);
}

static struct call_pattern pattern_of_lesson(const struct thread_lesson *lesson)
{
    return (struct call_pattern){lesson->kind, lesson->context, lesson->peer, lesson->tag};
}

static bool is_same_pattern(const struct call_pattern *a, const struct call_pattern *b)
{
    return a->kind == b->kind && a->context == b->context && a->peer == b->peer && a->tag == b->tag;
}

static struct thread_lesson *find_lesson(int thread, const struct call_pattern *pattern)
{
    uint32_t n = atomic_load(&known.head->lessons);
    for (uint32_t i = 0; i < n && i < WIRE_LESSONS; i++) {
        struct thread_lesson *lesson = &known.head->lesson[i];
        struct call_pattern there = pattern_of_lesson(lesson);
        if (lesson->rank == known.rank && lesson->thread == thread && is_same_pattern(&there, pattern))
            return lesson;
    }
    return NULL;
}

static bool has_room_for_lesson(const struct call_pattern *pattern)
{
    uint32_t n = atomic_load(&known.head->lessons), buffers = 0;
    for (uint32_t i = 0; pattern->kind == LESSON_BUFFER && i < n && i < WIRE_LESSONS; i++)
        buffers += known.head->lesson[i].kind == LESSON_BUFFER;
    return buffers < MOST_BUFFER_LESSONS;
}

static void add_lesson(int thread, const struct call_pattern *pattern, uint32_t times)
{
    struct thread_lesson *there = find_lesson(thread, pattern);
    uint16_t most = times < UINT16_MAX ? (uint16_t)times : UINT16_MAX;
    if (there && atomic_load(&there->times) < most)
        atomic_store(&there->times, most);
    if (there || !has_room_for_lesson(pattern))
        return;
    uint32_t i = atomic_fetch_add(&known.head->lessons, 1);
    if (i < WIRE_LESSONS)
        known.head->lesson[i] = (struct thread_lesson){.rank = known.rank,
                                                       .thread = (uint16_t)thread,
                                                       .kind = pattern->kind,
                                                       .context = pattern->context,
                                                       .peer = pattern->peer,
                                                       .tag = pattern->tag,
                                                       .times = most};
}

void thread_patterns_note_any_tag(context_t context)
{
    if (!(atomic_load(&known.head->any_tag) & context_bit(context)))
        atomic_fetch_or(&known.head->any_tag, context_bit(context));
}

static struct used_pattern *find_used(int thread, const struct call_pattern *pattern)
{
    for (size_t i = known.n; i-- > 0;)
        if (known.used[i].thread == thread && is_same_pattern(&known.used[i].pattern, pattern))
            return &known.used[i];
    return NULL;
}

static struct used_pattern *add_used(int thread, const struct call_pattern *pattern)
{
    if (known.n == known.room) {
        known.room = known.room ? 2 * known.room : 64;
        known.used = shim_realloc(known.used, known.room * sizeof *known.used);
    }
    known.used[known.n] = (struct used_pattern){*pattern, thread, 0};
    known.buffers += pattern->kind == LESSON_BUFFER;
    return &known.used[known.n++];
}

void thread_pattern_note(int thread, const struct call_pattern *pattern)
{
    if (pattern->kind == LESSON_NONE)
        return;
    struct used_pattern *mine = find_used(thread, pattern);
    bool is_new = !mine;
    if (is_new && pattern->kind == LESSON_BUFFER && known.buffers == MOST_BUFFERS)
        return;
    if (is_new)
        mine = add_used(thread, pattern);
    if (is_new || pattern->kind != LESSON_BUFFER)
        mine->times++;
    if (!is_new) {
        if (find_lesson(thread, pattern))
            add_lesson(thread, pattern, mine->times);
        return;
    }
    for (size_t i = 0; i < known.n; i++) {
        const struct used_pattern *other = &known.used[i];
        if (other->thread == thread || !patterns_compete(&other->pattern, pattern, atomic_load(&known.head->any_tag)))
            continue;
        add_lesson(thread, pattern, mine->times);
        add_lesson(other->thread, &other->pattern, other->times);
    }
}

static bool lesson_competes(const struct thread_lesson *lesson, const struct call_pattern *pattern)
{
    struct call_pattern there = pattern_of_lesson(lesson);
    return lesson->rank == known.rank && patterns_compete(&there, pattern, known.head->any_tag_in_force);
}

/* There are too many lessons to tell. */
static bool all_compete(const struct call_pattern *pattern)
{
    return pattern->kind != LESSON_NONE && known.head->lessons_in_force > WIRE_LESSONS;
}

bool thread_pattern_competes(int thread, const struct call_pattern *pattern)
{
    uint32_t n = known.head->lessons_in_force;
    if (all_compete(pattern))
        return true;
    for (uint32_t i = 0; i < n && pattern->kind != LESSON_NONE; i++)
        if (known.head->lesson[i].thread != thread && lesson_competes(&known.head->lesson[i], pattern))
            return true;
    return false;
}

/* Whether the thread has not yet made such calls as often as it does in any run. */
static bool may_come_again(const struct thread_lesson *lesson)
{
    struct call_pattern pattern = pattern_of_lesson(lesson);
    const struct used_pattern *used = find_used(lesson->thread, &pattern);
    return !used || used->times < lesson->times_in_force || lesson->times_in_force == UINT16_MAX;
}

bool thread_may_compete(int other, const struct call_pattern *pattern)
{
    uint32_t n = known.head->lessons_in_force;
    if (all_compete(pattern))
        return true;
    for (uint32_t i = 0; i < n && pattern->kind != LESSON_NONE; i++) {
        const struct thread_lesson *lesson = &known.head->lesson[i];
        if (lesson->thread == other && lesson_competes(lesson, pattern) && may_come_again(lesson))
            return true;
    }
    return false;
}

static struct call_pattern overtaking(uint32_t slot, rank_t target)
{
    return (struct call_pattern){.kind = LESSON_OVERTAKING, .context = slot, .peer = target};
}

void overtaking_note(uint32_t slot, rank_t target)
{
    const struct call_pattern pattern = overtaking(slot, target);
    add_lesson(0, &pattern, 1);
}

bool overtaking_is_known(uint32_t slot, rank_t target)
{
    const struct call_pattern pattern = overtaking(slot, target);
    const struct thread_lesson *lesson = find_lesson(0, &pattern);
    return all_compete(&pattern) || (lesson && lesson < known.head->lesson + known.head->lessons_in_force);
}

static bool more_calls_came(void)
{
    uint32_t n = known.head->lessons_in_force;
    for (uint32_t i = 0; i < n && i < WIRE_LESSONS; i++)
        if (atomic_load(&known.head->lesson[i].times) > known.head->lesson[i].times_in_force)
            return true;
    return false;
}

void thread_patterns_settle(void)
{
    const struct wire_head *head = known.head;
    if (atomic_load(&known.head->lessons) > head->lessons_in_force || more_calls_came() ||
        (atomic_load(&known.head->take_turns) && atomic_load(&known.head->any_tag) != head->any_tag_in_force))
        atomic_store(&known.head->lessons_due, 1);
}
