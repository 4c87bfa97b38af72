#include "diagnosis/decision_tree_maker.h"

#include <string.h>

#include "base/hash.h"
#include "call/alternative_text.h"
#include "call/calls.h"
#include "call/dynamic.h"
#include "explore/outline.h"
#include "symbols/site.h"
#include "words/decision_words.h"
#include "words/text.h"
#include "words/window_words.h"

enum { MOST = 10000 }; /* decisions: what a browser opens at once */

struct tree_maker {
    struct run_view *view;
    struct symbols *symbols;
    struct decision_tree *tree;
    struct map texts;  /* hash of a text -> its index */
    struct map places; /* address -> index */
};

/* Takes the text. */
static int32_t add_tree_text(struct tree_maker *maker, char *text)
{
    struct map_key key = map_key(hash_bytes(0, text, strlen(text)));
    uint32_t at;
    if (map_get(&maker->texts, key, &at)) {
        free(text);
        return (int32_t)at;
    }
    map_put(&maker->texts, key, (uint32_t)maker->tree->texts.n);
    vec_push(&maker->tree->texts, text);
    return (int32_t)maker->tree->texts.n - 1;
}

static int32_t add_tree_place(struct tree_maker *maker, rank_t r, uint64_t address)
{
    struct final_state final = run_view_final_state(maker->view);
    struct trace_place place = {0};
    uint32_t at;
    struct map_key key = map_key2(run_view_program(maker->view, r), address);
    if (map_get(&maker->places, key, &at))
        return (int32_t)at;
    site_find(&final, maker->symbols, r, address, &place);
    map_put(&maker->places, key, (uint32_t)maker->tree->places.n);
    vec_push(&maker->tree->places, named_place_of(&place));
    return (int32_t)maker->tree->places.n - 1;
}

/* What a keeper of a window, or of names, has taken is told as what happened to that. */
static bool is_at_window(const struct tree_maker *maker, const struct branch *branch)
{
    return branch->decision.rank >= maker->view->ranks || (branch->op && op_awaits_birth(branch->op));
}

static char *words_of_branch(const struct tree_maker *maker, const struct branch *branch)
{
    struct text text;
    text_open(&text);
    if (is_at_window(maker, branch))
        window_words_put(text.out, maker->view->ranks, branch->decision.rank, branch->message);
    else
        decision_words_put(text.out, branch->op, &branch->decision);
    return text_close(&text);
}

static enum twig_leads leads_of(const struct branch *branch)
{
    if (branch->to_bad)
        return branch->to_good ? LEADS_BOTH : LEADS_BAD;
    return branch->to_open ? LEADS_OPEN : LEADS_GOOD;
}

static struct twig twig_of(struct tree_maker *maker, const struct branch *branch)
{
    static const enum twig_end ends[] = {[BRANCH_GOES_ON] = TWIG_GOES_ON,
                                         [BRANCH_GOOD] = TWIG_GOOD,
                                         [BRANCH_BAD] = TWIG_BAD,
                                         [BRANCH_OPEN] = TWIG_OPEN};
    struct twig twig = {.parent = -1, .rank = -1, .call = -1, .text = -1, .place = -1, .same = -1};
    twig.end = ends[branch->end];
    twig.leads = leads_of(branch);
    twig.left_out = branch->left_out;
    twig.untried = branch->untried;
    if (branch->same != BRANCH_NONE)
        twig.same = (int32_t)branch->same;
    if (branch->parent == BRANCH_NONE)
        return twig;
    twig.parent = (int32_t)branch->parent;
    const struct op *op = is_at_window(maker, branch) ? branch->message : branch->op;
    twig.rank = is_at_window(maker, branch) ? branch->decision.source : branch->decision.rank;
    twig.call = add_tree_text(maker, op_title_of_call(op));
    twig.text = add_tree_text(maker, words_of_branch(maker, branch));
    twig.place = add_tree_place(maker, twig.rank, op->place);
    return twig;
}

/* The first run that shows a finding must be there; one that goes wrong if MPI buffers less goes wrong. */
static struct outline outline_of(const struct run_view *view, const struct tree_end *ended, size_t n)
{
    VEC(uint32_t) wanted = {0}, held = {0};
    struct map known = {0};
    uint32_t at;
    for (size_t i = 0; i < n; i++) {
        if (ended[i].held)
            vec_push(&held, ended[i].step);
        if (map_get(&known, map_key(ended[i].finding), &at))
            continue;
        map_put(&known, map_key(ended[i].finding), 1);
        vec_push(&wanted, ended[i].step);
    }
    struct landmarks landmarks = {wanted.n, held.n, wanted.at, held.at};
    struct outline outline = explore_outline(view->explorer, &landmarks, MOST);
    vec_release(&wanted);
    vec_release(&held);
    map_release(&known);
    return outline;
}

/* By the state at which their runs end. */
static void add_findings(const struct outline *outline, const struct tree_end *ended, size_t n,
                         struct decision_tree *tree)
{
    struct map twigs = {0};
    uint32_t at;
    for (size_t i = 0; i < outline->branch.n; i++)
        if (outline->branch.at[i].same == BRANCH_NONE)
            map_put(&twigs, map_key(outline->branch.at[i].step), (uint32_t)i);
    for (size_t i = 0; i < n; i++)
        if (map_get(&twigs, map_key(ended[i].step), &at)) {
            uint32_t *finding = ended[i].held ? &tree->twigs.at[at].held : &tree->twigs.at[at].finding;
            *finding = *finding ? *finding : ended[i].finding;
        }
    map_release(&twigs);
}

struct decision_tree decision_tree_make(struct run_view *view, struct symbols *symbols, const struct tree_end *ended,
                                        size_t n)
{
    struct decision_tree tree = {0};
    struct tree_maker maker = {.view = view, .symbols = symbols, .tree = &tree};
    struct outline outline = outline_of(view, ended, n);
    for (size_t i = 0; i < outline.branch.n; i++)
        vec_push(&tree.twigs, twig_of(&maker, &outline.branch.at[i]));
    tree.decisions = outline.all;
    add_findings(&outline, ended, n, &tree);
    outline_release(&outline);
    map_release(&maker.texts);
    map_release(&maker.places);
    return tree;
}
