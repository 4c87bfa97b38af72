#include "play/parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "call/operators.h"
#include "sem/agree.h"

/* Types are not looked at: what is not known fits anything. */
static const struct op *know_no_type(void *unused, uint64_t signature)
{
    (void)unused, (void)signature;
    return NULL;
}

/* The operation with its tail behind it, as it was posted; owned by the caller. */
static struct op *whole_op(const struct item *item)
{
    size_t tail = op_coll_size(item->coll);
    struct op *op = xmalloc(sizeof *op + tail);
    *op = item->op;
    memcpy(op + 1, item->coll, tail);
    return op;
}

static bool needs_somebody(const struct op *op)
{
    const struct op_coll *coll = op_tail(op);
    return coll->from < coll->until || coll->listed;
}

/* Whether a library notices: the one that takes less than comes. */
static bool library_notices(const struct coll_unlike *unlike, const struct op *op[2])
{
    for (int i = 0; i < 2; i++) {
        const struct coll_side *mine = &unlike->side[i], *theirs = &unlike->side[1 - i];
        if (mine->takes && needs_somebody(op[i]) && mine->bytes < theirs->bytes)
            return true;
    }
    return false;
}

static char *words_of_side(enum coll_fault fault, const struct coll_side *side)
{
    char *says = NULL;
    const char *does = side->brings && side->takes ? "combines" : side->brings ? "brings" : "takes";
    int length = fault == COLL_OPERATOR ? asprintf(&says, "combines with %s", operator_name(side->reduction))
                                        : asprintf(&says, "%s %" PRIu64 " bytes", does, side->bytes);
    return length < 0 ? NULL : says;
}

void parts_disagree(struct play *play, const struct item *first, rank_t r, const struct op *op, enum coll_fault fault)
{
    play->over = true;
    play->outcome = (struct outcome){.kind = RUN_MISMATCH, .rank = first->rank, .op = first->op, .other = r,
                                     .other_op = *op, .fault = fault};
}

void parts_compare(struct play *play, uint32_t index, rank_t r, const struct op *op)
{
    const struct type_finder no_types = {know_no_type, NULL};
    const struct item *first = item_at(play, index);
    struct op *other = whole_op(first);
    struct coll_part theirs = {other, (uint32_t)sem_position(play->sem, op->context, first->rank)};
    struct coll_part mine = {op, (uint32_t)sem_position(play->sem, op->context, r)};
    struct coll_unlike unlike = agree_parts(&no_types, &theirs, &mine);
    if (unlike.fault == COLL_OPERATOR ||
        (unlike.fault == COLL_COUNT && !library_notices(&unlike, (const struct op *[]){other, op}))) {
        parts_disagree(play, first, r, op, unlike.fault);
        for (int i = 0; i < 2; i++)
            play->outcome.says[i] = words_of_side(unlike.fault, &unlike.side[i]);
    }
    free(other);
}
