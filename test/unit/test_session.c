/* Going on with a search whose journal is whole, but has a head that nobody could have written. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/die.h"
#include "verification/session.h"
#include "explore/explore.h"
#include "journal/journal.h"
#include "result/dir.h"

static char folder[] = "/tmp/tourney-test-session-XXXXXX";

static void write_folder(const char *head)
{
    struct result result = {.program = "ring", .ranks = 2, .mpi = "MPICH", .buffering = "any"};
    struct result_dir dir = dir_take(folder);
    char path[64];
    assert_int_equal(dir_write(&dir, &result), 0);
    snprintf(path, sizeof path, "%s/journal", folder);
    journal_close(journal_create(path, head));
    dir_release(&dir);
}

/* Its exit code; -1: it did not come to an end by itself. */
static int resume(void)
{
    int status;
    char *argv[] = {"resume", folder, NULL};
    pid_t pid = fork();
    if (pid == 0) {
        fclose(stderr);
        session_resume(2, argv);
        _exit(0);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void strange_heads_are_refused(void **unused)
{
    static const char *const heads[] = {
        "", "[]", "{}", "{\"cwd\":3,\"command\":[\"tourney\"]}", "{\"cwd\":\"/\",\"command\":[]}",
        "{\"cwd\":\"/\",\"command\":[\"tourney\",7]}", "{\"cwd\":\"/\",\"command\":\"tourney\"}",
    };
    (void)unused;
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        write_folder(heads[i]);
        assert_int_equal(resume(), EXIT_TOURNEY);
    }
}

/* A rank that waits for a request which it does not have. */
static int tell_nonsense(void *data, rank_t rank, node_id from, const struct ret *ret, node_id to, struct segment *segment)
{
    static struct {
        struct op op;
        uint32_t request[2];
    } wait = {{.kind = OP_WAIT, .size = sizeof wait, .flags = OPF_BLOCKING, .items = 1}, {5, 0}};
    (void)data, (void)rank, (void)from, (void)ret, (void)to;
    *segment = (struct segment){.ops = &wait.op, .count = 1, .end = SEGMENT_CALL};
    return 0;
}

static enum visit no_visit(void *data, const struct run *run)
{
    (void)data, (void)run;
    return VISIT_GOOD;
}

static _Noreturn void search(struct session *session)
{
    struct runner runner = {.run = tell_nonsense};
    runner = journal_runner(session->journal, &runner, 1);
    explore_run(explore_new(&runner, &(struct explore_options){.ranks = 1, .slack = SLACK_INFINITE}), no_visit, NULL);
    _exit(0);
}

/* The sentence that a search ends with. */
static void expect_sentence(void (*begin)(struct session *), const char *words)
{
    int status, says[2];
    char text[512] = "";
    struct session session;
    assert_int_equal(pipe(says), 0);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(says[1], STDERR_FILENO);
        begin(&session);
        search(&session);
    }
    close(says[1]);
    for (size_t n = 0, more = 1; more && n < sizeof text - 1; n += more)
        more = (size_t)read(says[0], text + n, sizeof text - 1 - n);
    close(says[0]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_TOURNEY);
    if (!strstr(text, words))
        fail_msg("%s", text);
}

static struct journal *journal;

static void flush(void)
{
    journal_flush(journal);
}

static void begin_anew(struct session *session)
{
    static char *argv[] = {"verify", "-n", "1", "-o", folder, NULL, NULL};
    argv[5] = program_invocation_name; /* a program for this machine */
    struct result result = {.program = program_invocation_name, .ranks = 1, .mpi = "MPICH", .buffering = "any"};
    *session = session_begin(6, argv);
    assert_int_equal(dir_write(&session->dir, &result), 0);
    session_open_journal(session, 6, argv);
    atexit(flush);
    journal = session->journal;
}

static void go_on(struct session *session)
{
    static char *argv[] = {"resume", folder, NULL};
    *session = session_resume(2, argv);
}

/* While it is written, it is a bug of whoever runs the ranks; read again, most likely of the file. */
static void nonsense_in_a_whole_journal(void **unused)
{
    (void)unused;
    expect_sentence(begin_anew, "tourney: bug at ");
    expect_sentence(go_on, "/journal is damaged, or this is a bug at ");
}

static int make_folder(void **unused)
{
    (void)unused;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **unused)
{
    char command[128];
    (void)unused;
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(strange_heads_are_refused),
                                       cmocka_unit_test(nonsense_in_a_whole_journal)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
