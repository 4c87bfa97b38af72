#include "explore/tree.h"

#include <string.h>

#include "base/die.h"
#include "base/hash.h"
#include "call/dynamic.h"
#include "call/window.h"
#include "explore/invariants.h"

enum {
    LONG_RUN = 10,     /* segments of all ranks, but for their first; in a first run, beyond that images are not taken at once */
    PIECES_KEPT = 256, /* lists of pieces that are compared with new ones */
    MOST_LOOKS = 1000, /* segments of a first run that are looked at, when it has ended: a tenth of a second, or so */
};

bool tree_is_long(const struct tree *tree)
{
    return tree->begins && !tree->has_windows && tree->segments - tree->starts > LONG_RUN;
}

bool tree_awaits_scout(struct tree *tree, size_t polls)
{
    tree->scout_due |= tree->scouts_first && !tree_only_tries(tree) && polls >= LONG_RUN && tree_is_long(tree);
    return tree->scout_due;
}

void tree_init(struct tree *tree, const struct runner *runner)
{
    *tree = (struct tree){.runner = *runner};
    bulk_push(&tree->node, (struct node){.rank = RANK_NONE});
    bulk_push(&tree->op, (struct tree_op){0});
    vec_push(&tree->parents, (struct parent){0});
}

void tree_release(struct tree *tree)
{
    reaches_release(&tree->reaches);
    vec_release(&tree->parents);
    hoard_release(&tree->hoard);
    free(tree->pieces);
    map_release(&tree->images);
    for (size_t r = 0; r < tree->unlooked.n; r++)
        bulk_release(&tree->unlooked.at[r].at);
    vec_release(&tree->unlooked);
    map_release(&tree->unlooked_more);
    map_release(&tree->polls_alike);
    map_release(&tree->lessons);
    map_release(&tree->visits);
    map_release(&tree->leaps);
    vec_release(&tree->polls_ahead);
    vec_release(&tree->later_poll);
    map_release(&tree->later_polls);
    bulk_release(&tree->node);
    bulk_release(&tree->op);
    vec_release(&tree->complaints);
    map_release(&tree->edges);
    map_release(&tree->mailboxes);
    map_release(&tree->types);
}

static uint32_t count_pieces(const struct ret *ret)
{
    uint32_t pieces = 0;

    for (uint32_t i = 0; i < ret->items; i++)
        pieces += ret->item[i].pieces;
    return pieces;
}

struct ret *ret_copy(const struct ret *ret)
{
    struct ret *copy;
    struct answer_item *item;
    struct answer_piece *piece;
    uint32_t items, pieces;

    if (!ret)
        return NULL;
    items = ret->items;
    pieces = count_pieces(ret);
    copy = xmalloc(sizeof *copy + items * sizeof *item + pieces * sizeof *piece);
    item = (struct answer_item *)(copy + 1);
    piece = (struct answer_piece *)(item + items);
    if (items)
        memcpy(item, ret->item, items * sizeof *item);
    if (pieces)
        memcpy(piece, ret->piece, pieces * sizeof *piece);
    *copy = *ret;
    copy->item = item;
    copy->piece = piece;
    return copy;
}

static bool same_answer_item(const struct answer_item *a, const struct answer_item *b)
{
    return a->request == b->request && a->flags == b->flags && a->source == b->source && a->message == b->message &&
           a->content == b->content && a->pieces == b->pieces && a->first_piece == b->first_piece;
}

static bool same_piece(const struct answer_piece *a, const struct answer_piece *b)
{
    return a->from == b->from && a->slice == b->slice && a->part == b->part && a->content == b->content;
}

bool ret_is_same(const struct ret *a, const struct ret *b)
{
    uint32_t pieces;

    if (!a || !b || a->flag != b->flag || (a->noes > 0) != (b->noes > 0) || a->items != b->items)
        return false;
    for (uint32_t i = 0; i < a->items; i++)
        if (!same_answer_item(&a->item[i], &b->item[i]))
            return false;
    pieces = count_pieces(a);
    for (uint32_t i = 0; i < pieces; i++)
        if (!same_piece(&a->piece[i], &b->piece[i]))
            return false;
    return true;
}

