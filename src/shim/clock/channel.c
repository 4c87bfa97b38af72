#include "shim/clock/channel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shim/clock/joined.h"
#include "shim/clock/comm.h"
#include "shim/clock/flight.h"
#include "shim/clock/ledger.h"
#include "shim/clock/parcel.h"
#include "shim/clock/rounds.h"
#include "shim/clock/seen.h"
#include "shim/complete.h"

static struct {
    struct op op;          /* the one that is being posted, or was posted last */
    uint64_t index;        /* of it */
    char *tail;            /* owned */
    size_t tail_size, tail_room;
    struct header *block;  /* of the send that is being posted */
    void *lent;            /* where its bytes are, or those of a receive go, if they are the program's */
    struct flight *flight; /* of a blocking send or receive that has not begun */
    struct choice choice;  /* of a completion or probe */
} posted;

/*
 * What is only told, and may be while something that was posted has not been asked for yet: it
 * leaves that alone, and does not end a series of polls.
 */
static struct {
    bool begun;
    struct op op;
    char *tail; /* owned */
    size_t tail_size, tail_room;
} remark;

/* Polls that repeat themselves. */
static struct {
    bool goes_on;
    uint64_t key;
    uint64_t polls; /* noes so far */
} spin;

/* What was received stays until the rank posts something else. */
static struct {
    struct header **block; /* owned */
    size_t n, room;
} delivered;

static struct {
    struct answer answer;
    struct completion *completion; /* owned */
    size_t room;
} reply;

uint64_t channel_last(void)
{
    return posted.index;
}

/* Nothing is said to complete at once: that is for the library to know. */
const struct wire_head *channel_head(void)
{
    static struct wire_head head = {.version = WIRE_VERSION, .slack = 0};
    return &head;
}

const char *channel_open(const char *world)
{
    (void)world;
    return NULL;
}

uint64_t arena_room(uint64_t bytes)
{
    return (uintptr_t)block_payload(block_new(bytes));
}

void *arena_at(uint64_t offset)
{
    return (void *)(uintptr_t)offset;
}

static void forget_delivered(void)
{
    while (delivered.n)
        block_free(delivered.block[--delivered.n]);
}

static void keep_delivered(struct header *block)
{
    if (delivered.n == delivered.room) {
        delivered.room = delivered.room ? 2 * delivered.room : 16;
        delivered.block = shim_realloc(delivered.block, delivered.room * sizeof *delivered.block);
    }
    delivered.block[delivered.n++] = block;
}

/* A poll without end, for the choice that it was. */
static void end_spin(void)
{
    if (spin.goes_on) {
        choice_end(&posted.choice, CHOICE_NO, 0, spin.polls, clock_now(), NULL, 0);
        rounds_note(spin.key, spin.polls);
    }
    spin.goes_on = false;
}

static bool is_remark(const struct op *op)
{
    switch (op->kind) {
    case OP_COMPLAINT:
    case OP_CONTEXT:
    case OP_CONTEXT_NAME:
    case OP_CONTEXT_LEFT:
    case OP_TYPE:
        return true;
    default:
        return false;
    }
}

static char *room_for(char **tail, size_t *room, size_t size)
{
    if (size > *room) {
        *room = 2 * size;
        *tail = shim_realloc(*tail, *room);
    }
    return *tail;
}

static void say_where(struct op *op)
{
    if (!op->place)
        op->place = (uintptr_t)shim.place;
    if (!op->call)
        op->call = shim.call;
}

void *channel_begin(struct op *op, size_t tail)
{
    say_where(op);
    remark.begun = is_remark(op);
    if (remark.begun) {
        remark.op = *op;
        remark.tail_size = tail;
        return room_for(&remark.tail, &remark.tail_room, tail);
    }
    posted.op = *op;
    posted.tail_size = tail;
    posted.block = NULL;
    posted.lent = NULL;
    if (op->kind == OP_SEND) {
        posted.block = op->payload ? block_of(arena_at(op->payload)) : block_new(tail);
        return block_payload(posted.block);
    }
    return room_for(&posted.tail, &posted.tail_room, tail);
}

void channel_abandon(void)
{
    ledger_abandon();
}

static const uint32_t *list_of(const struct op *op)
{
    return op->payload ? arena_at(op->payload) : (void *)posted.tail;
}

static bool is_completion(const struct op *op)
{
    return op->kind == OP_WAIT || op->kind == OP_TEST;
}

