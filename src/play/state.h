/*
 * state -- what a play remembers.  Private to src/play.
 */
#ifndef PLAY_STATE_H
#define PLAY_STATE_H

#include "base/map.h"
#include "base/mem.h"
#include "base/pool.h"
#include "play/play.h"
#include "play/rhythm.h"

/* An operation that is not over: sem knows its envelope, this the rest. */
struct item {
    uint32_t next;
    rank_t rank;
    op_id id;
    struct op_ref ref;
    struct op op;         /* as posted, without its tail */
    uint64_t payload;     /* arena block that a send brought, until it is delivered */
    bool given_up;        /* the sender needs nothing more */
    uint32_t nth;         /* which message of its rank to the receiver a send is, from 1 */
    bool delivered;       /* the receiver has the payload */
    bool cancelled;
    bool orphan;          /* a receive freed by the user: deliver it when it matches */
    struct op_coll *coll; /* a collective's needs and slices; owned */
    uint32_t delivery;
    uint32_t told;        /* its number in the chronicle, from 1; 0: it is not there */
};

/* A collective whose members have not all joined and left (M5). */
struct collective_delivery {
    uint32_t next;
    context_t context;
    uint32_t turn;
    uint32_t members, joined, left;
    uint32_t *part; /* item by position, 0: not joined; owned */
};

struct arena_block {
    uint64_t at, bytes;
};

/* The public copy of a window that ranks have between them (shown_memories.h). */
struct shown_memory {
    uint32_t turns;           /* of atomic accesses: those that were read */
    struct arena_block block; /* its bytes, with the message that brought them; none: there is no such window */
};

struct name {
    uint32_t next;
    char *text; /* owned */
};

struct complaint_of {
    rank_t rank;
    struct op *op; /* owned, with its tail */
};

enum played_mode { PLAYER_GOES, PLAYER_WAITS, PLAYER_POLLS };

struct played_rank {
    enum played_mode mode;
    bool ready;              /* its condition holds; the answer is left for when all rest */
    struct op call;          /* what it waits or polls in */
    struct op *rest;         /* owns; the same with its tail, if its threads wait together (shim/rest.h) */
    uint32_t last_source;    /* as in struct answer */
    struct {
        rank_t source;
        uint32_t nth;        /* as in struct item; 0: none */
    } probed;                /* the message that a probe from any source has last seen (wildcards.h) */
    uint64_t asked_at;       /* `changes`, and one, when a poll was first told no since they last did; 0: none was */
    struct op_ref ref;
    VEC(uint32_t) list;      /* the request numbers of that call */
    VEC(uint32_t) slot;      /* item by request number */
    VEC(struct arena_block) used; /* payloads to give back when it speaks next: it has read them then */
    VEC(uint32_t) attended;       /* deliveries, likewise */
    VEC(uint32_t) orphans;   /* request numbers to deliver with the next answer */
    uint64_t ops;
    uint32_t asked;          /* calm questions to windows since something was last decided */
    struct rhythm accesses;  /* to windows */
    VEC(uint32_t) messages;  /* so many were sent to each rank */
    uint64_t in_flight;      /* bytes that it sent and nobody has yet, with a share for each message */
    uint64_t allowance;      /* from how many such bytes on it is held back */
    struct map placed;       /* addresses that the trace knows */
    struct op *init;         /* owns; its OP_INIT, NULL: not yet */
};

struct play {
    struct world *world;
    struct sem *sem;
    struct trace_writer *trace;
    void (*locate)(void *, rank_t, uint64_t, struct trace_place *);
    void *locator;
    int ranks;               /* that were started so far, the first ones */
    int all_ranks;           /* and that may be: keepers of windows are behind */
    bool has_registry;       /* of published names: it is the last of these */
    struct played_rank *player;
    POOL(struct item) items;
    POOL(struct collective_delivery) deliveries;
    struct map delivery_of;  /* context and turn */
    struct map context_name; /* index into names */
    struct map type_name;    /* rank and number */
    POOL(struct name) names;
    VEC(struct complaint_of) complaints;
    VEC(struct keeper *) keeper; /* owns; of names, and behind the ranks those of windows; NULL: not needed yet */
    VEC(uint32_t) grants;    /* of locks that ranks show each other, by keeper: those that were followed (tickets.h) */
    VEC(struct shown_memory) memory; /* by slot and owner, as keepers are numbered */
    VEC(rank_t) stirred;     /* locks at which ranks may have settled what comes next */
    op_id *choices;          /* room for one per rank */
    VEC(char) answer;        /* being put together */
    VEC(uint32_t) answered;  /* the requests in it */
    VEC(op_id) ids;          /* of what a call waits for */
    uint64_t changes;        /* operations other than polls, and matches */
    uint32_t idle_rounds;    /* in which everybody only polled, in vain */
    int64_t idle_since;
    int64_t flushed;         /* when the record was last made safe */
    struct chapter_reader reader;
    struct passing *passing; /* owns; NULL: nothing passes (passing.h) */
    struct meetings *meetings; /* owns; NULL: there were none (meetings.h) */
    struct chronicle *chronicle; /* owns; NULL: nothing is written down, yet */
    uint64_t allowed;        /* operations that may still come, and one; 0: as many as they like */
    bool over;
    struct outcome outcome;
};

