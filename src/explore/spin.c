#include "explore/spin.h"

#include <string.h>

enum { LONGEST_ROUND = 64, LONGEST_CHAIN = 1 << 16 };

/* Polls told no one after the other, with nothing posted in between. */
struct chain {
    VEC(node_id) poll;
    uint32_t same[LONGEST_ROUND + 1]; /* by period: how many of the last polls equal the one a period before */
};

static const struct ret no = {.brief = true};
static const struct ret no_in_passing = {.last = true};
static const struct ret no_unseen = {.last = true, .blind = true};

node_id spin_no(struct tree *tree, node_id id)
{
    return tree_child(tree, id, &no);
}

/*
 * The same, for the n-th time in a row.  To stay at each poll of a long chain, in case that
 * it shall be told yes, takes far longer than to come there again: only some are stayed at.
 */
static node_id no_again(struct tree *tree, node_id id, size_t n)
{
    return tree_child(tree, id, n & (n - 1) ? &no_in_passing : &no);
}

/*
 * The same where something has changed for many rounds.  Whether it still does is found out by two images that are a
 * round apart, now and then: those in between would tell nothing.
 */
static node_id no_ahead(struct tree *tree, node_id id, size_t n, uint32_t period)
{
    size_t low = 1;

    while (2 * low <= n)
        low *= 2;
    return n - low <= period ? no_again(tree, id, n) : tree_child(tree, id, &no_unseen);
}

bool spin_only_polls(const struct tree *tree, node_id id)
{
    const struct node *node = &tree->node.at[id];
    const struct op *op = node->ops;

    if (node->end != SEGMENT_CALL)
        return false;
    for (uint32_t i = 0; i + 1 < node->count; i++, op = op_next(op))
        if (!op_is_remark(op))
            return false;
    return op_is_poll(op);
}

bool spin_same_poll(const struct op *a, const struct op *b)
{
    return a->size == b->size && a->kind == b->kind && a->call == b->call && a->flags == b->flags &&
           a->request == b->request && a->peer == b->peer && a->tag == b->tag && a->context == b->context &&
           a->place == b->place && a->items == b->items && memcmp(a + 1, b + 1, op_tail_size(a)) == 0;
}

/* Adds a poll; the period in which it has gone round often enough, or 0. */
static uint32_t add_poll(const struct tree *tree, struct chain *chain, node_id id, uint32_t rounds)
{
    uint32_t n = (uint32_t)chain->poll.n, most = n < LONGEST_ROUND ? n : LONGEST_ROUND, period = 0;
    const struct op *poll = tree_call(tree, id);

    vec_push(&chain->poll, id);
    for (uint32_t d = 1; d <= most; d++) {
        chain->same[d] = spin_same_poll(poll, tree_call(tree, chain->poll.at[n - d])) ? chain->same[d] + 1 : 0;
        if (!period && chain->same[d] >= rounds * d)
            period = d;
    }
    return period;
}

/* The rank is at both in the same poll, and the same. */
static bool is_poll_alike(const struct tree *tree, node_id a, node_id b)
{
    return a == b || (tree->node.at[a].alike && tree->node.at[a].alike == tree->node.at[b].alike);
}

/* Where in the chain, near its end, the rank was as it is at this node, to which it came by being told no; else the end. */
static size_t find_alike(const struct tree *tree, const struct chain *chain, node_id id)
{
    size_t i = chain->poll.n;

    while (i > 0 && chain->poll.n - i < LONGEST_ROUND)
        if (is_poll_alike(tree, chain->poll.at[--i], id) && spin_only_polls(tree, id))
            return i;
    return chain->poll.n;
}

/* A round that was found: where it begins, and how long it is; 0: there is none. */
struct round {
    size_t first;
    uint32_t period;
    bool seen; /* the rank is where it was, by its image, and not only by what it does */
};

/* A run that was made ahead took no image there. */
static void look_if_scouted(struct tree *tree, node_id id)
{
    if (id && tree->node.at[id].ret->blind && spin_only_polls(tree, id))
        tree_look_at_poll(tree, id);
}

static struct round follow_polls(struct tree *tree, struct chain *chain, node_id id, uint32_t rounds)
{
    tree_look_at_poll(tree, id);
    do {
        uint32_t period = add_poll(tree, chain, id, rounds);
        size_t back;

        if (period)
            return (struct round){chain->poll.n - chain->same[period] - period, period, false};
        if (chain->poll.n == LONGEST_CHAIN || tree_awaits_scout(tree, chain->poll.n))
            break;
        id = no_again(tree, id, chain->poll.n);
        look_if_scouted(tree, id);
        back = find_alike(tree, chain, id);
        if (back < chain->poll.n)
            return (struct round){back, (uint32_t)(chain->poll.n - back), true};
    } while (id && spin_only_polls(tree, id));
    return (struct round){0};
}

