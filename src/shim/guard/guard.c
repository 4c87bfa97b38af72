#include "shim/guard/guard.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "shim/channel.h"
#include "shim/core/complaint.h"
#include "shim/core/module.h"
#include "shim/core/script.h"
#include "shim/guard/region.h"
#include "shim/guard/sum.h"
#include "shim/noise.h"
#include "shim/objects/type.h"
#include "shim/touches.h"
#include "shim/turns.h"

enum {
    FENCED_BYTES = 1 << 20, /* of one span, from its start */
    FENCED_TIMES = 8,    /* about so many operations of one line are fenced */
    FENCED_AGE = 32,     /* each is fenced for so many operations after it */
    MANY_STEPS = 256,    /* allowed while the first operation of a line, which is worth more, is young */
    MANY_STEPS_AGE = 4,  /* it is young for so many operations */
    FEW_STEPS = 16,      /* single steps allowed otherwise */
    FEW_SYSTEM_CALLS = 16, /* between two calls; then the fence stays down until the next one */
    MANY_SYSTEM_CALLS = 1024, /* the same when the run is looked at once more */
    MANY_SAMPLES = 256,  /* of which a sum is made (sum.h), of operations that were fenced, too */
    FEW_SAMPLES = 4,     /* of other operations */
};

/* A buffer.  This is in the image of a rank (noise.h), so it depends on what is pending and on nothing else. */
struct buffer_span {
    uintptr_t start, end;    /* of a type with gaps: from the first byte to the last */
    struct request *request;
    const void *place;       /* where it was started */
    MPI_Datatype type;       /* of one with gaps, and how many of them; MPI_DATATYPE_NULL: it has none */
    void *buf;
    MPI_Count count;
    pthread_t thread;        /* of a blocking call, whose thread has no other one; 0: it is none */
    bool filled;             /* something is being received */
    bool told;               /* something was wrong with it: that is enough */
};

/* By address; of each, noise.watch says how it is watched.  If there are more, the others are not guarded. */
static struct {
    struct buffer_span span[NOISE_SPANS];
    int spans;
} guard;

/* What the fence has caught since the last call: gone before the rank sleeps. */
static struct catch {
    bool writes, unmaps;
    struct buffer_span span;
    uintptr_t frame[GUARD_FRAMES];
    int frames;
} caught[4];
static int catches;

static bool is_one_sided(const struct request *r)
{
    switch ((int)r->call) {
    case CALL_Put:
    case CALL_Get:
    case CALL_Accumulate:
    case CALL_Get_accumulate:
    case CALL_Fetch_and_op:
    case CALL_Compare_and_swap:
    case CALL_Rput:
    case CALL_Rget:
    case CALL_Raccumulate:
    case CALL_Rget_accumulate:
        return true;
    }
    return false;
}

/* ---- sums ---- */

/* Of the first elements. */
static uint64_t sum_with_gaps(const struct buffer_span *span, size_t samples)
{
    const struct type *type = type_find(span->type);
    MPI_Count most = samples * SAMPLE_BYTES / type->size, count = span->count < most ? span->count : most;
    if (count == 0)
        return 0;
    char *packed = shim_alloc(type_bytes(type, count));
    type_pack(span->buf, count, type, packed);
    uint64_t sum = sum_of_buffer(packed, type_bytes(type, count), samples);
    free(packed);
    return sum;
}

static bool is_surely_mapped(const struct buffer_span *span)
{
    return region_guess(span->start, span->end) != REGION_UNKNOWN;
}

/* Somebody may have given the memory back, or was too generous when he said how much there is. */
static bool is_mapped(const struct buffer_span *span)
{
    if (is_surely_mapped(span))
        return true;
    uintptr_t start = span->start & -(uintptr_t)FENCE_PAGE;
    return msync((void *)start, span->end - start, MS_ASYNC) == 0 || errno != ENOMEM;
}

static uint64_t sum_of_span(const struct buffer_span *span, const struct noise_watch *watch)
{
    size_t samples = watch->early ? MANY_SAMPLES : FEW_SAMPLES;
    return span->type != MPI_DATATYPE_NULL
               ? sum_with_gaps(span, samples)
               : sum_of_buffer((const char *)span->start, span->end - span->start, samples);
}

