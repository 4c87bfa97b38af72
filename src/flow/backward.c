#include "flow/backward.h"

struct pass {
    const struct tracer *tracer;
    const struct trace *trace;
    const struct posted_payloads *posted;
    struct byteset *payload, *set;
    bool quiet;        /* in a region of which it is assumed that nothing it has written counts, */
    bool wrong;        /* and that is wrong */
    uint64_t errno_at; /* 0: nobody looks at it */
    uint64_t frame;    /* in a region: what lies below is its own */
};

static bool is_shared(uint64_t location)
{
    return location >= LOCATION_SHARED && location < LOCATION_REGISTERS;
}

/* Of what is written to shared memory, all counts but payloads, which count where they are received. */
static bool shared_counts(struct pass *pass, uint64_t location, uint64_t bytes)
{
    for (uint64_t at = location; at < location + bytes; at++) {
        bool is_payload = false;
        for (size_t i = pass->posted->at.n; i-- > 0 && !is_payload;) {
            const struct posted_payload *posted = &pass->posted->at.at[i];
            is_payload = posted->location <= at && at < posted->location + posted->bytes;
            if (is_payload && byteset_has_any(pass->payload, posted->bytes_at + (at - posted->location), 1))
                return true;
        }
        if (!is_payload)
            return true;
    }
    return false;
}

/* It may also be read again by the rank itself. */
static bool counts(struct pass *pass, uint64_t location, uint64_t bytes)
{
    if (byteset_has_any(pass->set, location, bytes))
        return true;
    return is_shared(location) && shared_counts(pass, location, bytes);
}

static uint64_t register_at(struct register_range range)
{
    return LOCATION_REGISTERS + range.at;
}

static void count_general(struct pass *pass, int number)
{
    byteset_add(pass->set, LOCATION_REGISTERS + 8 * (uint64_t)number, 8);
}

/* ---- one step ---- */

struct span {
    uint64_t at, bytes;
    bool all;
};

struct spans {
    struct span read[INSTRUCTION_RANGES + INSTRUCTION_MEMORY], write[INSTRUCTION_RANGES + INSTRUCTION_MEMORY];
    int reads, writes;
};

/* Memory first: an instruction that copies has one of each. */
static struct spans spans_of_step(const struct instruction *in, const uint64_t *location)
{
    struct spans spans = {.reads = 0};
    for (int i = 0; i < in->memories && location; i++) {
        struct span span = {location[i], in->memory[i].bytes, in->memory[i].all};
        if (in->memory[i].reads)
            spans.read[spans.reads++] = span;
        if (in->memory[i].writes)
            spans.write[spans.writes++] = span;
    }
    for (int i = 0; i < in->reads; i++)
        spans.read[spans.reads++] = (struct span){register_at(in->read[i]), in->read[i].bytes, false};
    for (int i = 0; i < in->writes; i++)
        spans.write[spans.writes++] = (struct span){register_at(in->write[i]), in->write[i].bytes, in->write[i].all};
    return spans;
}

static void note_region_write(struct pass *pass, const struct span *span)
{
    bool own =
        span->at >= LOCATION_REGISTERS || (span->at < pass->frame && span->at + (UINT64_C(1) << 26) > pass->frame);
    pass->wrong |= pass->quiet && !own;
}

/* Byte by byte. */
static void copy_back(struct pass *pass, const struct span *to, const struct span *from)
{
    uint64_t n = to->bytes < from->bytes ? to->bytes : from->bytes;
    uint64_t counting = 0;
    for (uint64_t i = 0; i < n; i++)
        if (counts(pass, to->at + i, 1))
            counting |= UINT64_C(1) << i;
    if (to->all)
        byteset_remove(pass->set, to->at, to->bytes);
    for (uint64_t i = 0; i < n; i++)
        if (counting >> i & 1)
            byteset_add(pass->set, from->at + i, 1);
}

static void step_back(struct pass *pass, const struct instruction *in, const uint64_t *location)
{
    struct spans spans = spans_of_step(in, location);
    bool counting = false;
    for (int i = 0; i < spans.writes; i++)
        if (counts(pass, spans.write[i].at, spans.write[i].bytes)) {
            counting = true;
            note_region_write(pass, &spans.write[i]);
        }
    if (counting && in->flags & INSTRUCTION_COPIES && spans.writes == 1 && spans.reads == 1 &&
        spans.read[0].bytes <= 64) {
        copy_back(pass, &spans.write[0], &spans.read[0]);
    } else if (counting) {
        for (int i = 0; i < spans.writes; i++)
            if (spans.write[i].all)
                byteset_remove(pass->set, spans.write[i].at, spans.write[i].bytes);
        for (int i = 0; i < spans.reads; i++)
            byteset_add(pass->set, spans.read[i].at, spans.read[i].bytes);
    }
    if (pass->quiet)
        return;
    for (int i = 0; i < in->addresses; i++)
        count_general(pass, in->address[i]);
    if (in->flags & INSTRUCTION_BY_FLAGS)
        byteset_add(pass->set, LOCATION_REGISTERS + REGISTER_FLAGS, 1);
    if (in->flags & INSTRUCTION_BY_VALUE)
        for (int i = 0; i < spans.reads; i++)
            byteset_add(pass->set, spans.read[i].at, spans.read[i].bytes);
}

