#include "shim/clock/ledger.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "shim/core/module.h"
#include "shim/library/library.h"

/*
 * The mapping is as large as the file can ever become; the file grows behind it step by step.
 * Room is really allocated before it is used: a full disk is an error then, not a SIGBUS.
 */
static const uint64_t LARGEST = UINT64_C(1) << 40;
enum { STEP = 1 << 20 };

static struct {
    int fd;
    struct causal_head *head; /* NULL: not open */
    uint64_t room;            /* bytes of the file that can be written */
    uint64_t written;         /* bytes of records */
    uint64_t pending;         /* of the one that was begun */
    uint64_t ops;
    struct {
        uint32_t round;       /* of so many operations; 0: nothing is hidden */
        uint64_t written, ops; /* where it began */
        uint64_t left_out;    /* rounds that were written over */
    } hidden;
    uint64_t loads;           /* modules that the file knows */
    bool told[CALL_COUNT];
    bool ended;
} ledger;

static _Noreturn void give_up_ledger(const char *what)
{
    fprintf(stderr, "tourney: %s: %s\n", what, strerror(errno));
    _exit(3);
}

static void grow_ledger(uint64_t needed)
{
    uint64_t more = (needed + STEP - 1) / STEP * STEP;
    if (posix_fallocate(ledger.fd, (off_t)ledger.room, (off_t)more) != 0)
        give_up_ledger("the file of the rank cannot grow");
#ifdef MADV_POPULATE_WRITE
    madvise((char *)ledger.head + ledger.room, more, MADV_POPULATE_WRITE); /* all at once is cheaper than page by page */
#endif
    ledger.room += more;
}

static const char *map_file(const char *directory)
{
    char path[4096];
    size_t length = (size_t)snprintf(path, sizeof path, "%s/" CAUSAL_FILE, directory, shim.rank);
    if (length >= sizeof path)
        return CAUSAL_ENV_DIR ": the path is too long";
    ledger.fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (ledger.fd < 0)
        return errno == EEXIST ? CAUSAL_ENV_DIR ": there is a file of this rank already" : CAUSAL_ENV_DIR ": the file of the rank cannot be made";
    void *map = mmap(NULL, LARGEST, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, ledger.fd, 0);
    if (map == MAP_FAILED)
        return CAUSAL_ENV_DIR ": the file of the rank cannot be mapped";
    ledger.head = map;
    return NULL;
}

const char *ledger_open(void)
{
    const char *kind = getenv(CAUSAL_ENV_KIND), *job = getenv(CAUSAL_ENV_JOB);
    bool lamport = kind && strcmp(kind, "lamport") == 0;
    if (kind && !lamport && strcmp(kind, "vector") != 0)
        return CAUSAL_ENV_KIND " is neither lamport nor vector";
    const char *wrong = map_file(getenv(CAUSAL_ENV_DIR));
    if (wrong)
        return wrong;
    grow_ledger(STEP);
    struct causal_head *head = ledger.head;
    head->version = CAUSAL_VERSION;
    head->clock_kind = lamport ? CAUSAL_LAMPORT : CAUSAL_VECTOR_CLOCK;
    head->rank = shim.rank;
    head->size = shim.size;
    head->pid = getpid();
    head->job = job ? strtoull(job, NULL, 10) : 0;
    gethostname(head->host, sizeof head->host - 1);
    strcpy(head->mpi, library_traits.name);
    head->now.forced = RANK_ANY;
    memcpy(head->magic, CAUSAL_MAGIC, sizeof head->magic);
    return NULL;
}

bool ledger_is_open(void)
{
    return ledger.head != NULL;
}

static uint64_t end_of_records(void)
{
    return CAUSAL_RECORDS + ledger.written;
}

void *ledger_begin(enum causal_record_kind kind, size_t size)
{
    if (ledger.hidden.round && kind != CAUSAL_OP && kind != CAUSAL_CHOICE)
        ledger_show();
    size = op_round(size);
    uint64_t at = end_of_records();
    if (at + size > ledger.room)
        grow_ledger(size);
    ledger.pending = size;
    struct causal_record *record = (struct causal_record *)((char *)ledger.head + at);
    *record = (struct causal_record){(uint32_t)size, kind};
    return record;
}

void ledger_commit(void)
{
    ledger.written += ledger.pending;
    if (!ledger.hidden.round)
        atomic_store_explicit(&ledger.head->bytes, ledger.written, memory_order_release);
    ledger.pending = 0;
}

void ledger_hide(uint32_t round)
{
    ledger.hidden.round = round;
    ledger.hidden.written = ledger.written;
    ledger.hidden.ops = ledger.ops;
    ledger.hidden.left_out = 0;
}

