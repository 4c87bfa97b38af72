/*
 * state -- one state of the program: where each rank is in its tree, and the
 * semantics of what they have posted.
 *
 * A state is at rest when every rank waits, polls or is over, all forced matches
 * are made, and every call that can return in one way only has returned: none of
 * that takes an alternative away (L3, L7), so it is no decision.  What can happen from a
 * state at rest follows from the nodes of the ranks, what is posted and unmatched,
 * and the matches and cancels that were made but not returned; its key is a hash
 * of these, and two states with one key are taken as one.
 *
 * Cancel (D1, D2, D5).  Either an operation matches or it is withdrawn, and which is first is
 * open.  So a rank comes to rest in front of a cancel, and going on is a decision, by which an unmatched
 * operation is withdrawn or, if it is a send that is buffered, goes its way;
 * and no pair with an operation that may be cancelled is forced.  That may be every
 * operation of a call, by its place in the program, of which one was cancelled
 * somewhere.  What was searched before that was learned may have lacked a run, so
 * the search begins anew, with the trees it has.
 *
 * Stepwise.  For measuring what coming to rest is worth, and to judge it, a game can be
 * played one step at a time: a rank posts one operation, one pair matches, one call returns;
 * each of them is a decision, whether it takes something away or not.
 */
#ifndef EXPLORE_STATE_H
#define EXPLORE_STATE_H

#include "base/die.h"
#include "explore/bonds.h"
#include "explore/dispute.h"
#include "explore/leaps.h"
#include "explore/seen.h"
#include "explore/spin.h"
#include "explore/window_knowledge.h"
#include "explore/trail.h"
#include "sem/agree.h"
#include "sem/sem.h"

struct tight;

/* Whether a rank that is slow does not even go on when no other can, once it has heard what others have changed in windows (state_holds_slow). */
enum slow_is_held { SLOW_FREE, SLOW_TO_BE_HELD, SLOW_HELD };

/* Where a rank goes: a sum of what it calls, and where, but not with what contents. */
struct footprint {
    rank_t rank;
    struct map_key sum;
};

/* What all states of a search share. */
struct game {
    struct tree tree;
    int ranks;             /* and behind them the keepers of windows (call/window.h) */
    rank_t keepers;        /* the first of these */
    rank_t spawnable;      /* the first rank that others may start; none: `keepers` */
    struct window_knowledge windows;
    struct spin_limits spin;
    struct leaps leaps;
    struct map cancelled;  /* places of calls whose operations may be cancelled */
    VEC(uint64_t) places;  /* the same as a list */
    bool learned;          /* a place was added */
    bool last;             /* nothing else is to be tried in the state that is left */
    bool stepwise;         /* every post, match and return is a step of its own, see below */
    struct seen leads_out; /* states from which a way out was found (way_out.h) */
    bool unsure;           /* of some it is not known */
    bool has_slow;         /* a rank goes on only when no other can: */
    rank_t slow;
    enum slow_is_held slow_is_held;
    bool unkeyed;          /* states are only passed, and nobody asks which they are: their keys stay as they were */
    bool loosens;          /* stepwise: where it may be loosened, it is a choice whether an operation is */
    struct disputes disputes;
    struct footprint *footprint; /* of one rank, from now on; NULL: of none */
    struct trails *trails; /* where the ranks go is noted here; NULL: it is not */
    /* An answer being put together, and room for one operation per rank. */
    VEC(struct answer_item) item;
    VEC(struct answer_piece) piece;
    VEC(op_id) ids;
    VEC(struct state *) *room; /* owns: states that are no longer needed, for those that are copied next; nobody can see it */
    op_id *sends;
    uint64_t *heard; /* by rank: the last operation of which the answer tells */
};

void game_init(struct game *, const struct runner *, int ranks, int spawnable, struct spin_limits);
/* There are keepers for all windows from now on.  No state may be left. */
void game_grow(struct game *);
void game_release(struct game *);

/* Whether ranks may go round and round by asking somebody who answers at once: a window, or the registry. */
static inline bool game_has_machines(const struct game *game)
{
    return game->windows.lessons.slots || game->spawnable < game->keepers;
}

/* Whether there are windows, or files. */
static inline bool game_has_keepers(const struct game *game)
{
    return game->ranks > game->keepers;
}

/* Whether ranks may spin on one of them; that one reads a file until something has changed is not followed. */
static inline bool game_has_spinners(const struct game *game)
{
    return game_has_keepers(game) && game->tree.keepers_asked;
}

enum player_mode {
    PLAYER_WAITS,
    PLAYER_POLLS,
    PLAYER_CANCELS,
    PLAYER_PASSES, /* waits where its process went on at once, having more slack */
    PLAYER_STEPS,  /* stands before an operation to post; stepwise only */
    PLAYER_OVER
};

struct live_request {
    op_id id;
    bool cancelled;
    bool escaped; /* a send of which a cancel failed (D5): another one would, too */
    bool freed; /* a receive that its rank will not ask for; what it brings is handed over all the same */
};