/* All members of a collective get the same pieces, as a rule, and soon after each other: those are kept once. */
static const struct answer_piece *keep_pieces(struct tree *tree, const struct answer_piece *piece, uint32_t n)
{
    struct map_key sum = HASH_START;
    struct kept_pieces *kept;

    hash_stir(&sum, n);
    for (uint32_t i = 0; i < n; i++) {
        hash_stir(&sum, piece[i].from | (uint64_t)piece[i].slice << 32);
        hash_stir(&sum, (uint64_t)(uintptr_t)piece[i].part);
        hash_stir(&sum, piece[i].content);
    }
    if (!tree->pieces)
        tree->pieces = xcalloc(PIECES_KEPT, sizeof *tree->pieces);
    kept = &tree->pieces[sum.low % PIECES_KEPT];
    if (!kept->piece || !map_key_is_same(kept->sum, sum))
        *kept = (struct kept_pieces){sum, hoard_copy(&tree->hoard, piece, n * sizeof *piece)};
    return kept->piece;
}

static struct ret *keep_ret(struct tree *tree, const struct ret *ret)
{
    struct ret *copy;
    uint32_t pieces;

    if (!ret)
        return NULL;
    pieces = count_pieces(ret);
    copy = hoard_copy(&tree->hoard, ret, sizeof *ret);
    copy->hasty = tree_is_long(tree);
    copy->blind = ret->blind || tree->scouts;
    copy->last = ret->last || tree->scouts;
    copy->item = hoard_copy(&tree->hoard, ret->item, ret->items * sizeof *ret->item);
    copy->piece = pieces ? keep_pieces(tree, ret->piece, pieces) : NULL;
    return copy;
}

node_id tree_parent(const struct tree *tree, node_id id, uint32_t *at)
{
    const struct node *node = &tree->node.at[id];
    node_id parent = node->parent;

    if (!*at && !parent) /* a keeper may come back to where it began */
        *at = node->more ? node->more : UINT32_MAX;
    if (*at == UINT32_MAX)
        return NODE_NONE;
    if (*at)
        parent = tree->parents.at[*at].node;
    *at = *at ? tree->parents.at[*at].before : node->more;
    if (!*at)
        *at = UINT32_MAX;
    return parent;
}

static struct map_key mailbox_key(rank_t rank, context_t context)
{
    return map_key2((uint64_t)(uint32_t)rank + 1, context);
}

uint32_t tree_mailbox(struct tree *tree, rank_t rank, context_t context)
{
    uint32_t mailbox = map_find(&tree->mailboxes, mailbox_key(rank, context), 0);

    if (!mailbox) {
        mailbox = (uint32_t)tree->mailboxes.n + 1;
        map_put(&tree->mailboxes, mailbox_key(rank, context), mailbox);
    }
    return mailbox;
}

bool tree_sends_below(const struct tree *tree, node_id id, uint32_t mailbox, uint64_t tags)
{
    return reaches_below(tree, id, mailbox, tags);
}

/* What a call is to those who only look at who meets whom; addresses and contents are not part of it. */
static uint64_t stir_flow(uint64_t flow, const struct op *op)
{
    struct map_key sum = {flow, HASH_START.low};

    hash_stir(&sum, op->kind | (uint64_t)op->call << 16 | (uint64_t)op->flags << 32);
    hash_stir(&sum, (uint32_t)op->peer | (uint64_t)(uint32_t)op->tag << 32);
    hash_stir(&sum, op->context);
    return sum.high ^ sum.low;
}

static void note_attached(struct tree *tree, struct attached *attached, const struct op *op)
{
    if (op->kind == OP_ATTACHED && op->buffer == 0)
        *attached = (struct attached){.size = op->room, .overhead = (uint64_t)op->overhead};
    tree->overfull |= op->kind == OP_ATTACHED && op->buffer != 0; /* with several of them this sum says nothing */
    if (op->kind != OP_SEND || !(op->flags & OPF_ATTACHED))
        return;
    attached->used += op->bytes + attached->overhead;
    tree->overfull |= attached->used > attached->size;
}

static void note_peculiarities(struct tree *tree, const struct op *op)
{
    tree->keepers_asked |= op->kind == OP_SEND && op->context == KEEPER_CONTEXT && !window_tag_is_of_contents(op->tag);
    tree->locks |= op->kind == OP_SEND && op->context == KEEPER_CONTEXT &&
                   (op->tag == WINDOW_EXCLUSIVE || op->tag == WINDOW_SHARED);
    tree->unchecked |= op->kind == OP_TENURE && (op->tenure == WINDOW_HELD_ALONE || op->tenure == WINDOW_HELD_SHARED);
    tree->exposed |= op->kind == OP_TENURE && op->tenure == WINDOW_EXPOSED;
    tree->dynamic |= op_is_dynamic(op);
}

