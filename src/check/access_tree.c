#include "check/access_tree.h"

static struct access_node *tree_node(const struct access_tree *tree, uint32_t number)
{
    return &tree->node.at[number - 1];
}

static uint64_t furthest_of(const struct access_tree *tree, uint32_t number)
{
    return number ? tree_node(tree, number)->furthest : 0;
}

static void note_furthest(const struct access_tree *tree, uint32_t number)
{
    struct access_node *node = tree_node(tree, number);
    uint64_t left = furthest_of(tree, node->left), right = furthest_of(tree, node->right);
    node->furthest = node->range.until;
    node->furthest = left > node->furthest ? left : node->furthest;
    node->furthest = right > node->furthest ? right : node->furthest;
}

/* What begins before an address, and what does not. */
static void split_tree(const struct access_tree *tree, uint32_t number, uint64_t at, uint32_t *before, uint32_t *behind)
{
    if (!number) {
        *before = *behind = 0;
        return;
    }
    struct access_node *node = tree_node(tree, number);
    if (node->range.from < at) {
        split_tree(tree, node->right, at, &node->right, behind);
        *before = number;
    } else {
        split_tree(tree, node->left, at, before, &node->left);
        *behind = number;
    }
    note_furthest(tree, number);
}

static uint32_t place_node(const struct access_tree *tree, uint32_t under, uint32_t number)
{
    struct access_node *new = tree_node(tree, number);
    if (!under || tree_node(tree, under)->priority < new->priority) {
        split_tree(tree, under, new->range.from, &new->left, &new->right);
        note_furthest(tree, number);
        return number;
    }
    struct access_node *node = tree_node(tree, under);
    if (node->range.from < new->range.from)
        node->right = place_node(tree, node->right, number);
    else
        node->left = place_node(tree, node->left, number);
    note_furthest(tree, under);
    return under;
}

/* The same in every run of tourney. */
static uint32_t priority_of(size_t number)
{
    uint64_t x = ((uint64_t)number + 1) * UINT64_C(0x9e3779b97f4a7c15);
    x ^= x >> 29;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    return (uint32_t)(x >> 32);
}

void access_tree_add(struct access_tree *tree, struct access_range range)
{
    struct access_node new = {.range = range, .furthest = range.until, .priority = priority_of(tree->node.n)};
    vec_push(&tree->node, new);
    tree->root = place_node(tree, tree->root, (uint32_t)tree->node.n);
}

static void visit_overlaps(const struct access_tree *tree, uint32_t number, uint64_t from, uint64_t until,
                           void (*each)(void *, struct access_range *), void *data)
{
    while (number && furthest_of(tree, number) > from) {
        struct access_node *node = tree_node(tree, number);
        visit_overlaps(tree, node->left, from, until, each, data);
        if (node->range.from >= until)
            return;
        if (node->range.until > from)
            each(data, &node->range);
        number = node->right;
    }
}

void access_tree_each(struct access_tree *tree, uint64_t from, uint64_t until, void (*each)(void *, struct access_range *),
                      void *data)
{
    visit_overlaps(tree, tree->root, from, until, each, data);
}

void access_tree_keep(struct access_tree *tree, bool (*stays)(void *, const struct access_range *), void *data)
{
    size_t kept = 0;
    for (size_t i = 0; i < tree->node.n; i++)
        if (stays(data, &tree->node.at[i].range))
            tree->node.at[kept++].range = tree->node.at[i].range;
    size_t n = kept;
    tree->root = 0;
    for (kept = 0; kept < n; kept++) {
        struct access_range range = tree->node.at[kept].range;
        tree->node.n = kept;
        access_tree_add(tree, range);
    }
    tree->node.n = n;
}

void access_tree_release(struct access_tree *tree)
{
    vec_release(&tree->node);
    tree->root = 0;
}
