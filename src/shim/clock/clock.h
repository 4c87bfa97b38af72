/*
 * clock -- what this rank knows: a Lamport clock (LLCP) or a vector clock (LVCP), and how it travels.
 *
 * Clocks count choices among messages: they tick when a receive or probe from any source
 * is matched, and at nothing else.
 *
 * With each message goes a header of fixed length.  A vector goes as differences: what has
 * changed since this rank last told the receiver is in the header, if it is little, and in a
 * message of its own otherwise, which the header names by number.  Those form one sequence
 * for each pair of ranks, so that the difference is always one to something that the
 * receiver has or can wait for, in whatever order the messages themselves are received.
 */
#ifndef SHIM_CLOCK_CLOCK_H
#define SHIM_CLOCK_CLOCK_H

#include "call/causal.h"
#include "shim/shim.h"

enum { TAG_VECTOR = 1, TAG_MATCHED = 2 }; /* of the shim's own messages */
enum { HEADER_MAGIC = 0x746f7572, HEADER_ENTRIES = 3 };
enum {
    HEADER_SYNCHRONOUS = 1 << 0, /* the sender wants to know when it was matched */
    HEADER_UNCERTAIN = 1 << 1,   /* the clock may be too small */
};

struct header {
    uint32_t magic;
    uint32_t told;      /* messages about the vector that came before this one */
    uint64_t clock;     /* Lamport, or the receiver's component */
    uint64_t op;        /* index of the send */
    uint64_t signature;
    uint16_t flags, entries;
    rank_t sender;
    struct causal_entry entry[HEADER_ENTRIES];
};
_Static_assert(sizeof(struct header) == 64, "a line of the cache");

/* After MPI_Init; `comm` is one of the shim's own with all ranks, where vectors travel. */
void clock_open(MPI_Comm comm);
void clock_close(void);

/* The Lamport clock, or the rank's own component. */
uint64_t clock_now(void);
void clock_tick(void);

/* What goes to a rank, and what came.  Both may write down what the rank knows now. */
void clock_give(struct header *, rank_t receiver);
void clock_take(const struct header *);

/* A message of the shim's own on the communicator of clock_open; takes the memory, from shim_alloc, and frees it when it has left. */
void clock_mail(rank_t receiver, int tag, void *memory, size_t bytes);

/* One component, or the Lamport clock, is at least this. */
void clock_learn(rank_t, uint64_t clock);

/* The whole of it, for collectives: clock_words() numbers, each the larger the more is known. */
uint32_t clock_words(void);
void clock_write(uint32_t *);
void clock_merge(const uint32_t *);

/* Grows when something that was not known before has become so. */
uint64_t clock_stamp(void);

/* What is missing from the clock, because a rank has not been heard of in time; it stays so. */
void clock_doubt(void);

#endif
