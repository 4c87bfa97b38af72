/* Results: to JSON and back, and the directory they are kept in. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "result/annotate.h"
#include "result/assumptions.h"
#include "result/bytes.h"
#include "result/dir.h"
#include "result/junit.h"
#include "result/sarif.h"

/* ---- bytes ---- */

static const char *const hostile[] = {
    "",
    "plain",
    "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80",
    "\"quoted\" and back\\slash\nnew line\ttab\x1b[31m",
    "latin \xe9 and \xff\xfe",
    "\\x41 is no escape, \\\\x neither, \\xzz nor \\",
    "\xc3",                     /* cut short */
    "\xc0\xaf \xed\xa0\x80",    /* overlong, surrogate */
    "\xf4\x90\x80\x80 \x80\x80", /* too high, stray */
    "{\"tool\": \"other\"}",
};
enum { HOSTILE = sizeof hostile / sizeof *hostile };

static void any_bytes_survive(void **state)
{
    (void)state;
    for (int i = 0; i < HOSTILE; i++) {
        char *text = bytes_to_text(hostile[i]), *back = bytes_of_text(text);
        json_t *json = json_string(text); /* refuses what is not UTF-8 */

        assert_non_null(json);
        assert_string_equal(back, hostile[i]);
        json_decref(json);
        free(text);
        free(back);
    }
}

static void text_is_left_alone(void **state)
{
    char *text = bytes_to_text("C:\\dir \xc3\xa9");

    (void)state;
    assert_string_equal(text, "C:\\dir \xc3\xa9");
    free(text);
    text = bytes_to_text("a\xff\\x");
    assert_string_equal(text, "a\\xff\\x5cx");
    free(text);
}

/* ---- JSON ---- */

static char *word(int i)
{
    return xstrdup(hostile[i % HOSTILE]);
}

static struct site site_of(int i)
{
    struct site site = {.rank = i, .thread = (uint8_t)(i % 3), .op = i - 1, .call = word(i), .text = i % 2 ? word(i + 1) : NULL,
                        .place = word(i + 2), .function = word(i + 3), .file = i % 3 ? word(i + 4) : NULL, .line = i};

    if (i % 2)
        site.touch = (struct site_touch){true, i % 3, (uint32_t)i + 5, i, (uint32_t)i % 4, UINT64_C(1) << 47, (uint64_t)i + 1};
    for (int k = 0; k < i % 3; k++)
        vec_push(&site.callers, ((struct named_place){word(k), k ? word(i) : NULL, k ? NULL : word(i), k}));
    return site;
}

static struct kept_decision choice_of(int i)
{
    static const uint64_t sets[] = {0, 1, UINT64_C(1) << 63, UINT64_MAX, UINT64_MAX - 1};
    struct kept_decision choice = {.site = site_of(i), .text = word(i)};

    choice.decision = (struct decision){.kind = i % (DECIDED_CANCEL + 1), .rank = i, .op = (uint32_t)i - 1,
                                        .source = i % 2 ? RANK_NONE : i, .message = (uint32_t)i, .set = sets[i % 5]};
    return choice;
}

static struct finding finding_of(int i)
{
    struct finding finding = {.id = (uint32_t)i, .kind = word(1), .severity = xstrdup("warning"), .message = word(i),
                              .text = word(i + 1), .run = 1, .runs = UINT64_C(1) << 40, .critical = i - 2,
                              .blame = i % 2 ? word(i) : NULL};
    struct wait wait = {.rank = 3, .all = true};
    struct lack lack = {.all = i % 2};
    struct circle circle = {0};

    vec_push(&lack.ranks, 7);
    vec_push(&wait.lacks, lack);
    for (int k = 0; k < (i % 2 ? 4 : 0); k++)
        vec_push(&wait.threads, ((struct waiting_thread){.thread = (uint8_t)(254 + k % 2), .wait = k, .call = k ? NULL : word(i), .lock = k == 1 ? word(i) : NULL,
                                                         .other = k - 1, .place = {word(k), NULL, word(k + 1), k}}));
    vec_push(&finding.waits, wait);
    if (i % 2)
        vec_push(&finding.thread_cycle, ((struct rank_thread){3, 255}));
    if (i % 2)
        vec_push(&finding.thread_cycle, ((struct rank_thread){4, -1}));
    vec_push(&circle.ranks, 3);
    vec_push(&circle.ranks, 4);
    vec_push(&finding.cycles, circle);
    vec_push(&finding.ranks, 4);
    vec_push(&finding.culprits, 5);
    vec_push(&finding.cancellable, UINT64_C(0x7fffdeadbeef));
    vec_push(&finding.near_misses, (struct near_miss){1, 2, word(1), word(2), word(3)});
    for (int k = 1; k < 12; k++) {
        vec_push(&finding.places, site_of(k));
        vec_push(&finding.buffered, site_of(k + i));
        vec_push(&finding.unbuffered, site_of(k + 2 * i));
        vec_push(&finding.decisions, choice_of(k));
        vec_push(&finding.clean, choice_of(k + i));
    }
    return finding;
}

