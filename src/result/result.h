/*
 * result -- what verifying a program has found, as plain data.
 *
 * doc/result.md says what each part means; the names here are those of the JSON.
 * Everything is owned by whoever holds the struct; strings may be any bytes.
 */
#ifndef RESULT_RESULT_H
#define RESULT_RESULT_H

#include <string.h>

#include "base/mem.h"
#include "call/findings.h"
#include "call/made_files.h"
#include "call/spawn_places.h"
#include "outcome/decision.h"
#include "outcome/end.h"
#include "result/place.h"

enum { RESULT_VERSION = 1 };

/* An operation of a rank, and where in the source it was called. */
/* A load or a store of the program itself in a window: no operation, but something between two. */
struct site_touch {
    bool known;      /* the site is one */
    bool stores;     /* else it loads */
    uint32_t before; /* which operation in the history of the rank it comes before */
    rank_t owner;    /* of the part of the window */
    uint32_t slot;
    uint64_t at, bytes; /* from the base of the part; of a dynamic window, an address */
};

struct site {
    rank_t rank;
    uint8_t thread; /* of the rank: 0 has called MPI_Init */
    int64_t op;     /* counted from 0 in the history of the rank; -1: unknown */
    char *call;     /* "MPI_Recv"; NULL: in none */
    char *text;     /* the call with its arguments; or NULL */
    char *place;    /* "ring.c:41 in main", or as much as is known */
    char *function; /* or NULL */
    char *file;     /* or NULL */
    int line;       /* 0: unknown */
    VEC(struct named_place) callers; /* from where that was called, the nearest first; none: not known, or not looked for */
    struct site_touch touch;
};

struct kept_decision {
    struct decision decision;
    struct site site;
    char *text; /* "receives the message from rank 2" */
    bool usual; /* hardly worth telling: a call that might have failed has not.  Not kept in files */
};

/* Something that a rank waits for, and who could bring it. */
struct lack {
    bool all; /* it takes every one of `ranks`, not any one */
    VEC(rank_t) ranks;
};

/* A thread of a rank that has several, and what it waits for. */
struct waiting_thread {
    uint8_t thread;
    int wait;      /* enum thread_wait */
    char *call;    /* THREAD_IN_CALL; else NULL */
    char *lock;    /* THREAD_ON_MUTEX: its name in the program; NULL: unknown */
    int32_t other; /* who holds the lock, or is to end; -1: unknown */
    struct named_place place;
};

struct wait {
    rank_t rank;
    bool all; /* it takes everything in `lacks`, not any one thing */
    VEC(struct lack) lacks;
    VEC(struct waiting_thread) threads; /* none: the rank has one */
};

/* A thread, or a rank that has one: -1. */
struct rank_thread {
    rank_t rank;
    int32_t thread;
};

struct circle {
    VEC(rank_t) ranks; /* each waits for the next, the last for the first */
};

/* A message and a receive that would have met but for one thing. */
struct near_miss {
    rank_t rank;      /* who is stuck */
    rank_t other;     /* who has the other end */
    char *end;        /* which end that is: "message" or "receive" */
    char *difference; /* "tag", "communicator" or "source" */
    char *text;       /* in words */
};

/* The last lines that a rank wrote to standard error before it ended. */
struct last_words {
    rank_t rank;
    VEC(char *) lines;
};

struct finding {
    uint32_t id; /* from 1 */
    char *kind;  /* KIND_X of findings.table */
    char *severity;
    char *message; /* one sentence */
    char *text;    /* all of it, as on the terminal */
    VEC(char *) args; /* of the program, if they are not those of the result */
    char *input;      /* the file of the input with which it was met, of several (--inputs); else NULL */
    char *lessons;    /* owned; what was known of threads when it was met, if it is not as in the result; else NULL */
    int node_ranks;   /* so many ranks were on each node, if it is not as in the result; else 0 */
    int slow;         /* 1 + a rank that went on only when no other could; 0: none was so */
    VEC(rank_t) ranks;
    VEC(struct site) places;
    uint64_t run;  /* the first in which it was met */
    uint64_t runs; /* in how many it was met */
    VEC(struct kept_decision) decisions;
    VEC(uint64_t) cancellable; /* struct account, `place` */
    VEC(struct site) buffered, unbuffered;
    int64_t critical;         /* the decision after which it was inevitable; -1: unknown */
    VEC(struct kept_decision) clean; /* of the nearest clean run */
    VEC(struct wait) waits;
    VEC(struct circle) cycles;
    VEC(struct rank_thread) thread_cycle; /* each waits for the next, the last for the first; none: there is none, or ranks have one thread */
    VEC(struct near_miss) near_misses;
    VEC(rank_t) culprits;
    char *blame; /* why they; or NULL */
    VEC(struct last_words) last_words;
};

