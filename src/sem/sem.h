/*
 * sem -- what MPI allows to happen next (rules M1-M9 of doc/semantics.md).
 *
 * One state, changed by posting operations, matching them and letting calls
 * return; every question about matching, completion and deadlock is answered
 * here and nowhere else.  No MPI, no I/O, no buffers: an operation is an
 * envelope.  The caller names operations by the op_id it gets back and hangs
 * its own index on them (`user`).
 *
 * Costs: posting, forced matching and completion are O(1) amortised, whatever
 * the number of pending operations; choices of a wildcard, and matching it, are
 * linear in the number of its sources.  Retired operations leave nothing behind.
 *
 * Arguments that make no sense (an unknown rank, context or operation, a pair
 * that may not match) are the caller's fault and end in BUG().
 */
#ifndef SEM_SEM_H
#define SEM_SEM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "call/op.h"
#include "call/window.h"

typedef uint32_t op_id;
enum { OP_ID_NONE = 0 };

enum send_mode { SEND_STANDARD, SEND_BUFFERED, SEND_SYNCHRONOUS, SEND_READY };

static inline enum send_mode send_mode(uint32_t flags)
{
    return flags & OPF_SYNCHRONOUS ? SEND_SYNCHRONOUS
           : flags & OPF_BUFFERED  ? SEND_BUFFERED
           : flags & OPF_READY     ? SEND_READY
                                   : SEND_STANDARD;
}

#define SLACK_ZERO 0                /* M7: no standard send is buffered, not even an empty one */
#define SLACK_INFINITE UINT64_MAX   /* every one is */
#define SLACK_TIGHT (UINT64_MAX - 1) /* as zero, and no collective returns before all members have joined */
#define SLACK_WAITING (UINT64_MAX - 2) /* as infinite, and collectives as in SLACK_TIGHT */
                                    /* else: those of fewer bytes than this */
struct sem;

struct sem *sem_new(int ranks, uint64_t slack);
void sem_make_room(struct sem *, int ranks); /* from now on there are so many, if there were fewer */
void sem_free(struct sem *);
struct sem *sem_clone(const struct sem *); /* an independent copy, in which every op_id means the same */
/* The same in place of what `to` holds, whose room is used again; and lets go of what it shares with copies: then it can only be assigned to, or freed. */
void sem_assign(struct sem *to, const struct sem *from);
void sem_let_go(struct sem *);
/* Patterns that were posted will be again, and nobody makes copies: what is kept of a pattern stays for a while when nothing is pending there. */
void sem_keep_queues(struct sem *);

/*
 * Communicators.  Declaring a context again with the same members is fine (each
 * member does); other members, or such as cannot be: -1.  `first_group` as in
 * struct op_group.  Declare a context before anything is posted on it.
 * The member list is borrowed until the next sem_context.
 */
int sem_context(struct sem *, context_t, int first_group, int members, const rank_t *member)
    __attribute__((warn_unused_result));
bool sem_has_context(const struct sem *, context_t);
/* The same of one of which the first so many ranks are members; it must be new. */
void sem_context_of_first(struct sem *, context_t, int ranks);
/*
 * A member will not use it again.  When all have said so, once each, and nothing
 * is pending on it, the context is forgotten.
 */
void sem_leave(struct sem *, context_t);
int sem_members(const struct sem *, context_t, const rank_t **member);
int sem_position(const struct sem *, context_t, rank_t); /* -1: not a member */

/* Point to point: posting.  Order of calls for one rank is its program order. */
op_id sem_send(struct sem *, rank_t from, rank_t to, context_t, int tag, enum send_mode, uint64_t bytes, uint32_t user);
op_id sem_recv(struct sem *, rank_t at, rank_t from, context_t, int tag, uint32_t user);

/*
 * A message to the keeper of a window (call/window.h).  Nobody can receive it before all earlier ones of this rank to `after`
 * on this context that have the tag `after_tag`, or any (TAG_ANY), have been received (RANK_NONE: at once).  A calm one needs no choice: as soon as a receive could take it, that
 * is a forced pair; and of several such pairs, those come first whose messages could be received first.
 */
struct send_order {
    rank_t after;
    int after_tag;
    bool calm;
};
/*
 * Of an operation; `calms`: it is known to commute, too.  Who polls a window by messages that are taken at once would go on for ever before
 * anything else is decided: so after a while of asking, since something was decided, they are not.
 */
static inline struct send_order op_send_order(const struct op *op, bool calms, uint32_t *asked)
{
    enum { PATIENCE = 64 };
    struct send_order order = {.after = op->flags & OPF_AFTER ? op->after : RANK_NONE,
                               .after_tag = op->flags & OPF_AFTER_SHARED ? WINDOW_SHARED : TAG_ANY,
                               .calm = calms || op->flags & OPF_CALM};

    if (order.calm && op->flags & OPF_ASKS)
        order.calm = (*asked)++ < PATIENCE;
    return order;
}
op_id sem_send_in_order(struct sem *, rank_t from, rank_t to, context_t, int tag, enum send_mode, uint64_t bytes,
                        uint32_t user, struct send_order);
