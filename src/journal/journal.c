#include "journal/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/deadline.h"
#include "base/mem.h"
#include "journal/format.h"
#include "journal/packing.h"

enum {
    WRITE_BYTES = 1 << 16, /* records are packed and written when there are so many bytes of them */
    WRITE_MS = 10,         /* records are written when the last writing was so long ago */
    SYNC_MS = 5000,        /* made safe against the loss of power */
};

struct journal {
    char *path;  /* owns */
    char *world; /* owns */
    int fd;
    char *map;   /* the file as it was when it was opened; NULL: nothing is left to tell */
    size_t size; /* of the map */
    size_t next; /* in it: the block behind the one that is told */
    bytes_t told;          /* the block that is told */
    size_t told_bytes;     /* of it, up to the record to be told next */
    node_id last_told;     /* the node that its last record leads to */
    struct unpacker *unpacker; /* owns; NULL: nothing was told */
    off_t end;   /* of what is safely in the file */
    bytes_t ahead;         /* records that are not in the file yet: a block to be */
    uint32_t records_ahead;
    node_id last;          /* the node that the last of these, or of those that were written, leads to */
    bytes_t packed;        /* scratch: that block */
    struct packer *packer; /* owns; NULL: nothing was written */
    uint64_t blocks;       /* in the file */
    uint64_t written, synced; /* when that was done last, in ms */
    struct condition {
        bool holds;        /* as it was answered last */
        uint32_t in_vain;  /* so often it was answered so since the last record */
    } files, time;
    struct journal_count count;
    struct runner inner;
    int ranks;
};

static uint64_t milliseconds_now(void)
{
    return (uint64_t)microseconds() / 1000;
}

/* ---- writing ---- */

/* What is in the file already stays as it is, and can be gone on from. */
static void give_up_writing(struct journal *journal, int error)
{
    journal->count.error = error;
    vec_release(&journal->ahead);
    int cut = ftruncate(journal->fd, journal->end);
    (void)cut; /* else whoever opens it will cut the torn record off */
    fprintf(stderr, "tourney: cannot write %s: %s; the search goes on and cannot be resumed from here\n",
            journal->path, strerror(error));
}

static void add_bytes(bytes_t *to, const void *bytes, size_t n)
{
    vec_reserve(to, n);
    if (n)
        memcpy(to->at + to->n, bytes, n);
    to->n += n;
}

static int write_at(int fd, const char *bytes, size_t n, off_t to)
{
    while (n > 0) {
        ssize_t done = pwrite(fd, bytes, n, to);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return done == 0 ? ENOSPC : errno;
        bytes += done;
        to += done;
        n -= (size_t)done;
    }
    return 0;
}

/* Against the loss of power; where that cannot be had, it is not missed. */
static int make_safe(struct journal *journal)
{
    journal->synced = milliseconds_now();
    return fdatasync(journal->fd) < 0 && errno != EINVAL && errno != EROFS ? errno : 0;
}

/* What is ahead, as a block. */
static void pack_block(struct journal *journal)
{
    static const char zeros[8];
    struct journal_block head = {.holds = journal->ahead.n, .records = journal->records_ahead, .begins = !journal->packer};
    vec_clear(&journal->packed);
    add_bytes(&journal->packed, &head, sizeof head);
    if (!journal->packer)
        journal->packer = packer_new();
    packer_add(journal->packer, journal->ahead.at, journal->ahead.n, &journal->packed);
    head.packed = journal->packed.n - sizeof head;
    add_bytes(&journal->packed, zeros, op_round(head.packed) - head.packed);
    head.size = journal->packed.n;
    memcpy(journal->packed.at, &head, sizeof head);
    struct journal_block *block = (struct journal_block *)journal->packed.at;
    block->sum = journal_block_sum(block, journal->blocks);
}

void journal_flush(struct journal *journal)
{
    if (journal->count.error || !journal->ahead.n)
        return;
    pack_block(journal);
    int error = write_at(journal->fd, journal->packed.at, journal->packed.n, journal->end);
    journal->written = milliseconds_now();
    if (!error && journal->written - journal->synced >= SYNC_MS)
        error = make_safe(journal);
    if (error) {
        give_up_writing(journal, error);
        return;
    }
    journal->end += (off_t)journal->packed.n;
    journal->blocks++;
    vec_clear(&journal->ahead);
    journal->records_ahead = 0;
}

static void begin_behind_record(struct journal *journal)
{
    journal->files.in_vain = journal->time.in_vain = 0;
}