/* One of the names in call/findings.h. */
static inline bool finding_is(const struct finding *finding, const char *kind)
{
    return strcmp(finding->kind, kind) == 0;
}

/* What the verdict takes for granted (assumptions.h). */
struct result_assumption {
    char *kind;
    char *brief; /* in few words, if it holds for every search like this; else NULL */
    char *text;
    char *place; /* where it was made; or NULL */
};

enum verdict { VERDICT_CLEAN, VERDICT_DEFECTS, VERDICT_INCOMPLETE };

/* Who gave the program its blocks of memory (--heap). */
enum result_heap { HEAP_SYSTEM, HEAP_CANONICAL };

/* In which orders reductions were combined (--reductions). */
enum result_reductions { REDUCTIONS_PLAIN, REDUCTIONS_NOTED, REDUCTIONS_ORDERS };

struct result {
    char *program;
    char *binary;     /* a digest of its file; NULL: unknown */
    VEC(char *) args;
    char *cwd;        /* where the search was begun; NULL: unknown */
    int ranks;        /* of the first MPI_COMM_WORLD */
    char *lessons;    /* owned; of threads whose calls compete (world/thread_lessons.h); NULL: there are none */
    int spawnable;    /* numbers behind them, of ranks that these may start, and of the registry (call/dynamic.h); 0: none was started */
    spawn_places_t spawned; /* which of these numbers belong to which spawn */
    made_files_t made_files; /* that were not there before the search */
    int hang_timeout; /* seconds; 0: none */
    char *mpi;
    char *buffering;
    enum result_heap heap;
    uint64_t layout; /* the seed of the address layouts of ranks; 0: all had the same */
    char *choices;   /* owns: ranges that were given for choices, NAME=A..B;NAME=A..B; NULL: none */
    bool skewed;     /* clocks of ranks could leap */
    enum result_reductions reductions;
    char *faults;    /* owns: calls that could fail, a list (call/fault.h); NULL: none */
    uint32_t fault_places; /* at so many places of a rank */
    int node_ranks;  /* so many ranks were on each node; 0: all on one */
    char *inputs;    /* the folder with inputs (--inputs); NULL: there was none */
    enum verdict verdict;
    uint64_t runs, distinct, segments, merged;
    struct kept_windows {
        uint32_t slots, exclusive, ordered; /* what the search has learned of windows (struct window_lessons); no slots: none */
    } windows;
    double seconds;
    VEC(char *) bounds;
    char *complete;    /* what was looked at completely although there are bounds; NULL: nothing, or everything */
    VEC(char *) next;  /* what to try next */
    VEC(struct result_assumption) assumptions;
    VEC(struct finding) findings;
};

/* All numbers that ranks may have. */
static inline int result_all_ranks(const struct result *result)
{
    return result->ranks + result->spawnable;
}

void site_release(struct site *);
void kept_decision_release(struct kept_decision *);
void finding_release(struct finding *);
void result_release(struct result *);

bool finding_is_error(const struct finding *);
bool result_has_errors(const struct result *);

/* The bound of a result whose search goes on, or was killed. */
extern const char result_unfinished[];

/* Says once that the search was cut short. */
void result_add_bound(struct result *, const char *bound);

/* The rest of a file's name behind the working directory of the search; NULL: it is not below that. */
const char *result_below_cwd(const struct result *, const char *file);

/* As JSON; owned by the caller. */
char *result_print(const struct result *);

/* The other way; -1, and why in one sentence, owned by the caller, if that is no result, or of another version. */
int result_parse(struct result *, const char *text, size_t size, char **why) __attribute__((warn_unused_result));

/* Whether it is one, of whatever version. */
bool result_is_one(const char *text, size_t size);

#endif
