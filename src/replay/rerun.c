#include "replay/rerun.h"

#include <string.h>

#include "options/options.h"

static char **command_words(const struct result *result, const struct finding *finding)
{
    bool own = finding->args.n;
    size_t n = own ? finding->args.n : result->args.n;
    char **words = xcalloc(n + 2, sizeof *words);
    words[0] = result->program;
    for (size_t i = 0; i < n; i++)
        words[i + 1] = own ? finding->args.at[i] : result->args.at[i];
    return words;
}

/* An input that no argument names is standard input. */
static const char *standard_input(const struct finding *finding)
{
    for (size_t i = 0; finding->input && i < finding->args.n; i++)
        if (strstr(finding->args.at[i], finding->input))
            return NULL;
    return finding->input;
}

/* Who spins on a window, or on names, as opposed to one who polls, is known by coming back to the same state (way_out.h). */
static bool spins_are_known_by_states(const struct result *result)
{
    return result->windows.slots > 0 || result->spawnable > 0;
}

struct world_options rerun_world(const struct result *result, const struct finding *finding, double seconds)
{
    bool any = strcmp(result->buffering, "any") == 0;
    return (struct world_options){.ranks = result_all_ranks(result),
                                  .files_apart = result->windows.slots > 0, /* every file takes a keeper */
                                  .spawnable = result->spawnable,
                                  .most_spawned = result->spawnable ? result->spawnable - 1 : 0,
                                  .places = {.at = result->spawned.at, .n = result->spawned.n},
                                  .made = {.at = result->made_files.at, .n = result->made_files.n},
                                  .argv = command_words(result, finding),
                                  .slack = any ? SLACK_INFINITE : options_slack(result->buffering),
                                  .any_slack = any,
                                  .mute = true,
                                  .input = standard_input(finding),
                                  .images = spins_are_known_by_states(result),
                                  .system_heap = result->heap == HEAP_SYSTEM,
                                  .layout = result->layout,
                                  .skewed = result->skewed,
                                  .choices = result->choices,
                                  .reductions = options_reductions(result->reductions),
                                  .lessons = finding && finding->lessons ? finding->lessons : result->lessons,
                                  .faults = result->faults,
                                  .fault_places = result->fault_places,
                                  .node_ranks = finding->node_ranks ? finding->node_ranks : result->node_ranks,
                                  .seconds = seconds,
                                  .hang_timeout = result->hang_timeout};
}

struct rerun rerun_open(const struct result *result, const struct finding *finding, const struct world_options *world)
{
    struct explore_options options = {.ranks = result_all_ranks(result),
                                      .spawnable = result->spawnable,
                                      .slack = world->slack,
                                      .merge = spins_are_known_by_states(result),
                                      .windows = {result->windows.slots, result->windows.exclusive,
                                                  result->windows.ordered},
                                      .places = finding->cancellable.n,
                                      .place = finding->cancellable.at};
    struct drive *drive = drive_new(world);
    struct runner runner = drive_runner(drive);
    return (struct rerun){.run = {.explorer = explore_new(&runner, &options), .drive = drive, .ranks = result_all_ranks(result)},
                          .argv = (char **)world->argv};
}

void rerun_close(struct rerun *rerun)
{
    explore_free(rerun->run.explorer);
    drive_free(rerun->run.drive);
    free(rerun->argv);
}

typedef VEC(struct decision) decisions_t;

static decisions_t decisions_of(const struct kept_decision *choice, size_t n)
{
    decisions_t decisions = {0};
    for (size_t i = 0; i < n; i++)
        vec_push(&decisions, choice[i].decision);
    return decisions;
}

static int run_free(struct rerun *rerun, struct replay_manner manner, const struct kept_decision *choice, size_t n, visit_fn *visit,
                    void *visitor)
{
    decisions_t decisions = decisions_of(choice, n);
    int status = explore_replay(rerun->run.explorer, manner, decisions.n, decisions.at, visit, visitor);
    vec_release(&decisions);
    return status;
}

static struct replay_manner manner_of(const struct finding *finding)
{
    return (struct replay_manner){.endless = strcmp(finding->kind, run_end_name(RUN_LIVELOCK)) == 0,
                                  .has_slow = finding->slow > 0,
                                  .slow = finding->slow - 1};
}

static bool is_mixed(const struct finding *finding)
{
    return strcmp(finding->kind, KIND_MIXED_SYNCHRONISATION) == 0;
}

static int run_held(struct rerun *rerun, const struct finding *finding, visit_fn *visit, void *visitor)
{
    decisions_t decisions = decisions_of(finding->decisions.at, finding->decisions.n);
    VEC(struct op_name) buffered = {0};
    for (size_t i = 0; i < finding->buffered.n; i++)
        vec_push(&buffered, ((struct op_name){finding->buffered.at[i].rank, (uint32_t)finding->buffered.at[i].op}));
    struct held_run run = {decisions.n, buffered.n, decisions.at, buffered.at, is_mixed(finding)};
    int status = explore_replay_held(rerun->run.explorer, &run, visit, visitor);
    vec_release(&decisions);
    vec_release(&buffered);
    return status;
}

/* A deadlock on the way, where MPI lets calls wait that it may let go. */
static bool is_deadlock_on_the_way(const struct finding *finding)
{
    return strcmp(finding->kind, KIND_BUFFERING_DEADLOCK) == 0 || is_mixed(finding);
}

int rerun_finding(struct rerun *rerun, const struct finding *finding, visit_fn *visit, void *visitor)
{
    int status = is_deadlock_on_the_way(finding)
                     ? run_held(rerun, finding, visit, visitor)
                     : run_free(rerun, manner_of(finding), finding->decisions.at, finding->decisions.n, visit, visitor);
    rerun->run.account = explore_replayed(rerun->run.explorer);
    return status;
}

int rerun_clean_run(struct rerun *rerun, const struct finding *finding, visit_fn *visit, void *visitor)
{
    int status = run_free(rerun, (struct replay_manner){0}, finding->clean.at, finding->clean.n, visit, visitor);
    rerun->run.account = explore_replayed(rerun->run.explorer);
    return status;
}