/* ---- complaints ---- */

static const char *what_is_done(const struct buffer_span *span)
{
    return call_is_collective(span->request->call) ? span->filled ? "receive buffer" : "send buffer" : "buffer";
}

static enum complaint complaint_at(const void *place, bool one_sided)
{
    if (module_kind_at(place) == MODULE_PROGRAM)
        return one_sided ? COMPLAINT_RMA_RACE : COMPLAINT_BUFFER_RACE;
    return one_sided ? COMPLAINT_RMA_RACE_INSIDE : COMPLAINT_BUFFER_RACE_INSIDE;
}

static void tell_misuse(const struct buffer_span *span, const void *place, const char *what)
{
    complain_beside(complaint_at(place, is_one_sided(span->request)), span->request->call, place, place == span->place ? NULL : span->place,
                    "the %s of %s is %s while the operation is pending", what_is_done(span),
                    call_name(span->request->call), what);
}

static void check_sum(struct buffer_span *span, struct noise_watch *watch)
{
    if (span->told || !watch->summed)
        return;
    watch->summed = false;
    bool gone = !is_mapped(span);
    if (!gone && sum_of_span(span, watch) == watch->sum)
        return;
    span->told = true;
    tell_misuse(span, span->place, gone ? "given back to the system" : "written to");
}

/* ---- two operations ---- */

static bool do_spans_overlap(const struct buffer_span *a, const struct buffer_span *b)
{
    if (a->start >= b->end || b->start >= a->end)
        return false;
    if (a->type == MPI_DATATYPE_NULL && b->type == MPI_DATATYPE_NULL)
        return true;
    return a->buf == b->buf && a->type == b->type; /* gaps: only if they are alike it is certain */
}

/* Parts of one blocking call, which may have one buffer for both: MPI_Sendrecv_replace. */
static bool are_of_one_call(const struct buffer_span *a, const struct buffer_span *b)
{
    return a->request == b->request || (a->thread && b->thread && pthread_equal(a->thread, b->thread));
}

static void compare_spans(struct buffer_span *new)
{
    for (int i = 0; i < guard.spans && guard.span[i].start < new->end; i++) {
        struct buffer_span *old = &guard.span[i];
        if (old->told || are_of_one_call(old, new) || !(old->filled || new->filled) || !do_spans_overlap(old, new))
            continue;
        bool one_sided = is_one_sided(old->request) || is_one_sided(new->request);
        complain_beside(complaint_at(shim.place, one_sided), shim.call, shim.place, old->place,
                        "%s has a buffer in common with %s, which is pending%s", call_name(new->request->call),
                        call_name(old->request->call), old->thread ? " in another thread" : "");
        old->told = new->told = true;
    }
}

/* All bytes from the first to the last. */
static bool has_no_gaps(const struct type *type, MPI_Count count)
{
    return type->contiguous || (count == 1 && type->size == type->true_extent && !type_overlaps_itself(type, 1));
}

static bool make_span(struct buffer_span *span, struct request *r, void *buf, MPI_Count count, MPI_Datatype datatype,
                      bool filled)
{
    const struct type *type = type_find(datatype);
    if (count <= 0 || type->size == 0)
        return false;
    uintptr_t start = (uintptr_t)buf + type->true_lb, last = start + (count - 1) * type->extent;
    *span = (struct buffer_span){.start = start < last ? start : last,
                          .end = (start < last ? last : start) + type->true_extent,
                          .request = r,
                          .place = shim.place,
                          .type = has_no_gaps(type, count) ? MPI_DATATYPE_NULL : datatype,
                          .buf = buf,
                          .count = count,
                          .thread = r->in_call ? pthread_self() : 0,
                          .filled = filled};
    return true;
}

static void grow_older(void)
{
    for (int i = 0; fence_exists() && i < guard.spans; i++)
        if (noise.watch[i].age < FENCED_AGE)
            noise.watch[i].age++;
}

static void compare_buffer(struct request *r, void *buf, MPI_Count count, MPI_Datatype datatype, bool filled)
{
    struct buffer_span span;
    if (make_span(&span, r, buf, count, datatype, filled))
        compare_spans(&span);
}

