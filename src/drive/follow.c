#include "drive/follow.h"

#include <stddef.h>
#include <string.h>

#include "base/die.h"
#include "base/hash.h"
#include "base/log.h"
#include "world/reader.h"

enum { MOST_STEPS = 4000 * 1000 }; /* of one segment */

void follow_open(struct follow *follow, const struct herd *herd)
{
    follow->relevance = relevance_new(herd->options.ranks, MOST_STEPS, herd->memory.base);
    if (!follow->relevance)
        die("--engine=paths follows ranks instruction by instruction, and those of this machine are not known; on x86-64 they are");
}

void follow_close(struct follow *follow)
{
    relevance_free(follow->relevance);
    trace_release(&follow->trace);
    for (size_t i = 0; i < follow->node.n; i++)
        free(follow->node.at[i].contents);
    vec_release(&follow->node);
}

/* ---- running ---- */

void follow_stop(struct follow *follow, struct herd *herd, int animal)
{
    uint64_t doze = wire_channel_offset(animal) + offsetof(struct wire_channel, turn);
    trace_release(&follow->trace);
    follow->traced = false;
    if (!follow->relevance || !relevance_has_room(follow->relevance) || !reader_sleep(&herd->memory, animal))
        return;
    follow->stopped =
        tracer_stop(relevance_tracer(follow->relevance), herd->animal[animal].rank, herd_process(herd, animal), doze);
}

struct followed_animal {
    struct herd *herd;
    int animal;
};

static enum question answer_followed(void *data)
{
    const struct followed_animal *one = data;
    const struct op *last = herd_last_posted(one->herd, one->animal);
    if (!last || op_part(last) != OP_PART_SERVICE)
        return QUESTION_IS_CALL;
    return herd_give_room_early(one->herd, one->animal, last) ? QUESTION_IS_ANSWERED : QUESTION_IS_OPEN;
}

void follow_run(struct follow *follow, struct herd *herd, int animal)
{
    struct followed_animal one = {herd, animal};
    struct question_asker asker = {answer_followed, &one};
    bool ended;
    int status = 0;
    if (!follow->stopped)
        return;
    follow->stopped = false;
    follow->traced = true;
    tracer_follow(relevance_tracer(follow->relevance), &follow->trace, &asker, &ended, &status);
    if (ended)
        herd_note_end(herd, animal, status);
}

uint64_t follow_steps(const struct follow *follow)
{
    return follow->relevance ? tracer_steps(relevance_tracer(follow->relevance)) : 0;
}

/* ---- telling ---- */

struct handed {
    VEC(struct received_payload) at;
};

static void add_received(struct handed *handed, const struct herd *herd, struct checkpoints *checkpoints,
                         const struct op *op, uint64_t offset, uint64_t bytes)
{
    if (!op->payload || bytes == 0)
        return;
    uint64_t place = herd->memory.head->arena + payload_offset(checkpoints, op->payload) + offset;
    vec_push(&handed->at, (struct received_payload){LOCATION_SHARED + place, bytes, payload_node(op->payload),
                                                    (uint32_t)payload_number(op->payload), offset});
}

/* All that an answer hands over. */
static void find_received(struct handed *handed, const struct herd *herd, struct checkpoints *checkpoints,
                          const struct ret *ret)
{
    for (uint32_t i = 0; ret && i < ret->items; i++) {
        const struct answer_item *item = &ret->item[i];
        if (item->message && !(item->flags & ANSWERED_SEEN))
            add_received(handed, herd, checkpoints, item->message, 0, item->message->bytes);
        for (uint32_t k = 0; k < item->pieces; k++) {
            const struct answer_piece *piece = &ret->piece[item->first_piece + k];
            if (piece->slice == NO_SLICE)
                continue;
            const struct op_slice *slice = op_coll_slices(op_tail(piece->part));
            uint64_t offset = 0;
            for (uint32_t s = 0; s < piece->slice; s++)
                offset += slice[s].bytes;
            add_received(handed, herd, checkpoints, piece->part, offset, slice[piece->slice].bytes);
        }
    }
}

