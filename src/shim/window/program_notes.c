#include "shim/window/program_notes.h"

#include <stdatomic.h>
#include <string.h>

#include "shim/touches.h"

#pragma weak tourney_program_tells

enum { NOTES = TOUCHES_MOST * TOUCH_RECORDS, LINES = 1024, OLDER = 8 };

/* All of it is zero when the rank sleeps. */
static struct {
    struct program_note note[NOTES];
    uint32_t notes, read;
    uint16_t line[LINES]; /* by hash of what a line does: 1 + its last note */
    const void *lost;
    atomic_flag busy;     /* by a thread */
} heard;

bool program_notes_exist(void)
{
    return &tourney_program_tells != NULL;
}

static uint16_t *notes_of_line(const void *place, bool stores, size_t bytes)
{
    uint64_t sum = ((uintptr_t)place ^ (uint64_t)bytes << 40) * UINT64_C(0x9e3779b97f4a7c15) + stores;
    return &heard.line[(sum ^ sum >> 32) % LINES];
}

static bool join_older(uint16_t number, uintptr_t start, size_t bytes, bool stores, const void *place)
{
    for (int tries = 0; number && tries < OLDER; tries++) {
        struct program_note *note = &heard.note[number - 1];
        if (note->place == place && note->stores == stores && note->bytes == bytes && touch_row_join(&note->row, start))
            return true;
        number = note->older;
    }
    return false;
}

static void add_program_note(uintptr_t start, size_t bytes, bool stores, const void *place)
{
    uint16_t *line = notes_of_line(place, stores, bytes);
    if (join_older(*line, start, bytes, stores, place))
        return;
    if (heard.notes == NOTES) {
        heard.lost = heard.lost ? heard.lost : place;
        return;
    }
    heard.note[heard.notes++] = (struct program_note){
        .row = {.first = start, .count = 1}, .bytes = (uint32_t)bytes, .stores = stores, .older = *line, .place = place};
    *line = (uint16_t)heard.notes;
}

/* Larger blocks than a note can have are as many. */
static void hear_program(uintptr_t start, size_t bytes, bool stores, const void *place)
{
    enum { BLOCK = 1 << 30 };
    if (!bytes || !touches_concern(start, start + bytes))
        return;
    while (atomic_flag_test_and_set_explicit(&heard.busy, memory_order_acquire))
        ;
    for (size_t done = 0; done < bytes; done += BLOCK)
        add_program_note(start + done, bytes - done < BLOCK ? bytes - done : BLOCK, stores, place);
    atomic_flag_clear_explicit(&heard.busy, memory_order_release);
}

void program_notes_listen(uintptr_t start, uintptr_t end)
{
    tourney_program_tells = (struct program_tells){start, end - start, hear_program};
}

const struct program_note *program_notes_next(const void **lost)
{
    if (program_notes_exist())
        tourney_program_tells.bytes = 0;
    *lost = heard.lost;
    if (heard.read < heard.notes)
        return &heard.note[heard.read++];
    memset(heard.note, 0, heard.notes * sizeof *heard.note);
    if (heard.notes)
        memset(heard.line, 0, sizeof heard.line);
    heard.notes = heard.read = 0;
    heard.lost = NULL;
    return NULL;
}
