/*
 * reaches -- what is sent below nodes, told from stretch to stretch (reach.h).
 */
#include "explore/tree.h"

void reaches_release(struct reaches *reaches)
{
    vec_release(&reaches->stretch);
    vec_release(&reaches->reach);
    vec_release(&reaches->joint);
    map_release(&reaches->by_mailbox);
    vec_release(&reaches->news);
}

static uint32_t place_in_stretch(const struct tree *tree, node_id id)
{
    return 2 * tree->node.at[id].depth;
}

static struct map_key mailbox_of_stretch(uint32_t stretch, uint32_t mailbox)
{
    return map_key2(stretch, mailbox);
}

void reaches_add_node(struct tree *tree, node_id id)
{
    struct reaches *reaches = &tree->reaches;
    node_id parent = tree->node.at[id].parent;
    uint32_t above = tree->node.at[parent].stretch;

    if (!reaches->stretch.n) { /* what counts from 1 */
        vec_push(&reaches->stretch, (struct stretch_of_nodes){0});
        vec_push(&reaches->reach, (struct reach){0});
        vec_push(&reaches->joint, (struct joint){0});
    }
    if (parent && reaches->stretch.at[above].last == parent) {
        tree->node.at[id].stretch = above;
        reaches->stretch.at[above].last = id;
        return;
    }
    tree->node.at[id].stretch = (uint32_t)reaches->stretch.n;
    vec_push(&reaches->stretch, (struct stretch_of_nodes){.first = id, .last = id});
}

/* ---- what a stretch knows ---- */

static void add_reach(struct reaches *reaches, const struct reach_news *news, uint64_t tags)
{
    struct map_key key = mailbox_of_stretch(news->stretch, news->mailbox);
    struct stretch_of_nodes *stretch = &reaches->stretch.at[news->stretch];
    uint32_t first = map_find(&reaches->by_mailbox, key, 0), free = 0;

    for (uint32_t i = first; i; i = reaches->reach.at[i].more) {
        if (reaches->reach.at[i].tags && reaches->reach.at[i].place == news->place) {
            reaches->reach.at[i].tags |= tags;
            return;
        }
        free = reaches->reach.at[i].tags ? free : i;
    }
    if (free) {
        reaches->reach.at[free].place = news->place;
        reaches->reach.at[free].tags = tags;
        return;
    }
    vec_push(&reaches->reach, (struct reach){news->mailbox, news->place, tags, first, stretch->reach});
    stretch->reach = (uint32_t)reaches->reach.n - 1;
    map_put(&reaches->by_mailbox, key, stretch->reach);
}

/* ---- beyond it ---- */

static void tell_parent(struct tree *tree, node_id parent, uint32_t mailbox, uint64_t tags)
{
    vec_push(&tree->reaches.news,
             (struct reach_news){tree->node.at[parent].stretch, mailbox, place_in_stretch(tree, parent) + 1, tags});
}

/* All parents of a node, but for the one above it in its stretch. */
static void tell_parents(struct tree *tree, node_id id, uint32_t mailbox, uint64_t tags)
{
    bool first = tree->reaches.stretch.at[tree->node.at[id].stretch].first == id;
    uint32_t at = 0;
    node_id parent;

    for (bool own = true; (parent = tree_parent(tree, id, &at)); own = false)
        if (first || !own)
            tell_parent(tree, parent, mailbox, tags);
}

/* A stretch knew of these tags up to a place, or not at all, and does up to another one now. */
static void tell_beyond(struct tree *tree, const struct reach_news *news, uint64_t tags, bool known, uint32_t before)
{
    const struct reaches *reaches = &tree->reaches;
    struct stretch_of_nodes stretch = reaches->stretch.at[news->stretch];

    if (!known)
        tell_parents(tree, stretch.first, news->mailbox, tags);
    for (uint32_t i = stretch.joint; i; i = reaches->joint.at[i].next) {
        node_id node = reaches->joint.at[i].node;
        uint32_t place = place_in_stretch(tree, node);

        if (node != stretch.first && place <= news->place && (!known || before < place))
            tell_parents(tree, node, news->mailbox, tags);
    }
}

static void take_reach_news(struct tree *tree, struct reach_news news)
{
    struct reaches *reaches = &tree->reaches;
    struct map_key key = mailbox_of_stretch(news.stretch, news.mailbox);
    uint64_t tags = news.tags, new;

    for (uint32_t i = map_find(&reaches->by_mailbox, key, 0); i; i = reaches->reach.at[i].more)
        if (reaches->reach.at[i].place >= news.place)
            tags &= ~reaches->reach.at[i].tags;
    new = tags;
    for (uint32_t i = map_find(&reaches->by_mailbox, key, 0); i && tags; i = reaches->reach.at[i].more) {
        struct reach *reach = &reaches->reach.at[i];
        uint64_t deeper = reach->tags & tags;

        if (reach->place >= news.place || !deeper)
            continue;
        reach->tags &= ~deeper;
        new &= ~deeper;
        tell_beyond(tree, &news, deeper, true, reach->place);
    }
    if (new)
        tell_beyond(tree, &news, new, false, 0);
    if (tags)
        add_reach(reaches, &news, tags);
}

static void take_all_news(struct tree *tree)
{
    while (tree->reaches.news.n) {
        struct reach_news news = vec_pop(&tree->reaches.news);

        take_reach_news(tree, news);
    }
}

void reaches_tell(struct tree *tree, node_id id, uint32_t mailbox, uint64_t tags)
{
    vec_push(&tree->reaches.news, (struct reach_news){tree->node.at[id].stretch, mailbox, place_in_stretch(tree, id), tags});
    take_all_news(tree);
}

void reaches_adopt(struct tree *tree, node_id id)
{
    struct reaches *reaches = &tree->reaches;
    const struct node *node = &tree->node.at[id];
    struct stretch_of_nodes *stretch = &reaches->stretch.at[node->stretch];
    node_id parent = tree->parents.at[node->more].node;

    if (!tree->parents.at[node->more].before && stretch->first != id) {
        vec_push(&reaches->joint, (struct joint){id, stretch->joint});
        stretch->joint = (uint32_t)reaches->joint.n - 1;
    }
    for (uint32_t i = stretch->reach; i; i = reaches->reach.at[i].next)
        if (reaches->reach.at[i].tags && reaches->reach.at[i].place >= place_in_stretch(tree, id))
            tell_parent(tree, parent, reaches->reach.at[i].mailbox, reaches->reach.at[i].tags);
    take_all_news(tree);
}

uint64_t reaches_below(const struct tree *tree, node_id id, uint32_t mailbox, uint64_t tags)
{
    const struct reaches *reaches = &tree->reaches;
    uint32_t first = map_find(&reaches->by_mailbox, mailbox_of_stretch(tree->node.at[id].stretch, mailbox), 0);
    uint64_t below = 0;

    for (uint32_t i = first; i; i = reaches->reach.at[i].more)
        if (reaches->reach.at[i].place > place_in_stretch(tree, id))
            below |= reaches->reach.at[i].tags;
    return below & tags;
}
