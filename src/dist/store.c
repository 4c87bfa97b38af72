#include "dist/store.h"

#include <string.h>

#include "base/die.h"
#include "base/hash.h"

enum { NOWHERE = 0 };

void store_init(struct store *store, int ranks)
{
    *store = (struct store){.ranks = ranks, .diverged = RANK_NONE};
    bulk_push(&store->node, (struct stored){.rank = RANK_NONE});
}

void store_release(struct store *store)
{
    for (size_t i = 0; i < store->node.n; i++)
        free(store->node.at[i].more);
    bulk_release(&store->node);
    for (size_t j = 0; j < store->job.n; j++) {
        for (int r = 0; r < store->ranks; r++)
            tale_release(&store->job.at[j].tale[r]);
        free(store->job.at[j].tale);
    }
    vec_release(&store->job);
    hoard_release(&store->hoard);
    map_release(&store->spots);
    map_release(&store->loops);
}

/* ---- what a call returned in a job, against what it returns in the search ---- */

/* Where the history of a node lies in a job: the segment + 1, or NOWHERE. */
static uint32_t segment_in(const struct store *store, node_id node, uint32_t job)
{
    const struct stored *stored = &store->node.at[node];
    if (stored->attached && stored->first.job == job && !stored->first.noes)
        return stored->first.segment + 1;
    if (!stored->mores)
        return NOWHERE;
    return map_find(&store->spots, map_key2(node, job), NOWHERE);
}

/* The operation in the job that the search calls by this name; false: its history is not in it. */
static bool locate_in_job(const struct store *store, uint32_t job, uint64_t name, rank_t *rank, uint64_t *op)
{
    node_id node = payload_node(name);
    uint32_t segment = segment_in(store, node, job);
    if (segment == NOWHERE)
        return false;
    *rank = store->node.at[node].rank;
    *op = store->job.at[job].tale[*rank].segment.at[segment - 1].first + payload_number(name);
    return true;
}

static const struct tale_item *find_item(const struct tale *tale, const struct tale_op *call, uint32_t request)
{
    for (size_t i = 0; i < call->items; i++) {
        const struct tale_item *item = &tale->item.at[call->first_item + i];
        if (item->op < tale->op.n && tale_op(tale, item->op)->request == request)
            return item;
    }
    return NULL;
}

/* Was it such a message that the job's rank saw? */
static bool same_envelope(const struct tale_item *told, const struct answer_item *item)
{
    return told->source == item->source && told->tag == item->message->tag && told->bytes == item->message->bytes;
}

/* Was it this message that it received? */
static bool is_message_received(const struct store *store, uint32_t job, const struct tale_item *item,
                                const struct op *message)
{
    rank_t sender;
    uint64_t op;
    if (!locate_in_job(store, job, message->payload, &sender, &op))
        return false;
    return !item || (item->source == sender && (!item->named || item->sender_op == op));
}

static bool same_pieces(const struct store *store, uint32_t job, const struct ret *ret, const struct answer_item *item)
{
    rank_t member;
    uint64_t op;
    for (uint32_t i = 0; i < item->pieces; i++) {
        const struct answer_piece *piece = &ret->piece[item->first_piece + i];
        if (piece->slice != NO_SLICE && !locate_in_job(store, job, piece->part->payload, &member, &op))
            return false;
    }
    return true;
}

static bool lists_request(const struct op *call, uint32_t request, uint32_t *position)
{
    const uint32_t *list = op_tail(call);
    if (call->kind != OP_WAIT && call->kind != OP_TEST)
        return call->request == request;
    for (*position = 0; *position < call->items; ++*position)
        if (list[*position] == request)
            return true;
    return false;
}