static struct result result_of(int findings)
{
    struct result result = {.program = word(4), .cwd = xstrdup("/home/me"), .ranks = 20, .hang_timeout = 60, .mpi = word(1), .buffering = word(1), .heap = HEAP_CANONICAL,
                            .verdict = VERDICT_DEFECTS, .runs = 6, .distinct = 5, .segments = 4, .merged = 3,
                            .seconds = 1.25};

    for (int i = 0; i < HOSTILE; i++)
        vec_push(&result.args, word(i));
    result_add_bound(&result, "limit of 6 runs reached");
    result_add_bound(&result, "limit of 6 runs reached");
    result_assume(&result, ASSUMED_INPUT);
    result_assume(&result, ASSUMED_INPUT);
    result_assume_that(&result, ASSUMED_POLLS, "a.c:1 in main", "it goes on");
    result_assume_that(&result, ASSUMED_POLLS, "a.c:2 in main", "it goes on");
    result_assume_that(&result, ASSUMED_POLLS, "a.c:1 in main", "it goes on");
    result_assume_that(&result, ASSUMED_MERGING, NULL, "it goes on");
    for (int i = 1; i <= findings; i++)
        vec_push(&result.findings, finding_of(i));
    return result;
}

static void same_string(const char *a, const char *b)
{
    assert_int_equal(!a, !b);
    if (a)
        assert_string_equal(a, b);
}

static void same_site(const struct site *a, const struct site *b)
{
    assert_int_equal(a->rank, b->rank);
    assert_int_equal(a->thread, b->thread);
    assert_int_equal(a->op, b->op);
    same_string(a->call, b->call);
    same_string(a->text, b->text);
    same_string(a->place, b->place);
    same_string(a->function, b->function);
    same_string(a->file, b->file);
    assert_int_equal(a->line, b->line);
    assert_int_equal(a->touch.known, b->touch.known);
    assert_int_equal(a->touch.stores, b->touch.stores);
    assert_int_equal(a->touch.before, b->touch.before);
    assert_int_equal(a->touch.owner, b->touch.owner);
    assert_int_equal(a->touch.slot, b->touch.slot);
    assert_int_equal(a->touch.at, b->touch.at);
    assert_int_equal(a->touch.bytes, b->touch.bytes);
    assert_int_equal(a->callers.n, b->callers.n);
    for (size_t i = 0; i < a->callers.n; i++) {
        same_string(a->callers.at[i].place, b->callers.at[i].place);
        same_string(a->callers.at[i].function, b->callers.at[i].function);
        same_string(a->callers.at[i].file, b->callers.at[i].file);
        assert_int_equal(a->callers.at[i].line, b->callers.at[i].line);
    }
}

static void same_choice(const struct kept_decision *a, const struct kept_decision *b)
{
    assert_int_equal(a->decision.kind, b->decision.kind);
    assert_int_equal(a->decision.rank, b->decision.rank);
    assert_int_equal(a->decision.op, b->decision.op);
    assert_int_equal(a->decision.source, b->decision.source);
    assert_int_equal(a->decision.message, b->decision.message);
    assert_true(a->decision.set == b->decision.set);
    same_site(&a->site, &b->site);
    same_string(a->text, b->text);
}

static void what_is_written_is_read(void **state)
{
    struct result result = result_of(3), back;
    char *text = result_print(&result), *why, *again;

    (void)state;
    assert_int_equal(result_parse(&back, text, strlen(text), &why), 0);
    assert_string_equal(back.program, hostile[4]);
    assert_string_equal(back.cwd, "/home/me");
    assert_int_equal(back.hang_timeout, 60);
    assert_int_equal(back.args.n, HOSTILE);
    for (int i = 0; i < HOSTILE; i++)
        assert_string_equal(back.args.at[i], hostile[i]);
    assert_int_equal(back.verdict, VERDICT_DEFECTS);
    assert_int_equal(back.runs, 6);
    assert_int_equal(back.distinct, 5);
    assert_int_equal(back.segments, 4);
    assert_int_equal(back.merged, 3);
    assert_true(back.seconds == 1.25);
    assert_int_equal(back.bounds.n, 1);
    assert_int_equal(back.assumptions.n, 4);
    assert_string_equal(back.assumptions.at[0].kind, "input");
    assert_string_equal(back.assumptions.at[0].brief, "this input");
    assert_string_equal(back.assumptions.at[2].kind, "polls");
    assert_null(back.assumptions.at[2].brief);
    assert_string_equal(back.assumptions.at[2].text, "it goes on");
    assert_string_equal(back.assumptions.at[2].place, "a.c:2 in main");
    assert_null(back.assumptions.at[3].place);
    assert_int_equal(back.findings.n, 3);
    for (size_t i = 0; i < 3; i++) {
        const struct finding *a = &result.findings.at[i], *b = &back.findings.at[i];

        assert_int_equal(b->critical, a->critical);
        assert_true(b->runs == a->runs);
        assert_true(b->cancellable.at[0] == a->cancellable.at[0]);
        assert_int_equal(b->decisions.n, a->decisions.n);
        for (size_t k = 0; k < a->decisions.n; k++) {
            same_choice(&a->decisions.at[k], &b->decisions.at[k]);
            same_choice(&a->clean.at[k], &b->clean.at[k]);
            same_site(&a->places.at[k], &b->places.at[k]);
            same_site(&a->buffered.at[k], &b->buffered.at[k]);
            same_site(&a->unbuffered.at[k], &b->unbuffered.at[k]);
        }
    }
    again = result_print(&back); /* and so is everything not looked at above */
    assert_string_equal(again, text);
    free(text);
    free(again);
    result_release(&result);
    result_release(&back);
}

