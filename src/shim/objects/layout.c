#include "shim/objects/layout.h"

#include <stdlib.h>
#include <string.h>

#include "shim/core/library_code.h"
#include "shim/objects/flatten.h"
#include "shim/objects/type_contents.h"

void layout_release(struct layout *layout)
{
    free(layout->run);
    *layout = (struct layout){0};
}

static void give_up_layout(struct layout *layout)
{
    layout->known = false;
}

static bool continues_run(const struct layout_run *last, const struct layout_run *run)
{
    return last->at + (MPI_Aint)last->bytes == run->at && last->basic == run->basic && last->size == run->size;
}

static void add_layout_run(struct layout *to, struct layout_run run)
{
    if (!to->known || run.bytes == 0)
        return;
    bool anew = to->anew;
    to->anew = false;
    if (to->runs && !anew && continues_run(&to->run[to->runs - 1], &run)) {
        to->run[to->runs - 1].bytes += run.bytes;
        return;
    }
    if (to->runs == LAYOUT_RUNS) {
        give_up_layout(to);
        return;
    }
    if (to->runs == to->room) {
        to->room = to->room ? 2 * to->room : 4;
        to->run = shim_realloc(to->run, to->room * sizeof *to->run);
    }
    to->run[to->runs++] = run;
}

/* A part of a derived type, of which several are added. */
struct type_part {
    struct layout layout;
    MPI_Aint extent;
};

static bool is_gapless(const struct type_part *part)
{
    return part->layout.runs == 1 && (MPI_Aint)part->layout.run->bytes == part->extent;
}

static void add_copies(struct layout *to, const struct type_part *part, MPI_Count n, MPI_Aint at)
{
    to->anew = !to->by_index;
    to->by_index = to->by_index && part->layout.by_index;
    if (!part->layout.known)
        give_up_layout(to);
    if (!to->known || n <= 0 || part->layout.runs == 0)
        return;
    if (is_gapless(part)) {
        struct layout_run run = *part->layout.run;
        run.at += at;
        run.bytes *= (uint64_t)n;
        add_layout_run(to, run);
        return;
    }
    for (MPI_Count i = 0; i < n && to->known; i++)
        for (uint32_t k = 0; k < part->layout.runs; k++) {
            struct layout_run run = part->layout.run[k];
            run.at += at + i * part->extent;
            to->anew = to->anew || !part->layout.by_index;
            add_layout_run(to, run);
        }
}

/* ---- basic types ---- */

static void add_basic(struct layout *to, MPI_Datatype type, MPI_Aint at)
{
    int size = 0;
    real_must(Type_size, type, &size);
    add_layout_run(to, (struct layout_run){at, (uint64_t)size, flatten_basic(type), (uint32_t)size});
}

