#include "dist/helper.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/die.h"
#include "call/causal.h"
#include "dist/talk.h"
#include "world/children.h"
#include "world/janitor.h"
#include "world/preload.h"
#include "world/shim_folder.h"
#include "world/segments.h"
#include "world/stranger.h"

enum {
    GLANCE = 10,       /* milliseconds between looks at the rank, at first */
    LATER = 50,        /* milliseconds between looks when it has run for a while */
    QUIET = 50000,     /* microseconds without a change: the rank is quiet */
    STARTING = 1000000,
    COMING_UP = 3000000, /* that long a rank may take for MPI_Init when it is to be ended */
};

struct helper {
    segments_t segments; /* files of shared memory that its rank uses */
    int fd;            /* to tourney */
    talk_buffer in;
    struct talk_setup setup;
    char *dir;         /* owns; NULL: it is gone */
    char *decisions;   /* path; owns */
    const char *program; /* borrows */
    pid_t child;
    int file;          /* the rank's; -1: not there yet */
    int64_t began, changed;
    bool ended, told;  /* the rank; and that it is quiet */
    bool cleaned;      /* nothing is left of it */
    struct rank_claim *claim; /* on the rank */
    char *claim_path;  /* owns: the file that it lies in */
    char *sorry;       /* owns; why there can be none */
    int status;
    struct talk_news now;
    uint64_t told_bytes; /* of the file, that tourney has */
    uint64_t scanned;    /* records that were looked through for the last one */
    enum { GOES_ON, LEAVES, HELD } last; /* as it says: MPI_Finalize has returned; it waits for its end */
};

/* ---- the way to tourney ---- */

static int connect_to(const char *host, const char *port)
{
    char own[256] = "";
    struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM}, *list, *at;
    int fd = -1, on = 1;
    gethostname(own, sizeof own - 1);
    if (strcmp(host, own) == 0)
        host = "127.0.0.1";
    int error = getaddrinfo(host, port, &hints, &list);
    if (error)
        die("%s: %s", host, gai_strerror(error));
    for (at = list; at && fd < 0; at = at->ai_next) {
        fd = socket(at->ai_family, at->ai_socktype | SOCK_CLOEXEC, 0);
        if (fd >= 0 && connect(fd, at->ai_addr, at->ai_addrlen) < 0) {
            close(fd);
            fd = -1;
        }
    }
    freeaddrinfo(list);
    if (fd < 0)
        die("a rank's helper cannot reach tourney at %s port %s: %s", host, port, strerror(errno));
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return fd;
}

/* The next frame of this kind; the connection is gone: the end. */
static const struct talk_frame *wait_for_frame(struct helper *h, enum talk_kind kind)
{
    bool broken;
    for (;;) {
        const struct talk_frame *frame = talk_first(&h->in, TALK_MOST, &broken);
        if (frame && frame->kind == kind)
            return frame;
        if (frame && frame->kind == TALK_LEAVE)
            _exit(0);
        if (broken || frame)
            _exit(1);
        struct pollfd ready = {.fd = h->fd, .events = POLLIN};
        poll(&ready, 1, -1);
        if (talk_fill(h->fd, &h->in, TALK_MOST) < 0)
            _exit(0);
    }
}

static void say_hello(struct helper *h, const char *where)
{
    char *text = xstrdup(where), *rest = text;
    const char *host = strsep(&rest, ":"), *port = strsep(&rest, ":"), *token = strsep(&rest, ":");
    struct talk_hello hello = {.version = TALK_VERSION};
    if (!port || !token || !rest || strlen(token) >= sizeof hello.token)
        die("a rank's helper is started by tourney dist");
    strcpy(hello.token, token);
    hello.job = strtoull(rest, NULL, 10);
    h->fd = connect_to(host, port);
    if (talk_send(h->fd, TALK_HELLO, &hello, sizeof hello, NULL, 0) < 0)
        _exit(0);
    free(text);
}

/* ---- the rank ---- */