/* Requests are known by what they are, so that the same poll has the same key. */
static uint64_t poll_key(const struct op *op, const uint32_t *list)
{
    uint64_t key = causal_mix(op->place, (uint64_t)op->kind << 32 | op->flags);
    key = causal_mix(key, (uint64_t)(uint32_t)op->peer << 32 | (uint32_t)op->tag);
    key = causal_mix(key, op->context);
    for (uint32_t i = 0; i < op->items; i++)
        key = causal_mix(key, list[i]);
    return key;
}

static bool is_choice(const struct op *op)
{
    if (op->flags & OPF_WENT_ON)
        return false;
    if (op_is_poll(op))
        return true;
    bool from_any = op->kind == OP_RECV && op->peer == RANK_ANY;
    return from_any || op->kind == OP_PROBE || (op->kind == OP_WAIT && (op->flags & (OPF_ANY | OPF_SOME)));
}

static void write_op(const struct op *op)
{
    const void *tail = posted.tail;
    size_t size = op->kind == OP_SEND ? 0 : posted.tail_size;
    const uint32_t *list = is_completion(op) ? list_of(op) : NULL;
    if (list) {
        tail = list;
        size = op->items * sizeof *list;
    }
    posted.index = ledger_op(op, tail, size, clock_now());
    decide_note(op, list);
}

/* The rank does something: what it was polling for is left. */
static void write_down(const struct op *op)
{
    end_spin();
    if (!op_is_poll(op))
        rounds_end();
    if (seen_any() && (op->kind == OP_SEND || op->kind == OP_COLL))
        clock_doubt();
    write_op(op);
}

static bool is_withheld(const struct flight *f)
{
    return f->fate == FATE_WITHDRAWN && !f->blocking && f->number;
}

static void begin_send(const struct op *op)
{
    struct flight *f = flight_new(FLIGHT_SEND, op, posted.index);
    f->block = posted.block;
    f->lent = posted.lent;
    f->block->signature = op->signature;
    f->fate = decide_fate();
    if (is_withheld(f)) {
        flight_withhold(f);
        return;
    }
    bool waits = (op->flags & OPF_BLOCKING) && !(op->flags & OPF_WENT_ON);
    if (waits && !flights_need_service(NULL)) {
        posted.flight = f;
        return;
    }
    flight_send(f);
}

/* What was decided about a wildcard is that it names its source after all. */
static rank_t decided_source(struct choice *c, const struct comm *comm)
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

static void begin_wildcard(struct flight *f, const struct op *op)
{
    if (op->peer != RANK_ANY)
        return;
    f->choice = choice_begin(posted.index);
    f->wildcard = wildcard_new(op, posted.index, f->choice.number);
    f->peer = decided_source(&f->choice, f->comm);
}

static void begin_recv(const struct op *op)
{
    struct flight *f = flight_new(FLIGHT_RECV, op, posted.index);
    f->lent = posted.lent;
    f->fate = decide_fate();
    begin_wildcard(f, op);
    if (is_withheld(f))
        flight_withhold(f);
    else if ((op->flags & OPF_BLOCKING) && !flights_need_service(NULL))
        posted.flight = f;
    else
        flight_recv(f);
}

/* It was decided that a cancel comes too late for this receive: the message has to be here first. */
static void wait_for_match(const struct flight *f)
{
    int there = 0;
    unsigned round = 0;
    ledger_blocked(posted.index, RANK_ANY);
    while (real.Request_get_status(f->request, &there, MPI_STATUS_IGNORE) == MPI_SUCCESS && !there)
        flights_pause(&round);
    ledger_running();
}

static void begin_cancel(const struct op *op)
{
    struct flight *f = flight_find(op->request);
    if (f && is_withheld(f) && f->request == MPI_REQUEST_NULL) {
        flight_give_up(f);
    } else if (f && f->fate == FATE_MATCHED) {
        if (f->kind == FLIGHT_RECV)
            wait_for_match(f);
    } else if (f && f->request != MPI_REQUEST_NULL) {
        f->cancelling = true;
        real.Cancel(&f->request);
    }
}

static void begin_free(const struct op *op)
{
    struct flight *f = flight_find(op->request);
    if (f)
        flight_orphan(f);
}

/* They were complete when they were posted. */
static void let_go(const struct op *op)
{
    const uint32_t *number = list_of(op);
    for (uint32_t i = 0; i < op->items; i++)
        flight_let_go(flight_find(number[i]), posted.index);
}

static void say_error(const struct op *op)
{
    const char *text = op->kind == OP_ERROR ? posted.tail : "is not supported";
    fprintf(stderr, "tourney: rank %d: %s: %s\n", shim.rank, call_name(op->call), text);
}