static void file_ops(struct tree *tree, node_id id)
{
    struct node *node = &tree->node.at[id];
    const uint64_t *content = node->contents;
    const struct op *op = node->ops;

    node->first_op = (uint32_t)tree->op.n;
    for (uint32_t i = 0; i < node->count; i++, op = op_next(op)) {
        if (op->kind == OP_PCONTROL)
            node->marked = op->level == 0;
        bulk_push(&tree->op, (struct tree_op){op, op_identity(op, content), id, (uint32_t)(content - node->contents),
                                              node->marked});
        content += op_contents(op);
        node->flow = stir_flow(node->flow, op);
        node->started |= op->kind == OP_INIT;
        node->finished = op->kind == OP_FINALIZE || (node->finished && op->kind != OP_INIT); /* by sessions, it may begin again */
        tree->ready |= op->kind == OP_SEND && op->flags & OPF_READY;
        tree->unstarted |= op->kind == OP_UNSTARTED;
        tree->windows |= op->kind == OP_WINDOW;
        tree->files |= op->kind == OP_FILE_ACCESS;
        note_peculiarities(tree, op);
        note_attached(tree, &node->attached, op);
        if (op->kind == OP_COMPLAINT)
            vec_push(&tree->complaints, node->first_op + i);
        if (op->kind == OP_SEND)
            reaches_tell(tree, id, tree_mailbox(tree, op->peer, op->context), tag_set(op->tag));
        else if (op->kind == OP_TYPE)
            map_put(&tree->types, map_key(op->signature), (uint32_t)tree->op.n - 1);
    }
}

const struct op *tree_find_type(void *data, uint64_t signature)
{
    const struct tree *tree = data;
    uint32_t user = map_find(&tree->types, map_key(signature), 0);

    return user ? tree->op.at[user].op : NULL;
}

static void copy_lists(struct tree *tree, struct node *node, const struct segment *segment)
{
    struct segment_size size = segment_size(segment);

    node->ops = segment->count ? hoard_copy(&tree->hoard, segment->ops, size.ops) : NULL;
    node->contents = hoard_copy(&tree->hoard, segment->contents, size.contents * sizeof *node->contents);
}

static void take_in(struct tree *tree, node_id id, const struct segment *segment)
{
    struct node *node = &tree->node.at[id];

    if (segment->end == SEGMENT_CALL && segment->count == 0)
        BUG("rank %d wants an answer to nothing", node->rank);
    node->count = segment->count;
    node->end = (uint8_t)segment->end;
    node->code = segment->code;
    node->ops = segment->ops;
    node->contents = segment->contents;
    if (!segment->kept)
        copy_lists(tree, node, segment);
    reaches_add_node(tree, id);
    file_ops(tree, id);
}

/* What the future of a rank depends on: its image, and what the tree keeps for it. */
static struct map_key rank_key(const struct node *node, const struct segment *segment)
{
    struct map_key sum = segment->imaged ? segment->image : HASH_START;

    hash_stir(&sum, (uint64_t)node->rank);
    hash_stir(&sum, (uint64_t)node->started | (uint64_t)node->finished << 1 | (uint64_t)node->marked << 2);
    return sum;
}

static void stir_segment(struct map_key *sum, const struct segment *segment)
{
    const struct op *op = segment->ops;
    const uint64_t *content = segment->contents;

    hash_stir(sum, segment->count | (uint64_t)segment->end << 32);
    hash_stir(sum, (uint64_t)segment->code);
    for (uint32_t i = 0; i < segment->count; i++, op = op_next(op)) {
        hash_stir(sum, op->place);
        hash_stir(sum, op_identity(op, content));
        content += op_contents(op);
    }
}

/* What makes a history the same as another: its rank, and the last segment. */
static struct map_key image_key(const struct node *node, const struct segment *segment)
{
    struct map_key sum = rank_key(node, segment);

    stir_segment(&sum, segment);
    return sum;
}

static struct map_key unlooked_key(const struct node *node, const struct segment *segment)
{
    struct segment unseen = *segment;
    struct map_key sum;

    unseen.imaged = false;
    sum = image_key(node, &unseen);
    hash_stir(&sum, node->depth);
    return sum;
}

