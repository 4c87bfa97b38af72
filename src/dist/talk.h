/*
 * talk -- what tourney and the helpers of a job's ranks say to each other, over TCP.
 *
 * Each rank is started by a helper, a process of its own on the rank's machine, which MPI does not
 * know.  It reports to tourney, so that neither a shared file system is needed nor environment
 * that the launcher would have to carry.  All numbers are as on the machine: helpers and tourney are one
 * program.
 *
 * A helper says hello, is told what to do, and starts the rank.  It tells of the rank whenever that
 * has gone quiet, and when it is asked.  It stays until it is told to leave or the connection is gone, even if the
 * rank is: as long as it is there, the launcher sees no reason to end the others.  When the first one leaves, a
 * launcher may kill the rest at once, so nobody is told to before all have cleaned up.
 */
#ifndef DIST_TALK_H
#define DIST_TALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "call/op.h"

enum {
    TALK_VERSION = 2,
    TALK_TOKEN = 33,
    TALK_MOST = 1 << 30,   /* bytes behind a frame from tourney */
    TALK_BYTES = 1 << 16,  /* bytes of the file in one frame from a helper: there may be many of them */
};

/* The variable that names tourney's scratch directory to launchers and helpers on the same machine. */
#define TALK_ENV_SCRATCH "TOURNEY_DIST_SCRATCH"

enum talk_kind {
    TALK_HELLO,  /* helper: struct talk_hello */
    TALK_SETUP,  /* tourney: struct talk_setup, then the decision file */
    TALK_NEWS,   /* helper: struct talk_news */
    TALK_FILE,   /* helper: struct talk_part, then bytes of the rank's file */
    TALK_LOOK,   /* tourney: uint64_t, a number; answered with TALK_FILE and TALK_NEWS */
    TALK_END,    /* tourney: end the rank; answered with TALK_GONE */
    TALK_GONE,   /* helper: nothing is left of the rank, nor of what it had in use */
    TALK_LEAVE,  /* tourney: all have said so; end yourself */
    TALK_SORRY,  /* helper: a text; there is no rank, and why */
    TALK_HURRY,  /* tourney: as TALK_END, but a rank that comes up is not waited for */
};

struct talk_hello {
    uint32_t version;
    char token[TALK_TOKEN]; /* so that nobody else can have a word */
    uint64_t job;
};

struct talk_setup {
    uint64_t job;
    uint32_t vector; /* which clocks */
    uint32_t show;   /* the output of ranks goes where the launcher puts it, and not to /dev/null */
};

/* A part of the file, in its place. */
struct talk_part {
    uint64_t offset;
};

/* What the rank does now. */
struct talk_news {
    uint64_t look;   /* which one is answered; 0: none */
    rank_t rank;     /* RANK_NONE: it has not come up */
    int32_t size;    /* of MPI_COMM_WORLD */
    uint32_t state;  /* enum causal_state */
    uint32_t quiet;  /* it rests: in a call, polling or over, and nothing has changed for a while */
    uint32_t over;   /* it will do nothing more: it has ended, or waits for its end */
    uint32_t ended;  /* the process is gone */
    int32_t status;  /* how it ended, as of waitpid */
    uint64_t op;     /* that it is in */
    uint64_t turn;   /* grows with everything the rank does */
    uint64_t bytes;  /* of the records in its file, which grow likewise but for polls that go round */
};

struct talk_frame {
    uint32_t kind;
    uint32_t bytes; /* behind this */
};

/* Writes all; -1: the other end is gone. */
int talk_send(int fd, enum talk_kind, const void *head, size_t head_bytes, const void *rest, size_t bytes)
    __attribute__((warn_unused_result));

/* What came in and was not yet read.  All zero is nothing. */
typedef VEC(char) talk_buffer;
/*
 * Frames with at most so many bytes behind them.  talk_fill reads what there is, and no more than such a frame needs,
 * waiting for nothing; -1: the other end is gone.  talk_first: the first whole frame, or NULL; `broken` if it cannot
 * be one.
 */
int talk_fill(int fd, talk_buffer *, size_t most) __attribute__((warn_unused_result));
const struct talk_frame *talk_first(const talk_buffer *, size_t most, bool *broken);
void talk_drop(talk_buffer *); /* that frame */

/* The file of a rank, as far as it has come.  All zero is nothing. */
struct talk_file {
    char *at; /* owns (base/bulk.h) */
    size_t n, cap;
};
/* What TALK_FILE brings, in its place of the file; nothing, if what comes before it is not there. */
void talk_keep(struct talk_file *, const struct talk_frame *);
void talk_forget(struct talk_file *);

#endif
