/* Going on with a search whose journal is whole, but has a head that nobody could have written. */
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
#include "command/session.h"
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(strange_heads_are_refused)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
