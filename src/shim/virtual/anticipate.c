#include "shim/virtual/anticipate.h"

#include <string.h>

#include "arch/machine.h"
#include "call/mail.h"
#include "call/round_robin.h"
#include "shim/channel.h"
#include "shim/virtual/hearing.h"
#include "shim/virtual/mail.h"
#include "shim/virtual/parts_shown.h"
#include "shim/virtual/shown_memory.h"
#include "shim/virtual/window_locks.h"
#include "shim/virtual/window_mail.h"

enum {
    RECEIVES = 256,   /* pending at a time; who had more anticipates nothing any more */
    NUMBERS = 1024,   /* of requests that are kept account of */
    LISTED = 64,      /* requests of a wait that can be anticipated */
    CONTEXTS = 32,    /* whose collectives can be */
    PATIENCE = 180,   /* times that it does before it sleeps: to sleep and be woken takes longer than most waits */
    FORGIVEN = 32,    /* waits in vain after which it is as patient as at first */
};

/* What a request number of this rank stands for. */
enum numbered {
    NUMBERED_OTHER,    /* nothing, or what only tourney knows */
    NUMBERED_SEND,     /* a send that needed nothing more once it was posted */
    NUMBERED_SHOWN,    /* the same, and its message was shown to the receiver */
    NUMBERED_RECEIVE,
    NUMBERED_CERTAIN,  /* a receive of which the rank knows that it brings nothing (OPF_CERTAIN) */
};

/* A receive that was posted and is not complete; in the order of posting. */
struct pending_receive {
    uint32_t request;
    rank_t peer;
    int32_t tag;
    context_t context;
    uint64_t looked;      /* in the mailbox of its peer up to there, and nothing was there that it meets */
    struct mail *message; /* that it meets, */
    rank_t source;        /* of this rank */
};

struct context_members {
    context_t context;
    int slot;                   /* on the own board (call/part_board.h) */
    uint64_t set;               /* of the members, a bit for each */
    uint32_t members;
    rank_t member[MAIL_MEMBERS];
    int slot_of[MAIL_MEMBERS];  /* on the boards of the others; -1: not known yet */
};

static struct {
    struct wire_head *head;
    char *arena;
    rank_t own;
    bool on;
    bool ahead;               /* it runs ahead of a search */
    bool blind;               /* it shows what it does, and does not look */
    uint32_t in_vain;         /* waits for mail since one was of use */
    uint32_t undecided;       /* as hearing_begin is told */
    uint32_t awaited;         /* as anticipate_awaited says */
    uint64_t awaited_looked;  /* if that is a rank: `looked` of the receive that lacks its message, or how far that rank's mailbox was looked at */
    uint32_t last_source;     /* as in struct answer */
    rank_t next;              /* who may still send something before a choice is made; RANK_NONE: nobody does */
    _Atomic uint32_t *turn;   /* of the channel, and what it is before the call in hand is answered */
    uint32_t answered;
    bool part_shown;          /* the part in a collective that was last noted, to all other members */
    const struct op *part[MAIL_MEMBERS]; /* of the others in this collective, as far as they were seen */
    uint32_t pass;            /* over the receives that are pending, */
    uint32_t looked_in[MAIL_RANKS]; /* and in which of these the mailbox from a rank was last looked at */
    int receives, contexts;
    struct pending_receive receive[RECEIVES];
    struct context_members context[CONTEXTS];
    uint8_t number[NUMBERS];  /* enum numbered */
    uint8_t send_to[NUMBERS]; /* rank, of NUMBERED_SHOWN */
    uint64_t sent[MAIL_RANKS];
    uint64_t taken_from;      /* a bit for each rank: mails of it were taken by the last answer */
    struct {
        struct answer head;
        union {
            struct completion completion[LISTED];
            char room[sizeof(struct completion) + MAIL_MEMBERS * sizeof(struct piece)];
        };
    } answer;
} own;

static void open_mailboxes(uint64_t at, const int32_t *channels)
{
    size_t ranks = (size_t)own.head->first_ranks;
    struct mailbox *boxes = (struct mailbox *)(own.arena + at);
    hearing_open(own.head, own.own, channels);
    mail_open(boxes, own.own, own.head->first_ranks);
    parts_open((struct part_board *)(boxes + ranks * ranks), own.own);
}