/* Everything that can be sent from a node on, a further node above it can reach. */
static void adopt_parent(struct tree *tree, node_id id, node_id parent)
{
    struct node *node = &tree->node.at[id];

    vec_push(&tree->parents, (struct parent){parent, node->more});
    node->more = (uint32_t)tree->parents.n - 1;
    reaches_adopt(tree, id);
}

/* Whoever has ended has no future in which its image could matter. */
static bool is_comparable(const struct tree *tree, const struct segment *segment)
{
    return tree->merges && (segment->end == SEGMENT_EXIT || (segment->end == SEGMENT_CALL && segment->imaged));
}

/* Where the first node of this rank and depth is noted; NULL: that deep nobody was. */
static node_id *unlooked_slot(const struct tree *tree, const struct node *node)
{
    bool deep = (size_t)node->rank >= tree->unlooked.n || node->depth >= tree->unlooked.at[node->rank].at.n;

    return deep ? NULL : &tree->unlooked.at[node->rank].at.at[node->depth];
}

static node_id *new_unlooked_slot(struct tree *tree, const struct node *node)
{
    while (tree->unlooked.n <= (size_t)node->rank)
        vec_push(&tree->unlooked, (struct unlooked){0});
    while (tree->unlooked.at[node->rank].at.n <= node->depth)
        bulk_push(&tree->unlooked.at[node->rank].at, NODE_NONE);
    return unlooked_slot(tree, node);
}

/* A node and its segment as they were when it was new: what the segment itself has started and finished was not known then. */
static struct node node_when_new(const struct tree *tree, node_id id, struct segment *segment)
{
    struct node node = tree->node.at[id];
    const struct node *parent = &tree->node.at[node.parent];

    *segment = (struct segment){
        .ops = node.ops, .count = node.count, .contents = node.contents, .end = node.end, .code = node.code};
    node.started = parent->started;
    node.finished = parent->finished;
    node.marked = parent->marked;
    return node;
}

static struct map_key unlooked_key_of(const struct tree *tree, node_id id)
{
    struct segment segment;
    struct node node = node_when_new(tree, id, &segment);

    return unlooked_key(&node, &segment);
}

/* Of one that is looked at later, if ever, it is noted where it would be found. */
static void note_unlooked(struct tree *tree, node_id id, const struct segment *segment)
{
    const struct node *node = &tree->node.at[id];
    struct map_key key;
    node_id *first;

    if (!tree->merges || !tree_is_long(tree) || !tree->runner.look || segment->end != SEGMENT_CALL || segment->imaged)
        return;
    first = new_unlooked_slot(tree, node);
    key = unlooked_key(node, segment);
    if (*first && !map_key_is_same(unlooked_key_of(tree, *first), key)) {
        map_put(&tree->unlooked_more, key, id);
        return;
    }
    map_remove(&tree->unlooked_more, key);
    *first = id;
}

/* The node that was noted and would have the key of this one, which is new; it is noted no longer.  NODE_NONE: none. */
static node_id take_unlooked(struct tree *tree, const struct node *node, const struct segment *segment)
{
    node_id *first = unlooked_slot(tree, node), other;
    struct map_key key;

    if (!first)
        return NODE_NONE;
    key = unlooked_key(node, segment);
    other = *first;
    if (other && map_key_is_same(unlooked_key_of(tree, other), key)) {
        *first = NODE_NONE;
        return other;
    }
    other = map_find(&tree->unlooked_more, key, NODE_NONE);
    map_remove(&tree->unlooked_more, key);
    return other;
}

/*
 * A history has come to be looked at.  If there is one that may be the same and was not, that is made up for now.  A segment
 * that is only lent is copied first, and to be freed: then this is true.
 */
static bool look_late(struct tree *tree, node_id id, struct segment *segment)
{
    struct segment_size size = segment_size(segment);
    const struct node *node = &tree->node.at[id];
    node_id other = take_unlooked(tree, node, segment);
    struct segment like = *segment;

    if (!other)
        return false;
    if (!segment->kept) {
        segment->ops = xmemdup(segment->ops, size.ops, 1);
        segment->contents = xmemdup(segment->contents, size.contents, sizeof *segment->contents);
    }
    like.ops = segment->ops;
    like.contents = segment->contents;
    if (tree->runner.look(tree->runner.data, other, &like.image))
        map_put(&tree->images, image_key(&tree->node.at[other], &like), other);
    return !segment->kept;
}

