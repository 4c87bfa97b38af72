/*
 * ledger -- this rank's file: what it did, and what it is doing (call/causal.h).
 */
#ifndef SHIM_CLOCK_LEDGER_H
#define SHIM_CLOCK_LEDGER_H

#include "call/causal.h"
#include "shim/shim.h"

/* Before MPI_Init has returned nothing can be written.  NULL, or why the file could not be made. */
const char *ledger_open(void);
bool ledger_is_open(void);

/*
 * Room for a record of `size` bytes, of which the head is filled in.  It becomes part of the
 * file with ledger_commit; nothing else may be written in between.
 */
void *ledger_begin(enum causal_record_kind, size_t size);
void ledger_commit(void);
void ledger_abandon(void);

/* A record without anything behind it. */
#define LEDGER_PUT(kind, type, ...)                            \
    do {                                                       \
        struct type *ledger_new = ledger_begin(kind, sizeof *ledger_new); \
        struct causal_record ledger_head = ledger_new->record; \
        *ledger_new = (struct type){__VA_ARGS__};              \
        ledger_new->record = ledger_head;                      \
        ledger_commit();                                       \
    } while (0)

/* The operation whose index is the result. */
uint64_t ledger_op(const struct op *, const void *tail, size_t tail_size, uint64_t clock);
uint64_t ledger_ops(void); /* how many there are */

/* What is no operation: OP_ACCESS or OP_WINDOW, and of files OP_FILE_ACCESS or OP_FILE. */
void ledger_remark(const struct op *, const void *tail, size_t tail_size);

/*
 * What is written from now on is not part of the file, and the rank is said to poll in rounds of so many
 * operations, like the last ones.  ledger_write_over: one of these rounds is over, and the next is
 * written in its place.  ledger_show, or a record about anything else than polls: the file goes on, with the round that was begun.
 */
void ledger_hide(uint32_t round);
uint32_t ledger_hidden(void); /* that number, or 0 */
void ledger_write_over(void);
void ledger_show(void);

/* What the rank is doing. */
void ledger_running(void);
void ledger_blocked(uint64_t op, rank_t forced);
void ledger_polling(uint64_t op, uint64_t polls);
void ledger_finalized(void);

/* A call that is done without clocks; said once. */
void ledger_unsupported(enum call, const void *place);

void ledger_end(enum causal_end_kind, int code);

#endif