void anticipate_open(struct wire_head *head, char *arena, rank_t rank)
{
    if (!head->mailboxes)
        return;
    window_mail_open(head, rank); /* also of those whom others have started: all count what they change */
    if (rank >= head->first_ranks)
        return;
    own.head = head;
    own.arena = arena;
    own.own = rank;
    own.on = true;
    window_locks_open(head);
    shown_memory_open(head);
    open_mailboxes(head->mailboxes, NULL);
}

struct op *anticipate_begin_ahead(struct wire_head *head, char *arena, rank_t rank, uint64_t ahead)
{
    const struct wire_ahead *told = (const struct wire_ahead *)(arena + ahead);
    struct op *record = (struct op *)(told + 1), *last = record;
    own.head = head;
    own.arena = arena;
    own.own = rank;
    own.on = own.ahead = true;
    open_mailboxes(told->mailboxes, (const int32_t *)(arena + told->channels));
    for (uint64_t i = 0; i < told->records; i++) {
        last = record;
        record = (struct op *)op_next(record);
        anticipate_note(last);
    }
    return last;
}

bool anticipate_is_on(void)
{
    return own.on;
}

/* ---- what is posted ---- */

/* Ranks that others start, and the keepers of windows, which are behind the ranks, have none. */
static bool has_mailbox(rank_t peer)
{
    return peer >= 0 && peer < own.head->first_ranks;
}

static bool all_have_mailboxes(const struct op_group *group)
{
    for (uint32_t i = 0; i < group->members; i++)
        if (!has_mailbox(group->member[i]))
            return false;
    return true;
}

static struct context_members *find_context(context_t context)
{
    for (int i = 0; i < own.contexts; i++)
        if (own.context[i].context == context)
            return &own.context[i];
    return NULL;
}

static void note_context(const struct op *record)
{
    const struct op_group *group = op_tail(record);
    if (own.contexts == CONTEXTS || group->members > MAIL_MEMBERS || group->first_group != group->members ||
        find_context(record->context) || !all_have_mailboxes(group))
        return;
    struct context_members new = {.context = record->context, .members = group->members};
    for (uint32_t i = 0; i < group->members; i++) {
        new.member[i] = group->member[i];
        new.set |= UINT64_C(1) << group->member[i];
        new.slot_of[i] = -1;
    }
    new.slot = parts_take_slot(record->context, new.set);
    if (new.slot >= 0)
        own.context[own.contexts++] = new;
}

static void forget_context(context_t context)
{
    struct context_members *gone = find_context(context);
    if (!gone)
        return;
    parts_leave_slot(gone->slot);
    *gone = own.context[--own.contexts];
}

static void set_number(uint32_t request, enum numbered what)
{
    if (request < NUMBERS)
        own.number[request] = what;
}

static enum numbered numbered_as(uint32_t request)
{
    return request < NUMBERS ? own.number[request] : NUMBERED_OTHER;
}

/* As in the bodies (M6, M7). */
static bool needs_nothing_more(const struct op *send)
{
    return !(send->flags & OPF_SYNCHRONOUS) && send->bytes < own.head->slack;
}


/* In a search blocks of the arena are given back when tourney has handed them over, whoever else may be reading there. */
static bool has_lasting_payload(const struct op *record)
{
    return !own.ahead || !record->payload;
}

/* Whose sender waits to be told of its end is received by tourney, which tells it; and so is what others are to be received before. */
static void note_send(const struct op *record)
{
    bool done = needs_nothing_more(record), ordered = record->flags & (OPF_CALM | OPF_AFTER);
    bool whole = done && !ordered && record->size <= MAIL_MOST && has_lasting_payload(record);
    bool shown = has_mailbox(record->peer) && mail_put(record->peer, record, ++own.sent[record->peer], whole);
    set_number(record->request, shown && whole ? NUMBERED_SHOWN : done ? NUMBERED_SEND : NUMBERED_OTHER);
    if (record->request < NUMBERS)
        own.send_to[record->request] = (uint8_t)record->peer;
}

