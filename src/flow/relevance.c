#include "flow/relevance.h"

#include <string.h>

#include "base/hash.h"
#include "base/log.h"

enum { MOST_CANDIDATES = 64, STACK_BYTES = 1 << 26 };

/* Two histories were taken for one: in what they differ. */
struct claim {
    passage_id other;
    struct byteset memory, payload;
};

struct passage {
    bool known;
    bool followed; /* its trace is whole */
    bool sleeps;
    bool grown; /* more counts behind it than when it was last gone back through */
    int rank;
    passage_id from;
    passage_id becomes; /* itself, or the one it was taken for */
    passage_id before;  /* with the same `alike`; 0: none */
    struct trace trace;
    struct posted_payloads posted;
    VEC(struct received_payload) received;
    char *contents; /* owns: of its payloads, one after the other */
    uint64_t bytes;
    struct byteset memory, payload; /* what counts behind it */
    VEC(passage_id) arrivals;       /* those that have become this one, itself included */
    VEC(struct claim) claims;       /* on this one */
};

struct relevance {
    struct tracer *tracer;
    VEC(struct passage *) passage; /* owns; by number, NULL: not known */
    struct map alike;              /* key -> the last one */
    struct map same;
    VEC(passage_id) grown; /* of which more counts than before */
    VEC(passage_id) withdrawn;
    uint64_t kept;     /* words of all traces */
    uint32_t too_long; /* segments that took too many steps: others will, too */
    passage_id newest; /* of which nothing was told yet */
    struct relevance_cost cost;
};

struct relevance *relevance_new(int ranks, uint64_t most_steps, void *shared)
{
    struct tracer *tracer = tracer_new(ranks, most_steps, shared);
    if (!tracer)
        return NULL;
    struct relevance *r = xcalloc(1, sizeof *r);
    r->tracer = tracer;
    return r;
}

static void claim_release(struct claim *claim)
{
    byteset_release(&claim->memory);
    byteset_release(&claim->payload);
}

static void passage_free(struct passage *p)
{
    if (!p)
        return;
    trace_release(&p->trace);
    vec_release(&p->posted.at);
    vec_release(&p->received);
    byteset_release(&p->memory);
    byteset_release(&p->payload);
    vec_release(&p->arrivals);
    vec_release_each(&p->claims, claim_release);
    free(p->contents);
    free(p);
}

void relevance_free(struct relevance *r)
{
    if (!r)
        return;
    for (size_t i = 0; i < r->passage.n; i++)
        passage_free(r->passage.at[i]);
    vec_release(&r->passage);
    map_release(&r->alike);
    map_release(&r->same);
    vec_release(&r->grown);
    vec_release(&r->withdrawn);
    tracer_free(r->tracer);
    free(r);
}

struct tracer *relevance_tracer(struct relevance *r)
{
    return r->tracer;
}

bool relevance_has_room(const struct relevance *r)
{
    enum { MOST = 1 << 28 }; /* words */
    return r->kept < MOST && r->too_long < 2;
}

struct relevance_cost relevance_cost(const struct relevance *r)
{
    struct relevance_cost cost = r->cost;
    cost.steps = tracer_steps(r->tracer);
    return cost;
}

passage_id relevance_withdrawn(struct relevance *r)
{
    return r->withdrawn.n ? vec_pop(&r->withdrawn) : 0;
}

static struct passage *passage_of(const struct relevance *r, passage_id id)
{
    return id < r->passage.n ? r->passage.at[id] : NULL;
}

/* ---- what counts ---- */

static void note_grown(struct relevance *r, passage_id id)
{
    if (!passage_of(r, id)->grown)
        vec_push(&r->grown, id);
    passage_of(r, id)->grown = true;
}

static uint64_t payload_at(const struct passage *p, uint32_t number)
{
    return number < p->posted.at.n ? p->posted.at.at[number].bytes_at : 0;
}

static void count_received(struct relevance *r, const struct received_payload *received, struct byteset *counting)
{
    struct passage *from = passage_of(r, received->from);
    struct byteset more = {0};
    if (!from || received->number >= from->posted.at.n)
        return;
    uint64_t end = received->location + received->bytes;
    for (uint64_t at = byteset_next(counting, received->location, end); at < end;
         at = byteset_next(counting, at + 1, end))
        if (byteset_has_any(counting, at, 1))
            byteset_add(&more, payload_at(from, received->number) + received->offset + (at - received->location), 1);
    if (byteset_unite(&from->payload, &more))
        note_grown(r, received->from);
    byteset_release(&more);
}

/* The answer is the same for both, and so is all that tourney has put there, but for payloads. */
static void drop_shared(struct byteset *set)
{
    for (size_t i = 0; i < set->page.n; i++) {
        uint64_t location = set->page.at[i].number * BYTESET_PAGE;
        if (location >= LOCATION_SHARED && location < LOCATION_REGISTERS)
            memset(set->page.at[i].bits, 0, sizeof set->page.at[i].bits);
    }
}

