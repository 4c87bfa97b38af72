/*
 * replay -- the run of one finding once more.
 *
 * First in silence: the search makes the decisions of the run again, and so learns
 * whether it comes out the same.  Then for the user: the same histories once more,
 * one process for each rank, with everything that they print, up to the point in
 * question, where every rank stays in its call: also in one that MPI need not hold
 * up, if the finding is about that.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "call/calls.h"
#include "check/check.h"
#include "check/pair.h"
#include "command/command.h"
#include "command/debugger.h"
#include "command/options.h"
#include "report/complained.h"
#include "report/found.h"
#include "report/site.h"
#include "result/dir.h"
#include "world/program.h"

/* A stretch of a rank's history, which a process runs in one go. */
struct leg {
    node_id node;
    rank_t rank;
    uint32_t first; /* number of its first operation in the history of the rank */
    uint32_t ops;   /* it goes so far, */
    bool whole;     /* which is to its end */
};

struct replay {
    struct replay_options options;
    struct result result;
    const struct finding *finding;
    struct explored run;
    struct symbols *symbols; /* owns */
    struct check check;
    bool ended;              /* the run came to its end, */
    bool same;               /* with this finding; */
    struct finding other;    /* else with this one, */
    bool has_other;          /* if there was any */
    VEC(struct leg) legs;    /* in the order in which they were run */
    struct debuggee *rank;   /* owns */
    uint32_t steps;          /* of the whole run */
};

/* ---- what is to be replayed ---- */

static const struct finding *find_finding(const struct result *result, const struct replay_options *options)
{
    size_t n = result->findings.n;
    for (size_t i = 0; i < n; i++)
        if (result->findings.at[i].id == options->id)
            return &result->findings.at[i];
    if (n == 0)
        die("%s holds no finding", options->dir);
    die("%s holds no finding %" PRIu32 "; its findings are 1 to %zu", options->dir, options->id, n);
}

static bool is_kind(const struct finding *finding, const char *kind)
{
    return strcmp(finding->kind, kind) == 0;
}

static void go_to_cwd(const struct replay *replay)
{
    const char *cwd = replay->result.cwd;
    if (cwd && chdir(cwd) < 0)
        die("%s was searched in %s: %s", replay->options.dir, cwd, strerror(errno));
}

/* It is run all the same: most changes do not matter to the run, and what differs is said. */
static void compare_program(const struct result *result)
{
    char *path = program_find(result->program), *digest = program_digest(path);
    if (result->binary && digest && strcmp(result->binary, digest) != 0)
        fprintf(stderr, "tourney: %s has changed since it was searched, so the run may go another way; search it anew to "
                        "be sure\n", result->program);
    free(digest);
    free(path);
}

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

/* ---- in silence ---- */

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
    if (is_kind(finding, "buffering-deadlock"))
        status = explore_replay_held(replay->run.explorer,
                                     &(struct held_run){decisions.n, buffered.n, decisions.at, buffered.at}, visit,
                                     replay);
    else
        status = explore_replay(replay->run.explorer, decisions.n, decisions.at, visit, replay);
    vec_release(&decisions);
    vec_release(&buffered);
    return status;
}

static void search_again(struct replay *replay)
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
    if (is_kind(finding, "message-race"))
        replay->same = replay->ended; /* one run of two cannot show more */
    if (status < 0 && !replay->run.account->trail && !drive_signal())
        die("%s: a rank could not be run", result->program);
}

/* ---- the way it went ---- */

static int by_node(const void *a, const void *b)
{
    const struct leg *x = a, *y = b;
    return x->node < y->node ? -1 : x->node > y->node;
}

static const struct trail *trail_of(const struct replay *replay, rank_t r)
{
    return &replay->run.account->trail[r];
}