bool guard_is_idle(void)
{
    return guard.spans == 0 && !touches_are_wanted();
}

/* A call loads and stores for the program (touches.h): what it fills is filled when it returns. */
static void note_touched(struct request *r, void *buf, MPI_Count count, MPI_Datatype datatype, bool filled)
{
    (void)r;
    touches_note_buffer(buf, count, type_find(datatype), filled);
}

/*
 * The same of one that goes on: what a receive fills is filled when it is over.  One-sided operations do so at any time
 * until then.
 */
static void note_begun(struct request *r, void *buf, MPI_Count count, MPI_Datatype datatype, bool filled)
{
    if (!filled || is_one_sided(r))
        touches_note_buffer(buf, count, type_find(datatype), filled);
}

static void guard_while_blocked(struct request *);

void guard_compare(struct request *r)
{
    if (touches_are_wanted() && r->buffers)
        r->buffers(r, note_touched);
    if (r->buffers && shim_has_threads() && !shim.job) {
        guard_while_blocked(r);
        return;
    }
    if (guard.spans == 0 || !r->buffers)
        return;
    grow_older();
    r->buffers(r, compare_buffer);
}

/* ---- begin and end ---- */

/* How often there was an operation of this line, up to FENCED_TIMES. */
static uint8_t count_line(void)
{
    uint8_t *seen = &noise.seen[((uintptr_t)shim.place * UINT64_C(0x9e3779b97f4a7c15)) >> 54];
    return *seen == FENCED_TIMES ? FENCED_TIMES : (*seen)++;
}

/* All from one on. */
static void move_spans(int to, int from)
{
    size_t n = (size_t)(guard.spans - from);
    if (n == 0)
        return;
    memmove(&guard.span[to], &guard.span[from], n * sizeof *guard.span);
    memmove(&noise.watch[to], &noise.watch[from], n * sizeof *noise.watch);
}

static void remove_span(int i)
{
    move_spans(i, i + 1);
    memset(&guard.span[--guard.spans], 0, sizeof *guard.span);
}

/*
 * The kernel takes longer to say what is mapped than a call does.  Where nobody waits for ranks that only call, on a
 * real job, it is asked for the first operations of a line.
 */
static bool is_worth_asking(bool early)
{
    return early || !shim.job;
}

/* Not what the library fills, nobody knows when. */
static bool can_be_summed(const struct buffer_span *span)
{
    return !span->told && !(span->filled && span->request->lent);
}

/* The first operations of a line, in memory where fences are cheap; or all, if the run is looked at once more. */
static bool can_be_fenced(const struct buffer_span *span, bool early)
{
    if (touches_need_fence())
        return fence_can_hold_at_any_cost(span->start, span->end);
    return early && fence_can_hold(span->start, span->end);
}

static void add_span(struct request *r, void *buf, MPI_Count count, MPI_Datatype datatype, bool filled)
{
    struct buffer_span span;
    if (guard.spans == NOISE_SPANS || !make_span(&span, r, buf, count, datatype, filled))
        return;
    uint8_t before = count_line();
    bool asks = is_worth_asking(before < FENCED_TIMES), mapped = asks ? is_mapped(&span) : is_surely_mapped(&span);
    if (asks && !mapped)
        return;
    compare_spans(&span);
    bool summed = mapped && can_be_summed(&span);
    struct noise_watch watch = {.first = before == 0, .early = before < FENCED_TIMES, .summed = summed};
    watch.sum = summed ? sum_of_span(&span, &watch) : 0;
    watch.fenced = !span.told && span.type == MPI_DATATYPE_NULL && can_be_fenced(&span, watch.early);
    int at = guard.spans;
    while (at > 0 && guard.span[at - 1].start > span.start)
        at--;
    move_spans(at + 1, at);
    guard.spans++;
    guard.span[at] = span;
    noise.watch[at] = watch;
    r->guarded++;
    r->checked = false;
}

static void let_others_come(struct request *r, void *buf, MPI_Count count, MPI_Datatype datatype, bool filled)
{
    struct buffer_span span;
    if (make_span(&span, r, buf, count, datatype, filled))
        turns_with_buffer(span.start, span.end, filled);
}