uint32_t ledger_hidden(void)
{
    return ledger.hidden.round;
}

void ledger_write_over(void)
{
    ledger.written = ledger.hidden.written;
    ledger.ops = ledger.hidden.ops;
    ledger.hidden.left_out++;
}

void ledger_show(void)
{
    bool later = ledger.hidden.round && ledger.hidden.left_out;
    ledger.hidden.round = 0;
    if (later)
        LEDGER_PUT(CAUSAL_LATER, causal_later, .op = ledger.ops - 1, .rounds = ledger.hidden.left_out);
}

void ledger_abandon(void)
{
    ledger.pending = 0;
}

static void put_module(const struct module_range *range, void *unused)
{
    (void)unused;
    size_t length = strlen(range->path) + 1;
    struct causal_module *m = ledger_begin(CAUSAL_MODULE, sizeof *m + length);
    m->start = range->start;
    m->end = range->end;
    m->shift = range->shift;
    memset(m->path, 0, op_round(sizeof *m + length) - sizeof *m);
    memcpy(m->path, range->path, length);
    ledger_commit();
}

/* Code that was loaded since the last time. */
static void put_modules(void)
{
    uint64_t loads = module_loads();
    if (loads == ledger.loads)
        return;
    ledger.loads = loads;
    module_each(put_module, NULL);
}

static void write_ledger_op(struct op *to, const struct op *op, const void *tail, size_t tail_size)
{
    *to = *op;
    to->payload = 0;
    to->size = (uint32_t)(op_round(sizeof *op + tail_size));
    if (!tail_size)
        return;
    memcpy(to + 1, tail, tail_size);
    memset((char *)(to + 1) + tail_size, 0, op_round(tail_size) - tail_size);
}

uint64_t ledger_op(const struct op *op, const void *tail, size_t tail_size, uint64_t clock)
{
    put_modules();
    struct causal_op *record = ledger_begin(CAUSAL_OP, sizeof *record + tail_size);
    record->clock = clock;
    write_ledger_op(&record->op, op, tail, tail_size);
    ledger_commit();
    return ledger.ops++;
}

void ledger_remark(const struct op *op, const void *tail, size_t tail_size)
{
    put_modules();
    struct causal_remark *record = ledger_begin(CAUSAL_REMARK, sizeof *record + tail_size);
    write_ledger_op(&record->op, op, tail, tail_size);
    ledger_commit();
}

uint64_t ledger_ops(void)
{
    return ledger.ops;
}

static void be(struct causal_now is)
{
    struct causal_now *slot = &ledger.head->now;
    uint64_t turn = atomic_load_explicit(&slot->turn, memory_order_relaxed);
    atomic_store_explicit(&slot->turn, turn + 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    slot->state = is.state;
    slot->call = shim.call;
    slot->op = is.op;
    slot->place = (uintptr_t)shim.place;
    slot->polls = is.polls;
    slot->forced = is.forced;
    slot->round = is.round;
    atomic_store_explicit(&slot->turn, turn + 2, memory_order_release);
}

/* Most calls end here. */
void ledger_running(void)
{
    struct causal_now *slot = &ledger.head->now;
    uint64_t turn = atomic_load_explicit(&slot->turn, memory_order_relaxed);
    slot->state = CAUSAL_RUNNING;
    atomic_store_explicit(&slot->turn, turn + 2, memory_order_release);
}

void ledger_blocked(uint64_t op, rank_t forced)
{
    be((struct causal_now){.state = CAUSAL_BLOCKED, .op = op, .forced = forced});
}

void ledger_polling(uint64_t op, uint64_t polls)
{
    if (ledger.hidden.round)
        op = ledger.hidden.ops - 1;
    be((struct causal_now){
        .state = CAUSAL_POLLING, .op = op, .polls = polls, .forced = RANK_ANY, .round = ledger.hidden.round});
}

void ledger_finalized(void)
{
    be((struct causal_now){.state = CAUSAL_FINALIZED, .forced = RANK_ANY});
}

void ledger_unsupported(enum call call, const void *place)
{
    if (ledger.told[call] || !ledger.head)
        return;
    ledger.told[call] = true;
    LEDGER_PUT(CAUSAL_UNSUPPORTED, causal_unsupported, .place = (uintptr_t)place, .call = call);
}

/* Once; and not for a process that the rank has made with fork(). */
void ledger_end(enum causal_end_kind kind, int code)
{
    if (ledger.ended || ledger.head->pid != getpid())
        return;
    ledger.ended = true;
    LEDGER_PUT(CAUSAL_END, causal_end, .kind = kind, .code = code);
}