/* It is looked at now, and not once more. */
static void forget_unlooked(struct tree *tree, node_id id)
{
    node_id *first = unlooked_slot(tree, &tree->node.at[id]);
    struct map_key key = unlooked_key_of(tree, id);

    if (first && *first == id)
        *first = NODE_NONE;
    else if (map_find(&tree->unlooked_more, key, NODE_NONE) == id)
        map_remove(&tree->unlooked_more, key);
}

/* What is sent below one of them can be sent below the other. */
static void liken(struct tree *tree, node_id id, node_id first)
{
    tree->node.at[id].like = first;
    tree->likened++;
    adopt_parent(tree, first, id);
    adopt_parent(tree, id, first);
}

static bool look_and_liken(struct tree *tree, node_id id)
{
    struct segment segment;
    struct node node = node_when_new(tree, id, &segment);
    struct map_key key;
    node_id first;

    segment.imaged = true;
    forget_unlooked(tree, id);
    if (!tree->runner.look(tree->runner.data, id, &segment.image))
        return false;
    key = image_key(&node, &segment);
    first = map_find(&tree->images, key, NODE_NONE);
    if (!first)
        map_put(&tree->images, key, id);
    else if (first != id)
        liken(tree, id, first);
    return true;
}

bool tree_liken_first_run(struct tree *tree)
{
    uint64_t before = tree->likened;

    if (!tree->merges || !tree->runner.look || tree_work(tree) > MOST_LOOKS)
        return false;
    for (node_id id = 1; id < tree->node.n; id++) {
        const struct node *node = &tree->node.at[id];

        if (node->end == SEGMENT_CALL && node->parent && !node->same && !op_is_poll(tree_call(tree, id)) && !look_and_liken(tree, id))
            break;
    }
    return tree->likened > before;
}

/* The one that has what the segment says it joins; NODE_NONE: it is not there. */
static node_id find_joined(struct tree *tree, node_id id, const struct segment *segment)
{
    struct segment other = *segment;
    node_id same;

    other.image = segment->joins_image;
    other.contents = segment->joins_contents;
    same = map_find(&tree->images, image_key(&tree->node.at[id], &other), NODE_NONE);
    tree->joined |= same != NODE_NONE;
    return same;
}

/* The node that the new one, `id`, turns out to be: itself, or one with the same image. */
static node_id find_same(struct tree *tree, node_id id, node_id parent, const struct segment *segment)
{
    struct map_key key;
    node_id same;

    if (!is_comparable(tree, segment))
        return id;
    key = image_key(&tree->node.at[id], segment);
    same = map_find(&tree->images, key, NODE_NONE);
    if (!same && segment->joins)
        same = find_joined(tree, id, segment);
    if (!same) {
        map_put(&tree->images, key, id);
        return id;
    }
    tree->merged++;
    tree->node.at[id].same = same;
    if (tree->runner.same)
        tree->runner.same(tree->runner.data, id, same);
    adopt_parent(tree, same, parent);
    return same;
}

/* Whatever was posted before it, a rank that is in the same poll as before, and the same, does the same from there on. */
static node_id find_alike_poll(struct tree *tree, node_id id, const struct segment *segment)
{
    const struct op *call = tree->node.at[id].end == SEGMENT_CALL ? tree_call(tree, id) : NULL;
    struct map_key key;
    node_id first;

    if (!tree->merges || !segment->imaged || !call || !op_is_poll(call))
        return NODE_NONE;
    key = rank_key(&tree->node.at[id], segment);
    hash_stir(&key, call->place);
    hash_stir(&key, op_identity(call, NULL));
    first = map_find(&tree->polls_alike, key, NODE_NONE);
    if (!first)
        map_put(&tree->polls_alike, key, id);
    return first ? first : id;
}

void tree_look_at_poll(struct tree *tree, node_id id)
{
    struct node *node = &tree->node.at[id];
    struct segment segment = {.imaged = true};

    if (!tree->merges || node->alike || !node->ret || !node->ret->hasty || !tree->runner.look)
        return;
    if (tree_only_tries(tree))
        tree->failed = true;
    else if (tree->runner.look(tree->runner.data, id, &segment.image))
        tree->node.at[id].alike = find_alike_poll(tree, id, &segment);
}

