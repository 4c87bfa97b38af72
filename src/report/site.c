#include "report/site.h"

#include "call/calls.h"
#include "report/describe.h"
#include "report/text.h"

static char *copy(const char *text)
{
    return text ? xstrdup(text) : NULL;
}

struct site site_of_place(rank_t rank, const struct trace_place *place)
{
    char text[512];
    return (struct site){.rank = rank,
                         .op = -1,
                         .place = xstrdup(trace_place_format(place, text, sizeof text)),
                         .function = copy(place->function),
                         .file = copy(place->file),
                         .line = place->file ? place->line : 0};
}

struct site site_of_op(const struct scene *scene, struct symbols *symbols, rank_t rank, const struct op *op,
                       int64_t number)
{
    struct trace_place place = {0};
    struct text text;
    symbols_place(symbols, scene->process(scene->data, rank), op->place, &place);
    struct site site = site_of_place(rank, &place);
    site.op = number;
    site.call = xstrdup(call_name(op->call));
    text_open(&text);
    describe_op(text.out, scene, rank, op);
    site.text = text_close(&text);
    return site;
}
