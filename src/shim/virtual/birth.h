/*
 * birth -- this rank was started by others (call/dynamic.h): by whom, and with whom.
 */
#ifndef SHIM_VIRTUAL_BIRTH_H
#define SHIM_VIRTUAL_BIRTH_H

#include "call/dynamic.h"
#include "shim/comm.h"

/* Reads what it was told, before it says anything itself. */
void birth_open(void);

/* NULL: it is a rank of the first world. */
const struct birth *birth_of_rank(void);

context_t birth_world_context(void);

/* MPI_Init is not over before all those have come who are on the intercommunicator with the parents. */
void birth_meet_parents(void);

/* That handle is no more. */
void birth_forget_parents(MPI_Comm);

#endif
