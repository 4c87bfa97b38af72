/*
 * library_probe -- what the library says to a probe.
 */
#include "shim/clock/answers.h"

#include "shim/clock/comm.h"
#include "shim/clock/ledger.h"
#include "shim/clock/posting.h"
#include "shim/clock/reply.h"
#include "shim/clock/sightings.h"
#include "shim/core/library_code.h"

/* A probe of a communicator's messages; with `take`, the message is the flight's. */
struct library_probe {
    const struct comm *comm;
    int source, tag;
    bool take;
    MPI_Message message;
    MPI_Status status;
};

static bool probe_now(struct library_probe *probe)
{
    int there = 0;
    if (probe->take)
        real_must(Improbe, probe->source, probe->tag, probe->comm->shadow, &there, &probe->message, &probe->status);
    else
        real_must(Iprobe, probe->source, probe->tag, probe->comm->shadow, &there, &probe->status);
    return there;
}

static void probe_until(struct library_probe *probe)
{
    unsigned round = 0;
    if (flights_need_service(NULL)) {
        while (!probe_now(probe))
            flights_pause(&round);
    } else if (probe->take) {
        real_must(Mprobe, probe->source, probe->tag, probe->comm->shadow, &probe->message, &probe->status);
    } else {
        real_must(Probe, probe->source, probe->tag, probe->comm->shadow, &probe->status);
    }
}

/* There is a message: who sent it is a choice, if it was not asked for by name. */
static void seen(struct library_probe *probe, rank_t source, int32_t tag, uint64_t bytes)
{
    const struct op *op = &posting.op;
    bool any = op->peer == RANK_ANY; /* only now a wildcard: one that sees nothing is none */
    uint64_t polls = spin.goes_on ? spin.polls : 0;
    struct arrival arrival = {.op = posting.index,
                              .blocking = true,
                              .wildcard = any ? wildcard_new(op, posting.index, posting.choice.number) : NULL,
                              .context = op->context,
                              .source = source,
                              .tag = tag,
                              .bytes = bytes};
    struct flight *f = probe->take ? flight_taken(op, posting.index, bytes, &probe->message) : NULL;
    if (f)
        arrival.header = flight_header(f);
    else
        sightings_note(&arrival);
    uint64_t clock = late_messages_arrived(&arrival);
    LEDGER_PUT(CAUSAL_DONE, causal_done, .op = posting.index, .by = posting.index, .clock = clock,
               .tag = arrival.tag, .source = source, .bytes = bytes);
    if (any)
        choice_end(&posting.choice, CHOICE_SOURCE, source, polls, clock, NULL, 0);
    else
        choice_end(&posting.choice, CHOICE_YES, 0, polls, clock, NULL, 0);
    if (f)
        flight_is_taken(f, &arrival, clock);
    reply_add((struct completion){.request = op->request, .source = source, .tag = arrival.tag, .bytes = bytes});
}

static void seen_there(struct library_probe *probe)
{
    MPI_Count all = 0;
    real_must(Get_elements_x, &probe->status, MPI_BYTE, &all);
    seen(probe, comm_peers(probe->comm)->rank[probe->status.MPI_SOURCE], probe->status.MPI_TAG,
         (uint64_t)all - sizeof(struct header));
}

/* It was decided that this probe sees a message which its sender has withdrawn later: there never was one. */
static bool is_glimpse(const struct forced_decision *d, const struct library_probe *probe, const struct op *op)
{
    return d && d->glimpse && !probe->take && (op->peer == RANK_ANY || op->peer == d->value) &&
           comm_peer_of_world(probe->comm, d->value) >= 0;
}

bool answer_probe(void)
{
    const struct op *op = &posting.op;
    bool waits = op->kind == OP_PROBE;
    if (!waits && poll_is_decided_no())
        return false;
    poll_leave_decided_no();
    struct library_probe probe = {.comm = comm_by_context(op->context), .take = op->flags & OPF_TAKE};
    const struct forced_decision *d = posting.choice.decision;
    if (is_glimpse(d, &probe, op)) {
        seen(&probe, d->value, d->tag, d->bytes);
        return true;
    }
    rank_t source = op->peer;
    if (op->peer == RANK_ANY) {
        source = decided_source(&posting.choice, probe.comm);
    } else if (d && d->kind != CHOICE_YES) {
        choice_diverge(&posting.choice);
    }
    probe.source = source == RANK_ANY ? MPI_ANY_SOURCE : comm_peer_of_world(probe.comm, source);
    probe.tag = op->tag == TAG_ANY ? MPI_ANY_TAG : op->tag;
    if (waits || posting.choice.decision) {
        ledger_blocked(posting.index, op->peer == RANK_ANY ? source : RANK_ANY);
        probe_until(&probe);
    } else if (!probe_now(&probe)) {
        return false;
    }
    seen_there(&probe);
    return true;
}