struct player {
    node_id node; /* of one that spins: the head of its round */
    bool spins;
    uint8_t mode; /* enum player_mode */
    uint32_t posted; /* operations of its segment before the one where it stands */
    uint32_t asked;  /* calm messages that it has sent to windows since something was last decided */
    op_id passes;    /* PLAYER_PASSES: what it waits for, if that is no request */
    VEC(struct live_request) request; /* by number */
};

struct state {
    struct sem *sem;
    struct map_key key;
    struct player *player;
    rank_t clash, other; /* who disagree on a collective, or RANK_NONE */
    uint32_t clash_op, other_op;  /* the operations of these two */
    struct coll_unlike unlike;    /* in what they disagree */
    struct bonds bonds;  /* between what ranks choose */
    struct tight *tight; /* owns; NULL: buffering is not in question (tight.h) */
};

/* Whether a rank is one that nobody has started, or the registry: it waits for ever, and nobody misses it. */
bool state_is_unborn(const struct game *, const struct state *, rank_t);

/* What `key` is, made from what the state holds. */
struct map_key state_key(const struct game *, const struct state *);

/* NULL: the runner failed.  The slack as for sem_new. */
struct state *state_begin(struct game *, uint64_t slack);
/* Without `tight`, which has both of its own (tight.h). */
struct state *state_clone(const struct game *, const struct state *);
void state_free(const struct game *, struct state *);
/* How much is in it, in pieces of about a hundred bytes: ranks, and what they have posted.  What it shares with copies is counted as if it were its own. */
uint64_t state_holds(const struct game *, const struct state *);

/*
 * The decisions, each followed by coming to rest; -1: the runner failed.
 * state_answer lets the call at the end of node `at` return (of a rank that
 * spins: of one of its polls).  `choice`:
 *   ANSWER_NO         a poll says no
 *   a probe           sees this send, `user` of its operation; `seen` is its id
 *   one of a list     position + 1
 *   alternatives      its number, from 1
 *   some of a list    a set of positions, as bits; ANSWER_ALL: all that are complete
 *   else              ANSWER_YES
 */
#define ANSWER_NO UINT64_C(0)
#define ANSWER_YES UINT64_C(1)
#define ANSWER_ALL UINT64_MAX
int state_cancel(struct game *, struct state *, rank_t, bool withdraw) __attribute__((warn_unused_result));
int state_match(struct game *, struct state *, op_id send, op_id recv) __attribute__((warn_unused_result));
int state_answer(struct game *, struct state *, rank_t, node_id at, uint64_t choice, op_id seen)
    __attribute__((warn_unused_result));

/* Stepwise: a rank at PLAYER_STEPS posts its operation, which is loosened or not; one at PLAYER_PASSES goes on. */
int state_step(struct game *, struct state *, rank_t, bool loosen) __attribute__((warn_unused_result));

/* Whether the rank that is slow has heard what others have changed in windows, and does not go on with it yet; and when that is over, it goes on. */
bool state_holds_slow(const struct game *, const struct state *);
int state_let_slow_go(struct game *, struct state *) __attribute__((warn_unused_result));

/* Ranks that poll may be taken to spin from now on, as often as that. */
int state_spin(struct game *, struct state *, uint32_t rounds) __attribute__((warn_unused_result));

/* Some operations are loosened, as by sem_loosen. */
int state_loosen(struct game *, struct state *, const op_id *, size_t n) __attribute__((warn_unused_result));

/* The operation in which the rank stands; NULL: it is over. */
const struct op *state_call(const struct game *, const struct state *, rank_t);

/* Whether a rank that waits has other threads that could do what this run has not tried, since they went on in another order in it. */
bool state_other_threads_go(const struct game *, const struct state *, rank_t);

/*
 * Whether a rank sleeps that holds accesses back for such as it calls later (OPF_WITHHOLDS).  If nobody gets on there it never calls them, and in MPI what it
 * holds back happens: that is a run in which it was not held back.
 */
bool state_withholds(const struct game *, const struct state *);

/* From now on, what is posted there may be cancelled. */
void game_learn_cancel(struct game *, uint64_t place);

/* The operation that a rank at PLAYER_CANCELS is about to cancel; its number as `user` is that of the cancel. */
uint32_t state_cancel_op(const struct game *, const struct state *, rank_t);
op_id state_cancelled(const struct game *, const struct state *, rank_t);
/* Whether the cancel may withdraw it, and whether it may fail; one of them at least. */
bool state_cancel_may_withdraw(const struct game *, const struct state *, rank_t);
bool state_cancel_may_fail(const struct game *, const struct state *, rank_t);

/* A request by its number, and the operation behind it. */
static inline struct live_request *state_request_at(const struct state *state, rank_t rank, uint32_t number)
{
    if (number >= state->player[rank].request.n)
        BUG("rank %d has no request %u", rank, number);
    return &state->player[rank].request.at[number];
}

static inline op_id state_request(const struct state *state, rank_t rank, uint32_t number)
{
    return state_request_at(state, rank, number)->id;
}

#endif
