/*
 * tla -- models for TLC and other checkers of TLA+.
 *
 * A module that extends spec/MPI.tla: the steps of each rank, and where it goes from there.
 */
#ifndef MODEL_TLA_H
#define MODEL_TLA_H

#include <stdio.h>

#include "model/model.h"

/* Why a model cannot be said in TLA+, in one sentence to be freed; NULL: it can. */
char *tla_refusal(const struct model *);
void tla_print(FILE *, const struct model *);

#endif