/* What counts behind a segment is what counts behind the history that it became. */
static void go_back_through(struct relevance *r, passage_id id)
{
    struct passage *p = passage_of(r, id), *from = passage_of(r, p->from);
    struct passage *end = passage_of(r, p->becomes);
    struct byteset set = {0};
    if (p->followed && !end->memory.all) {
        byteset_copy(&set, &end->memory);
        backward(r->tracer, p->rank, &p->trace, &p->posted, &end->payload, &set);
    } else {
        set.all = true;
    }
    for (size_t i = 0; i < p->received.n; i++)
        count_received(r, &p->received.at[i], &set);
    drop_shared(&set);
    if (from && byteset_unite(&from->memory, &set))
        note_grown(r, p->from);
    byteset_release(&set);
}

static bool sets_meet(struct byteset *a, struct byteset *b)
{
    for (size_t i = 0; i < a->page.n; i++) {
        uint64_t start = a->page.at[i].number * BYTESET_PAGE, end = start + BYTESET_PAGE;
        for (uint64_t at = byteset_next(a, start, end); at < end; at = byteset_next(a, at + 1, end))
            if (byteset_has_any(b, at, 1))
                return true;
    }
    return false;
}

static void drop_arrival(struct passage *p, passage_id id)
{
    for (size_t i = 0; i < p->arrivals.n; i++)
        if (p->arrivals.at[i] == id)
            p->arrivals.at[i] = vec_pop(&p->arrivals);
}

/* What was taken for it and differs in what counts now is something else. */
static void look_at_claims(struct relevance *r, passage_id id)
{
    struct passage *p = passage_of(r, id);
    for (size_t i = 0; i < p->claims.n;) {
        struct claim *claim = &p->claims.at[i];
        if (!sets_meet(&claim->memory, &p->memory) && !sets_meet(&claim->payload, &p->payload)) {
            i++;
            continue;
        }
        LOG(flow, "node %u is not like node %u after all", claim->other, id);
        passage_of(r, claim->other)->becomes = claim->other;
        vec_push(&passage_of(r, claim->other)->arrivals, claim->other);
        drop_arrival(p, claim->other);
        if (claim->other != r->newest)
            vec_push(&r->withdrawn, claim->other);
        r->cost.withdrawn++;
        claim_release(claim);
        *claim = vec_pop(&p->claims);
    }
}

/* What comes later first: then most are gone through once. */
static passage_id take_last_grown(struct relevance *r)
{
    size_t last = 0;
    for (size_t i = 1; i < r->grown.n; i++)
        if (r->grown.at[i] > r->grown.at[last])
            last = i;
    passage_id id = r->grown.at[last];
    r->grown.at[last] = vec_pop(&r->grown);
    passage_of(r, id)->grown = false;
    return id;
}

static void spread(struct relevance *r)
{
    while (r->grown.n) {
        passage_id id = take_last_grown(r);
        struct passage *p = passage_of(r, id);
        look_at_claims(r, id);
        for (size_t i = 0; i < p->arrivals.n; i++)
            go_back_through(r, p->arrivals.at[i]);
    }
}

/* ---- in what two histories differ ---- */

/* A word in the history: as it was where both part, and as it is now. */
struct overlay {
    struct map words; /* address -> in `word`, and one */
    VEC(struct changed_word) word;
};

static void overlay_release(struct overlay *o)
{
    map_release(&o->words);
    vec_release(&o->word);
}

/* From the end backwards: what was before is known better by the earlier, what is now by the later. */
static void overlay_add(struct overlay *o, const struct trace *trace)
{
    for (size_t i = 0; i < trace->changed.n; i++) {
        const struct changed_word *change = &trace->changed.at[i];
        uint32_t place = map_find(&o->words, map_key(change->at), 0);
        if (place) {
            o->word.at[place - 1].before = change->before;
        } else {
            vec_push(&o->word, *change);
            map_put(&o->words, map_key(change->at), (uint32_t)o->word.n);
        }
    }
}

/* What both changed since they were one; false: that is not known. */
static bool overlays_of(const struct relevance *r, passage_id a, passage_id b, struct overlay *of_a,
                        struct overlay *of_b)
{
    while (a != b) {
        struct passage *p = passage_of(r, a > b ? a : b);
        if (!p || !p->followed)
            return false;
        overlay_add(a > b ? of_a : of_b, &p->trace);
        if (a > b)
            a = p->from;
        else
            b = p->from;
    }
    return a != 0;
}

