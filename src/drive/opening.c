#include "drive/opening.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "call/mail.h"
#include "call/window.h"

enum opening_stage {
    OPENING_COMING, /* so far nothing was left open, and each rank has one history */
    OPENING_ON,
    OPENING_OVER,
};

/* A rank in it. */
struct opening_rank {
    node_id first, last;  /* nodes of its history */
    VEC(char) records;    /* what it has done up to the first, as ranks post it */
    uint32_t count;       /* so many records */
    pid_t process;        /* that was at the first, */
    int64_t spent;        /* and its processor time by then, in microseconds */
    int animal;           /* that is ahead; -1: none, or none any more */
};

struct opening {
    enum opening_stage stage;
    int ranks;
    struct opening_rank *rank; /* owns */
};

enum {
    LONG_RUN = 64,       /* segments of each rank, on average: to make copies and have them catch up takes as long as some dozen */
    BRISK_SEGMENT = 200, /* microseconds: who computes for longer between its calls gains little, and would compute once more to catch up */
};

struct opening *opening_new(int ranks, bool wanted)
{
    struct opening *opening = xcalloc(1, sizeof *opening);
    opening->ranks = ranks;
    opening->stage = wanted && ranks <= MAIL_RANKS ? OPENING_COMING : OPENING_OVER;
    opening->rank = xcalloc((size_t)ranks, sizeof *opening->rank);
    for (rank_t r = 0; r < ranks; r++)
        opening->rank[r].animal = -1;
    return opening;
}

void opening_free(struct opening *opening)
{
    for (rank_t r = 0; r < opening->ranks; r++)
        vec_release(&opening->rank[r].records);
    free(opening->rank);
    free(opening);
}

static bool is_long_enough(const struct drive *drive)
{
    return drive->runs >= (uint64_t)LONG_RUN * (uint64_t)drive->opening->ranks;
}

/* Their mailboxes stay taken: it takes a process a while to die, and it may still write there. */
void opening_end(struct drive *drive, const char *why)
{
    struct opening *opening = drive->opening;
    if (opening->stage == OPENING_ON || (opening->stage == OPENING_COMING && is_long_enough(drive)))
        LOG(drive, "%s after %llu segments: %s", opening->stage == OPENING_ON ? "the opening is over" : "there is no opening",
            (unsigned long long)drive->runs, why);
    opening->stage = OPENING_OVER;
    for (rank_t r = 0; r < opening->ranks; r++) {
        if (opening->rank[r].animal >= 0)
            drive_end_animal(drive, opening->rank[r].animal);
        opening->rank[r].animal = -1;
        vec_release(&opening->rank[r].records);
    }
}

/* ---- what leaves something open ---- */

static bool leaves_open(const struct op *op)
{
    if (op_is_poll(op) || op_chooses(op) || op_probes(op) || (op_completes(op) && op->flags & (OPF_ANY | OPF_SOME)))
        return true;
    if (op->kind == OP_SEND || op->kind == OP_RECV)
        return op->peer == RANK_ANY || op->context == KEEPER_CONTEXT;
    return op->kind == OP_CANCEL || op->kind == OP_FREE || op_ends_rank(op);
}

static bool leaves_nothing_open(const struct segment *segment)
{
    const struct op *op = segment->ops;
    for (uint32_t i = 0; i < segment->count; i++, op = op_next(op))
        if (leaves_open(op))
            return false;
    return segment->end == SEGMENT_CALL || segment->end == SEGMENT_EXIT;
}

/* ---- what was done before ---- */

/* As it was posted: with its payload behind it, if that is short. */
static void keep_first_record(struct opening_rank *rank, const struct op *op, const void *payload, uint64_t bytes)
{
    size_t here = payload && op->size + bytes <= MAIL_MOST ? op_round(op->size + bytes) : op->size;
    vec_reserve(&rank->records, here);
    char *to = rank->records.at + rank->records.n;
    memset(to, 0, here);
    memcpy(to, op, op->size);
    if (here > op->size || (payload && !bytes)) {
        ((struct op *)to)->payload = 0;
        ((struct op *)to)->size = (uint32_t)here;
        memcpy(to + op->size, payload, bytes);
    }
    rank->records.n += here;
    rank->count++;
}