/* Which of the list came back is told by the choice; of others, all did. */
static bool was_chosen(const struct tale *tale, const struct tale_op *call, uint32_t position)
{
    if (!call->chosen || (call->kind != CHOICE_INDEX && call->kind != CHOICE_SET))
        return true;
    if (call->kind == CHOICE_INDEX)
        return call->value == (int32_t)position;
    for (size_t i = 0; i < call->indexes; i++)
        if (tale->index.at[call->first_index + i] == (int32_t)position)
            return true;
    return false;
}

static uint32_t count_chosen(const struct tale *tale, const struct tale_op *call, const struct op *op)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < op->items; i++)
        n += was_chosen(tale, call, i);
    return n;
}

/* A freed receive that is handed over with this answer is in no list; when it came, the job does not tell. */
static bool told_same_item(const struct store *store, uint32_t job, const struct tale *tale, size_t at,
                           const struct ret *ret, const struct answer_item *item, uint32_t *listed)
{
    const struct tale_op *call = &tale->op.at[at];
    const struct op *op = tale_op(tale, at);
    bool probe = op->kind == OP_PROBE || op->kind == OP_IPROBE;
    uint32_t position = 0;
    if (item->flags & ANSWERED_CHOSEN)
        return call->chosen && call->value == item->source;
    if (!probe && !lists_request(op, item->request, &position))
        return !item->message || is_message_received(store, job, NULL, item->message);
    *listed += 1;
    if (!probe && (op->kind == OP_WAIT || op->kind == OP_TEST) && !was_chosen(tale, call, position))
        return false;
    const struct tale_item *told = probe ? (call->items ? &tale->item.at[call->first_item] : NULL)
                                          : find_item(tale, call, item->request);
    if (told && told->cancelled != !!(item->flags & ANSWERED_CANCELLED))
        return false;
    if (item->flags & ANSWERED_SEEN)
        return told && same_envelope(told, item);
    if (item->message && (!told || !is_message_received(store, job, told, item->message)))
        return false;
    return same_pieces(store, job, ret, item);
}

static bool same_yes(const struct store *store, uint32_t job, const struct tale *tale, size_t at, const struct ret *ret)
{
    const struct op *op = tale_op(tale, at);
    uint32_t listed = 0;
    if (op_is_poll(op) && !ret->flag)
        return false;
    for (uint32_t i = 0; i < ret->items; i++)
        if (!told_same_item(store, job, tale, at, ret, &ret->item[i], &listed))
            return false;
    bool lists = op->kind == OP_WAIT || op->kind == OP_TEST;
    return !lists || listed == count_chosen(tale, &tale->op.at[at], op);
}

/* ---- polls ---- */

enum {
    LOOPS = 16,   /* as often as the search tells a rank no to see that it goes round */
    LEAVES = 12,  /* one that went round oftener, and left without a yes, is told to have left so late */
    BELIEVED = 64 /* noes without a job that shows them; to call a rank stuck, the search wants more */
};

static struct map_key poll_place_key(const struct op *op)
{
    return map_key2((uint64_t)op->kind << 32 | op->flags, op->place);
}

static bool is_loop(const struct store *store, const struct op *op)
{
    return map_find(&store->loops, poll_place_key(op), 0);
}

/* Which polls go round, and whether anybody cancels anything. */
static void learn_loops(struct store *store, const struct tale *tale)
{
    for (size_t i = 0; i < tale->op.n; i++) {
        const struct op *op = tale_op(tale, i);
        if (op_is_poll(op) && tale->op.at[i].noes >= LOOPS && !tale->op.at[i].turned)
            map_put(&store->loops, poll_place_key(op), 1);
        store->cancels = store->cancels || op->kind == OP_CANCEL;
    }
}

