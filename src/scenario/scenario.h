/*
 * scenario -- a few ranks, each a column of MPI calls, and claims about their runs.
 *
 * The small programs of papers and standards, as data: doc/scenario.md has the form
 * in which they are written.  Control flow is a flat list in which `if`, `else`,
 * `while` and `end` know each other's places.
 */
#ifndef SCENARIO_SCENARIO_H
#define SCENARIO_SCENARIO_H

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"
#include "call/calls.h"
#include "call/op.h"
#include "call/operators.h"

/* Of each column; one rank's state has a fixed size (machine.h). */
enum {
    SCENARIO_RANKS = 32,
    SCENARIO_VARIABLES = 32,
    SCENARIO_REQUESTS = 32,
    SCENARIO_COMMS = 8,
    SCENARIO_NUMBERS = 16,
    SCENARIO_PARTITIONS = 8,
};

/* Of expressions and blocks. */
enum { SCENARIO_DEPTH = 32, SCENARIO_PARTS = 200 };

/* ---- expressions ---- */

/* Of two operands, and how they are written. */
#define EXPR_OPERATORS(X)                                                                     \
    X(ADD, "+") X(SUBTRACT, "-") X(MULTIPLY, "*")                                              \
    X(EQUAL, "==") X(UNLIKE, "!=") X(LESS, "<") X(AT_MOST, "<=") X(MORE, ">") X(AT_LEAST, ">=") \
    X(AND, "and") X(OR, "or")

/* All of them, as labels in a switch. */
#define EXPR_CASE(kind, sign) case EXPR_##kind:
#define EXPR_OPERATOR_CASES EXPR_OPERATORS(EXPR_CASE)

enum expr_kind {
    EXPR_NUMBER,
    EXPR_VARIABLE, /* `rank`, `index` */
#define EXPR_KIND(kind, sign) EXPR_##kind,
    EXPR_OPERATORS(EXPR_KIND)
#undef EXPR_KIND
    EXPR_NOT,
    /* Of claims only: */
    EXPR_DEADLOCK, /* the run gets stuck */
    EXPR_WANT,     /* it does for want of buffering */
    EXPR_ERROR,    /* a rank came to `error`, or did what cannot be */
    EXPR_UNSAFE,   /* a variable was touched while it was a buffer in use */
    EXPR_MATCHES,  /* a send `rank`, `index` and a receive `other_rank`, `other`: statements */
    EXPR_HAPPENS,  /* event `left` */
    EXPR_BEFORE,   /* event `left` does, and `right` does later or never */
};

typedef uint32_t expr_id; /* in the scenario; operands come before what they are part of */

struct expr {
    enum expr_kind kind;
    expr_id left, right;
    int32_t number;
    rank_t rank, other_rank;
    uint32_t index, other;
};

/* ---- statements ---- */

enum verb {
    VERB_SEND, VERB_RECV, VERB_SENDRECV, VERB_PROBE, VERB_MRECV,
    VERB_START, VERB_COMPLETE, VERB_CANCEL, VERB_FREE, VERB_COLL, VERB_ACCESS, VERB_EPOCH,
    VERB_PARTITIONED, VERB_READY, VERB_ARRIVED,
    VERB_ASSIGN, VERB_IF, VERB_ELSE, VERB_WHILE, VERB_END, VERB_ERROR,
};

enum select { SELECT_ALL, SELECT_ANY, SELECT_SOME };

enum coll_kind {
    COLL_BARRIER, COLL_BCAST, COLL_REDUCE, COLL_ALLREDUCE, COLL_SCAN, COLL_EXSCAN,
    COLL_GATHER, COLL_ALLGATHER, COLL_SCATTER, COLL_ALLTOALL,
};

/* What a call of one-sided communication does about epochs (W2 to W5). */
enum epoch_kind {
    EPOCH_FENCE, EPOCH_LOCK, EPOCH_UNLOCK, EPOCH_LOCK_ALL, EPOCH_UNLOCK_ALL, EPOCH_FLUSH, EPOCH_FLUSH_ALL,
    EPOCH_POST, EPOCH_START, EPOCH_COMPLETE, EPOCH_WAIT,
};

/* A rank as it is written: a number, `any`, or a variable that holds it. */
struct peer_expression {
    rank_t rank; /* or RANK_ANY; RANK_NONE: it is in the variable */
    int32_t variable;
};

