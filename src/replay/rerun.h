/*
 * rerun -- a run of a result once more, made by its decisions in processes of its own.
 */
#ifndef REPLAY_RERUN_H
#define REPLAY_RERUN_H

#include "diagnosis/run_view.h"
#include "drive/drive.h"
#include "explore/explore.h"
#include "result/result.h"

struct rerun {
    struct run_view run; /* the account is that of the run made last */
    char **argv;         /* owns the list; the words are the result's */
};

/* The program of a result, silent, as it was when this was found; `seconds`: how long all may take, 0: for ever. */
struct world_options rerun_world(const struct result *, const struct finding *, double seconds);

/* For runs of this finding, and others with the same arguments and cancellable calls.  Takes options->argv. */
struct rerun rerun_open(const struct result *, const struct finding *, const struct world_options *);
void rerun_close(struct rerun *);

/* The run in which it was found; -1: that cannot be made, as explore_replay says. */
int rerun_finding(struct rerun *, const struct finding *, visit_fn *, void *) __attribute__((warn_unused_result));

/* The clean one beside it. */
int rerun_clean_run(struct rerun *, const struct finding *, visit_fn *, void *) __attribute__((warn_unused_result));

#endif
