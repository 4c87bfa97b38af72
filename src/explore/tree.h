/*
 * tree -- the histories of all ranks (see runner.h), and what is known of the
 * future below each.
 *
 * Histories after which the rank is the same, as far as its image tells, are one
 * node, if their last segments are the same, too: then what follows is.
 * While the first run of a long program is on its way, there is nothing to compare with: images are not taken then but when
 * another history comes, after as many answers, to the same segment.
 *
 * But a rank that comes back to where it was on its first run, as one does that waits for the next task, would be at another node each time, and ranks
 * that do so side by side would multiply that.  So when the first run has ended, and was not too long, its nodes are looked at, and those of which the
 * images are the same are *like* the first of them: they stay nodes, for the decisions of that run are told by their operations,
 * but states do not differ in them, and what is not known to follow one is asked of the first.
 * Not so polls: where one is in its round, and what was noted of that, is a matter of the node (spin.h).
 *
 * For every node the tree keeps which messages some history below it sends: the
 * evidence on which the search assumes that a message cannot come (reduction.h).
 * It errs on one side only: what was sent is always known, and tags are kept
 * modulo 64, so that it may take a message for another.
 */
#ifndef EXPLORE_TREE_H
#define EXPLORE_TREE_H

#include "base/bulk.h"
#include "base/map.h"
#include "base/mem.h"
#include "explore/reach.h"
#include "explore/runner.h"

/* The buffer for buffered sends, and what was put into it since, whether it has left it or not. */
struct attached {
    uint64_t size, overhead, used;
};

struct node {
    const struct op *ops;      /* in the tree's hoard, or kept by the runner; NULL: none */
    const uint64_t *contents;  /* the same */
    const struct ret *ret;     /* in the tree's hoard, with all it points to; NULL: the beginning */
    uint64_t flow;       /* of what was called up to here, on the way by which it was first reached */
    uint32_t stretch;    /* of nodes, that knows what is sent below it (reach.h) */
    rank_t rank;
    node_id parent;      /* the first one */
    uint32_t more;       /* the last of its further parents in `parents` of the tree; 0: none */
    node_id child;       /* the first one, if it was no other's before */
    bool keyed;          /* among `edges`, too.  Most nodes have just one */
    uint32_t depth;      /* answers on the way by which it was first reached */
    node_id same;        /* it turned out to be this one, and is nothing but a return that leads there; or none */
    uint32_t count;
    uint32_t first_op;   /* in struct tree, `op` */
    int code;
    node_id head;        /* spin.c: the first of the polls among which it spins, or none, if it is `followed` */
    uint32_t period;     /* at the head: how many polls there are */
    uint32_t polls_ahead; /* at the head: how far it was followed, in `polls_ahead` of the tree + 1; 0: images tell */
    node_id like;        /* of the first run: the first node at which the rank was the same, if that was another one; or none */
    node_id alike; /* of a poll: the first node at which the rank was in the same poll with the same image; or none */
    bool certain;        /* that it goes on like that needs no further proof */
    bool followed;
    uint8_t end;         /* enum segment_end */
    bool started, finished; /* up to here, MPI_Init and MPI_Finalize were called */
    bool marked;         /* MPI_Pcontrol(0) was, and no other since */
    struct attached attached;
};

/* How far a rank that polls round and round was followed. */
struct polls_ahead {
    uint32_t noes;  /* that it was told from the head on */
    node_id last;   /* the first poll of the last round before it gave up, or NODE_NONE */
    uint32_t polls; /* how many polls that round has */
    bool settles;   /* it did not give up, but polls on and changes nothing any more */
    node_id far;    /* if it did neither: the last poll that it came to, */
    uint32_t leapt; /* also by so many noes that it said by itself (leaps.h) */
    uint32_t states; /* in which it could be told yes, one for each that is another, */
    uint32_t tried;  /* and of these, those in which that was tried in later rounds (later_rounds.c) */
};

/* A poll in a later round that was told yes. */
struct later_poll {
    node_id poll;
    uint32_t before; /* of the same head, by number + 1; 0: none */
};

struct parent {
    node_id node;
    uint32_t before; /* in the list of the same child */
};

/* An operation, by the number that the semantics carries as `user`. */
struct tree_op {
    const struct op *op;
    uint64_t identity;     /* what it is to its rank, and what it carries: see sem_digest */
    node_id node;
    uint32_t content : 31; /* hashes of its payload: from there on in those of its node */
    bool marked : 1;       /* posted in a region in which one choice is enough: MPI_Pcontrol(0) */
};