/* Nodes are numbered as they were run, so what one needs of others comes before it. */
static void list_legs(struct replay *replay)
{
    for (rank_t r = 0; r < replay->result.ranks; r++) {
        const struct trail *trail = trail_of(replay, r);
        uint32_t first = 0;
        for (size_t i = 0; i < trail->n; i++) {
            uint32_t count = explore_history(replay->run.explorer, trail->node[i]).count;
            bool whole = i + 1 < trail->n || trail->posted >= count;
            vec_push(&replay->legs,
                     ((struct leg){trail->node[i], r, first, whole ? count : trail->posted, whole}));
            first += count;
        }
    }
    if (replay->legs.n)
        qsort(replay->legs.at, replay->legs.n, sizeof *replay->legs.at, by_node);
}

/* What a program does, as opposed to what tourney wants to know of it. */
static bool is_step(const struct op *op)
{
    switch ((enum op_kind)op->kind) {
    case OP_NONE:
    case OP_CONTEXT:
    case OP_CONTEXT_NAME:
    case OP_CONTEXT_LEFT:
    case OP_TYPE:
    case OP_ROOM:
    case OP_FREE:
    case OP_PCONTROL:
    case OP_TAKEN:
    case OP_CRASH:
    case OP_KINDS:
        return false;
    default:
        return true;
    }
}

static const struct op *op_of(const struct replay *replay, const struct leg *leg, uint32_t index)
{
    return explore_nth_op(replay->run.explorer, trail_of(replay, leg->rank), leg->first + index);
}

static struct site site_of(struct replay *replay, const struct leg *leg, uint32_t index)
{
    struct scene scene = explored_scene(&replay->run);
    return site_of_op(&scene, replay->symbols, leg->rank, op_of(replay, leg, index), leg->first + index);
}

static void tell_step(struct replay *replay, uint32_t number, const struct leg *leg, uint32_t index)
{
    struct site site = site_of(replay, leg, index);
    printf("%6" PRIu32 "  rank %-4d %s  at %s\n", number, leg->rank, site.text, site.place);
    site_release(&site);
}

/* Goes through the steps: all are told, or the one asked for is made the last.  Returns how many there are. */
static uint32_t go_through_steps(struct replay *replay, bool tell)
{
    uint32_t number = 0;
    for (size_t i = 0; i < replay->legs.n; i++) {
        struct leg *leg = &replay->legs.at[i];
        for (uint32_t k = 0; k < leg->ops; k++) {
            if (!is_step(op_of(replay, leg, k)))
                continue;
            number++;
            if (tell)
                tell_step(replay, number, leg, k);
            if (number != replay->options.step)
                continue;
            leg->whole = leg->whole && k + 1 == leg->ops;
            leg->ops = k + 1;
            replay->legs.n = i + 1;
            return number;
        }
    }
    return number;
}

static void count_steps(struct replay *replay)
{
    for (size_t i = 0; i < replay->legs.n; i++)
        for (uint32_t k = 0; k < replay->legs.at[i].ops; k++)
            replay->steps += is_step(op_of(replay, &replay->legs.at[i], k));
}

static void stop_at_step(struct replay *replay)
{
    if (replay->steps < replay->options.step)
        die("the run has %" PRIu32 " steps, not %" PRIu32, replay->steps, replay->options.step);
    go_through_steps(replay, false);
}

/* ---- for the user ---- */

/* From where in the program the calls were made in which ranks will stay. */
static void find_places(struct replay *replay)
{
    replay->rank = xcalloc((size_t)replay->result.ranks, sizeof *replay->rank);
    for (size_t i = 0; i < replay->legs.n; i++) {
        const struct leg *leg = &replay->legs.at[i];
        const struct op *op = leg->ops ? op_of(replay, leg, leg->ops - 1) : NULL;
        replay->rank[leg->rank].place = op && op->kind != OP_CRASH ? op->place : 0;
    }
}

