/*
 * comm -- the real library's communicators, each with a shadow.
 *
 * Implements what shim/comm.h says, as far as messages need it.
 */
#ifndef SHIM_CLOCK_COMM_H
#define SHIM_CLOCK_COMM_H

#include "shim/comm.h"

/*
 * A communicator was made from another one, in its collective of that turn; all its members are
 * here.  The shadow, if it is there already.
 */
void comm_made(const struct comm *parent, uint64_t turn, MPI_Comm, MPI_Comm shadow);

/*
 * One that the members of a group make by themselves, before it is there: they know its context (shim/comm.h).  NULL: this
 * rank is not a member.  Whoever expects it holds it; then it arrives, or is dropped.
 */
struct comm *comm_expect(const struct comm *parent, MPI_Group, int tag);
void comm_arrived(struct comm *, MPI_Comm handle);

struct comm *comm_by_context(context_t); /* which exists */
void comm_forget(MPI_Comm handle);       /* which the program has freed */

/* One of the shim's own, with all ranks. */
MPI_Comm comm_of_clocks(void);

#endif