static void make_rank_scratch(struct helper *h, const char *decisions, size_t bytes)
{
    const char *shared = getenv(TALK_ENV_SCRATCH); /* not on other machines */
    bool is_here = shared && access(shared, W_OK) == 0;
    h->dir = is_here ? xformat("%s/rank.XXXXXX", shared) : xformat("%s/tourney.dist.XXXXXX", janitor_folder());
    if (!mkdtemp(h->dir))
        die("cannot make a directory in %s: %s", is_here ? shared : janitor_folder(), strerror(errno));
    if (!bytes)
        return;
    h->decisions = xformat("%s/decisions", h->dir);
    FILE *out = fopen(h->decisions, "we");
    if (!out || fwrite(decisions, 1, bytes, out) != bytes || fclose(out) != 0)
        die("cannot write %s: %s", h->decisions, strerror(errno));
}

/* What has a name goes, as soon as it is open. */
static void remove_rank_scratch(struct helper *h)
{
    struct dirent *entry;
    DIR *dir = h->dir ? opendir(h->dir) : NULL;
    while (dir && (entry = readdir(dir)))
        unlinkat(dirfd(dir), entry->d_name, 0);
    if (dir)
        closedir(dir);
    if (h->dir)
        rmdir(h->dir);
    free(h->dir);
    h->dir = NULL;
}

/* Without a name in any file system.  The descriptor stays open: the path leads through it. */
static void make_claim(struct helper *h)
{
    int fd = memfd_create("tourney", MFD_CLOEXEC);
    if (fd < 0 || ftruncate(fd, sizeof *h->claim) < 0 ||
        (h->claim = mmap(NULL, sizeof *h->claim, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)) == MAP_FAILED)
        die("no shared memory: %s", strerror(errno));
    h->claim_path = xformat("/proc/%d/fd/%d", (int)getpid(), fd);
}

static void set_rank_environment(const struct helper *h)
{
    char job[24];
    char *gate = preload_name(preload_find(), h->dir);
    const char *preload = getenv("LD_PRELOAD");
    snprintf(job, sizeof job, "%" PRIu64, h->setup.job);
    unsetenv(RANK_CLAIM_ENV_LAUNCHED);
    setenv(CAUSAL_ENV_CLAIM, h->claim_path, 1);
    setenv("LD_PRELOAD", preload && *preload ? xformat("%s:%s", gate, preload) : gate, 1);
    shim_folder_pass_on();
    setenv(CAUSAL_ENV_DIR, h->dir, 1);
    setenv(CAUSAL_ENV_KIND, h->setup.vector ? "vector" : "lamport", 1);
    setenv(CAUSAL_ENV_JOB, job, 1);
    setenv(CAUSAL_ENV_HELD, "1", 1);
    setenv(CAUSAL_ENV_NOES, "17", 1); /* as often as the search wants to see it (store.h) */
    if (h->decisions)
        setenv(CAUSAL_ENV_DECISIONS, h->decisions, 1);
}

static void start_rank(struct helper *h, char **argv)
{
    pid_t helper = getpid();
    h->child = fork();
    if (h->child < 0)
        die("cannot start a process: %s", strerror(errno));
    if (h->child)
        return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != helper)
        _exit(127);
    signal(SIGXFSZ, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    personality(ADDR_NO_RANDOMIZE);
    set_rank_environment(h);
    if (!h->setup.show) {
        int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
        dup2(null, 1);
        dup2(null, 2);
    }
    execvp(argv[0], argv);
    _exit(127);
}

/* ---- looking at it ---- */

/* Which rank it is, it knows itself. */
static void open_causal_file(struct helper *h)
{
    struct dirent *entry;
    rank_t r;
    DIR *dir = opendir(h->dir);
    while (dir && h->file < 0 && (entry = readdir(dir)))
        if (sscanf(entry->d_name, CAUSAL_FILE, &r) == 1)
            h->file = openat(dirfd(dir), entry->d_name, O_RDONLY | O_CLOEXEC);
    if (dir)
        closedir(dir);
}

/* Looks for the last record of a rank that ends: it has said all, even if its process is still there. */
static void scan_for_end(struct helper *h, uint64_t bytes)
{
    struct causal_record record;
    while (h->last == GOES_ON && h->scanned + sizeof record <= bytes &&
           pread(h->file, &record, sizeof record, (off_t)(CAUSAL_RECORDS + h->scanned)) == sizeof record &&
           record.size >= sizeof record) {
        struct causal_end end;
        if (record.kind == CAUSAL_END && record.size >= sizeof end &&
            pread(h->file, &end, sizeof end, (off_t)(CAUSAL_RECORDS + h->scanned)) == sizeof end)
            h->last = end.kind == CAUSAL_ABORTED ? HELD : LEAVES;
        h->scanned += record.size;
    }
}