static void note_receive(const struct op *record)
{
    if (record->flags & OPF_CERTAIN) {
        set_number(record->request, NUMBERED_CERTAIN);
        return;
    }
    if (own.receives == RECEIVES) {
        own.blind = true;
        return;
    }
    own.receive[own.receives++] =
        (struct pending_receive){record->request, record->peer, record->tag, record->context, 0, NULL, record->peer};
    set_number(record->request, NUMBERED_RECEIVE);
}

/* The same to everybody, or as many bytes to each. */
static bool brings_alike(const struct op *record, const struct op_coll *coll, uint32_t members)
{
    const struct op_slice *slice = op_coll_slices(coll);
    if (coll->slices == 0 || (coll->slices == 1 && slice->to == SLICE_FOR_ALL))
        return true;
    if (!(record->flags & OPF_ORDERED) || coll->slices != members || coll->typed)
        return false;
    for (uint32_t i = 0; i < members; i++)
        if (slice[i].to != (int32_t)i || slice[i].bytes != slice->bytes)
            return false;
    return true;
}

/* All members bring the same, and need something from everybody. */
static bool is_even_collective(const struct op *record, const struct context_members *among)
{
    const struct op_coll *coll = op_tail(record);
    return among && op_wants_answer(record) && !record->payload && record->size <= MAIL_MOST && record->peer == RANK_NONE &&
           coll->from == 0 && coll->until == among->members && coll->listed == 0 && coll->idle == 0 &&
           brings_alike(record, coll, among->members);
}

static void note_coll(const struct op *record)
{
    const struct context_members *among = find_context(record->context);
    own.part_shown = is_even_collective(record, among);
    memset(own.part, 0, sizeof own.part);
    if (own.part_shown)
        parts_show(among->slot, record);
}

static struct pending_receive *receive_of(uint32_t request)
{
    int i = own.receives - 1;
    while (i >= 0 && own.receive[i].request != request)
        i--;
    return i < 0 ? NULL : &own.receive[i];
}

/*
 * A message that its receiver has taken is not cancelled, though tourney may hear of that first: it is told so.  What is
 * withdrawn is left to tourney from now on, and so is what a receive that may be cancelled meets.
 */
static void note_cancel(struct op *record)
{
    if (receive_of(record->request))
        receive_of(record->request)->peer = RANK_NONE;
    if (numbered_as(record->request) == NUMBERED_SHOWN && !mail_withdraw(own.send_to[record->request], record->request))
        record->flags |= OPF_TOO_LATE;
    if (numbered_as(record->request) != NUMBERED_RECEIVE)
        set_number(record->request, NUMBERED_OTHER);
}

static void note_list_went_on(const struct op *record)
{
    const uint32_t *number = op_tail(record);
    for (uint32_t i = 0; !record->payload && i < record->items; i++)
        set_number(number[i], NUMBERED_OTHER);
}

void anticipate_note(struct op *record)
{
    switch ((enum op_kind)record->kind) {
    case OP_CONTEXT:
        note_context(record);
        break;
    case OP_CONTEXT_LEFT:
        forget_context(record->context);
        break;
    case OP_SEND:
        note_send(record);
        break;
    case OP_RECV:
        note_receive(record);
        break;
    case OP_COLL:
        note_coll(record);
        break;
    case OP_CANCEL:
        note_cancel(record);
        break;
    case OP_FREE: /* tourney delivers it with some later answer, which has to be its own */
        own.blind = own.blind || numbered_as(record->request) == NUMBERED_RECEIVE || record->request >= NUMBERS;
        break;
    case OP_WAIT:
        if (record->flags & OPF_WENT_ON)
            note_list_went_on(record);
        break;
    case OP_PROBE:
    case OP_IPROBE:
        if (record->flags & OPF_TAKE) /* which message is gone by that, tourney does not say */
            own.blind = true;
        break;
    case OP_ATTACHED:
    case OP_TEST:
    OP_CASES(OP_CHOICES)
    case OP_TAKEN:
    case OP_DONE:
    OP_CASES(OP_LIFE)
    OP_CASES(OP_REMARKS)
    OP_CASES(OP_SERVICES)
    OP_CASES(OP_ENDS)
        break;
    }
}

