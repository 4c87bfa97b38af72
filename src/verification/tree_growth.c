/*
 * tree_growth -- the tree of decisions, for the page: all of it in the end, and before, as far as it has grown.
 */
#include "verification/verification.h"
#include "base/mem.h"

static struct decision_tree tree_of(struct verification *v)
{
    bool current = v->times_anew == explore_times_anew(v->run.explorer);
    v->run.account = explore_first_account(v->run.explorer);
    struct decision_tree tree = decision_tree_make(&v->run, v->symbols, v->ended.at, current ? v->ended.n : 0);
    v->run.account = NULL;
    for (char **word = v->line ? v->line->argv + 1 : NULL; word && *word; word++)
        vec_push(&tree.args, xstrdup(*word));
    return tree;
}

static void write_trees(const struct verification *v)
{
    int status = dir_write_trees(&v->session.dir, &v->trees);
    (void)status; /* the result, which matters more, complains */
}

void verification_keep_tree(struct verification *v)
{
    vec_push(&v->trees, tree_of(v));
    write_trees(v);
}

/* Early, since one that was killed at once has little else to show; then seldom, for it takes the longer the more there is. */
void verification_save_tree(struct verification *v)
{
    enum { FIRST = 1, BETWEEN = 5, SHARE = 100 }; /* seconds; and of a hundred, one is spent on it */
    double now = progress_seconds(&v->progress);
    if (now < FIRST || now < v->tree_due || v->run.run->less_slack || session_is_catching_up(&v->session))
        return;
    if (!v->run.run->step)
        return; /* how that run goes was written down on the way, where the account of another would be now */
    vec_push(&v->trees, tree_of(v));
    write_trees(v);
    struct decision_tree last = vec_pop(&v->trees);
    decision_tree_release(&last);
    double cost = progress_seconds(&v->progress) - now;
    v->tree_due = now + (cost * SHARE > BETWEEN ? cost * SHARE : BETWEEN);
}
