#include "drive/touches.h"

#include "base/log.h"

/* How many bytes an instruction loads or stores at once; 1 if that is not known: its first byte it did touch. */
static uint64_t bytes_of_instruction(struct touches *touches, const struct window_touch *touch)
{
    bool stores = touch->flags & TOUCH_STORES;
    if (!touches->disassembler)
        touches->disassembler = disassembler_new();
    if (!touches->disassembler)
        return 1;
    struct instruction in = instruction_decode(touches->disassembler, touch->code, sizeof touch->code, touch->place - 1);
    for (int i = 0; i < in.memories && !(in.flags & INSTRUCTION_UNKNOWN); i++)
        if (in.memory[i].bytes && (stores ? in.memory[i].writes : in.memory[i].reads))
            return in.memory[i].bytes;
    return 1;
}

/* Functions that search, such as strlen, load whole vectors, and of these more than they were asked for. */
static bool is_surely_loaded(const struct window_touch *touch, uint64_t bytes)
{
    enum { NO_VECTOR = 8 };
    return !(touch->flags & TOUCH_ABOUT) || touch->flags & TOUCH_STORES || bytes <= NO_VECTOR;
}

static void note_unseen(struct touches *touches, rank_t rank, const struct window_touch *touch)
{
    for (size_t i = 0; i < touches->unseen.n; i++)
        if (touches->unseen.at[i].slot == touch->slot && touches->unseen.at[i].place == touch->place)
            return;
    vec_push(&touches->unseen, ((struct unseen_touch){rank, touch->slot, touch->place}));
}

bool touches_read(struct touches *touches, rank_t rank, uint32_t before, const struct window_touch *touch, uint32_t n,
                  local_touches_t *to)
{
    bool all = true;
    for (uint32_t i = 0; i < n; i++, touch++) {
        if (touch->flags & TOUCH_UNSEEN) {
            note_unseen(touches, rank, touch);
            all = false;
            continue;
        }
        uint64_t bytes = touch->bytes ? touch->bytes : bytes_of_instruction(touches, touch);
        LOG(drive, "rank %d %s window %u of rank %d at %llu, %llu bytes, %u times every %lld, by %llx", rank,
            touch->flags & TOUCH_STORES ? "stores to" : "loads from", touch->slot, touch->owner,
            (unsigned long long)touch->at, (unsigned long long)bytes, touch->count, (long long)touch->distance,
            (unsigned long long)touch->place);
        if (touch->count && is_surely_loaded(touch, bytes))
            local_touches_add(to, touch, before, bytes);
    }
    return all;
}

void touches_release(struct touches *touches)
{
    disassembler_free(touches->disassembler);
    vec_release(&touches->unseen);
}
