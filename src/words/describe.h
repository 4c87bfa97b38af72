/*
 * describe -- an operation in words, as the user would have written it.
 */
#ifndef WORDS_DESCRIBE_H
#define WORDS_DESCRIBE_H

#include <stdio.h>

#include "outcome/final_state.h"

/* `MPI_Recv(source=1, tag=7, 3 MPI_INT, MPI_COMM_WORLD)`; from any source, with these words first. */
#define DESCRIBED_ANY_SOURCE "(source=MPI_ANY_SOURCE"
void describe_op(FILE *, const struct final_state *, rank_t, const struct op *);

/* Text that comes from the program, such that it cannot command the terminal. */
void describe_text(FILE *, const char *);

/* "rank 1", "ranks 0 and 2": the last two are joined by `joint`. */
void describe_ranks(FILE *, const rank_t *, int n, const char *joint);

/* What the user wrote: the name of the call, or what it is if there is none: a load or a store in a window. */
const char *describe_call(const struct op *);

#endif