static uint32_t first_difference(const struct history *before, const struct segment *now, uint32_t most)
{
    const struct op *a = before->ops, *b = now->ops;
    uint32_t i = 0;
    for (; i < most && i < before->count && i < now->count; i++, a = op_next(a), b = op_next(b))
        if (a->kind != b->kind || a->call != b->call || a->place != b->place || a->peer != b->peer ||
            a->tag != b->tag || a->bytes != b->bytes)
            break;
    return i;
}

/* False: a rank did something else than the first time; that was said. */
static bool show_leg(struct replay *replay, const struct leg *leg)
{
    struct segment now;
    struct history before = explore_history(replay->run.explorer, leg->node);
    bool same = drive_show(replay->run.drive, leg->node, leg->whole ? 0 : leg->ops, &now);
    uint32_t at = first_difference(&before, &now, leg->ops);
    if (same || drive_signal() || (!leg->whole && at == leg->ops && at == now.count))
        return true;
    fflush(stdout);
    if (at < before.count)
        fprintf(stderr, "tourney: rank %d does not do the same twice: its operation %" PRIu32 " was %s\n", leg->rank,
                leg->first + at, call_name(op_of(replay, leg, at)->call));
    else
        fprintf(stderr, "tourney: rank %d does not do the same twice: it sends other data, or ends otherwise\n",
                leg->rank);
    return false;
}

static void show(struct replay *replay)
{
    drive_show_begin(replay->run.drive);
    for (size_t i = 0; i < replay->legs.n && !drive_signal(); i++)
        if (!show_leg(replay, &replay->legs.at[i])) {
            replay->same = false;
            break;
        }
    for (rank_t r = 0; r < replay->result.ranks; r++)
        replay->rank[r].pid = drive_shown(replay->run.drive, r);
}

static void wait_for_enter(void)
{
    int c;
    printf("tourney: .vscode/launch.json is there: start \"tourney: all ranks\"; Enter ends the replay\n");
    fflush(stdout);
    while ((c = getchar()) != EOF && c != '\n')
        ;
}

/* At whom to look first: who made the step that was asked for, or who is stuck. */
static int first_rank(const struct replay *replay)
{
    if (replay->options.step && replay->legs.n)
        return vec_last(&replay->legs).rank;
    return replay->finding->ranks.n ? replay->finding->ranks.at[0] : 0;
}

static enum debugger_wish debug(struct replay *replay)
{
    const struct replay_options *options = &replay->options;
    struct debuggees at = {.rank = replay->rank,
                           .ranks = replay->result.ranks,
                           .first = first_rank(replay),
                           .step = options->step ? options->step : replay->steps,
                           .steps = replay->steps};
    if (options->vscode) {
        debugger_write_vscode(replay->rank, replay->result.ranks, replay->result.program);
        wait_for_enter();
    }
    return options->gdb ? debugger_open(&at, options->command, options->commands) : DEBUGGER_ENDS;
}

/* The run up to another step is another replay. */
static _Noreturn void go_to_step(const char *dir, uint32_t id, uint32_t step)
{
    char finding[16], number[16];
    snprintf(finding, sizeof finding, "%" PRIu32, id);
    snprintf(number, sizeof number, "%" PRIu32, step);
    fflush(NULL);
    execl("/proc/self/exe", "tourney", "replay", dir, finding, "--gdb", "--step", number, (char *)NULL);
    die("tourney cannot be run again: %s", strerror(errno));
}

/* ---- what came out ---- */

/* The decision that could not be made: the first operation that differs, as far as is known. */
static void tell_decision(struct replay *replay)
{
    const struct account *account = replay->run.account;
    size_t made = account->decisions;
    if (made >= replay->finding->decisions.n) {
        puts("tourney: all decisions were made, but it did not come to an end there");
        return;
    }
    const struct choice *choice = &replay->finding->decisions.at[made];
    rank_t r = choice->site.rank;
    int64_t last = explored_last_number(&replay->run, r), at = choice->site.op <= last ? choice->site.op : last;
    printf("tourney: decision %zu of %zu cannot be made: rank %d, in %s at %s, %s\n", made + 1,
           replay->finding->decisions.n, r, choice->site.text, choice->site.place, choice->text);
    const struct op *op = at < 0 ? NULL : explore_nth_op(replay->run.explorer, &account->trail[r], (uint32_t)at);
    if (!op)
        return;
    struct scene scene = explored_scene(&replay->run);
    struct site site = site_of_op(&scene, replay->symbols, r, op, at);
    printf("     %s rank %d, operation %" PRId64 ", is %s  at %s\n", at < choice->site.op ? "the last of" : "there,", r,
           at, site.text, site.place);
    site_release(&site);
}

