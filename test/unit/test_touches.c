/* What a rank tells of its loads and stores in windows, as bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "drive/touches.h"

struct fixture {
    struct touches touches;
    local_touches_t read;
};

static bool read_one(struct fixture *f, struct window_touch touch)
{
    touch.count = touch.count ? touch.count : 1;
    vec_clear(&f->read);
    return touches_read(&f->touches, 1, 3, &touch, 1, &f->read);
}

static void end(struct fixture *f)
{
    vec_release(&f->read);
    touches_release(&f->touches);
}

static void length_is_that_of_the_instruction(void **state)
{
    (void)state;
    static const struct {
        uint8_t code[TOUCH_CODE];
        uint32_t flags;
        uint64_t bytes;
    } known[] = {
        {{0x89, 0x07}, TOUCH_STORES, 4},             /* mov %eax,(%rdi) */
        {{0x48, 0x8b, 0x07}, 0, 8},                  /* mov (%rdi),%rax */
        {{0x66, 0x89, 0x07}, TOUCH_STORES, 2},       /* mov %ax,(%rdi) */
        {{0xf3, 0x0f, 0x7f, 0x07}, TOUCH_STORES, 16}, /* movdqu %xmm0,(%rdi) */
        {{0xc5, 0xfe, 0x7f, 0x07}, TOUCH_STORES, 32}, /* vmovdqu %ymm0,(%rdi) */
        {{0xf2, 0x0f, 0x10, 0x07}, 0, 8},            /* movsd (%rdi),%xmm0 */
        {{0xff, 0x07}, TOUCH_STORES, 4},             /* incl (%rdi) */
    };
    struct fixture f = {0};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct window_touch touch = {.at = 40, .flags = known[i].flags};
        for (int k = 0; k < TOUCH_CODE; k++)
            touch.code[k] = known[i].code[k];
        assert_true(read_one(&f, touch));
        assert_int_equal(f.read.n, 1);
        assert_int_equal(f.read.at[0].before, 3);
        assert_int_equal(f.read.at[0].stores, known[i].flags == TOUCH_STORES);
        assert_int_equal(f.read.at[0].piece.at, 40);
        assert_int_equal(f.read.at[0].piece.bytes, known[i].bytes);
    }
    end(&f);
}

static void places_in_a_row_are_one_piece(void **state)
{
    (void)state;
    struct fixture f = {0};
    read_one(&f, (struct window_touch){.at = 80, .distance = -8, .count = 5, .bytes = 8});
    assert_int_equal(f.read.n, 1);
    assert_int_equal(f.read.at[0].piece.at, 48);
    assert_int_equal(f.read.at[0].piece.bytes, 40);
    read_one(&f, (struct window_touch){.at = 80, .distance = 16, .count = 3, .bytes = 8});
    assert_int_equal(f.read.n, 3);
    assert_int_equal(f.read.at[2].piece.at, 112);
    assert_int_equal(f.read.at[2].piece.bytes, 8);
    end(&f);
}

/* strlen and its like load vectors, of which they need a part. */
static void loads_that_search_count_if_they_are_short(void **state)
{
    (void)state;
    struct fixture f = {0};
    assert_true(read_one(&f, (struct window_touch){.bytes = 32, .flags = TOUCH_ABOUT}));
    assert_int_equal(f.read.n, 0);
    assert_true(read_one(&f, (struct window_touch){.bytes = 8, .flags = TOUCH_ABOUT}));
    assert_int_equal(f.read.n, 1);
    end(&f);
}

static void unseen_places_are_kept_once(void **state)
{
    (void)state;
    struct fixture f = {0};
    for (int i = 0; i < 3; i++)
        assert_false(read_one(&f, (struct window_touch){.slot = 2, .flags = TOUCH_UNSEEN, .place = 77}));
    assert_int_equal(f.read.n, 0);
    assert_int_equal(f.touches.unseen.n, 1);
    assert_int_equal(f.touches.unseen.at[0].place, 77);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(length_is_that_of_the_instruction),
        cmocka_unit_test(places_in_a_row_are_one_piece),
        cmocka_unit_test(loads_that_search_count_if_they_are_short),
        cmocka_unit_test(unseen_places_are_kept_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