static bool is_of_no_account(const struct wire_sleep *sleep, uint64_t at)
{
    enum { RSEQ = 32 };
    return (at < sleep->stack && at + STACK_BYTES > sleep->stack) ||
           (sleep->noise <= at && at < sleep->noise + sleep->noise_bytes) ||
           (sleep->thread_number <= at && at < sleep->thread_number + sizeof(int)) ||
           (sleep->core_number <= at && at < sleep->core_number + RSEQ);
}

static void add_word(struct byteset *set, const struct wire_sleep *sleep, uint64_t at, uint64_t x, uint64_t y)
{
    for (uint64_t i = 0, differ = x ^ y; i < 8 && differ; i++, differ >>= 8)
        if (differ & 0xff && !is_of_no_account(sleep, at + i))
            byteset_add(set, at + i, 1);
}

static void differences_of(const struct overlay *a, const struct overlay *b, bool both, const struct wire_sleep *sleep,
                           struct byteset *set)
{
    for (size_t i = 0; i < a->word.n; i++) {
        const struct changed_word *word = &a->word.at[i];
        uint32_t place = map_find(&b->words, map_key(word->at), 0);
        if (!place)
            add_word(set, sleep, word->at, word->before, word->after);
        else if (both)
            add_word(set, sleep, word->at, word->after, b->word.at[place - 1].after);
    }
}

/* What is in other registers than the general ones nobody looks at: it may differ. */
static void add_registers(const struct passage *a, const struct passage *b, struct byteset *set)
{
    for (uint64_t i = 0; i < 16; i++)
        if (a->trace.general[i] != b->trace.general[i])
            byteset_add(set, LOCATION_REGISTERS + 8 * i, 8);
    if (a->trace.rounding != b->trace.rounding)
        byteset_add(set, LOCATION_REGISTERS + REGISTER_ROUNDING, 8);
    byteset_add(set, LOCATION_REGISTERS + REGISTER_FLAGS, 1);
    byteset_add(set, LOCATION_REGISTERS + REGISTER_X87, BYTESET_PAGE - REGISTER_X87);
}

static bool memory_differs(const struct relevance *r, passage_id a, passage_id b, const struct wire_sleep *sleep,
                           struct byteset *set)
{
    struct overlay of_a = {0}, of_b = {0};
    bool known = overlays_of(r, a, b, &of_a, &of_b);
    if (known) {
        differences_of(&of_a, &of_b, true, sleep, set);
        differences_of(&of_b, &of_a, false, sleep, set);
        add_registers(passage_of(r, a), passage_of(r, b), set);
    }
    overlay_release(&of_a);
    overlay_release(&of_b);
    return known;
}

static bool payloads_differ(const struct passage *a, const struct passage *b, struct byteset *set)
{
    if (a->bytes != b->bytes || a->posted.at.n != b->posted.at.n)
        return false;
    for (size_t i = 0; i < a->posted.at.n; i++)
        if (a->posted.at.at[i].bytes_at != b->posted.at.at[i].bytes_at)
            return false;
    for (uint64_t i = 0; i < a->bytes; i++)
        if (a->contents[i] != b->contents[i])
            byteset_add(set, i, 1);
    return true;
}

/* ---- a new one ---- */

static struct passage *passage_make(const struct passage_facts *facts, struct trace *trace, passage_id id)
{
    struct passage *p = xcalloc(1, sizeof *p);
    uint64_t at = 0;
    p->known = true;
    p->sleeps = facts->sleeps;
    p->rank = facts->rank;
    p->from = facts->from;
    p->becomes = id;
    if (trace) {
        p->trace = *trace;
        *trace = (struct trace){0};
        p->followed = p->trace.whole;
        if (!p->followed) {
            vec_release(&p->trace.stream);
            vec_release(&p->trace.step);
        }
    }
    for (size_t i = 0; i < facts->receives; i++)
        vec_push(&p->received, facts->received[i]);
    for (size_t i = 0; i < facts->brings; i++) {
        vec_push(&p->posted.at,
                 (struct posted_payload){LOCATION_SHARED + facts->brought[i].posted, facts->brought[i].bytes, at});
        at += facts->brought[i].bytes;
    }
    p->bytes = at;
    p->contents = xmalloc(at + 1);
    for (size_t i = 0; i < facts->brings; i++)
        memcpy(p->contents + p->posted.at.at[i].bytes_at, facts->brought[i].contents, facts->brought[i].bytes);
    vec_push(&p->arrivals, id);
    return p;
}

