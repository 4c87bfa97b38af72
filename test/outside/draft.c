#include "draft.h"

#include <string.h>

struct drawing {
    struct draft *draft;
    unsigned long state;
    int requests[DRAFT_RANKS];                  /* numbers given out */
    unsigned open[DRAFT_RANKS];                 /* bit r: request r is not known to be complete */
};

unsigned draft_below(unsigned long *state, unsigned n)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (unsigned)((*state >> 16) % n);
}

static unsigned below(struct drawing *d, unsigned n)
{
    return draft_below(&d->state, n);
}

static int chance(struct drawing *d, unsigned percent)
{
    return below(d, 100) < percent;
}

static struct step *add_step(struct drawing *d, int rank, enum step_kind kind)
{
    struct step *step = &d->draft->step[rank][d->draft->steps[rank]++];
    step->kind = kind;
    return step;
}

/* Steps that are not left when all that is open must still be completed are not drawn. */
static int room_for(const struct drawing *d, int rank)
{
    return d->draft->steps[rank] < DRAFT_STEPS - 4 && d->requests[rank] < DRAFT_REQUESTS;
}

static void give_request(struct drawing *d, int rank, struct step *step)
{
    if (step->form == FORM_BLOCKING)
        return;
    step->request = d->requests[rank]++;
    d->open[rank] |= 1u << step->request;
}

static enum step_form some_form(struct drawing *d)
{
    return chance(d, 50) ? FORM_BLOCKING : chance(d, 75) ? FORM_IMMEDIATE : FORM_PERSISTENT;
}

/* ---- events ---- */

static void draw_send(struct drawing *d, const struct step *envelope, int from, int to)
{
    struct step *send = add_step(d, from, STEP_SEND);
    *send = *envelope;
    send->kind = STEP_SEND;
    send->peer = to;
    send->form = some_form(d);
    send->mode = chance(d, 60) ? MODE_STANDARD : chance(d, 50) ? MODE_SYNCHRONOUS : MODE_BUFFERED;
    give_request(d, from, send);
}

static void draw_receive(struct drawing *d, const struct step *envelope, int from, int to)
{
    enum step_kind kind = chance(d, 70) ? STEP_RECEIVE : chance(d, 60) ? STEP_PROBE : STEP_IPROBE;
    struct step *receive = add_step(d, to, kind);
    *receive = *envelope;
    receive->kind = kind;
    receive->peer = chance(d, 60) ? DRAFT_ANY : from;
    receive->tag = chance(d, 40) ? DRAFT_ANY : envelope->tag;
    receive->matched = chance(d, 50);
    receive->form = kind == STEP_RECEIVE ? some_form(d) : FORM_BLOCKING;
    give_request(d, to, receive);
}

/* A receive that does not block is often there before its message is sent. */
static void draw_message(struct drawing *d, int number)
{
    int from = (int)below(d, DRAFT_RANKS), to = (from + 1 + (int)below(d, DRAFT_RANKS - 1)) % DRAFT_RANKS;
    struct step envelope = {.tag = (int)below(d, 2), .comm = chance(d, 15), .count = chance(d, 85)};
    envelope.value = 100 * from + number;
    if (!room_for(d, from) || !room_for(d, to))
        return;
    draw_send(d, &envelope, from, to);
    draw_receive(d, &envelope, from, to);
}

/*
 * A send or receive with nobody at the other end, which is complete when it is made.  Not a persistent one: MPICH 4.0 hangs in what
 * comes after such a receive.
 */
static void draw_null(struct drawing *d, int number)
{
    int rank = (int)below(d, DRAFT_RANKS);
    if (!room_for(d, rank))
        return;
    struct step *step = add_step(d, rank, chance(d, 50) ? STEP_SEND : STEP_RECEIVE);
    step->peer = DRAFT_NULL;
    step->count = 1;
    step->value = 100 * rank + number;
    step->mode = below(d, 3);
    step->form = FORM_IMMEDIATE;
    give_request(d, rank, step);
}

static void draw_collective_as(struct drawing *d, int number, enum step_form form)
{
    struct step shared = {.kind = STEP_COLLECTIVE, .comm = chance(d, 15), .count = chance(d, 60)};
    shared.collective = below(d, COLLECTIVES);
    shared.peer = (int)below(d, DRAFT_RANKS);
    shared.absent = below(d, 512);
    for (int rank = 0; rank < DRAFT_RANKS; rank++)
        if (!room_for(d, rank))
            return;
    for (int rank = 0; rank < DRAFT_RANKS; rank++) {
        struct step *step = add_step(d, rank, STEP_COLLECTIVE);
        *step = shared;
        step->value = 100 * rank + number;
        step->form = form;
        give_request(d, rank, step);
    }
}

