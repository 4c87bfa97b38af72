#include "shim/objects/file_view.h"

#include <stdlib.h>
#include <strings.h>

#include "shim/core/library_code.h"

void file_view_reset(struct file_view *view)
{
    *view = (struct file_view){.etype = 1, .native = true};
}

void file_view_release(struct file_view *view)
{
    free(view->tile.run);
    view->tile = (struct element_place){0};
}

void file_view_set(struct file_view *view, MPI_Offset start, MPI_Datatype etype, MPI_Datatype filetype, const char *datarep)
{
    file_view_release(view);
    view->start = start;
    view->native = strcasecmp(datarep, "native") == 0;
    real_must(Type_size_x, etype, &view->etype);
    const struct type *tile = type_find(filetype);
    if (!tile || !view->native || (tile->contiguous && tile->size == tile->extent))
        return;
    view->size = tile->size;
    view->extent = tile->extent;
    view->tile = element_place_of(tile);
}

/* From a byte of the data of one tile on, up to its end. */
static uint64_t add_tile(struct target_place *place, const struct element_place *tile, int64_t at, uint64_t skip, uint64_t bytes)
{
    uint64_t left = bytes;
    for (size_t i = 0; i < tile->runs && left; i++) {
        const struct byte_run *run = &tile->run[i];
        if (skip >= run->bytes) {
            skip -= run->bytes;
            continue;
        }
        uint64_t some = run->bytes - skip < left ? run->bytes - skip : left;
        target_place_add(place, at + run->at + (int64_t)skip, some);
        left -= some;
        skip = 0;
    }
    return bytes - left;
}

struct target_place file_view_place(const struct file_view *view, MPI_Offset etype, uint64_t bytes)
{
    struct target_place place = {0};
    uint64_t data = (uint64_t)etype * (uint64_t)view->etype;
    if (!view->tile.runs) {
        if (bytes)
            target_place_add(&place, view->start + (int64_t)data, bytes);
        return place;
    }
    uint64_t tile = data / (uint64_t)view->size, skip = data % (uint64_t)view->size;
    for (; bytes; tile++, skip = 0)
        bytes -= add_tile(&place, &view->tile, view->start + (int64_t)tile * view->extent, skip, bytes);
    return place;
}