static void append_record(struct journal *journal, struct journal_record asked, const struct segment *segment)
{
    struct segment_size size = segment_size(segment);
    begin_behind_record(journal);
    journal->count.appended++;
    if (journal->count.error)
        return;
    asked.size = sizeof asked + size.contents * sizeof *segment->contents + size.ops;
    asked.count = segment->count;
    asked.contents = size.contents;
    asked.end = segment->end;
    asked.code = segment->code;
    asked.imaged = segment->imaged;
    asked.effort = segment->effort;
    asked.noes = segment->noes;
    asked.image = segment->image;
    size_t at = journal->ahead.n;
    add_bytes(&journal->ahead, &asked, sizeof asked);
    add_bytes(&journal->ahead, segment->contents, size.contents * sizeof *segment->contents);
    add_bytes(&journal->ahead, segment->ops, size.ops);
    journal_record_relate((struct journal_record *)(journal->ahead.at + at), journal->last);
    journal->last = asked.to;
    journal->records_ahead++;
    if (journal->ahead.n >= WRITE_BYTES || milliseconds_now() - journal->written >= WRITE_MS)
        journal_flush(journal);
}

/* ---- the runner ---- */

static void stop_telling(struct journal *journal)
{
    if (journal->map)
        munmap(journal->map, journal->size);
    journal->map = NULL;
    unpacker_free(journal->unpacker);
    journal->unpacker = NULL;
    vec_release(&journal->told);
}

/* Its sum is right: that it holds nothing sound is the work of a stranger. */
static bool unpack_next_block(struct journal *journal)
{
    const struct journal_block *block = (const struct journal_block *)(journal->map + journal->next);
    if (!journal->unpacker)
        journal->unpacker = unpacker_new();
    if (block->begins) {
        unpacker_begin(journal->unpacker);
        journal->last_told = NODE_NONE;
    }
    journal->next += block->size;
    journal->told_bytes = 0;
    return unpacker_read(journal->unpacker, (const char *)(block + 1), block->packed, block->holds, &journal->told) &&
           journal_records_restore(journal->told.at, journal->told.n, block->records, &journal->last_told);
}

/* The record to be told; NULL: none is left, or `strange`. */
static const struct journal_record *next_record(struct journal *journal)
{
    if (!journal->map || journal->count.told == journal->count.recorded)
        return NULL;
    while (journal->told_bytes == journal->told.n && !journal->count.strange)
        journal->count.strange = !unpack_next_block(journal);
    return journal->count.strange ? NULL : (const struct journal_record *)(journal->told.at + journal->told_bytes);
}

static bool same_question(const struct journal_record *a, const struct journal_record *b)
{
    return a->question == b->question && a->rank == b->rank && a->from == b->from && a->to == b->to && a->answer == b->answer;
}

static void pass_record(struct journal *journal, const struct journal_record *record)
{
    begin_behind_record(journal);
    journal->told_bytes += record->size;
    journal->count.told++;
}

static int tell_record(struct journal *journal, const struct journal_record *record, const struct ret *ret,
                       struct segment *segment)
{
    const struct runner *inner = &journal->inner;
    *segment = journal_record_segment(record);
    if (!segment_is_lawful(segment, journal->ranks)) {
        journal->count.strange = true;
        return -1;
    }
    pass_record(journal, record);
    if (!inner->adopt)
        return 0;
    return inner->adopt(inner->data, record->rank, record->from, ret, record->to, segment);
}

static int run_or_tell(void *data, rank_t rank, node_id from, const struct ret *ret, node_id to,
                       struct segment *segment)
{
    struct journal *journal = data;
    struct journal_record asked = {.rank = rank, .from = from, .to = to};
    const struct journal_record *record = next_record(journal);
    if (ret)
        asked.answer = (uint32_t)answer_key(from, ret).low;
    if (record && same_question(record, &asked))
        return tell_record(journal, record, ret, segment);
    if (record || journal->count.strange) {
        journal->count.strange = true;
        return -1;
    }
    stop_telling(journal);
    if (journal->inner.run(journal->inner.data, rank, from, ret, to, segment) < 0)
        return -1;
    append_record(journal, asked, segment);
    return 0;
}

static int forward_adopt(void *data, rank_t rank, node_id from, const struct ret *ret, node_id to,
                         const struct segment *segment)
{
    const struct runner *inner = &((struct journal *)data)->inner;
    return inner->adopt ? inner->adopt(inner->data, rank, from, ret, to, segment) : 0;
}

/* Images of another session are like none of this one, so a look that was taken is told as well. */
static bool look_or_tell(void *data, node_id node, struct map_key *image)
{
    struct journal *journal = data;
    struct journal_record asked = {.question = ASKED_FOR_LOOK, .to = node};
    const struct journal_record *record = next_record(journal);
    if (record && same_question(record, &asked)) {
        pass_record(journal, record);
        *image = record->image;
        return record->imaged;
    }
    journal->count.strange |= record != NULL;
    if (journal->count.strange)
        return false;
    stop_telling(journal);
    struct segment told = {0};
    told.imaged = journal->inner.look(journal->inner.data, node, &told.image);
    append_record(journal, asked, &told);
    *image = told.image;
    return told.imaged;
}

