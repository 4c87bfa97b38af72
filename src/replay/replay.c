#include "replay/replay.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "call/calls.h"
#include "result/dir.h"
#include "symbols/site.h"
#include "world/input.h"
#include "world/program.h"

/* ---- what is to be replayed ---- */

static const struct finding *find_finding(const struct replay *replay)
{
    const struct result *result = &replay->result;
    size_t n = result->findings.n;
    for (size_t i = 0; i < n; i++)
        if (result->findings.at[i].id == replay->id)
            return &result->findings.at[i];
    if (n == 0)
        die("%s holds no finding", replay->dir);
    die("%s holds no finding %" PRIu32 "; its findings are 1 to %zu", replay->dir, replay->id, n);
}

static void go_to_cwd(const struct replay *replay)
{
    const char *cwd = replay->result.cwd;
    if (cwd && chdir(cwd) < 0)
        die("%s was searched in %s: %s", replay->dir, cwd, strerror(errno));
}

/* It is run all the same: most changes do not matter to the run, and what differs is said. */
static void compare_program(const struct result *result)
{
    char *path = program_find(result->program), *digest = program_digest(path);
    if (result->binary && digest && strcmp(result->binary, digest) != 0)
        fprintf(stderr,
                "tourney: %s has changed since it was searched, so the run may go another way; search it anew to "
                "be sure\n",
                result->program);
    free(digest);
    free(path);
}

/* ---- for the user ---- */

/* From where in the program the calls were made in which ranks will stay. */
static void find_threads(struct debuggee *rank, const struct op *op)
{
    uint32_t n = 0;
    const struct op_thread *thread = op ? op_threads(op, &n) : NULL;
    vec_clear(&rank->threads);
    for (int in_call = 1; in_call >= 0; in_call--)
        for (uint32_t i = 0; i < n; i++)
            if ((thread[i].wait == THREAD_IN_CALL) == in_call)
                vec_push(&rank->threads, ((struct debuggee_thread){thread[i].thread, thread[i].place}));
    if (!n)
        vec_push(&rank->threads, ((struct debuggee_thread){op ? op->thread : 0, op && op->kind != OP_CRASH ? op->place : 0}));
}