static bool rests(const struct helper *h, const struct causal_head *head)
{
    if (h->last != GOES_ON)
        return h->last == HELD;
    switch ((enum causal_state)head->now.state) {
    case CAUSAL_BLOCKED:
    case CAUSAL_POLLING:
    case CAUSAL_FINALIZED:
        return true;
    case CAUSAL_RUNNING:
        break;
    }
    return false;
}

/*
 * Open MPI removes its shared memory when a rank ends by itself and well.  A rank has that of all its neighbours
 * in use, and helpers leave when the job is over: so one that comes to remove them is enough.
 */
static void note_segments(struct helper *h)
{
    segments_note(&h->segments, h->child);
}

static void read_causal_head(struct helper *h)
{
    static _Alignas(8) char page[CAUSAL_RECORDS];
    const struct causal_head *head = (const struct causal_head *)page;
    if (pread(h->file, page, sizeof page, 0) != sizeof page || memcmp(head->magic, CAUSAL_MAGIC, sizeof head->magic) != 0)
        return;
    bool polls = head->now.state == CAUSAL_POLLING && h->now.state == CAUSAL_POLLING;
    bool same = h->now.bytes == head->bytes && h->now.op == head->now.op && (polls || h->now.turn == head->now.turn);
    if (!same)
        h->changed = microseconds();
    scan_for_end(h, head->bytes);
    h->now.rank = head->rank;
    h->now.size = head->size;
    h->now.state = head->now.state;
    h->now.op = head->now.op;
    h->now.turn = head->now.turn;
    h->now.bytes = head->bytes;
    h->now.quiet = rests(h, head) && microseconds() - h->changed > QUIET;
    if (h->dir && head->bytes) {
        remove_rank_scratch(h);
        note_segments(h);
    }
}

static void look_at_rank(struct helper *h)
{
    if (!h->ended && waitpid(h->child, &h->status, WNOHANG) == h->child)
        h->ended = true;
    if (h->file < 0 && h->dir)
        open_causal_file(h);
    if (!h->sorry)
        h->sorry = stranger_in(h->claim, h->program, h->ended);
    if (h->file >= 0)
        read_causal_head(h);
    h->now.ended = h->ended;
    h->now.status = h->status;
    h->now.over = h->last == HELD || h->ended;
    h->now.quiet = h->now.quiet || h->ended;
}

/* ---- telling ---- */

/* The head, and what is new behind it; -1: tourney is gone. */
static int send_file(struct helper *h)
{
    static char part[TALK_BYTES];
    struct talk_part head = {0};
    if (h->file < 0)
        return 0;
    ssize_t n = pread(h->file, part, CAUSAL_RECORDS, 0);
    if (n == CAUSAL_RECORDS && talk_send(h->fd, TALK_FILE, &head, sizeof head, part, (size_t)n) < 0)
        return -1;
    uint64_t end = CAUSAL_RECORDS + h->now.bytes;
    struct talk_part rest = {h->told_bytes > CAUSAL_RECORDS ? h->told_bytes : CAUSAL_RECORDS};
    while (rest.offset < end) {
        size_t wanted = end - rest.offset < sizeof part ? end - rest.offset : sizeof part;
        if ((n = pread(h->file, part, wanted, (off_t)rest.offset)) <= 0)
            break;
        if (talk_send(h->fd, TALK_FILE, &rest, sizeof rest, part, (size_t)n) < 0)
            return -1;
        rest.offset += (uint64_t)n;
    }
    h->told_bytes = rest.offset;
    return 0;
}

static int send_news(struct helper *h, uint64_t look)
{
    struct talk_news news = h->now;
    news.look = look;
    if ((look || news.over) && send_file(h) < 0)
        return -1;
    return talk_send(h->fd, TALK_NEWS, &news, sizeof news, NULL, 0);
}

/* Tourney hears when a rank goes quiet, and when it moves again; and first of all, if there can be none. */
static int tell_tourney(struct helper *h)
{
    static bool was_over, was_ended, was_sorry;
    if (h->sorry && !was_sorry && talk_send(h->fd, TALK_SORRY, NULL, 0, h->sorry, strlen(h->sorry)) < 0)
        return -1;
    was_sorry = h->sorry;
    bool news = h->now.quiet != h->told || h->now.over != was_over || h->ended != was_ended;
    if (!news)
        return 0;
    h->told = h->now.quiet;
    was_over = h->now.over;
    was_ended = h->ended;
    return send_news(h, 0);
}

