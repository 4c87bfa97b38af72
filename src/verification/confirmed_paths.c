/*
 * confirmed_paths -- deadlocks that were found by following ranks, made once more without.
 *
 * In such a search a rank's history may stand for others, whose messages hold something else (flow/relevance.h).  The
 * decisions of a finding are those of a run of its own: they are made in ranks that nobody follows, and must come to a deadlock there.
 */
#include "base/deadline.h"
#include "base/die.h"
#include "replay/rerun.h"
#include "verification/verification.h"

static enum visit keep_run_end(void *data, const struct run *run)
{
    *(enum run_end *)data = run->end;
    return VISIT_GOOD;
}

/* False: it came to another end, or could not be made, by the decisions themselves and not since somebody ended it or its ranks. */
static bool comes_about(const struct verification *v, const struct finding *finding)
{
    enum run_end end = RUN_UNKNOWN;
    struct world_options world = rerun_world(&v->result, finding, 0);
    struct rerun rerun = rerun_open(&v->result, finding, &world);
    int made = rerun_finding(&rerun, finding, keep_run_end, &end);
    bool broken_off = drive_signal() || drive_killed(rerun.run.drive) != RANK_NONE;
    rerun_close(&rerun);
    return broken_off || (made == 0 && end == RUN_DEADLOCK);
}

void verification_confirm_paths(const struct verification *v)
{
    if (v->options.engine != ENGINE_PATHS || !verification_can_run_again(v))
        return;
    deadline_begin(0);
    for (size_t i = 0; i < v->result.findings.n; i++) {
        const struct finding *finding = &v->result.findings.at[i];
        if (finding_is(finding, KIND_DEADLOCK) && !comes_about(v, finding))
            BUG("finding %zu of --engine=paths does not come about in ranks that nobody follows", i + 1);
    }
}
