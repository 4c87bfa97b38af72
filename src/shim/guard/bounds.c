#include "shim/guard/bounds.h"

#include <string.h>

#include "shim/channel.h"
#include "shim/core/complaint.h"
#include "shim/gate/blocks.h"
#include "shim/guard/variables.h"
#include "shim/noise.h"
#include "shim/objects/flatten.h"

/* Of the preloaded library; a rank that was started without it has no blocks. */
#pragma weak tourney_block_find
#pragma weak tourney_block_is
#pragma weak tourney_block_is_certain

struct memory_span bounds_span(const void *buf, MPI_Count count, const struct type *type)
{
    if (count <= 0 || type->size == 0)
        return (struct memory_span){0};
    uintptr_t first = (uintptr_t)buf + type->true_lb, last = first + (count - 1) * type->extent;
    return (struct memory_span){first < last ? first : last, (first < last ? last : first) + type->true_extent};
}

/* What memory is, if that is known: a block of malloc, or a variable. */
struct owner {
    uintptr_t start, end;
    bool is_block;
    struct variable variable;
};

static bool is_within(struct memory_span inner, const struct owner *outer)
{
    return outer->start <= inner.start && inner.end <= outer->end;
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
static bool is_plausible_block(const struct owner *block)
{
    enum { FLAGS = 7, MAPPED = 2, PAGE = 4096, OVERHEAD = 64 };
    size_t header, size = block->end - block->start;
    if (tourney_block_is_certain(&(struct gate_block){block->start, size}))
        return true;
    memcpy(&header, (const void *)(block->start - sizeof header), sizeof header);
    size_t whole = header & ~(size_t)FLAGS, most = size + OVERHEAD + (header & MAPPED ? 2 * PAGE : 0);
    return size < whole && whole <= most;
}

/* As most buffers are: then there is nothing to say about it. */
static bool is_within_block(struct memory_span all)
{
    struct gate_block block;
    return find_block(all.start, &block) && all.end - block.start <= block.size;
}

static bool find_owning_block(uintptr_t address, struct owner *owner)
{
    struct gate_block block;
    if (!find_block(address, &block))
        return false;
    *owner = (struct owner){.start = block.start, .end = block.start + block.size, .is_block = true};
    return true;
}

static bool find_owning_variable(uintptr_t address, struct owner *owner)
{
    *owner = (struct owner){0};
    if (!variables_find(address, &owner->variable))
        return false;
    owner->start = owner->variable.start;
    owner->end = owner->variable.end;
    return true;
}

static bool find_owner(uintptr_t address, struct owner *owner)
{
    return find_owning_block(address, owner) || find_owning_variable(address, owner);
}

/* ---- the length ---- */

static const char *buffer_name(bool filled)
{
    return !call_is_collective(shim.call) ? "buffer" : filled ? "receive buffer" : "send buffer";
}

static void tell_length(struct memory_span all, const struct owner *owner, bool filled)
{
    bool below = all.start < owner->start;
    unsigned long long size = owner->end - owner->start, more = below ? owner->start - all.start : all.end - owner->end;
    const char *where = below ? "below the start of" : "beyond the end of";
    if (owner->is_block)
        complain(COMPLAINT_BUFFER_OVERFLOW, "%s: the %s goes %llu bytes %s its memory, a block of %llu bytes from malloc",
                 call_name(shim.call), buffer_name(filled), more, where, size);
    else
        complain(COMPLAINT_BUFFER_OVERFLOW, "%s: the %s goes %llu bytes %s %s, which has %llu bytes",
                 call_name(shim.call), buffer_name(filled), more, where, owner->variable.name, size);
}

static void check_length(struct memory_span all, const struct owner *owner, bool filled)
{
    if (!is_within(all, owner) && (!owner->is_block || is_plausible_block(owner)))
        tell_length(all, owner, filled);
}

/* A type whose displacements are bytes: what is in one piece is in one block or variable. */
static void check_pieces(const void *buf, const struct type *type, bool filled)
{
    enum { MOST = 256 };
    const struct layout *layout = type_layout(type);
    struct owner owner;
    for (uint32_t i = 0; layout->known && i < layout->runs && i < MOST; i++) {
        uintptr_t start = (uintptr_t)buf + layout->run[i].at;
        if (find_owner(start, &owner))
            check_length((struct memory_span){start, start + layout->run[i].bytes}, &owner, filled);
    }
}

/* ---- the type ---- */

/* Whether all entries of a run that are in the variable are numbers of its kind; complains if not. */
static bool check_run(uintptr_t start, uint64_t bytes, const struct layout_run *run, bool filled)
{
    enum { MOST = 256 }; /* entries */
    struct owner owner;
    struct flatten_kind kind = flatten_kind(run->basic, run->size);
    if (kind.kind == NUMBER_ANY || !find_owner(start, &owner) || owner.is_block || !owner.variable.type)
        return true;
    const struct variable *variable = &owner.variable;
    for (uint64_t i = 0; i < MOST && i * kind.size < bytes; i++) {
        uint64_t offset = start - variable->typed_start + i * kind.size;
        const struct variables_number *number = variables_number_at(variable->type, offset);
        if (!number || (number->kind == kind.kind && number->size == kind.size))
            continue;
        complain(COMPLAINT_BUFFER_TYPE, "%s: the %s is %s, where there is %s, and it is %s as %s", call_name(shim.call),
                 buffer_name(filled), variable->name, variables_text(number->name), filled ? "received" : "sent",
                 kind.name);
        return false;
    }
    return true;
}

static void check_type(const void *buf, MPI_Count count, const struct type *type, bool filled)
{
    enum { MOST_RUNS = 64, MOST_ELEMENTS = 16 };
    const struct layout *layout = type_layout(type);
    if (!layout->known)
        return;
    MPI_Count whole = type->contiguous ? count : 1; /* of these, the runs continue each other */
    for (MPI_Count k = 0; k < count / whole && k < MOST_ELEMENTS; k++)
        for (uint32_t i = 0; i < layout->runs && i < MOST_RUNS; i++) {
            const struct layout_run *run = &layout->run[i];
            uint64_t bytes = layout->runs == 1 ? run->bytes * (uint64_t)whole : run->bytes;
            if (!check_run((uintptr_t)type_at(buf, k, type) + run->at, bytes, run, filled))
                return;
        }
}

/* ---- both ---- */

/*
 * A variable is where it is: a buffer of one line that was looked at need not be looked at again, if it is in the same
 * frame.  Nothing but the time it takes depends on this.
 */
static bool is_judged(const void *buf, const struct type *type, struct memory_span all, bool filled)
{
    const uint64_t words[] = {(uintptr_t)buf,  (uintptr_t)shim.place, all.start, all.end, type->signature,
                              (uint64_t)type->extent, (uintptr_t)__builtin_frame_address(0), filled};
    uint64_t sum = 1;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        sum = (sum ^ words[i]) * UINT64_C(0x9e3779b97f4a7c15);
        sum ^= sum >> 32;
    }
    uint64_t *slot = &noise.judged[sum & (NOISE_JUDGED - 1)];
    bool judged = *slot == sum;
    *slot = sum;
    return judged;
}

void bounds_check(const void *buf, MPI_Count count, const struct type *type, struct memory_span all, bool filled)
{
    if (channel_head()->followed || (type->contiguous && is_within_block(all)))
        return;
    struct memory_span first = bounds_span(buf, count > 0, type);
    struct owner owner;
    if (first.start == first.end)
        return;
    bool may_leave = !type->contiguous && !type_layout(type)->by_index, found = find_owning_block(first.start, &owner);
    if (!found && is_judged(buf, type, all, filled))
        return;
    found = found || find_owning_variable(first.start, &owner);
    if (found && (is_within(first, &owner) || !may_leave))
        check_length(all, &owner, filled);
    else if (may_leave)
        check_pieces(buf, type, filled);
    if (!found || !owner.is_block)
        check_type(buf, count, type, filled);
}
