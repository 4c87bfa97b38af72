#include "shim/clock/flight.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "shim/clock/comm.h"
#include "shim/clock/ledger.h"
#include "shim/clock/match_clock.h"
#include "shim/clock/parcel.h"
#include "shim/clock/sightings.h"
#include "shim/core/library_code.h"

static struct {
    struct flight **numbered; /* by number of their request; owned */
    uint32_t room;
    struct flight *receives;  /* borrowed: those that do not block and are on their way */
    struct flight *orphans;   /* borrowed */
    struct flight *withheld;  /* borrowed */
    struct flight *unused;    /* owned */
    struct flight *loose;     /* owned: sends that nobody asks for, until they have left */
} sky;

static void enter_flight(struct flight *f)
{
    if (f->number >= sky.room) {
        uint32_t old = sky.room;
        sky.room = 2 * f->number + 64;
        sky.numbered = shim_realloc(sky.numbered, sky.room * sizeof *sky.numbered);
        memset(sky.numbered + old, 0, (sky.room - old) * sizeof *sky.numbered);
    }
    if (f->number)
        sky.numbered[f->number] = f;
}

static void list_add(struct flight **list, struct flight *f)
{
    f->next = *list;
    f->link = list;
    if (f->next)
        f->next->link = &f->next;
    *list = f;
}

static void list_remove(struct flight *f)
{
    if (!f->link)
        return;
    *f->link = f->next;
    if (f->next)
        f->next->link = f->link;
    f->link = NULL;
}

void flight_init(struct flight *f, enum flight_kind kind, const struct op *op, uint64_t index)
{
    *f = (struct flight){.kind = kind,
                         .number = op->request,
                         .op = index,
                         .blocking = op->flags & OPF_BLOCKING,
                         .synchronous = op->flags & OPF_SYNCHRONOUS,
                         .request = MPI_REQUEST_NULL,
                         .comm = kind == FLIGHT_DONE ? NULL : comm_by_context(op->context),
                         .bytes = op->bytes,
                         .peer = op->peer,
                         .tag = op->tag,
                         .mode = op->flags & (OPF_SYNCHRONOUS | OPF_READY),
                         .posted = clock_now()};
}

struct flight *flight_new(enum flight_kind kind, const struct op *op, uint64_t index)
{
    struct flight *f = sky.unused;
    if (f)
        sky.unused = f->next;
    else
        f = shim_alloc(sizeof *f);
    flight_init(f, kind, op, index);
    if (f->comm)
        comm_hold(f->comm);
    enter_flight(f);
    return f;
}

struct flight *flight_find(uint32_t number)
{
    return number < sky.room ? sky.numbered[number] : NULL;
}

bool flights_collective_on(const struct comm *comm)
{
    for (uint32_t i = 0; i < sky.room; i++)
        if (sky.numbered[i] && sky.numbered[i]->kind == FLIGHT_COLL && sky.numbered[i]->comm == comm)
            return true;
    return false;
}

void flight_drop(struct flight *f)
{
    list_remove(f);
    if (f->number && sky.numbered[f->number] == f)
        sky.numbered[f->number] = NULL;
    block_free(f->block);
    if (f->comm)
        comm_drop(f->comm);
    f->next = sky.unused;
    sky.unused = f;
}

static struct parcel parcel_in(const struct flight *f)
{
    return parcel_of(f->block, f->lent, f->bytes);
}

static int peer_of(const struct flight *f)
{
    return f->peer == RANK_ANY ? MPI_ANY_SOURCE : comm_peer_of_world(f->comm, f->peer);
}

static int tag_of(const struct flight *f)
{
    return f->tag == TAG_ANY ? MPI_ANY_TAG : f->tag;
}

static void fill_header(struct flight *f)
{
    f->block->flags = f->synchronous ? HEADER_SYNCHRONOUS : 0;
    f->block->op = f->op;
    clock_give(f->block, f->peer);
}

void flight_send(struct flight *f)
{
    struct parcel p = parcel_in(f);
    fill_header(f);
    int to = peer_of(f);
    if (f->mode & OPF_SYNCHRONOUS)
        real_must(Issend, p.start, p.count, p.type, to, f->tag, f->comm->shadow, &f->request);
    else if (f->mode & OPF_READY)
        real_must(Irsend, p.start, p.count, p.type, to, f->tag, f->comm->shadow, &f->request);
    else
        real_must(Isend, p.start, p.count, p.type, to, f->tag, f->comm->shadow, &f->request);
    if (!f->number)
        list_add(&sky.loose, f);
}

void flight_send_now(struct flight *f, int *error)
{
    struct parcel p = parcel_in(f);
    fill_header(f);
    int to = peer_of(f);
    if (f->mode & OPF_SYNCHRONOUS)
        *error = real.Ssend(p.start, p.count, p.type, to, f->tag, f->comm->shadow);
    else if (f->mode & OPF_READY)
        *error = real.Rsend(p.start, p.count, p.type, to, f->tag, f->comm->shadow);
    else
        *error = real.Send(p.start, p.count, p.type, to, f->tag, f->comm->shadow);
}