/* ---- looking ahead ---- */

enum poll_sight {
    SIGHT_ENDLESS, /* as far as it was looked, the rank goes round, and something in it changes */
    SIGHT_EXIT,    /* it does something else after the last poll of the chain */
    SIGHT_SEEN     /* it comes to be where it was: see `back` */
};

static bool goes_round(const struct tree *tree, const struct chain *chain, uint32_t period, node_id next)
{
    node_id before = chain->poll.at[chain->poll.n - period];

    return spin_only_polls(tree, next) && spin_same_poll(tree_call(tree, next), tree_call(tree, before));
}

/* Tells it no until the chain, which goes round in this period, has so many polls or the round is over. */
static enum poll_sight lengthen_chain(struct tree *tree, struct chain *chain, uint32_t period, size_t polls,
                                      size_t *back)
{
    while (chain->poll.n < polls && !tree_awaits_scout(tree, chain->poll.n)) {
        node_id next = no_ahead(tree, vec_last(&chain->poll), chain->poll.n, period);

        if (!next)
            return SIGHT_ENDLESS;
        *back = find_alike(tree, chain, next);
        if (*back < chain->poll.n)
            return SIGHT_SEEN;
        if (chain->poll.n >= period && !goes_round(tree, chain, period, next))
            return SIGHT_EXIT;
        vec_push(&chain->poll, next);
    }
    return SIGHT_ENDLESS;
}

static struct map_key place_key(const struct tree *tree, node_id head, uint32_t period)
{
    return map_key2(tree_call(tree, head)->place, period);
}

/* Of the histories that come to a place, the first few are followed, and then one of twice as many each time. */
static bool is_worth_looking(struct tree *tree, struct map_key place)
{
    enum { FIRST_FEW = 4 };
    uint32_t n = map_find(&tree->visits, place, 0) + 1;

    if (!tree_only_tries(tree))
        map_put(&tree->visits, place, n);
    return n <= FIRST_FEW || (n & (n - 1)) == 0;
}

/* It was not followed after all. */
static void forget_look(struct tree *tree, struct map_key place)
{
    map_put(&tree->visits, place, map_find(&tree->visits, place, 0) - 1);
}

static void learn_polls(struct tree *tree, struct map_key place, size_t polls)
{
    if (map_find(&tree->lessons, place, 0) < 2 * polls)
        map_put(&tree->lessons, place, 2 * (uint32_t)polls);
    map_put(&tree->visits, place, 0);
}

/* ---- what is noted ---- */

node_id spin_known_head(const struct tree *tree, node_id id)
{
    node_id head = tree->node.at[id].head;

    return tree->node.at[head].head == head ? head : NODE_NONE;
}

const struct polls_ahead *spin_exit(const struct tree *tree, node_id head)
{
    uint32_t number = tree->node.at[head].polls_ahead;
    const struct polls_ahead *ahead = number ? &tree->polls_ahead.at[number - 1] : NULL;

    return ahead && ahead->last ? ahead : NULL;
}

/* The polls of a stretch of the chain have this head, or none. */
static void note_polls(struct tree *tree, const struct chain *chain, size_t from, size_t until, node_id head)
{
    for (size_t i = from; i < until; i++) {
        tree->node.at[chain->poll.at[i]].followed = true;
        tree->node.at[chain->poll.at[i]].head = head;
    }
}

static void note_polls_ahead(struct tree *tree, node_id head, struct polls_ahead ahead)
{
    struct polls_ahead *known;

    if (!tree->node.at[head].polls_ahead) {
        vec_push(&tree->polls_ahead, ahead);
        tree->node.at[head].polls_ahead = (uint32_t)tree->polls_ahead.n;
    }
    known = &tree->polls_ahead.at[tree->node.at[head].polls_ahead - 1];
    ahead.states = known->states;
    ahead.tried = known->tried;
    *known = ahead;
}

uint32_t spin_reach(const struct tree *tree, node_id head)
{
    uint32_t ahead = tree->node.at[head].polls_ahead;

    return ahead ? tree->polls_ahead.at[ahead - 1].noes : tree->node.at[head].period;
}

bool spin_is_later(const struct tree *tree, node_id head, node_id poll)
{
    uint32_t at = 0;
    node_id known;

    while ((known = spin_later(tree, head, &at)) && known != poll)
        ;
    return known == poll;
}