/* Tourney has something to say, or is gone. */
static bool is_called(const struct helper *h, int milliseconds)
{
    struct pollfd ready = {.fd = h->fd, .events = POLLIN};
    return poll(&ready, 1, milliseconds) > 0;
}

/* Open MPI's launcher hangs now and then if a rank is killed in MPI_Init, where all wait for each other. */
static void let_come_up(struct helper *h)
{
    while (h->file < 0 && !h->ended && microseconds() - h->began < COMING_UP && !is_called(h, GLANCE))
        look_at_rank(h);
}

/* And whatever a script has started in its place. */
static void end_rank(void)
{
    while (children_kill(NULL, 0))
        waitpid(-1, NULL, 0);
}

static void clean_up(struct helper *h, bool hurried)
{
    if (h->cleaned)
        return;
    h->cleaned = true;
    if (!hurried)
        let_come_up(h);
    if (!h->ended)
        segments_note_last(&h->segments, h->child);
    end_rank();
    segments_remove(&h->segments);
    remove_rank_scratch(h);
}

/*
 * Without tourney nobody knows whether all have cleaned up, and the first helper that fails makes the launcher kill
 * the others: so each gives them time.
 */
static _Noreturn void lose_tourney(struct helper *h)
{
    enum { OTHERS = 500 * 1000 };
    bool killed = !h->ended;
    clean_up(h, true);
    usleep(OTHERS);
    _exit(killed);
}

static int answer_look(struct helper *h, const struct talk_frame *frame)
{
    uint64_t number;
    if (h->cleaned || frame->bytes != sizeof number)
        return 0;
    memcpy(&number, frame + 1, sizeof number);
    look_at_rank(h);
    return send_news(h, number);
}

static int answer_end(struct helper *h, bool hurried)
{
    clean_up(h, hurried);
    return talk_send(h->fd, TALK_GONE, NULL, 0, NULL, 0);
}

static void hear_tourney(struct helper *h)
{
    const struct talk_frame *frame;
    bool broken;
    if (talk_fill(h->fd, &h->in, TALK_MOST) < 0)
        lose_tourney(h);
    while ((frame = talk_first(&h->in, TALK_MOST, &broken))) {
        if (frame->kind == TALK_LEAVE)
            _exit(0);
        bool ends = frame->kind == TALK_END || frame->kind == TALK_HURRY;
        if ((ends && answer_end(h, frame->kind == TALK_HURRY) < 0) || (frame->kind == TALK_LOOK && answer_look(h, frame) < 0))
            lose_tourney(h);
        talk_drop(&h->in);
    }
    if (broken)
        lose_tourney(h);
}

static _Noreturn void attend(struct helper *h)
{
    for (;;) {
        struct pollfd ready = {.fd = h->fd, .events = POLLIN};
        poll(&ready, 1, microseconds() - h->began < STARTING ? GLANCE : LATER);
        if (!h->cleaned)
            look_at_rank(h);
        if (!h->cleaned && tell_tourney(h) < 0)
            lose_tourney(h);
        if (ready.revents)
            hear_tourney(h);
    }
}

int helper_main(const char *where, char **argv)
{
    struct helper h = {.program = argv[0],
                       .file = -1, .began = microseconds(), .changed = microseconds(), .now.rank = RANK_NONE};
    signal(SIGTERM, SIG_IGN); /* launchers end a job with it, and kill what is left: the rank ends with its helper */
    signal(SIGINT, SIG_IGN);
    say_hello(&h, where);
    const struct talk_frame *frame = wait_for_frame(&h, TALK_SETUP);
    if (frame->bytes < sizeof h.setup)
        _exit(1);
    memcpy(&h.setup, frame + 1, sizeof h.setup);
    make_rank_scratch(&h, (const char *)(frame + 1) + sizeof h.setup, frame->bytes - sizeof h.setup);
    talk_drop(&h.in);
    make_claim(&h);
    children_adopt();
    start_rank(&h, argv);
    attend(&h);
}
