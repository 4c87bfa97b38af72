/* Images of real processes: what they see, and that looking again sees what looking afresh does. */
#include <linux/futex.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/rseq.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "arch/registers.h"
#include "arch/system_call.h"
#include "world/image.h"
#include "world/maps.h"

enum { PAGE = 4096, PAGES = 24, PUPPETS = 64 };

/*
 * A puppet is a process that does one step after the other and waits in between, always in
 * the same place, as a rank does in the shim.
 */
struct puppet {
    pid_t pid;
    _Atomic int asked, done;
    void (*step)(long);
    long argument;
    int copy; /* to become this puppet; 0: a step */
    struct wire_sleep sleep;
};
static struct puppet *puppets; /* shared, and called as tourney's memory is */

static _Alignas(PAGE) union {
    struct {
        struct puppet *self;
        void *thread_number, *core_number;
        long forks;
    };
    char page[PAGE];
} noise;

static _Alignas(PAGE) char area[PAGES * PAGE];
static volatile long chance; /* a word that is different in every process */

/* Not through the C library: whether it waits at all is chance, and would be told by errno. */
static void wait_while(_Atomic int *word, int value)
{
    static const struct timespec at_most = {.tv_nsec = 10 * 1000 * 1000};
    system_call_4(SYS_futex, (long)word, FUTEX_WAIT, value, (long)&at_most);
}

static void set(_Atomic int *word, int value)
{
    *word = value;
    syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

/* A parent that was killed before this was said sends no signal. */
static void end_with(pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(0);
}

static __attribute__((noinline)) void make_copy(struct puppet *other)
{
    pid_t parent = getppid(), pid = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, NULL, NULL, NULL, NULL);
    if (pid == 0) {
        end_with(parent);
        noise.self = other;
    } else {
        other->pid = pid;
    }
}

static __attribute__((noinline)) void do_step(uintptr_t stack)
{
    noise.self->sleep = (struct wire_sleep){.stack = stack,
                                            .first_stack = getauxval(AT_RANDOM),
                                            .noise = (uintptr_t)&noise,
                                            .noise_bytes = sizeof noise,
                                            .thread_number = (uintptr_t)noise.thread_number,
                                            .core_number = (uintptr_t)noise.core_number,
                                            .forks = noise.forks};
    int asked = noise.self->asked;
    set(&noise.self->done, asked);
    while (noise.self->asked == asked)
        wait_while(&noise.self->asked, asked);
    if (noise.self->copy)
        make_copy(&puppets[noise.self->copy]);
    else
        noise.self->step(noise.self->argument);
}

static __attribute__((noinline, noreturn)) void live(void)
{
    struct sleep_registers registers;
    __builtin_unwind_init();
    sleep_registers_read(&registers);
    for (;;)
        do_step(registers.stack);
}

static void wait_for(struct puppet *puppet)
{
    for (int done; (done = puppet->done) != puppet->asked;) {
        assert_int_equal(waitpid(puppet->pid, NULL, WNOHANG), 0);
        wait_while(&puppet->done, done);
    }
}

static int free_place(void)
{
    int i = 1;
    while (puppets[i].pid)
        i++;
    assert_true(i < PUPPETS);
    puppets[i] = (struct puppet){.asked = 1};
    return i;
}

static struct puppet *start(void)
{
    struct puppet *puppet = &puppets[free_place()];
    pid_t parent = getpid(), pid = fork();
    if (pid == 0) {
        end_with(parent);
        prctl(PR_GET_TID_ADDRESS, &noise.thread_number);
        noise.core_number = (char *)__builtin_thread_pointer() + __rseq_offset;
        noise.self = puppet;
        live();
    }
    puppet->pid = pid;
    wait_for(puppet);
    return puppet;
}

static void ask(struct puppet *puppet)
{
    set(&puppet->asked, puppet->asked + 1);
    wait_for(puppet);
}

static void step(struct puppet *puppet, void (*what)(long), long argument)
{
    puppet->step = what;
    puppet->argument = argument;
    puppet->copy = 0;
    ask(puppet);
}

static struct puppet *copy(struct puppet *puppet)
{
    int place = free_place();
    puppet->copy = place;
    ask(puppet);
    wait_for(&puppets[place]);
    return &puppets[place];
}

