#include "check/absentees.h"

#include <stdio.h>

#include "check/finalization.h"

/* "rank 1 never called it"; "ranks 1, 2 and 5 more never called it" */
static void say_who(char *to, size_t room, const rank_t *rank, int n)
{
    enum { NAMED = 8 };
    size_t used = (size_t)snprintf(to, room, "rank%s ", n == 1 ? "" : "s");
    for (int i = 0; i < n && i < NAMED && used < room; i++) {
        const char *joint = i == 0 ? "" : i == n - 1 ? " and " : ", ";
        used += (size_t)snprintf(to + used, room - used, "%s%d", joint, rank[i]);
    }
    if (n > NAMED && used < room)
        used += (size_t)snprintf(to + used, room - used, " and %d more", n - NAMED);
    if (used < room)
        snprintf(to + used, room - used, " never called it");
}

/* Those who came, as many as there is room for. */
static void add_those_who_came(const struct explorer *x, const struct sem *sem, op_id part, struct defect *defect)
{
    const rank_t *member;
    int members = sem_members(sem, sem_view(sem, part).context, &member);
    for (int p = 0; p < members && defect->ops < DEFECT_OPS; p++) {
        op_id id = sem_coll_part(sem, part, p);
        if (!id)
            continue;
        struct defect_op *op = &defect->op[defect->ops++];
        op->op = explore_op(x, sem_view(sem, id).user, &op->rank);
    }
}

/* Those who came from other places are the same defect: the first tells it apart. */
static struct defect absentee_defect(const struct explorer *x, const struct sem *sem, op_id part, int ranks)
{
    rank_t *absent = xcalloc((size_t)ranks, sizeof *absent);
    struct defect defect = {.kind = KIND_COLLECTIVE_MISSING,
                            .sentence = "a collective was not called by all members of its communicator",
                            .advice = "call it on every member, or on a communicator of those that do"};
    int n = sem_coll_absent(sem, part, absent);
    say_who(defect.how, sizeof defect.how, absent, n);
    add_those_who_came(x, sem, part, &defect);
    struct defect first = defect;
    first.ops = 1;
    defect.key = defect_key(&first);
    free(absent);
    return defect;
}

void absentees_add(const struct explorer *x, const struct run *run, int ranks, defects_t *defects)
{
    if (!finalization_is_complete(x, run, ranks))
        return;
    int n = sem_unjoined(run->sem, NULL, 0);
    op_id *part = n ? xcalloc((size_t)n, sizeof *part) : NULL;
    if (n)
        sem_unjoined(run->sem, part, n);
    for (int i = 0; i < n; i++)
        vec_push(defects, absentee_defect(x, run->sem, part[i], ranks));
    free(part);
}