static void keep_first_segment(struct drive *drive, struct opening_rank *rank, const struct segment *segment)
{
    const struct op *op = segment->ops;
    size_t brought = 0;
    for (uint32_t i = 0; i < segment->count; i++, op = op_next(op)) {
        bool brings = (op->kind == OP_SEND || op->kind == OP_COLL) && op->payload;
        const struct payload_block *block = brings ? &drive->reading.payload.at[brought++] : NULL;
        keep_first_record(rank, op, block ? arena_at(&drive->herd.memory, block->at) : NULL, block ? block->bytes : 0);
    }
}

void opening_note(struct drive *drive, rank_t r, node_id from, node_id to, const struct segment *segment)
{
    struct opening *opening = drive->opening;
    if (opening->stage == OPENING_OVER)
        return;
    struct opening_rank *rank = &opening->rank[r];
    if (opening->stage == OPENING_ON || from != rank->last || !leaves_nothing_open(segment) || segment->end != SEGMENT_CALL) {
        opening_end(drive, "a rank was run in the usual way, or leaves something open");
        return;
    }
    if (!from) {
        rank->first = to;
        rank->process = herd_process(&drive->herd, drive->in_hand);
        rank->spent = effort_of_process(rank->process);
        keep_first_segment(drive, rank, segment);
    }
    rank->last = to;
}

/* ---- those who are ahead ---- */

/*
 * By the processor time of ranks since they began, which hardly depends on what else the machine does; on the clock one segment in which a rank did not get a
 * processor at once is as long as hundreds.
 */
static bool is_brisk(const struct drive *drive)
{
    int64_t spent = 0;
    for (rank_t r = 0; r < drive->opening->ranks; r++) {
        const struct opening_rank *rank = &drive->opening->rank[r];
        int64_t now = rank->process ? effort_of_process(rank->process) : 0;
        spent += now > rank->spent ? now - rank->spent : 0;
    }
    return spent <= BRISK_SEGMENT * (int64_t)drive->runs;
}

static bool can_begin(const struct drive *drive)
{
    const struct opening *opening = drive->opening;
    if (!is_long_enough(drive) || drive->early.run.n || atomic_load(&drive->herd.memory.head->take_turns))
        return false;
    for (rank_t r = 0; r < opening->ranks; r++) {
        node_id first = opening->rank[r].first;
        if (!first || first == opening->rank[r].last || drive->uncopied[r] || checkpoint(drive, first)->animal < 0 ||
            drive->at[checkpoint(drive, first)->animal] != first || !herd_can_run_aside(&drive->herd, checkpoint(drive, first)->animal))
            return false;
    }
    return true;
}

static bool make_copies(struct drive *drive)
{
    struct opening *opening = drive->opening;
    for (rank_t r = 0; r < opening->ranks; r++)
        if ((opening->rank[r].animal = drive_copy_animal(drive, opening->rank[r].first)) < 0)
            return false;
    return true;
}

static bool send_ahead(struct drive *drive, const struct opening_rank *rank, struct wire_ahead told)
{
    struct memory *memory = &drive->herd.memory;
    size_t bytes = sizeof told + rank->records.n;
    uint64_t at = arena_take(memory, bytes); /* it may look at the last record as long as it is there */
    told.records = rank->count;
    memcpy(arena_at(memory, at), &told, sizeof told);
    memcpy((char *)arena_at(memory, at) + sizeof told, rank->records.at, rank->records.n);
    return herd_send_ahead(&drive->herd, rank->animal, at);
}

static bool send_all_ahead(struct drive *drive)
{
    struct opening *opening = drive->opening;
    struct memory *memory = &drive->herd.memory;
    struct wire_ahead told = {.mailboxes = memory_take_mailboxes(memory), .channels = arena_take(memory, (uint64_t)opening->ranks * sizeof(int32_t))};
    int32_t *channel = arena_at(memory, told.channels);
    for (rank_t r = 0; r < opening->ranks; r++)
        channel[r] = opening->rank[r].animal;
    atomic_store(&memory->head->running, 0);
    atomic_store(&memory->head->rest_wanted, 0);
    atomic_store(&memory->head->tourney_chooses, 1);
    atomic_store(&memory->head->cores, (uint32_t)CPU_COUNT(&drive->herd.aside));
    for (rank_t r = 0; r < opening->ranks; r++)
        if (!send_ahead(drive, &opening->rank[r], told))
            return false;
    return true;
}