/* Where a rank goes that is told no. */
static bool follow_no(const struct store *store, const struct tale *tale, size_t at, struct tale_position from,
                      struct tale_position *to)
{
    const struct tale_op *call = &tale->op.at[at];
    uint64_t noes = call->turned && call->noes > LEAVES ? LEAVES : call->noes;
    bool loops = call->noes && !call->turned && from.noes < BELIEVED && is_loop(store, tale_op(tale, at));
    if (!loops && from.noes >= noes)
        return false;
    if (call->turned && from.noes + 1 == noes) {
        *to = (struct tale_position){from.job, from.segment + 1, 0, from.loose || noes != call->noes};
        return from.segment + 1 < tale->segment.n;
    }
    *to = (struct tale_position){from.job, from.segment, from.noes + 1, from.loose || from.noes >= noes};
    return true;
}

/* Where the rank goes from a spot if the call returns this, in the job; false: it returned something else, or not at all. */
static bool follow_in_job(const struct store *store, rank_t r, struct tale_position from, const struct ret *ret,
                          struct tale_position *to)
{
    const struct tale *tale = &store->job.at[from.job].tale[r];
    const struct told_segment *segment = &tale->segment.at[from.segment];
    if (segment->end != SEGMENT_CALL || !segment->whole)
        return false;
    size_t at = segment_call(segment);
    if (at >= tale->later)
        return false;
    const struct tale_op *call = &tale->op.at[at];
    bool poll = op_is_poll(tale_op(tale, at));
    if (poll && !ret->flag)
        return follow_no(store, tale, at, from, to);
    bool loops = poll && call->noes && is_loop(store, tale_op(tale, at));
    if (!call->answered || call->turned || from.segment + 1 == tale->segment.n ||
        (poll && from.noes != call->noes && !loops))
        return false;
    *to = (struct tale_position){from.job, from.segment + 1, 0, from.loose || (poll && from.noes != call->noes)};
    return same_yes(store, from.job, tale, at, ret);
}

/* ---- segments ---- */

/* Names what an operation brings, as the number `i` of its node. */
static uint64_t *name_contents(struct op *op, node_id id, uint32_t i, uint64_t *content)
{
    uint64_t name = payload_name(id, i);
    uint32_t contents = op_contents(op);
    if (contents)
        op->payload = name;
    for (uint32_t k = 0; k < contents; k++)
        *content++ = hash_bytes(k, &name, sizeof name);
    return content;
}

/* What the rank does from this spot on: its segment, or, after a no, the same poll once more. */
struct tale_stretch {
    size_t first;
    uint32_t count;
};

static struct tale_stretch stretch_at(const struct told_segment *segment, struct tale_position spot)
{
    return spot.noes ? (struct tale_stretch){segment_call(segment), 1}
                     : (struct tale_stretch){segment->first, segment->count};
}

/* A segment is one history's, as a rule: then it need not be copied.  That of a poll which was told no is that of all its noes. */
static void write_segment(struct store *store, node_id id, struct tale_position spot)
{
    struct stored *node = &store->node.at[id];
    struct tale *tale = &store->job.at[spot.job].tale[node->rank];
    struct told_segment *segment = &tale->segment.at[spot.segment];
    struct tale_stretch stretch = stretch_at(segment, spot);
    bool own = !segment->taken && !spot.noes;
    size_t bytes = 0, contents = 0;
    for (uint32_t i = 0; i < stretch.count; i++) {
        bytes += tale_op(tale, stretch.first + i)->size;
        contents += op_contents(tale_op(tale, stretch.first + i));
    }
    uint64_t *content =
        own ? tale->content + segment->first_content : hoard_take(&store->hoard, contents * sizeof *content);
    struct op *ops = stretch.count ? tale_op(tale, stretch.first) : NULL;
    if (!own && ops)
        ops = hoard_copy(&store->hoard, ops, bytes);
    node->ops = ops;
    node->contents = content;
    for (uint32_t i = 0; i < stretch.count; i++, ops = (struct op *)op_next(ops))
        content = name_contents(ops, id, i, content);
    segment->taken |= own;
    node->count = stretch.count;
    node->end = segment->end;
    node->code = segment->code;
    node->assumed = segment->assumed;
}

