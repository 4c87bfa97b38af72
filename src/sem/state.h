/*
 * state -- what the semantics remembers.  Private to src/sem.
 *
 * Everything is in arrays and linked by index, never by pointer, so a state is
 * copied by copying its arrays; of operations there may be thousands, and copies share those that no
 * one has changed since.  Index 0 is "none" everywhere; ranks and
 * positions count from 0 and have no "none".
 */
#ifndef SEM_STATE_H
#define SEM_STATE_H

#include "base/map.h"
#include "base/pool.h"
#include "base/shared_pool.h"
#include "sem/list.h"
#include "sem/sem.h"

/* Lists an operation can be on: a send, a receive. */
enum {
    BY_TAG = 0,     /* those of its channel and tag */
    BY_CHANNEL = 1, /* all of its channel, whatever the tag */
    INCOMING = 2,   /* all to the same rank */
    BY_PATTERN = 0, /* those of its own pattern */
    BEHIND = 1,     /* struct queue, `behind` */
    FORCED = 2,     /* struct sem, `forced` */
    LINKS = 3
};

struct oper {
    uint32_t next; /* free list; else the next one its owner waits for */
    uint8_t kind;  /* enum sem_kind */
    bool used;
    bool matched, complete, withdrawn, retired;
    bool awaited; /* its owner waits for it */
    bool behind, forced;
    bool held; /* matched by sem_match only */
    bool tight; /* not complete because of little slack: a send not buffered, a collective that waits for all */
    bool calm;  /* send: on the list of these, once it is in its queue */
    rank_t after; /* send: among those that are kept back (order.c), until those to this rank are received; else RANK_NONE */
    int after_tag; /* of those it waits for; TAG_ANY: all */
    rank_t owner, peer;
    int32_t tag;
    uint32_t place; /* send: on its channel, in the sum over it (chain.h); 0: it is in none */
    uint64_t identity; /* if it is */
    uint32_t context;
    uint32_t user;
    op_id partner;
    uint64_t bytes;
    uint64_t posted; /* number, rising */
    uint64_t called; /* the same, save for a send that was kept back: that is posted when it is let go */
    union {
        struct {
            uint32_t queue;  /* send: of its source and tag.  receive: of its pattern */
            struct link link[LINKS];
        };
        struct {
            uint32_t instance;
            uint32_t from, until; /* positions needed, see also struct need */
            uint32_t missing;     /* needs that do not hold yet */
        };
    };
};

/*
 * A pattern is what a receive can ask for: context, destination, source or any,
 * tag or any.  Every receive waits in the queue of its own pattern; every send
 * lies in two: that of its source and tag, and that of its source and any tag,
 * the channel.  So the first receive for a send heads one of four queues, and
 * the first send for a receive heads its own queue, or one per channel.
 * A queue exists while it holds something or another one hangs on it.
 */
struct queue {
    uint32_t next;
    uint32_t context;
    rank_t to, from;
    int32_t tag;
    uint32_t up;      /* (source, tag) -> channel; channel and (any, tag) -> mailbox; mailbox -> none */
    uint32_t hanging; /* queues of which this is `up`, and one more if it is kept */
    bool kept;        /* though nothing may be in it (sem_keep_queues) */
    struct list sends;
    struct list recvs;
    struct link link;     /* a channel with sends: among those of its mailbox;
                             with receives from any source: among those of its rank */
    struct list channels; /* mailbox (any, any): its channels with unmatched sends */
    struct map_key sum;   /* channel: of its sends that have a place (chain.h), and how many these are */
    uint32_t summed;
    uint32_t wild;        /* mailbox: how many queues (any, tag) hang on it */
    struct list behind;   /* channel: receives naming source and tag, posted while one
                             for any tag was waiting in front of them */
};

/* Members of a communicator; equal groups are kept once. */
struct member_list {
    uint32_t next;        /* another one with the same hash */
    uint32_t members;
    uint32_t first_group;
    size_t member;        /* in `members` of struct sem: ranks by position */
    size_t sorted;        /* in `members` of struct sem: positions by rank */
};

struct context {
    uint32_t next;
    uint32_t left;  /* members that will not use it again */
    uint32_t users; /* operations on it */
    context_t id;
    uint32_t group;
};

/* One collective: the turn-th on its context (M5). */
struct collective_instance {
    uint32_t next;
    uint32_t context, turn;
    uint32_t members, retired;
    uint32_t seats;   /* the first of `members` in struct sem, `seats` */
    uint32_t cursors; /* struct cursor, singly linked */
};

struct seat {
    op_id part;     /* with which the member joined */
    uint32_t needs; /* struct need, singly linked */
};

/*
 * Something an operation waits for in an instance, kept at the seat whose joining
 * may fulfil it: that this member joins, or, with a cursor, that all from the
 * cursor's origin to this one have joined.
 */
struct need {
    uint32_t next;
    op_id op;
    uint32_t cursor;
};

