#include "shim/touches.h"

#include <string.h>

#include "shim/channel.h"
#include "shim/core/module.h"
#include "shim/fence.h"
#include "shim/objects/target_place.h"
#include "shim/window/program_notes.h"
#include "shim/window/touch_row.h"
#include "shim/window/window.h"

enum {
    STEPS = 8192,      /* between two calls */
    ALL_STEPS = 65536, /* of a rank, from its beginning */
    NOTES = TOUCHES_MOST,
    MEMORIES = 32, /* parts of windows that are fenced */
    TELLINGS = TOUCHES_MOST * TOUCH_RECORDS,
};

/* What one instruction, called from one place, did at addresses that follow each other at the same distance. */
struct touch_note {
    struct touch_row row;
    uint32_t flags;
    uint64_t bytes;
    uint8_t code[TOUCH_CODE];
    uintptr_t frame[TOUCH_FRAMES];
    int frames;
};

/* A buffer that the current call fills. */
struct filled_buffer {
    uintptr_t start, end;
};

/* All of this is empty when the rank sleeps, but for the steps. */
static struct {
    struct touch_note note[NOTES]; /* since the last call returned */
    int notes;
    uintptr_t lost[TOUCH_FRAMES]; /* from there on nobody looks */
    int lost_frames;              /* 0: somebody does */
    struct touched_memory *memory; /* owned; of windows, when the last call returned */
    int memories, memory_room;
    struct window_touch told[TELLINGS]; /* to be told before the next operation */
    uint32_t tellings;
    struct filled_buffer filled[8];
    int fills;
    uint32_t steps_left; /* in all, and one; 0: none were given yet */
} touched;

static bool are_touches_told(void)
{
    return program_notes_exist() && channel_head()->accesses;
}

bool touches_of_windows_are_wanted(void)
{
    return channel_head()->touches || are_touches_told();
}

bool touches_of_windows_need_fence(void)
{
    return channel_head()->touches && !are_touches_told();
}

uint32_t touches_steps(void)
{
    if (!touched.steps_left)
        touched.steps_left = ALL_STEPS + 1;
    uint32_t left = touched.steps_left - 1;
    return left < STEPS ? left : STEPS;
}

void touches_spend(uint32_t steps)
{
    touched.steps_left -= steps < touched.steps_left ? steps : touched.steps_left - 1;
}

/* ---- memory ---- */

static struct private_copy *copy_by_number(uint32_t n, struct window **of)
{
    struct window *w;
    for (uint32_t i = 0; (w = window_nth(i)); i++) {
        if (n < w->copies) {
            *of = w;
            return &w->copy[n];
        }
        n -= w->copies;
    }
    return NULL;
}

static struct window_touch touch_of_copy(const struct window *w, const struct private_copy *copy)
{
    return (struct window_touch){.slot = w->slot, .owner = w->target[copy->member].rank, .count = 1};
}

static void tell_touch(struct window_touch touch)
{
    if (touched.tellings == TELLINGS) { /* the last one says that there are more */
        struct window_touch *last = &touched.told[TELLINGS - 1];
        *last = (struct window_touch){.slot = touch.slot, .owner = touch.owner, .flags = TOUCH_UNSEEN, .place = touch.place};
        return;
    }
    touched.told[touched.tellings++] = touch;
}

/* To ask what sort of memory it is takes a while. */
static bool can_be_looked_at(struct touched_memory memory)
{
    static struct touched_memory known[MEMORIES];
    static int next;
    for (int i = 0; i < MEMORIES; i++)
        if (known[i].start == memory.start && known[i].end == memory.end)
            return true;
    if (!fence_can_hold_at_any_cost(memory.start, memory.end))
        return false;
    known[next++ % MEMORIES] = memory;
    return true;
}

static void leave_copy_out(const struct window *w, const struct private_copy *copy)
{
    struct window_touch touch = touch_of_copy(w, copy);
    touch.flags = TOUCH_UNSEEN;
    touch.place = (uintptr_t)shim.place;
    tell_touch(touch);
}

