/*
 * again -- a run of a result once more, made by its decisions in processes of its own.
 */
#ifndef COMMAND_AGAIN_H
#define COMMAND_AGAIN_H

#include "report/explored.h"
#include "result/result.h"

struct again {
    struct explored run; /* the account is that of the run made last */
    char **argv;         /* owns the list; the words are the result's */
};

/* The program of a result, silent, as it was when this was found; `seconds`: how long all may take, 0: for ever. */
struct world_options again_world(const struct result *, const struct finding *, double seconds);

/* For runs of this finding, and others with the same arguments and cancellable calls.  Takes options->argv. */
struct again again_open(const struct result *, const struct finding *, const struct world_options *);
void again_close(struct again *);

/* The run in which it was found; -1: that cannot be made, as explore_replay says. */
int again_run(struct again *, const struct finding *, visit_fn *, void *) __attribute__((warn_unused_result));

/* The clean one beside it. */
int again_clean_run(struct again *, const struct finding *, visit_fn *, void *) __attribute__((warn_unused_result));

#endif