/* Until a header has come, there is none. */
static void make_flight_block(struct flight *f)
{
    f->block = block_new(f->lent ? 0 : f->bytes);
    f->block->magic = 0;
}

void flight_recv(struct flight *f)
{
    make_flight_block(f);
    struct parcel p = parcel_in(f);
    real_must(Irecv, p.start, p.count, p.type, peer_of(f), tag_of(f), f->comm->shadow, &f->request);
    list_add(&sky.receives, f);
}

void flight_recv_now(struct flight *f, MPI_Status *status, int *error)
{
    make_flight_block(f);
    struct parcel p = parcel_in(f);
    *error = real.Recv(p.start, p.count, p.type, peer_of(f), tag_of(f), f->comm->shadow, status);
}

struct flight *flight_taken(const struct op *op, uint64_t index, uint64_t bytes, MPI_Message *message)
{
    struct flight *f = flight_new(FLIGHT_TAKEN, op, index);
    f->blocking = false;
    f->bytes = bytes;
    make_flight_block(f);
    struct parcel p = parcel_in(f);
    real_must(Mrecv, p.start, p.count, p.type, message, MPI_STATUS_IGNORE);
    return f;
}

const struct header *flight_header(const struct flight *f)
{
    return f->block->magic == HEADER_MAGIC ? f->block : NULL;
}

bool flights_need_service(const struct flight *except)
{
    const struct flight *first = sky.receives;
    return sky.withheld || (first && (first != except || first->next));
}

/* Of a wildcard the match itself, too: what the sender does next comes after it. */
static uint64_t clock_at_match(const struct flight *receive)
{
    return receive->posted + (receive->wildcard != NULL);
}

static void tell_synchronous(struct flight *f)
{
    const struct header *h = flight_header(f);
    if (!h || !(h->flags & HEADER_SYNCHRONOUS) || f->matched_told)
        return;
    match_clock_tell(h, clock_at_match(f));
    f->matched_told = true;
}

bool flights_need_anything(void)
{
    return sky.receives || sky.orphans || sky.loose || sky.withheld;
}

/* A matched receive that nobody has waited for yet. */
static void tell_if_matched(struct flight *f)
{
    int there = 0;
    MPI_Status status;
    if (f->matched_told)
        return;
    library_may_fail(real.Request_get_status(f->request, &there, &status)); /* completing it tells */
    if (there)
        tell_synchronous(f);
}

static void reap_loose(void)
{
    for (struct flight *f = sky.loose, *next; f; f = next) {
        int gone = 0;
        next = f->next;
        real_must(Test, &f->request, &gone, MPI_STATUS_IGNORE);
        if (gone)
            flight_drop(f);
    }
}

void flight_withhold(struct flight *f)
{
    list_add(&sky.withheld, f);
}

void flight_give_up(struct flight *f)
{
    list_remove(f);
    f->given_up = true;
}

static void let_out(void)
{
    for (struct flight *f; (f = sky.withheld);) {
        list_remove(f);
        if (f->kind == FLIGHT_SEND)
            flight_send(f);
        else
            flight_recv(f);
    }
}

void flights_serve(void)
{
    if (sky.withheld && choices_were_left())
        let_out();
    for (struct flight *f = sky.receives; f; f = f->next)
        tell_if_matched(f);
    reap_loose();
}

bool flights_have_orphans(void)
{
    return sky.orphans;
}

struct flight *flights_next_orphan(MPI_Status *status, int *error)
{
    for (struct flight *f = sky.orphans; f; f = f->next) {
        int there = 0;
        *error = real.Test(&f->request, &there, status);
        if (there)
            return f;
    }
    return NULL;
}

void flight_orphan(struct flight *f)
{
    if (f->kind == FLIGHT_DONE) {
        flight_drop(f);
        return;
    }
    list_remove(f);
    list_add(&sky.orphans, f);
}

/*
 * What others need of us is looked at now and then.  The library looked for progress in between; how
 * polite it is then, is its own affair, and ours only when it takes very long.
 */
void flights_pause(unsigned *round)
{
    enum { SERVE = 64, YIELD = 4096 };
    if (++*round % SERVE == 0)
        flights_serve();
    if (*round % YIELD == 0)
        sched_yield();
}

void flight_wait(MPI_Request *request, MPI_Status *status, int *error)
{
    int there = 0;
    unsigned round = 0;
    while (*error = real.Test(request, &there, status), !there && *error == MPI_SUCCESS)
        flights_pause(&round);
}

