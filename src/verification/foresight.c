#include "verification/foresight.h"

#include "base/hash.h"
#include "diagnosis/fault.h"
#include "oracle/question.h"

void foresight_init(struct foresight *f, const struct run_options *options)
{
    *f = (struct foresight){.options = options};
}

static void forget_answer(struct foresight *f)
{
    if (!f->answered)
        return;
    prediction_release(&f->prediction);
    program_release(&f->program);
    execution_release(&f->execution);
    free(f->why_not);
    f->why_not = NULL;
    f->answered = f->came_about = false;
}

void foresight_release(struct foresight *f)
{
    if (f->waits)
        execution_release(&f->execution);
    forget_answer(f);
    map_release(&f->paths);
}

static bool is_new_path(struct foresight *f, const struct run_view *view)
{
    struct map_key path = HASH_START;
    uint32_t known;
    for (rank_t r = 0; r < view->ranks; r++)
        hash_stir(&path, explore_flow(view->explorer, view->run->node[r]));
    if (map_get(&f->paths, path, &known))
        return false;
    map_put(&f->paths, path, 1);
    return true;
}

/* Doubles from one question to the next, after a few. */
static bool is_due(const struct foresight *f, uint64_t run)
{
    enum { AT_ONCE = 4, LAST = 63 };
    return f->asked < AT_ONCE || (f->asked < LAST && run >= UINT64_C(1) << f->asked);
}

/* Beside a search it must not take longer than that, nor the room. */
static bool is_short(struct run_view *view)
{
    enum { MOST = 100000 };
    const struct account *account = run_view_account(view);
    size_t ops = 0;
    for (rank_t r = 0; r < view->ranks; r++) {
        const struct trail *trail = &account->trail[r];
        ops += (trail->n > 1 ? trail->until[trail->n - 2] : 0) + trail->posted;
    }
    return ops <= MOST;
}

void foresight_look(struct foresight *f, struct run_view *view)
{
    bool alone = f->options->engine == ENGINE_PREDICT;
    f->windows = explore_has_windows(view->explorer);
    f->keepers = explore_windows(view->explorer).slots;
    f->dynamic = explore_has_dynamic_processes(view->explorer);
    if (f->keepers || f->dynamic) /* it knows neither */
        return;
    if (f->waits || (!alone && (!is_due(f, view->run->number) || !is_new_path(f, view))))
        return;
    forget_answer(f);
    f->run = view->run->number;
    if (!alone && !is_short(view))
        return;
    execution_of_account(&f->execution, view->explorer, run_view_account(view), view->ranks);
    f->waits = alone || !execution_has_guesses(&f->execution); /* where it would only guess the search knows better */
    if (!f->waits)
        execution_release(&f->execution);
}

void foresight_ask(struct foresight *f)
{
    enum { CONFLICTS = 20000 };
    bool alone = f->options->engine == ENGINE_PREDICT;
    f->waits = false;
    f->asked++;
    f->prediction = question_ask(f->options, &f->execution, &f->program, alone ? 0 : CONFLICTS);
    f->answered = true;
}

bool foresight_excludes_deadlock(const struct foresight *f)
{
    return f->answered && f->prediction.verdict == PREDICTED_NONE && !execution_has_answers(&f->execution);
}

static const char *reservation(const struct foresight *f)
{
    if (!f->options->arguments.given[OPTION_ASSUME])
        return "runs with another one, and other defects of those with this one, were not looked for";
    if (!foresight_excludes_deadlock(f))
        return "what its polls, probes, waits for any and cancels returned is part of that, and could be otherwise in "
               "other runs";
    return "all runs are assumed to have it, and other defects were looked for in this one only";
}

char *foresight_statement(const struct foresight *f)
{
    const struct prediction *got = &f->prediction;
    if (f->dynamic)
        return xformat("prediction does not know dynamic processes, so nothing is predicted from it");
    if (f->keepers)
        return xformat(f->windows ? "prediction does not know one-sided communication, so nothing is predicted from it"
                       : "prediction does not know shared file pointers, so nothing is predicted from it");
    if (!f->answered)
        return xformat("it did not end well, so nothing is predicted from it");
    if (got->verdict == PREDICTED_UNKNOWN)
        return xformat("prediction does not know whether others deadlock: %s", got->why);
    if (got->verdict == PREDICTED_DEADLOCK && f->came_about)
        return xformat("the deadlock that was predicted from it came about");
    if (got->verdict == PREDICTED_DEADLOCK)
        return xformat("%s", f->why_not ? f->why_not
                                        : "a deadlock is predicted for this control flow; --encoding=ours would show it");
    return xformat("no run with the same control flow deadlocks; %s", reservation(f));
}

struct map_key foresight_key(const struct foresight *f)
{
    const struct prediction *got = &f->prediction;
    VEC(uint64_t) places = {0};
    for (size_t i = 0; i < got->stuck.n; i++)
        vec_push(&places, f->execution.rank[got->stuck.at[i].rank].op.at[got->stuck.at[i].op].op->place);
    struct map_key key = fault_deadlock_key(got->held.n + got->tight.n > 0, false, places.at, places.n);
    vec_release(&places);
    return key;
}
