#include "play/passing.h"

#include <string.h>

#include "call/dynamic.h"
#include "call/window.h"
#include "play/meetings.h"
#include "play/wildcards.h"

enum {
    NUMBERS = 1024, /* requests with other numbers do not pass */
    LONGEST = 64,   /* operations in a lane: they are gone through one by one */
};

/* A send or receive of which the semantics does not know. */
struct passed {
    uint32_t next;    /* in its lane */
    uint32_t partner; /* what it meets; 0: nothing yet */
    rank_t rank;
    bool received;    /* a send: its receiver has the message, so it is in no lane any more */
    uint32_t nth;     /* as in struct item */
    struct op_ref ref;
    uint64_t payload; /* of a send, in the arena */
    bool here;        /* this place is taken */
    struct op op;     /* `request` is 0 when its rank will not ask for it again */
};

struct passed_list {
    uint32_t first, last;
};

/* From one rank to another. */
struct lane {
    struct passed_list sends, recvs; /* in the order of posting */
    uint32_t length;
    uint32_t filed;                  /* of these two ranks with the semantics, unmatched */
};

struct passing {
    int ranks;
    bool stalled;   /* an operation is to be read again */
    bool impatient; /* there was nothing else to be read */
    struct lane *lane;                   /* owns; by source and destination */
    uint32_t *wild;                      /* owns; by rank: receives from any source with the semantics, unmatched */
    uint32_t (*asked)[NUMBERS];          /* owns; by rank and request: struct passed */
    POOL(struct passed) ops;
};

void passing_open(struct play *play)
{
    if (play->trace || !world_memory(play->world)->head->mailboxes)
        return;
    struct passing *passing = play->passing = xcalloc(1, sizeof *passing);
    size_t ranks = (size_t)play->ranks;
    passing->ranks = play->ranks;
    passing->lane = xcalloc(ranks * ranks, sizeof *passing->lane);
    passing->wild = xcalloc(ranks, sizeof *passing->wild);
    passing->asked = xcalloc(ranks, sizeof *passing->asked);
}

void passing_release(struct play *play)
{
    struct passing *passing = play->passing;
    if (!passing)
        return;
    meetings_release(play);
    free(passing->lane);
    free(passing->wild);
    free(passing->asked);
    pool_release(&passing->ops);
    free(passing);
    play->passing = NULL;
}

/* ---- lanes ---- */

static struct passed *passed_at(const struct passing *passing, uint32_t index)
{
    return &passing->ops.at[index];
}

static struct lane *find_lane(const struct passing *passing, rank_t from, rank_t to)
{
    return &passing->lane[from * passing->ranks + to];
}

static struct lane *lane_of(const struct passing *passing, const struct passed *passed)
{
    bool sends = passed->op.kind == OP_SEND;
    return find_lane(passing, sends ? passed->rank : passed->op.peer, sends ? passed->op.peer : passed->rank);
}

static struct passed_list *list_in_lane(struct lane *lane, const struct passed *passed)
{
    return passed->op.kind == OP_SEND ? &lane->sends : &lane->recvs;
}

static bool do_fit(const struct op *send, const struct op *recv)
{
    return send->context == recv->context && sem_fits(RANK_ANY, send->tag, RANK_ANY, recv->tag);
}

/* The first that nobody has met and that fits; of the other kind than `op`. */
static uint32_t find_partner(const struct passing *passing, const struct lane *lane, const struct op *op)
{
    bool sends = op->kind == OP_SEND;
    uint32_t i = sends ? lane->recvs.first : lane->sends.first;
    while (i && (passed_at(passing, i)->partner || !do_fit(sends ? op : &passed_at(passing, i)->op, sends ? &passed_at(passing, i)->op : op)))
        i = passed_at(passing, i)->next;
    return i;
}

static void append_passed(struct passing *passing, struct lane *lane, uint32_t index)
{
    struct passed_list *list = list_in_lane(lane, passed_at(passing, index));
    if (list->last)
        passed_at(passing, list->last)->next = index;
    else
        list->first = index;
    list->last = index;
    lane->length++;
}

