/*
 * words -- operations and answers of a model, for people.
 */
#ifndef MODEL_WORDS_H
#define MODEL_WORDS_H

#include "model/model.h"

/* All to be freed. */
char *words_for_op(const struct op *);                                   /* MPI_Recv(source=any, tag=7) */
char *words_for_answer(const struct model *, const struct model_edge *); /* from 2, tag 7, message 4 */
const char *words_for_end(enum segment_end);                             /* "exits"; not to be freed */

/* Whether other ranks, or answers to its own, can depend on an operation. */
bool op_matters(const struct op *);

/* The number of a message, of which an answer tells; 0: of none. */
uint32_t model_message(const struct model *, const struct op *);

#endif
