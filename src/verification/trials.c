/*
 * trials -- a deadlock that is predicted is tried, and only told if it comes about.
 *
 * What is asked, and when, is decided in foresight.c.
 */
#include <inttypes.h>

#include "verification/verification.h"
#include "base/mem.h"
#include "symbols/site.h"

static bool ends_in_deadlock(const struct run *run)
{
    return run->end == RUN_DEADLOCK || run->end == RUN_LIVELOCK;
}

/* The foreseen run came to an end; whichever it is, the program can end like that. */
static enum visit visit_tried(void *data, const struct run *run)
{
    struct verification *v = data;
    v->run.run = run;
    v->run.account = NULL;
    if (run->less_slack && !ends_in_deadlock(run))
        return VISIT_GOOD; /* with more slack, that is an end like any other */
    v->refused = v->refused || run->end == RUN_REFUSED;
    v->diverged = v->diverged || run->end == RUN_DIVERGED;
    verification_look_at_end(v);
    v->tried_deadlock = ends_in_deadlock(run);
    return VISIT_GOOD;
}

static void try(struct verification *v, struct tried_run run)
{
    int status = explore_try(v->run.explorer, &run, visit_tried, v);
    (void)status; /* what counts is what was visited */
}

static char *describe_op(struct verification *v, rank_t r, const struct op *op, uint32_t number)
{
    struct final_state final = run_view_final_state(&v->run);
    struct site site = site_of_op(&final, v->symbols, r, op, number);
    char *text = xformat("%s at %s", site.text, site.place);
    site_release(&site);
    return text;
}

/* Why what was foreseen did not come about, in words to be freed. */
static char *explain_miss(struct verification *v)
{
    struct departure left;
    v->run.run = NULL;
    v->run.account = explore_replayed(v->run.explorer);
    if (!v->run.account->trail || !execution_was_left(&v->foresight.execution, v->run.explorer, v->run.account, &left))
        return xformat("a deadlock is predicted, but could not be made to come about");
    char *is = describe_op(v, left.name.rank, left.is, left.name.op);
    char *was = left.was ? describe_op(v, left.name.rank, left.was, left.name.op) : xformat("not there");
    char *text = xformat("a deadlock is predicted for this control flow, but the program is multi-path: operation %"
                         PRIu32 " of rank %d was %s, and is %s in the run that was to show it",
                         left.name.op, left.name.rank, was, is);
    free(is);
    free(was);
    return text;
}

/*
 * If the deadlock needs less slack, what the same decisions come to with all of it is seen first: a
 * deadlock there is the cause of both, and the search tells of that one.
 */
void verification_foresee(struct verification *v)
{
    struct foresight *f = &v->foresight;
    const struct run *run = v->run.run;
    uint32_t known;
    foresight_ask(f);
    if (f->prediction.verdict != PREDICTED_DEADLOCK || !f->prediction.run.n)
        return;
    f->came_about = map_get(&v->known, foresight_key(f), &known);
    if (f->came_about)
        return;
    struct witness witness = witness_of(&f->program, &f->prediction);
    v->tried_deadlock = false;
    if (witness_is_held(&witness))
        try(v, witness_run_loose(&witness));
    if (!v->tried_deadlock)
        try(v, witness_run(&witness));
    f->came_about = v->tried_deadlock;
    if (!f->came_about)
        f->why_not = explain_miss(v);
    witness_release(&witness);
    v->run.run = run; /* what it says of ranks is gone */
    v->run.account = NULL;
}

bool verification_look_ahead(struct verification *v)
{
    struct foresight *f = &v->foresight;
    const struct run *run = v->run.run;
    size_t findings = v->result.findings.n;
    if (v->options.engine == ENGINE_EXPLORE || v->options.engine == ENGINE_PATHS || run->less_slack)
        return false;
    if (f->waits && v->options.engine == ENGINE_AUTO)
        verification_foresee(v);
    else if (run->end == RUN_CLEAN)
        foresight_look(f, &v->run);
    return v->result.findings.n > findings && finding_is_error(&vec_last(&v->result.findings));
}
