/*
 * rehearsal -- the decisions of a run made again by the search, in silence.
 */
#include <string.h>

#include "base/die.h"
#include "check/pair.h"
#include "check/window_races.h"
#include "diagnosis/complaint_groups.h"
#include "diagnosis/diagnosis.h"
#include "replay/replay.h"

/* Where exactly a rank that hangs is met, is chance. */
static bool is_found_again(const struct finding *finding, const struct finding *again)
{
    if (!finding_is(finding, KIND_HANG))
        return diagnosis_is_same(finding, again);
    return finding_is(again, KIND_HANG) && finding->ranks.n && again->ranks.n &&
           finding->ranks.at[0] == again->ranks.at[0];
}

/* Takes what was found this time; `ends`: it is how the run ended. */
static void meet_finding(struct replay *replay, struct finding again, bool ends)
{
    replay->same = replay->same || is_found_again(replay->finding, &again);
    if (!ends || replay->has_other) {
        finding_release(&again);
        return;
    }
    replay->other = again;
    replay->has_other = true;
}

static void meet_defects(struct replay *replay, const struct run *run)
{
    defects_t defects = {0};
    check_run(&replay->check, replay->run.explorer, run, replay->run.ranks, &defects);
    for (size_t i = 0; i < defects.n; i++)
        meet_finding(replay, diagnosis_of_defect(&replay->run, replay->symbols, &defects.at[i]), false);
    vec_release(&defects);
}

static enum visit visit_replayed_run(void *data, const struct run *run)
{
    struct replay *replay = data;
    faults_t faults = {0};
    replay->run.run = run;
    replay->run.account = NULL;
    replay->ended = true;
    faults_add(&replay->run, &faults);
    for (size_t i = 0; i < faults.n; i++)
        meet_finding(replay, diagnosis_make(&replay->run, replay->symbols, &faults.at[i]), true);
    meet_defects(replay, run);
    vec_release(&faults);
    replay->run.run = NULL;
    return VISIT_STOP;
}

/* What ranks complained of on the way, and matches that could have been made. */
static void meet_the_rest(struct replay *replay)
{
    struct explorer *explorer = replay->run.explorer;
    const struct dispute *dispute;
    complaint_groups_t groups = {0};
    for (size_t i = 0; i < explore_complaints(explorer); i++) {
        rank_t r;
        const struct op *op = explore_complaint(explorer, i, &r);
        complaint_groups_add(&groups, r, op);
    }
    for (size_t i = 0; i < groups.n; i++)
        meet_finding(replay, complaint_group_finding(&groups.at[i], &(struct policy){0}, replay->symbols), false);
    complaint_groups_release(&groups);
    while (replay->ended && (dispute = check_next_open(&replay->check, explorer))) {
        struct defect defect = pair_defect(explorer, dispute, false);
        meet_finding(replay, diagnosis_of_defect(&replay->run, replay->symbols, &defect), false);
    }
}

/* ---- what only a closer look sees ---- */

static enum visit visit_closer_run(void *data, const struct run *run)
{
    (void)data, (void)run;
    return VISIT_STOP;
}

static void meet_touches(struct replay *replay)
{
    struct local_touches touches = drive_touches(replay->run.drive);
    struct told_run told = explore_told_run(replay->run.explorer, replay->run.account);
    struct window_races races = {0};
    defects_t defects = {0};
    window_races_add(&races, &told, &touches, &defects);
    for (size_t i = 0; i < defects.n; i++)
        meet_finding(replay, diagnosis_of_defect(&replay->run, replay->symbols, &defects.at[i]), false);
    vec_release(&defects);
    window_races_release(&races);
}

static bool may_need_a_closer_look(const struct replay *replay)
{
    return (replay_is_of(replay, KIND_RMA_RACE) || replay_is_of(replay, KIND_PORTABILITY)) && replay->result.windows.slots;
}

/*
 * Loads and stores of the program in windows are told by ranks of a run of its own (verification/second_look.c), which no debugger could follow: what
 * is shown is another one, made after it.
 */
static void rehearse_closely(struct replay *replay)
{
    struct world_options world = rerun_world(&replay->result, replay->finding, 0);
    world.touches = true;
    struct rerun closer = rerun_open(&replay->result, replay->finding, &world);
    if (rerun_finding(&closer, replay->finding, visit_closer_run, NULL) == 0) {
        replay->run = closer.run;
        meet_touches(replay);
        meet_the_rest(replay);
    }
    rerun_close(&closer);
}

void replay_rehearse(struct replay *replay)
{
    const struct finding *finding = replay->finding;
    const struct result *result = &replay->result;
    struct world_options world = rerun_world(result, finding, 0);
    world.watched = true;
    replay->symbols = symbols_new();
    if (may_need_a_closer_look(replay))
        rehearse_closely(replay);
    replay->rerun = rerun_open(result, finding, &world);
    replay->run = replay->rerun.run;
    int status = rerun_finding(&replay->rerun, finding, visit_replayed_run, replay);
    replay->run.account = replay->rerun.run.account;
    if (replay->run.account->trail)
        meet_the_rest(replay);
    if (replay_is_of(replay, KIND_MESSAGE_RACE))
        replay->same = replay->ended; /* one run of two cannot show more */
    if (replay_is_of(replay, KIND_PORTABILITY) && finding->decisions.n)
        replay->same = replay->same || replay->has_other; /* that it goes wrong again; that others do not, takes a search */
    if (status < 0 && !replay->run.account->trail && !drive_signal())
        die("%s: a rank could not be run", result->program);
}