/* Of two persistent ones each rank starts the one first that it likes. */
static void draw_collective(struct drawing *d, int number)
{
    enum step_form form = some_form(d);
    int steps[DRAFT_RANKS];
    draw_collective_as(d, number, form);
    if (form != FORM_PERSISTENT || chance(d, 30))
        return;
    memcpy(steps, d->draft->steps, sizeof steps);
    draw_collective_as(d, number + 50, form);
    for (int rank = 0; rank < DRAFT_RANKS; rank++)
        if (d->draft->steps[rank] > steps[rank] && steps[rank] > 0)
            d->draft->step[rank][steps[rank] - 1].late = chance(d, 50);
}

/* Nobody relies on a message that may be withdrawn: it is looked for, or its receive is cancelled itself. */
static void draw_cancel(struct drawing *d, int number)
{
    int from = (int)below(d, DRAFT_RANKS), to = (from + 1 + (int)below(d, DRAFT_RANKS - 1)) % DRAFT_RANKS;
    struct step envelope = {.tag = 2, .comm = chance(d, 15), .count = 1, .value = 100 * from + number};
    if (!room_for(d, from) || !room_for(d, to))
        return;
    struct step *send = add_step(d, from, STEP_SEND);
    *send = envelope;
    send->form = FORM_IMMEDIATE;
    send->mode = chance(d, 70) ? MODE_STANDARD : MODE_BUFFERED;
    send->peer = to;
    give_request(d, from, send);
    struct step *look = add_step(d, to, chance(d, 50) ? STEP_RECEIVE : STEP_IPROBE);
    enum step_kind kind = look->kind;
    *look = envelope;
    look->kind = kind;
    look->peer = from;
    look->form = kind == STEP_RECEIVE ? FORM_IMMEDIATE : FORM_BLOCKING;
    give_request(d, to, look);
    if (kind == STEP_RECEIVE) {
        add_step(d, to, STEP_CANCEL)->request = look->request;
        d->open[to] &= ~(1u << look->request);
    }
    if (kind == STEP_IPROBE || chance(d, 50)) {
        add_step(d, from, STEP_CANCEL)->request = send->request;
        d->open[from] &= ~(1u << send->request);
    }
}

/* ---- completion ---- */

static int some_open(struct drawing *d, int rank)
{
    for (;;) {
        int request = (int)below(d, DRAFT_REQUESTS);
        if (d->open[rank] >> request & 1)
            return request;
    }
}

static void draw_completion(struct drawing *d, int rank)
{
    if (!d->open[rank] || d->draft->steps[rank] >= DRAFT_STEPS - 2)
        return;
    if (chance(d, 30)) {
        struct step *step = add_step(d, rank, STEP_COMPLETE);
        step->by = below(d, BY_TESTALL + 1);
        if (step->by == BY_WAITALL)
            d->open[rank] = 0;
        return;
    }
    struct step *step = add_step(d, rank, chance(d, 50) ? STEP_TEST : STEP_WAIT);
    step->request = some_open(d, rank);
    if (step->kind == STEP_WAIT)
        d->open[rank] &= ~(1u << step->request);
}

static void complete_the_rest(struct drawing *d, int rank)
{
    add_step(d, rank, STEP_COMPLETE)->by = BY_WAITALL;
}

void draft_make(struct draft *draft, unsigned long seed)
{
    struct drawing d = {.draft = draft, .state = seed * 0x9E3779B97F4A7C15ul + 0x1234567};
    memset(draft, 0, sizeof *draft);
    int events = 4 + (int)below(&d, 4);
    for (int number = 1; number <= events; number++) {
        unsigned what = below(&d, 100);
        if (what < 52)
            draw_message(&d, number);
        else if (what < 62)
            draw_null(&d, number);
        else if (what < 95)
            draw_collective(&d, number);
        else
            draw_cancel(&d, number);
        if (chance(&d, 40))
            draw_completion(&d, (int)below(&d, DRAFT_RANKS));
    }
    for (int rank = 0; rank < DRAFT_RANKS; rank++)
        complete_the_rest(&d, rank);
}