/* What it wrote comes from the kernel; what it was asked counts. */
static void system_call_back(struct pass *pass, int arguments, const uint64_t *span)
{
    uint64_t location = span[0], bytes = span[1];
    static const int argument[] = {RDI, RSI, RDX, R10, R8, R9};
    static const int written[] = {RAX, RCX, R11};
    for (int i = 0; i < 3; i++)
        byteset_remove(pass->set, LOCATION_REGISTERS + 8 * (uint64_t)written[i], 8);
    if (bytes && counts(pass, location, bytes))
        note_region_write(pass, &(struct span){location, bytes, false});
    if (bytes)
        byteset_remove(pass->set, location, bytes);
    if (pass->quiet)
        return;
    count_general(pass, RAX);
    for (int i = 0; i < arguments; i++)
        count_general(pass, argument[i]);
    byteset_add(pass->set, span[2], span[3]);
}

static uint32_t step_flags(const struct pass *pass, size_t step)
{
    return (uint32_t)(pass->trace->stream.at[pass->trace->step.at[step]] >> 32);
}

static void go_back(struct pass *pass, size_t step)
{
    const uint64_t *at = &pass->trace->stream.at[pass->trace->step.at[step]];
    uint32_t flags = step_flags(pass, step);
    if (flags & STEP_SYSTEM_CALL)
        system_call_back(pass, (int)(uint32_t)*at, at + 1);
    else
        step_back(pass, tracer_instruction(pass->tracer, (uint32_t)*at), flags & STEP_NO_MEMORY ? NULL : at + 1);
}

/* ---- regions ---- */

/* The step at which the region begins that ends at `end`, or that the trace ends in. */
static size_t region_start(const struct pass *pass, size_t end)
{
    while (end > 0 && !(step_flags(pass, end) & STEP_REGION_BEGINS))
        end--;
    return end;
}

/* Whether what it returns counts: registers for results, and errno, also if it was not set this time. */
static bool result_counts(struct pass *pass)
{
    return (pass->errno_at && byteset_has_any(pass->set, pass->errno_at, sizeof(int))) ||
           byteset_has_any(pass->set, LOCATION_REGISTERS + 8 * RAX, 8) ||
           byteset_has_any(pass->set, LOCATION_REGISTERS + 8 * RDX, 8) ||
           byteset_has_any(pass->set, LOCATION_REGISTERS + REGISTER_VECTORS, 128) ||
           byteset_has_any(pass->set, LOCATION_REGISTERS + REGISTER_X87, REGISTER_X87_BYTES);
}

/* `frame`: what lies below is its own, up to the return address. */
static bool ends_by_return(const struct pass *pass, size_t step, uint64_t *frame)
{
    const uint64_t *at = &pass->trace->stream.at[pass->trace->step.at[step]];
    const struct instruction *in =
        step_flags(pass, step) & STEP_SYSTEM_CALL ? NULL : tracer_instruction(pass->tracer, (uint32_t)*at);
    bool returns = in && in->flags & INSTRUCTION_BY_VALUE && in->memories == 1 && in->memory[0].base == RSP;
    *frame = returns ? at[1] + 8 : 0;
    return returns;
}

/* Steps first..last: first as if it did not matter how it went, and if it did, again. */
static void region_back(struct pass *pass, size_t first, size_t last)
{
    struct byteset before = {0};
    byteset_copy(&before, pass->set);
    pass->wrong = !ends_by_return(pass, last, &pass->frame) || result_counts(pass);
    pass->quiet = true;
    for (size_t step = last; !pass->wrong; step--) {
        go_back(pass, step);
        if (step == first)
            break;
    }
    pass->quiet = false;
    if (pass->wrong) {
        byteset_copy(pass->set, &before);
        for (size_t step = last;; step--) {
            go_back(pass, step);
            if (step == first)
                break;
        }
    }
    byteset_release(&before);
}

void backward(const struct tracer *tracer, int rank, const struct trace *trace, const struct posted_payloads *posted,
              struct byteset *payload, struct byteset *set)
{
    struct pass pass = {.tracer = tracer,
                        .trace = trace,
                        .posted = posted,
                        .payload = payload,
                        .set = set,
                        .errno_at = tracer_errno(tracer, rank)};
    for (size_t step = trace->step.n; step-- > 0;) {
        if (!(step_flags(&pass, step) & STEP_REGION_ENDS)) {
            go_back(&pass, step);
            continue;
        }
        size_t first = region_start(&pass, step) + 1; /* how it came there counts */
        if (first > step)
            first = step;
        region_back(&pass, first, step);
        step = first;
    }
}