static void add_touched_memory(struct touched_memory memory)
{
    if (touched.memories == touched.memory_room) {
        touched.memory_room = touched.memory_room ? 2 * touched.memory_room : MEMORIES;
        touched.memory = shim_realloc(touched.memory, (size_t)touched.memory_room * sizeof *touched.memory);
    }
    touched.memory[touched.memories++] = memory;
}

void touches_find_memory(void)
{
    struct window *w;
    const struct private_copy *copy;
    bool fenced = touches_need_fence();
    touched.memories = 0;
    for (uint32_t i = 0; (copy = copy_by_number(i, &w)); i++) {
        struct touched_memory memory = {(uintptr_t)copy->memory, (uintptr_t)copy->memory + copy->bytes};
        if (!copy->bytes)
            continue;
        if (!fenced || (touched.memories < MEMORIES && can_be_looked_at(memory)))
            add_touched_memory(memory);
        else
            leave_copy_out(w, copy);
    }
}

void touches_listen(void)
{
    uintptr_t start = UINTPTR_MAX, end = 0;
    touches_find_memory();
    for (int i = 0; i < touched.memories; i++) {
        start = touched.memory[i].start < start ? touched.memory[i].start : start;
        end = touched.memory[i].end > end ? touched.memory[i].end : end;
    }
    if (start < end)
        program_notes_listen(start, end);
}

const struct touched_memory *touches_memory(int n)
{
    return n < touched.memories ? &touched.memory[n] : NULL;
}

bool touches_concern(uintptr_t start, uintptr_t end)
{
    for (int i = 0; i < touched.memories; i++)
        if (start < touched.memory[i].end && touched.memory[i].start < end)
            return true;
    return false;
}

/* ---- what the program does ---- */

static bool is_same_note(const struct touch_note *note, const struct seen_touch *seen)
{
    return note->flags == seen->flags && note->bytes == seen->bytes && note->frames == seen->frames &&
           memcmp(note->frame, seen->frame, (size_t)seen->frames * sizeof *seen->frame) == 0;
}

void touches_note(const struct seen_touch *seen)
{
    for (int i = touched.notes; i-- > 0;)
        if (is_same_note(&touched.note[i], seen) && touch_row_join(&touched.note[i].row, seen->start))
            return;
    if (touched.notes == NOTES) {
        touches_give_up(seen->frame, seen->frames);
        return;
    }
    struct touch_note *note = &touched.note[touched.notes++];
    *note = (struct touch_note){
        .row = {.first = seen->start, .count = 1}, .flags = seen->flags, .bytes = seen->bytes, .frames = seen->frames};
    memcpy(note->code, seen->code, seen->code_bytes < TOUCH_CODE ? seen->code_bytes : TOUCH_CODE);
    memcpy(note->frame, seen->frame, (size_t)seen->frames * sizeof *seen->frame);
}

void touches_give_up(const uintptr_t *frame, int frames)
{
    if (touched.lost_frames)
        return;
    touched.lost_frames = frames;
    memcpy(touched.lost, frame, (size_t)frames * sizeof *frame);
}

/* ---- telling it ---- */

/* The line that did it: what libraries of the language do, they do for their caller. */
static uint64_t place_of_frames(const uintptr_t *frame, int frames)
{
    for (int i = 0; i < frames; i++)
        if (module_kind_at((const char *)frame[i] - 1) != MODULE_RUNTIME)
            return frame[i];
    return frame[0];
}

/* Whether what lies between its first and its last place meets this memory. */
static bool may_meet(const struct touch_note *note, uintptr_t start, uintptr_t end)
{
    uintptr_t one = note->row.first, other = touch_row_nth(&note->row, note->row.count - 1);
    uintptr_t low = one < other ? one : other, high = one < other ? other : one;
    return low < end && start < high + (note->bytes ? note->bytes : 1);
}

