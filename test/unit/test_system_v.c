/*
 * System V memory that ranks have left: what is on the list goes, and nothing else.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "world/system_v.h"

enum { BYTES = 4096 };

static struct segment_list *list;

static int set_up(void **unused)
{
    (void)unused;
    list = mmap(NULL, sizeof *list, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return list == MAP_FAILED;
}

static int tear_down(void **unused)
{
    (void)unused;
    return munmap(list, sizeof *list);
}

static bool is_there(int number)
{
    struct shmid_ds state;
    return shmctl(number, IPC_STAT, &state) == 0;
}

static int made_here(void)
{
    int number = shmget(IPC_PRIVATE, BYTES, IPC_CREAT | 0600);
    assert_true(number >= 0);
    return number;
}

/* What a process does that ends when it has done so; it returns a number as its pipe's contents. */
static int in_a_process(int (*function)(void))
{
    int end[2], number = -1, status;
    assert_int_equal(pipe(end), 0);
    pid_t pid = fork();
    if (pid == 0) {
        number = function();
        _exit(write(end[1], &number, sizeof number) != sizeof number);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    assert_int_equal(read(end[0], &number, sizeof number), sizeof number);
    close(end[0]);
    close(end[1]);
    return number;
}

static int note_made(bool makers_own)
{
    struct segment_place *place = segment_list_announce(list, getpid(), time(NULL), makers_own);
    int number = shmget(IPC_PRIVATE, BYTES, IPC_CREAT | 0600);
    atomic_store(&place->number, number);
    return number;
}

static int note_own(void)
{
    return note_made(true);
}

static int note_shown(void)
{
    return note_made(false);
}

/* It is ended between the two. */
static int announce_only(void)
{
    segment_list_announce(list, getpid(), time(NULL), true);
    return shmget(IPC_PRIVATE, BYTES, IPC_CREAT | 0600);
}

static int do_not_note(void)
{
    return shmget(IPC_PRIVATE, BYTES, IPC_CREAT | 0600);
}

static void all_that_is_noted_is_removed_in_the_end(void **unused)
{
    (void)unused;
    int own = in_a_process(note_own), shown = in_a_process(note_shown), unfinished = in_a_process(announce_only), other = in_a_process(do_not_note);
    assert_int_equal(atomic_load(&list->noted), 3);
    system_v_remove_all(list);
    assert_false(is_there(own));
    assert_false(is_there(shown));
    assert_false(is_there(unfinished));
    assert_true(is_there(other));
    assert_int_equal(atomic_load(&list->noted), 0);
    shmctl(other, IPC_RMID, NULL);
}

/* A list that says otherwise is wrong about that: the number was given again. */
static void what_another_process_has_made_stays(void **unused)
{
    (void)unused;
    int number = made_here();
    struct segment_place *place = segment_list_announce(list, getpid() + 1, time(NULL), true);
    atomic_store(&place->number, number);
    system_v_remove_all(list);
    assert_true(is_there(number));
    assert_int_equal(atomic_load(&list->noted), 0);
    shmctl(number, IPC_RMID, NULL);
}

/* The number of a process may have been that of another one before. */
static void what_was_made_before_it_was_announced_stays(void **unused)
{
    (void)unused;
    int number = made_here();
    segment_list_announce(list, getpid(), time(NULL) + 2, true);
    system_v_remove_all(list);
    assert_true(is_there(number));
    shmctl(number, IPC_RMID, NULL);
}

static void others_may_have_been_told_of_it(void **unused)
{
    (void)unused;
    int own = in_a_process(note_own), shown = in_a_process(note_shown), unfinished = in_a_process(announce_only), mine = note_own();
    system_v_remove_unused(list);
    assert_false(is_there(own));
    assert_false(is_there(unfinished));
    assert_true(is_there(shown));
    assert_true(is_there(mine)); /* its maker lives */
    assert_int_equal(atomic_load(&list->noted), 2);
    system_v_remove_all(list);
    assert_false(is_there(shown));
    assert_false(is_there(mine));
}

static void what_is_attached_is_in_use(void **unused)
{
    (void)unused;
    int own = in_a_process(note_own);
    void *there = shmat(own, NULL, 0);
    system_v_remove_unused(list);
    assert_true(is_there(own));
    shmdt(there);
    system_v_remove_unused(list);
    assert_false(is_there(own));
}

static void if_there_is_much_it_goes_as_well(void **unused)
{
    enum { MUCH = SEGMENT_PLACES / 8 };
    (void)unused;
    int shown = in_a_process(note_shown);
    for (int i = 0; i < MUCH; i++) {
        struct segment_place *place = segment_list_announce(list, getpid(), time(NULL), false);
        atomic_store(&place->number, INT32_MAX - i);
    }
    system_v_remove_unused(list);
    assert_false(is_there(shown));
    assert_int_equal(atomic_load(&list->noted), MUCH); /* whose maker lives */
    system_v_remove_all(list);
}

static void a_full_list_takes_no_more(void **unused)
{
    (void)unused;
    struct segment_place *last = NULL;
    for (int i = 0; i < SEGMENT_PLACES; i++)
        assert_non_null(last = segment_list_announce(list, 1, 0, false));
    assert_null(segment_list_announce(list, 1, 0, false));
    segment_list_forget(list, last);
    assert_ptr_equal(segment_list_announce(list, 1, 0, false), last);
}

static void what_a_living_process_has_made_is_known(void **unused)
{
    (void)unused;
    system_v_numbers_t numbers = {0};
    int number = made_here();
    system_v_made_by(getpid(), &numbers);
    assert_int_equal(numbers.n, 1);
    assert_int_equal(numbers.at[0], number);
    vec_clear(&numbers);
    system_v_made_by(getppid(), &numbers);
    assert_int_equal(numbers.n, 0);
    vec_release(&numbers);
    shmctl(number, IPC_RMID, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(all_that_is_noted_is_removed_in_the_end, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_another_process_has_made_stays, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_was_made_before_it_was_announced_stays, set_up, tear_down),
        cmocka_unit_test_setup_teardown(others_may_have_been_told_of_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_attached_is_in_use, set_up, tear_down),
        cmocka_unit_test_setup_teardown(if_there_is_much_it_goes_as_well, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_full_list_takes_no_more, set_up, tear_down),
        cmocka_unit_test(what_a_living_process_has_made_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
