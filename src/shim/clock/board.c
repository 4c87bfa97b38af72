#include "shim/clock/board.h"

#include <stdlib.h>
#include <string.h>

#include "shim/core/library_code.h"

static MPI_Aint place_on_board(const struct clocked_window *w, enum board_part part, int member)
{
    return (MPI_Aint)part * clocked_window_members(w) + member;
}

static void choose_window_slot(struct clocked_window *w, const uint64_t *part)
{
    uint64_t taken = UINT64_MAX << (BOARD_SLOTS - 1);
    for (int i = 0; i < clocked_window_members(w); i++)
        taken |= part[2 * i + 1];
    w->slot = ~taken ? __builtin_ctzll(~taken) : BOARD_SLOTS - 1; /* the last one may have several */
}

void board_open(struct clocked_window *w, uint64_t unit, uint64_t slots_used)
{
    size_t members = (size_t)clocked_window_members(w), bytes = BOARD_PARTS * members * sizeof *w->written;
    uint64_t mine[2] = {unit, slots_used}, *part = shim_alloc(2 * members * sizeof *part);
    real_must(Allgather, mine, 2, MPI_UINT64_T, part, 2, MPI_UINT64_T, w->members);
    choose_window_slot(w, part);
    w->target = memset(shim_alloc(members * sizeof *w->target), 0, members * sizeof *w->target);
    for (size_t i = 0; i < members; i++)
        w->target[i].unit = part[2 * i];
    free(part);
    w->origin = shim_alloc(members * sizeof *w->origin);
    w->known = memset(shim_alloc(members * sizeof *w->known), 0, members * sizeof *w->known);
    real_must(Win_allocate, (MPI_Aint)bytes, sizeof *w->written, MPI_INFO_NULL, w->members, &w->written, &w->board);
    real_must(Win_lock_all, MPI_MODE_NOCHECK, w->board);
    memset(w->written, 0, bytes);
    real_must(Win_sync, w->board);
    real_must(Barrier, w->members);
}

void board_close(struct clocked_window *w)
{
    real_must(Win_unlock_all, w->board);
    real_must(Win_free, &w->board);
    free(w->target);
    free(w->origin);
    free(w->known);
}

void board_write(const struct clocked_window *w, int member, enum board_part part, uint64_t number)
{
    real_must(Accumulate, &number, 1, MPI_UINT64_T, member, place_on_board(w, part, w->comm->rank), 1, MPI_UINT64_T,
              MPI_REPLACE, w->board);
    real_must(Win_flush, member, w->board);
}

uint64_t *board_read(const struct clocked_window *w, int member, enum board_part part)
{
    int members = clocked_window_members(w);
    uint64_t *found = shim_alloc((size_t)members * sizeof *found);
    real_must(Get_accumulate, NULL, 0, MPI_UINT64_T, found, members, MPI_UINT64_T, member, place_on_board(w, part, 0),
              members, MPI_UINT64_T, MPI_NO_OP, w->board);
    real_must(Win_flush, member, w->board);
    return found;
}

const uint64_t *board_glance(const struct clocked_window *w, enum board_part part)
{
    return w->written + place_on_board(w, part, 0);
}
