/*
 * The journal: every damage that a file can have, and searches that are cut short
 * and go on.  The runner here plays the star: ranks send to rank 0 once each.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/deadline.h"
#include "explore/explore.h"
#include "journal/format.h"
#include "journal/journal.h"

enum { CONTEXT = 7, MOST = 4096 };
static const char world[] = "four ranks";

/* ---- files ---- */

static char folder[] = "/tmp/tourney-test-journal-XXXXXX";
static char path[64];

static int make_folder(void **unused)
{
    (void)unused;
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/journal", folder);
    return 0;
}

static int remove_folder(void **unused)
{
    (void)unused;
    unlink(path);
    return rmdir(folder);
}

static size_t file_size(void)
{
    struct stat file;
    assert_int_equal(stat(path, &file), 0);
    return (size_t)file.st_size;
}

static size_t file_read(char **bytes)
{
    size_t size = file_size();
    FILE *file = fopen(path, "rb");
    *bytes = malloc(size);
    assert_int_equal(fread(*bytes, 1, size, file), size);
    fclose(file);
    return size;
}

static void file_write(const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

/* ---- the program ---- */

struct star {
    int ranks;
    uint64_t left;    /* segments that may be run; then it fails */
    uint64_t ran, adopted;
    bool images;      /* who was heard is all that rank 0 remembers */
    int heard[MOST];  /* by node: answers of rank 0 so far */
    uint64_t who[MOST];
    struct op ops[4];
    uint64_t content;
};

/* A communicator of all, in the room of two operations. */
static void put_world(struct op *op, int ranks)
{
    struct op_group *group = (struct op_group *)(op + 1);
    *op = (struct op){.kind = OP_CONTEXT, .context = CONTEXT, .size = 2 * sizeof *op};
    *group = (struct op_group){.members = (uint32_t)ranks, .first_group = (uint32_t)ranks};
    for (int i = 0; i < ranks; i++)
        group->member[i] = i;
}

static void remember(struct star *star, node_id from, const struct ret *ret, node_id to)
{
    star->heard[to] = from ? star->heard[from] + 1 : 0;
    star->who[to] = from ? star->who[from] | UINT64_C(1) << ret->item[0].source : 0;
}

static int star_run(void *data, rank_t rank, node_id from, const struct ret *ret, node_id to, struct segment *segment)
{
    struct star *star = data;
    int n = 0;
    if (star->left-- == 0)
        return -1;
    star->ran++;
    memset(star->ops, 0, sizeof star->ops);
    *segment = (struct segment){.ops = star->ops, .contents = &star->content, .end = SEGMENT_EXIT};
    if (!ret) {
        put_world(star->ops, star->ranks);
        n = 2;
        segment->count++;
    }
    remember(star, from, ret, to);
    if (rank > 0) {
        star->content = (uint64_t)rank;
        star->ops[n] = (struct op){.size = sizeof(struct op), .kind = OP_SEND, .flags = OPF_BLOCKING | OPF_WENT_ON,
                                   .context = CONTEXT, .bytes = 8};
        segment->count++;
    } else if (star->heard[to] < star->ranks - 1) {
        star->ops[n] = (struct op){.size = sizeof(struct op), .kind = OP_RECV, .flags = OPF_BLOCKING, .peer = RANK_ANY,
                                   .context = CONTEXT, .bytes = 8, .request = (uint32_t)star->heard[to] + 1};
        segment->count++;
        segment->end = SEGMENT_CALL;
        segment->imaged = star->images;
        segment->image.low = star->who[to];
    } else {
        segment->code = star->ranks;
    }
    return 0;
}

static int star_adopt(void *data, rank_t rank, node_id from, const struct ret *ret, node_id to,
                      const struct segment *segment)
{
    struct star *star = data;
    (void)rank, (void)segment;
    remember(star, from, ret, to);
    star->adopted++;
    return 0;
}

static enum visit go_on(void *unused, const struct run *run)
{
    (void)unused, (void)run;
    return VISIT_GOOD;
}

static struct star star; /* of the search that ran last */

/* The journal between, of which each segment becomes a block of its own. */
struct flushing {
    struct runner runner;
    struct journal *journal;
};

static int run_and_flush(void *data, rank_t rank, node_id from, const struct ret *ret, node_id to,
                         struct segment *segment)
{
    struct flushing *flushing = data;
    int failed = flushing->runner.run(flushing->runner.data, rank, from, ret, to, segment);
    journal_flush(flushing->journal);
    return failed;
}

static struct explore_result search(struct journal *journal, int ranks, uint64_t segments, bool merge)
{
    star = (struct star){.ranks = ranks, .left = segments, .images = merge};
    struct runner inner = {.run = star_run, .adopt = star_adopt, .data = &star};
    struct flushing flushing = {.journal = journal};
    if (journal)
        flushing.runner = journal_runner(journal, &inner, ranks);
    struct runner runner = journal ? (struct runner){.run = run_and_flush, .data = &flushing} : inner;
    struct explore_options options = {.ranks = ranks, .slack = SLACK_INFINITE, .merge = merge};
    struct explorer *explorer = explore_new(&runner, &options);
    struct explore_result result = explore_run(explorer, go_on, NULL);
    explore_free(explorer);
    return result;
}

/* A session with the journal, NULL: without, that may run so many segments. */
static struct explore_result session(struct journal *journal, int ranks, uint64_t segments)
{
    return search(journal, ranks, segments, false);
}

static struct journal *open_good(void)
{
    const char *error = NULL;
    struct journal *journal = journal_open(path, &error);
    if (!journal)
        fail_msg("the journal %s", error);
    assert_string_equal(journal_world(journal), world);
    return journal;
}

/* Leaves a journal with so many segments of the star with four ranks. */
static void leave_journal(uint64_t segments)
{
    unlink(path);
    struct journal *journal = journal_create(path, world);
    assert_non_null(journal);
    session(journal, 4, segments);
    journal_close(journal);
}

static void assert_refused(const char *word)
{
    const char *error = NULL;
    struct journal *journal = journal_open(path, &error);
    if (journal)
        fail_msg("was not refused: %s", word);
    assert_non_null(strstr(error, word));
}

/* ---- tests ---- */

/* In steps of every length. */
static void check_that_it_goes_on(struct explore_result whole, bool merge)
{
    for (uint64_t step = 1; step <= whole.segments; step++) {
        struct explore_result result;
        uint64_t ran = 0;
        leave_journal(0);
        do {
            struct journal *journal = open_good();
            result = search(journal, 4, step, merge);
            struct journal_count count = journal_count(journal);
            assert_int_equal(count.told, ran);
            assert_int_equal(star.adopted, ran);
            assert_int_equal(count.appended, star.ran);
            assert_int_equal(count.dropped_bytes, 0);
            ran += star.ran;
            journal_close(journal);
        } while (result.left);
        assert_int_equal(ran, whole.segments);
        assert_memory_equal(&result, &whole, sizeof whole);
    }
}

static void test_goes_on(void **unused)
{
    (void)unused;
    struct explore_result whole = session(NULL, 4, UINT64_MAX);
    assert_int_equal(whole.runs, 6);
    check_that_it_goes_on(whole, false);
}

/* ---- what else is asked ---- */

static struct moods {
    uint64_t image;
    bool shares;
} moods; /* of a session: in another one they are others */

static bool look_at_mood(void *data, node_id node, struct map_key *image)
{
    (void)data;
    *image = map_key2(moods.image, node);
    return node % 2;
}

static bool share_by_mood(void *data)
{
    (void)data;
    return moods.shares;
}

static struct runner runner_of_moods(struct journal *journal)
{
    star = (struct star){.ranks = 4, .left = UINT64_MAX};
    return journal_runner(journal, &(struct runner){.run = star_run, .adopt = star_adopt, .look = look_at_mood, .shares_files = share_by_mood, .data = &star}, 4);
}

/* What a search hears that runs two ranks and asks: the image of the first, and of one that has none, and before and after the second about files and time. */
struct heard {
    struct map_key image;
    bool looked, looked_other, shared[6], pressed[6];
};

static struct heard hear(struct journal *journal, bool grows_late)
{
    struct runner runner = runner_of_moods(journal);
    struct heard heard = {0};
    struct map_key none;
    struct segment segment;
    assert_int_equal(runner.run(runner.data, 1, NODE_NONE, NULL, 1, &segment), 0);
    heard.looked = runner.look(runner.data, 1, &heard.image);
    heard.looked_other = runner.look(runner.data, 2, &none);
    for (int i = 0; i < 6; i++) {
        if (i == 3)
            assert_int_equal(runner.run(runner.data, 2, NODE_NONE, NULL, 2, &segment), 0);
        if (i == 4 && grows_late) {
            moods.shares = true;
            deadline_begin(1e-6);
            while (!deadline_is_near())
                ;
        }
        heard.shared[i] = runner.shares_files(runner.data);
        heard.pressed[i] = runner.time_presses(runner.data);
    }
    assert_false(journal_count(journal).strange);
    return heard;
}

/* Images, files and time are told as they were, at the same points; what comes behind the record is of the new session. */
static void test_other_answers(void **unused)
{
    (void)unused;
    unlink(path);
    deadline_begin(0);
    moods = (struct moods){.image = 1};
    struct journal *journal = journal_create(path, world);
    struct heard before = hear(journal, true);
    journal_close(journal);
    assert_true(before.looked && !before.looked_other && !before.shared[3] && before.shared[4] && !before.pressed[3] && before.pressed[4]);
    moods = (struct moods){.image = 2};
    deadline_begin(0);
    journal = open_good();
    struct heard after = hear(journal, false);
    assert_true(map_key_is_same(after.image, before.image));
    after.pressed[5] = before.pressed[5]; /* the record is over by then */
    assert_memory_equal(&after, &before, sizeof after);
    struct runner runner = runner_of_moods(journal);
    assert_true(runner.shares_files(runner.data)); /* they are changed still */
    assert_false(runner.time_presses(runner.data));
    journal_close(journal);
}

static void test_merged_histories(void **unused)
{
    (void)unused;
    struct explore_result whole = search(NULL, 4, UINT64_MAX, true);
    assert_true(whole.merged > 0);
    check_that_it_goes_on(whole, true);
}

static void test_a_killed_session(void **unused)
{
    (void)unused;
    leave_journal(0);
    pid_t child = fork();
    if (child == 0) {
        struct journal *journal = open_good();
        session(journal, 4, 9);
        journal_flush(journal);
        kill(getpid(), SIGKILL);
    }
    waitpid(child, NULL, 0);
    struct journal *journal = open_good();
    assert_int_equal(journal_count(journal).recorded, 9);
    assert_int_equal(session(journal, 4, UINT64_MAX).runs, 6);
    journal_close(journal);
}

/* Cut at any byte: what is whole is used, the rest is run again, and the file is whole after that, with a second stream in it. */
static void test_every_length(void **unused)
{
    (void)unused;
    char *bytes;
    uint64_t before = 0;
    struct explore_result whole = session(NULL, 4, UINT64_MAX);
    leave_journal(UINT64_MAX);
    size_t size = file_read(&bytes), head = sizeof(struct journal_head) + op_round(sizeof world);
    for (size_t length = 0; length <= size; length++) {
        file_write(bytes, length);
        if (length < head) {
            assert_refused(length < 24 ? "is not a journal" : "is damaged at its beginning");
            assert_int_equal(file_size(), length);
            continue;
        }
        struct journal *journal = open_good();
        struct journal_count count = journal_count(journal);
        assert_true(count.recorded == before || (count.recorded == before + 1 && count.dropped_bytes == 0));
        before = count.recorded;
        assert_int_equal(file_size(), length - count.dropped_bytes);
        struct explore_result result = session(journal, 4, UINT64_MAX);
        assert_memory_equal(&result, &whole, sizeof whole);
        assert_int_equal(star.ran, whole.segments - count.recorded);
        journal_close(journal);
        journal = open_good();
        assert_int_equal(journal_count(journal).recorded, whole.segments);
        assert_int_equal(journal_count(journal).dropped_bytes, 0);
        result = session(journal, 4, UINT64_MAX);
        assert_memory_equal(&result, &whole, sizeof whole);
        assert_int_equal(star.ran, 0);
        journal_close(journal);
    }
    assert_int_equal(before, whole.segments);
    free(bytes);
}

/* Any bit: refused, or found in its record; never told to the search. */
static void test_every_bit(void **unused)
{
    (void)unused;
    char *bytes;
    leave_journal(6);
    size_t size = file_read(&bytes), head = sizeof(struct journal_head) + op_round(sizeof world);
    for (size_t bit = 0; bit < 8 * size; bit++) {
        bytes[bit / 8] ^= (char)(1 << bit % 8);
        file_write(bytes, size);
        bytes[bit / 8] ^= (char)(1 << bit % 8);
        const char *error = NULL;
        struct journal *journal = journal_open(path, &error);
        if (bit / 8 < head) {
            assert_null(journal);
            continue;
        }
        assert_non_null(journal);
        struct journal_count count = journal_count(journal);
        assert_true(count.recorded < 6 && count.dropped_bytes > 0);
        assert_true(file_size() <= bit / 8);
        if (bit % 64 == 0)
            assert_int_equal(session(journal, 4, UINT64_MAX).runs, 6);
        journal_close(journal);
    }
    free(bytes);
}

/* As a file system may leave them after the loss of power. */
static void test_zeros_at_the_end(void **unused)
{
    (void)unused;
    char *bytes, zeros[4096] = {0};
    leave_journal(5);
    size_t size = file_read(&bytes);
    FILE *file = fopen(path, "ab");
    fwrite(zeros, 1, sizeof zeros, file);
    fclose(file);
    struct journal *journal = open_good();
    assert_int_equal(journal_count(journal).recorded, 5);
    assert_int_equal(journal_count(journal).dropped_bytes, sizeof zeros);
    journal_close(journal);
    assert_int_equal(file_size(), size);
    free(bytes);
}

static void put_head(struct journal_head head)
{
    char bytes[sizeof head + 16] = {0};
    strcpy(bytes + sizeof head, world);
    head.world = 16;
    head.sum = journal_head_sum(&head, bytes + sizeof head);
    memcpy(bytes, &head, sizeof head);
    file_write(bytes, sizeof bytes);
}

static void test_other_files(void **unused)
{
    (void)unused;
    const char *error = NULL;
    struct journal_head head = {
        .magic = JOURNAL_MAGIC, .mark = JOURNAL_MARK, .version = JOURNAL_VERSION, .dialect = journal_dialect()};
    put_head(head);
    journal_close(open_good());
    head.version++;
    put_head(head);
    assert_refused("is a journal of another version of tourney");
    head.version--;
    head.dialect++;
    put_head(head);
    assert_refused("is a journal of another version of tourney");
    head.mark = __builtin_bswap32(JOURNAL_MARK);
    put_head(head);
    assert_refused("another kind");
    file_write("#!/bin/sh\necho this is a program, and not a short one, either\n", 60);
    assert_refused("is not a journal of tourney");
    file_write("", 0);
    assert_refused("is not a journal of tourney");
    assert_null(journal_open(folder, &error));
    assert_string_equal(error, "is not a journal of tourney");
    assert_null(journal_open("/dev/null", &error));
    assert_string_equal(error, "is not a journal of tourney");
    unlink(path);
    assert_refused(strerror(ENOENT));
}

static void test_existing_files_are_spared(void **unused)
{
    (void)unused;
    file_write("dear", 4);
    assert_null(journal_create(path, world));
    assert_int_equal(errno, EEXIST);
    assert_int_equal(file_size(), 4);
    assert_null(journal_create("/nonexistent/journal", world));
    assert_int_equal(errno, ENOENT);
}

static void test_one_at_a_time(void **unused)
{
    (void)unused;
    int status;
    leave_journal(5);
    struct journal *journal = open_good();
    pid_t child = fork();
    if (child == 0) {
        const char *error = "";
        _exit(!journal_open(path, &error) && strstr(error, "in use") ? 0 : 1);
    }
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    journal_close(journal);
}

/* The search is another one: it ends, and the journal stays as it is. */
static void test_another_search(void **unused)
{
    (void)unused;
    leave_journal(8);
    size_t size = file_size();
    struct journal *journal = open_good();
    star = (struct star){.ranks = 4, .left = UINT64_MAX};
    struct runner inner = {.run = star_run, .adopt = star_adopt, .data = &star};
    struct runner runner = journal_runner(journal, &inner, 4);
    struct segment segment;
    assert_int_equal(runner.run(runner.data, 0, NODE_NONE, NULL, 1, &segment), 0);
    assert_false(journal_count(journal).strange);
    assert_int_equal(runner.run(runner.data, 2, NODE_NONE, NULL, 2, &segment), -1);
    assert_true(journal_count(journal).strange);
    assert_int_equal(star.ran, 0);
    journal_close(journal);
    assert_int_equal(file_size(), size);
}

/* Segments that no rank can have told: the sums are right, so somebody has made them up. */
static int unlawful_run(void *data, rank_t rank, node_id from, const struct ret *ret, node_id to,
                        struct segment *segment)
{
    (void)rank, (void)from, (void)ret, (void)to;
    *segment = *(struct segment *)data;
    return 0;
}

static void tells_strange(struct segment segment)
{
    unlink(path);
    for (int session = 0; session < 2; session++) {
        struct journal *journal = session ? open_good() : journal_create(path, world);
        struct runner inner = {.run = unlawful_run, .data = &segment}, runner = journal_runner(journal, &inner, 4);
        struct segment told;
        assert_int_equal(runner.run(runner.data, 0, NODE_NONE, NULL, 1, &told), session ? -1 : 0);
        assert_int_equal(journal_count(journal).strange, session);
        journal_close(journal);
    }
}

static void test_unlawful_segments(void **unused)
{
    uint64_t content = 0;
    struct op send = {.kind = OP_SEND, .size = sizeof send, .peer = 4, .context = CONTEXT}; /* no rank of four */
    struct op waits[2] = {{.kind = OP_PROBE, .size = sizeof send}, {.kind = OP_PROBE, .size = sizeof send}};
    struct op elsewhere = {.kind = OP_WAIT, .size = sizeof send, .items = 1000, .payload = 4096};
    (void)unused;
    tells_strange((struct segment){.ops = &elsewhere, .count = 1, .end = SEGMENT_CALL});
    tells_strange((struct segment){.ops = &send, .count = 1, .contents = &content, .end = SEGMENT_EXIT});
    tells_strange((struct segment){.ops = waits, .count = 2, .end = SEGMENT_CALL});
    tells_strange((struct segment){.ops = waits, .count = 1, .end = SEGMENT_EXIT});
    tells_strange((struct segment){.end = SEGMENT_CALL});
    tells_strange((struct segment){.end = SEGMENT_ABORT});
    tells_strange((struct segment){.end = SEGMENT_DIVERGED + 1});
}

/* ---- images ---- */

static int imaged_run(void *data, rank_t rank, node_id from, const struct ret *ret, node_id to,
                      struct segment *segment)
{
    (void)data, (void)rank, (void)from, (void)ret;
    *segment = (struct segment){.end = SEGMENT_EXIT, .code = 3, .effort = 40, .imaged = to > 1, .image = {7, to}};
    return 0;
}

static void note_same(void *data, node_id node, node_id as)
{
    *(node_id *)data = node + as;
}

static void test_images(void **unused)
{
    (void)unused;
    node_id told = NODE_NONE;
    struct runner inner = {.run = imaged_run, .same = note_same, .data = &told};
    unlink(path);
    for (int session = 0; session < 2; session++) {
        struct journal *journal = session ? open_good() : journal_create(path, world);
        struct runner runner = journal_runner(journal, &inner, 4);
        struct segment segment;
        assert_int_equal(runner.run(runner.data, 0, NODE_NONE, NULL, 1, &segment), 0);
        assert_false(segment.imaged);
        assert_int_equal(runner.run(runner.data, 1, NODE_NONE, NULL, 2, &segment), 0);
        assert_true(segment.imaged && segment.image.high == 7 && segment.image.low == 2);
        assert_int_equal(segment.code, 3);
        assert_int_equal(segment.effort, 40);
        runner.same(runner.data, 2, 1);
        assert_int_equal(told, 3);
        told = NODE_NONE;
        assert_int_equal(journal_count(journal).told, session ? 2 : 0);
        journal_close(journal);
    }
}

/* ---- a full disk ---- */

/* Nothing on standard error but what `say` prints; returns how many lines that were. */
static int lines_said(void (*say)(void))
{
    int pipes[2], old = dup(STDERR_FILENO), lines = 0;
    char text[4096];
    assert_int_equal(pipe(pipes), 0);
    dup2(pipes[1], STDERR_FILENO);
    say();
    dup2(old, STDERR_FILENO);
    close(pipes[1]);
    ssize_t n = read(pipes[0], text, sizeof text - 1);
    for (ssize_t i = 0; i < n; i++)
        lines += text[i] == '\n';
    text[n > 0 ? n : 0] = 0;
    if (n > 0)
        assert_non_null(strstr(text, path));
    close(pipes[0]);
    close(old);
    return lines;
}

static void search_on_a_full_disk(void)
{
    struct rlimit limit, old;
    struct journal *journal = open_good();
    getrlimit(RLIMIT_FSIZE, &old);
    limit = old;
    limit.rlim_cur = file_size() + 1000; /* a few records more, and a part of one */
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    struct explore_result result = session(journal, 6, UINT64_MAX);
    journal_flush(journal);
    session(journal, 6, 100);
    journal_flush(journal);
    setrlimit(RLIMIT_FSIZE, &old);
    assert_int_equal(result.runs, 120);
    assert_int_equal(result.left, 0);
    assert_int_equal(journal_count(journal).error, EFBIG);
    journal_close(journal);
}

/* Said once; the verdict is the same; what is in the file can be used. */
static void test_full_disk(void **unused)
{
    (void)unused;
    unlink(path);
    struct journal *journal = journal_create(path, world);
    session(journal, 6, 10);
    journal_close(journal);
    assert_int_equal(lines_said(search_on_a_full_disk), 1);
    journal = open_good();
    assert_true(journal_count(journal).recorded >= 10);
    assert_int_equal(journal_count(journal).dropped_bytes, 0);
    assert_int_equal(session(journal, 6, UINT64_MAX).runs, 120);
    journal_close(journal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_goes_on),
        cmocka_unit_test(test_merged_histories),
        cmocka_unit_test(test_other_answers),
        cmocka_unit_test(test_a_killed_session),
        cmocka_unit_test(test_every_length),
        cmocka_unit_test(test_every_bit),
        cmocka_unit_test(test_zeros_at_the_end),
        cmocka_unit_test(test_other_files),
        cmocka_unit_test(test_existing_files_are_spared),
        cmocka_unit_test(test_one_at_a_time),
        cmocka_unit_test(test_another_search),
        cmocka_unit_test(test_unlawful_segments),
        cmocka_unit_test(test_images),
        cmocka_unit_test(test_full_disk),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