struct cursor {
    uint32_t next;
    uint32_t from; /* everyone in from..at-1 has joined */
    uint32_t at;
};

enum waiting { WAITING_NOT, WAITING_ALL, WAITING_ANY, WAITING_PROBE };

struct rank_queues {
    uint8_t waiting;      /* enum waiting */
    bool ready;           /* its condition holds */
    bool told;            /* and that was handed out */
    uint32_t missing;     /* awaited and incomplete */
    struct list awaited;  /* operations incomplete when the wait began, singly linked */
    rank_t from;          /* WAITING_PROBE: for what */
    uint32_t context;
    int32_t tag;
    struct link link;     /* among the ready */
    struct list wild;     /* queues with receives from any source at this rank */
    uint32_t wilds;       /* how many */
    struct list incoming; /* unmatched sends to this rank */
    uint32_t incomings;
};

struct sem {
    int ranks;
    uint64_t slack;
    uint64_t posted;          /* operations so far */
    struct shared_pool op;    /* struct oper */
    POOL(struct queue) queue;
    struct map queues;        /* pattern -> queue */
    bool keeps_queues;
    bool gone;                /* its operations were let go (sem_let_go) */
    uint32_t kept_queues;     /* so many are kept */
    struct list forced;       /* receives that have come to be in a forced pair */
    VEC(op_id) kept_back;     /* sends that nobody can receive yet, as they were posted (order.c) */
    VEC(op_id) calm;          /* unmatched calm sends, as they came to be receivable */
    struct match spent;       /* both ends retired before they matched: to be freed at the next match */

    POOL(struct context) context;
    struct map contexts;      /* context_t -> index in context */
    VEC(struct member_list) group; /* from 1 */
    struct map groups;        /* hash of members -> first group */
    VEC(rank_t) members;

    POOL(struct collective_instance) instance;
    struct map instances;     /* (context, turn) -> instance */
    VEC(struct seat) seats;   /* in blocks, one per instance; from 1 */
    VEC(uint32_t) free_seats; /* by length: first free block; the next one is in its `needs` */
    POOL(struct need) need;
    POOL(struct cursor) cursor;

    struct rank_queues *rank; /* owns; rank r is at r + 1 */
    struct list ready;        /* ranks that are ready and not told yet */
    rank_t *scratch;          /* owns; room for `ranks` */
};

/* sem.c */
/* Context 0: it is on none. */
op_id op_new(struct sem *, enum sem_kind, rank_t owner, rank_t peer, uint32_t context, int tag, uint32_t user);
void op_free(struct sem *, op_id);
void op_complete(struct sem *, op_id);

/* context.c */
uint32_t context_index(const struct sem *, context_t); /* BUG if it was not declared */
const struct member_list *context_group(const struct sem *, uint32_t context);
void context_settle(struct sem *, uint32_t context); /* frees it when nobody needs it any more */
int group_position(const struct sem *, const struct member_list *, rank_t);

/* match.c */
void match_file_send(struct sem *, op_id); /* from now on it can be received */
bool probe_holds(const struct sem *, uint32_t context, rank_t at, rank_t from, int tag);

/* order.c */
bool order_keeps_back(struct sem *, op_id send); /* one just posted that has an `after`: it may not be received yet */
uint32_t order_waits_for(const struct sem *, const struct oper *kept_back); /* how many others are to be received before */
void order_let_go(struct sem *, op_id received); /* a send has left: whoever was kept back for it */

/* coll.c */
void coll_retire(struct sem *, op_id);
void coll_loosen(struct sem *, op_id);

/* wait.c */
void wait_progress(struct sem *, rank_t);                  /* an awaited operation of this rank completed */
void wait_stir(struct sem *, uint32_t context, rank_t at); /* the messages a probe there would see changed */

/* One that is on a list, or was just asked for. */
static inline const struct oper *op_known(const struct sem *sem, op_id id)
{
    return shared_pool_at(&sem->op, id, sizeof(struct oper));
}

/* BUG if there is no such operation. */
static inline const struct oper *op_at(const struct sem *sem, op_id id)
{
    if (id == OP_ID_NONE || id >= sem->op.n || !op_known(sem, id)->used)
        BUG("no operation %u", id);
    return op_known(sem, id);
}

/* Likewise; until the state is copied. */
static inline struct oper *op_to_change(struct sem *sem, op_id id)
{
    op_at(sem, id);
    return shared_pool_change(&sem->op, id, sizeof(struct oper));
}

static inline struct rail op_links(const struct sem *sem, int link)
{
    return (struct rail){.pool = (struct shared_pool *)&sem->op,
                         .offset = offsetof(struct oper, link) + (size_t)link * sizeof(struct link),
                         .stride = sizeof(struct oper)};
}

static inline struct rank_queues *rank_at(const struct sem *sem, rank_t rank)
{
    if (rank < 0 || rank >= sem->ranks)
        BUG("no rank %d", rank);
    return &sem->rank[rank + 1];
}

#endif