void channel_commit(void)
{
    struct op *op = &posted.op;
    if (remark.begun) {
        if (ledger_is_open()) {
            ledger_show();
            ledger_op(&remark.op, remark.tail, remark.tail_size, clock_now());
        }
        return;
    }
    posted.flight = NULL;
    forget_delivered();
    if (!ledger_is_open()) {
        if (op->kind == OP_ERROR)
            say_error(op);
        return;
    }
    uint64_t key = op_is_poll(op) ? poll_key(op, list_of(op)) : 0;
    if (spin.goes_on && op_is_poll(op) && key == spin.key)
        return;
    write_down(op);
    if (is_choice(op) && op->kind != OP_RECV)
        posted.choice = choice_begin(posted.index);
    switch (op->kind) {
    case OP_SEND:
        begin_send(op);
        break;
    case OP_RECV:
        begin_recv(op);
        break;
    case OP_TEST:
    case OP_IPROBE:
        spin.goes_on = true;
        spin.key = key;
        spin.polls = 0;
        break;
    case OP_CANCEL:
        begin_cancel(op);
        break;
    case OP_FREE:
        begin_free(op);
        break;
    case OP_WAIT:
        if (op->flags & OPF_WENT_ON)
            let_go(op);
        break;
    case OP_ERROR:
    case OP_REFUSED:
        say_error(op);
        break;
    default:
        break;
    }
}

void channel_post(struct op *op, const void *tail, size_t size)
{
    void *room = channel_begin(op, size);
    if (size)
        memcpy(room, tail, size);
    channel_commit();
}

bool channel_post_lent(struct op *op, void *memory)
{
    if (!parcel_is_worth_lending(op))
        return false;
    channel_begin(op, 0);
    posted.lent = memory;
    channel_commit();
    return true;
}

static void reply_begin(void)
{
    reply.answer = (struct answer){.kind = ANSWER_GO};
}

static void reply_add(struct completion c)
{
    if (reply.answer.completions == reply.room) {
        reply.room = reply.room ? 2 * reply.room : 16;
        reply.completion = shim_realloc(reply.completion, reply.room * sizeof *reply.completion);
    }
    reply.completion[reply.answer.completions++] = c;
}

const struct completion *answer_completions(const struct answer *answer)
{
    (void)answer;
    return reply.completion;
}

/* The request of this flight is complete, as the program is now told. */
static void finish(struct flight *f, MPI_Status *status, int error)
{
    struct completion c = {.request = f->number, .source = RANK_NONE};
    if (f->kind == FLIGHT_COLL) {
        joined_complete(f, posted.index);
    } else {
        struct arrived a = flight_complete(f, status, error, f->blocking ? f->op : posted.index);
        c.source = a.source;
        c.tag = a.tag;
        c.bytes = a.bytes;
        c.flags = a.cancelled ? COMPLETION_CANCELLED : 0;
        c.payload = f->block ? (uintptr_t)block_payload(f->block) : 0;
    }
    if (f->block)
        keep_delivered(f->block);
    f->block = NULL;
    reply_add(c);
    flight_drop(f);
}

static void finish_orphans(void)
{
    MPI_Status status;
    int error;
    for (struct flight *f; (f = flights_next_orphan(&status, &error));)
        finish(f, &status, error);
}

/*
 * MPI does not say when a freed receive is complete; but libraries have what came before something that the rank
 * has heard of by then, if they are asked.
 */
void channel_hand_over_freed(void)
{
    enum { TRIES = 16 };
    reply_begin();
    for (int i = 0; i < TRIES && flights_have_orphans(); i++)
        finish_orphans();
    completions_take(&reply.answer);
}

static void wait_for(struct flight *f)
{
    MPI_Status status;
    int error = MPI_SUCCESS;
    if (flight_is_there(f))
        ;
    else if (flights_need_service(f))
        flight_wait(&f->request, &status, &error);
    else
        error = real.Wait(&f->request, &status);
    finish(f, &status, error);
}