static bool same_told_op(const struct op *kept, const struct op *told)
{
    struct op copy = *kept;
    copy.payload = told->payload; /* names, if they have been given */
    copy.type = told->type;       /* a number that depends on where types lie in memory */
    if (memcmp(&copy, told, sizeof copy) != 0)
        return false;
    return told->kind == OP_CRASH || memcmp(op_tail(kept), op_tail(told), op_tail_size(told)) == 0;
}

/* Whether the job shows the segment that is known, as far as it came. */
static bool is_same_segment(const struct store *store, const struct stored *node, struct tale_position spot)
{
    const struct tale *tale = &store->job.at[spot.job].tale[node->rank];
    const struct told_segment *segment = &tale->segment.at[spot.segment];
    struct tale_stretch stretch = stretch_at(segment, spot);
    uint32_t count = stretch.count;
    const struct op *op = node->ops;
    if (count > node->count || (segment->whole && (count != node->count || segment->end != node->end)))
        return node->end == SEGMENT_UNKNOWN;
    if (count && op == tale_op(tale, stretch.first))
        return true;
    for (uint32_t i = 0; i < count; i++, op = op_next(op))
        if (!same_told_op(op, tale_op(tale, stretch.first + i)))
            return false;
    return !segment->whole || segment->assumed || node->assumed || segment->code == node->code;
}

/* ---- attaching ---- */

/* Room for them doubles; how much there is follows from how many there are. */
static void add_spot(struct stored *node, struct tale_position spot)
{
    if (!node->attached) {
        node->first = spot;
        node->attached = true;
        return;
    }
    if ((node->mores & (node->mores - 1)) == 0)
        node->more = xrealloc(node->more, node->mores ? 2 * node->mores : 1, sizeof *node->more);
    node->more[node->mores++] = spot;
}

static void attach_spot(struct store *store, node_id id, struct tale_position spot)
{
    struct stored *node = &store->node.at[id];
    if (!is_same_segment(store, node, spot)) {
        if (!spot.loose)
            store->diverged = node->rank;
        return;
    }
    add_spot(node, spot);
    if (spot.noes == 0 && node->mores)
        map_put(&store->spots, map_key2(id, spot.job), spot.segment + 1);
}

static size_t count_spots(const struct stored *node)
{
    return node->attached + node->mores;
}

static const struct tale_position *spot_at(const struct stored *node, size_t i)
{
    return i ? &node->more[i - 1] : &node->first;
}

/* Where a job stands at a node, if its history is in it; the job that was added last is looked for first. */
static const struct tale_position *spot_in(const struct stored *node, uint32_t job)
{
    for (size_t i = count_spots(node); i-- > 0;)
        if (spot_at(node, i)->job == job)
            return spot_at(node, i);
    return NULL;
}

static void attach_known(struct store *store, node_id id, uint32_t job)
{
    const struct stored *node = &store->node.at[id];
    struct tale_position to = {.job = job};
    if (node->rank == RANK_NONE || !store->job.at[job].tale[node->rank].segment.n)
        return;
    const struct tale_position *from = node->parent ? spot_in(&store->node.at[node->parent], job) : NULL;
    if (!node->parent || (from && follow_in_job(store, node->rank, *from, node->ret, &to)))
        attach_spot(store, id, to);
}

/* Parents of a node, and those it has heard from, were asked for before it: once through them is enough. */
void store_add_job(struct store *store, struct tale *tale)
{
    uint32_t job = (uint32_t)store->job.n;
    vec_push(&store->job, (struct job_record){tale});
    for (rank_t r = 0; r < store->ranks; r++)
        learn_loops(store, &tale[r]);
    for (node_id id = 1; id < store->node.n && store->diverged == RANK_NONE; id++)
        attach_known(store, id, job);
}

/* ---- what the search asks for ---- */