static bool sleeps(rank_t r)
{
    const struct wire_channel *c = hearing_channel(r);
    return atomic_load(&c->rests) == atomic_load(&c->turn) + 1;
}

bool anticipate_call(const struct op *record)
{
    return record->kind == OP_SEND && has_mailbox(record->peer) && hearing_call_receiver(record->peer);
}

bool anticipate_concerns_sleeper(const struct op *record)
{
    const struct context_members *among;
    if (record->kind == OP_SEND)
        return record->peer >= 0 && record->peer < (own.ahead ? own.head->first_ranks : own.head->ranks) && sleeps(record->peer);
    if (record->kind != OP_COLL || !(among = find_context(record->context)))
        return false;
    for (uint32_t i = 0; i < among->members; i++)
        if (among->member[i] != own.own && sleeps(among->member[i]) && !(own.part_shown && hearing_is_listening(among->member[i])))
            return true;
    return false;
}

/* ---- what is complete ---- */

static void drop_receive(uint32_t request)
{
    int i = 0;
    while (i < own.receives && own.receive[i].request != request)
        i++;
    if (i == own.receives)
        return;
    own.receives--;
    memmove(&own.receive[i], &own.receive[i + 1], (size_t)(own.receives - i) * sizeof *own.receive);
}

static void note_known_complete(uint32_t request)
{
    if (numbered_as(request) == NUMBERED_RECEIVE || request >= NUMBERS)
        drop_receive(request);
    set_number(request, NUMBERED_OTHER);
}

static const struct op *find_shown_part(struct context_members *among, uint32_t position, int32_t turn)
{
    int *slot = &among->slot_of[position];
    if (*slot < 0)
        *slot = parts_find_slot(among->member[position], among->context);
    const struct op *part = *slot < 0 ? NULL : parts_find(among->member[position], *slot, turn);
    return part && part->context == among->context ? part : NULL; /* it may have freed the communicator, though this rank has not */
}

static bool fits_receive(const struct mail *m, const struct pending_receive *r)
{
    return m->op.kind == OP_SEND && m->nth && m->op.context == r->context && (r->tag == TAG_ANY || r->tag == m->op.tag) &&
           m->claimed != own.pass;
}

/*
 * The first message from there that no receive before it meets.  The mailbox is looked at once in a pass: what comes after a receive was looked for in vain is
 * for that one, and not for the next.
 */
static struct mail *find_message(const struct pending_receive *r, rank_t from)
{
    struct mail *m = own.looked_in[from] == own.pass ? mail_first_seen(from) : mail_first(from);
    own.looked_in[from] = own.pass;
    while (m && !fits_receive(m, r))
        m = mail_next(from, m);
    return m;
}

/* What receives meet, up to `last`, whether or not it can be taken from there; false: that is not sure. */
static bool match_as_told(int last)
{
    own.pass++;
    for (int i = 0; i <= last; i++) {
        struct pending_receive *r = &own.receive[i];
        if (!has_mailbox(r->peer))
            return false;
        r->message = find_message(r, r->peer);
        if (mail_has_gap(r->peer) || (r->message && atomic_load(&r->message->state) != MAIL_NEW))
            return false;
        if (r->message)
            r->message->claimed = own.pass;
    }
    return true;
}

/* Takes the mails of messages that tourney has handed over, who does not say which these were; false: that is not sure. */
static bool take_as_told(const struct completion *first, uint32_t n)
{
    const struct completion *c = first;
    int last = -1;
    for (uint32_t i = 0; i < n; i++, c = completion_next(c)) {
        const struct pending_receive *r = numbered_as(c->request) == NUMBERED_RECEIVE ? receive_of(c->request) : NULL;
        if (!r && (c->request >= NUMBERS || numbered_as(c->request) == NUMBERED_RECEIVE))
            return false;
        if (r && r - own.receive > last)
            last = (int)(r - own.receive);
    }
    if (!match_as_told(last))
        return false;
    c = first;
    for (uint32_t i = 0; i < n; i++, c = completion_next(c)) {
        const struct pending_receive *r = numbered_as(c->request) == NUMBERED_RECEIVE ? receive_of(c->request) : NULL;
        if (r && (!r->message || !mail_take(r->message)))
            return false;
        if (r)
            own.taken_from |= UINT64_C(1) << r->peer;
    }
    return true;
}

