/*
 * history -- what one rank did: its operations, and what its calls returned.
 *
 * A rank is a function of what its calls have returned.  A history is the sequence of these answers; it is
 * named by a number, its node, and told segment by segment: the operations up to the next call
 * that needs an answer, and the answer.  Who found it out, and how, is no matter here.
 */
#ifndef OUTCOME_HISTORY_H
#define OUTCOME_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "call/op.h"

typedef uint32_t node_id; /* a history of one rank; all ranks share the numbers */
enum { NODE_NONE = 0 };

enum segment_end {
    SEGMENT_CALL,     /* the last operation wants an answer */
    SEGMENT_EXIT,     /* `code` */
    SEGMENT_ABORT,    /* the last operation is OP_ABORT */
    SEGMENT_ERROR,    /* OP_ERROR */
    SEGMENT_REFUSED,  /* OP_REFUSED */
    SEGMENT_CRASH,    /* OP_CRASH, if it could tell; `code` is the signal */
    SEGMENT_HUNG,     /* made no call for `code` seconds; OP_CRASH */
    SEGMENT_DIVERGED, /* a rank, `code`, did something else on the same history: this one, or one that it hears from */
    SEGMENT_UNKNOWN,  /* the runner could not find out what the rank does; the search goes on without */
};

/* What one member of a collective brought for this rank. */
struct answer_piece {
    uint32_t from;  /* its position */
    uint32_t slice; /* which of its slices; NO_SLICE: it brought nothing */
    const struct op *part;
    uint64_t content; /* the hash of that slice */
};
enum { NO_SLICE = UINT32_MAX };

enum {
    ANSWERED_CANCELLED = 1, /* the request was withdrawn */
    ANSWERED_SEEN = 2,      /* a probe: the envelope only */
    ANSWERED_CHOSEN = 4,    /* `source` is no rank, but the number of an alternative, from 0; `request` is 0 */
};

/* One completed request, or what a probe saw. */
struct answer_item {
    uint32_t request;
    uint32_t flags;
    rank_t source;            /* or RANK_NONE */
    const struct op *message; /* the send that was received or seen; NULL: none */
    uint64_t content;         /* its hash; 0 if seen only */
    uint32_t pieces;          /* of a collective */
    uint32_t first_piece;
};

/* What a call returns.  It lives, with the operations it points to, as long as the search. */
struct ret {
    bool flag; /* test, iprobe: yes */
    uint32_t noes; /* a poll says no, and the rank said no by itself to the next of its polls, noes - 1 of them; 0: it was asked each (leaps.h) */
    bool last; /* no other answer to this call is in sight: a guess */
    uint32_t items;
    const struct answer_item *item;
    const struct answer_piece *piece;
    bool blind; /* what follows is not worth an image */
    bool hasty; /* nor is it, unless it comes to a poll: nothing that it could be compared with is known yet;
                   and that a rank which ends does so again is asked later (prove) */
    bool brief; /* hardly anything follows: the rank is asked again from here soon */
};

/* The last segment of a history. */
struct history {
    rank_t rank;
    const struct op *ops;
    uint32_t count;
    const uint64_t *contents; /* as in struct segment */
    enum segment_end end;
    int code;
    const struct ret *ret;  /* what led here; NULL: the beginning */
    bool started, finished; /* up to here, MPI_Init and MPI_Finalize were called */
};

#endif
