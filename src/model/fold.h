/*
 * fold -- nodes of a model that have the same future are one.
 */
#ifndef MODEL_FOLD_H
#define MODEL_FOLD_H

#include "model/model.h"

void model_fold(struct model *);

#endif
