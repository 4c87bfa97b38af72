/*
 * channel -- the other end of shim/channel.h, when nobody is there to answer but the library.
 *
 * The bodies of the calls post operations and sleep for answers, as they do when tourney
 * answers.  Here each operation is written down, becomes a call of the real library, and what
 * that says is the answer.
 */
#include "shim/channel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shim/clock/answers.h"
#include "shim/clock/comm.h"
#include "shim/clock/ledger.h"
#include "shim/clock/parcel.h"
#include "shim/clock/posting.h"
#include "shim/clock/reply.h"
#include "shim/clock/rounds.h"
#include "shim/clock/sightings.h"
#include "shim/clock/window_remarks.h"
#include "shim/core/library_code.h"
#include "shim/process/rank_claim.h"

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

/* Nothing is said to complete at once: that is for the library to know. */
const struct wire_head *channel_head(void)
{
    static struct wire_head head = {.version = WIRE_VERSION, .slack = 0};
    return &head;
}

/* On a real job the verdict does not claim to know of all choices of the library. */
void channel_tell_preferred(void)
{
}

const char *channel_open(const char *world)
{
    (void)world;
    return NULL;
}

bool channel_tell_refusal(const char *why)
{
    return rank_claim_tell_refusal(why);
}

uint64_t arena_room(uint64_t bytes)
{
    return (uintptr_t)block_payload(block_new(bytes));
}

void *arena_at(uint64_t offset)
{
    return (void *)(uintptr_t)offset;
}

/* A poll without end, for the choice that it was. */
static void end_spin(void)
{
    if (spin.goes_on) {
        choice_end(&posting.choice, CHOICE_NO, 0, spin.polls, clock_now(), NULL, 0);
        rounds_note(spin.key, spin.polls);
    }
    spin.goes_on = false;
}

static bool comes_between(const struct op *op)
{
    return op_is_remark(op) || op->kind == OP_CONTEXT || op->kind == OP_CONTEXT_LEFT;
}

static char *room_in_tail(char **tail, size_t *room, size_t size)
{
    if (size > *room) {
        *room = 2 * size;
        *tail = shim_realloc(*tail, *room);
    }
    return *tail;
}

static void fill_in_place(struct op *op)
{
    if (!op->place)
        op->place = (uintptr_t)shim.place;
    if (!op->call)
        op->call = shim.call;
}

void *channel_begin(struct op *op, size_t tail)
{
    fill_in_place(op);
    remark.begun = comes_between(op);
    if (remark.begun) {
        remark.op = *op;
        remark.tail_size = tail;
        return room_in_tail(&remark.tail, &remark.tail_room, tail);
    }
    posting.op = *op;
    posting.tail_size = tail;
    posting.block = NULL;
    posting.lent = NULL;
    if (op->kind == OP_SEND) {
        posting.block = op->payload ? block_of(arena_at(op->payload)) : block_new(tail);
        return block_payload(posting.block);
    }
    return room_in_tail(&posting.tail, &posting.tail_room, tail);
}

void channel_abandon(void)
{
    ledger_abandon();
}

static bool is_completion(const struct op *op)
{
    return op->kind == OP_WAIT || op->kind == OP_TEST;
}

/* Requests are known by what they are, so that the same poll has the same key. */
static uint64_t key_of_poll(const struct op *op, const uint32_t *list)
{
    uint64_t key = causal_mix(op->place, (uint64_t)op->kind << 32 | op->flags);
    key = causal_mix(key, (uint64_t)(uint32_t)op->peer << 32 | (uint32_t)op->tag);
    key = causal_mix(key, op->context);
    for (uint32_t i = 0; i < op->items; i++)
        key = causal_mix(key, list[i]);
    return key;
}

static bool op_has_choice(const struct op *op)
{
    if (op->flags & OPF_WENT_ON)
        return false;
    if (op_is_poll(op) || op_chooses(op))
        return true;
    bool from_any = op->kind == OP_RECV && op->peer == RANK_ANY;
    return from_any || op->kind == OP_PROBE || (op->kind == OP_WAIT && (op->flags & (OPF_ANY | OPF_SOME)));
}

static void write_op(const struct op *op)
{
    const void *tail = posting.tail;
    size_t size = op->kind == OP_SEND ? 0 : posting.tail_size;
    const uint32_t *list = is_completion(op) ? posting_list(op) : NULL;
    if (list) {
        tail = list;
        size = op->items * sizeof *list;
    }
    posting.index = ledger_op(op, tail, size, clock_now());
    choices_note(op, list);
}

