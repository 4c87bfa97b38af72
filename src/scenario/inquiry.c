#include "scenario/inquiry.h"

#include <stdio.h>

#include "scenario/draw.h"

struct asking {
    struct inquiry *inquiry;
    const struct scenario *scenario;
    struct scenario_runner runner;
    struct explorer *explorer;
};

struct ending scenario_ending(const struct scenario_runner *runner, const struct run *run)
{
    struct ending ending = {.scenario = runner->scenario,
                            .stuck = run->end == RUN_DEADLOCK || run->end == RUN_LIVELOCK,
                            .want = run->less_slack != NULL,
                            .error = run->end == RUN_MISMATCH};
    for (rank_t r = 0; r < runner->scenario->ranks; r++) {
        ending.machine[r] = &runner->at.at[run->node[r]];
        ending.error = ending.error || ending.machine[r]->state == MACHINE_ERROR;
    }
    return ending;
}

static char *drawing_of(const struct story *story, const struct ending *ending, const struct claim *claim,
                        const struct event_order *order, const struct run *run)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    draw_run(out, story, ending, claim, order);
    if (run->end == RUN_MISMATCH)
        fputs("    The members of a communicator do not call the same collective.\n", out);
    draw_slack(out, story);
    fclose(out);
    return text;
}

static bool wants_story(const struct asking *asking, const struct ending *ending)
{
    for (size_t i = 0; i < asking->scenario->claims.n; i++) {
        const struct claim *claim = &asking->scenario->claims.at[i];
        if (!claim_is_about_ends(claim) || !asking->inquiry->claims.at[i].seen[claim_judge(claim, ending).holds[1]])
            return true;
    }
    return false;
}

static enum visit on_run(void *data, const struct run *run)
{
    struct asking *asking = data;
    struct ending ending = scenario_ending(&asking->runner, run);
    struct story story;
    asking->inquiry->stuck += ending.stuck;
    if (!wants_story(asking, &ending))
        return VISIT_GOOD;
    story_begin(&story, asking->scenario, asking->explorer, run);
    ending.story = &story;
    for (size_t i = 0; i < asking->scenario->claims.n; i++) {
        const struct claim *claim = &asking->scenario->claims.at[i];
        struct finding_of_claim *found = &asking->inquiry->claims.at[i];
        struct judgement judgement = claim_judge(claim, &ending);
        for (int side = 0; side < 2; side++) {
            if (!judgement.holds[side] || found->seen[side])
                continue;
            found->seen[side] = true;
            found->shown[side] = drawing_of(&story, &ending, claim, &judgement.order[side], run);
        }
    }
    story_release(&story);
    return VISIT_GOOD;
}

/* Histories that come to the same may be one if nobody asks how it came about. */
static bool may_merge(const struct scenario *scenario)
{
    for (size_t i = 0; i < scenario->claims.n; i++)
        if (!claim_is_about_ends(&scenario->claims.at[i]))
            return false;
    return true;
}

void inquiry_make(struct inquiry *inquiry, const struct scenario *scenario, const struct inquiry_options *options)
{
    struct asking asking = {.inquiry = inquiry, .scenario = scenario};
    struct explore_options search = scenario_options(scenario);
    *inquiry = (struct inquiry){0};
    for (size_t i = 0; i < scenario->claims.n; i++)
        vec_push(&inquiry->claims, (struct finding_of_claim){0});
    search.merge = may_merge(scenario);
    search.max_runs = options->max_runs;
    search.seconds = options->seconds;
    scenario_runner_init(&asking.runner, scenario);
    struct runner runner = scenario_runner(&asking.runner);
    asking.explorer = explore_new(&runner, &search);
    inquiry->result = explore_run(asking.explorer, on_run, &asking);
    explore_free(asking.explorer);
    scenario_runner_release(&asking.runner);
}

static void release_finding(struct finding_of_claim *found)
{
    free(found->shown[0]);
    free(found->shown[1]);
}

void inquiry_release(struct inquiry *inquiry)
{
    vec_release_each(&inquiry->claims, release_finding);
}

enum modality inquiry_answer(const struct inquiry *inquiry, size_t claim)
{
    const bool *seen = inquiry->claims.at[claim].seen;
    if (seen[0] && seen[1])
        return MODALITY_SOMETIMES;
    if (inquiry->result.left)
        return MODALITY_NONE;
    return seen[1] ? MODALITY_ALWAYS : MODALITY_NEVER;
}