static void add_all_spans(struct request *r)
{
    if (channel_head()->unguarded || !r->buffers)
        return;
    grow_older();
    r->buffers(r, add_span);
    if (turns_are_taken())
        r->buffers(r, let_others_come);
}

void guard_begin(struct request *r)
{
    if (touches_are_wanted() && r->buffers)
        r->buffers(r, note_begun);
    add_all_spans(r);
}

/* Until the request is deleted. */
static void guard_while_blocked(struct request *r)
{
    r->in_call = true;
    add_all_spans(r);
}

/* A request of the program's may go with the buffers of another one. */
static struct request *lent_with(const struct request *r)
{
    return r->visible ? r->also : NULL;
}

void guard_check(struct request *r)
{
    if (lent_with(r))
        guard_check(r->also);
    if (!r->guarded || r->checked)
        return;
    for (int i = 0, left = r->guarded; left > 0; i++)
        if (guard.span[i].request == r) {
            check_sum(&guard.span[i], &noise.watch[i]);
            left--;
        }
    r->checked = true;
}

void guard_filled_early(struct request *r)
{
    if (!r->guarded)
        return;
    for (int i = 0; i < guard.spans; i++) {
        struct buffer_span *span = &guard.span[i];
        struct noise_watch *watch = &noise.watch[i];
        if (span->request != r || !can_be_summed(span) || !is_mapped(span))
            continue;
        watch->summed = true;
        watch->sum = sum_of_span(span, watch);
    }
    r->checked = false;
}

static void note_span_filled(const struct buffer_span *span)
{
    if (touches_are_wanted() && span->filled && span->type == MPI_DATATYPE_NULL && !is_one_sided(span->request))
        touches_note_filled(span->start, span->end, span->place);
}

void guard_over(struct request *r)
{
    if (lent_with(r))
        guard_over(r->also);
    for (int i = guard.spans; r->guarded > 0;)
        if (guard.span[--i].request == r) {
            note_span_filled(&guard.span[i]);
            remove_span(i);
            r->guarded--;
        }
}

/* ---- around calls ---- */

/* A script does nothing itself: whoever did it, did it for the script; but its line is known of calls only. */
static const void *find_culprit_of_script(const struct catch *it)
{
    for (int i = 0; i < it->frames; i++) {
        enum module_kind kind = module_kind_at((const char *)it->frame[i] - 1);
        if (kind != MODULE_RUNTIME)
            return kind == MODULE_PROGRAM || kind == MODULE_SHARED ? it->span.place : NULL;
    }
    return NULL;
}

/* The line that did it: libraries of the language do it for their caller, what others do is their affair. */
static const void *find_culprit(const struct catch *it)
{
    uintptr_t start = 0, end = 0;
    if (script_at(it->span.place))
        return find_culprit_of_script(it);
    module_span(it->span.place, &start, &end);
    for (int i = 0; i < it->frames; i++) {
        const char *at = (const char *)it->frame[i];
        enum module_kind kind = module_kind_at(at - 1);
        if (kind == MODULE_PROGRAM || (start < it->frame[i] && it->frame[i] <= end))
            return at;
        if (kind != MODULE_RUNTIME)
            return NULL;
    }
    return NULL;
}

static void tell_caught(void)
{
    for (int i = 0; i < catches; i++) {
        const struct catch *it = &caught[i];
        const void *place = find_culprit(it);
        if (place)
            tell_misuse(&it->span, place, it->unmaps ? "given back to the system" : it->writes ? "written to" : "read");
    }
    memset(caught, 0, sizeof caught);
    catches = 0;
}

void guard_pause(void)
{
    if (!touches_need_fence() || !fence_is_up())
        return;
    fence_lower();
    touches_spend(noise.fence.given - fence_steps_left());
}

void guard_enter(void)
{
    fence_lower();
    if (touches_are_wanted())
        touches_gather();
    if (catches)
        tell_caught();
}

/* Buffers are looked at for a while, and longer only when that is all that matters. */
static bool is_span_fenced(int i)
{
    return noise.watch[i].fenced && !guard.span[i].told &&
           (noise.watch[i].age < FENCED_AGE || touches_need_fence());
}