static void refuses(const char *text, const char *sentence)
{
    struct result result;
    char *why;

    assert_int_equal(result_parse(&result, text, strlen(text), &why), -1);
    assert_string_equal(why, sentence);
    free(why);
}

/* Puts something in place of the first `before`; what is said of the file then. */
static char *wrong(char *(*parse)(const char *), const char *text, const char *before, const char *after)
{
    const char *at = strstr(text, before);

    assert_non_null(at);
    char *changed = xformat("%.*s%s%s", (int)(at - text), text, after, at + strlen(before)), *why = parse(changed);
    free(changed);
    return why;
}

static void is_damaged(char *(*parse)(const char *), const char *text, const char *before, const char *after, const char *name)
{
    char *why = wrong(parse, text, before, after), *sentence = xformat("damaged: '%s' is missing or not as it should be", name);

    assert_string_equal(why ? why : "it is read", sentence);
    free(why);
    free(sentence);
}

static char *parse_result(const char *text)
{
    struct result result;
    char *why;

    if (result_parse(&result, text, strlen(text), &why) < 0)
        return why;
    result_release(&result);
    return NULL;
}

static void other_things_are_no_result(void **state)
{
    struct result result = result_of(1), back;
    char *text = result_print(&result), *part, *why;

    (void)state;
    refuses("", "damaged, or not a result of tourney: line 1 is no JSON");
    refuses("[]", "not a result of tourney");
    refuses("{\"tool\": \"other\"}", "not a result of tourney");
    refuses("{\"tool\": \"tourney\"}", "a result of version 0; this tourney reads version 1: search again, or use the older tourney that made it");
    refuses("{\"tool\": \"tourney\", \"version\": 7}", "a result of version 7; this tourney reads version 1: search again, or use the newer tourney that made it");
    refuses("{\"tool\": \"tourney\", \"version\": 1}", "damaged: 'program' is missing or not as it should be");
    part = strstr(text, "\"culprits\"");
    memcpy(part, "\"CULPRITS\"", 10);
    refuses(text, "damaged: 'culprits' is missing or not as it should be");
    memcpy(part, "\"culprits\"", 10);
    is_damaged(parse_result, text, "\"ranks\": 20", "\"ranks\": 0", "ranks");
    is_damaged(parse_result, text, "\"rank\": 3", "\"rank\": 99999999999", "rank");
    is_damaged(parse_result, text, "\"critical\": -1", "\"critical\": 11", "critical");
    is_damaged(parse_result, text, "\"severity\": \"warning\"", "\"severity\": \"terrible\"", "severity");
    is_damaged(parse_result, text, "\"severity\": \"warning\"", "\"severity\": null", "severity");
    is_damaged(parse_result, text, "\"hang_timeout\": 60", "\"hang_timeout\": 6000000000", "hang_timeout");
    text[strlen(text) / 2] = '\0';
    assert_int_equal(result_parse(&back, text, strlen(text), &why), -1);
    assert_non_null(strstr(why, "damaged, or not a result of tourney: line "));
    free(why);
    assert_true(result_is_one("{\"tool\": \"tourney\", \"version\": 7}", 33));
    assert_false(result_is_one("{}", 2));
    free(text);
    result_release(&result);
}

/* ---- the directory ---- */

