#include "explore/race.h"

#include "explore/search.h"

/* Places in the program, as sets: of each node, of what is called there and below. */
struct reachable_sites {
    const struct tree *tree;
    struct map index;     /* place -> number */
    VEC(uint32_t) sample; /* by number: an operation there */
    size_t words;         /* of a set */
    uint64_t *set;        /* owns; by node */
    size_t *first_child;  /* owns; of node n, child[first_child[n]] up to child[first_child[n + 1]] */
    node_id *child;       /* owns */
};

static uint64_t *set_of(const struct reachable_sites *sites, node_id node)
{
    node_id same = sites->tree->node.at[node].same;

    return &sites->set[(same ? same : node) * sites->words];
}

static void number_sites(struct reachable_sites *sites)
{
    for (uint32_t user = 1; user < sites->tree->op.n; user++) {
        const struct op *op = sites->tree->op.at[user].op;
        uint32_t known;

        bulk_pass();
        if (!op_communicates(op) || map_get(&sites->index, map_key(op->place), &known))
            continue;
        map_put(&sites->index, map_key(op->place), (uint32_t)sites->sample.n);
        vec_push(&sites->sample, user);
    }
}

static void add_own(struct reachable_sites *sites)
{
    for (uint32_t user = 1; user < sites->tree->op.n; user++) {
        const struct tree_op *op = &sites->tree->op.at[user];
        uint32_t number;

        bulk_pass();
        if (op_communicates(op->op) && map_get(&sites->index, map_key(op->op->place), &number))
            set_of(sites, op->node)[number / 64] |= UINT64_C(1) << number % 64;
    }
}

static bool add_set(uint64_t *to, const uint64_t *from, size_t words)
{
    bool more = false;

    for (size_t i = 0; i < words; i++) {
        more |= (from[i] & ~to[i]) != 0;
        to[i] |= from[i];
    }
    return more;
}

/* Nearly all children have higher numbers than their parents; merging makes exceptions. */
static void add_sites_below(struct reachable_sites *sites)
{
    for (bool more = true; more;) {
        more = false;
        for (node_id id = (node_id)sites->tree->node.n; id-- > 1;) {
            node_id parent;

            bulk_pass();
            for (uint32_t at = 0; (parent = tree_parent(sites->tree, id, &at));)
                more |= add_set(set_of(sites, parent), set_of(sites, id), sites->words);
        }
    }
}

/* Each under the node of which its return is: those that are the same as another are there for that. */
static void sort_children(struct reachable_sites *sites)
{
    const struct tree *tree = sites->tree;
    size_t n = tree->node.n, *next;

    sites->first_child = xcalloc(n + 1, sizeof *sites->first_child);
    sites->child = xcalloc(n, sizeof *sites->child);
    for (node_id id = 1; id < n; id++)
        if (tree->node.at[id].parent)
            sites->first_child[tree->node.at[id].parent + 1]++;
    for (size_t i = 0; i < n; i++)
        sites->first_child[i + 1] += sites->first_child[i];
    next = xmemdup(sites->first_child, n, sizeof *next);
    for (node_id id = 1; id < n; id++)
        if (tree->node.at[id].parent)
            sites->child[next[tree->node.at[id].parent]++] = id;
    free(next);
}

/* False: that would take too much memory. */
static bool reachable_sites_begin(struct reachable_sites *sites, const struct tree *tree)
{
    enum { MOST = 1 << 25 }; /* words */

    *sites = (struct reachable_sites){.tree = tree};
    number_sites(sites);
    sites->words = sites->sample.n / 64 + 1;
    if (tree->node.n > MOST / sites->words)
        return false;
    sites->set = xcalloc(tree->node.n * sites->words, sizeof *sites->set);
    add_own(sites);
    add_sites_below(sites);
    sort_children(sites);
    return true;
}

static void reachable_sites_release(struct reachable_sites *sites)
{
    map_release(&sites->index);
    vec_release(&sites->sample);
    free(sites->set);
    free(sites->first_child);
    free(sites->child);
}

/* ---- one wildcard in one history ---- */

/* The receive behind a request, posted in this node or above; 0: none. */
static uint32_t find_posted(const struct tree *tree, node_id id, uint32_t request)
{
    while (id) {
        const struct node *node = &tree->node.at[id];

        for (uint32_t i = node->count; i-- > 0;) {
            const struct op *op = tree->op.at[node->first_op + i].op;

            if (op->request == request && op->kind == OP_RECV)
                return node->first_op + i;
        }
        id = node->parent;
    }
    return 0;
}