static bool forward_prove(void *data, node_id node)
{
    struct journal *journal = data;

    return journal->inner.prove(journal->inner.data, node);
}

/*
 * Whether something holds that depends on more than what the search was told.  That it does, or does no longer, is told at the same point as
 * it was in an earlier session, though it be otherwise now.
 */
static bool ask_or_tell(struct journal *journal, enum journal_question question, struct condition *condition, bool holds)
{
    struct journal_record asked = {.question = question, .answer = condition->in_vain};
    const struct journal_record *record = next_record(journal);
    if (record && same_question(record, &asked)) {
        pass_record(journal, record);
        condition->holds = record->imaged;
    } else if (!record && !journal->count.strange && holds != condition->holds) {
        condition->holds = holds;
        append_record(journal, asked, &(struct segment){.imaged = holds});
    } else {
        condition->in_vain++;
    }
    return condition->holds;
}

/* What ranks of an earlier session have changed is changed. */
static bool shares_files_or_tell(void *data)
{
    struct journal *journal = data;
    bool shares = journal->files.holds || journal->inner.shares_files(journal->inner.data);
    return ask_or_tell(journal, ASKED_FOR_FILES, &journal->files, shares);
}

static bool time_presses_or_tell(void *data)
{
    struct journal *journal = data;
    return ask_or_tell(journal, ASKED_FOR_TIME, &journal->time, deadline_is_near());
}

static void forward_same(void *data, node_id node, node_id as)
{
    const struct runner *inner = &((struct journal *)data)->inner;
    if (inner->same)
        inner->same(inner->data, node, as);
}

static node_id forward_withdrawn(void *data)
{
    const struct runner *inner = &((struct journal *)data)->inner;
    return inner->withdrawn(inner->data);
}

/* While an earlier session is told there is nothing to be run. */
static bool forward_pays(void *data)
{
    struct journal *journal = data;
    return !journal->map && journal->inner.pays && journal->inner.pays(journal->inner.data);
}

static bool forward_ahead(void *data, rank_t rank, node_id from, const struct ret *ret)
{
    const struct runner *inner = &((struct journal *)data)->inner;
    return inner->ahead(inner->data, rank, from, ret);
}

static void forward_announce(void *data, const struct account *account)
{
    const struct runner *inner = &((struct journal *)data)->inner;
    inner->announce(inner->data, account);
}

struct runner journal_runner(struct journal *journal, const struct runner *inner, int ranks)
{
    journal->inner = *inner;
    journal->ranks = ranks;
    return (struct runner){.run = run_or_tell,
                           .leaps = inner->leaps,
                           .adopt = forward_adopt,
                           .look = inner->look ? look_or_tell : NULL,
                           .prove = inner->prove ? forward_prove : NULL,
                           .shares_files = inner->shares_files ? shares_files_or_tell : NULL,
                           .time_presses = time_presses_or_tell,
                           .same = forward_same,
                           .withdrawn = inner->withdrawn ? forward_withdrawn : NULL,
                           .pays = forward_pays,
                           .ahead = forward_ahead,
                           .announce = inner->announce ? forward_announce : NULL,
                           .data = journal};
}

/* ---- files ---- */

static struct journal *journal_new(const char *path, int fd)
{
    struct journal *journal = xcalloc(1, sizeof *journal);
    journal->path = xstrdup(path);
    journal->fd = fd;
    journal->written = journal->synced = milliseconds_now();
    return journal;
}

static void journal_free(struct journal *journal)
{
    stop_telling(journal);
    close(journal->fd);
    packer_free(journal->packer);
    vec_release(&journal->ahead);
    vec_release(&journal->packed);
    free(journal->world);
    free(journal->path);
    free(journal);
}

/* A lock of the process, not of the file's opening: processes that we start and outlive us must not hold it. */
static bool lock_whole_file(int fd)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(fd, F_SETLK, &whole) == 0 || (errno != EACCES && errno != EAGAIN);
}

static int write_journal_head(struct journal *journal)
{
    struct journal_head head = {.mark = JOURNAL_MARK,
                                .version = JOURNAL_VERSION,
                                .dialect = journal_dialect(),
                                .world = op_round(strlen(journal->world) + 1)};
    char *bytes = xcalloc(1, sizeof head + head.world), *text = bytes + sizeof head;
    memcpy(head.magic, JOURNAL_MAGIC, sizeof head.magic); /* without the zero behind it */
    strcpy(text, journal->world);
    head.sum = journal_head_sum(&head, text);
    memcpy(bytes, &head, sizeof head);
    journal->end = (off_t)(sizeof head + head.world);
    int error = write_at(journal->fd, bytes, (size_t)journal->end, 0);
    free(bytes);
    return error ? error : make_safe(journal);
}

