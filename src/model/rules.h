/*
 * rules -- the semantics of MPI as files of spec/, to go with models.
 */
#ifndef MODEL_RULES_H
#define MODEL_RULES_H

/* Each ends with a zero byte. */
extern const char rules_promela[];

#endif