static void answer_transfer(void)
{
    struct flight *f = posted.flight;
    MPI_Status status;
    int error = MPI_SUCCESS;
    if (!f) {
        wait_for(flight_find(posted.op.request));
        return;
    }
    if (f->kind == FLIGHT_SEND)
        flight_send_now(f, &error);
    else
        flight_recv_now(f, &status, &error);
    finish(f, &status, error);
}

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
    b->n = (int)posted.op.items;
    size_t one = sizeof *b->flight + sizeof *b->request + sizeof *b->index + sizeof *b->status;
    b->memory = b->n > 16 ? shim_alloc((size_t)b->n * one) : NULL;
    b->flight = b->memory ? b->memory : (void *)b->small;
    b->request = (MPI_Request *)(b->flight + b->n);
    b->status = (MPI_Status *)(b->request + b->n);
    b->index = (int *)(b->status + b->n);
    const uint32_t *number = list_of(&posted.op);
    for (int i = 0; i < b->n; i++) {
        b->flight[i] = flight_find(number[i]);
        b->request[i] = b->flight[i]->request;
    }
}

static void batch_end(struct batch *b)
{
    free(b->memory);
}

static int first_there(const struct batch *b)
{
    for (int i = 0; i < b->n; i++)
        if (flight_is_there(b->flight[i]))
            return i;
    return -1;
}

static void finish_at(struct batch *b, int i, MPI_Status *status, int error)
{
    b->flight[i]->request = b->request[i];
    finish(b->flight[i], status, error);
}

static int error_in(const MPI_Status *status, int rc)
{
    int class = MPI_SUCCESS;
    if (rc != MPI_SUCCESS)
        real.Error_class(rc, &class);
    return class == MPI_ERR_IN_STATUS ? status->MPI_ERROR : rc;
}

/* One of them, if any is complete, or the first that comes to be. */
static bool complete_any(struct batch *b, bool waits)
{
    int at = first_there(b), there = at >= 0, rc = MPI_SUCCESS;
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
    choice_end(&posted.choice, CHOICE_INDEX, at, polls, clock_now(), NULL, 0);
    finish_at(b, at, &b->status[0], rc);
    return true;
}

