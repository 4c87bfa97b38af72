#include "diagnosis/blame.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/die.h"
#include "call/calls.h"
#include "diagnosis/near_misses.h"

static void __attribute__((format(printf, 2, 3))) say_why_blamed(struct blame *blame, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&blame->why, format, arguments) < 0)
        die("out of memory");
    va_end(arguments);
}

static bool has_ended(const struct final_state *final, rank_t r)
{
    int code;
    enum rank_stand stand = final->stand(final->data, r, &code);
    return stand == RANK_FINALIZED || stand == RANK_EXITED;
}

/* ---- near misses ---- */

struct misses {
    int n;
    rank_t rank, other; /* of the last one */
    bool message;       /* is the other end */
    char difference[16];
    bool alike;         /* it is the same in all of them */
    bool *has_missed;   /* by rank: it is stuck, and one of the near misses is its own */
    bool *took_part;    /* by rank: it has an end of some near miss, its own or that of another */
};

static void count_miss(void *data, const struct near_miss *miss)
{
    struct misses *misses = data;
    misses->alike = misses->n++ == 0 || (misses->alike && strcmp(miss->difference, misses->difference) == 0);
    misses->rank = miss->rank;
    misses->other = miss->other;
    misses->message = strcmp(miss->end, "message") == 0;
    misses->has_missed[miss->rank] = misses->took_part[miss->rank] = misses->took_part[miss->other] = true;
    snprintf(misses->difference, sizeof misses->difference, "%s", miss->difference);
}

/* Each rank that waits could go on but for this difference. */
static bool explain_all(const struct misses *misses, const struct final_state *final)
{
    for (rank_t r = 0; r < final->ranks; r++)
        if (final_waits(final, r) && !misses->has_missed[r])
            return false;
    return true;
}

struct hope {
    const struct final_state *final;
    bool left; /* somebody that is waited for might still have sent */
};

static void look_for_hope(void *data, const struct sem_need *need)
{
    struct hope *hope = data;
    for (int i = 0; i < need->n; i++)
        hope->left = hope->left || !has_ended(hope->final, need->ranks[i]);
}

static bool waits_in_vain(const struct final_state *final, rank_t r)
{
    struct hope hope = {final, false};
    final_needs(final, r, look_for_hope, &hope);
    return !hope.left;
}

static void blame_misses(struct blame *blame, const struct final_state *final, const struct misses *misses)
{
    bool one = misses->n == 1, source = strcmp(misses->difference, "source") == 0;
    if (source && one && misses->message && waits_in_vain(final, misses->rank)) {
        vec_push(&blame->culprits, misses->rank);
        say_why_blamed(blame, "which names another source than rank %d, whose message has arrived", misses->other);
    }
    if (source || !(one || (misses->alike && explain_all(misses, final))))
        return;
    for (rank_t r = 0; r < final->ranks; r++)
        if (misses->took_part[r])
            vec_push(&blame->culprits, r);
    say_why_blamed(blame, "whose %s do not agree on the %s", one ? "send and receive" : "sends and receives",
                   misses->difference);
}

static void blame_near_miss(struct blame *blame, const struct final_state *final)
{
    struct misses misses = {.has_missed = xcalloc((size_t)final->ranks, sizeof(bool)),
                            .took_part = xcalloc((size_t)final->ranks, sizeof(bool))};
    for (rank_t r = 0; r < final->ranks; r++)
        near_misses_tell(final, r, count_miss, &misses);
    if (misses.n)
        blame_misses(blame, final, &misses);
    free(misses.has_missed);
    free(misses.took_part);
}

/* ---- one rank that has left ---- */

static bool rank_has_chosen(const struct final_state *final, rank_t r)
{
    return final->has_chosen && final->has_chosen(final->data, r);
}

struct leavers {
    const struct final_state *final;
    rank_t waiting; /* for whom it is looked */
    rank_t gone, left_by;
    bool several;
};

static void look_for_leaver(void *data, const struct sem_need *need)
{
    struct leavers *leavers = data;
    for (int i = 0; i < need->n && (need->all || need->n == 1); i++) {
        if (!has_ended(leavers->final, need->ranks[i]))
            continue;
        leavers->several = leavers->several || (leavers->gone >= 0 && leavers->gone != need->ranks[i]);
        leavers->gone = need->ranks[i];
        leavers->left_by = leavers->waiting;
    }
}

static void blame_leaver(struct blame *blame, const struct final_state *final)
{
    struct leavers leavers = {.final = final, .gone = RANK_NONE};
    for (leavers.waiting = 0; leavers.waiting < final->ranks; leavers.waiting++)
        if (final_waits(final, leavers.waiting))
            final_needs(final, leavers.waiting, look_for_leaver, &leavers);
    if (leavers.gone < 0 || leavers.several || rank_has_chosen(final, leavers.left_by))
        return;
    vec_push(&blame->culprits, leavers.gone);
    say_why_blamed(blame, "which has ended although rank %d waits for it", leavers.left_by);
}

/* ---- a few that are missing in a collective ---- */

/* The first collective in which somebody is stuck, and how many are stuck in it. */
struct stuck_collective {
    const struct sem *sem;
    op_id op;
    struct sem_view view;
    int waiting;
};

static void count_waiting(void *data, const struct sem_need *need)
{
    struct stuck_collective *meeting = data;
    if (need->op == OP_ID_NONE)
        return;
    struct sem_view view = sem_view(meeting->sem, need->op);
    if (view.kind != SEM_COLL)
        return;
    if (!meeting->waiting) {
        meeting->op = need->op;
        meeting->view = view;
    }
    meeting->waiting += view.context == meeting->view.context && view.tag == meeting->view.tag;
}

static void blame_missing(struct blame *blame, const struct final_state *final)
{
    struct stuck_collective meeting = {.sem = final->sem};
    for (rank_t r = 0; r < final->ranks; r++)
        if (final_waits(final, r))
            final_needs(final, r, count_waiting, &meeting);
    if (!meeting.waiting)
        return;
    rank_t *missing = xcalloc((size_t)final->ranks, sizeof *missing);
    int n = sem_coll_missing(final->sem, meeting.op, missing);
    for (int i = 0; i < n && n < meeting.waiting; i++)
        vec_push(&blame->culprits, missing[i]);
    if (blame->culprits.n)
        say_why_blamed(blame, "which %s missing in %s, where %d others wait", n == 1 ? "is" : "are",
                       call_name(final->op(final->data, meeting.op)->call), meeting.waiting);
    free(missing);
}

struct blame blame_find(const struct final_state *final)
{
    struct blame blame = {0};
    blame_near_miss(&blame, final);
    if (!blame.why)
        blame_leaver(&blame, final);
    if (!blame.why)
        blame_missing(&blame, final);
    return blame;
}

void blame_release(struct blame *blame)
{
    vec_release(&blame->culprits);
    free(blame->why);
}
