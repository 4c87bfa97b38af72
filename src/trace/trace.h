/*
 * trace -- an execution on disk: what each rank did, and what met what.
 *
 * Append-only.  A file is a head and a sequence of checksummed blocks of
 * records, so that after a crash everything up to the last complete block can
 * be read (doc/trace.md has the format).  Writing never fails halfway: a full
 * disk is remembered and told by trace_close.
 */
#ifndef TRACE_TRACE_H
#define TRACE_TRACE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "call/op.h"

/* An operation's name in an execution: the index-th of its rank, from 0. */
struct op_ref {
    rank_t rank;
    uint64_t index;
};

struct trace_head {
    const char *program; /* path as given */
    const char *mpi;     /* as in src/library: "mpich", "openmpi", "abi" */
    int argc;
    char *const *argv;   /* without the program */
    int ranks;
    const char *buffering; /* "infinite", "zero", "eager=BYTES" */
};

/* Where a return address lies; any of the strings may be NULL (unknown). */
struct trace_place {
    rank_t rank;
    uint64_t address;
    const char *module; /* file the code was loaded from */
    uint64_t offset;    /* in that file */
    const char *function, *file;
    int line;
};

/* How an operation's call returned to the program. */
struct trace_return {
    struct op_ref op;  /* the blocking call, wait, test or probe */
    bool flag;         /* test and iprobe: yes */
    uint32_t requests; /* how many it completed */
    const uint32_t *request;
    rank_t source;     /* of the message, when there is just one; else RANK_NONE */
    int32_t tag;
    uint64_t bytes;
};

enum trace_end_kind { TRACE_ENDED, TRACE_DEADLOCK, TRACE_CRASH, TRACE_ABORT, TRACE_ERROR, TRACE_STOPPED };

struct trace_end {
    enum trace_end_kind kind;
    int code;            /* exit code of the run */
    const char *message; /* one line, or NULL */
};

struct trace_writer;

/* NULL with errno set if the file cannot be made. */
struct trace_writer *trace_create(const char *path, const struct trace_head *);
void trace_op(struct trace_writer *, struct op_ref, const struct op *); /* keeps no payload: lengths and lists only */
void trace_match(struct trace_writer *, struct op_ref send, struct op_ref recv);
void trace_return(struct trace_writer *, const struct trace_return *);
void trace_place(struct trace_writer *, const struct trace_place *); /* once per address and rank, before or after its use */
void trace_end(struct trace_writer *, const struct trace_end *);
void trace_flush(struct trace_writer *); /* what was written so far outlives tourney; makes a short block */
int trace_close(struct trace_writer *) __attribute__((warn_unused_result)); /* 0, or -1 with errno: not all could be written */

/*
 * Reading: one record after the other, in the order of writing.  Ranks of
 * references and places are in range; all other numbers are as they were given.
 */
enum trace_record_kind { TRACE_EOF, TRACE_TORN, TRACE_OP, TRACE_MATCH, TRACE_RETURN, TRACE_PLACE, TRACE_END };
struct trace_record {
    enum trace_record_kind kind;
    struct op_ref ref;        /* OP; MATCH: the send */
    struct op_ref other;      /* MATCH: the receive */
    const struct op *op;      /* OP; borrowed until the next read, as are all strings and lists.  Its tail is
                                 what op.h says, always there, without payload; a text has a zero behind it */
    struct trace_return ret;
    struct trace_place place;
    struct trace_end end;
};
struct trace_reader;
/* NULL and what it is instead in `error` (borrowed, static or owned by errno) if it is no trace, or of another version. */
struct trace_reader *trace_open(const char *path, const char **error);
const struct trace_head *trace_reader_head(const struct trace_reader *);
/* TRACE_TORN: the file ends in the middle of a block or a checksum fails; what came before is good. */
enum trace_record_kind trace_next(struct trace_reader *, struct trace_record *);
/* After TRACE_TORN, to follow the file's name: "ends in the middle of a block at byte 4711; ..."; owned by the reader. */
const char *trace_reader_torn(const struct trace_reader *);
void trace_reader_close(struct trace_reader *);

/* "ring.c:41 in main", "main+0x1c in ring", "0x2f10 in libfoo.so" or "0x7f0012345678", cut to fit; returns buf. */
char *trace_place_format(const struct trace_place *, char *buf, size_t size);

/* `tourney dump FILE [--json]`; exit code: 3 if not all could be read, with a line on stderr. */
int trace_dump(const char *path, bool json, FILE *out);

#endif