static void unlink_passed(struct passing *passing, uint32_t index)
{
    struct lane *lane = lane_of(passing, passed_at(passing, index));
    struct passed_list *list = list_in_lane(lane, passed_at(passing, index));
    uint32_t before = 0, i = list->first;
    for (; i != index; i = passed_at(passing, i)->next)
        before = i;
    if (before)
        passed_at(passing, before)->next = passed_at(passing, index)->next;
    else
        list->first = passed_at(passing, index)->next;
    if (list->last == index)
        list->last = before;
    lane->length--;
}

static void bring_together(struct passing *passing, uint32_t a, uint32_t b)
{
    passed_at(passing, a)->partner = b;
    passed_at(passing, b)->partner = a;
}

/* ---- filing ---- */

/* The rank asks for it, or for what is filed in its place. */
static void forget_asked(struct passing *passing, const struct passed *passed)
{
    if (passed->op.request)
        passing->asked[passed->rank][passed->op.request] = 0;
}

static void uncount_message(struct play *play, const struct passed *send)
{
    play->player[send->rank].in_flight -= send->op.bytes + MESSAGE_SHARE;
}

static void give_place_back(struct passing *passing, uint32_t index)
{
    passed_at(passing, index)->here = false;
    pool_give(&passing->ops, index);
}

static void file_passed(struct play *play, uint32_t index)
{
    struct passing *passing = play->passing;
    struct passed passed = *passed_at(passing, index);
    forget_asked(passing, &passed);
    give_place_back(passing, index);
    if (passed.received)
        post_received_send(play, passed.rank, passed.ref, &passed.op);
    else if (passed.op.kind == OP_RECV)
        post_recv_late(play, passed.rank, passed.ref, &passed.op);
    else {
        uncount_message(play, &passed);
        post_send_late(play, passed.rank, passed.ref, &passed.op, passed.payload, passed.nth);
    }
}

static void file_list(struct play *play, struct passed_list list)
{
    for (uint32_t i = list.first, next; i; i = next) {
        next = passed_at(play->passing, i)->next;
        file_passed(play, i);
    }
}

static void file_lane(struct play *play, struct lane *lane)
{
    if (!lane->length)
        return;
    struct lane filed = *lane;
    lane->sends = lane->recvs = (struct passed_list){0};
    lane->length = 0;
    file_list(play, filed.sends);
    file_list(play, filed.recvs);
    post_settle(play);
}

static void file_lanes_to(struct play *play, rank_t r)
{
    for (rank_t from = 0; from < play->passing->ranks; from++)
        file_lane(play, find_lane(play->passing, from, r));
}

/* Also collectives, and sends that were received, for whose requests their ranks will ask. */
static bool file_all(struct play *play)
{
    struct passing *passing = play->passing;
    bool met = meetings_file(play);
    if (!passing->ops.used)
        return met;
    for (uint32_t i = 1; i < passing->ops.n && passing->ops.used; i++) {
        const struct passed *passed = passed_at(passing, i);
        if (passed->here && passed->received)
            file_passed(play, i);
        else if (passed->here)
            file_lane(play, lane_of(passing, passed));
    }
    return true;
}

/* What a call asks for that does not pass. */
static void file_listed(struct play *play, rank_t r, const uint32_t *number, uint32_t n)
{
    struct passing *passing = play->passing;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t index = number[i] < NUMBERS ? passing->asked[r][number[i]] : 0;
        if (index && passed_at(passing, index)->received)
            file_passed(play, index);
        else if (index)
            file_lane(play, lane_of(passing, passed_at(passing, index)));
    }
}

/* ---- what is filed ---- */

/* Keepers, and ranks that others have started, show nobody what they do. */
static bool can_ever_pass(const struct passing *passing, rank_t r, const struct op *op)
{
    return passing && r < passing->ranks && op->peer < passing->ranks && op->context != KEEPER_CONTEXT && op->context != DYNAMIC_CONTEXT;
}

static uint32_t *filed_with(const struct passing *passing, rank_t r, const struct op *op)
{
    if (op->kind == OP_SEND)
        return &find_lane(passing, r, op->peer)->filed;
    return op->peer == RANK_ANY ? &passing->wild[r] : &find_lane(passing, op->peer, r)->filed;
}

