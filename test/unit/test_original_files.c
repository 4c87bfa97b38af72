/* Files as they were, told to a process that goes its way again: this one, in calls that it does not make. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <setjmp.h>

#include <cmocka.h>

#include "arch/system_call.h"
#include "world/original_files.h"

static char folder[] = "/tmp/test_original_files.XXXXXX";

struct tried {
    struct original_files files;
    struct file_view first, again; /* a process, and one that goes the same way later */
    char path[64];
};

static int set_up(void **state)
{
    struct tried *tried = calloc(1, sizeof *tried);
    snprintf(tried->path, sizeof tried->path, "%s/file", folder);
    *state = tried;
    return 0;
}

static int tear_down(void **state)
{
    struct tried *tried = *state;
    unlink(tried->path);
    rmdir(tried->path);
    file_view_release(&tried->first);
    file_view_release(&tried->again);
    original_files_release(&tried->files);
    free(tried);
    return 0;
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static struct seccomp_data call_of(int number, const char *path, uint64_t more)
{
    return (struct seccomp_data){.nr = number, .arch = MACHINE_OF_KERNEL, .args = {(uint64_t)AT_FDCWD, (uintptr_t)path, more}};
}

static void note(struct tried *tried, struct file_view *view, struct seccomp_data call)
{
    original_files_note(&tried->files, view, getpid(), 0, &call);
}

static struct original_answer ask(struct tried *tried, const struct file_view *view, struct seccomp_data call)
{
    return original_files_answer(&tried->files, view, getpid(), 0, &call);
}

static void a_new_file_was_not_there(void **state)
{
    struct tried *tried = *state;
    struct seccomp_data looks = call_of(SYS_newfstatat, tried->path, 0);
    assert_false(ask(tried, &tried->again, looks).given);
    note(tried, &tried->first, call_of(SYS_openat, tried->path, O_CREAT | O_WRONLY));
    write_file(tried->path, "new");
    assert_false(ask(tried, &tried->first, looks).given);
    struct original_answer answer = ask(tried, &tried->again, looks);
    assert_true(answer.given);
    assert_int_equal(answer.error, ENOENT);
    assert_int_equal(ask(tried, &tried->again, call_of(SYS_openat, tried->path, O_RDONLY)).error, ENOENT);
    file_view_set(&tried->again, &tried->files, 1); /* it has come to where the first one saw it */
    assert_false(ask(tried, &tried->again, looks).given);
}

static void a_new_file_is_made_again(void **state)
{
    struct tried *tried = *state;
    struct seccomp_data makes = call_of(SYS_openat, tried->path, O_CREAT | O_EXCL | O_WRONLY);
    note(tried, &tried->first, makes);
    write_file(tried->path, "new");
    assert_false(ask(tried, &tried->again, makes).given);
    assert_int_equal(access(tried->path, F_OK), -1); /* so that it can */
    note(tried, &tried->again, makes);
    write_file(tried->path, "new");
    assert_false(ask(tried, &tried->again, call_of(SYS_newfstatat, tried->path, 0)).given);
    struct file_view copy = file_view_copy(&tried->again);
    assert_false(ask(tried, &copy, call_of(SYS_newfstatat, tried->path, 0)).given);
    file_view_release(&copy);
}

static void a_file_that_may_be_there_is_left(void **state)
{
    struct tried *tried = *state;
    struct seccomp_data makes = call_of(SYS_openat, tried->path, O_CREAT | O_APPEND | O_WRONLY);
    note(tried, &tried->first, makes);
    write_file(tried->path, "new");
    assert_false(ask(tried, &tried->again, makes).given);
    assert_int_equal(access(tried->path, F_OK), 0);
}

static void a_file_of_another_rank_is_left(void **state)
{
    struct tried *tried = *state;
    struct seccomp_data makes = call_of(SYS_openat, tried->path, O_CREAT | O_EXCL | O_WRONLY);
    original_files_note(&tried->files, &tried->first, getpid(), 1, &makes);
    write_file(tried->path, "new");
    assert_false(ask(tried, &tried->again, makes).given);
    assert_int_equal(access(tried->path, F_OK), 0);
}

static void what_was_in_a_file_is_read_again(void **state)
{
    struct tried *tried = *state;
    char text[16] = "";
    write_file(tried->path, "old");
    note(tried, &tried->first, call_of(SYS_openat, tried->path, O_TRUNC | O_WRONLY));
    write_file(tried->path, "new");
    for (int i = 0; i < 2; i++) {
        struct original_answer answer = ask(tried, &tried->again, call_of(SYS_openat, tried->path, O_RDONLY));
        assert_true(answer.given);
        assert_int_equal(read(answer.opened, text, sizeof text), 3);
        assert_string_equal(text, "old");
        close(answer.opened);
    }
    assert_false(ask(tried, &tried->again, call_of(SYS_newfstatat, tried->path, 0)).given);
}

static void a_new_folder_is_made_again(void **state)
{
    struct tried *tried = *state;
    struct seccomp_data makes = call_of(SYS_mkdirat, tried->path, 0700);
    note(tried, &tried->first, makes);
    assert_int_equal(mkdir(tried->path, 0700), 0);
    struct original_answer answer = ask(tried, &tried->again, makes);
    assert_true(answer.given);
    assert_int_equal(answer.error, 0);
}

static void a_file_of_an_earlier_search_was_not_there(void **state)
{
    struct tried *tried = *state;
    struct made_file made = {tried->path, 0};
    original_files_open(&tried->files, &(made_files_t){.at = &made, .n = 1});
    write_file(tried->path, "old");
    struct seccomp_data looks = call_of(SYS_newfstatat, tried->path, 0);
    assert_int_equal(ask(tried, &tried->first, looks).error, ENOENT);
    note(tried, &tried->first, call_of(SYS_openat, tried->path, O_CREAT | O_WRONLY));
    assert_int_equal(tried->files.changes, 1);
    assert_false(ask(tried, &tried->first, looks).given);
    assert_int_equal(ask(tried, &tried->again, looks).error, ENOENT);
}

static void reading_changes_nothing(void **state)
{
    struct tried *tried = *state;
    note(tried, &tried->first, call_of(SYS_openat, tried->path, O_RDONLY));
    note(tried, &tried->first, call_of(SYS_newfstatat, tried->path, 0));
    note(tried, &tried->first, call_of(SYS_openat, "/proc/self/comm", O_WRONLY));
    assert_int_equal(tried->files.file.n, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_new_file_was_not_there, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_new_file_is_made_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_file_that_may_be_there_is_left, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_file_of_another_rank_is_left, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_was_in_a_file_is_read_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_new_folder_is_made_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_file_of_an_earlier_search_was_not_there, set_up, tear_down),
        cmocka_unit_test_setup_teardown(reading_changes_nothing, set_up, tear_down),
    };
    if (!mkdtemp(folder))
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(folder);
    return failed;
}