/* The rank does something: what it was polling for is left. */
static void write_down(const struct op *op)
{
    end_spin();
    if (!op_is_poll(op))
        rounds_end();
    if (sightings_any() && (op->kind == OP_SEND || op->kind == OP_COLL))
        clock_doubt();
    remark_news();
    write_op(op);
}

static bool is_withheld(const struct flight *f)
{
    return f->outcome == CANCEL_IN_TIME && !f->blocking && f->number;
}

static void begin_send(const struct op *op)
{
    struct flight *f = flight_new(FLIGHT_SEND, op, posting.index);
    f->block = posting.block;
    f->lent = posting.lent;
    f->block->signature = op->signature;
    f->outcome = choices_cancel_outcome();
    if (is_withheld(f)) {
        flight_withhold(f);
        return;
    }
    bool waits = (op->flags & OPF_BLOCKING) && !(op->flags & OPF_WENT_ON);
    if (waits && !flights_need_service(NULL)) {
        posting.flight = f;
        return;
    }
    flight_send(f);
}

static void begin_wildcard(struct flight *f, const struct op *op)
{
    if (op->peer != RANK_ANY)
        return;
    f->choice = choice_begin(posting.index);
    f->wildcard = wildcard_new(op, posting.index, f->choice.number);
    f->peer = decided_source(&f->choice, f->comm);
}

static void begin_recv(const struct op *op)
{
    struct flight *f = flight_new(FLIGHT_RECV, op, posting.index);
    f->lent = posting.lent;
    f->outcome = choices_cancel_outcome();
    begin_wildcard(f, op);
    if (is_withheld(f))
        flight_withhold(f);
    else if ((op->flags & OPF_BLOCKING) && !flights_need_service(NULL))
        posting.flight = f;
    else
        flight_recv(f);
}

/* It was decided that a cancel comes too late for this receive: the message has to be here first. */
static void wait_for_match(const struct flight *f)
{
    int there = 0;
    unsigned round = 0;
    ledger_blocked(posting.index, RANK_ANY);
    while (real.Request_get_status(f->request, &there, MPI_STATUS_IGNORE) == MPI_SUCCESS && !there)
        flights_pause(&round);
    ledger_running();
}

static void begin_cancel(const struct op *op)
{
    struct flight *f = flight_find(op->request);
    if (f && is_withheld(f) && f->request == MPI_REQUEST_NULL) {
        flight_give_up(f);
    } else if (f && f->outcome == CANCEL_TOO_LATE) {
        if (f->kind == FLIGHT_RECV)
            wait_for_match(f);
    } else if (f && f->request != MPI_REQUEST_NULL) {
        f->cancelling = true;
        real_must(Cancel, &f->request);
    }
}

static void begin_free(const struct op *op)
{
    struct flight *f = flight_find(op->request);
    if (f)
        flight_orphan(f);
}

/* They were complete when they were posted. */
static void let_go_of_flights(const struct op *op)
{
    const uint32_t *number = posting_list(op);
    for (uint32_t i = 0; i < op->items; i++)
        flight_let_go(flight_find(number[i]), posting.index);
}

static void say_error(const struct op *op)
{
    const char *text = op->kind == OP_ERROR ? posting.tail : "is not supported";
    fprintf(stderr, "tourney: rank %d: %s: %s\n", shim.rank, call_name(op->call), text);
}

