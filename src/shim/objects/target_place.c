#include "shim/objects/target_place.h"

#include <stdlib.h>
#include <string.h>

#include "shim/core/refusal.h"

static void add_byte_run(struct element_place *place, int64_t at, uint64_t bytes)
{
    struct byte_run *last = place->runs ? &place->run[place->runs - 1] : NULL;
    if (last && last->at + (int64_t)last->bytes == at) {
        last->bytes += bytes;
        return;
    }
    if (place->runs == place->room) {
        place->room = place->room ? 2 * place->room : 8;
        place->run = shim_realloc(place->run, place->room * sizeof *place->run);
    }
    place->run[place->runs++] = (struct byte_run){at, bytes};
}

/*
 * A type of which nobody tells the layout, such as a distributed array: each byte of an element is given its own place
 * as contents, one digit to the base 256 at a time, and what the library packs tells which bytes come in which order.
 */
static void find_by_packing(struct element_place *place, const struct type *type)
{
    size_t extent = (size_t)type->true_extent, size = (size_t)type->size;
    unsigned char *memory = shim_alloc(extent), *packed = shim_alloc(size);
    uint64_t *at = shim_alloc(size * sizeof *at);
    memset(at, 0, size * sizeof *at);
    for (unsigned shift = 0; shift == 0 || (extent - 1) >> shift; shift += 8) {
        for (size_t i = 0; i < extent; i++)
            memory[i] = (unsigned char)(i >> shift);
        type_pack(memory - type->true_lb, 1, type, packed);
        for (size_t i = 0; i < size; i++)
            at[i] |= (uint64_t)packed[i] << shift;
    }
    for (size_t i = 0; i < size; i++)
        add_byte_run(place, (int64_t)at[i] + type->true_lb, 1);
    free(memory);
    free(packed);
    free(at);
}

struct element_place element_place_of(const struct type *type)
{
    struct element_place place = {0};
    const struct layout *layout = type_layout(type);
    if (!layout->known) {
        find_by_packing(&place, type);
        return place;
    }
    for (uint32_t i = 0; i < layout->runs; i++)
        add_byte_run(&place, layout->run[i].at, layout->run[i].bytes);
    return place;
}

void target_place_add(struct target_place *place, int64_t at, uint64_t bytes)
{
    struct window_piece *last = place->pieces ? &place->piece[place->pieces - 1] : NULL;
    place->low = place->bytes == 0 || at < place->low ? at : place->low;
    place->high = place->bytes == 0 || at + (int64_t)bytes > place->high ? at + (int64_t)bytes : place->high;
    place->bytes += bytes;
    if (last && last->at + last->bytes == (uint64_t)at) {
        last->bytes += bytes;
        return;
    }
    if (place->pieces == place->room) {
        place->room = place->room ? 2 * place->room : 4;
        if (place->room > UINT32_MAX)
            refuse_because("with a datatype of so many parts");
        place->piece = shim_realloc(place->piece, place->room * sizeof *place->piece);
    }
    place->piece[place->pieces++] = (struct window_piece){(uint64_t)at, bytes};
}

struct target_place target_place_of(int64_t at, MPI_Count count, const struct type *type)
{
    struct target_place place = {0};
    if (type->size == 0 || count == 0)
        return place;
    if (type->contiguous) {
        target_place_add(&place, at, type_bytes(type, count));
        return place;
    }
    struct element_place element = element_place_of(type);
    for (MPI_Count i = 0; i < count; i++)
        for (size_t k = 0; k < element.runs; k++)
            target_place_add(&place, at + i * type->extent + element.run[k].at, element.run[k].bytes);
    free(element.run);
    return place;
}

void target_place_release(struct target_place *place)
{
    free(place->piece);
    *place = (struct target_place){0};
}