void spin_add_later(struct tree *tree, node_id head, node_id poll)
{
    if (spin_is_later(tree, head, poll))
        return;
    vec_push(&tree->later_poll, (struct later_poll){poll, map_find(&tree->later_polls, map_key(head), 0)});
    map_put(&tree->later_polls, map_key(head), (uint32_t)tree->later_poll.n);
}

node_id spin_later(const struct tree *tree, node_id head, uint32_t *at)
{
    uint32_t next = *at ? tree->later_poll.at[*at - 1].before
                        : tree->later_poll.n ? map_find(&tree->later_polls, map_key(head), 0) : 0;

    *at = next;
    return next ? tree->later_poll.at[next - 1].poll : NODE_NONE;
}

void spin_forget_later(struct tree *tree)
{
    vec_clear(&tree->later_poll);
    map_release(&tree->later_polls);
    for (size_t i = 0; i < tree->polls_ahead.n; i++)
        tree->polls_ahead.at[i].states = tree->polls_ahead.at[i].tried = 0;
}

static void note_round(struct tree *tree, const struct chain *chain, struct round round)
{
    node_id head = round.period ? chain->poll.at[round.first] : NODE_NONE;

    note_polls(tree, chain, 0, round.period ? round.first : chain->poll.n, NODE_NONE);
    if (!head)
        return;
    note_polls(tree, chain, round.first, chain->poll.n, head);
    tree->node.at[head].period = round.period;
    tree->node.at[head].certain = round.seen;
    if (round.seen)
        tree->node.at[head].polls_ahead = 0;
    else
        note_polls_ahead(tree, head, (struct polls_ahead){.noes = (uint32_t)(chain->poll.n - round.first), .far = vec_last(&chain->poll)});
}

/* The round is over after so many polls of the chain. */
static void note_exit(struct tree *tree, const struct chain *chain, struct round round, size_t until, bool settles)
{
    size_t more = until - round.first - round.period;
    uint32_t polls = more < round.period ? (uint32_t)more : round.period;
    struct polls_ahead exit = {
        .noes = (uint32_t)(until - round.first), .last = chain->poll.at[until - polls], .polls = polls, .settles = settles};
    node_id head = chain->poll.at[round.first];

    note_polls(tree, chain, round.first, until, head);
    note_polls_ahead(tree, head, exit);
    tree->node.at[head].period = round.period;
    tree->node.at[head].certain = false;
}

/*
 * Something changed for a while, and from the `back`-th poll on nothing does.  If that while is not
 * longer than one that is looked through, each of its polls is a decision.
 */
static void note_run_up(struct tree *tree, const struct chain *chain, struct round round, size_t back, uint32_t rounds)
{
    note_round(tree, chain, (struct round){back, (uint32_t)(chain->poll.n - back), true});
    if (back > round.first + (size_t)rounds * round.period)
        note_exit(tree, chain, round, back, true);
}

/* So many polls at the beginning of the chain were not followed from elsewhere; `head`: whose round, if they were from here. */
static size_t count_new(const struct tree *tree, const struct chain *chain, node_id head)
{
    size_t n = 0;

    while (n < chain->poll.n && (!tree->node.at[chain->poll.at[n]].followed || (head && tree->node.at[chain->poll.at[n]].head == head)))
        n++;
    return n;
}

/*
 * The chain comes to polls that were followed before, from elsewhere: ranks that count their polls come to be alike after as many.  States in which a rank is there
 * were visited, so these polls stay what they are.  Those before are a round of their own if they go round often enough by themselves: one that is over where the others' is, if
 * that is; else each of them is a decision.
 */
static void note_new_polls(struct tree *tree, struct chain *chain, struct round round, enum poll_sight sight, size_t new, uint32_t rounds)
{
    bool goes_round = round.period && !round.seen && new >= round.first + (size_t)rounds * round.period;

    chain->poll.n = new;
    note_round(tree, chain, goes_round ? round : (struct round){0});
    if (goes_round && sight != SIGHT_ENDLESS)
        note_exit(tree, chain, round, new, sight == SIGHT_SEEN);
}

static void note_sight(struct tree *tree, const struct chain *chain, struct round round, enum poll_sight sight,
                       size_t back, uint32_t rounds)
{
    if (sight == SIGHT_SEEN) {
        note_run_up(tree, chain, round, back, rounds);
        return;
    }
    note_round(tree, chain, round);
    if (sight == SIGHT_EXIT)
        note_exit(tree, chain, round, chain->poll.n, false);
}