/* The part of a note that is in one copy: its places from the first to the last that begin there. */
static void tell_note(const struct touch_note *note, uint64_t place)
{
    struct window *w;
    struct private_copy *copy;
    for (uint32_t i = 0; (copy = copy_by_number(i, &w)); i++) {
        uintptr_t start = (uintptr_t)copy->memory, end = start + copy->bytes, first = 0;
        uint32_t count = 0;
        for (uint32_t k = 0; k < note->row.count && may_meet(note, start, end); k++) {
            uintptr_t at = touch_row_nth(&note->row, k);
            bool inside = at < end && (note->bytes ? start < at + note->bytes : start <= at);
            first = inside && !count ? at : first;
            count += inside;
        }
        if (!count)
            continue;
        struct window_touch touch = touch_of_copy(w, copy);
        uint64_t before = first < start ? start - first : 0;
        touch.at = copy->at + (first + before - start);
        touch.distance = note->row.distance;
        touch.count = count;
        touch.flags = note->flags;
        touch.bytes = note->bytes ? note->bytes - before : 0;
        if (touch.bytes > end - first - before)
            touch.bytes = end - first - before;
        touch.place = place;
        memcpy(touch.code, note->code, sizeof touch.code);
        tell_touch(touch);
    }
}

static void tell_unseen(uint64_t place)
{
    struct window *w;
    for (uint32_t i = 0; (w = window_nth(i)); i++)
        tell_touch((struct window_touch){
            .slot = w->slot, .owner = (rank_t)shim.rank, .flags = TOUCH_UNSEEN, .place = place});
}

static void tell_of_program(void)
{
    const struct program_note *heard;
    const void *lost;
    while ((heard = program_notes_next(&lost))) {
        struct touch_note note = {.row = heard->row, .flags = heard->stores ? TOUCH_STORES : 0, .bytes = heard->bytes};
        tell_note(&note, (uintptr_t)heard->place);
    }
    if (lost)
        tell_unseen((uintptr_t)lost);
}

void touches_gather(void)
{
    tell_of_program();
    for (int i = 0; i < touched.notes; i++)
        tell_note(&touched.note[i], place_of_frames(touched.note[i].frame, touched.note[i].frames));
    if (touched.lost_frames)
        tell_unseen(place_of_frames(touched.lost, touched.lost_frames));
    memset(touched.note, 0, (size_t)touched.notes * sizeof *touched.note);
    touched.notes = 0;
    touched.lost_frames = 0;
}

void touches_leave_out(void)
{
    tell_unseen((uintptr_t)shim.place);
}

bool touches_are_waiting(void)
{
    return touched.tellings;
}

uint32_t touches_take(struct window_touch *to)
{
    uint32_t n = touched.tellings < TOUCHES_MOST ? touched.tellings : TOUCHES_MOST;
    memcpy(to, touched.told, n * sizeof *to);
    touched.tellings -= n;
    memmove(touched.told, touched.told + n, touched.tellings * sizeof *to);
    memset(touched.told + touched.tellings, 0, n * sizeof *to);
    return n;
}

/* ---- buffers of calls ---- */

static void tell_bytes(uintptr_t start, uintptr_t end, bool stores, const void *place)
{
    struct touch_note note = {.row = {.first = start, .count = 1}, .flags = stores ? TOUCH_STORES : 0, .bytes = end - start};
    tell_note(&note, (uintptr_t)place);
}

/* Each piece of a buffer. */
static void each_piece(const void *buf, MPI_Count count, const struct type *type, void (*see)(uintptr_t, uintptr_t))
{
    struct target_place place = target_place_of((intptr_t)buf, count > 0 ? count : 0, type);
    for (uint32_t i = 0; i < place.pieces; i++)
        see(place.piece[i].at, place.piece[i].at + place.piece[i].bytes);
    target_place_release(&place);
}

static void see_loaded(uintptr_t start, uintptr_t end)
{
    tell_bytes(start, end, false, shim.place);
}

static void see_filled(uintptr_t start, uintptr_t end)
{
    enum { MOST = sizeof touched.filled / sizeof *touched.filled };
    if (touched.fills < MOST && touches_concern(start, end))
        touched.filled[touched.fills++] = (struct filled_buffer){start, end};
}

void touches_note_buffer(const void *buf, MPI_Count count, const struct type *type, bool filled)
{
    each_piece(buf, count, type, filled ? see_filled : see_loaded);
}

void touches_note_filled(uintptr_t start, uintptr_t end, const void *place)
{
    tell_bytes(start, end, true, place);
}

void touches_settle_filled(void)
{
    for (int i = 0; i < touched.fills; i++)
        tell_bytes(touched.filled[i].start, touched.filled[i].end, true, shim.place);
    touched.fills = 0;
}