void anticipate_answered(const struct op *record, const struct answer *answer, const struct completion *c)
{
    own.last_source = (uint32_t)answer->last_source;
    if (op_probes(record))
        return;
    if (own.ahead && !own.blind)
        own.blind = !take_as_told(c, answer->completions);
    if (record->kind == OP_COLL && own.part_shown)
        parts_met(find_context(record->context)->set);
    for (uint32_t i = 0; i < answer->completions; i++, c = completion_next(c)) {
        note_known_complete(c->request);
        if (c->nth && has_mailbox(c->source)) /* never in a search */
            mail_was_delivered(c->source, c->nth);
    }
}

/* ---- the answer ---- */

/* Certain, not to be certain from what is shown, or not yet. */
enum certainty { CERTAIN, NEVER_CERTAIN, NOT_YET_CERTAIN };

static bool can_take_ahead(struct mail *m)
{
    return m->whole && atomic_load_explicit(&m->state, memory_order_relaxed) == MAIL_NEW;
}

/* False: only tourney knows. */
static bool match_named(struct pending_receive *r)
{
    if (!has_mailbox(r->peer)) /* any, the keeper of a window, or it may be cancelled */
        return false;
    r->message = find_message(r, r->peer);
    if (mail_has_gap(r->peer) || (r->message && !can_take_ahead(r->message)))
        return false;
    if (r->message)
        r->message->claimed = own.pass;
    else
        r->looked = mail_looked(r->peer);
    return true;
}

/* Since its mailbox was last looked at nothing has come, and nothing will before this rank goes on.  In this order: what it sent it has shown before it waits. */
static bool sends_nothing_more(rank_t from)
{
    return hearing_sends_nothing(from, mail_shown(from)) && !mail_has_come(from, mail_looked(from));
}

/* As tourney chooses (call/round_robin.h). */
static bool match_any(struct pending_receive *r)
{
    int ranks = own.head->first_ranks;
    r->message = NULL;
    own.next = RANK_NONE;
    for (int n = 0; n < ranks && !r->message; n++) {
        rank_t from = round_robin_turn(own.last_source, n, ranks);
        r->message = find_message(r, from);
        r->source = from;
        if (mail_has_gap(from))
            return false;
        if (!r->message && own.next == RANK_NONE && !sends_nothing_more(from))
            own.next = from;
    }
    return !r->message || can_take_ahead(r->message);
}

static bool is_open_to_any(const struct pending_receive *r)
{
    return r->peer == RANK_ANY;
}

/*
 * What receives meet, in the order in which they were posted, up to `last`; false: only tourney knows.  Behind a receive from any source nothing is
 * certain before that is matched.
 */
static bool match_receives(int last)
{
    own.pass++;
    for (int i = 0; i <= last; i++)
        if (!(i == last && is_open_to_any(&own.receive[i]) ? match_any : match_named)(&own.receive[i]))
            return false;
    return true;
}

/* Receives whose messages are chosen, or which tourney knows more of, but for this one. */
static uint32_t count_undecided(int but)
{
    uint32_t n = 0;
    for (int i = 0; i < own.receives; i++)
        n += i != but && own.receive[i].peer < 0;
    return n;
}

/* Of a list, all is complete but for the receive from any source that was posted last; whether this rank may choose its message now. */
static enum certainty look_at_choice(int last, bool at_rest)
{
    own.undecided = 0;
    if (count_undecided(last))
        return NEVER_CERTAIN;
    bool certain = own.next == RANK_NONE && hearing_may_choose();
    if (own.receive[last].message && (certain || (at_rest && hearing_others_rested())))
        return CERTAIN;
    rank_t next = own.next == RANK_NONE ? own.own : own.next;
    own.awaited = (WIRE_LISTENS_NEXT + (uint32_t)next) | (own.receive[last].message ? WIRE_LISTENS_TO_CHOOSE : 0);
    own.awaited_looked = mail_looked(next);
    return NOT_YET_CERTAIN;
}