static char *scratch(const char *name)
{
    static char folder[] = "/tmp/test_resultXXXXXX", path[64];
    static bool made;

    if (!made)
        assert_non_null(mkdtemp(folder));
    made = true;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void a_directory_keeps_the_last_result(void **state)
{
    char *path = scratch("new");
    struct result_dir dir = dir_take(path);
    struct result result = result_of(0), back;

    (void)state;
    assert_int_equal(dir_write(&dir, &result), 0);
    result.runs = 77;
    assert_int_equal(dir_write(&dir, &result), 0);
    back = dir_read(path);
    assert_int_equal(back.runs, 77);
    dir_release(&dir);
    dir = dir_take(path); /* an old result may be taken over, and stays until there is another */
    result_release(&back);
    back = dir_read(path);
    assert_int_equal(back.runs, 77);
    dir_release(&dir);
    result_release(&back);
    result_release(&result);
}

/* From now on, files have at most so many bytes; what was allowed before. */
static struct rlimit limit_files(rlim_t bytes)
{
    struct rlimit old, small = {.rlim_cur = bytes};

    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small.rlim_max = old.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    return old;
}

static void a_full_disk_leaves_the_old_result(void **state)
{
    char *path = scratch("full");
    struct result_dir dir = dir_take(path);
    struct result result = result_of(0), back;

    (void)state;
    assert_int_equal(dir_write(&dir, &result), 0);
    result.runs = 77;
    struct rlimit old = limit_files(100);
    int status = dir_write(&dir, &result), error = errno;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    assert_int_equal(status, -1);
    assert_int_equal(error, EFBIG);
    back = dir_read(path);
    assert_int_equal(back.runs, 6);
    assert_int_equal(faccessat(dir.fd, "result.json.part", F_OK, 0), -1);
    dir_release(&dir);
    result_release(&back);
    result_release(&result);
}

/* Takes a directory in a child; its exit code, and what it says. */
static int take(const char *path, char *said, size_t size)
{
    int ends[2], status;
    size_t length = 0;
    ssize_t n;

    fflush(NULL);
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (!child) {
        dup2(ends[1], STDERR_FILENO);
        dir_take(path);
        _exit(0);
    }
    close(ends[1]);
    while ((n = read(ends[0], said + length, size - 1 - length)) > 0)
        length += (size_t)n;
    said[length] = '\0';
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    return WEXITSTATUS(status);
}

static void put_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void other_directories_are_not_touched(void **state)
{
    char said[256], path[64];

    (void)state;
    strcpy(path, scratch("mine"));
    assert_int_equal(mkdir(path, 0777), 0);
    assert_int_equal(take(path, said, sizeof said), 0); /* it is empty */
    put_file(scratch("mine/result.json"), "{\"version\": 1, \"tool\": \"another\"}");
    assert_int_equal(take(path, said, sizeof said), 3);
    assert_non_null(strstr(said, "exists and is not a result of tourney; choose another directory with -o"));
    assert_int_equal(access(scratch("mine/result.json"), F_OK), 0);
    put_file(scratch("file"), "precious");
    assert_int_equal(take(scratch("file"), said, sizeof said), 3);
    assert_non_null(strstr(said, "exists and is not a directory"));
    assert_int_equal(take(scratch("no/such"), said, sizeof said), 3);
    assert_non_null(strstr(said, "No such file or directory"));
}

static void two_do_not_share_a_directory(void **state)
{
    char said[256];
    struct result_dir dir = dir_take(scratch("shared"));

    (void)state;
    assert_int_equal(take(scratch("shared"), said, sizeof said), 3);
    assert_non_null(strstr(said, "is in use by another tourney"));
    dir_release(&dir);
    assert_int_equal(take(scratch("shared"), said, sizeof said), 0);
}

/* ---- runs ---- */

static struct run_chart some_execution(void)
{
    struct run_chart execution = {0};
    struct act receive = {.op = 7, .kind = OP_RECV, .text = 0, .place = 0, .blocking = true, .window = -1, .frame = 1};
    struct act crash = {.op = 8, .kind = OP_CRASH, .text = 1, .place = -1, .window = -1, .frame = -1};
    struct act get = {.op = 4, .kind = OP_ACCESS, .text = 0, .place = 0, .window = 0, .reads = true, .frame = -1};
    struct lane lane = {.end = RANK_COMPUTING, .left_out = 3}, other = {.end = RANK_EXITED};
    struct gathering gathering = {0};

    vec_push(&receive.requests, 5);
    vec_push(&crash.stack, 0);
    vec_push(&get.ranges, ((struct byte_range){8, 4}));
    vec_push(&lane.acts, receive);
    vec_push(&lane.acts, crash);
    vec_push(&other.acts, get);
    vec_push(&gathering.members, (struct op_name){1, 2});
    vec_push(&execution.texts, xstrdup("MPI_Recv(\xff)"));
    vec_push(&execution.texts, xstrdup("</script>"));
    vec_push(&execution.places, (struct named_place){.place = xstrdup("a.c:1"), .file = xstrdup("/a.c"), .line = 1});
    vec_push(&execution.frames, ((struct stack_frame){-1, -1}));
    vec_push(&execution.frames, ((struct stack_frame){0, 0}));
    vec_push(&execution.lanes, lane);
    vec_push(&execution.lanes, other);
    vec_push(&execution.matches, (struct op_pair){{0, 1}, {1, 3}});
    vec_push(&execution.possible, (struct op_pair){{1, 5}, {0, 7}});
    vec_push(&execution.collectives, gathering);
    vec_push(&execution.windows, ((struct chart_window){.owner = 1, .slot = 0}));
    return execution;
}

static void a_run_is_read_as_it_was_written(void **state)
{
    struct run_chart execution = some_execution(), back;
    char *text = run_chart_print(&execution), *why;

    (void)state;
    assert_int_equal(run_chart_parse(&back, text, strlen(text), &why), 0);
    char *again = run_chart_print(&back);
    assert_string_equal(again, text);
    assert_string_equal(back.texts.at[0], "MPI_Recv(\xff)");
    assert_null(back.places.at[0].function);
    assert_int_equal(back.lanes.at[0].acts.at[0].requests.at[0], 5);
    assert_int_equal(back.lanes.at[0].acts.at[0].window, -1);
    assert_int_equal(back.lanes.at[1].acts.at[0].ranges.at[0].at, 8);
    assert_int_equal(back.lanes.at[0].acts.at[1].stack.at[0], 0);
    assert_int_equal(back.lanes.at[0].end, RANK_COMPUTING);
    assert_int_equal(back.possible.at[0].receive.op, 7);
    run_chart_release(&back);
    assert_int_equal(run_chart_parse(&back, text, strlen(text) - 1, &why), -1);
    assert_string_equal(why, "damaged, or not a result of tourney: line 1 is no JSON");
    free(why);
    free(again);
    free(text);
    run_chart_release(&execution);
}

static char *parse_run(const char *text)
{
    struct run_chart run;
    char *why;

    if (run_chart_parse(&run, text, strlen(text), &why) < 0)
        return why;
    run_chart_release(&run);
    return NULL;
}

/* Stacks came later. */
static void a_run_without_stacks_is_read(void **state)
{
    static const char old[] = "{\"version\":1,\"tool\":\"tourney run\",\"texts\":[\"MPI_Init()\"],\"places\":[],"
                              "\"lanes\":[{\"end\":\"exited\",\"left_out\":0,\"acts\":[{\"op\":0,\"kind\":\"init\","
                              "\"text\":0,\"place\":-1,\"blocking\":false,\"requests\":[],\"stack\":[]}]}],"
                              "\"matches\":[],\"possible\":[],\"collectives\":[]}";
    struct run_chart run;
    char *why;

    (void)state;
    assert_int_equal(run_chart_parse(&run, old, strlen(old), &why), 0);
    assert_int_equal(run.frames.n, 0);
    assert_int_equal(run.lanes.at[0].acts.at[0].frame, -1);
    run_chart_release(&run);
}

static void a_run_that_makes_no_sense_is_damaged(void **state)
{
    struct run_chart execution = some_execution();
    char *text = run_chart_print(&execution);

    (void)state;
    assert_null(parse_run(text));
    is_damaged(parse_run, text, "\"text\":0", "\"text\":2", "text");
    is_damaged(parse_run, text, "\"text\":0", "\"text\":-1", "text");
    is_damaged(parse_run, text, "\"text\":0", "\"text\":4294967296", "text");
    is_damaged(parse_run, text, "\"place\":0", "\"place\":1", "place");
    is_damaged(parse_run, text, "\"place\":0", "\"place\":-2", "place");
    is_damaged(parse_run, text, "\"stack\":[0]", "\"stack\":[1]", "stack");
    is_damaged(parse_run, text, "\"stack\":[0]", "\"stack\":[4294967295]", "a number");
    is_damaged(parse_run, text, "\"frame\":1", "\"frame\":2", "frame");
    is_damaged(parse_run, text, "\"frame\":-1", "\"frame\":-2", "frame");
    is_damaged(parse_run, text, "{\"place\":0,\"caller\":0}", "{\"place\":1,\"caller\":0}", "place");
    is_damaged(parse_run, text, "{\"place\":0,\"caller\":0}", "{\"place\":0,\"caller\":1}", "caller");
    is_damaged(parse_run, text, "{\"place\":0,\"caller\":0}", "{\"place\":0}", "caller");
    is_damaged(parse_run, text, "\"op\":8", "\"op\":7", "op");
    is_damaged(parse_run, text, "{\"rank\":1,\"op\":3}", "{\"rank\":2,\"op\":3}", "rank");
    is_damaged(parse_run, text, "{\"rank\":1,\"op\":5}", "{\"rank\":-1,\"op\":5}", "rank");
    is_damaged(parse_run, text, "{\"rank\":1,\"op\":2}", "{\"rank\":9,\"op\":2}", "rank");
    is_damaged(parse_run, text, "\"place\":\"a.c:1\"", "\"place\":null", "place");
    is_damaged(parse_run, text, "\"computing\"", "\"asleep\"", "end");
    free(text);
    run_chart_release(&execution);
}

/* A tree that does not fit any more is gone, rather than one that is not of this result. */
static void a_full_disk_leaves_no_old_tree(void **state)
{
    struct result_dir dir = dir_take(scratch("full_of_trees"));
    decision_trees_t trees = {0};
    struct decision_tree tree = {.decisions = 7};

    (void)state;
    vec_push(&tree.texts, xstrdup("MPI_Recv"));
    vec_push(&trees, tree);
    assert_int_equal(dir_write_trees(&dir, &trees), 0);
    struct rlimit old = limit_files(20);
    int status = dir_write_trees(&dir, &trees);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    assert_int_equal(status, -1);
    assert_int_equal(faccessat(dir.fd, "tree.json", F_OK, 0), -1);
    char *lost = dir_lost(&dir);
    assert_string_equal(lost, "tree.json: File too large");
    free(lost);
    dir_release(&dir);
    decision_trees_release(&trees);
}

static char *parse_trees(const char *text)
{
    decision_trees_t trees;
    char *why;

    if (decision_trees_parse(&trees, text, strlen(text), &why) < 0)
        return why;
    decision_trees_release(&trees);
    return NULL;
}

static void a_tree_is_read_as_it_was_written(void **state)
{
    decision_trees_t trees = {0}, back;
    struct decision_tree tree = {.decisions = 7};
    char *text, *again, *why;

    (void)state;
    vec_push(&tree.args, xstrdup("-x"));
    vec_push(&tree.texts, xstrdup("MPI_Recv"));
    vec_push(&tree.places, (struct named_place){.place = xstrdup("a.c:1")});
    vec_push(&tree.twigs, (struct twig){-1, -1, -1, -1, -1, -1, TWIG_GOES_ON, LEADS_BAD, 0, 0, 5, 0});
    vec_push(&tree.twigs, (struct twig){0, 3, 0, 0, 0, -1, TWIG_BAD, LEADS_BAD, 2, 1, 0, 4});
    vec_push(&trees, tree);
    text = decision_trees_print(&trees);
    assert_int_equal(decision_trees_parse(&back, text, strlen(text), &why), 0);
    again = decision_trees_print(&back);
    assert_string_equal(again, text);
    assert_int_equal(back.at[0].twigs.at[1].end, TWIG_BAD);
    assert_int_equal(back.at[0].twigs.at[1].untried, 4);
    is_damaged(parse_trees, text, "\"parent\":0", "\"parent\":1", "parent");
    is_damaged(parse_trees, text, "\"parent\":-1", "\"parent\":0", "parent");
    is_damaged(parse_trees, text, "\"rank\":3", "\"rank\":-1", "rank");
    is_damaged(parse_trees, text, "\"call\":0", "\"call\":1", "call");
    is_damaged(parse_trees, text, "\"place\":0", "\"place\":1", "place");
    is_damaged(parse_trees, text, "\"same\":-1", "\"same\":2", "same");
    is_damaged(parse_trees, text, "\"end\":\"bad\"", "\"end\":\"ugly\"", "end");
    decision_trees_release(&back);
    decision_trees_release(&trees);
    free(text);
    free(again);
}

static void a_result_that_makes_no_sense_is_damaged(void **state)
{
    struct result result = result_of(1);
    char *text = result_print(&result);

    (void)state;
    assert_null(parse_result(text));
    is_damaged(parse_result, text, "\"ranks\": 20", "\"ranks\": 0", "ranks");
    is_damaged(parse_result, text, "\"ranks\": 20", "\"ranks\": 4097", "ranks");
    is_damaged(parse_result, text, "\"ranks\": 20", "\"ranks\": 5", "culprits");
    is_damaged(parse_result, text, "\"ranks\": 20", "\"ranks\": 99999999999", "ranks");
    is_damaged(parse_result, text, "\"runs\": 6", "\"runs\": -6", "runs");
    is_damaged(parse_result, text, "\"id\": 1", "\"id\": 0", "id");
    is_damaged(parse_result, text, "\"critical\": -1", "\"critical\": 11", "critical");
    is_damaged(parse_result, text, "\"critical\": -1", "\"critical\": -2", "critical");
    is_damaged(parse_result, text, "\"op\": 0", "\"op\": -2", "op");
    is_damaged(parse_result, text, "\"kind\": \"plain\"", "\"kind\": null", "kind");
    is_damaged(parse_result, text, "\"source\": -2", "\"source\": 20", "source");
    is_damaged(parse_result, text, "63\n", "64\n", "a number");
    free(text);
    result_release(&result);
}

static void runs_are_kept_beside_a_result(void **state)
{
    struct run_chart execution = some_execution(), back;
    struct result_dir dir = dir_take(scratch("runs"));
    struct result result = result_of(1);
    char *why;

    (void)state;
    assert_int_equal(dir_write(&dir, &result), 0);
    assert_false(dir_has_run(&dir, 3));
    assert_int_equal(dir_write_run(&dir, 3, false, &execution), 0);
    assert_int_equal(dir_write_run(&dir, 3, true, &execution), 0);
    assert_true(dir_has_run(&dir, 3));
    assert_true(dir_read_run(scratch("runs"), 3, true, &back, &why));
    run_chart_release(&back);
    assert_false(dir_read_run(scratch("runs"), 4, false, &back, &why));
    dir_release(&dir);
    dir = dir_take(scratch("runs")); /* for another search */
    assert_false(dir_has_run(&dir, 3));
    assert_false(dir_read_run(scratch("runs"), 3, true, &back, &why));
    dir_release(&dir);
    run_chart_release(&execution);
    result_release(&result);
}

static int clean_up(void **state)
{
    char command[128];

    (void)state;
    snprintf(command, sizeof command, "rm -r %s", scratch(""));
    return system(command);
}

/* ---- for other tools ---- */

/* A deadlock of two ranks after one decision. */
static struct result deadlock(const char *file)
{
    struct result result = {.program = xstrdup("./a<b"), .cwd = xstrdup("/home/me"), .ranks = 3, .mpi = word(1),
                            .buffering = word(1), .verdict = VERDICT_DEFECTS, .seconds = 1.5};
    struct finding finding = {.id = 1, .kind = xstrdup("deadlock"), .severity = xstrdup("error"),
                              .message = xstrdup("stuck: \"for ever\" & 100%\nlost"), .text = xstrdup("<\x1b[1mstuck>")};

    for (int r = 0; r < 2; r++)
        vec_push(&finding.places, ((struct site){.rank = r, .op = 4, .call = xstrdup("MPI_Recv"),
                                                 .text = xstrdup("MPI_Recv()"), .place = xstrdup("a.c:7 in f"),
                                                 .function = xstrdup("f"), .file = xstrdup(file), .line = 7 + r}));
    vec_push(&finding.decisions, ((struct kept_decision){.site = {.rank = 1,
                                                                  .op = 2,
                                                                  .call = xstrdup("MPI_Recv"),
                                                                  .text = xstrdup("MPI_Recv()"),
                                                                  .place = xstrdup("a.c:5 in f"),
                                                                  .file = xstrdup(file),
                                                                  .line = 5},
                                                         .text = xstrdup("receives the message from rank 2")}));
    vec_push(&result.findings, finding);
    return result;
}

static json_t *sarif_of(const struct result *result)
{
    char *text = sarif_print(result);
    json_t *json = json_loads(text, 0, NULL), *run = json_array_get(json_object_get(json, "runs"), 0);

    assert_non_null(run);
    json_incref(run);
    json_decref(json);
    free(text);
    return run;
}

static const char *uri_of(const char *file)
{
    static char uri[100];
    struct result result = deadlock(file);
    const char *found = NULL, *base = NULL;
    json_t *run = sarif_of(&result);

    assert_int_equal(json_unpack(run, "{s:[{s:[{s:{s:{s:s,s?s}}}]}]}", "results", "locations", "physicalLocation",
                                 "artifactLocation", "uri", &found, "uriBaseId", &base),
                     0);
    snprintf(uri, sizeof uri, "%s%s", base ? "WORKDIR " : "", found);
    json_decref(run);
    result_release(&result);
    return uri;
}

static void sarif_tells_callers(void **state)
{
    struct result result = deadlock("/home/me/a.c");
    const char *text, *function;
    int line, caller;

    (void)state;
    vec_push(&result.findings.at[0].places.at[1].callers,
             ((struct named_place){xstrdup("a.c:30 in main"), xstrdup("main"), xstrdup("/home/me/a.c"), 30}));
    json_t *run = sarif_of(&result), *stacks;
    assert_int_equal(json_unpack(run, "{s:[{s:o}]}", "results", "stacks", &stacks), 0);
    assert_int_equal(json_array_size(stacks), 1); /* of the other place nothing is known */
    assert_int_equal(json_unpack(stacks, "[{s:[{s:{s:{s:{s:i}}}},{s:{s:{s:s},s:{s:{s:i}},s:[{s:s}]}}]}]", "frames", "location",
                                 "physicalLocation", "region", "startLine", &line, "location", "message", "text", &text,
                                 "physicalLocation", "region", "startLine", &caller, "logicalLocations", "name",
                                 &function),
                     0);
    assert_int_equal(line, 8);
    assert_int_equal(caller, 30);
    assert_string_equal(text, "a.c:30 in main");
    assert_string_equal(function, "main");
    json_decref(run);
    result_release(&result);
}

static void sarif_tells_places_and_the_way(void **state)
{
    struct result result = deadlock("/home/me/a.c");
    json_t *run = sarif_of(&result), *threads;
    const char *rule, *level, *message, *id, *last;
    int index, line, related, order, order_last;

    (void)state;
    assert_int_equal(json_unpack(run, "{s:[{s:s,s:i,s:s,s:{s:s},s:[{s:{s:{s:i}}}],s:[{s:{s:{s:i}}}],s:[{s:o}]}]}", "results",
                                 "ruleId", &rule, "ruleIndex", &index, "level", &level, "message", "text", &message,
                                 "locations", "physicalLocation", "region", "startLine", &line, "relatedLocations",
                                 "physicalLocation", "region", "startLine", &related, "codeFlows", "threadFlows",
                                 &threads),
                     0);
    assert_string_equal(rule, "deadlock");
    assert_int_equal(index, 0);
    assert_string_equal(level, "error");
    assert_string_equal(message, "stuck: \"for ever\" & 100%\nlost");
    assert_int_equal(line, 7);
    assert_int_equal(related, 8);
    assert_int_equal(json_array_size(threads), 2); /* rank 2 did nothing of interest */
    assert_int_equal(json_unpack(json_array_get(threads, 1), "{s:s,s:[{s:i,s:{s:{s:s}}},{s:i}]}", "id", &id, "locations",
                                 "executionOrder", &order, "location", "message", "text", &last, "executionOrder",
                                 &order_last),
                     0);
    assert_string_equal(id, "rank 1");
    assert_string_equal(last, "rank 1: MPI_Recv() receives the message from rank 2");
    assert_int_equal(order, 1);
    assert_int_equal(order_last, 2);
    json_decref(run);
    result_release(&result);
}

static void sarif_names_files(void **state)
{
    (void)state;
    assert_string_equal(uri_of("/home/me/src/a.c"), "WORKDIR src/a.c");
    assert_string_equal(uri_of("/home/me/a b#1.c"), "WORKDIR a%20b%231.c");
    assert_string_equal(uri_of("/home/meme/a.c"), "file:///home/meme/a.c");
    assert_string_equal(uri_of("src/a.c"), "src/a.c");
}

static void sarif_of_any_bytes(void **state)
{
    struct result result = result_of(9);
    json_t *run = sarif_of(&result);

    (void)state;
    assert_int_equal(json_array_size(json_object_get(run, "results")), 9);
    json_decref(run);
    result_release(&result);
}

/* Every & begins an entity, and nothing is there that XML does not know. */
static void is_xml_text(const char *text)
{
    static const char *const entities[] = {"&lt;", "&gt;", "&amp;", "&quot;", "&#10;"};
    json_t *utf8 = json_string(text);

    assert_non_null(utf8);
    json_decref(utf8);
    for (const char *c = text; *c; c++) {
        bool known = *c != '&';

        assert_true((unsigned char)*c >= ' ' || *c == '\n' || *c == '\t');
        for (size_t i = 0; i < sizeof entities / sizeof *entities; i++)
            known = known || strncmp(c, entities[i], strlen(entities[i])) == 0;
        assert_true(known);
    }
}

static void junit_has_a_test_for_each_finding(void **state)
{
    struct result result = deadlock("/home/me/a.c");
    char *text = junit_print(&result);

    (void)state;
    is_xml_text(text);
    assert_non_null(strstr(text, "tests=\"1\" failures=\"1\" errors=\"0\" skipped=\"0\" time=\"1.500\""));
    assert_non_null(strstr(text, "<testcase classname=\"./a&lt;b\" name=\"finding 1: deadlock\" file=\"/home/me/a.c\""
                                 " line=\"7\">"));
    assert_non_null(strstr(text, "<failure type=\"deadlock\" message=\"stuck: &quot;for ever&quot; &amp; 100%&#10;lost\">"
                                 "&lt;[1mstuck&gt;</failure>"));
    free(text);
    result_release(&result);
    result = result_of(9);
    text = junit_print(&result);
    is_xml_text(text);
    free(text);
    result_release(&result);
}

static void junit_without_findings(void **state)
{
    struct result result = result_of(0);
    char *text;

    (void)state;
    result.verdict = VERDICT_INCOMPLETE;
    text = junit_print(&result);
    assert_non_null(strstr(text, "tests=\"1\" failures=\"0\" errors=\"1\""));
    assert_non_null(strstr(text, "<error type=\"incomplete\" message=\"not all runs were looked at: limit of 6 runs reached\"/>"));
    free(text);
    result.verdict = VERDICT_CLEAN;
    text = junit_print(&result);
    assert_non_null(strstr(text, "tests=\"1\" failures=\"0\" errors=\"0\""));
    assert_non_null(strstr(text, "name=\"all runs\"/>"));
    free(text);
    result_release(&result);
}

static void annotations_are_one_line_each(void **state)
{
    struct result result = deadlock("/home/me/a,b:c.c");
    char *text = annotate_print(&result);

    (void)state;
    assert_string_equal(text, "::error file=a%2Cb%3Ac.c,line=7,title=tourney%3A deadlock::"
                              "stuck: \"for ever\" & 100%25%0Alost\n");
    free(text);
    result_release(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_bytes_survive),
        cmocka_unit_test(text_is_left_alone),
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(other_things_are_no_result),
        cmocka_unit_test(a_directory_keeps_the_last_result),
        cmocka_unit_test(a_full_disk_leaves_the_old_result),
        cmocka_unit_test(other_directories_are_not_touched),
        cmocka_unit_test(two_do_not_share_a_directory),
        cmocka_unit_test(sarif_tells_callers),
        cmocka_unit_test(sarif_tells_places_and_the_way),
        cmocka_unit_test(sarif_names_files),
        cmocka_unit_test(sarif_of_any_bytes),
        cmocka_unit_test(junit_has_a_test_for_each_finding),
        cmocka_unit_test(junit_without_findings),
        cmocka_unit_test(annotations_are_one_line_each),
        cmocka_unit_test(a_run_is_read_as_it_was_written),
        cmocka_unit_test(a_run_without_stacks_is_read),
        cmocka_unit_test(a_run_that_makes_no_sense_is_damaged),
        cmocka_unit_test(a_tree_is_read_as_it_was_written),
        cmocka_unit_test(a_full_disk_leaves_no_old_tree),
        cmocka_unit_test(a_result_that_makes_no_sense_is_damaged),
        cmocka_unit_test(runs_are_kept_beside_a_result),
    };

    return cmocka_run_group_tests(tests, NULL, clean_up);
}
