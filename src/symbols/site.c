#include "symbols/site.h"

#include "call/alternative_text.h"
#include "words/describe.h"
#include "words/text.h"

static char *copy_text(const char *text)
{
    return text ? xstrdup(text) : NULL;
}

struct site site_of_place(rank_t rank, const struct trace_place *place)
{
    char text[512];
    return (struct site){.rank = rank,
                         .op = -1,
                         .place = xstrdup(trace_place_format(place, text, sizeof text)),
                         .function = copy_text(place->function),
                         .file = copy_text(place->file),
                         .line = place->file ? place->line : 0};
}

struct named_place named_place_of(const struct trace_place *place)
{
    struct site site = site_of_place(RANK_NONE, place);
    return (struct named_place){site.place, site.function, site.file, site.line};
}

/* What is far from where MPI_Init was called is in another file. */
static bool is_near(uint64_t a, uint64_t b)
{
    return (a > b ? a - b : b - a) < UINT64_C(1) << 28;
}

void site_find(const struct final_state *final, struct symbols *symbols, rank_t r, uint64_t address,
               struct trace_place *place)
{
    pid_t process = final->at_hand ? final->at_hand(final->data, r) : 0;
    if (process && symbols_place(symbols, process, address, place))
        return;
    process = final->process(final->data, r);
    if (process && symbols_place(symbols, process, address, place))
        return;
    const struct op *init = final->init(final->data, r);
    if (init && is_near(init->place, address) &&
        symbols_file_place(symbols, op_tail(init), address - 1 - (init->place - init->offset), place))
        place->address = address;
    else
        symbols_place(symbols, process, address, place);
}

struct site site_of_op(const struct final_state *final, struct symbols *symbols, rank_t rank, const struct op *op,
                       int64_t number)
{
    struct trace_place place = {0};
    struct text text;
    site_find(final, symbols, rank, op->place, &place);
    struct site site = site_of_place(rank, &place);
    site.op = number;
    site.thread = op->thread;
    site.call = op_chooses(op) ? op_title_of_call(op) : xstrdup(describe_call(op));
    text_open(&text);
    describe_op(text.out, final, rank, op);
    site.text = text_close(&text);
    return site;
}