/* Whether all requests of a list are complete. */
static enum certainty look_at_list(const uint32_t *number, uint32_t n)
{
    int last = -1;
    for (uint32_t i = 0; i < n; i++) {
        if (numbered_as(number[i]) == NUMBERED_OTHER)
            return NEVER_CERTAIN;
        if (numbered_as(number[i]) == NUMBERED_RECEIVE && receive_of(number[i]) - own.receive > last)
            last = (int)(receive_of(number[i]) - own.receive);
    }
    bool chooses = last >= 0 && is_open_to_any(&own.receive[last]);
    if (chooses && own.ahead)
        return NEVER_CERTAIN;
    bool at_rest = chooses && hearing_others_rest();
    if (!match_receives(last))
        return NEVER_CERTAIN;
    for (uint32_t i = 0; i < n; i++) {
        const struct pending_receive *r = numbered_as(number[i]) == NUMBERED_RECEIVE ? receive_of(number[i]) : NULL;
        if (!r || r->message || is_open_to_any(r))
            continue;
        if (chooses)
            return NEVER_CERTAIN;
        own.awaited = WIRE_LISTENS_FOR + (uint32_t)r->peer;
        own.awaited_looked = r->looked;
        own.undecided = count_undecided(-1);
        return NOT_YET_CERTAIN;
    }
    return chooses ? look_at_choice(last, at_rest) : CERTAIN;
}

static uint64_t in_arena(const void *there)
{
    return (uint64_t)((const char *)there - own.arena);
}

/* In the mail; or where its sender has put it, which stays there until tourney reads what this rank posts next (play/reply.c). */
static uint64_t payload_of(const struct op *send)
{
    return send->payload ? send->payload : in_arena(op_tail(send));
}

static struct completion complete_receive(const struct pending_receive *r)
{
    const struct op *send = &r->message->op;
    own.taken_from |= UINT64_C(1) << r->source;
    return (struct completion){.request = r->request, .source = r->source, .tag = send->tag, .bytes = send->bytes,
                               .payload = payload_of(send)};
}

static void give_back_messages(const uint32_t *number, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (numbered_as(number[i]) == NUMBERED_RECEIVE)
            mail_give_back(receive_of(number[i])->message);
}

/* A sender may withdraw its message at any moment: then the others are given back. */
static bool take_messages(const uint32_t *number, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (numbered_as(number[i]) == NUMBERED_RECEIVE && !mail_take(receive_of(number[i])->message)) {
            give_back_messages(number, i);
            return false;
        }
    return true;
}

/* The source that was chosen for one of these; RANK_NONE: nothing was. */
static rank_t picked_source(const uint32_t *number, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (numbered_as(number[i]) == NUMBERED_RECEIVE && is_open_to_any(receive_of(number[i])))
            return receive_of(number[i])->source;
    return RANK_NONE;
}

/* Whether it is this rank that answers its call, and not tourney, which is told what was chosen. */
static bool take_own_turn(rank_t pick)
{
    uint32_t turn = own.answered;
    struct wire_channel *channel = hearing_channel(own.own);
    atomic_store_explicit(&channel->pick[turn % WIRE_PICKS], (uint8_t)(pick == RANK_NONE ? 0 : 1 + pick), memory_order_relaxed);
    bool ours = atomic_compare_exchange_strong(own.turn, &turn, turn + 1);
    if (ours && pick != RANK_NONE)
        own.last_source = 1 + (uint32_t)pick;
    return ours;
}

static void answer_list(const uint32_t *number, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const struct pending_receive *r = numbered_as(number[i]) == NUMBERED_RECEIVE ? receive_of(number[i]) : NULL;
        own.answer.completion[i] =
            r ? complete_receive(r) : (struct completion){.request = number[i], .source = RANK_NONE};
    }
    for (uint32_t i = 0; i < n; i++)
        note_known_complete(number[i]);
    own.answer.head = (struct answer){.kind = ANSWER_GO, .flag = 1, .completions = n};
}

