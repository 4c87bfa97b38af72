/*
 * guard -- what must have come for an answer of a model to be given.
 *
 * An answer was met with certain messages and parts of collectives; others that look the
 * same to the rank lead to the same answer.
 */
#ifndef MODEL_GUARD_H
#define MODEL_GUARD_H

#include "model/model.h"

typedef VEC(uint32_t) numbers_t;

/* The messages, by number, that a probe cannot tell from the one it saw: it sees no contents. */
void guard_seen(const struct model *, const struct answer_item *, numbers_t *);

/*
 * The operations with which the member of the i-th piece of an answer to collective `op` can have
 * joined.  False: each of its operations will do, so there is nothing to ask.
 */
bool guard_part(const struct model *, uint32_t op, const struct ret *, const struct answer_item *, uint32_t i,
                numbers_t *);
rank_t guard_member(const struct model *, uint32_t op, const struct answer_piece *);

/* Whose an operation is. */
rank_t model_rank(const struct model *, uint32_t op);

/* Which collective it is part of: equal for parts of the same. */
bool same_collective(const struct op *, const struct op *);

/* Why what ranks do cannot be said with rules that know requests only; to be freed; NULL: it can. */
char *guard_refusal(const struct model *, struct bindings *);

#endif
