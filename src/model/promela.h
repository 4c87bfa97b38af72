/*
 * promela -- models for SPIN.
 *
 * One file with the rules (spec/mpi.pml) and a process for each rank.  SPIN's search of it
 * is independent of ours: it has its own rules and tries them in every order.
 */
#ifndef MODEL_PROMELA_H
#define MODEL_PROMELA_H

#include <stdio.h>

#include "model/model.h"

/* Why a model cannot be said in Promela, in one sentence to be freed; NULL: it can. */
char *promela_refusal(const struct model *);

void promela_print(FILE *, const struct model *);

/* An outcome as SPIN tells it with -DTELL, after "outcome: "; to be freed. */
char *promela_outcome(const struct model *, const struct model_outcome *);

#endif
