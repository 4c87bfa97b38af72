/*
 * batch -- calls that complete requests: all of a list, one, or some, as the library has them or as it was decided.
 */
#include "shim/clock/answers.h"

#include <stdlib.h>
#include <string.h>

#include "shim/clock/posting.h"
#include "shim/clock/reply.h"
#include "shim/core/library_code.h"

/* The flights of a completion's list and what the library calls them. */
struct batch {
    int n;
    struct flight **flight;
    MPI_Request *request;
    int *index;
    MPI_Status *status;
    void *memory;
    char small[16 * (sizeof(struct flight *) + sizeof(MPI_Request) + sizeof(int) + sizeof(MPI_Status))];
};

static void batch_begin(struct batch *b)
{
    b->n = (int)posting.op.items;
    size_t one = sizeof *b->flight + sizeof *b->request + sizeof *b->index + sizeof *b->status;
    b->memory = b->n > 16 ? shim_alloc((size_t)b->n * one) : NULL;
    b->flight = b->memory ? b->memory : (void *)b->small;
    b->request = (MPI_Request *)(b->flight + b->n);
    b->status = (MPI_Status *)(b->request + b->n);
    b->index = (int *)(b->status + b->n);
    const uint32_t *number = posting_list(&posting.op);
    for (int i = 0; i < b->n; i++) {
        b->flight[i] = flight_find(number[i]);
        b->request[i] = b->flight[i]->request;
    }
}

static void batch_end(struct batch *b)
{
    free(b->memory);
}

static int first_flight_there(const struct batch *b)
{
    for (int i = 0; i < b->n; i++)
        if (flight_is_there(b->flight[i]))
            return i;
    return -1;
}

static void finish_at(struct batch *b, int i, MPI_Status *status, int error)
{
    b->flight[i]->request = b->request[i];
    reply_finish(b->flight[i], status, error);
}

static int error_in(const MPI_Status *status, int rc)
{
    int class = MPI_SUCCESS;
    if (rc != MPI_SUCCESS)
        real_must(Error_class, rc, &class);
    return class == MPI_ERR_IN_STATUS ? status->MPI_ERROR : rc;
}

/* One of them, if any is complete, or the first that comes to be. */
static bool complete_any(struct batch *b, bool waits)
{
    int at = first_flight_there(b), there = at >= 0, rc = MPI_SUCCESS;
    unsigned round = 0;
    while (!there) {
        rc = real.Testany(b->n, b->request, &at, &there, &b->status[0]);
        if (!waits)
            break;
        if (!there)
            flights_pause(&round);
    }
    if (!there || at == MPI_UNDEFINED)
        return false;
    uint64_t polls = spin.goes_on ? spin.polls : 0;
    choice_end(&posting.choice, CHOICE_INDEX, at, polls, clock_now(), NULL, 0);
    finish_at(b, at, &b->status[0], rc);
    return true;
}

static int compare_ints(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static bool complete_some(struct batch *b, bool waits)
{
    int n = 0, rc = MPI_SUCCESS, taken = first_flight_there(b);
    unsigned round = 0;
    if (taken >= 0) {
        b->index[0] = taken;
        n = 1;
    }
    while (n == 0) {
        rc = real.Testsome(b->n, b->request, &n, b->index, b->status);
        if (!waits)
            break;
        if (n == 0)
            flights_pause(&round);
    }
    if (n == 0 || n == MPI_UNDEFINED)
        return false;
    uint64_t polls = spin.goes_on ? spin.polls : 0;
    int32_t *sorted = shim_alloc((size_t)n * sizeof *sorted);
    memcpy(sorted, b->index, (size_t)n * sizeof *sorted);
    qsort(sorted, (size_t)n, sizeof *sorted, compare_ints);
    choice_end(&posting.choice, CHOICE_SET, 0, polls, clock_now(), sorted, (uint32_t)n);
    free(sorted);
    for (int i = 0; i < n; i++)
        finish_at(b, b->index[i], &b->status[i], error_in(&b->status[i], rc));
    return true;
}

static bool complete_every(struct batch *b)
{
    int there = 1;
    for (int i = 0; i < b->n && there; i++)
        if (!flight_is_there(b->flight[i]))
            library_may_fail(real.Request_get_status(b->request[i], &there, MPI_STATUS_IGNORE)); /* completing it tells */
    if (!there)
        return false;
    choice_end(&posting.choice, CHOICE_YES, 0, spin.polls, clock_now(), NULL, 0);
    for (int i = 0; i < b->n; i++)
        reply_wait_for(b->flight[i]);
    return true;
}

/* What was decided: these and no others. */
static bool complete_decided(struct batch *b)
{
    const struct forced_decision *d = posting.choice.decision;
    uint64_t polls = spin.goes_on ? spin.polls : 0;
    if (d->kind == CHOICE_INDEX && d->value >= 0 && d->value < b->n) {
        choice_end(&posting.choice, CHOICE_INDEX, d->value, polls, clock_now(), NULL, 0);
        reply_wait_for(b->flight[d->value]);
        return true;
    }
    if (d->kind == CHOICE_SET && d->items && d->item[d->items - 1] < b->n) {
        choice_end(&posting.choice, CHOICE_SET, 0, polls, clock_now(), d->item, d->items);
        for (uint32_t i = 0; i < d->items; i++)
            reply_wait_for(b->flight[d->item[i]]);
        return true;
    }
    if (d->kind == CHOICE_YES && !(posting.op.flags & (OPF_ANY | OPF_SOME))) {
        choice_end(&posting.choice, CHOICE_YES, 0, polls, clock_now(), NULL, 0);
        for (int i = 0; i < b->n; i++)
            reply_wait_for(b->flight[i]);
        return true;
    }
    choice_diverge(&posting.choice);
    return false;
}

bool answer_test(void)
{
    if (poll_is_decided_no())
        return false;
    poll_leave_decided_no();
    struct batch b;
    batch_begin(&b);
    bool yes = posting.choice.decision && complete_decided(&b);
    if (!yes && posting.op.flags & OPF_ANY)
        yes = complete_any(&b, false);
    else if (!yes && posting.op.flags & OPF_SOME)
        yes = complete_some(&b, false);
    else if (!yes)
        yes = complete_every(&b);
    batch_end(&b);
    return yes;
}

void answer_wait(void)
{
    struct batch b;
    batch_begin(&b);
    uint32_t how = posting.op.flags & (OPF_ANY | OPF_SOME);
    if (how && posting.choice.decision && complete_decided(&b))
        ;
    else if (how & OPF_ANY)
        complete_any(&b, true);
    else if (how & OPF_SOME)
        complete_some(&b, true);
    else
        for (int i = 0; i < b.n; i++)
            reply_wait_for(b.flight[i]);
    batch_end(&b);
}