/* Pieces in the hoard, and their hash. */
struct kept_pieces {
    struct map_key sum;
    const struct answer_piece *piece; /* NULL: none */
};

/* By depth: the first node of a rank of which no image was taken.  On its first run, a rank has but one at each depth. */
struct unlooked {
    VEC(node_id) at;
};

struct tree {
    struct runner runner;
    VEC(struct node) node;    /* from 1; this and the next lie on disk (base/bulk.h) */
    VEC(struct tree_op) op;   /* from 1 */
    VEC(struct parent) parents; /* from 1 */
    struct hoard hoard;       /* owns lists of nodes, returns and their pieces */
    struct kept_pieces *pieces; /* owns; by hash: of late, for they may be in several returns; NULL: none yet */
    VEC(uint32_t) complaints; /* which of `op` are, as their segments were first met */
    struct map edges;         /* hash of node and return -> node; of an only child, the node has it */
    struct map mailboxes;     /* (rank, context) -> number */
    struct map types;         /* signature -> an operation that told of it */
    bool merges;              /* nodes with the same image are one: */
    struct map images;        /* rank, image and segment -> node */
    VEC(struct unlooked) unlooked; /* by rank */
    struct map unlooked_more; /* the same without image, by depth -> a further one of which no image was taken */
    struct map polls_alike;   /* rank, image and poll -> node */
    uint64_t segments;        /* asked of the runner */
    uint64_t unseen;          /* of these, noes that were told in passing, without a look at the rank: they take far less */
    uint64_t starts;          /* of these, the first of their ranks */
    uint64_t effort;          /* that these took beyond the usual */
    bool joined;              /* some were one that differ in what nothing depends on */
    uint64_t merged;          /* of these, those that led to a known node */
    uint64_t likened;         /* nodes that turned out to be like others */
    struct reaches reaches;
    VEC(struct polls_ahead) polls_ahead; /* how far rounds of polls were followed (spin.c) */
    VEC(struct later_poll) later_poll;
    struct map later_polls;   /* head -> the last of them, by number + 1 */
    struct map lessons;       /* places where polls are told no oftener than usual */
    struct map visits;        /* place of a poll -> how many histories came there */
    struct map leaps;         /* node -> tree_leap */
    bool begins;              /* no run has ended yet: see tree_is_long */
    bool has_windows;         /* a rank that asks one in a loop is known by its image only, so each is taken at once */
    bool scouts_first;        /* a run is made ahead before polls are followed for long: */
    bool scout_due;           /* that has come to be so, and what was asked of polls since is not known */
    bool scouts;              /* ranks are not looked at, nor copied: scout.c */
    bool ready;               /* some rank has made a ready send */
    bool locks, unchecked, exposed; /* some rank has locked a window; without asking; has exposed its own (window.h) */
    bool dynamic;             /* some rank has started others, or met others at a port (call/dynamic.h) */
    bool windows, files;      /* some rank has made a window; has accessed a file */
    bool keepers_asked;       /* some rank has sent something to a keeper that is not about what is in files */
    bool unstarted;           /* some rank has waited for a persistent request before it was ever started */
    bool overfull;            /* some attached buffer has room only if messages have left it */
    bool failed;              /* the runner gave up */
    bool ahead;               /* nothing is run, only begun: then it fails */
    bool trying;              /* nor begun: it only fails */
    bool begun;               /* whether it was */
};

/*
 * Whether what is asked for is only to be begun, or not even that.  Whether and when that is tried depends on how long segments take, so it leaves nothing behind by
 * which the search would go another way.
 */
static inline bool tree_only_tries(const struct tree *tree)
{
    return tree->ahead || tree->trying;
}

/* Whether polls of which so many were told no in a row are not to be followed any further, since a run is to be made ahead first (scout.c). */
bool tree_awaits_scout(struct tree *, size_t polls);

/* In one block, to be freed; NULL of NULL. */
struct ret *ret_copy(const struct ret *);
/* Whether it is the same messages, too, that both return; NULL is like nothing else. */
bool ret_is_same(const struct ret *, const struct ret *);

void tree_init(struct tree *, const struct runner *);
void tree_release(struct tree *);

/* The node to which a return leads; NODE_NONE: the runner failed.  May move nodes and operations. */
node_id tree_begin(struct tree *, rank_t);
node_id tree_child(struct tree *, node_id, const struct ret *);

/* What the rank made of the answer to a poll that leaves some noes to it, if that was given here: `noes` of struct ret; else 0 (leaps.h). */
uint32_t tree_leap(const struct tree *, node_id);