/* Gives a file its name, unless another has it. */
static int give_name(const char *from, const char *to)
{
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
        return 0;
    if (errno == EINVAL) /* not in this file system */
        return access(to, F_OK) == 0 ? EEXIST : rename(from, to) < 0 ? errno : 0;
    return errno;
}

/* The head comes first and the name after it: under this name there never is half a head. */
struct journal *journal_create(const char *path, const char *world)
{
    char unnamed[strlen(path) + sizeof ".new"];
    sprintf(unnamed, "%s.new", path);
    unlink(unnamed); /* of a tourney that was killed; or a link, which is not followed */
    int fd = open(unnamed, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return NULL;
    struct journal *journal = journal_new(path, fd);
    journal->world = xstrdup(world);
    int error = lock_whole_file(fd) ? write_journal_head(journal) : EAGAIN;
    if (!error)
        error = give_name(unnamed, path);
    if (!error)
        return journal;
    journal_free(journal);
    unlink(unnamed);
    errno = error;
    return NULL;
}

/* NULL: it is one of ours; else what it is instead. */
static const char *judge_head(const struct journal *journal)
{
    const struct journal_head *head = (const struct journal_head *)journal->map;
    size_t known = offsetof(struct journal_head, dialect);
    if (journal->size < known || memcmp(head->magic, JOURNAL_MAGIC, sizeof head->magic) != 0)
        return "is not a journal of tourney";
    if (head->mark != JOURNAL_MARK)
        return "was written on a machine of another kind";
    if (head->version != JOURNAL_VERSION)
        return "is a journal of another version of tourney";
    if (journal->size < sizeof *head || head->world > journal->size - sizeof *head || head->world % 8 ||
        head->world == 0 || head->sum != journal_head_sum(head, (const char *)(head + 1)))
        return "is damaged at its beginning";
    if (head->dialect != journal_dialect())
        return "is a journal of another version of tourney";
    return NULL;
}

/* Counts what is in good blocks, and cuts off what is behind them. */
static const char *scan_blocks(struct journal *journal)
{
    const struct journal_head *head = (const struct journal_head *)journal->map;
    journal->world = xstrdup((const char *)(head + 1));
    journal->next = sizeof *head + head->world;
    size_t at = journal->next;
    const struct journal_block *block;
    while (block = (const struct journal_block *)(journal->map + at),
           journal_block_is_good(block, journal->size - at, journal->blocks)) {
        journal->count.recorded += block->records;
        journal->blocks++;
        at += block->size;
    }
    journal->end = (off_t)at;
    journal->count.dropped_bytes = journal->size - at;
    if (journal->count.dropped_bytes && ftruncate(journal->fd, journal->end) < 0)
        return strerror(errno);
    return NULL;
}

static const char *read_in(struct journal *journal)
{
    struct stat file;
    if (fstat(journal->fd, &file) < 0)
        return strerror(errno);
    if (!S_ISREG(file.st_mode) || file.st_size == 0)
        return "is not a journal of tourney";
    if (!lock_whole_file(journal->fd))
        return "is in use by another tourney";
    journal->size = (size_t)file.st_size;
    void *map = mmap(NULL, journal->size, PROT_READ, MAP_PRIVATE, journal->fd, 0);
    if (map == MAP_FAILED)
        return strerror(errno);
    journal->map = map;
    const char *wrong = judge_head(journal);
    return wrong ? wrong : scan_blocks(journal);
}

struct journal *journal_open(const char *path, const char **error)
{
    int fd = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) {
        *error = errno == EISDIR || errno == ELOOP ? "is not a journal of tourney" : strerror(errno);
        return NULL;
    }
    struct journal *journal = journal_new(path, fd);
    *error = read_in(journal);
    if (!*error)
        return journal;
    journal_free(journal);
    return NULL;
}

const char *journal_world(const struct journal *journal)
{
    return journal->world;
}

void journal_close(struct journal *journal)
{
    journal_flush(journal);
    journal_free(journal);
}

void journal_abandon(struct journal *journal)
{
    journal->count.error = ENOSPC;
    vec_release(&journal->ahead);
    journal->end = 0;
    stop_telling(journal);
    int cut = ftruncate(journal->fd, 0);
    (void)cut; /* then there is no more room than before */
}

struct journal_count journal_count(const struct journal *journal)
{
    return journal->count;
}