/* Whether rank `from` has posted a message that would fit such a receive, and nobody can receive it yet. */
bool sem_keeps_back(const struct sem *, rank_t at, rank_t from, context_t, int tag);
/* The rank to which this one has sent something that has to be received before others of its messages can; or RANK_NONE. */
rank_t sem_held_up_by(const struct sem *, rank_t);

/* A request of this rank that needs nobody: it is complete from the beginning, and in no way can it cease to be (D7). */
op_id sem_done(struct sem *, rank_t, uint32_t user);

/*
 * Takes an unmatched send or receive out of the game (cancel).  It then counts
 * as complete, though not as matched, and is retired as any other.  False, and
 * nothing changes, if it is matched already, a collective, or done; true again if it
 * was withdrawn before.
 */
bool sem_withdraw(struct sem *, op_id);

/*
 * D5: whether a cancel of this operation may fail though it is unmatched.  It may of a send that is buffered or, with
 * SLACK_TIGHT, could be: that completes without a receive.  If it fails, the send is buffered (sem_loosen).
 */
bool sem_may_escape(const struct sem *, op_id);

/* This send or receive is left to sem_match, until it is let go: no pair it is in is forced. */
void sem_hold(struct sem *, op_id, bool hold);

/*
 * Matching (M1-M4).  A pair is forced if the receive names its source: no other
 * run can do anything else with it.  sem_next_forced makes one such match and
 * tells; false: none is left.  What a wildcard receive may take is a choice:
 * sem_choices lists the sends eligible for it now, by rising source rank, at
 * most one per source, and returns how many (at most the number of ranks).
 * It answers for a named receive, too.
 * Both ends of a match can be viewed until the next match at least, even if
 * both were retired before.
 */
struct match {
    op_id send, recv;
};
bool sem_next_forced(struct sem *, struct match *);
int sem_choices(const struct sem *, op_id recv, op_id *sends);
void sem_match(struct sem *, op_id send, op_id recv); /* must be eligible: else BUG */

/*
 * The earliest posted wildcard receive of this rank that has a choice, or none;
 * and all of them, in posting order: returns how many, writes at most `room`.
 */
op_id sem_open_wildcard(const struct sem *, rank_t at);
int sem_open_wildcards(const struct sem *, rank_t at, op_id *recvs, int room);

/*
 * Who would be first, M3 or M2 left aside: for a receive of this envelope, the
 * first send of each channel that fits, as sem_choices; for an unmatched send,
 * the first posted receive that fits, or none.
 */
int sem_fitting(const struct sem *, rank_t at, rank_t from, context_t, int tag, op_id *sends);
op_id sem_first_recv(const struct sem *, op_id send);

/*
 * What could have met at a rank and did not: the unmatched sends to it, as they
 * were posted, then its own unmatched receives, likewise.  Returns how many,
 * writes at most `room`.  Linear in all operations: for reports.
 */
int sem_unmatched(const struct sem *, rank_t at, op_id *ops, int room);

/* M1 on one context and at one destination: does a send with this source and tag fit a receive with these? */
static inline bool sem_fits(rank_t source, int sent, rank_t from, int tag)
{
    return (from == RANK_ANY || from == source) && (tag == TAG_ANY || tag == sent);
}

/* Which parts of the envelopes keep a send from a receive at `at` (M1), as a set; 0: it fits. */
enum { UNLIKE_CONTEXT = 1, UNLIKE_DESTINATION = 2, UNLIKE_SOURCE = 4, UNLIKE_TAG = 8 };
unsigned sem_unlike(const struct sem *, op_id send, rank_t at, rank_t from, context_t, int tag);

/* Which sends a receive posted now could take (probe); as sem_choices. */
int sem_probe(const struct sem *, rank_t at, rank_t from, context_t, int tag, op_id *sends);

/*
 * A matched probe takes one of them: it is matched, by a receive that is returned,
 * and neither completes by that.  Both do when the program receives the message
 * (M6).
 */
op_id sem_take(struct sem *, op_id send, uint32_t user);
void sem_receive(struct sem *, op_id taken);

/*
 * Collectives (M5): the `turn`-th on its context as this rank counts, which
 * completes for this rank when the needed positions have joined: from..until-1
 * and those listed (borrowed for the call only).
 */
op_id sem_coll(struct sem *, rank_t, context_t, uint32_t turn, uint32_t from, uint32_t until, const uint32_t *listed,
               uint32_t nlisted, uint32_t user);