/* Whether some history may have gone on in two ways; at each beginning there is one of so many ranks. */
static inline bool tree_has_forks(const struct tree *tree, int ranks)
{
    return tree->edges.n > (size_t)ranks;
}

/* Whether different histories have led to the same. */
static inline bool tree_has_merged(const struct tree *tree)
{
    return tree->merged || tree->likened;
}

/* The node that stands for this one where states are told apart. */
static inline node_id tree_stand_for(const struct tree *tree, node_id id)
{
    node_id like = tree->node.at[id].like;

    return like ? like : id;
}

/* What was asked of the runner so far, in segments of the usual length. */
static inline uint64_t tree_work(const struct tree *tree)
{
    return tree->segments + tree->effort;
}

/* Whether the first run is on its way for so long that it is better to go on without images. */
bool tree_is_long(const struct tree *);

/* Looks at a rank in a poll, if that was not done when it came there. */
void tree_look_at_poll(struct tree *, node_id);

/* The parents of a node, one after the other; `at` is 0 at first.  NODE_NONE: that was all. */
node_id tree_parent(const struct tree *, node_id, uint32_t *at);

/* ---- reaches.c ---- */

void reaches_release(struct reaches *);

/* A node is new, and hangs on its parent only, of which it may be the first child. */
void reaches_add_node(struct tree *, node_id);

/* It sends this: all above it know. */
void reaches_tell(struct tree *, node_id, uint32_t mailbox, uint64_t tags);

/* It has one more parent, which is the last that was added to them: that knows of all it sends, and of all below it. */
void reaches_adopt(struct tree *, node_id);

/* Those of the tags that are sent below a node. */
uint64_t reaches_below(const struct tree *, node_id, uint32_t mailbox, uint64_t tags);

/* ---- tree.c ---- */

/* What the runner could not find out will be asked for once more. */
void tree_forget_unknown(struct tree *);

/* The first run has ended: its nodes are looked at, and told from each other no more than they differ; whether some are like others. */
bool tree_liken_first_run(struct tree *);

/* From now on nodes with the same image are not one; what was taken for known is asked for once more. */
void tree_unmerge(struct tree *);

/* A node that was taken for another is not like that: it is asked for once more. */
void tree_part(struct tree *, node_id);

/* The number of a mailbox, and whether something for it is sent by a history below a node. */
uint32_t tree_mailbox(struct tree *, rank_t, context_t);
bool tree_sends_below(const struct tree *, node_id, uint32_t mailbox, uint64_t tags);

/* How the semantics finds signatures (agree.h). */
const struct op *tree_find_type(void *tree, uint64_t signature);

static inline uint64_t tag_set(int tag)
{
    return tag == TAG_ANY ? UINT64_MAX : UINT64_C(1) << (tag & 63);
}

/* The hashes of what an operation brings. */
static inline const uint64_t *tree_contents(const struct tree *tree, uint32_t user)
{
    return tree->node.at[tree->op.at[user].node].contents + tree->op.at[user].content;
}

/* The last operation of a node: its call, if it ends in one; and its number as `user`. */
static inline uint32_t node_call(const struct tree *tree, node_id node)
{
    return tree->node.at[node].first_op + tree->node.at[node].count - 1;
}

static inline const struct op *tree_call(const struct tree *tree, node_id node)
{
    return tree->op.at[node_call(tree, node)].op;
}

/* The requests that a call is about. */
static inline const uint32_t *call_list(const struct op *call, uint32_t *n)
{
    bool listed = call->kind == OP_WAIT || call->kind == OP_TEST;

    *n = op_chooses(call) ? 0 : listed ? call->items : 1;
    return listed ? op_tail(call) : &call->request;
}

static inline bool is_probe(const struct op *op)
{
    return op->kind == OP_PROBE || op->kind == OP_IPROBE;
}

/* Returns one request, or some, of those that are complete. */
static inline bool is_selective(const struct op *op)
{
    return op->flags & (OPF_ANY | OPF_SOME);
}

/* Asks which of its list is complete, for one of several threads: any of them will do, and none is over by that. */
static inline bool is_peek(const struct op *op)
{
    return op->flags & OPF_EITHER && (op->kind == OP_WAIT || op->kind == OP_TEST);
}

/*
 * A poll by which a thread waits while others may go on (L16): it says no only if it has to.  Where less slack is looked at, one for requests may say no
 * all the same, for with less slack it might have to (L17).
 */
static inline bool is_patient_poll(const struct op *op)
{
    return op->flags & OPF_EITHER && (op->kind == OP_IPROBE || (op->kind == OP_TEST && op->flags & OPF_ORDERED));
}

#endif