static void find_last_places(struct replay *replay)
{
    int ranks = result_all_ranks(&replay->result);
    replay->rank = xcalloc((size_t)ranks, sizeof *replay->rank);
    for (rank_t r = 0; r < ranks; r++)
        find_threads(&replay->rank[r], NULL);
    for (size_t i = 0; i < replay->stretches.n; i++) {
        const struct replay_stretch *stretch = &replay->stretches.at[i];
        find_threads(&replay->rank[stretch->rank], stretch->ops ? replay_op(replay, stretch, stretch->ops - 1) : NULL);
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
static bool show_stretch(struct replay *replay, const struct replay_stretch *stretch)
{
    struct segment now;
    struct history before = run_view_history(&replay->run, stretch->node);
    bool same = drive_show(replay->run.drive, stretch->node, stretch->whole ? 0 : stretch->ops, &now);
    uint32_t at = first_difference(&before, &now, stretch->ops);
    if (same || drive_signal() || (!stretch->whole && at == stretch->ops && at == now.count))
        return true;
    fflush(stdout);
    if (at < before.count)
        fprintf(stderr, "tourney: rank %d is not deterministic: its operation %" PRIu32 " was %s\n", stretch->rank,
                stretch->first + at, call_name(replay_op(replay, stretch, at)->call));
    else
        fprintf(stderr, "tourney: rank %d is not deterministic: it sends other data, or ends otherwise\n",
                stretch->rank);
    return false;
}

static void show(struct replay *replay)
{
    drive_show_begin(replay->run.drive);
    for (size_t i = 0; i < replay->stretches.n && !drive_signal(); i++)
        if (!show_stretch(replay, &replay->stretches.at[i])) {
            replay->same = false;
            break;
        }
    for (rank_t r = 0; r < result_all_ranks(&replay->result); r++)
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
    if (replay->step && replay->stretches.n)
        return vec_last(&replay->stretches).rank;
    return replay->finding->ranks.n ? replay->finding->ranks.at[0] : 0;
}

static bool wants_gdb(const struct replay *replay)
{
    return replay->arguments->gdb || replay->arguments->gdb_batch.n;
}

static enum debugger_wish debug(struct replay *replay)
{
    const struct arguments *arguments = replay->arguments;
    struct debuggees at = {.rank = replay->rank,
                           .ranks = result_all_ranks(&replay->result),
                           .first = first_rank(replay),
                           .step = replay->step ? replay->step : replay->steps,
                           .steps = replay->steps};
    if (arguments->vscode) {
        debugger_write_vscode(replay->rank, result_all_ranks(&replay->result), replay->result.program);
        wait_for_enter();
    }
    return wants_gdb(replay) ? debugger_open(&at, arguments->gdb_batch.at, arguments->gdb_batch.n) : DEBUGGER_ENDS;
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
    const struct kept_decision *choice = &replay->finding->decisions.at[made];
    rank_t r = choice->site.rank;
    int64_t last = run_view_last_number(&replay->run, r), at = choice->site.op <= last ? choice->site.op : last;
    printf("tourney: decision %zu of %zu cannot be made: rank %d, in %s at %s, %s\n", made + 1,
           replay->finding->decisions.n, r, choice->site.text, choice->site.place, choice->text);
    const struct op *op = at < 0 ? NULL : run_view_nth_op(&replay->run, &account->trail[r], (uint32_t)at);
    if (!op)
        return;
    struct final_state final = run_view_final_state(&replay->run);
    struct site site = site_of_op(&final, replay->symbols, r, op, at);
    printf("     %s rank %d, operation %" PRId64 ", is %s  at %s\n", at < choice->site.op ? "the last of" : "there,", r,
           at, site.text, site.place);
    site_release(&site);
}

static void show_finding(const struct replay *replay, const struct finding *finding)
{
    struct terminal terminal = options_terminal(stdout, replay->arguments);
    terminal_show(&terminal, tone_of(finding->severity), finding->text);
}

static void tell_other_end(const struct replay *replay)
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

static void tell_replay_outcome(struct replay *replay)
{
    const struct finding *finding = replay->finding;
    if (replay->step) {
        printf("tourney: stopped after step %" PRIu32 " of the run of finding %" PRIu32 "\n", replay->step,
               finding->id);
        replay_tell_last_step(replay);
    }
    if (!replay->step && replay->same && !replay->arguments->steps)
        show_finding(replay, finding);
    if (replay->same)
        printf("tourney: finding %" PRIu32 " was reproduced: %s\n", finding->id, finding->kind);
    else if (!replay->ended)
        tell_decision(replay);
    else
        tell_other_end(replay);
    if (!replay->same)
        printf("tourney: finding %" PRIu32 " was not reproduced\n", finding->id);
    fflush(stdout);
}

static void release_replay(struct replay *replay)
{
    rerun_close(&replay->rerun);
    symbols_free(replay->symbols);
    check_release(&replay->check);
    if (replay->has_other)
        finding_release(&replay->other);
    for (rank_t r = 0; replay->rank && r < result_all_ranks(&replay->result); r++)
        vec_release(&replay->rank[r].threads);
    free(replay->rank);
    vec_release(&replay->stretches);
    result_release(&replay->result);
}

/* What the user gets to see of it. */
static enum debugger_wish show_run(struct replay *replay)
{
    replay_find_steps(replay);
    if (replay->arguments->steps) {
        replay_list_steps(replay);
    } else {
        if (replay->step)
            replay_stop_at_step(replay);
        find_last_places(replay);
        show(replay);
    }
    tell_replay_outcome(replay);
    return debug(replay);
}

int replay_finding(const char *in, uint32_t id, const struct arguments *arguments)
{
    struct replay replay = {
        .arguments = arguments, .dir = in, .id = id, .step = (uint32_t)arguments->step, .result = dir_read(in)};
    replay.finding = find_finding(&replay);
    if (replay_is_of(&replay, KIND_DIVERGENCE))
        die("finding %" PRIu32 " is that a rank is not deterministic: there is no run to be repeated",
            replay.finding->id);
    if (wants_gdb(&replay))
        debugger_check();
    else
        input_keep(true);
    char *dir = realpath(replay.dir, NULL); /* before we go elsewhere */
    go_to_cwd(&replay);
    compare_program(&replay.result);
    replay_rehearse(&replay);
    enum debugger_wish wish = drive_signal() ? DEBUGGER_ENDS : show_run(&replay);
    int code = drive_signal() ? 128 + drive_signal() : replay.same ? 0 : 1;
    uint32_t step = replay.step ? replay.step : replay.steps;
    release_replay(&replay);
    if (wish != DEBUGGER_ENDS && dir)
        go_to_step(dir, replay.id, wish == DEBUGGER_NEXT ? step + 1 : step - 1);
    free(dir);
    return code;
}