static void end(struct puppet *puppet)
{
    kill(puppet->pid, SIGKILL);
    waitpid(puppet->pid, NULL, 0);
    puppet->pid = 0;
}

static int end_all(void **state)
{
    (void)state;
    for (int i = 1; i < PUPPETS; i++)
        if (puppets[i].pid)
            end(&puppets[i]);
    return 0;
}

/* ---- steps ---- */

static void set_byte(long where_and_what)
{
    area[where_and_what >> 8] = where_and_what;
}

static void take_chance(long unused)
{
    (void)unused;
    chance = syscall(SYS_getpid);
}

static void go_deep(long depth)
{
    volatile char frame[PAGE];
    memset((char *)frame, depth, sizeof frame);
    if (depth > 0)
        go_deep(depth - 1);
    frame[0] = 0;
}

static char *const elsewhere = (char *)0x200000000000;

static void map(long pages)
{
    char *got = mmap(elsewhere, pages * PAGE, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (got != elsewhere)
        abort();
}

/* As the C library does it for stacks of threads, since version 2.42; the page is the first of what was mapped. */
static void guard(long unused)
{
    (void)unused;
    enum { INSTALL = 102 }; /* MADV_GUARD_INSTALL of <sys/mman.h>, which may be older */
    madvise(elsewhere, PAGE, INSTALL);
}

static bool kernel_has_guards(void)
{
    void *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    bool has = madvise(page, PAGE, 102) == 0;
    munmap(page, PAGE);
    return has;
}

static void fill(long what)
{
    memset(elsewhere, what, 4 * PAGE);
}

static void fill_in_two(long what)
{
    fill(what);
    memset(elsewhere + 2 * PAGE, what + 1, 2 * PAGE);
}

static void unmap(long pages)
{
    munmap(elsewhere, pages * PAGE);
}

/* As sanitizers do. */
static void map_more_than_there_is(long unused)
{
    (void)unused;
    size_t size = (size_t)1 << 42;
    char *got = mmap(elsewhere, size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (got != elsewhere)
        abort();
    got[size / 2] = 1;
}

static void set_far_byte(long what)
{
    elsewhere[(size_t)1 << 41] = what;
}

/* Given back and got again: zeros, of which nothing is written. */
static void renew(long pages)
{
    volatile char sink;
    unmap(pages);
    map(pages);
    for (long i = 0; i < pages; i++)
        sink = elsewhere[i * PAGE];
    (void)sink;
}

static void give_back_and_read(long unused)
{
    volatile char sink;
    (void)unused;
    madvise(area, sizeof area, MADV_DONTNEED);
    for (long i = 0; i < PAGES; i++)
        sink = area[i * PAGE];
    (void)sink;
}

/* The second two of four pages take the place of the first two. */
static void move(long unused)
{
    (void)unused;
    if (mremap(elsewhere + 2 * PAGE, 2 * PAGE, 2 * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, elsewhere) != elsewhere)
        abort();
}

static void protect(long unused)
{
    (void)unused;
    mprotect(area, PAGE, PROT_READ);
}

static void share(long unused)
{
    (void)unused;
    mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

static void map_file(long unused)
{
    (void)unused;
    FILE *file = fopen("/proc/self/exe", "r");
    void *got = mmap(elsewhere, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED_NOREPLACE, fileno(file), 0);
    fclose(file);
    if (got != elsewhere)
        abort();
}

static void clear_file(long unused)
{
    (void)unused;
    memset(elsewhere, 0, PAGE);
}

/* As pthread_atfork tells the shim; the child stays. */
static void fork_away(long where_and_what)
{
    set_byte(where_and_what);
    noise.forks++;
    pid_t parent = getpid();
    if (fork() == 0) {
        end_with(parent);
        for (;;)
            pause();
    }
}

/* ---- looking ---- */

static struct map_key look(struct image *image, const struct puppet *puppet)
{
    struct map_key sum;
    assert_int_equal(image_look(image, puppet->pid, &puppet->sleep, false, &sum), 0);
    return sum;
}

static struct map_key look_afresh(const struct puppet *puppet)
{
    struct image *image = image_new();
    struct map_key sum = look(image, puppet);
    image_free(image);
    return sum;
}

static bool same(struct map_key a, struct map_key b)
{
    return a.high == b.high && a.low == b.low;
}

/* Whether someone who knows nothing sees the same.  He looks at a copy: pages that are read become its own. */
static bool is_right(struct map_key sum, struct puppet *puppet)
{
    struct puppet *model = copy(puppet);
    bool right = same(sum, look_afresh(model));
    end(model);
    return right;
}

static void writes_in_any_order(void **state)
{
    (void)state;
    struct puppet *a = start();
    struct puppet *b = copy(a);
    assert_true(same(look_afresh(a), look_afresh(b)));
    step(a, set_byte, 1 << 8 | 5);
    assert_false(same(look_afresh(a), look_afresh(b)));
    step(a, set_byte, 9000 << 8 | 6);
    step(b, set_byte, 9000 << 8 | 6);
    assert_false(same(look_afresh(a), look_afresh(b)));
    step(b, set_byte, 1 << 8 | 5);
    assert_true(same(look_afresh(a), look_afresh(b)));
    step(b, set_byte, 2 << 8 | 5);
    step(b, set_byte, 1 << 8);
    assert_false(same(look_afresh(a), look_afresh(b))); /* the same bytes at other places */
}

static void zeros_are_as_good_as_nothing(void **state)
{
    (void)state;
    struct puppet *a = start();
    struct map_key before = look_afresh(a);
    step(a, set_byte, 5 << 8 | 7);
    assert_false(same(look_afresh(a), before));
    step(a, set_byte, 5 << 8);
    assert_true(same(look_afresh(a), before));
}

static void dead_stack_does_not_count(void **state)
{
    (void)state;
    struct puppet *a = start();
    struct image *image = image_new();
    struct map_key before = look(image, a);
    step(a, go_deep, 20);
    assert_true(same(look(image, a), before));
    assert_true(same(look_afresh(a), before));
    image_free(image);
}

static void mappings_come_and_go(void **state)
{
    (void)state;
    struct puppet *a = start();
    struct image *image = image_new();
    struct map_key before = look(image, a), mapped;
    step(a, map, 4);
    mapped = look(image, a);
    assert_false(same(mapped, before)); /* it would not crash there any more */
    step(a, fill, 3);
    assert_false(same(look(image, a), mapped));
    step(a, fill, 0);
    assert_true(same(look(image, a), mapped));
    step(a, unmap, 4);
    assert_true(same(look(image, a), before));
    image_free(image);
}

static void guards_are_seen(void **state)
{
    (void)state;
    if (!kernel_has_guards())
        skip();
    struct puppet *a = start();
    struct image *image = image_new();
    struct own_pages own = {0};
    step(a, map, 4);
    step(a, fill, 3);
    struct map_key before = look(image, a), guarded;
    step(a, guard, 0);
    guarded = look(image, a);
    assert_false(same(guarded, before)); /* it would crash there now */
    assert_true(same(look(image, a), guarded));
    assert_int_equal(image_own_pages(a->pid, &own), 0);
    for (size_t i = 0; i < own.at.n; i++)
        assert_true(own.at.at[i] != (uintptr_t)elsewhere); /* what cannot be read is not kept for later */
    vec_release(&own.at);
    image_free(image);
}

static void emptiness_costs_nothing(void **state)
{
    (void)state;
    struct puppet *a = start();
    struct image *image = image_new();
    step(a, map_more_than_there_is, 0);
    struct map_key before = look(image, a);
    copy(a);
    step(a, set_far_byte, 2);
    assert_false(same(look(image, a), before));
    step(a, set_far_byte, 1);
    assert_true(same(look(image, a), before));
    image_free(image);
}

static void what_became_zero_is_seen(void **state)
{
    (void)state;
    struct puppet *a = start();
    struct map_key untouched = look_afresh(a);
    step(a, map, 4);
    struct map_key empty = look_afresh(a);
    step(a, fill, 3);
    struct image *image = image_new();
    look(image, a);
    copy(a); /* now no page is a's own */
    step(a, renew, 4);
    assert_true(same(look(image, a), empty));
    step(a, unmap, 4);
    step(a, set_byte, 3 << 8 | 3);
    look(image, a);
    copy(a);
    step(a, give_back_and_read, 0);
    assert_true(same(look(image, a), untouched));
    image_free(image);
}

static void what_was_moved_is_seen(void **state)
{
    (void)state;
    struct puppet *a = start();
    step(a, map, 4);
    step(a, fill_in_two, 3);
    struct image *image = image_new();
    look(image, a);
    copy(a);
    step(a, move, 0);
    assert_true(is_right(look(image, a), a));
    image_free(image);
}

static void forks_of_the_program_are_seen(void **state)
{
    (void)state;
    struct puppet *a = start();
    struct image *image = image_new();
    step(a, set_byte, 4 << 8 | 3);
    look(image, a);
    copy(a);
    step(a, fork_away, 4 << 8 | 4);
    assert_true(is_right(look(image, a), a));
    image_free(image);
}

static void a_written_page_of_a_file_counts(void **state)
{
    (void)state;
    struct puppet *a = start();
    step(a, map_file, 0);
    struct image *image = image_new();
    struct map_key before = look(image, a);
    step(a, clear_file, 0);
    assert_false(same(look(image, a), before));
    assert_true(is_right(look(image, a), a));
    image_free(image);
}

static void refused(struct image *image, const struct puppet *puppet)
{
    struct map_key sum;
    assert_int_equal(image_look(image, puppet->pid, &puppet->sleep, false, &sum), -1);
    image_free(image);
}

static void what_is_shared_has_no_image(void **state)
{
    (void)state;
    struct puppet *a = start();
    step(a, share, 0);
    refused(image_new(), a);
}

static void what_hides_has_no_image(void **state)
{
    (void)state;
    struct puppet *a = start();
    struct image *image = image_new();
    step(a, set_byte, 4 << 8 | 4);
    look(image, a);
    step(a, protect, 0);
    refused(image, a);
}

static void the_dead_have_no_image(void **state)
{
    (void)state;
    struct puppet *a = start(), gone = *a;
    end(a);
    refused(image_new(), &gone);
}

/* Nothing is left out that the program wrote, not even what it can have by chance only. */
static void what_differs_by_chance_counts(void **state)
{
    (void)state;
    struct puppet *a = start(), *b = copy(a);
    step(a, set_byte, 4 << 8 | 4);
    step(b, set_byte, 4 << 8 | 4);
    assert_true(same(look_afresh(a), look_afresh(b)));
    step(a, take_chance, 0);
    step(b, take_chance, 0);
    assert_false(same(look_afresh(a), look_afresh(b)));
}

/* With the first stack in order, what is below its pointer does not count; else it does, also if that changes. */
static void a_stack_out_of_order_counts_whole(void **state)
{
    (void)state;
    struct puppet *a = start();
    struct image *image = image_new();
    struct map_key in_order = look(image, a), whole, elsewhere;
    assert_int_equal(image_look(image, a->pid, &a->sleep, true, &whole), 0);
    assert_false(same(in_order, whole));
    struct wire_sleep sleep = a->sleep;
    sleep.first_stack = 0;
    assert_int_equal(image_look(image, a->pid, &sleep, false, &elsewhere), 0);
    assert_true(same(elsewhere, whole));
    assert_true(same(look(image, a), in_order));
    image_free(image);
}

/* Long lives of many copies: looking again agrees with looking afresh, and processes with what was written to them. */
static void looking_again_is_looking_afresh(void **state)
{
    (void)state;
    enum { LIVES = 12, STEPS = 400 };
    struct puppet *puppet[LIVES] = {start()};
    struct image *image[LIVES] = {image_new()};
    static char model[LIVES][sizeof area];
    struct map_key sum[LIVES] = {look(image[0], puppet[0])};
    int n = 1;
    srand(1);
    for (int i = 0; i < STEPS; i++) {
        int k = rand() % n;
        if (n < LIVES && rand() % 8 == 0) {
            puppet[n] = copy(puppet[k]);
            image[n] = image_copy(image[k]);
            memcpy(model[n], model[k], sizeof area);
            sum[n++] = sum[k];
        } else if (n > 1 && rand() % 16 == 0) {
            end(puppet[k]);
            image_free(image[k]);
            n--;
            puppet[k] = puppet[n], image[k] = image[n], sum[k] = sum[n];
            memcpy(model[k], model[n], sizeof area);
        } else {
            long at = rand() % 6 * (PAGE / 2), what = rand() % 2;
            step(puppet[k], set_byte, at << 8 | what);
            model[k][at] = what;
            sum[k] = look(image[k], puppet[k]);
            assert_true(is_right(sum[k], puppet[k]));
        }
        for (int j = 0; j < n; j++)
            assert_int_equal(same(sum[j], sum[0]), memcmp(model[j], model[0], sizeof area) == 0);
    }
    for (int j = 0; j < n; j++)
        image_free(image[j]);
}

static void both_ways_to_read_mappings_agree(void **state)
{
    (void)state;
    struct maps one = {0}, two = {0};
    struct puppet *a = start();
    assert_int_equal(maps_read(&one, a->pid), 0);
    assert_int_equal(maps_read_text(&two, a->pid), 0);
    assert_true(one.of.n > 3);
    assert_int_equal(one.of.n, two.of.n);
    for (size_t i = 0; i < one.of.n; i++) {
        assert_int_equal(one.of.at[i].start, two.of.at[i].start);
        assert_int_equal(one.of.at[i].end, two.of.at[i].end);
        assert_int_equal(one.of.at[i].file, two.of.at[i].file);
    }
    step(a, share, 0);
    assert_int_equal(maps_read(&one, a->pid), -1);
    assert_int_equal(maps_read_text(&two, a->pid), -1);
    maps_release(&one);
    maps_release(&two);
}

/* As ranks are started: the loader's notes on functions that are called for the first time are no news. */
static void bind_at_once(char **argv)
{
    if (!getenv("LD_BIND_NOW") && setenv("LD_BIND_NOW", "1", 1) == 0)
        execv("/proc/self/exe", argv);
}

/* Whether memory that lies side by side is one mapping or two is the kernel's affair; what it may be used for is not. */
static void split_mappings_are_as_one(void **state)
{
    struct map_key whole, split, hidden;
    (void)state;
    char *pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(pages, MAP_FAILED);
    assert_int_equal(maps_sum(getpid(), &whole), 0); /* what reading takes of the heap is there then */
    assert_int_equal(maps_sum(getpid(), &whole), 0);
    assert_int_equal(madvise(pages, PAGE, MADV_DONTFORK), 0);
    assert_int_equal(maps_sum(getpid(), &split), 0);
    assert_memory_equal(&whole, &split, sizeof whole);
    assert_int_equal(mprotect(pages, PAGE, PROT_READ), 0);
    assert_int_equal(maps_sum(getpid(), &hidden), 0);
    assert_memory_not_equal(&whole, &hidden, sizeof whole);
    munmap(pages, 2 * PAGE);
}

int main(int argc, char **argv)
{
    (void)argc;
    bind_at_once(argv);
    size_t size = PUPPETS * sizeof *puppets;
    int fd = memfd_create("tourney", MFD_CLOEXEC);
    if (fd < 0 || ftruncate(fd, size) < 0)
        return 1;
    puppets = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(writes_in_any_order, end_all),
        cmocka_unit_test_teardown(zeros_are_as_good_as_nothing, end_all),
        cmocka_unit_test_teardown(dead_stack_does_not_count, end_all),
        cmocka_unit_test_teardown(mappings_come_and_go, end_all),
        cmocka_unit_test_teardown(guards_are_seen, end_all),
        cmocka_unit_test_teardown(emptiness_costs_nothing, end_all),
        cmocka_unit_test_teardown(what_became_zero_is_seen, end_all),
        cmocka_unit_test_teardown(what_was_moved_is_seen, end_all),
        cmocka_unit_test_teardown(forks_of_the_program_are_seen, end_all),
        cmocka_unit_test_teardown(a_written_page_of_a_file_counts, end_all),
        cmocka_unit_test_teardown(what_is_shared_has_no_image, end_all),
        cmocka_unit_test_teardown(what_hides_has_no_image, end_all),
        cmocka_unit_test_teardown(the_dead_have_no_image, end_all),
        cmocka_unit_test_teardown(what_differs_by_chance_counts, end_all),
        cmocka_unit_test_teardown(a_stack_out_of_order_counts_whole, end_all),
        cmocka_unit_test_teardown(looking_again_is_looking_afresh, end_all),
        cmocka_unit_test_teardown(both_ways_to_read_mappings_agree, end_all),
        cmocka_unit_test(split_mappings_are_as_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
