/*
 * outcome -- the ways in which a model ends, each once.
 *
 * Two are one if they are of the same kind and every rank stands at the same place.  If some rank
 * fails, it does not matter where the others are; nor if members disagree on a collective.
 */
#ifndef MODEL_OUTCOME_H
#define MODEL_OUTCOME_H

#include "model/model.h"

/* Where a rank stands whose history ended with this node, in this call; NULL: in none. */
typedef struct model_stand stand_fn(void *data, node_id, const struct op *call);

struct outcomes {
    int ranks;
    stand_fn *stand;
    void *data;
    model_outcomes_t at; /* owns */
    struct map known;
};

void outcomes_add(struct outcomes *, const struct run *);

/* Where a history ends, by nodes of the search. */
struct model_stand outcome_stand(const struct explorer *, node_id, const struct op *call);

/* Whether the place of this rank matters. */
bool outcome_tells(const struct model_outcome *, rank_t);

/* Takes out those that are there already. */
void outcomes_drop_doubles(model_outcomes_t *, int ranks);
/* Whether both have the same ones. */
bool outcomes_agree(const model_outcomes_t *, const model_outcomes_t *, int ranks);
void outcomes_release(model_outcomes_t *);

#endif
