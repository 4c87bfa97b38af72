#include "shim/virtual/parts_shown.h"

#include <string.h>

struct own_slot {
    bool taken, left; /* left: some may not have read what was shown there */
    uint64_t members;
    unsigned shown;
};

static struct {
    struct part_board *boards;
    rank_t own;
    struct own_slot slot[PART_SLOTS];
    int left; /* so many of them are */
} parts;

void parts_open(struct part_board *boards, rank_t own)
{
    parts.boards = boards;
    parts.own = own;
}

int parts_take_slot(context_t context, uint64_t members)
{
    int n = 0;
    while (n < PART_SLOTS && parts.slot[n].taken)
        n++;
    if (n == PART_SLOTS)
        return -1;
    struct part_slot *slot = &parts.boards[parts.own].slot[n];
    parts.slot[n] = (struct own_slot){.taken = true, .members = members};
    atomic_store(&slot->taken, 0);
    for (int i = 0; i < 2; i++)
        atomic_store(&slot->part[i].joined, 0);
    slot->context = context;
    atomic_store(&slot->taken, 1);
    return n;
}

void parts_leave_slot(int slot)
{
    parts.slot[slot].left = true;
    parts.left++;
}

void parts_met(uint64_t members)
{
    for (int i = 0; parts.left && i < PART_SLOTS; i++)
        if (parts.slot[i].left && !(parts.slot[i].members & ~members)) {
            parts.slot[i] = (struct own_slot){0};
            parts.left--;
        }
}

void parts_show(int slot, const struct op *record)
{
    struct shown_part *part = &parts.boards[parts.own].slot[slot].part[parts.slot[slot].shown++ % 2];
    memcpy(&part->op, record, record->size);
    atomic_store_explicit(&part->joined, 1 + (uint64_t)(uint32_t)record->turn, memory_order_release);
}

int parts_find_slot(rank_t r, context_t context)
{
    const struct part_board *board = &parts.boards[r];
    for (int i = 0; i < PART_SLOTS; i++)
        if (atomic_load(&board->slot[i].taken) && board->slot[i].context == context)
            return i;
    return -1;
}

const struct op *parts_find(rank_t r, int slot, int32_t turn)
{
    const struct part_slot *at = &parts.boards[r].slot[slot];
    for (int i = 0; i < 2; i++)
        if (atomic_load_explicit(&at->part[i].joined, memory_order_acquire) == 1 + (uint64_t)(uint32_t)turn)
            return &at->part[i].op;
    return NULL;
}
