/*
 * dot -- a model as a picture, for graphviz.
 */
#ifndef MODEL_DOT_H
#define MODEL_DOT_H

#include <stdio.h>

#include "model/model.h"

void dot_print(FILE *, const struct model *);

#endif