void channel_commit(void)
{
    struct op *op = &posting.op;
    if (remark.begun) {
        if (ledger_is_open()) {
            ledger_show();
            ledger_op(&remark.op, remark.tail, remark.tail_size, clock_now());
        }
        return;
    }
    posting.flight = NULL;
    reply_forget_delivered();
    if (!ledger_is_open()) {
        if (op->kind == OP_ERROR)
            say_error(op);
        return;
    }
    uint64_t key = op_is_poll(op) ? key_of_poll(op, posting_list(op)) : 0;
    if (spin.goes_on && op_is_poll(op) && key == spin.key)
        return;
    write_down(op);
    if (op_has_choice(op) && op->kind != OP_RECV)
        posting.choice = choice_begin(posting.index);
    switch ((enum op_kind)op->kind) {
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
    case OP_DONE:
        flight_new(FLIGHT_DONE, op, posting.index);
        break;
    case OP_CANCEL:
        begin_cancel(op);
        break;
    case OP_FREE:
        begin_free(op);
        break;
    case OP_WAIT:
        if (op->flags & OPF_WENT_ON)
            let_go_of_flights(op);
        break;
    case OP_ERROR:
    case OP_REFUSED:
        say_error(op);
        break;
    OP_CASES(OP_CHOICES)
    case OP_COLL: /* the library does it (collective_call.c) */
    case OP_TAKEN:
    case OP_PROBE:
    case OP_ABORT:
    case OP_CRASH:
    OP_CASES(OP_LIFE)
    OP_CASES(OP_SETTINGS)
    OP_CASES(OP_REMARKS)
    OP_CASES(OP_SERVICES)
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
    posting.lent = memory;
    channel_commit();
    return true;
}

static void answer_transfer(void)
{
    struct flight *f = posting.flight;
    MPI_Status status;
    int error = MPI_SUCCESS;
    if (!f) {
        reply_wait_for(flight_find(posting.op.request));
        return;
    }
    if (f->kind == FLIGHT_SEND)
        flight_send_now(f, &error);
    else
        flight_recv_now(f, &status, &error);
    reply_finish(f, &status, error);
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
    fill_in_place(op);
    reply_forget_delivered();
    posting.tail_size = 0;
    write_down(op);
    ledger_blocked(posting.index, RANK_ANY);
    flight_init(&f, op->kind == OP_SEND ? FLIGHT_SEND : FLIGHT_RECV, op, posting.index);
    f.lent = parcel_is_worth_lending(op) ? buf : NULL;
    if (op->kind == OP_SEND)
        transfer_send(&f, op, buf);
    else
        transfer_recv(&f, op, buf, done);
    block_free(f.block);
    ledger_running();
    return true;
}

/* Nobody but the decision file says which it is to be; without it, the first. */
static void answer_choice(void)
{
    const struct forced_decision *d = posting.choice.decision;
    if (d && (d->kind != CHOICE_INDEX || d->value < 0 || (uint32_t)d->value >= posting.op.items))
        choice_diverge(&posting.choice);
    d = posting.choice.decision;
    rank_t alternative = d ? d->value : 0;
    choice_end(&posting.choice, CHOICE_INDEX, alternative, 0, clock_now(), NULL, 0);
    reply_add((struct completion){.source = alternative});
}

const struct answer *channel_sleep(void)
{
    struct answer *answer = reply_begin();
    if (!ledger_is_open())
        return answer;
    ledger_blocked(posting.index, forced_source(posting.flight));
    switch ((enum op_kind)posting.op.kind) {
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
    OP_CASES(OP_CHOICES)
        answer_choice();
        break;
    case OP_CRASH:
        ledger_end(CAUSAL_ABORTED, posting.op.code);
        break;
    case OP_COLL:
    case OP_TEST:   /* channel_sleep_polling */
    case OP_IPROBE:
    case OP_ABORT:
    case OP_ERROR:
    case OP_REFUSED:
    OP_CASES(OP_LIFE)
    OP_CASES(OP_SETTINGS)
    OP_CASES(OP_REMARKS)
    OP_CASES(OP_ON_REQUESTS)
    OP_CASES(OP_SERVICES)
        break;
    }
    reply_finish_orphans();
    ledger_running();
    return answer;
}

const struct answer *channel_sleep_polling(uint64_t key)
{
    (void)key;
    struct answer *answer = reply_begin();
    bool yes = posting.op.kind == OP_TEST ? answer_test() : answer_probe();
    if (yes) {
        spin.goes_on = false;
        rounds_end();
        ledger_running();
    } else {
        spin.polls++;
        flights_serve();
        ledger_polling(posting.index, spin.polls);
    }
    reply_finish_orphans();
    answer->flag = yes;
    return answer;
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

void channel_leave(void)
{
}

void channel_return(void)
{
}

bool channel_outlives_mpi(void)
{
    return false;
}

void channel_wait_for_the_end(void)
{
    int code = posting.op.kind == OP_ABORT || posting.op.kind == OP_ERROR ? posting.op.code : 1;
    if (ledger_is_open())
        ledger_end(CAUSAL_ABORTED, code);
    fflush(NULL);
    while (getenv(CAUSAL_ENV_HELD))
        pause();
    if (shim.initialized && !shim.finalized)
        library_may_fail(real.Abort(MPI_COMM_WORLD, code));
    _exit(1);
}