enum { NOTHING = -1 };

struct statement {
    const struct verb_word *word;
    int32_t label;              /* in `labels` of the column, or NOTHING */
    int32_t slot, other_slot;   /* the request that it makes; of sendrecv, the receive's is the other */
    uint32_t partner;           /* if, else: behind which it goes on; while, end: the other one */
    bool loops;                 /* `end` of a while */
    struct peer_expression peer, source; /* destination or root; source */
    int32_t tag, source_tag;    /* or TAG_ANY */
    uint32_t comm;
    uint32_t reduction;         /* enum operator */
    uint32_t number;            /* of an access: which one of the target's window */
    uint32_t group;             /* of a call about epochs: the ranks that it names, a bit for each */
    bool shared;                /* of a lock */
    VEC(expr_id) values;        /* owns; what is sent, assigned or asked */
    VEC(uint32_t) into;         /* owns; variables that take what comes */
    VEC(uint32_t) requests;     /* owns; slots */
    int32_t source_into;        /* variables that are set, or NOTHING; this one to the source in the status */
    int32_t flag_into;          /* to the flag of a test or probe, the index of waitany, or the count of waitsome */
    int32_t cancelled_into;
    uint32_t line, column;
};

struct request_slot {
    uint32_t statement; /* that makes it */
    bool persistent;
};

struct column {
    VEC(char *) variables; /* owns, as all of these */
    VEC(char *) labels;
    VEC(struct statement) statements;
    VEC(struct request_slot) slots;
};

struct scenario_comm {
    char *name;           /* owns */
    VEC(rank_t) members;  /* owns; by position */
};

/* ---- claims ---- */

enum scenario_event_kind { EVENT_STARTS, EVENT_COMPLETES, EVENT_RETURNS };
struct scenario_event {
    enum scenario_event_kind kind;
    rank_t rank;
    uint32_t statement;
};

enum modality { MODALITY_NONE, MODALITY_ALWAYS, MODALITY_SOMETIMES, MODALITY_NEVER };

enum { CLAIM_EVENTS = 8 };

struct claim {
    char *text;            /* owns; as it was written */
    expr_id root;
    enum modality expected;  /* MODALITY_NONE: nothing is */
    uint32_t events;
    struct scenario_event event[CLAIM_EVENTS];
    bool matches;          /* it is about who met whom */
};

struct scenario {
    char *title;           /* owns; NULL: none */
    int ranks;
    uint64_t slack;        /* M7, as for sem_new */
    bool any_slack;
    uint32_t numbers;      /* that each rank has in its window; 0: there is none */
    bool partitioned;      /* some message is sent in parts */
    bool ports;            /* some rank accepts or connects */
    struct column *column; /* owns; by rank */
    VEC(struct scenario_comm) comms; /* the first is the world */
    VEC(struct expr) exprs;
    VEC(struct claim) claims;
};

void scenario_init(struct scenario *, int ranks);
void scenario_release(struct scenario *);
void statement_release(struct statement *);

/* Where a rank stands in a communicator; -1: nowhere. */
int scenario_position(const struct scenario *, uint32_t comm, rank_t);

bool coll_has_root(enum coll_kind);
bool coll_reduces(enum coll_kind); /* with an operator */

/* Of psend_init and precv_init: how many partitions there are, one number each. */
uint32_t partitions_of(const struct statement *);
bool partitions_are_sent(const struct statement *);

/* Whether the part of the member at `me` in a collective needs that of the one at `other` (M5); root is a position. */
bool coll_needs(enum coll_kind, int root, int me, int other);

/* ---- the words of statements ---- */

struct verb_word {
    const char *word;
    enum verb verb;
    enum call call;
    bool blocking;
    bool persistent;    /* only prepares */
    bool take;          /* probe: and takes the message */
    bool poll;          /* may say no */
    bool port;          /* it meets others at a port, not on a communicator */
    uint32_t mode;      /* OPF_SYNCHRONOUS ... */
    enum select select;
    enum coll_kind coll;
    uint16_t access;       /* enum window_access_kind */
    enum epoch_kind epoch;
};

const struct verb_word *verb_find(const char *word); /* NULL: there is none */

static inline bool verb_is_mpi(enum verb verb)
{
    return verb < VERB_ASSIGN;
}

const char *modality_name(enum modality);

#endif
