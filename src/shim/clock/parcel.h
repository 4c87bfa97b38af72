/*
 * parcel -- where a message lies, as the library is told: a header and its bytes.
 *
 * Either the bytes stand behind the header, in one block, or they are lent: they stay where the
 * program has them, and a datatype with two parts describes the message.  To whoever is at the
 * other end it is the same message, so each end chooses for itself.
 */
#ifndef SHIM_CLOCK_PARCEL_H
#define SHIM_CLOCK_PARCEL_H

#include "shim/clock/block.h"

struct parcel {
    void *start;
    int count;
    MPI_Datatype type; /* borrowed until the next parcel is made */
};

/* `lent`: where the bytes are, or NULL. */
struct parcel parcel_of(struct header *, void *lent, uint64_t bytes);

/* Whether the bytes of this send or receive are better lent than copied. */
bool parcel_is_worth_lending(const struct op *);

/* At MPI_Init and MPI_Finalize, by all ranks. */
void parcel_open(void);
void parcel_close(void);

#endif