static int compare_ints(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static bool complete_some(struct batch *b, bool waits)
{
    int n = 0, rc = MPI_SUCCESS, taken = first_there(b);
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
    choice_end(&posted.choice, CHOICE_SET, 0, polls, clock_now(), sorted, (uint32_t)n);
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
            real.Request_get_status(b->request[i], &there, MPI_STATUS_IGNORE);
    if (!there)
        return false;
    choice_end(&posted.choice, CHOICE_YES, 0, spin.polls, clock_now(), NULL, 0);
    for (int i = 0; i < b->n; i++)
        wait_for(b->flight[i]);
    return true;
}

/* What was decided: these and no others. */
static bool complete_decided(struct batch *b)
{
    const struct decision *d = posted.choice.decision;
    uint64_t polls = spin.goes_on ? spin.polls : 0;
    if (d->kind == CHOICE_INDEX && d->value >= 0 && d->value < b->n) {
        choice_end(&posted.choice, CHOICE_INDEX, d->value, polls, clock_now(), NULL, 0);
        wait_for(b->flight[d->value]);
        return true;
    }
    if (d->kind == CHOICE_SET && d->items && d->item[d->items - 1] < b->n) {
        choice_end(&posted.choice, CHOICE_SET, 0, polls, clock_now(), d->item, d->items);
        for (uint32_t i = 0; i < d->items; i++)
            wait_for(b->flight[d->item[i]]);
        return true;
    }
    if (d->kind == CHOICE_YES && !(posted.op.flags & (OPF_ANY | OPF_SOME))) {
        choice_end(&posted.choice, CHOICE_YES, 0, polls, clock_now(), NULL, 0);
        for (int i = 0; i < b->n; i++)
            wait_for(b->flight[i]);
        return true;
    }
    choice_diverge(&posted.choice);
    return false;
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

/* A poll that is decided to be no, for now; the library is called all the same, so that it goes on. */
static bool poll_is_decided_no(void)
{
    const struct decision *d = posted.choice.decision;
    if (spin.polls >= (d ? d->polls : noes_of_free_polls()))
        return false;
    int there;
    real.Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm_of_clocks(), &there, MPI_STATUS_IGNORE);
    return true;
}

/* `no` was all that was decided, and has been said often enough: this is another run. */
static void leave_decided_no(void)
{
    const struct decision *d = posted.choice.decision;
    if (d && d->kind == CHOICE_NO)
        choice_diverge(&posted.choice);
}

static bool answer_test(void)
{
    if (poll_is_decided_no())
        return false;
    leave_decided_no();
    struct batch b;
    batch_begin(&b);
    bool yes = posted.choice.decision && complete_decided(&b);
    if (!yes && posted.op.flags & OPF_ANY)
        yes = complete_any(&b, false);
    else if (!yes && posted.op.flags & OPF_SOME)
        yes = complete_some(&b, false);
    else if (!yes)
        yes = complete_every(&b);
    batch_end(&b);
    return yes;
}

static void answer_wait(void)
{
    struct batch b;
    batch_begin(&b);
    uint32_t how = posted.op.flags & (OPF_ANY | OPF_SOME);
    if (how && posted.choice.decision && complete_decided(&b))
        ;
    else if (how & OPF_ANY)
        complete_any(&b, true);
    else if (how & OPF_SOME)
        complete_some(&b, true);
    else
        for (int i = 0; i < b.n; i++)
            wait_for(b.flight[i]);
    batch_end(&b);
}

/* A look at a communicator's messages; with `take`, the message is the flight's. */
struct look {
    const struct comm *comm;
    int source, tag;
    bool take;
    MPI_Message message;
    MPI_Status status;
};

static bool look_now(struct look *look)
{
    int there = 0;
    if (look->take)
        real.Improbe(look->source, look->tag, look->comm->shadow, &there, &look->message, &look->status);
    else
        real.Iprobe(look->source, look->tag, look->comm->shadow, &there, &look->status);
    return there;
}

static void look_until(struct look *look)
{
    unsigned round = 0;
    if (flights_need_service(NULL)) {
        while (!look_now(look))
            flights_pause(&round);
    } else if (look->take) {
        real.Mprobe(look->source, look->tag, look->comm->shadow, &look->message, &look->status);
    } else {
        real.Probe(look->source, look->tag, look->comm->shadow, &look->status);
    }
}

/* There is a message: who sent it is a choice, if it was not asked for by name. */
static void seen(struct look *look, rank_t source, int32_t tag, uint64_t bytes)
{
    const struct op *op = &posted.op;
    bool any = op->peer == RANK_ANY; /* only now a wildcard: one that sees nothing is none */
    uint64_t polls = spin.goes_on ? spin.polls : 0;
    struct arrival arrival = {.op = posted.index,
                              .blocking = true,
                              .wildcard = any ? wildcard_new(op, posted.index, posted.choice.number) : NULL,
                              .context = op->context,
                              .source = source,
                              .tag = tag,
                              .bytes = bytes};
    struct flight *f = look->take ? flight_taken(op, posted.index, bytes, &look->message) : NULL;
    if (f)
        arrival.header = flight_header(f);
    else
        seen_note(&arrival);
    uint64_t clock = late_arrived(&arrival);
    LEDGER_PUT(CAUSAL_DONE, causal_done, .op = posted.index, .by = posted.index, .clock = clock,
               .tag = arrival.tag, .source = source, .bytes = bytes);
    if (any)
        choice_end(&posted.choice, CHOICE_SOURCE, source, polls, clock, NULL, 0);
    else
        choice_end(&posted.choice, CHOICE_YES, 0, polls, clock, NULL, 0);
    if (f)
        flight_is_taken(f, &arrival, clock);
    reply_add((struct completion){.request = op->request, .source = source, .tag = arrival.tag, .bytes = bytes});
}

static void seen_there(struct look *look)
{
    MPI_Count all = 0;
    real.Get_elements_x(&look->status, MPI_BYTE, &all);
    seen(look, comm_peers(look->comm)->rank[look->status.MPI_SOURCE], look->status.MPI_TAG,
         (uint64_t)all - sizeof(struct header));
}

/* It was decided that this probe sees a message which its sender has withdrawn later: there never was one. */
static bool is_glimpse(const struct decision *d, const struct look *look, const struct op *op)
{
    return d && d->glimpse && !look->take && (op->peer == RANK_ANY || op->peer == d->value) &&
           comm_peer_of_world(look->comm, d->value) >= 0;
}

static bool answer_probe(void)
{
    const struct op *op = &posted.op;
    bool waits = op->kind == OP_PROBE;
    if (!waits && poll_is_decided_no())
        return false;
    leave_decided_no();
    struct look look = {.comm = comm_by_context(op->context), .take = op->flags & OPF_TAKE};
    const struct decision *d = posted.choice.decision;
    if (is_glimpse(d, &look, op)) {
        seen(&look, d->value, d->tag, d->bytes);
        return true;
    }
    rank_t source = op->peer;
    if (op->peer == RANK_ANY) {
        source = decided_source(&posted.choice, look.comm);
    } else if (d && d->kind != CHOICE_YES) {
        choice_diverge(&posted.choice);
    }
    look.source = source == RANK_ANY ? MPI_ANY_SOURCE : comm_peer_of_world(look.comm, source);
    look.tag = op->tag == TAG_ANY ? MPI_ANY_TAG : op->tag;
    if (waits || posted.choice.decision) {
        ledger_blocked(posted.index, op->peer == RANK_ANY ? source : RANK_ANY);
        look_until(&look);
    } else if (!look_now(&look)) {
        return false;
    }
    seen_there(&look);
    return true;
}

static rank_t forced_source(const struct flight *f)
{
    return f && f->wildcard && f->choice.decision ? f->peer : RANK_ANY;
}

static void transfer_send(struct flight *f, const struct op *op, const void *buf)
{
    int error = MPI_SUCCESS;
    MPI_Status status;
    f->block = block_new(f->lent ? 0 : op->bytes);
    f->block->signature = op->signature;
    if (!f->lent)
        memcpy(block_payload(f->block), buf, op->bytes);
    flight_send_now(f, &error);
    flight_complete(f, &status, error, f->op);
}

static void transfer_recv(struct flight *f, const struct op *op, void *buf, struct completion *done)
{
    int error = MPI_SUCCESS;
    MPI_Status status;
    begin_wildcard(f, op);
    if (f->wildcard)
        ledger_blocked(f->op, forced_source(f));
    flight_recv_now(f, &status, &error);
    struct arrived a = flight_complete(f, &status, error, f->op);
    if (!f->lent)
        memcpy(buf, block_payload(f->block), a.bytes < op->bytes ? a.bytes : op->bytes);
    *done = (struct completion){.source = a.source, .tag = a.tag, .bytes = a.bytes};
}

/* Neither anybody who could need an answer meanwhile, nor anything that could become known with it. */
bool channel_transfer(struct op *op, void *buf, struct completion *done)
{
    struct flight f;
    if (!ledger_is_open() || flights_need_anything() || shim_has_threads())
        return false;
    say_where(op);
    forget_delivered();
    posted.tail_size = 0;
    write_down(op);
    ledger_blocked(posted.index, RANK_ANY);
    flight_init(&f, op->kind == OP_SEND ? FLIGHT_SEND : FLIGHT_RECV, op, posted.index);
    f.lent = parcel_is_worth_lending(op) ? buf : NULL;
    if (op->kind == OP_SEND)
        transfer_send(&f, op, buf);
    else
        transfer_recv(&f, op, buf, done);
    block_free(f.block);
    ledger_running();
    return true;
}

const struct answer *channel_sleep(void)
{
    reply_begin();
    if (!ledger_is_open())
        return &reply.answer;
    ledger_blocked(posted.index, forced_source(posted.flight));
    switch (posted.op.kind) {
    case OP_SEND:
    case OP_RECV:
        answer_transfer();
        break;
    case OP_WAIT:
        answer_wait();
        break;
    case OP_PROBE:
        answer_probe();
        break;
    case OP_CRASH:
        ledger_end(CAUSAL_ABORTED, posted.op.tag);
        break;
    default:
        break;
    }
    finish_orphans();
    ledger_running();
    return &reply.answer;
}

const struct answer *channel_sleep_polling(uint64_t key)
{
    (void)key;
    reply_begin();
    bool yes = posted.op.kind == OP_TEST ? answer_test() : answer_probe();
    if (yes) {
        spin.goes_on = false;
        rounds_end();
        ledger_running();
    } else {
        spin.polls++;
        flights_serve();
        ledger_polling(posted.index, spin.polls);
    }
    finish_orphans();
    reply.answer.flag = yes;
    return &reply.answer;
}

uint64_t channel_poll_key(const struct op *op, const void *tail, size_t size)
{
    (void)op, (void)tail, (void)size;
    return 0;
}

bool channel_poll_is_no(uint64_t key)
{
    (void)key;
    return false;
}

void channel_forget_grants(void)
{
}

bool channel_keeps_sends(void)
{
    return true;
}

void channel_leave(void)
{
}

void channel_return(void)
{
}

void channel_wait_for_the_end(void)
{
    int code = posted.op.kind == OP_ABORT || posted.op.kind == OP_ERROR ? posted.op.tag : 1;
    if (ledger_is_open())
        ledger_end(CAUSAL_ABORTED, code);
    fflush(NULL);
    while (getenv(CAUSAL_ENV_HELD))
        pause();
    if (shim.initialized && !shim.finalized)
        real.Abort(MPI_COMM_WORLD, code);
    _exit(1);
}