/* A pair is laid out as C lays out the struct of its two. */
static bool lay_out_pair(struct layout *to, MPI_Datatype type)
{
#define PAIR(name, c_type, first, second)                                                                              \
    if (type == MPI_##name) {                                                                                          \
        struct pair {                                                                                                  \
            c_type value;                                                                                              \
            int index;                                                                                                 \
        };                                                                                                             \
        add_basic(to, MPI_##first, 0);                                                                                 \
        add_basic(to, MPI_##second, offsetof(struct pair, index));                                                     \
        return true;                                                                                                   \
    }
    PAIR(FLOAT_INT, float, FLOAT, INT)
    PAIR(DOUBLE_INT, double, DOUBLE, INT)
    PAIR(LONG_INT, long, LONG, INT)
    PAIR(SHORT_INT, short, SHORT, INT)
    PAIR(2INT, int, INT, INT)
    PAIR(LONG_DOUBLE_INT, long double, LONG_DOUBLE, INT)
    PAIR(2INTEGER, int, INTEGER, INTEGER)
    PAIR(2REAL, float, REAL, REAL)
#undef PAIR
    return false;
}

static void lay_out_named_type(struct layout *to, MPI_Datatype type)
{
    if (!lay_out_pair(to, type))
        add_basic(to, type, 0);
}

/* ---- derived types ---- */

/* What a type was made of, and where that lies. */
struct contents {
    struct type_contents made;
    int combiner;
    const MPI_Count *integer, *address; /* in `made` */
    struct type_part *part;             /* of each type */
};

static bool contents_get(struct contents *c, MPI_Datatype type, const struct type_envelope *envelope)
{
    bool known = type_contents_get(&c->made, type, envelope);
    c->combiner = c->made.combiner;
    c->integer = c->made.integer;
    c->address = c->made.address;
    c->part = shim_alloc((size_t)(c->made.types + 1) * sizeof *c->part);
    for (int i = 0; i < c->made.types; i++) {
        MPI_Aint lb;
        c->part[i].layout = layout_of(c->made.type[i]);
        real_must(Type_get_extent, c->made.type[i], &lb, &c->part[i].extent);
        flatten_give_back(c->made.type[i]);
    }
    return known;
}

static void contents_release(struct contents *c)
{
    for (int i = 0; i < c->made.types; i++)
        layout_release(&c->part[i].layout);
    free(c->part);
    type_contents_release(&c->made);
}

static void add_vector(struct layout *to, const struct contents *c, MPI_Aint stride)
{
    for (MPI_Count i = 0; i < c->integer[0] && to->known; i++)
        add_copies(to, c->part, c->integer[1], i * stride);
}

/* What is taken of one dimension, and of those in it; `stride` is the extent of the whole, which begins `at`. */
static void add_rows(struct layout *to, const struct contents *c, int dimension, MPI_Aint at, MPI_Aint stride)
{
    int n = (int)c->integer[0];
    const MPI_Count *size = c->integer + 1, *part = size + n, *start = part + n;
    bool fortran = start[n] == MPI_ORDER_FORTRAN;
    int fast = fortran ? 0 : n - 1, next = fortran ? dimension - 1 : dimension + 1;
    stride /= size[dimension];
    if (dimension == fast) {
        add_copies(to, c->part, part[fast], at + start[fast] * stride);
        return;
    }
    for (MPI_Count i = 0; i < part[dimension] && to->known; i++)
        add_rows(to, c, next, at + (start[dimension] + i) * stride, stride);
}

static void add_subarray(struct layout *to, const struct contents *c)
{
    int n = (int)c->integer[0];
    MPI_Aint whole = c->part->extent;
    for (int i = 0; i < n; i++)
        whole *= c->integer[1 + i];
    bool fortran = c->integer[1 + 3 * n] == MPI_ORDER_FORTRAN;
    add_rows(to, c, fortran ? n - 1 : 0, 0, whole);
}

static bool has_addresses(int combiner)
{
    return combiner == MPI_COMBINER_HVECTOR || combiner == MPI_COMBINER_HINDEXED ||
           combiner == MPI_COMBINER_HINDEXED_BLOCK || combiner == MPI_COMBINER_STRUCT;
}

static void add_derived(struct layout *to, const struct contents *c)
{
    const MPI_Count *integer = c->integer;
    MPI_Aint extent = c->part->extent;
    to->by_index = !has_addresses(c->combiner);
    switch (c->combiner) {
    case MPI_COMBINER_DUP:
    case MPI_COMBINER_RESIZED:
        add_copies(to, c->part, 1, 0);
        break;
    case MPI_COMBINER_CONTIGUOUS:
        add_copies(to, c->part, integer[0], 0);
        break;
    case MPI_COMBINER_VECTOR:
        add_vector(to, c, integer[2] * extent);
        break;
    case MPI_COMBINER_HVECTOR:
        add_vector(to, c, c->address[0]);
        break;
    case MPI_COMBINER_INDEXED:
        for (MPI_Count i = 0; i < integer[0] && to->known; i++)
            add_copies(to, c->part, integer[1 + i], integer[1 + integer[0] + i] * extent);
        break;
    case MPI_COMBINER_HINDEXED:
        for (MPI_Count i = 0; i < integer[0] && to->known; i++)
            add_copies(to, c->part, integer[1 + i], c->address[i]);
        break;
    case MPI_COMBINER_INDEXED_BLOCK:
        for (MPI_Count i = 0; i < integer[0] && to->known; i++)
            add_copies(to, c->part, integer[1], integer[2 + i] * extent);
        break;
    case MPI_COMBINER_HINDEXED_BLOCK:
        for (MPI_Count i = 0; i < integer[0] && to->known; i++)
            add_copies(to, c->part, integer[1], c->address[i]);
        break;
    case MPI_COMBINER_STRUCT:
        for (MPI_Count i = 0; i < integer[0] && to->known; i++)
            add_copies(to, &c->part[i], integer[1 + i], c->address[i]);
        break;
    case MPI_COMBINER_SUBARRAY:
        add_subarray(to, c);
        break;
    default:
        give_up_layout(to); /* MPI_COMBINER_DARRAY, and what may come */
    }
}

struct layout layout_of(MPI_Datatype type)
{
    struct layout layout = {.known = true, .by_index = true};
    struct type_envelope e;
    struct contents c;
    if (!type_envelope_get(type, &e)) {
        give_up_layout(&layout);
        return layout;
    }
    if (e.combiner == MPI_COMBINER_NAMED) {
        lay_out_named_type(&layout, type);
        return layout;
    }
    if (e.types < 1) {
        if (e.combiner == MPI_COMBINER_F90_INTEGER || e.combiner == MPI_COMBINER_F90_REAL ||
            e.combiner == MPI_COMBINER_F90_COMPLEX)
            add_basic(&layout, type, 0);
        else
            give_up_layout(&layout);
        return layout;
    }
    if (contents_get(&c, type, &e))
        add_derived(&layout, &c);
    else
        give_up_layout(&layout);
    contents_release(&c);
    return layout;
}

/* ---- overlap ---- */

static int by_piece_start(const void *a, const void *b)
{
    uintptr_t x = ((const struct layout_piece *)a)->start, y = ((const struct layout_piece *)b)->start;
    return x < y ? -1 : x > y;
}

bool layout_pieces_overlap(struct layout_piece *piece, size_t n)
{
    bool sorted = true;
    for (size_t i = 1; i < n && sorted; i++)
        sorted = piece[i - 1].start <= piece[i].start;
    if (!sorted)
        qsort(piece, n, sizeof *piece, by_piece_start);
    for (size_t i = 1; i < n; i++)
        if (piece[i].start < piece[i - 1].end)
            return true;
    return false;
}

/* Whether the pieces, sorted and disjoint, share memory with themselves when they are moved up by `shift`. */
static bool meet_when_moved(const struct layout_piece *piece, size_t n, uintptr_t shift)
{
    for (size_t i = 0, k = 0; i < n && k < n;) {
        if (piece[i].end <= piece[k].start + shift)
            i++;
        else if (piece[k].end + shift <= piece[i].start)
            k++;
        else
            return true;
    }
    return false;
}

static MPI_Count meets_from(const struct layout_piece *piece, size_t n, uintptr_t extent)
{
    enum { MOST_STEPS = 1 << 24 }; /* then nobody knows */
    uintptr_t reach = piece[n - 1].end - piece[0].start;
    if (extent == 0)
        return 2;
    for (uintptr_t k = 1, steps = 0; k * extent < reach && steps < MOST_STEPS; k++, steps += 2 * n)
        if (meet_when_moved(piece, n, k * extent))
            return (MPI_Count)k + 1;
    return 0;
}

MPI_Count layout_overlaps_from(const struct layout *layout, MPI_Aint extent)
{
    size_t n = layout->runs;
    if (!layout->known || n == 0)
        return 0;
    struct layout_piece *piece = shim_alloc(n * sizeof *piece);
    MPI_Aint lowest = 0;
    for (size_t i = 0; i < n; i++)
        lowest = layout->run[i].at < lowest ? layout->run[i].at : lowest;
    for (size_t i = 0; i < n; i++) {
        piece[i].start = (uintptr_t)(layout->run[i].at - lowest);
        piece[i].end = piece[i].start + layout->run[i].bytes;
    }
    MPI_Count from = layout_pieces_overlap(piece, n) ? 1 : meets_from(piece, n, (uintptr_t)(extent < 0 ? -extent : extent));
    free(piece);
    return from;
}