void passing_note_filed(struct play *play, rank_t r, const struct op *op)
{
    if (can_ever_pass(play->passing, r, op))
        ++*filed_with(play->passing, r, op);
}

void passing_note_gone(struct play *play, rank_t r, const struct op *op)
{
    if (can_ever_pass(play->passing, r, op))
        --*filed_with(play->passing, r, op);
}

/* ---- what passes ---- */

static uint32_t keep_passed(struct play *play, rank_t r, const struct op *op, struct lane *lane)
{
    struct passing *passing = play->passing;
    play_begin_passing(play, r);
    uint32_t index = pool_take(&passing->ops), partner = find_partner(passing, lane, op);
    struct passed *passed = passed_at(passing, index);
    passed->here = true;
    passed->rank = r;
    passed->ref = play->player[r].ref;
    passed->op = *op;
    append_passed(passing, lane, index);
    if (partner)
        bring_together(passing, index, partner);
    if (op->request)
        passing->asked[r][op->request] = index;
    return index;
}

static bool is_free_for(const struct passing *passing, const struct lane *lane, rank_t receiver, const struct op *op)
{
    return lane->filed == 0 && passing->wild[receiver] == 0 && lane->length < LONGEST && op->request < NUMBERS;
}

/* It is complete once it was posted, and its message is in the record. */
static bool is_plain_send(const struct play *play, const struct op *op)
{
    bool blocks = op->flags == (OPF_BLOCKING | OPF_WENT_ON) && !op->request;
    bool posts = op->flags == 0 && op->request && op->bytes < world_memory(play->world)->head->slack;
    return (blocks || posts) && !op->payload;
}

static enum passage pass_send(struct play *play, rank_t r, const struct op *op)
{
    struct lane *lane = find_lane(play->passing, r, op->peer);
    if (!is_plain_send(play, op) || !is_free_for(play->passing, lane, op->peer, op)) {
        file_lane(play, lane);
        return PASSAGE_NONE;
    }
    struct passed *send = passed_at(play->passing, keep_passed(play, r, op, lane));
    send->payload = post_payload_in_arena(play, op, op_tail(op));
    send->nth = post_count_message(play, r, op->peer);
    play->player[r].in_flight += op->bytes + MESSAGE_SHARE;
    return PASSAGE_TAKEN;
}

/* Its receiver has gone on with it. */
static void hand_over(struct play *play, uint32_t index)
{
    struct passing *passing = play->passing;
    struct passed *send = passed_at(passing, index);
    unlink_passed(passing, index);
    if (send->payload)
        arena_give(world_memory(play->world), send->payload, send->op.bytes);
    uncount_message(play, send);
    send->received = true;
    if (!send->op.request)
        give_place_back(passing, index);
}

/* If the message was not read yet, it will be: who shows something has posted it. */
static enum passage wait_for_others(struct passing *passing)
{
    if (passing->impatient)
        return PASSAGE_NONE;
    passing->stalled = true;
    return PASSAGE_LATER;
}

static enum passage pass_blocking_recv(struct play *play, rank_t r, const struct op *op, rank_t from)
{
    struct lane *lane = find_lane(play->passing, from, r);
    uint32_t send = find_partner(play->passing, lane, op);
    if (!send)
        return wait_for_others(play->passing);
    play_begin_passing(play, r);
    if (op->peer == RANK_ANY)
        wildcards_note(play, r, from);
    hand_over(play, send);
    world_follow(play->world, r);
    return PASSAGE_TAKEN;
}

/* From which rank it receives; RANK_NONE: that is for tourney to say. */
static rank_t certain_source(const struct play *play, rank_t r, const struct op *op)
{
    return op->peer != RANK_ANY ? op->peer : op->flags & OPF_BLOCKING ? world_pick(play->world, r) : RANK_NONE;
}