/* It says the same as ours, so tourney would find nothing wrong with the two. */
static bool is_same_part(const struct op *theirs, const struct op *mine)
{
    return theirs->call == mine->call && theirs->flags == mine->flags && theirs->peer == mine->peer &&
           theirs->bytes == mine->bytes && theirs->signature == mine->signature && theirs->size == mine->size &&
           op_coll_size(op_tail(theirs)) == op_coll_size(op_tail(mine)) &&
           memcmp(op_tail(theirs), op_tail(mine), op_coll_size(op_tail(mine))) == 0;
}

static enum certainty look_at_coll(const struct op *record, struct context_members *among)
{
    enum certainty certainty = CERTAIN;
    for (uint32_t i = 0; i < among->members; i++) {
        if (own.part[i] || among->member[i] == own.own)
            continue;
        const struct op *part = find_shown_part(among, i, record->turn);
        if (part && !is_same_part(part, record))
            return NEVER_CERTAIN;
        own.part[i] = part;
        if (!part)
            certainty = NOT_YET_CERTAIN;
    }
    if (certainty == NOT_YET_CERTAIN) {
        own.awaited = WIRE_LISTENS_FOR_ALL;
        own.undecided = count_undecided(-1);
    }
    return certainty;
}

/* What it brings for the member at a position. */
static struct piece shown_piece(uint32_t position, const struct op *part, uint32_t own_position)
{
    const struct op_coll *coll = op_tail(part);
    const char *bytes = (const char *)coll + op_coll_size(coll);
    if (coll->slices > 1)
        bytes += own_position * op_coll_slices(coll)->bytes;
    return (struct piece){.from = position, .bytes = coll->slices ? op_coll_slices(coll)->bytes : 0,
                          .payload = coll->slices ? in_arena(bytes) : 0};
}

static void answer_coll(const struct op *record, const struct context_members *among)
{
    struct completion *c = own.answer.completion;
    struct piece *piece = (struct piece *)(c + 1);
    uint32_t position = 0;
    while (among->member[position] != own.own)
        position++;
    *c = (struct completion){.request = record->request, .source = RANK_NONE, .pieces = among->members};
    for (uint32_t i = 0; i < among->members; i++)
        piece[i] = shown_piece(i, own.part[i] ? own.part[i] : record, position);
    parts_met(among->set);
    own.answer.head = (struct answer){.kind = ANSWER_GO, .flag = 1, .completions = 1};
}

/* What the last answer was made of has been read. */
static void clear_mails(void)
{
    for (; own.taken_from; own.taken_from &= own.taken_from - 1)
        mail_clear(__builtin_ctzll(own.taken_from));
}

/* The answer is tourney's if it comes first. */
static enum certainty look_at_receives(const uint32_t *number, uint32_t n)
{
    enum certainty certainty = n > LISTED ? NEVER_CERTAIN : look_at_list(number, n);
    if (certainty != CERTAIN)
        return certainty;
    if (!take_messages(number, n))
        return NEVER_CERTAIN;
    if (!take_own_turn(picked_source(number, n))) {
        give_back_messages(number, n);
        return NEVER_CERTAIN;
    }
    answer_list(number, n);
    return CERTAIN;
}

/* Nobody is missing, so those who sleep can go on, too.  One that was called itself leaves that to whoever calls all. */
static void call_members(const struct context_members *among)
{
    for (uint32_t i = 0; i < among->members; i++)
        if (among->member[i] != own.own)
            (void)hearing_call(among->member[i], WIRE_LISTENS_FOR_ALL);
}

static enum certainty look_at_parts(const struct op *record, bool called)
{
    struct context_members *among = find_context(record->context);
    enum certainty certainty = own.part_shown ? look_at_coll(record, among) : NEVER_CERTAIN;
    if (certainty != CERTAIN)
        return certainty;
    if (!take_own_turn(RANK_NONE))
        return NEVER_CERTAIN;
    answer_coll(record, among);
    if (!called)
        call_members(among);
    return CERTAIN;
}