static node_id grow_node(struct tree *tree, rank_t rank, node_id parent, const struct ret *ret)
{
    node_id id = (node_id)tree->node.n, same;
    struct segment segment = {0};
    struct node node = {.rank = rank};
    struct ret *kept;
    bool copied;

    if (tree->failed)
        return NODE_NONE;
    if (tree->trying) {
        tree->failed = true;
        return NODE_NONE;
    }
    if (tree->ahead) {
        tree->begun = tree->runner.ahead(tree->runner.data, rank, parent, ret);
        tree->failed = true;
        return NODE_NONE;
    }
    CHECKED(tree_check_step(tree));
    node.ret = kept = keep_ret(tree, ret);
    node.parent = parent;
    node.depth = parent ? tree->node.at[parent].depth + 1 : 0;
    node.started = tree->node.at[parent].started;
    node.finished = tree->node.at[parent].finished;
    node.marked = tree->node.at[parent].marked;
    node.attached = tree->node.at[parent].attached;
    node.flow = tree->node.at[parent].flow;
    bulk_push(&tree->node, node);
    tree->segments++;
    tree->unseen += ret && ret->blind;
    if (tree->runner.run(tree->runner.data, rank, parent, node.ret, id, &segment) < 0) {
        tree->failed = true;
        return NODE_NONE;
    }
    if (kept && kept->noes) {
        kept->noes = 1 + segment.noes;
        map_put(&tree->leaps, map_key(parent), kept->noes);
    }
    tree->effort += segment.effort;
    note_unlooked(tree, id, &segment);
    copied = is_comparable(tree, &segment) && segment.imaged && look_late(tree, id, &segment);
    same = find_same(tree, id, parent, &segment);
    if (same == id) {
        take_in(tree, id, &segment);
        tree->node.at[id].alike = find_alike_poll(tree, id, &segment);
    }
    if (copied) {
        free((struct op *)segment.ops);
        free((uint64_t *)segment.contents);
    }
    return same;
}

node_id tree_begin(struct tree *tree, rank_t rank)
{
    struct map_key key = map_key2(0, (uint64_t)rank);
    node_id id = map_find(&tree->edges, key, NODE_NONE);

    if (id)
        return id;
    tree->starts++;
    id = grow_node(tree, rank, NODE_NONE, NULL);
    if (id)
        map_put(&tree->edges, key, id);
    return id;
}

/* The only child so far has a sibling, or a return that looks otherwise and is the same. */
static void key_child(struct tree *tree, node_id id)
{
    struct node *node = &tree->node.at[id];

    if (node->child && !node->keyed)
        map_put(&tree->edges, answer_key(id, tree->node.at[node->child].ret), node->child);
    node->keyed = node->child;
}

/* The first child may have no entry of its own. */
static void forget_child(struct tree *tree, node_id id)
{
    const struct node *node = &tree->node.at[id];
    struct node *parent = &tree->node.at[node->parent];

    map_put(&tree->edges, answer_key(node->parent, node->ret), NODE_NONE);
    if (parent->child == id)
        parent->child = NODE_NONE;
}

void tree_forget_unknown(struct tree *tree)
{
    for (node_id id = 1; id < tree->node.n; id++)
        if (tree->node.at[id].end == SEGMENT_UNKNOWN && tree->node.at[id].parent)
            forget_child(tree, id);
}

void tree_part(struct tree *tree, node_id id)
{
    const struct node *node = &tree->node.at[id];

    if (node->same && node->parent)
        map_put(&tree->edges, answer_key(node->parent, node->ret), NODE_NONE);
}

void tree_unmerge(struct tree *tree)
{
    tree->merges = false;
    for (node_id id = 1; id < tree->node.n; id++) {
        tree_part(tree, id);
        tree->node.at[id].like = NODE_NONE;
    }
}

uint32_t tree_leap(const struct tree *tree, node_id id)
{
    return map_find(&tree->leaps, map_key(id), 0);
}

node_id tree_child(struct tree *tree, node_id id, const struct ret *ret)
{
    node_id child = tree->node.at[id].child, made = (node_id)tree->node.n;
    struct map_key key;

    bulk_pass();
    if (child && ret_is_same(tree->node.at[child].ret, ret))
        return child;
    key_child(tree, id);
    key = answer_key(id, ret);
    if ((child = map_find(&tree->edges, key, NODE_NONE)))
        return child;
    if (tree->node.at[id].like)
        return tree_child(tree, tree->node.at[id].like, ret);
    if (!(child = grow_node(tree, tree->node.at[id].rank, id, ret)))
        return NODE_NONE;
    if (child == made && !tree->node.at[id].child)
        tree->node.at[id].child = child;
    else
        map_put(&tree->edges, key, child);
    return child;
}