node_id spin_head(struct tree *tree, node_id id, struct spin_limits limits)
{
    struct chain chain = {0};
    struct round round;
    struct map_key place;
    enum poll_sight sight = SIGHT_ENDLESS;
    size_t back = 0;

    if (tree->node.at[id].followed || tree->scout_due)
        return spin_known_head(tree, id);
    round = follow_polls(tree, &chain, id, limits.rounds);
    if (round.period && !round.seen && !tree->failed && !tree->scout_due) {
        uint32_t learned;

        place = place_key(tree, chain.poll.at[round.first], round.period);
        learned = map_find(&tree->lessons, place, 0);
        if (is_worth_looking(tree, place))
            sight = lengthen_chain(tree, &chain, round.period,
                                   round.first + (learned > limits.ahead ? learned : limits.ahead), &back);
        if (tree->scout_due)
            forget_look(tree, place);
        else if (sight == SIGHT_EXIT && !tree_only_tries(tree))
            learn_polls(tree, place, chain.poll.n - round.first);
    }
    if (!tree->failed && !tree->scout_due && !tree_only_tries(tree)) {
        size_t new = count_new(tree, &chain, NODE_NONE);

        if (new < chain.poll.n)
            note_new_polls(tree, &chain, round, sight, new, limits.rounds);
        else
            note_sight(tree, &chain, round, sight, back, limits.rounds);
    }
    vec_release(&chain.poll);
    return spin_known_head(tree, id);
}

bool spin_goes_on(struct tree *tree, node_id head, uint32_t patience)
{
    struct round round = {0, tree->node.at[head].period, false};
    struct chain chain = {0};
    size_t back = 0;
    enum poll_sight sight;
    struct polls_ahead before;
    bool takes_over = false;

    if (tree->node.at[head].certain)
        return true;
    if (spin_exit(tree, head))
        return false;
    before = tree->polls_ahead.at[tree->node.at[head].polls_ahead - 1];
    vec_push(&chain.poll, head);
    sight = lengthen_chain(tree, &chain, round.period, patience, &back);
    if (!tree->failed) {
        size_t own = count_new(tree, &chain, head);

        takes_over = own < chain.poll.n && sight != SIGHT_ENDLESS;
        if (sight == SIGHT_ENDLESS)
            chain.poll.n = own;
        note_sight(tree, &chain, round, sight, back, 1);
        tree->node.at[head].certain = tree->node.at[head].certain || sight == SIGHT_ENDLESS;
        if (sight == SIGHT_ENDLESS && before.leapt) { /* it was followed further than that */
            struct polls_ahead *ahead = &tree->polls_ahead.at[tree->node.at[head].polls_ahead - 1];

            ahead->far = before.far;
            ahead->leapt = before.leapt;
        }
    }
    if (sight == SIGHT_EXIT)
        learn_polls(tree, place_key(tree, head, round.period), chain.poll.n);
    vec_release(&chain.poll);
    return !tree->failed && !takes_over && spin_known_head(tree, head) == head && tree->node.at[head].certain;
}

/* ---- further than that ---- */

enum {
    LEAP = 1 << 20,
    FOLLOWED = 1 << 16, /* noes up to which polls are looked through one by one, if it is known that they give up there */
};

enum spin_way spin_leap(struct tree *tree, node_id head, uint32_t noes)
{
    struct polls_ahead ahead = tree->polls_ahead.at[tree->node.at[head].polls_ahead - 1];
    uint32_t period = tree->node.at[head].period, asked = 0;
    bool polls = spin_only_polls(tree, ahead.far); /* else that was found before */

    while (polls && ahead.leapt < noes && asked <= 2 * period) {
        struct ret ret = {.noes = noes - ahead.leapt < LEAP ? noes - ahead.leapt : LEAP, .last = true, .blind = true};
        node_id next = tree_child(tree, ahead.far, &ret);
        uint32_t told;

        if (!next)
            return SPIN_ON;
        told = tree_leap(tree, ahead.far);
        asked = told > 1 ? 0 : asked + 1; /* until all polls of the round were told no, the rank asks */
        polls = spin_only_polls(tree, next);
        ahead.far = next;
        ahead.leapt += told;
    }
    tree->polls_ahead.at[tree->node.at[head].polls_ahead - 1] = ahead;
    if (polls)
        return SPIN_ON;
    if (ahead.noes + ahead.leapt > FOLLOWED)
        return SPIN_STRAYS;
    return spin_goes_on(tree, head, ahead.noes + ahead.leapt + period) ? SPIN_STRAYS : SPIN_OUT;
}

bool spin_can_leap(const struct tree *tree, node_id head)
{
    uint32_t ahead = tree->node.at[head].polls_ahead;

    return tree->runner.leaps && ahead && tree->polls_ahead.at[ahead - 1].far;
}
