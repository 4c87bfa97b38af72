/*
 * load -- an execution from a record on disk (src/trace).
 */
#ifndef PREDICT_LOAD_H
#define PREDICT_LOAD_H

#include "predict/execution.h"

/* 0, or -1 with what is wrong in `error` (the caller frees it), to follow the file's name. */
int execution_load(struct execution *, const char *path, char **error) __attribute__((warn_unused_result));

#endif
