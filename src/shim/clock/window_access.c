#include "shim/clock/window_access.h"

#include "shim/clock/board.h"
#include "shim/clock/window_remarks.h"
#include "shim/objects/element.h"
#include "shim/objects/reduction_op.h"
#include "shim/objects/target_place.h"

static enum window_epoch epoch_at(const struct clocked_target *target)
{
    return target->started ? WINDOW_BY_START : target->lock != CLOCKED_NONE ? WINDOW_BY_LOCK : WINDOW_BY_FENCE;
}

/* False: the library will have something to say about it. */
static bool describe_use(struct window_use *use, MPI_Datatype datatype, MPI_Op op)
{
    if (use->kind == WINDOW_PUT || use->kind == WINDOW_GET)
        return true;
    MPI_Datatype basic = element_basic(datatype);
    if (basic == MPI_DATATYPE_NULL || (use->kind != WINDOW_SWAP && op == MPI_OP_NULL))
        return false;
    use->operator= (uint16_t)(use->kind == WINDOW_SWAP ? OPERATOR_NONE : reduction_op_number(op));
    return element_describe(basic, use->operator, &use->element);
}

void window_access_noted(enum window_access_kind kind, int member, MPI_Aint disp, MPI_Count count, MPI_Datatype datatype,
                         MPI_Op op, MPI_Win win)
{
    struct clocked_window *w = clocked_window_find(win);
    const struct type *type = datatype == MPI_DATATYPE_NULL ? NULL : type_find(datatype);
    if (!w || !w->told || !type || member < 0 || member >= clocked_window_members(w) || count <= 0)
        return;
    struct clocked_target *target = &w->target[member];
    struct window_use use = {.kind = (uint16_t)kind, .epoch = (uint16_t)epoch_at(target)};
    struct target_place place = target_place_of((int64_t)disp * (int64_t)target->unit, count, type);
    use.pieces = place.pieces;
    if (place.bytes && describe_use(&use, datatype, op)) {
        remark_news();
        remark_use(w, member, use, place.piece);
        target->used = true;
        target->awaits |= kind != WINDOW_PUT && kind != WINDOW_ACCUMULATE;
        target->fetches |= use.epoch == WINDOW_BY_LOCK && (kind == WINDOW_FETCH || kind == WINDOW_SWAP);
        if (use.epoch == WINDOW_BY_LOCK && kind != WINDOW_GET)
            board_write(w, member, BOARD_CALLED, window_remarks_made());
    }
    target_place_release(&place);
}