/* The operation with which the member at `position` joined the same collective, or none yet. */
op_id sem_coll_part(const struct sem *, op_id coll, int position);
/* The ranks it still waits for, at most all: returns how many. */
int sem_coll_missing(const struct sem *, op_id coll, rank_t *ranks);
/*
 * Collectives that somebody has joined and not all members have: a part of each, that of the lowest
 * position.  Returns how many, writes at most `room`.  Then the members that have not, at most
 * all; and whether a collective is one of these.  Linear in what is there: for reports.
 */
int sem_unjoined(const struct sem *, op_id *parts, int room);
int sem_coll_absent(const struct sem *, op_id coll, rank_t *ranks);
bool sem_is_unjoined(const struct sem *, context_t, uint32_t turn);

/*
 * M7 in favour of one operation, whatever the slack: a standard send is buffered,
 * a collective goes by its data flow.
 */
void sem_loosen(struct sem *, op_id);

/* What is known of an operation. */
enum sem_kind { SEM_SEND, SEM_RECV, SEM_COLL, SEM_DONE };
struct sem_view {
    enum sem_kind kind;
    rank_t owner, peer; /* peer: destination, or named source, or RANK_ANY; else RANK_NONE */
    int tag;            /* or TAG_ANY; a collective's turn */
    context_t context;  /* 0: what is done has none */
    uint64_t bytes;
    uint32_t user;
    bool matched;   /* paired (send, recv); a message that was taken and not received is that alone */
    bool complete;  /* its completion rule holds (M6) */
    bool loosens;   /* it does not, but sem_loosen would make it so */
    bool held;      /* sem_hold, and unmatched */
    bool retired;
    op_id partner;  /* the other end, once matched */
    uint64_t posted; /* of two operations of one rank, the later one has the larger number */
};
struct sem_view sem_view(const struct sem *, op_id);
uint32_t sem_user(const struct sem *, op_id); /* that of the view, for those who want nothing else */

/*
 * The caller is done with it: a complete operation whose completion was
 * delivered, or a request given up (MPI_Request_free), which still matches.
 * Not while its owner waits for it: sem_go comes first.
 * Its id may be given out again once nobody can meet it any more: a send or
 * receive when its partner is retired too, or at once if it was withdrawn or done; the
 * parts of a collective, together, when every member's is retired.
 */
void sem_retire(struct sem *, op_id);

/*
 * Blocking (M6, M8).  A rank waits for all, or for any, of some operations of
 * its own, or for an envelope (probe).  sem_next_ready hands out, once each, the
 * ranks whose condition has come to hold (all: every one complete; any: at least
 * one; probe: sem_probe is not empty); a rank whose condition already holds, or
 * that waits for nothing, is ready at once.  sem_go ends the wait, ready or not.
 * Only a probe can cease to be ready, when the message is withdrawn; it is
 * handed out again when there is another one.  (Not "wait": the C library has
 * sem_wait and WAIT_ANY.)
 */
enum await_mode { AWAIT_ALL, AWAIT_ANY };
void sem_await(struct sem *, rank_t, enum await_mode, const op_id *ops, int n);
void sem_await_probe(struct sem *, rank_t, rank_t from, context_t, int tag);
bool sem_next_ready(struct sem *, rank_t *);
bool sem_next_ready_except(struct sem *, rank_t except, rank_t *); /* this one not yet */
bool sem_is_ready(const struct sem *, rank_t);
void sem_go(struct sem *, rank_t);

/*
 * Wait-for graph (M9).  For a waiting rank, each thing it waits for and the
 * ranks that could provide it: AND over the things with AWAIT_ALL, OR with
 * AWAIT_ANY (also a probe); within a thing OR over `ranks` for a receive, AND for
 * a collective.  Things that hold already are left out.
 */
struct sem_need {
    op_id op;            /* OP_ID_NONE: a probe */
    bool all;            /* every one of `ranks`, not any one */
    int n;
    const rank_t *ranks; /* borrowed until the next call */
};
/* Returns the mode; -1: not waiting. */
int sem_needs(const struct sem *, rank_t, void (*tell)(void *, const struct sem_need *), void *);

/*
 * A digest of everything that matters for what can happen from here, save what
 * ranks wait for: states with the same one allow the same.  Operations are told by
 * `identity`, which must say of each what it is to its rank, whether it is held,
 * and, of a send, what it carries: of one state always in the same way.  What was sent since it was last
 * asked for, and what is waited for, takes time; what has been pending since does not.
 */
typedef uint64_t sem_identity(void *data, uint32_t user);
struct map_key sem_digest(struct sem *, sem_identity *, void *data);

/* How much is being kept, communicators apart: for tests that memory is bounded. */
uint32_t sem_live(const struct sem *);

#endif
