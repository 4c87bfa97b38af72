#include "shim/clock/posting.h"

#include <stdlib.h>

#include "shim/channel.h"
#include "shim/clock/comm.h"
#include "shim/core/library_code.h"

struct posting posting;
struct spin spin;

const uint32_t *posting_list(const struct op *op)
{
    return op->payload ? arena_at(op->payload) : (void *)posting.tail;
}

rank_t decided_source(struct numbered_choice *c, const struct comm *comm)
{
    if (!c->decision)
        return RANK_ANY;
    bool possible = c->decision->kind == CHOICE_SOURCE && comm_peer_of_world(comm, c->decision->value) >= 0;
    if (!possible) {
        choice_diverge(c);
        return RANK_ANY;
    }
    return c->decision->value;
}

static uint64_t noes_of_free_polls(void)
{
    static const char *given;
    if (!given)
        given = getenv(CAUSAL_ENV_NOES);
    if (!given)
        given = "0";
    return spin.polls ? strtoull(given, NULL, 10) : 0;
}

bool poll_is_decided_no(void)
{
    const struct forced_decision *d = posting.choice.decision;
    if (spin.polls >= (d ? d->polls : noes_of_free_polls()))
        return false;
    int there;
    real_must(Iprobe, MPI_ANY_SOURCE, MPI_ANY_TAG, comm_of_clocks(), &there, MPI_STATUS_IGNORE);
    return true;
}

void poll_leave_decided_no(void)
{
    const struct forced_decision *d = posting.choice.decision;
    if (d && d->kind == CHOICE_NO)
        choice_diverge(&posting.choice);
}