static void add_stored_node(struct store *store, rank_t r, node_id parent, const struct ret *ret, node_id id)
{
    while (store->node.n <= id)
        bulk_push(&store->node, (struct stored){.rank = RANK_NONE});
    if (store->node.at[id].rank != RANK_NONE)
        BUG("a history is asked for twice");
    store->node.at[id].rank = r;
    store->node.at[id].parent = parent;
    store->node.at[id].ret = ret;
}

/* Where the segment is told to its end, rather not by an assumption; or NULL. */
static const struct tale_position *best_spot(const struct store *store, rank_t r, const struct tale_position *spot,
                                             size_t n)
{
    const struct tale_position *best = NULL;
    for (size_t i = 0; i < n; i++) {
        const struct told_segment *segment = &store->job.at[spot[i].job].tale[r].segment.at[spot[i].segment];
        if (segment->whole && !segment->assumed)
            return &spot[i];
        if (segment->whole)
            best = &spot[i];
    }
    return best;
}

/* Every place in the jobs where this history is. */
typedef VEC(struct tale_position) spots_t;
static void find_spots(const struct store *store, rank_t r, node_id parent, const struct ret *ret, spots_t *found)
{
    struct tale_position to;
    if (!parent) {
        for (uint32_t j = 0; j < store->job.n; j++)
            if (store->job.at[j].tale[r].segment.n)
                vec_push(found, (struct tale_position){.job = j});
        return;
    }
    const struct stored *from = &store->node.at[parent];
    for (size_t i = 0; i < count_spots(from); i++)
        if (follow_in_job(store, r, *spot_at(from, i), ret, &to))
            vec_push(found, to);
}

static struct segment segment_of(const struct stored *node)
{
    return (struct segment){.ops = node->ops,
                            .count = node->count,
                            .contents = node->contents,
                            .end = node->end,
                            .code = node->code,
                            .kept = true};
}

bool store_find(struct store *store, rank_t r, node_id parent, const struct ret *ret, node_id id, struct segment *segment)
{
    spots_t found = {0};
    find_spots(store, r, parent, ret, &found);
    const struct tale_position *best = best_spot(store, r, found.at, found.n);
    bool known = best;
    if (known) {
        add_stored_node(store, r, parent, ret, id);
        write_segment(store, id, *best);
        for (size_t i = 0; i < found.n; i++)
            attach_spot(store, id, found.at[i]);
        *segment = segment_of(&store->node.at[id]);
    }
    vec_release(&found);
    return known;
}

static void note_cancels(struct store *store, const struct segment *segment)
{
    const struct op *op = segment->ops;
    for (uint32_t i = 0; i < segment->count && !store->cancels; i++, op = op_next(op))
        store->cancels = op->kind == OP_CANCEL;
}

void store_put(struct store *store, rank_t r, node_id parent, const struct ret *ret, node_id id,
               const struct segment *segment)
{
    struct segment_size size = segment_size(segment);
    add_stored_node(store, r, parent, ret, id);
    struct stored *node = &store->node.at[id];
    node->ops = hoard_copy(&store->hoard, segment->ops, size.ops);
    node->contents = hoard_copy(&store->hoard, segment->contents, size.contents * sizeof *segment->contents);
    node->count = segment->count;
    note_cancels(store, segment);
    node->end = (uint8_t)segment->end;
    node->code = segment->code;
}

uint32_t store_first_op(const struct store *store, node_id id)
{
    uint32_t n = 0;
    while ((id = store->node.at[id].parent))
        n += store->node.at[id].count;
    return n;
}

node_id store_after_no(const struct store *store, node_id id)
{
    for (node_id child = id + 1; child < store->node.n; child++)
        if (store->node.at[child].parent == id && store->node.at[child].ret && !store->node.at[child].ret->flag)
            return child;
    return NODE_NONE;
}

const struct tale_position *store_spot(const struct store *store, node_id id, uint32_t job)
{
    return id < store->node.n && job < store->job.n ? spot_in(&store->node.at[id], job) : NULL;
}