/* The wildcard whose message an item of the node's return is; 0: none is. */
static uint32_t wildcard_of(const struct tree *tree, node_id at, const struct answer_item *item)
{
    const struct op *call = tree_call(tree, at);
    uint32_t recv;

    if (!item->message || is_selective(call) || op_is_poll(call))
        return 0;
    if (call->kind == OP_PROBE)
        return call->peer == RANK_ANY ? node_call(tree, at) : 0;
    recv = find_posted(tree, at, item->request);
    return recv && tree->op.at[recv].op->peer == RANK_ANY ? recv : 0;
}

static bool is_after(const struct tree *tree, node_id child, uint32_t item, rank_t source)
{
    const struct ret *ret = tree->node.at[child].ret;

    return ret && item < ret->items && ret->item[item].source == source;
}

/* What is called after the message of a source. */
static void collect(const struct reachable_sites *sites, node_id at, uint32_t item, rank_t source, uint64_t *set)
{
    for (size_t i = sites->first_child[at]; i < sites->first_child[at + 1]; i++)
        if (is_after(sites->tree, sites->child[i], item, source))
            add_set(set, set_of(sites, sites->child[i]), sites->words);
}

static bool find_only(const struct reachable_sites *sites, const uint64_t *with, const uint64_t *without,
                      uint32_t *only)
{
    for (size_t i = 0; i < sites->words; i++)
        if (with[i] & ~without[i]) {
            *only = sites->sample.at[i * 64 + (size_t)__builtin_ctzll(with[i] & ~without[i])];
            return true;
        }
    return false;
}

static void compare_sites(const struct reachable_sites *sites, node_id at, uint32_t item, struct race *race)
{
    uint64_t *with = xcalloc(sites->words, sizeof *with), *without = xcalloc(sites->words, sizeof *without);

    collect(sites, at, item, race->with, with);
    collect(sites, at, item, race->without, without);
    race->changes = find_only(sites, with, without, &race->only);
    if (!race->changes && find_only(sites, without, with, &race->only)) {
        rank_t other = race->with;

        race->with = race->without;
        race->without = other;
        race->changes = true;
    }
    free(with);
    free(without);
}

/* ---- all of them ---- */

struct races {
    VEC(struct race) at;
    struct map index; /* place of the wildcard -> number */
};

static void add_race(struct races *races, const struct tree *tree, struct race race)
{
    struct map_key key = map_key(tree->op.at[race.recv].op->place);
    uint32_t known;

    if (!map_get(&races->index, key, &known)) {
        map_put(&races->index, key, (uint32_t)races->at.n);
        vec_push(&races->at, race);
    } else if (race.changes && !races->at.at[known].changes) {
        races->at.at[known] = race;
    }
}

/* The first child against each that took the message of somebody else. */
static void look_at_node(struct races *races, const struct reachable_sites *sites, node_id at)
{
    const struct tree *tree = sites->tree;
    size_t first = sites->first_child[at], until = sites->first_child[at + 1];
    const struct ret *ret = until > first + 1 ? tree->node.at[sites->child[first]].ret : NULL;

    for (uint32_t item = 0; ret && item < ret->items; item++) {
        uint32_t recv = wildcard_of(tree, at, &ret->item[item]);

        for (size_t i = first + 1; recv && i < until; i++) {
            const struct ret *other = tree->node.at[sites->child[i]].ret;
            struct race race = {.recv = recv, .with = ret->item[item].source};

            if (!other || item >= other->items || other->item[item].source == race.with)
                continue;
            race.without = other->item[item].source;
            compare_sites(sites, at, item, &race);
            add_race(races, tree, race);
        }
    }
}

void explore_races(const struct explorer *x, race_fn *tell, void *data)
{
    const struct tree *tree = &x->game.tree;
    struct reachable_sites sites;
    struct races races = {0};

    if (!tree_has_forks(tree, x->game.ranks))
        return;
    /* Where histories are one, a wildcard's outcomes may belong to different states, and are no alternatives. */
    if (reachable_sites_begin(&sites, tree) && !tree->joined)
        for (node_id at = 1; at < tree->node.n; at++)
            if (tree->node.at[at].end == SEGMENT_CALL && tree->node.at[at].count)
                look_at_node(&races, &sites, at);
    for (size_t i = 0; i < races.at.n; i++)
        tell(data, &races.at.at[i]);
    reachable_sites_release(&sites);
    vec_release(&races.at);
    map_release(&races.index);
}
