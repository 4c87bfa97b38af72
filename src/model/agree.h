/*
 * agree -- parts of collectives that must not meet.
 */
#ifndef MODEL_AGREE_H
#define MODEL_AGREE_H

#include "model/model.h"

/* Whether these two operations are parts of one collective, of different ranks, that disagree. */
bool model_parts_clash(const struct model *, uint32_t, uint32_t);

#endif