/* The bytes that tell them apart. */
static void log_difference(passage_id id, passage_id other, struct claim *claim, struct passage *p)
{
    if (!(log_on >> LOG_flow & 1))
        return;
    log_line(LOG_flow, "node %u and node %u differ in %llu bytes of memory and %llu of messages", id, other,
             (unsigned long long)byteset_count(&claim->memory), (unsigned long long)byteset_count(&claim->payload));
    for (size_t i = 0; i < claim->memory.page.n; i++) {
        uint64_t start = claim->memory.page.at[i].number * BYTESET_PAGE, end = start + BYTESET_PAGE;
        for (uint64_t at = byteset_next(&claim->memory, start, end); at < end;
             at = byteset_next(&claim->memory, at + 1, end))
            if (byteset_has_any(&p->memory, at, 1))
                log_line(LOG_flow, "  and %llx counts", (unsigned long long)at);
    }
    for (uint64_t at = 0; at < p->bytes; at++)
        if (byteset_has_any(&claim->payload, at, 1) && byteset_has_any(&p->payload, at, 1))
            log_line(LOG_flow, "  and byte %llu of its messages counts", (unsigned long long)at);
}

static bool is_like(struct relevance *r, passage_id id, passage_id other, const struct wire_sleep *sleep,
                    struct claim *claim)
{
    struct passage *p = passage_of(r, other);
    *claim = (struct claim){.other = id};
    if (payloads_differ(passage_of(r, id), p, &claim->payload) && memory_differs(r, id, other, sleep, &claim->memory) &&
        !sets_meet(&claim->memory, &p->memory) && !sets_meet(&claim->payload, &p->payload))
        return true;
    log_difference(id, other, claim, p);
    claim_release(claim);
    return false;
}

static void become(struct relevance *r, passage_id id, passage_id other)
{
    struct passage *p = passage_of(r, id);
    vec_clear(&p->arrivals);
    p->becomes = other;
    vec_push(&passage_of(r, other)->arrivals, id);
}

static passage_id find_like(struct relevance *r, passage_id id, const struct passage_facts *facts)
{
    struct claim claim;
    passage_id other = map_find(&r->alike, facts->alike, 0);
    for (int i = 0; other && i < MOST_CANDIDATES; i++, other = passage_of(r, other)->before)
        if (passage_of(r, other)->becomes == other && is_like(r, id, other, facts->sleep, &claim)) {
            vec_push(&passage_of(r, other)->claims, claim);
            return other;
        }
    return id;
}

static passage_id find_becoming(struct relevance *r, passage_id id, const struct passage_facts *facts)
{
    struct passage *p = passage_of(r, id);
    bool has_same = facts->same.high || facts->same.low;
    passage_id same = has_same ? map_find(&r->same, facts->same, 0) : 0;
    if (same && passage_of(r, same)->becomes == same)
        return same;
    if (has_same)
        map_put(&r->same, facts->same, id);
    if (!facts->sleeps || !facts->sleep || !p->followed)
        return id;
    passage_id other = find_like(r, id, facts);
    if (other != id) {
        r->cost.joined++;
        LOG(flow, "node %u is like node %u", id, other);
        return other;
    }
    p->before = map_find(&r->alike, facts->alike, 0);
    map_put(&r->alike, facts->alike, id);
    return id;
}

void relevance_part(struct relevance *r, passage_id id)
{
    struct passage *p = passage_of(r, id), *other = passage_of(r, p->becomes);
    if (p == other)
        return;
    drop_arrival(other, id);
    for (size_t i = 0; i < other->claims.n; i++)
        if (other->claims.at[i].other == id) {
            claim_release(&other->claims.at[i]);
            other->claims.at[i--] = vec_pop(&other->claims);
        }
    p->becomes = id;
    vec_push(&p->arrivals, id);
}

/* One of which nothing is known may have any future. */
void relevance_settle(struct relevance *r, passage_id id, passage_id as)
{
    struct passage *p = passage_of(r, id), *other = passage_of(r, as);
    if (!p)
        return;
    relevance_part(r, id);
    if (other)
        become(r, id, as);
    else
        p->memory.all = p->payload.all = true;
    note_grown(r, other ? as : id);
    spread(r);
}

passage_id relevance_add(struct relevance *r, passage_id id, const struct passage_facts *facts, struct trace *trace)
{
    while (r->passage.n <= id)
        vec_push(&r->passage, NULL);
    struct passage *p = passage_make(facts, trace, id);
    r->newest = id;
    r->passage.at[id] = p;
    r->kept += p->trace.stream.n;
    r->too_long += p->trace.too_long;
    r->cost.followed += p->followed;
    r->cost.lost += !p->followed && facts->from; /* nobody is followed from the start */
    if (!p->followed && facts->from && !r->cost.why)
        r->cost.why =
            p->trace.why ? p->trace.why : "more steps than can be kept, or a process that could not be stopped";
    passage_id becomes = find_becoming(r, id, facts);
    if (becomes != id)
        become(r, id, becomes);
    go_back_through(r, id);
    spread(r);
    r->newest = 0;
    return p->becomes;
}