static enum certainty look_at_call(const struct op *record, bool called)
{
    if (atomic_load_explicit(own.turn, memory_order_relaxed) != own.answered)
        return NEVER_CERTAIN; /* tourney has answered */
    if (record->kind == OP_COLL)
        return look_at_parts(record, called);
    if (record->kind == OP_RECV)
        return look_at_receives(&record->request, 1);
    bool all = record->kind == OP_WAIT && !(record->flags & (OPF_ANY | OPF_SOME)) && !record->payload;
    return all ? look_at_receives(op_tail(record), record->items) : NEVER_CERTAIN;
}

/* Several times, if whoever might show something can run meanwhile. */
static enum certainty glance(const struct op *record)
{
    enum certainty certainty = look_at_call(record, false);
    for (int left = hearing_glances(); left > 1 && certainty == NOT_YET_CERTAIN; left--) {
        machine_relax();
        certainty = look_at_call(record, false);
    }
    return certainty;
}

static const struct answer *certain_answer(enum certainty certainty)
{
    if (certainty != NOT_YET_CERTAIN)
        own.awaited = WIRE_LISTENS_NOT;
    return certainty == CERTAIN ? &own.answer.head : NULL;
}

/*
 * While the rank waits for something else, tourney may choose the message of a receive from any source, and tells of that when the rank waits for it.  So it is left to tourney from now on, as one that
 * may be cancelled is.
 */
static void leave_choices_to_tourney(void)
{
    for (int i = 0; i < own.receives; i++)
        if (is_open_to_any(&own.receive[i]))
            own.receive[i].peer = RANK_NONE;
}

const struct answer *anticipate_answer(const struct op *record, _Atomic uint32_t *turn, uint32_t answered)
{
    own.turn = turn;
    own.answered = answered;
    clear_mails();
    bool asks = own.blind || (own.ahead && atomic_load_explicit(&own.head->take_turns, memory_order_relaxed));
    enum certainty certainty = asks ? NEVER_CERTAIN : glance(record);
    if (certainty == NEVER_CERTAIN || (certainty == NOT_YET_CERTAIN && own.awaited < WIRE_LISTENS_NEXT))
        leave_choices_to_tourney();
    return certain_answer(certainty);
}

uint32_t anticipate_awaited(void)
{
    return own.awaited;
}

void anticipate_listen(void)
{
    hearing_begin(own.awaited, own.undecided);
}

void anticipate_tell_lack(void)
{
    if (!own.ahead && own.awaited >= WIRE_LISTENS_FOR && own.awaited < WIRE_LISTENS_NEXT)
        hearing_tell_lack((rank_t)(own.awaited - WIRE_LISTENS_FOR), own.awaited_looked);
}

/*
 * What one rank has to show is still missing, as it was at the last look; if it is the one whose turn it is, it may have something to show as before.  Who has nothing to choose from
 * yet looks at everybody: it has to say so when there is something.
 */
static bool is_nothing_new(void)
{
    uint32_t listens = own.awaited & ~(uint32_t)WIRE_LISTENS_TO_CHOOSE;
    if (listens < WIRE_LISTENS_FOR || atomic_load_explicit(own.turn, memory_order_relaxed) != own.answered)
        return false;
    if (listens < WIRE_LISTENS_NEXT)
        return !mail_has_come((rank_t)(listens - WIRE_LISTENS_FOR), own.awaited_looked);
    rank_t next = (rank_t)(listens - WIRE_LISTENS_NEXT);
    return own.awaited & WIRE_LISTENS_TO_CHOOSE && !hearing_sends_nothing(next, mail_shown(next)) && !mail_has_come(next, own.awaited_looked);
}

const struct answer *anticipate_look_again(const struct op *record, bool called)
{
    if (!called && is_nothing_new())
        return NULL;
    return certain_answer(look_at_call(record, called));
}

/* Less and less where it was in vain, but now and then as long as at first. */
int anticipate_patience(void)
{
    uint32_t vain = own.in_vain % FORGIVEN;
    return PATIENCE >> (vain < 8 ? vain : 8);
}

void anticipate_note_wait(bool soon)
{
    own.in_vain = soon ? 0 : own.in_vain + 1;
}