static enum passage pass_recv(struct play *play, rank_t r, const struct op *op)
{
    struct passing *passing = play->passing;
    rank_t from = certain_source(play, r, op);
    struct lane *lane = from < 0 || from >= passing->ranks ? NULL : find_lane(passing, from, r);
    bool blocks = op->flags & OPF_BLOCKING, plain = (op->flags & ~(uint32_t)OPF_BLOCKING) == 0 && (!blocks || world_went_on(play->world, r));
    enum passage passage = PASSAGE_NONE;
    if (lane && plain && is_free_for(passing, lane, r, op)) {
        passage = PASSAGE_TAKEN;
        if (blocks)
            passage = pass_blocking_recv(play, r, op, from);
        else
            (void)keep_passed(play, r, op, lane);
    }
    if (passage == PASSAGE_NONE && op->peer == RANK_ANY)
        file_lanes_to(play, r);
    else if (passage == PASSAGE_NONE)
        file_lane(play, lane);
    return passage;
}

/* Whether all that a call asks for is here, and what it asks for has been read. */
static enum passage look_at_asked(struct passing *passing, rank_t r, const uint32_t *number, uint32_t n)
{
    bool all = true;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t index = number[i] < NUMBERS ? passing->asked[r][number[i]] : 0;
        if (!index)
            return PASSAGE_NONE;
        all = all && (passed_at(passing, index)->op.kind == OP_SEND || passed_at(passing, index)->partner);
    }
    return all ? PASSAGE_TAKEN : wait_for_others(passing);
}

static void complete_passed(struct play *play, uint32_t index)
{
    struct passing *passing = play->passing;
    struct passed *passed = passed_at(passing, index);
    forget_asked(passing, passed);
    passed->op.request = 0;
    if (passed->op.kind == OP_SEND && !passed->received)
        return;
    if (passed->op.kind == OP_RECV) {
        hand_over(play, passed->partner);
        unlink_passed(passing, index);
    }
    give_place_back(passing, index);
}

static enum passage pass_wait(struct play *play, rank_t r, const struct op *op)
{
    struct passing *passing = play->passing;
    const uint32_t *number = op_tail(op);
    bool goes_on = op->flags & OPF_WENT_ON, all = !(op->flags & ~(uint32_t)(OPF_BLOCKING | OPF_WENT_ON));
    enum passage passage = PASSAGE_NONE;
    if (op->payload) {
        (void)file_all(play);
        return PASSAGE_NONE;
    }
    if (all && (goes_on || world_went_on(play->world, r)))
        passage = look_at_asked(passing, r, number, op->items);
    if (passage == PASSAGE_NONE)
        file_listed(play, r, number, op->items);
    if (passage != PASSAGE_TAKEN)
        return passage;
    play_begin_passing(play, r);
    for (uint32_t i = 0; i < op->items; i++)
        complete_passed(play, passing->asked[r][number[i]]);
    if (!goes_on)
        world_follow(play->world, r);
    return PASSAGE_TAKEN;
}

enum passage passing_take(struct play *play, rank_t r, const struct op *op)
{
    struct passing *passing = play->passing;
    if (!passing || play->chronicle || r >= passing->ranks)
        return PASSAGE_NONE;
    if (op->kind == OP_ROOM)
        return PASSAGE_NONE;
    if (op->kind == OP_COLL)
        return meetings_take(play, r, op) ? PASSAGE_TAKEN : PASSAGE_NONE;
    if (op->kind == OP_WAIT)
        return pass_wait(play, r, op);
    if ((op->kind == OP_SEND || op->kind == OP_RECV) && can_ever_pass(passing, r, op))
        return op->kind == OP_SEND ? pass_send(play, r, op) : pass_recv(play, r, op);
    if (meetings_lacks_others(play, r) && wait_for_others(passing) == PASSAGE_LATER)
        return PASSAGE_LATER;
    (void)file_all(play);
    return PASSAGE_NONE;
}

bool passing_settle(struct play *play, bool news)
{
    struct passing *passing = play->passing;
    if (!passing)
        return false;
    if (news) {
        passing->stalled = passing->impatient = false;
        return false;
    }
    bool any = file_all(play) || passing->stalled;
    passing->impatient = passing->stalled;
    passing->stalled = false;
    return any;
}
