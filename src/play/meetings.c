#include "play/meetings.h"

#include <string.h>

enum {
    LARGEST = 1024, /* bytes of a part, with its description */
    MEETINGS = 16,  /* collectives at a time */
};

struct meeting_part {
    rank_t rank;
    struct op_ref ref;
    size_t at; /* in `bytes` */
};

/* One that nobody has joined has no parts. */
struct meeting {
    struct map_key key; /* as in `delivery_of` */
    uint32_t members;
    VEC(struct meeting_part) parts;
    VEC(char) bytes; /* the operations with their tails */
};

struct meetings {
    struct meeting meeting[MEETINGS];
    struct map_key *last; /* owns; by rank: the key of the collective in which it went on last */
};

void meetings_release(struct play *play)
{
    for (int i = 0; play->meetings && i < MEETINGS; i++) {
        vec_release(&play->meetings->meeting[i].parts);
        vec_release(&play->meetings->meeting[i].bytes);
    }
    if (play->meetings)
        free(play->meetings->last);
    free(play->meetings);
    play->meetings = NULL;
}

static void end_meeting(struct meeting *meeting)
{
    vec_clear(&meeting->parts);
    vec_clear(&meeting->bytes);
}

static void file_meeting(struct play *play, struct meeting *meeting)
{
    for (size_t i = 0; i < meeting->parts.n; i++) {
        const struct meeting_part *part = &meeting->parts.at[i];
        struct op *op = (struct op *)(meeting->bytes.at + part->at);
        op->request = 0;
        post_coll_late(play, part->rank, part->ref, op);
    }
    end_meeting(meeting);
}

bool meetings_file(struct play *play)
{
    bool any = false;
    for (int i = 0; play->meetings && i < MEETINGS; i++) {
        any = any || play->meetings->meeting[i].parts.n;
        file_meeting(play, &play->meetings->meeting[i]);
    }
    return any;
}

/* NULL: it is none yet, or was filed. */
static struct meeting *find_meeting(const struct play *play, struct map_key key)
{
    for (int i = 0; i < MEETINGS; i++) {
        struct meeting *meeting = &play->meetings->meeting[i];
        if (meeting->parts.n && map_key_is_same(meeting->key, key))
            return meeting;
    }
    return NULL;
}

/* NULL: there are too many, or the semantics knows of it already. */
static struct meeting *open_meeting(struct play *play, struct map_key key, const struct op *op)
{
    uint32_t known;
    const rank_t *member;
    if (map_get(&play->delivery_of, key, &known))
        return NULL;
    for (int i = 0; i < MEETINGS; i++) {
        struct meeting *meeting = &play->meetings->meeting[i];
        if (meeting->parts.n)
            continue;
        meeting->key = key;
        meeting->members = (uint32_t)sem_members(play->sem, op->context, &member);
        return meeting;
    }
    return NULL;
}

static void keep_part(struct meeting *meeting, rank_t r, struct op_ref ref, const struct op *op)
{
    vec_push(&meeting->parts, (struct meeting_part){r, ref, meeting->bytes.n});
    vec_reserve(&meeting->bytes, op->size);
    memcpy(meeting->bytes.at + meeting->bytes.n, op, op->size);
    meeting->bytes.n += op->size;
}

static void open_meetings(struct play *play)
{
    play->meetings = xcalloc(1, sizeof *play->meetings);
    play->meetings->last = xcalloc((size_t)play->ranks, sizeof *play->meetings->last);
}

bool meetings_take(struct play *play, rank_t r, const struct op *op)
{
    if (!play->meetings)
        open_meetings(play);
    struct map_key key = map_key2(op->context, (uint32_t)op->turn);
    struct meeting *meeting = find_meeting(play, key);
    bool blocks = op->flags & OPF_BLOCKING && !(op->flags & OPF_WENT_ON);
    if (!blocks || op->payload || op->size > LARGEST || !world_went_on(play->world, r)) {
        if (meeting)
            file_meeting(play, meeting);
        return false;
    }
    if (!meeting && !(meeting = open_meeting(play, key, op)))
        return false;
    play_begin_passing(play, r);
    keep_part(meeting, r, play->player[r].ref, op);
    play->meetings->last[r] = key;
    if (meeting->parts.n == meeting->members)
        end_meeting(meeting);
    world_follow(play->world, r);
    return true;
}

bool meetings_lacks_others(const struct play *play, rank_t r)
{
    if (!play->meetings)
        return false;
    uint32_t delivery = map_find(&play->delivery_of, play->meetings->last[r], 0);
    if (delivery)
        return play->deliveries.at[delivery].joined < play->deliveries.at[delivery].members;
    return find_meeting(play, play->meetings->last[r]) != NULL;
}
