/*
 * dynamic -- how ranks are started by others, and how those meet who have no communicator in common.
 *
 * Ranks that may be started are there from the beginning, as numbers behind those of the first MPI_COMM_WORLD.  One of them *is born* when
 * it receives a message: the root of MPI_Comm_spawn sends it what it is to be (struct birth).  So to be started is to return from a receive,
 * and what is known of messages, histories and deadlocks holds for it; who was never sent for waits for ever, which is no deadlock.
 *
 * A port belongs to the rank that has opened it.  MPI_Comm_connect is a synchronous send to that rank, MPI_Comm_accept a receive from any
 * source, each with the number of the port as its tag.  So whom an accept takes is a choice as with any wildcard receive.
 *
 * Names are published at the *registry*, a machine that is the last of these numbers and answers one message after the other: whether
 * MPI_Lookup_name comes before or after MPI_Publish_name is such a choice, too.
 *
 * All of it goes over one context of which everybody is a member.
 */
#ifndef CALL_DYNAMIC_H
#define CALL_DYNAMIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "call/op.h"

#define DYNAMIC_CONTEXT UINT64_C(0x64796e616d6963)

#define DYNAMIC_ENV_BIRTH "TOURNEY_BIRTH" /* OFFSET:BYTES, in the arena: struct birth of the rank that is started */

/* Tags on the context. */
enum {
    DYNAMIC_BIRTH = 1,      /* struct birth; calm, so nobody chooses.  `type` is the number of the spawn at its root, `count` how many it starts */
    DYNAMIC_ACCEPTED = 2,   /* from who accepts to who connects: who is there */
    DYNAMIC_NAME = 3,       /* to the registry: struct name_message */
    DYNAMIC_NAME_ANSWER = 4, /* from the registry: struct name_answer */
    DYNAMIC_PORT = 16,      /* and beyond: the ports of the rank to which it is sent */
};

/* How many ranks may be started by others, if nobody says otherwise. */
enum { DYNAMIC_MOST_SPAWNED = 64 };

/* The registry; `ranks` are all numbers, of which some may be started (else there is none). */
static inline rank_t dynamic_registry(int ranks)
{
    return ranks - 1;
}

/*
 * What a rank that is started is to be.  Behind it: `parents` and then `siblings` rank_t, and `bytes` bytes of `words` words, each with its
 * end: the program, the folder in which it is started (empty: that of tourney), and its arguments, from the 0th on.
 */
struct birth {
    context_t between;    /* of the intercommunicator with those who start it */
    uint32_t parents;     /* the group on the other side of it */
    uint32_t siblings;    /* its MPI_COMM_WORLD, itself included */
    uint32_t index;       /* its rank there */
    uint32_t application; /* MPI_APPNUM */
    uint32_t words;
    uint32_t bytes;
};

enum { BIRTH_PROGRAM, BIRTH_FOLDER, BIRTH_ARGUMENTS }; /* words; there are at least so many and one */

static inline const rank_t *birth_parents(const struct birth *birth)
{
    return (const rank_t *)(birth + 1);
}

static inline const rank_t *birth_siblings(const struct birth *birth)
{
    return birth_parents(birth) + birth->parents;
}

static inline const char *birth_words(const struct birth *birth)
{
    return (const char *)(birth_siblings(birth) + birth->siblings);
}

static inline size_t birth_size(const struct birth *birth)
{
    return sizeof *birth + ((size_t)birth->parents + birth->siblings) * sizeof(rank_t) + birth->bytes;
}

/* Whether so many bytes from a rank are one, for a world of so many ranks. */
bool birth_is_sound(const struct birth *, size_t bytes, int ranks);

/* ---- the registry ---- */

enum name_request { NAME_PUBLISH = 1, NAME_LOOKUP, NAME_UNPUBLISH };

/* Behind it: the name, and of NAME_PUBLISH the port, without their ends. */
struct name_message {
    uint32_t request; /* enum name_request */
    uint32_t name, port; /* bytes */
    uint32_t reserved;
};

/* Behind it: of NAME_LOOKUP, the port. */
struct name_answer {
    uint32_t done; /* else there is no such name, or there is one already */
    uint32_t port; /* bytes */
};

/* Whether it is a message of this page, and none of the program. */
static inline bool op_is_dynamic(const struct op *op)
{
    return op_posts(op) && op->kind != OP_COLL && op->context == DYNAMIC_CONTEXT;
}

/* What a rank is in whom nobody has started, and the registry. */
static inline bool op_awaits_birth(const struct op *op)
{
    return op->kind == OP_RECV && op->context == DYNAMIC_CONTEXT && (op->tag == DYNAMIC_BIRTH || op->tag == DYNAMIC_NAME);
}

static inline bool op_is_birth(const struct op *op)
{
    return op->kind == OP_SEND && op->context == DYNAMIC_CONTEXT && op->tag == DYNAMIC_BIRTH;
}

#endif
