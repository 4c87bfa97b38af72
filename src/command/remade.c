/*
 * remade -- the decisions of a run made again by the search, in silence.
 */
#include <string.h>

#include "base/die.h"
#include "check/pair.h"
#include "command/replaying.h"
#include "report/complained.h"
#include "report/found.h"

static char **words_of(const struct replay *replay)
{
    bool own = replay->finding->args.n;
    size_t n = own ? replay->finding->args.n : replay->result.args.n;
    char **words = xcalloc(n + 2, sizeof *words);
    words[0] = replay->result.program;
    for (size_t i = 0; i < n; i++)
        words[i + 1] = own ? replay->finding->args.at[i] : replay->result.args.at[i];
    return words;
}

static bool is_kind(const struct finding *finding, const char *kind)
{
    return strcmp(finding->kind, kind) == 0;
}

/* Where exactly a rank that hangs is met, is chance. */
static bool is_same(const struct finding *finding, const struct finding *again)
{
    if (!is_kind(finding, "hang"))
        return found_same(finding, again);
    return is_kind(again, "hang") && finding->ranks.n && again->ranks.n &&
           finding->ranks.at[0] == again->ranks.at[0];
}

/* Takes what was found this time; `ends`: it is how the run ended. */
static void meet(struct replay *replay, struct finding again, bool ends)
{
    replay->same = replay->same || is_same(replay->finding, &again);
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
        meet(replay, found_defect(&replay->run, replay->symbols, &defects.at[i]), false);
    vec_release(&defects);
}

static enum visit visit(void *data, const struct run *run)
{
    struct replay *replay = data;
    faults_t faults = {0};
    replay->run.run = run;
    replay->run.account = NULL;
    replay->ended = true;
    faults_add(&replay->run, &faults);
    for (size_t i = 0; i < faults.n; i++)
        meet(replay, found_make(&replay->run, replay->symbols, &faults.at[i]), true);
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
    complained_t complained = {0};
    for (size_t i = 0; i < explore_complaints(explorer); i++) {
        rank_t r;
        const struct op *op = explore_complaint(explorer, i, &r);
        complained_add(&complained, r, op);
    }
    for (size_t i = 0; i < complained.n; i++)
        meet(replay, complained_finding(&complained.at[i], &(struct policy){0}, replay->symbols), false);
    complained_release(&complained);
    while (replay->ended && (dispute = check_next_open(&replay->check, explorer))) {
        struct defect defect = pair_defect(explorer, dispute, false);
        meet(replay, found_defect(&replay->run, replay->symbols, &defect), false);
    }
}

static int replay_decisions(struct replay *replay)
{
    const struct finding *finding = replay->finding;
    VEC(struct decision) decisions = {0};
    VEC(struct op_name) buffered = {0};
    int status;
    for (size_t i = 0; i < finding->decisions.n; i++)
        vec_push(&decisions, finding->decisions.at[i].decision);
    for (size_t i = 0; i < finding->buffered.n; i++)
        vec_push(&buffered, ((struct op_name){finding->buffered.at[i].rank, (uint32_t)finding->buffered.at[i].op}));
    if (replay_is_of(replay, "buffering-deadlock"))
        status = explore_replay_held(replay->run.explorer,
                                     &(struct held_run){decisions.n, buffered.n, decisions.at, buffered.at}, visit,
                                     replay);
    else
        status = explore_replay(replay->run.explorer, decisions.n, decisions.at, visit, replay);
    vec_release(&decisions);
    vec_release(&buffered);
    return status;
}

void replay_remake(struct replay *replay)
{
    const struct finding *finding = replay->finding;
    const struct result *result = &replay->result;
    char **words = words_of(replay);
    uint64_t slack = strcmp(result->buffering, "any") == 0 ? SLACK_INFINITE : options_slack(result->buffering, true);
    struct world_options world = {.ranks = result->ranks,
                                  .argv = words,
                                  .slack = slack,
                                  .mute = true,
                                  .watched = true,
                                  .hang_timeout = result->hang_timeout};
    struct explore_options options = {
        .ranks = result->ranks, .slack = slack, .places = finding->cancellable.n, .place = finding->cancellable.at};
    struct drive *drive = drive_new(&world);
    struct runner runner = drive_runner(drive);
    replay->symbols = symbols_new();
    replay->run = (struct explored){
        .explorer = explore_new(&runner, &options), .drive = drive, .ranks = result->ranks};
    int status = replay_decisions(replay);
    replay->run.account = explore_replayed(replay->run.explorer);
    if (replay->run.account->trail)
        meet_the_rest(replay);
    if (replay_is_of(replay, "message-race"))
        replay->same = replay->ended; /* one run of two cannot show more */
    if (status < 0 && !replay->run.account->trail && !drive_signal())
        die("%s: a rank could not be run", result->program);
}
