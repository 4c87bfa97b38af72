#include "drive/foretold.h"

#include <string.h>

enum {
    MOST_FORETOLD = 1 << 16, /* bytes of answers */
    MOST_HANDED = 1 << 20,   /* bytes of payloads that are brought back for them */
};

static void give_block(struct drive *drive, struct payload_block *block)
{
    if (block->bytes)
        arena_give(&drive->herd.memory, block->at, block->bytes);
    *block = (struct payload_block){0};
}

void foretold_release(struct drive *drive, struct foretold *told)
{
    give_block(drive, &told->letter);
    give_block(drive, &told->rest);
    told->left = 0;
}

/* Not one that is to do something else between two calls, or whose threads are told who goes on. */
static bool can_foretell(const struct drive *drive, int animal)
{
    const struct wire_head *head = drive->herd.memory.head;
    return !head->stepped && !head->followed && !atomic_load(&head->take_turns) && !savepoints_has(&drive->savepoints, animal);
}

/* Behind the others; false: it is too long. */
static bool write_foretold(struct letter *letter, struct wire_foretold *there, size_t room)
{
    size_t bytes = sizeof letter->answer + letter->completions.n;
    if (bytes > WIRE_ANSWER || offsetof(struct wire_foretold, answer) + bytes > room)
        return false;
    there->bytes = bytes;
    there->answer = letter->answer;
    if (letter->completions.n)
        memcpy(there + 1, letter->completions.at, letter->completions.n);
    return true;
}

/* Answers from that to way[at] on; where the first of them is, 0: there is none. */
static uint64_t foretell_rest(struct drive *drive, const node_id *way, size_t at, uint32_t files, struct foretold *told)
{
    struct memory *memory = &drive->herd.memory;
    uint64_t handed = drive->checkpoints.payloads.bytes + MOST_HANDED, *next = NULL;
    size_t used = 0;
    told->rest = (struct payload_block){.at = arena_take(memory, MOST_FORETOLD), .bytes = MOST_FORETOLD};
    char *text = arena_at(memory, told->rest.at);
    for (;; at--) {
        const struct checkpoint *there = checkpoint(drive, way[at]);
        struct wire_foretold *record = (struct wire_foretold *)(text + used);
        if (there->files != files || drive_lacks_for(drive, there->ret) || drive->checkpoints.payloads.bytes > handed)
            break;
        letter_write(&drive->letter, &drive->checkpoints, there->ret);
        if (!write_foretold(&drive->letter, record, MOST_FORETOLD - used))
            break;
        if (next)
            *next = told->rest.at + used;
        next = &record->answer.next;
        used += op_round(offsetof(struct wire_foretold, answer) + record->bytes);
        told->left++;
        if (at == 0)
            break;
    }
    return used ? told->rest.at : 0;
}

bool foretell(struct drive *drive, int animal, const node_id *way, size_t at, struct foretold *told)
{
    const struct checkpoint *there = checkpoint(drive, way[at]);
    foretold_release(drive, told);
    let_cool(drive);
    if (drive_lacks_for(drive, there->ret))
        return false;
    drive_show_files(drive, animal, way[at]);
    told->left = 1;
    if (begins_process(drive, way[at]))
        return true;
    uint64_t next = at > 0 && can_foretell(drive, animal) ? foretell_rest(drive, way, at - 1, there->files, told) : 0;
    told->letter = drive_send_answer(drive, animal, there->ret, next);
    return true;
}