static bool is_any_span_fenced(void)
{
    for (int i = 0; i < guard.spans; i++)
        if (is_span_fenced(i))
            return true;
    return false;
}

static uint32_t steps_worth_it(void)
{
    for (int i = 0; i < guard.spans; i++)
        if (noise.watch[i].fenced && noise.watch[i].first && noise.watch[i].age < MANY_STEPS_AGE)
            return MANY_STEPS;
    return FEW_STEPS;
}

/* All memory of windows is fenced, too. */
static void leave_to_be_looked_at(void)
{
    struct fence_run run[FENCE_RUNS];
    touches_settle_filled();
    touches_find_memory();
    int runs = guard_fence(run);
    if (!runs || shim.over)
        return;
    noise.fence.given = touches_steps();
    if (noise.fence.given)
        fence_raise(run, runs, noise.fence.given, MANY_SYSTEM_CALLS);
    if (!fence_is_up())
        touches_leave_out();
}

void guard_leave(void)
{
    if (touches_need_fence()) {
        leave_to_be_looked_at();
        return;
    }
    if (touches_are_wanted()) {
        touches_settle_filled();
        touches_listen();
    }
    if (!fence_exists())
        return;
    if (!is_any_span_fenced()) {
        fence_note_calm();
        return;
    }
    struct fence_run run[FENCE_RUNS];
    int runs = guard_fence(run);
    if (runs && !shim.over)
        fence_raise(run, runs, steps_worth_it(), FEW_SYSTEM_CALLS);
}

/* ---- for the fence ---- */

/* What is to be fenced, by address; both lists are. */
struct fence_wish {
    uintptr_t start, end;
    bool closed;
};

static int add_fence_wish(struct fence_wish *wish, int n, struct fence_wish new)
{
    int at = n;
    for (; at > 0 && wish[at - 1].start > new.start; at--)
        wish[at] = wish[at - 1];
    wish[at] = new;
    return n + 1;
}

int guard_fence(struct fence_run *run)
{
    struct fence_wish wish[2 * FENCE_RUNS];
    int runs = 0, n = 0;
    const struct touched_memory *memory;
    for (int i = 0; (memory = touches_memory(i)) && touches_need_fence() && n < FENCE_RUNS; i++)
        n = add_fence_wish(wish, n, (struct fence_wish){memory->start, memory->end, true});
    for (int i = 0; i < guard.spans && n < 2 * FENCE_RUNS; i++) {
        const struct buffer_span *span = &guard.span[i];
        uintptr_t end = span->end - span->start > FENCED_BYTES ? span->start + FENCED_BYTES : span->end;
        if (is_span_fenced(i))
            n = add_fence_wish(wish, n, (struct fence_wish){span->start, end, span->filled});
    }
    for (int i = 0; i < n; i++)
        if (!fence_add(run, &runs, wish[i].start, wish[i].end, wish[i].closed))
            break;
    return runs;
}

static struct buffer_span *forbidding(uintptr_t start, uintptr_t end, bool writes)
{
    for (int i = 0; i < guard.spans && guard.span[i].start < end; i++) {
        struct buffer_span *span = &guard.span[i];
        if (start < span->end && !span->told && span->type == MPI_DATATYPE_NULL && (span->filled || writes))
            return span;
    }
    return NULL;
}

bool guard_forbids(uintptr_t address, bool writes)
{
    return forbidding(address, address + 1, writes) != NULL;
}

bool guard_minds(uintptr_t start, uintptr_t end, bool writes)
{
    return forbidding(start, end, writes) != NULL;
}

void guard_caught(uintptr_t start, uintptr_t end, bool writes, const uintptr_t *frame, int frames)
{
    struct buffer_span *span = forbidding(start, end, writes);
    if (!span)
        return;
    noise.watch[span - guard.span].fenced = false;
    if (catches == sizeof caught / sizeof *caught)
        return;
    span->told = true;
    struct catch *it = &caught[catches++];
    it->writes = writes;
    it->unmaps = end - start > 1;
    it->span = *span;
    it->frames = frames;
    memcpy(it->frame, frame, frames * sizeof *frame);
}
