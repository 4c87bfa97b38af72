#include "diagnosis/difference.h"

#include <inttypes.h>
#include <string.h>

#include "drive/drive.h"
#include "symbols/site.h"
#include "words/text.h"

/* A segment, of then or of now. */
struct version {
    const struct op *ops;
    uint32_t count;
    const uint64_t *contents;
    enum segment_end end;
    int code;
};

static bool is_same_op(const struct op *a, const struct op *b)
{
    struct op one = *a, other = *b;
    one.payload = other.payload = 0;
    return memcmp(&one, &other, sizeof one) == 0 && memcmp(op_tail(a), op_tail(b), op_tail_size(a)) == 0;
}

/* Behind what both have in common; NULL: this one has no more.  `data`: the calls are the same, and what they bring is not. */
static const struct op *first_other(const struct version *version, const struct version *other, bool *data)
{
    const struct op *a = version->ops, *b = other->ops;
    const uint64_t *x = version->contents, *y = other->contents;
    uint32_t i = 0;
    *data = false;
    for (; i < version->count && i < other->count && is_same_op(a, b); i++, a = op_next(a), b = op_next(b)) {
        uint32_t n = x && y ? op_contents(a) : 0;
        *data = n && memcmp(x, y, n * sizeof *x) != 0;
        if (*data)
            return a;
        x += n, y += n;
    }
    return i < version->count ? a : NULL;
}

static void put_end(FILE *out, const struct version *version)
{
    switch (version->end) {
    case SEGMENT_EXIT:
        fprintf(out, "it ended with exit code %d\n", version->code);
        return;
    case SEGMENT_CRASH:
        fprintf(out, "it died of signal %d (%s)\n", version->code, strsignal(version->code));
        return;
    case SEGMENT_HUNG:
        fprintf(out, "it made no MPI call for %d s\n", version->code);
        return;
    case SEGMENT_CALL:
    case SEGMENT_ABORT:
    case SEGMENT_ERROR:
    case SEGMENT_REFUSED:
    case SEGMENT_DIVERGED:
    case SEGMENT_UNKNOWN:
        fputs("it made the same calls with other data\n", out);
        return;
    }
}

static void put_version(FILE *out, struct run_view *view, struct symbols *symbols, const char *when,
                        const struct version *version, const struct version *other)
{
    bool data;
    const struct op *op = first_other(version, other, &data);
    fprintf(out, "  %-16s ", when);
    if (!op || op->kind == OP_CRASH) {
        put_end(out, version);
        return;
    }
    struct final_state final = run_view_final_state(view);
    struct site site = site_of_op(&final, symbols, difference_rank(view), op, -1);
    fprintf(out, "%s  at %s\n", site.text ? site.text : site.call ? site.call : "a call", site.place);
    site_release(&site);
}

rank_t difference_rank(const struct run_view *view)
{
    const struct drive_difference *difference = view->drive ? drive_difference(view->drive) : NULL;
    return difference && difference->node ? difference->rank : RANK_NONE;
}

static struct version version_of(const struct segment *segment)
{
    return (struct version){segment->ops, segment->count, segment->contents, segment->end, segment->code};
}

void difference_tell(FILE *out, struct run_view *view, struct symbols *symbols)
{
    if (difference_rank(view) == RANK_NONE)
        return;
    struct drive_difference difference = *drive_difference(view->drive);
    struct history history = run_view_history(view, difference.node);
    struct version then = {history.ops, history.count, history.contents, history.end, history.code};
    if (difference.first.count)
        then = version_of(&difference.first);
    struct version now = version_of(&difference.segment);
    bool data;
    first_other(&then, &now, &data);
    put_version(out, view, symbols, data ? "with other data:" : "the first time:", &then, &now);
    if (!data)
        put_version(out, view, symbols, "run again:", &now, &then);
}

static void put_row(FILE *out, const uint8_t *byte, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        fprintf(out, "%s%02x", i ? " " : "", byte[i]);
}

/* As they lie in memory. */
static void put_differing_bytes(FILE *out, const struct differing_bytes *bytes)
{
    fprintf(out, ": its bytes %" PRIu64 " to %" PRIu64 ", of %" PRIu64 ", were ", bytes->at, bytes->at + bytes->count - 1, bytes->of);
    put_row(out, bytes->then, bytes->count);
    fputs(" and then ", out);
    put_row(out, bytes->now, bytes->count);
}

char *difference_noise(struct run_view *view, struct symbols *symbols)
{
    const struct drive_difference *noise = view->drive ? drive_noise(view->drive) : NULL;
    struct text text;
    bool data;
    if (!noise || !noise->node)
        return NULL;
    struct history history = run_view_history(view, noise->node);
    struct version then = {history.ops, history.count, history.contents, history.end, history.code};
    struct version now = version_of(&noise->segment);
    const struct op *op = first_other(&then, &now, &data);
    if (!op || !data)
        return NULL;
    struct final_state final = run_view_final_state(view);
    struct site site = site_of_op(&final, symbols, noise->rank, op, -1);
    text_open(&text);
    fprintf(text.out, "what rank %d brings by %s at %s was taken to be what it was the first time, although it was not the same when the rank was "
            "run again", noise->rank, site.call ? site.call : "a call", site.place);
    if (noise->bytes.of)
        put_differing_bytes(text.out, &noise->bytes);
    site_release(&site);
    return text_close(&text);
}