/* What the search compares, too (explore/tree.c). */
static struct map_key key_of_same(rank_t rank, const struct segment *segment)
{
    struct map_key key = segment->end == SEGMENT_EXIT ? HASH_START : segment->image;
    hash_stir(&key, (uint64_t)rank);
    hash_stir(&key, segment_sum(segment));
    return segment->end == SEGMENT_EXIT || segment->imaged ? key : (struct map_key){0};
}

/* All but its memory. */
static struct map_key alike_key(rank_t rank, const struct segment *segment, const struct wire_sleep *sleep,
                                const struct trace *trace, struct map_key outside)
{
    struct map_key key = outside;
    hash_stir_key(&key, trace->layout);
    hash_stir(&key, (uint64_t)rank);
    hash_stir(&key, segment_shape(segment));
    hash_stir(&key, sleep->stack);
    hash_stir(&key, sleep->forks);
    return key;
}

static void keep_node(struct follow *follow, node_id node, const struct segment *segment)
{
    while (follow->node.n <= node)
        vec_push(&follow->node, (struct followed_node){.contents = NULL});
    size_t n = segment_size(segment).contents;
    free(follow->node.at[node].contents);
    follow->node.at[node] =
        (struct followed_node){segment->image, xmemdup(segment->contents, n, sizeof *segment->contents)};
}

/* What was told of the last node and did not come about. */
static void settle_last(struct follow *follow)
{
    if (follow->told && follow->told_as != follow->told)
        relevance_part(follow->relevance, follow->told);
    follow->told = NODE_NONE;
}

void follow_tell(struct follow *follow, struct herd *herd, struct checkpoints *checkpoints, int animal,
                 node_id from, node_id to, const struct reading *reading, struct map_key outside,
                 struct segment *segment)
{
    if (!follow->relevance)
        return;
    const struct checkpoint *there = checkpoint_of(checkpoints, to);
    struct handed handed = {.at = {0}};
    VEC(struct brought_payload) brought = {0};
    settle_last(follow);
    find_received(&handed, herd, checkpoints, there->ret);
    for (uint32_t i = 0; i < there->brings; i++)
        vec_push(&brought,
                 (struct brought_payload){reading->origin.at[i], arena_at(&herd->memory, there->payload[i].block.at),
                                          there->payload[i].block.bytes});
    bool sleeps = segment->end == SEGMENT_CALL;
    const struct wire_sleep *sleep = sleeps && segment->imaged ? reader_sleep(&herd->memory, animal) : NULL;
    struct passage_facts facts = {.from = from,
                                  .rank = there->rank,
                                  .received = handed.at.at,
                                  .receives = handed.at.n,
                                  .brought = brought.at,
                                  .brings = brought.n,
                                  .sleeps = sleeps,
                                  .sleep = sleep,
                                  .alike = sleep ? alike_key(there->rank, segment, sleep, &follow->trace, outside)
                                                 : (struct map_key){0},
                                  .same = key_of_same(there->rank, segment)};
    if (follow->traced)
        LOG(flow, "rank %d, node %u to %u: %zu steps, %zu words changed%s%s", there->rank, from, to,
            follow->trace.step.n, follow->trace.changed.n,
            follow->trace.whole ? "" : "; lost: ", follow->trace.whole ? "" : follow->trace.why);
    keep_node(follow, to, segment);
    follow->told = to;
    follow->told_as = relevance_add(follow->relevance, to, &facts, follow->traced ? &follow->trace : NULL);
    follow->traced = false;
    if (follow->told_as != to && sleeps) {
        segment->joins = true;
        segment->joins_image = follow->node.at[follow->told_as].image;
        segment->joins_contents = follow->node.at[follow->told_as].contents;
    }
    vec_release(&handed.at);
    vec_release(&brought);
}

void follow_same(struct follow *follow, node_id node, node_id as)
{
    if (!follow->relevance)
        return;
    if (follow->told != node || follow->told_as != as)
        relevance_settle(follow->relevance, node, as);
    if (follow->told == node)
        follow->told = NODE_NONE;
}

node_id follow_withdrawn(struct follow *follow)
{
    return follow->relevance ? relevance_withdrawn(follow->relevance) : NODE_NONE;
}