static void show_finding(const struct replay *replay, const struct finding *finding)
{
    struct terminal terminal = terminal_of(stdout, replay->options.colour);
    terminal_show(&terminal, tone_of(finding->severity), finding->text);
}

static void tell_end(const struct replay *replay)
{
    if (replay->has_other) {
        show_finding(replay, &replay->other);
        printf("tourney: finding %" PRIu32 " was a %s; this time it is: %s\n", replay->finding->id,
               replay->finding->kind, replay->other.message);
    } else {
        printf("tourney: finding %" PRIu32 " was a %s; this time the run ended well\n", replay->finding->id,
               replay->finding->kind);
    }
}

static void tell_outcome(struct replay *replay)
{
    const struct finding *finding = replay->finding;
    if (replay->options.step) {
        printf("tourney: stopped after step %" PRIu32 " of the run of finding %" PRIu32 "\n", replay->options.step,
               finding->id);
        tell_step(replay, replay->options.step, &vec_last(&replay->legs), vec_last(&replay->legs).ops - 1);
    }
    if (!replay->options.step && replay->same && !replay->options.list)
        show_finding(replay, finding);
    if (replay->same)
        printf("tourney: finding %" PRIu32 " came out the same: %s\n", finding->id, finding->kind);
    else if (!replay->ended)
        tell_decision(replay);
    else
        tell_end(replay);
    if (!replay->same)
        printf("tourney: finding %" PRIu32 " did not come out the same\n", finding->id);
    fflush(stdout);
}

static void release(struct replay *replay)
{
    explore_free(replay->run.explorer);
    drive_free(replay->run.drive);
    symbols_free(replay->symbols);
    check_release(&replay->check);
    if (replay->has_other)
        finding_release(&replay->other);
    free(replay->rank);
    vec_release(&replay->legs);
    result_release(&replay->result);
}

/* What the user gets to see of it. */
static enum debugger_wish show_run(struct replay *replay)
{
    list_legs(replay);
    count_steps(replay);
    if (replay->options.list) {
        go_through_steps(replay, true);
    } else {
        if (replay->options.step)
            stop_at_step(replay);
        find_places(replay);
        show(replay);
    }
    tell_outcome(replay);
    return debug(replay);
}

int command_replay(int argc, char **argv)
{
    struct replay replay = {.options = options_for_replay(argc, argv)};
    replay.result = dir_read(replay.options.dir);
    replay.finding = find_finding(&replay.result, &replay.options);
    if (is_kind(replay.finding, "divergence"))
        die("finding %" PRIu32 " is that a rank does not do the same twice: there is no run to be repeated",
            replay.finding->id);
    if (replay.options.gdb)
        debugger_check();
    char *dir = realpath(replay.options.dir, NULL); /* before we go elsewhere */
    go_to_cwd(&replay);
    compare_program(&replay.result);
    search_again(&replay);
    enum debugger_wish wish = drive_signal() ? DEBUGGER_ENDS : show_run(&replay);
    int code = drive_signal() ? 128 + drive_signal() : replay.same ? 0 : 1;
    uint32_t step = replay.options.step ? replay.options.step : replay.steps;
    release(&replay);
    if (wish != DEBUGGER_ENDS && dir)
        go_to_step(dir, replay.options.id, wish == DEBUGGER_NEXT ? step + 1 : step - 1);
    free(dir);
    return code;
}
