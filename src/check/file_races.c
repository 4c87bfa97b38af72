#include "check/file_races.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/log.h"
#include "call/file_use.h"
#include "check/access_tree.h"
#include "check/window_clocks.h"

/* An access, with what brackets it in its rank: the last open or sync before it, and the first sync or close behind it, on the same file handle. */
struct raced_access {
    rank_t rank;
    uint32_t number; /* of its operation in the rank; likewise: */
    uint32_t begun, over;
    uint32_t file;
    context_t handle;
    const struct op *op;        /* borrows: OP_FILE_ACCESS */
    const struct file_use *use; /* in it */
};

enum { NEVER_OVER = UINT32_MAX };

/* A file, by its path. */
struct raced_file {
    const char *path; /* borrows */
    struct access_tree read, written;
};

/* A file that a rank has open, while its operations are gone through. */
struct open_file {
    context_t handle;
    uint32_t file, begun;
    VEC(uint32_t) waiting; /* accesses since then */
};

struct file_race_search {
    struct file_races *races;
    const struct told_run *run;
    struct window_clocks clocks;
    VEC(struct raced_access) access;
    VEC(struct raced_file) file;
    VEC(struct open_file) open; /* of the rank in hand */
    struct map file_of;         /* hash of a path -> file */
    uint32_t *clock;            /* owns; scratch */
    struct map known;           /* keys of defects of this run */
    defects_t *defects;
    uint64_t effort; /* how many were compared */

    /* The access in hand, and what of it. */
    uint32_t in_hand;
    struct window_piece piece;
    bool stands; /* there is an older one of the same line, with the same bytes, and between the same brackets */
};

/* ---- which accesses there are ---- */

static struct open_file *find_open_file(struct file_race_search *search, context_t handle)
{
    for (size_t i = 0; i < search->open.n; i++)
        if (search->open.at[i].handle == handle)
            return &search->open.at[i];
    return NULL;
}

static uint32_t file_of_path(struct file_race_search *search, const struct op *op)
{
    struct map_key sum = HASH_START;
    const char *path = op_tail(op);
    uint32_t at;
    for (size_t i = 0, n = strnlen(path, op_tail_size(op)); i < n; i++)
        hash_stir(&sum, (unsigned char)path[i]);
    if (map_get(&search->file_of, sum, &at))
        return at;
    at = (uint32_t)search->file.n;
    map_put(&search->file_of, sum, at);
    vec_push(&search->file, (struct raced_file){.path = path});
    return at;
}

static void note_opened(struct file_race_search *search, const struct op *op, uint32_t number)
{
    vec_push(&search->open, ((struct open_file){op->context, file_of_path(search, op), number, {0}}));
}

static void note_synced(struct file_race_search *search, const struct op *op, uint32_t number)
{
    struct open_file *file = find_open_file(search, op->context);
    if (!file)
        return;
    for (size_t i = 0; i < file->waiting.n; i++)
        search->access.at[file->waiting.at[i]].over = number;
    vec_clear(&file->waiting);
    file->begun = number;
    if (op->event != FILE_CLOSED)
        return;
    vec_release(&file->waiting);
    *file = vec_last(&search->open);
    search->open.n--;
}

static void note_file_access(struct file_race_search *search, rank_t r, const struct op *op, uint32_t number)
{
    struct open_file *file = find_open_file(search, op->context);
    if (!file)
        return;
    vec_push(&file->waiting, (uint32_t)search->access.n);
    vec_push(&search->access, ((struct raced_access){.rank = r,
                                                     .number = number,
                                                     .begun = file->begun,
                                                     .over = NEVER_OVER,
                                                     .file = file->file,
                                                     .handle = op->context,
                                                     .op = op,
                                                     .use = op_tail(op)}));
}

static void note_rank_accesses(struct file_race_search *search, rank_t r)
{
    for (uint32_t n = 0; n < search->clocks.rank[r].op.n; n++) {
        const struct op *op = search->clocks.rank[r].op.at[n];
        if (op->kind == OP_FILE && op->event == FILE_OPENED)
            note_opened(search, op, n);
        else if (op->kind == OP_FILE)
            note_synced(search, op, n);
        else if (op->kind == OP_FILE_ACCESS)
            note_file_access(search, r, op, n);
    }
    search->races->open |= search->open.n > 0;
    for (size_t i = 0; i < search->open.n; i++)
        vec_release(&search->open.at[i].waiting);
    vec_clear(&search->open);
}

