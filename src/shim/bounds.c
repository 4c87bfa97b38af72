#include "shim/bounds.h"

#include <string.h>

#include "shim/channel.h"
#include "shim/complain.h"
#include "shim/gate_blocks.h"
#include "shim/noise.h"

/* Of the preloaded library; a rank that was started without it has no blocks. */
#pragma weak tourney_block_find
#pragma weak tourney_block_is

struct memory_span bounds_span(const void *buf, MPI_Count count, const struct type *type)
{
    if (count <= 0 || type->size == 0)
        return (struct memory_span){0};
    uintptr_t first = (uintptr_t)buf + type->true_lb, last = first + (count - 1) * type->extent;
    return (struct memory_span){first < last ? first : last, (first < last ? last : first) + type->true_extent};
}

static bool is_within(struct memory_span inner, const struct gate_block *outer)
{
    return outer->start <= inner.start && inner.end <= outer->start + outer->size;
}

/* ---- blocks of malloc ---- */

/* Large blocks take a while to find; the last ones are tried first. */
static bool find_block(uintptr_t address, struct gate_block *block)
{
    if (!tourney_block_find)
        return false;
    struct noise_block *last = &noise.block[address >> 16 & (NOISE_BLOCKS - 1)];
    struct gate_block known = {last->start, last->size};
    if (address - known.start < known.size && tourney_block_is(&known)) {
        *block = known;
        return true;
    }
    if (!tourney_block_find(address, block))
        return false;
    *last = (struct noise_block){block->start, block->size};
    return true;
}

/*
 * Before somebody is blamed: the C library's own word for the size, in front of the block, has to agree.  It would not
 * if the block was freed behind our back.
 */
static bool is_plausible(const struct gate_block *block)
{
    enum { FLAGS = 7, MAPPED = 2, PAGE = 4096, OVERHEAD = 64 };
    size_t header;
    memcpy(&header, (const void *)(block->start - sizeof header), sizeof header);
    size_t whole = header & ~(size_t)FLAGS, most = block->size + OVERHEAD + (header & MAPPED ? 2 * PAGE : 0);
    return block->size < whole && whole <= most;
}

/* ---- complaints ---- */

static const char *buffer_name(bool filled)
{
    return !call_is_collective(shim.call) ? "buffer" : filled ? "receive buffer" : "send buffer";
}

static void tell_block(struct memory_span all, const struct gate_block *block, bool filled)
{
    bool before = all.start < block->start;
    uintptr_t end = block->start + block->size;
    complain(COMPLAINT_BUFFER_OVERFLOW, "%s: the %s goes %llu bytes %s its memory, a block of %llu bytes from malloc",
             call_name(shim.call), buffer_name(filled),
             (unsigned long long)(before ? block->start - all.start : all.end - end),
             before ? "below the start of" : "beyond the end of", (unsigned long long)block->size);
}

static void check_in_block(struct memory_span all, const struct gate_block *block, bool filled)
{
    if (!is_within(all, block) && is_plausible(block))
        tell_block(all, block, filled);
}

/* A type whose displacements are bytes: what is in one piece is in one block. */
static void check_pieces(const void *buf, const struct type *type, bool filled)
{
    enum { MOST = 1024 };
    const struct layout *layout = type_layout(type);
    struct gate_block block;
    for (uint32_t i = 0; layout->known && i < layout->runs && i < MOST; i++) {
        uintptr_t start = (uintptr_t)buf + layout->run[i].at;
        if (find_block(start, &block))
            check_in_block((struct memory_span){start, start + layout->run[i].bytes}, &block, filled);
    }
}

void bounds_check(const void *buf, MPI_Count count, const struct type *type, struct memory_span all, bool filled)
{
    struct memory_span first = bounds_span(buf, count > 0, type);
    struct gate_block block;
    if (first.start == first.end || channel_head()->unguarded)
        return;
    bool found = find_block(first.start, &block);
    if (found && (is_within(first, &block) || type->contiguous || type_layout(type)->by_index))
        check_in_block(all, &block, filled);
    else if (!type->contiguous && !type_layout(type)->by_index)
        check_pieces(buf, type, filled);
}
