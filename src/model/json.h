/*
 * json -- a model for other programs (doc/model.md).
 */
#ifndef MODEL_JSON_H
#define MODEL_JSON_H

#include "model/model.h"

char *json_print(const struct model *); /* to be freed */

#endif