/* Threads of the rank wait together: whatever it is for, the answer is that they may ask again. */
static inline bool play_rests(const struct played_rank *p)
{
    return p->mode == PLAYER_WAITS && p->call.kind == OP_WAIT && p->call.flags & OPF_EITHER;
}

/* post.c: takes in one operation. */
void post_operation(struct play *, rank_t, const struct op *);
/* Remembers under which number the rank will ask for an item; 0: it will not. */
void post_set_slot(struct play *, rank_t, uint32_t number, uint32_t item);
/* Makes all forced matches and notes them. */
void post_settle(struct play *);
void post_match(struct play *, struct match);
/*
 * Operations that passed (passing.h, meetings.h) and are posted after all.  post_received_send: the receiver has its message; post_coll_late: its
 * member has what it gets.
 */
void post_send_late(struct play *, rank_t, struct op_ref, const struct op *, uint64_t payload, uint32_t nth);
void post_recv_late(struct play *, rank_t, struct op_ref, const struct op *);
void post_received_send(struct play *, rank_t, struct op_ref, const struct op *);
void post_coll_late(struct play *, rank_t, struct op_ref, const struct op *); /* with its tail */
uint64_t post_payload_in_arena(struct play *, const struct op *, const void *inline_payload); /* where it is there; 0: there is none */
uint32_t post_count_message(struct play *, rank_t from, rank_t to); /* the number of this one, as its sender counts them */

/* reply.c: lets a rank go on. */
void reply_with(struct play *, rank_t, struct answer, const void *completions, size_t bytes); /* this is the answer */
void reply_completed(struct play *, rank_t);            /* its wait, test or blocking call is complete */
void reply_probed(struct play *, rank_t, op_id send);   /* this is what the probe saw */
void reply_first_alternative(struct play *, rank_t);    /* to who asks which it is to be */
void reply_no(struct play *, rank_t, uint32_t grant);   /* a poll in vain */
void reply_news(struct play *, rank_t);                 /* its threads, which wait together, may ask again */
void reply_room(struct play *, rank_t, uint64_t bytes);
bool reply_would_complete(const struct play *, rank_t); /* the list of the call is complete enough */

/* The rank has spoken again, so it has read what it was given. */
void reply_was_read(struct play *, rank_t);

/* Its rank will not ask for it again, and gets nothing from it. */
void item_give_up(struct play *, uint32_t item);
/* Gives an item back once both ends are done with it. */
void item_settle(struct play *, uint32_t item);

enum { MESSAGE_SHARE = 256 }; /* what keeping a message costs besides its bytes */

/* What is done with every operation, of one that passes. */
static inline void play_begin_passing(struct play *play, rank_t r)
{
    struct played_rank *p = &play->player[r];
    reply_was_read(play, r);
    play->changes++;
    play->idle_rounds = 0;
    p->ref = (struct op_ref){r, p->ops++};
}

/* Somebody has got what this send brought. */
static inline void play_note_delivered(const struct play *play, const struct item *send)
{
    if (send->rank < play->all_ranks)
        play->player[send->rank].in_flight -= send->op.bytes + MESSAGE_SHARE;
}

static inline struct item *item_at(const struct play *play, uint32_t index)
{
    return &play->items.at[index];
}

/* What a request number stands for: an item, or 0. */
static inline uint32_t *slot_at(const struct play *play, rank_t r, uint32_t number)
{
    if (number >= play->player[r].slot.n)
        BUG("rank %d has no request %u", r, number);
    return &play->player[r].slot.at[number];
}

static inline uint32_t item_of(const struct play *play, op_id id)
{
    return sem_user(play->sem, id);
}

#endif