static uint64_t bytes_behind_header(MPI_Status *status)
{
    MPI_Count bytes = 0;
    real_must(Get_elements_x, status, MPI_BYTE, &bytes);
    return bytes < (MPI_Count)sizeof(struct header) ? 0 : (uint64_t)bytes - sizeof(struct header);
}

static void write_flight_done(const struct flight *f, uint64_t by, uint32_t flags)
{
    size_t size = offsetof(struct causal_done, sender_op);
    struct causal_done *done = ledger_begin(CAUSAL_DONE, size);
    memset((char *)done + sizeof done->record, 0, size - sizeof done->record);
    done->op = f->op;
    done->by = by;
    done->clock = clock_now();
    done->flags = flags;
    done->source = RANK_NONE;
    ledger_commit();
}

void flight_let_go(struct flight *f, uint64_t by)
{
    write_flight_done(f, by, 0);
    if (f->kind == FLIGHT_DONE) {
        flight_drop(f);
        return;
    }
    sky.numbered[f->number] = NULL;
    f->number = 0;
    list_add(&sky.loose, f);
}

static void write_received(const struct flight *f, const struct arrived *a, uint64_t by, uint64_t clock)
{
    const struct header *h = flight_header(f);
    uint32_t truncated = a->bytes > f->bytes ? CAUSAL_WAS_TRUNCATED : 0;
    LEDGER_PUT(CAUSAL_DONE, causal_done, .op = f->op, .by = by, .clock = clock,
               .flags = truncated | (h ? CAUSAL_HAS_SENDER : 0), .tag = a->tag, .source = a->source,
               .bytes = a->bytes, .sender_op = h ? h->op : 0, .sender_clock = h ? h->clock : 0,
               .sender_signature = h ? h->signature : 0);
}

static struct arrived take_arrival(struct flight *f, MPI_Status *status, int error, uint64_t by)
{
    int class = MPI_SUCCESS;
    if (error != MPI_SUCCESS)
        real_must(Error_class, error, &class);
    struct arrived a = {.source = comm_peers(f->comm)->rank[status->MPI_SOURCE], .tag = status->MPI_TAG};
    a.bytes = class == MPI_ERR_TRUNCATE ? f->bytes + 1 : bytes_behind_header(status);
    const struct header *header = flight_header(f);
    struct arrival arrival = {.op = f->op,
                              .blocking = f->blocking,
                              .wildcard = f->wildcard,
                              .context = f->comm->context,
                              .source = a.source,
                              .tag = a.tag,
                              .bytes = a.bytes,
                              .header = header};
    uint64_t clock = late_messages_arrived(&arrival);
    sightings_received(&arrival);
    if (!header)
        clock_doubt(); /* a message that was cut off has none */
    if (f->blocking)
        f->posted = clock; /* it was posted when it was matched, as far as anybody can tell */
    write_received(f, &a, by, clock);
    if (f->wildcard)
        choice_end(&f->choice, CHOICE_SOURCE, a.source, 0, clock, NULL, 0);
    tell_synchronous(f);
    return a;
}

void flight_is_taken(struct flight *f, const struct arrival *a, uint64_t clock)
{
    f->peer = a->source;
    f->tag = a->tag;
    f->wildcard = a->wildcard;
    f->posted = clock;
    tell_synchronous(f);
}

/* It was received long ago. */
static struct arrived handed_over(const struct flight *f, uint64_t by)
{
    struct arrived a = {.source = f->peer, .tag = f->tag, .bytes = f->bytes};
    write_received(f, &a, by, f->posted);
    return a;
}

static struct arrived given_up(struct flight *f, uint64_t by)
{
    if (f->wildcard)
        wildcard_cancel(f->wildcard);
    write_flight_done(f, by, CAUSAL_WAS_CANCELLED);
    return (struct arrived){.source = RANK_NONE, .cancelled = true};
}

static void hear_of_match(const struct flight *send)
{
    unsigned round = 0;
    double until = 0;
    while (!match_clock_hear(send->peer, send->op) && match_clock_is_awaited(&until)) {
        flights_serve();
        flights_pause(&round);
    }
}

struct arrived flight_complete(struct flight *f, MPI_Status *status, int error, uint64_t by)
{
    if (f->kind == FLIGHT_TAKEN)
        return handed_over(f, by);
    int cancelled = f->given_up;
    if (f->cancelling)
        real_must(Test_cancelled, status, &cancelled);
    list_remove(f);
    if (cancelled)
        return given_up(f, by);
    if (f->kind == FLIGHT_RECV)
        return take_arrival(f, status, error, by);
    if (f->synchronous)
        hear_of_match(f);
    write_flight_done(f, by, 0);
    return (struct arrived){.source = RANK_NONE};
}

void flights_close(void)
{
    for (struct flight *f = sky.loose; f; f = f->next)
        real_must(Request_free, &f->request);
    sky.loose = NULL;
    parcel_close();
}