/* ---- which of them are ordered ---- */

static bool knows_op(const struct file_race_search *search, rank_t r, uint32_t number, rank_t of, uint32_t earlier)
{
    if (r == of)
        return earlier < number;
    window_clocks_at(&search->clocks, (struct op_name){r, number}, search->clock);
    return search->clock[of] > earlier;
}

/* Whether the second sees the first as a whole, or does not disturb it: sync, something that tells, sync. */
static bool is_synced_before(const struct file_race_search *search, const struct raced_access *first, const struct raced_access *second)
{
    return first->over != NEVER_OVER && knows_op(search, second->rank, second->begun, first->rank, first->over);
}

static bool is_known_before(const struct file_race_search *search, const struct raced_access *first, const struct raced_access *second)
{
    return knows_op(search, second->rank, second->number, first->rank, first->number);
}

/* ---- in words ---- */

static void put_file_access(char *text, size_t room, const struct raced_access *access)
{
    snprintf(text, room, "a %s of rank %d", access->use->kind == FILE_WRITE ? "write" : "read", access->rank);
}

static void put_file_how(const struct file_race_search *search, struct defect *defect, const struct raced_access *a,
                         const struct raced_access *b, struct window_piece both)
{
    enum { LONGEST = 96 }; /* of a longer path the end is told */
    const char *path = search->file.at[a->file].path;
    size_t length = strlen(path), cut = length > LONGEST ? length - LONGEST : 0;
    char first[48], second[48];
    put_file_access(first, sizeof first, a);
    put_file_access(second, sizeof second, b);
    snprintf(defect->how, sizeof defect->how, "byte%s %" PRIu64 "%s%.0" PRIu64 " of %s%s: %s and %s", both.bytes > 1 ? "s" : "",
             both.at, both.bytes > 1 ? " to " : "", both.bytes > 1 ? both.at + both.bytes - 1 : 0,
             cut ? "..." : "", path + cut, first, second);
}

/* Both write the same values to the same places.  One that is told in several parts has the sum of all of them in each. */
static bool write_the_same(const struct file_use *a, const struct file_use *b)
{
    return a->kind == FILE_WRITE && b->kind == FILE_WRITE && a->sum == b->sum && a->part == b->part && a->pieces == b->pieces &&
           memcmp(file_use_pieces(a), file_use_pieces(b), a->pieces * sizeof *file_use_pieces(a)) == 0;
}

static struct defect defect_of_race(const struct raced_access *a, const struct raced_access *b, bool known)
{
    bool one_open = a->handle == b->handle;
    if (!known && write_the_same(a->use, b->use))
        return (struct defect){
            .kind = KIND_FILE_RACE,
            .severity = "warning",
            .sentence = "two ranks write the same values to the same bytes of a file, and they are not ordered: MPI leaves undefined what comes of it, "
                        "though file systems leave these values",
            .advice = "let one rank write them, or all of them in one collective call with a part for each"};
    if (known)
        return (struct defect){
            .kind = KIND_FILE_RACE,
            .severity = "warning",
            .sentence = "two ranks access the same bytes of a file one after the other, but MPI_File_sync is missing between them",
            .advice = one_open ? "call MPI_File_sync after the first access, and once more before the second, or use atomic mode"
                               : "call MPI_File_sync or MPI_File_close after the first access, and MPI_File_sync or MPI_File_open before the second"};
    return (struct defect){
        .kind = KIND_FILE_RACE,
        .sentence = "two ranks access the same bytes of a file, one of them writes, and they are not ordered: what comes of it is undefined",
        .advice = one_open ? "let MPI_File_sync, a barrier or a message, and MPI_File_sync come between them, or use atomic mode (MPI_File_set_atomicity)"
                           : "let MPI_File_sync or MPI_File_close, a barrier or a message, and MPI_File_sync or MPI_File_open come between them"};
}

static void add_file_defect(struct file_race_search *search, struct defect defect, const struct raced_access *a,
                            const struct raced_access *b, struct window_piece both)
{
    uint32_t told;
    defect.ops = 2;
    defect.op[0] = (struct defect_op){.rank = a->rank, .op = a->op};
    defect.op[1] = (struct defect_op){.rank = b->rank, .op = b->op};
    if (!defect_op_is_told_first(&defect.op[0], &defect.op[1])) {
        add_file_defect(search, defect, b, a, both);
        return;
    }
    defect.key = defect_key(&defect);
    if (map_get(&search->known, defect.key, &told))
        return;
    map_put(&search->known, defect.key, 1);
    put_file_how(search, &defect, a, b, both);
    vec_push(search->defects, defect);
}