/* The answer that leads to the node is offered, unless the rank has given it itself; and what it does then is read. */
static struct segment follow_to(struct drive *drive, int animal, node_id to, struct reading *reading)
{
    struct letter *letter = &drive->letter;
    struct payload_block lent = {0};
    if (!herd_went_on(&drive->herd, animal)) {
        letter_write(letter, &drive->checkpoints, checkpoint(drive, to)->ret);
        if (sizeof letter->answer + letter->completions.n > WIRE_ANSWER) {
            lent.bytes = letter->completions.n;
            lent.at = letter->answer.payload = arena_take(&drive->herd.memory, lent.bytes);
        }
        herd_offer(&drive->herd, animal, letter->answer, letter->completions.at, letter->completions.n);
    }
    struct segment segment = reading_take(reading, &drive->herd, animal, to);
    if (lent.bytes)
        arena_give(&drive->herd.memory, lent.at, lent.bytes);
    return segment;
}

/* Those who are ahead come to where the search is, in the order in which it came there: what is handed over has been posted before.  False: one does something else. */
static bool come_to_search(struct drive *drive, node_id until)
{
    struct opening *opening = drive->opening;
    struct reading reading = {0};
    bool same = true;
    for (node_id node = 1; same && node < until; node++) {
        const struct checkpoint *there = checkpoint(drive, node);
        bulk_pass();
        if (node == opening->rank[there->rank].first)
            continue;
        if (drive_lacks_for(drive, there->ret))
            same = false;
        struct segment segment = same ? follow_to(drive, opening->rank[there->rank].animal, node, &reading) : (struct segment){0};
        same = same && segment_sum(&segment) == there->sum;
        reading_drop(&reading, &drive->herd);
    }
    reading_release(&reading);
    return same;
}

static bool begin(struct drive *drive, node_id to)
{
    struct opening *opening = drive->opening;
    bool begun = make_copies(drive) && send_all_ahead(drive) && come_to_search(drive, to);
    LOG(drive, "after %llu segments in which nothing was left open, ranks run ahead%s", (unsigned long long)drive->runs,
        begun ? "" : ", in vain");
    opening->stage = OPENING_ON;
    if (!begun)
        opening_end(drive, "those who run ahead have not come to where the search is");
    return begun;
}

/* Whoever is held, hangs or has been killed is run in the usual way. */
static bool is_of_use(struct drive *drive, int animal, const struct segment *segment)
{
    return leaves_nothing_open(segment) && !atomic_load(&drive->herd.memory.head->take_turns) && !herd_is_over(&drive->herd) &&
           (segment->end == SEGMENT_CALL || drive->herd.animal[animal].gone);
}

static const char *why_of_no_use(const struct drive *drive, int animal, const struct segment *segment)
{
    if (!leaves_nothing_open(segment))
        return "leaves something open, or comes to grief";
    if (segment->end == SEGMENT_CALL || drive->herd.animal[animal].gone)
        return "has threads, or is not waited for any more";
    return herd_is_held_aside(&drive->herd, animal) ? "is held before what others could find" : "hangs";
}

bool opening_run(struct drive *drive, rank_t r, node_id from, node_id to, int *animal, struct segment *segment)
{
    struct opening *opening = drive->opening;
    if (opening->stage == OPENING_OVER)
        return false;
    struct opening_rank *rank = &opening->rank[r];
    if (opening->stage == OPENING_COMING && is_long_enough(drive) && !is_brisk(drive)) {
        opening_end(drive, "ranks compute for long between their calls");
        return false;
    }
    if (opening->stage == OPENING_COMING && (!can_begin(drive) || from != rank->last || !begin(drive, to)))
        return false;
    if (from != rank->last || drive_lacks_for(drive, checkpoint(drive, to)->ret)) {
        opening_end(drive, "the search goes on elsewhere, or a payload is not there any more");
        return false;
    }
    *animal = rank->animal;
    drive_show_files(drive, *animal, to);
    *segment = follow_to(drive, *animal, to, &drive->reading);
    if (is_of_use(drive, *animal, segment)) {
        rank->last = to;
        return true;
    }
    LOG(drive, "rank %d, on its way to node %u, %s", r, to, why_of_no_use(drive, *animal, segment));
    reading_drop(&drive->reading, &drive->herd);
    opening_end(drive, "a rank that is ahead cannot be followed");
    return false;
}

void opening_settle(struct drive *drive, int animal, const struct segment *segment)
{
    if (segment->end == SEGMENT_CALL)
        return;
    drive->opening->rank[drive->herd.animal[animal].rank].animal = -1;
    drive_end_animal(drive, animal);
}