/* ---- all of them ---- */

static void note_reading(struct file_races *races, const struct raced_access *a, const struct raced_access *b)
{
    const struct raced_access *read = a->use->kind == FILE_READ ? a : b, *written = read == a ? b : a;
    if (races->read_from_others || read->rank == written->rank || read->use->kind != FILE_READ)
        return;
    races->read_from_others = true;
    races->reader = read->rank;
    races->writer = written->rank;
    races->read = *read->op;
}

static bool is_same_access(const struct raced_access *a, const struct raced_access *b)
{
    return a->rank == b->rank && a->handle == b->handle && a->begun == b->begun && a->over == b->over &&
           a->op->place == b->op->place && a->use->kind == b->use->kind && a->use->atomic == b->use->atomic;
}

static void compare_accesses(void *data, struct access_range *range)
{
    struct file_race_search *search = data;
    const struct raced_access *new = &search->access.at[search->in_hand], *old = &search->access.at[range->access];
    uint64_t from = range->from > search->piece.at ? range->from : search->piece.at;
    uint64_t end = search->piece.at + search->piece.bytes, until = range->until < end ? range->until : end;
    search->effort++;
    search->stands |= range->from == search->piece.at && range->until == end && is_same_access(new, old);
    if (new->use->kind == FILE_READ && old->use->kind == FILE_READ)
        return;
    if (new->rank == old->rank && new->handle == old->handle)
        return;
    note_reading(search->races, old, new);
    if (new->handle == old->handle && new->use->atomic && old->use->atomic)
        return;
    if (is_synced_before(search, old, new) || is_synced_before(search, new, old))
        return;
    bool known = is_known_before(search, old, new) || is_known_before(search, new, old);
    add_file_defect(search, defect_of_race(old, new, known), old, new, (struct window_piece){from, until - from});
}

static void go_through_file_access(struct file_race_search *search, uint32_t number)
{
    const struct raced_access *access = &search->access.at[number];
    struct raced_file *file = &search->file.at[access->file];
    bool writes = access->use->kind == FILE_WRITE;
    search->in_hand = number;
    for (uint32_t i = 0; i < access->use->pieces; i++) {
        search->piece = file_use_pieces(access->use)[i];
        search->stands = false;
        uint64_t until = search->piece.at + search->piece.bytes;
        access_tree_each(&file->written, search->piece.at, until, compare_accesses, search);
        if (writes)
            access_tree_each(&file->read, search->piece.at, until, compare_accesses, search);
        if (!search->stands)
            access_tree_add(writes ? &file->written : &file->read, (struct access_range){search->piece.at, until, number});
    }
}

/* Of loops that access the same bytes over and over all pairs are compared; there is an end to that. */
static bool compare_all(struct file_race_search *search)
{
    enum { MOST = 1 << 22 };
    for (uint32_t i = 0; i < search->access.n && search->effort < MOST; i++)
        go_through_file_access(search, i);
    return search->effort < MOST;
}

void file_races_add(struct file_races *races, const struct told_run *run, const struct window_remarks *remarks, defects_t *defects)
{
    struct file_race_search search = {.races = races, .run = run, .defects = defects};
    bool known = races->past ? window_clocks_go_on(&search.clocks, run, NULL, races->past)
                             : window_clocks_begin(&search.clocks, run, remarks, NULL);
    search.clock = xcalloc((size_t)run->ranks, sizeof *search.clock);
    races->open = false;
    for (rank_t r = 0; known && r < run->ranks; r++)
        note_rank_accesses(&search, r);
    races->told |= search.access.n > 0;
    LOG(check, "%zu accesses to %zu files are compared", search.access.n, search.file.n);
    if (!known || !compare_all(&search))
        races->unfollowed++;
    for (size_t i = 0; i < search.file.n; i++) {
        access_tree_release(&search.file.at[i].read);
        access_tree_release(&search.file.at[i].written);
    }
    vec_release(&search.access);
    vec_release(&search.file);
    vec_release(&search.open);
    map_release(&search.file_of);
    map_release(&search.known);
    free(search.clock);
    window_clocks_release(&search.clocks);
}
