/*
 * Keepers of windows by themselves: what they wait for, do, and answer.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "call/arithmetic.h"
#include "call/file_store.h"
#include "call/operators.h"
#include "window/content.h"
#include "window/keeper.h"
#include "window/pieces.h"

/* ---- sets of bytes ---- */

static void expect_pieces(const struct pieces *pieces, size_t n, const uint64_t (*want)[2])
{
    assert_int_equal(pieces->piece.n, n);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(pieces->piece.at[i].at, want[i][0]);
        assert_int_equal(pieces->piece.at[i].bytes, want[i][1]);
    }
}

static void pieces_join_and_part(void **unused)
{
    struct pieces pieces = {0};
    (void)unused;
    pieces_add(&pieces, 10, 5);
    pieces_add(&pieces, 30, 5);
    pieces_add(&pieces, 15, 2); /* touches the first */
    expect_pieces(&pieces, 2, (const uint64_t[][2]){{10, 7}, {30, 5}});
    pieces_add(&pieces, 16, 20);
    expect_pieces(&pieces, 1, (const uint64_t[][2]){{10, 26}});
    pieces_remove(&pieces, 12, 3);
    expect_pieces(&pieces, 2, (const uint64_t[][2]){{10, 2}, {15, 21}});
    pieces_remove(&pieces, 0, 100);
    expect_pieces(&pieces, 0, NULL);
    vec_release(&pieces.piece);
}

/* Against one flag for each byte. */
static void pieces_are_a_set(void **unused)
{
    struct pieces pieces = {0};
    char flag[64] = {0};
    uint32_t random = 1;
    (void)unused;
    for (int i = 0; i < 20000; i++) {
        random = random * 1664525 + 1013904223;
        uint64_t at = random >> 8 & 31, bytes = random >> 16 & 15;
        bool add = random >> 30 & 1;
        (add ? pieces_add : pieces_remove)(&pieces, at, bytes);
        memset(flag + at, add, bytes);
        size_t k = 0;
        for (uint64_t b = 0; b < 64; b++) {
            if (!flag[b] || (b && flag[b - 1]))
                continue;
            uint64_t end = b;
            while (end < 64 && flag[end])
                end++;
            assert_true(k < pieces.piece.n);
            assert_int_equal(pieces.piece.at[k].at, b);
            assert_int_equal(pieces.piece.at[k++].bytes, end - b);
        }
        assert_int_equal(k, pieces.piece.n);
    }
    vec_release(&pieces.piece);
}

/* ---- memory ---- */

static void copies_share_until_written(void **unused)
{
    char bytes[10000], read[10000];
    struct content one = {0}, two;
    struct map_key before = {0}, after = {0};
    (void)unused;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)i;
    content_attach(&one, 0, bytes, sizeof bytes);
    content_copy(&two, &one);
    content_stir(&one, &before);
    content_write(&two, 4090, "0123456789", 10);
    content_read(&two, 4088, read, 14);
    assert_memory_equal(read + 2, "0123456789", 10);
    assert_int_equal(read[0], bytes[4088]);
    content_read(&one, 0, read, sizeof read);
    assert_memory_equal(read, bytes, sizeof bytes);
    content_stir(&one, &after);
    assert_true(map_key_is_same(before, after));
    content_release(&one);
    content_release(&two);
}

static void attached_memory_has_gaps(void **unused)
{
    struct content content = {0};
    char read[4];
    (void)unused;
    content_attach(&content, 1000, "efgh", 4);
    content_attach(&content, 500, "abcd", 4);
    assert_true(content_has(&content, 500, 4));
    assert_true(content_has(&content, 1002, 2));
    assert_false(content_has(&content, 502, 3));
    assert_false(content_has(&content, 499, 1));
    content_read(&content, 1000, read, 4);
    assert_memory_equal(read, "efgh", 4);
    content_detach(&content, 500);
    assert_false(content_has(&content, 500, 1));
    assert_true(content_has(&content, 1000, 4));
    content_release(&content);
}

/* ---- numbers ---- */

#define COMBINED(type, sort, op, a, b, want)                                                                           \
    do {                                                                                                               \
        type there = (a), brought = (b);                                                                               \
        struct window_element element = {.number = (sort), .size = sizeof(type), .extent = sizeof(type)};              \
        assert_true(arithmetic_combine(OPERATOR_##op, element, &there, &brought, sizeof there));                       \
        assert_true(there == (want));                                                                                  \
    } while (0)

static void numbers_are_combined(void **unused)
{
    (void)unused;
    COMBINED(int, WINDOW_SIGNED, SUM, -3, 5, 2);
    COMBINED(int, WINDOW_SIGNED, MAX, -3, 5, 5);
    COMBINED(int, WINDOW_SIGNED, MIN, -3, 5, -3);
    COMBINED(unsigned, WINDOW_UNSIGNED, MIN, -3u, 5, 5);
    COMBINED(int8_t, WINDOW_SIGNED, PROD, -3, 5, -15);
    COMBINED(int64_t, WINDOW_SIGNED, SUM, INT64_MAX, 1, INT64_MIN);
    COMBINED(short, WINDOW_SIGNED, LAND, 2, 0, 0);
    COMBINED(short, WINDOW_SIGNED, LXOR, 2, 0, 1);
    COMBINED(int, WINDOW_SIGNED, BXOR, 6, 3, 5);
    COMBINED(int, WINDOW_SIGNED, REPLACE, 6, 3, 3);
    COMBINED(int, WINDOW_SIGNED, NO_OP, 6, 3, 6);
    COMBINED(double, WINDOW_FLOAT, SUM, 1.5, 2.25, 3.75);
    COMBINED(float, WINDOW_FLOAT, MAX, 1.5f, 2.25f, 2.25f);
    COMBINED(long double, WINDOW_FLOAT, PROD, 3.0L, 0.5L, 1.5L);
    COMBINED(double _Complex, WINDOW_COMPLEX, PROD, 2.0, 3.0, 6.0);
    struct window_element complex = {.number = WINDOW_COMPLEX, .size = 16, .extent = 16};
    double _Complex a = 1, b = 2;
    assert_false(arithmetic_combine(OPERATOR_MAX, complex, &a, &b, sizeof a)); /* they have no order */
}

static void pairs_go_by_value_then_index(void **unused)
{
    struct {
        double value;
        int index;
    } __attribute__((packed)) there = {1.5, 7}, less = {1.0, 9}, same = {1.5, 3};
    struct window_element pair = {.number = WINDOW_FLOAT, .size = 8, .index_at = 8, .index_size = 4, .extent = 12};
    (void)unused;
    assert_true(arithmetic_combine(OPERATOR_MAXLOC, pair, &there, &less, sizeof there));
    assert_int_equal(there.index, 7);
    assert_true(arithmetic_combine(OPERATOR_MAXLOC, pair, &there, &same, sizeof there));
    assert_int_equal(there.index, 3);
    assert_true(arithmetic_combine(OPERATOR_MINLOC, pair, &there, &less, sizeof there));
    assert_int_equal(there.index, 9);
}

/* ---- locks ---- */

static void take_lock(struct keeper *keeper, rank_t from, int tag, uint32_t kind)
{
    struct window_lock_message message = {.kind = kind};
    struct keeper_mail mail = {0};
    keeper_take(keeper, from, tag, &message, tag == WINDOW_EXCLUSIVE ? 0 : sizeof message, &mail);
    assert_int_equal(mail.letter.n, 0);
    keeper_mail_release(&mail);
}

static void expect_wait(const struct keeper *keeper, rank_t from, int tag)
{
    assert_int_equal(keeper_waits_for(keeper).from, from);
    assert_int_equal(keeper_waits_for(keeper).tag, tag);
}

static void lock_is_exclusive_or_shared(void **unused)
{
    struct keeper *keeper = keeper_new(KEEPER_OF_LOCK);
    struct map_key free_one = keeper_digest(keeper);
    (void)unused;
    expect_wait(keeper, RANK_ANY, TAG_ANY);
    take_lock(keeper, 2, WINDOW_EXCLUSIVE, 0);
    expect_wait(keeper, 2, WINDOW_GIVES_BACK);
    take_lock(keeper, 2, WINDOW_GIVES_BACK, WINDOW_RELEASE);
    assert_true(map_key_is_same(free_one, keeper_digest(keeper)));
    take_lock(keeper, 1, WINDOW_SHARED, WINDOW_LOCK_SHARED);
    expect_wait(keeper, RANK_ANY, WINDOW_SHARED);
    take_lock(keeper, 0, WINDOW_SHARED, WINDOW_LOCK_SHARED);
    struct keeper *other = keeper_copy(keeper);
    take_lock(keeper, 1, WINDOW_SHARED, WINDOW_RELEASE);
    assert_false(map_key_is_same(keeper_digest(other), keeper_digest(keeper)));
    expect_wait(keeper, RANK_ANY, WINDOW_SHARED);
    take_lock(keeper, 0, WINDOW_SHARED, WINDOW_RELEASE);
    expect_wait(keeper, RANK_ANY, TAG_ANY);
    keeper_free(keeper);
    keeper_free(other);
}

/* ---- the public copy ---- */

struct text {
    char at[512];
    size_t n;
};

static void add_to_text(struct text *text, const void *data, size_t bytes)
{
    memcpy(text->at + text->n, data, bytes);
    text->n += op_round(bytes);
}

static struct text message_text(uint16_t kind, uint16_t flags, uint32_t accesses, uint64_t bytes, uint64_t expected)
{
    struct text text = {{0}, 0};
    struct window_message head = {kind, flags, accesses, bytes, expected};
    add_to_text(&text, &head, sizeof head);
    return text;
}

static void add_access(struct text *text, uint16_t kind, uint16_t operator, uint64_t at, const void *data, uint64_t bytes,
                       uint64_t extent)
{
    struct window_access access = {.kind = kind, .operator= operator, .pieces = 1, .bytes = bytes, .extent = extent,
                                   .element = {.number = WINDOW_SIGNED, .size = 4, .extent = 4}};
    struct window_piece piece = {at, extent};
    add_to_text(text, &access, sizeof access);
    add_to_text(text, &piece, sizeof piece);
    if (bytes)
        add_to_text(text, data, bytes);
}

static struct keeper_mail send_text(struct keeper *keeper, rank_t from, int tag, const struct text *text)
{
    struct keeper_mail mail = {0};
    keeper_take(keeper, from, tag, text->at, text->n, &mail);
    return mail;
}

static void send_silently(struct keeper *keeper, rank_t from, int tag, struct text text)
{
    struct keeper_mail mail = send_text(keeper, from, tag, &text);
    assert_int_equal(mail.letter.n, 0);
    keeper_mail_release(&mail);
}

/* A window of four numbers at rank 0: 10, 20, 30, 40. */
static struct keeper *open_window(void)
{
    struct keeper *keeper = keeper_new(KEEPER_OF_MEMORY);
    struct text text = message_text(WINDOW_OPEN, 0, 0, 16, 0);
    add_to_text(&text, (int[]){10, 20, 30, 40}, 16);
    send_silently(keeper, 0, WINDOW_CALM, text);
    return keeper;
}

static void accesses_are_done_in_order(void **unused)
{
    struct keeper *keeper = open_window();
    struct text text = message_text(WINDOW_ACCESS, 0, 3, 0, 0);
    (void)unused;
    add_access(&text, WINDOW_PUT, 0, 4, (int[]){21}, 4, 4);
    add_access(&text, WINDOW_GET, 0, 0, NULL, 0, 8);
    add_access(&text, WINDOW_FETCH, OPERATOR_SUM, 8, (int[]){5}, 4, 4);
    struct keeper_mail mail = send_text(keeper, 1, WINDOW_ATOMIC, &text);
    assert_int_equal(mail.letter.n, 1);
    assert_int_equal(mail.letter.at[0].to, 1);
    assert_int_equal(mail.letter.at[0].tag, WINDOW_ATOMIC_ANSWER);
    assert_int_equal(mail.letter.at[0].bytes, 8 + 8 + 8);
    assert_memory_equal(mail.text.at + 8, ((int[]){10, 21, 30}), 12);
    keeper_mail_release(&mail);
    text = message_text(WINDOW_ACCESS, 0, 2, 0, 0);
    add_access(&text, WINDOW_SWAP, 0, 8, (int[]){35, 7}, 8, 4);
    add_access(&text, WINDOW_SWAP, 0, 8, (int[]){35, 8}, 8, 4);
    mail = send_text(keeper, 1, WINDOW_CALM, &text);
    assert_int_equal(mail.letter.at[0].tag, WINDOW_ANSWER);
    assert_int_equal(*(int *)(mail.text.at + 8), 35);
    assert_int_equal(*(int *)(mail.text.at + 16), 7);
    keeper_mail_release(&mail);
    keeper_free(keeper);
}

static void accesses_outside_are_faults(void **unused)
{
    struct keeper *keeper = open_window();
    struct text text = message_text(WINDOW_ACCESS, WINDOW_WANTS_ANSWER, 2, 0, 0);
    (void)unused;
    add_access(&text, WINDOW_PUT, 0, 0, (int[]){11}, 4, 4);
    add_access(&text, WINDOW_PUT, 0, 14, (int[]){1}, 4, 4);
    struct keeper_mail mail = send_text(keeper, 1, WINDOW_CALM, &text);
    assert_int_equal(((struct window_answer *)mail.text.at)->fault, 2);
    keeper_mail_release(&mail);
    keeper_free(keeper);
}

/* What others have changed comes once, when it is asked for, and what the owner has stored itself does not. */
static void exchanges_bring_news(void **unused)
{
    struct keeper *keeper = open_window();
    struct text text = message_text(WINDOW_ACCESS, 0, 1, 0, 0);
    (void)unused;
    add_access(&text, WINDOW_PUT, 0, 4, (int[]){21, 31}, 8, 8);
    send_silently(keeper, 1, WINDOW_CALM, text);
    text = message_text(WINDOW_EXCHANGE, WINDOW_WANTS_ANSWER, 1, 0, 0);
    add_access(&text, WINDOW_PUT, 0, 0, (int[]){11}, 4, 4);
    struct keeper_mail mail = send_text(keeper, 0, WINDOW_CALM, &text);
    assert_int_equal(mail.letter.n, 1);
    assert_int_equal(mail.letter.at[0].tag, WINDOW_NEWS);
    assert_int_equal(((struct window_answer *)mail.text.at)->pieces, 1);
    assert_int_equal(((struct window_piece *)(mail.text.at + 8))->at, 4);
    assert_memory_equal(mail.text.at + 24, ((int[]){21, 31}), 8);
    keeper_mail_release(&mail);
    text = message_text(WINDOW_EXCHANGE, WINDOW_WANTS_ANSWER, 0, 0, 0);
    mail = send_text(keeper, 0, WINDOW_CALM, &text);
    assert_int_equal(((struct window_answer *)mail.text.at)->pieces, 0);
    keeper_mail_release(&mail);
    text = message_text(WINDOW_EXCHANGE, WINDOW_WANTS_ANSWER, 0, 0, 0);
    mail = send_text(keeper, 2, WINDOW_CALM, &text); /* one that has nothing yet gets all */
    assert_int_equal(((struct window_piece *)(mail.text.at + 8))->bytes, 16);
    assert_memory_equal(mail.text.at + 24, ((int[]){11, 21, 31, 40}), 16);
    keeper_mail_release(&mail);
    keeper_free(keeper);
}

/* Memory that ranks have between them is changed by all of them, and the keeper sees that; who has changed it tells where. */
static void shown_memory_is_one(void **unused)
{
    struct keeper *keeper = keeper_new(KEEPER_OF_MEMORY);
    struct text text = message_text(WINDOW_OPEN, WINDOW_SHOWN, 0, 16, 0);
    struct window_piece piece = {4, 4};
    struct keeper_mail mail = {0};
    (void)unused;
    int *shown = (int *)(text.at + text.n);
    memcpy(shown, (int[]){10, 20, 30, 40}, 16);
    keeper_take(keeper, 0, WINDOW_CALM, text.at, text.n + 16, &mail);
    shown[1] = 21;
    uint64_t changes = keeper_changes(keeper);
    keeper_note_written(keeper, 1, &piece, 1);
    assert_true(keeper_changes(keeper) > changes);
    piece.at = 12;
    keeper_note_written(keeper, 0, &piece, 1); /* by the owner, who has it */
    struct text put = message_text(WINDOW_ACCESS, 0, 1, 0, 0);
    add_access(&put, WINDOW_PUT, 0, 0, (int[]){11}, 4, 4);
    send_silently(keeper, 1, WINDOW_CALM, put);
    assert_int_equal(shown[0], 11);
    put = message_text(WINDOW_EXCHANGE, WINDOW_WANTS_ANSWER, 0, 0, 0);
    mail = send_text(keeper, 0, WINDOW_CALM, &put);
    assert_int_equal(((struct window_answer *)mail.text.at)->pieces, 1);
    assert_int_equal(((struct window_piece *)(mail.text.at + 8))->bytes, 8);
    assert_memory_equal(mail.text.at + 24, ((int[]){11, 21}), 8);
    keeper_mail_release(&mail);
    keeper_free(keeper);
}

static void exchange_waits_for_counted_accesses(void **unused)
{
    struct keeper *keeper = open_window();
    struct text text = message_text(WINDOW_EXCHANGE, WINDOW_WANTS_ANSWER, 0, 0, 2);
    (void)unused;
    send_silently(keeper, 0, WINDOW_CALM, text);
    struct map_key before = keeper_digest(keeper);
    text = message_text(WINDOW_ACCESS, WINDOW_COUNTED, 1, 0, 0);
    add_access(&text, WINDOW_PUT, 0, 0, (int[]){11}, 4, 4);
    send_silently(keeper, 1, WINDOW_CALM, text);
    assert_false(map_key_is_same(before, keeper_digest(keeper)));
    struct keeper_mail mail = send_text(keeper, 2, WINDOW_CALM, &text);
    assert_int_equal(mail.letter.n, 1);
    assert_int_equal(mail.letter.at[0].to, 0);
    keeper_mail_release(&mail);
    keeper_free(keeper);
}

/* ---- the shared pointer of a file ---- */

static int64_t move_pointer(struct keeper *keeper, rank_t from, struct file_pointer_message wish)
{
    struct keeper_mail mail = {0};
    int64_t at;
    keeper_take(keeper, from, window_tag(WINDOW_POINTER, file_pointer_class(&wish)), &wish, sizeof wish, &mail);
    assert_int_equal(mail.letter.n, 1);
    assert_int_equal(mail.letter.at[0].to, from);
    assert_int_equal(mail.letter.at[0].tag, WINDOW_POINTER_ANSWER);
    assert_int_equal(mail.letter.at[0].bytes, sizeof at);
    memcpy(&at, mail.text.at + mail.letter.at[0].at, sizeof at);
    keeper_mail_release(&mail);
    return at;
}

static void pointer_moves_from_period_to_period(void **unused)
{
    struct keeper *keeper = keeper_new(false), *copy;
    struct file_pointer_message wish = {.file = 7, .start = 5, .by = 2};
    (void)unused;
    assert_int_equal(move_pointer(keeper, 1, wish), 5);
    assert_int_equal(move_pointer(keeper, 0, wish), 7);
    wish.by = 0;
    assert_int_equal(file_pointer_class(&wish), OPERATOR_NO_OP);
    uint64_t changes = keeper_changes(keeper);
    struct map_key before = keeper_digest(keeper);
    assert_int_equal(move_pointer(keeper, 0, wish), 9);
    assert_int_equal(keeper_changes(keeper), changes);
    struct map_key after = keeper_digest(keeper);
    assert_memory_equal(&after, &before, sizeof before);
    copy = keeper_copy(keeper);
    assert_int_equal(move_pointer(copy, 0, (struct file_pointer_message){.file = 7, .period = 1, .start = 100, .by = 1}), 100);
    assert_int_equal(move_pointer(copy, 0, (struct file_pointer_message){.file = 8, .period = 1, .start = 3, .by = 1}), 3);
    assert_int_equal(move_pointer(keeper, 1, wish), 9);
    keeper_free(copy);
    keeper_free(keeper);
}

/* ---- files ---- */

enum { FILE_ROOM = 1 << 16 };

static void tell_file(struct keeper *keeper, struct file_message head, struct window_piece piece, const char *bytes, struct keeper_mail *mail)
{
    char text[sizeof head + sizeof piece + FILE_ROOM];
    size_t data = head.kind == FILE_STORE ? piece.bytes : 0;
    head.file = 7;
    head.base = 5;
    head.pieces = head.kind == FILE_STORE || head.kind == FILE_FETCH;
    memcpy(text, &head, sizeof head);
    memcpy(text + sizeof head, &piece, sizeof piece);
    memcpy(text + sizeof head + sizeof piece, bytes, data);
    keeper_take(keeper, 1, WINDOW_FILE, text, sizeof head + head.pieces * sizeof piece + data, mail);
}

/* What is there of the file; a dot where nothing was written, which ends where the file does. */
static void expect_file(struct keeper *keeper, uint64_t at, const char *want, enum file_state state, uint64_t base)
{
    struct keeper_mail mail = {0};
    char found[64];
    tell_file(keeper, (struct file_message){.kind = FILE_FETCH}, (struct window_piece){at, 32}, "", &mail);
    assert_int_equal(mail.letter.n, 1);
    assert_int_equal(mail.letter.at[0].tag, WINDOW_FILE_ANSWER);
    const struct file_answer *answer = (const void *)mail.text.at;
    const struct window_piece *piece = (const void *)(answer + 1);
    const char *bytes = (const char *)(piece + answer->pieces);
    assert_int_equal(answer->state, state);
    assert_int_equal(answer->base, base);
    memset(found, 0, sizeof found);
    memset(found, '.', answer->size <= at ? 0 : answer->size - at < 32 ? answer->size - at : 32);
    for (uint32_t i = 0; i < answer->pieces; bytes += piece[i].bytes, i++)
        memcpy(found + piece[i].at, bytes, piece[i].bytes);
    assert_string_equal(found, want);
    keeper_mail_release(&mail);
}

static void files_are_as_they_were_written(void **unused)
{
    struct keeper *keeper = keeper_new(KEEPER_OF_MEMORY), *copy;
    struct keeper_mail mail = {0};
    (void)unused;
    expect_file(keeper, 0, "", FILE_UNKNOWN, 0);
    tell_file(keeper, (struct file_message){.kind = FILE_STORE}, (struct window_piece){2, 2}, "ab", &mail);
    expect_file(keeper, 0, "..ab.", FILE_IS_THERE, 5);
    copy = keeper_copy(keeper);
    tell_file(keeper, (struct file_message){.kind = FILE_STORE}, (struct window_piece){3, 4}, "wxyz", &mail);
    expect_file(keeper, 0, "..awxyz", FILE_IS_THERE, 5);
    expect_file(copy, 0, "..ab.", FILE_IS_THERE, 5);
    tell_file(keeper, (struct file_message){.kind = FILE_RESIZE, .bytes = 4}, (struct window_piece){0}, "", &mail);
    tell_file(keeper, (struct file_message){.kind = FILE_RESIZE, .bytes = 6}, (struct window_piece){0}, "", &mail);
    expect_file(keeper, 0, "..aw..", FILE_IS_THERE, 4); /* what was cut off does not come back */
    tell_file(keeper, (struct file_message){.kind = FILE_DELETE}, (struct window_piece){0}, "", &mail);
    expect_file(keeper, 0, "", FILE_IS_DELETED, 0);
    tell_file(keeper, (struct file_message){.kind = FILE_MAKE}, (struct window_piece){0}, "", &mail);
    expect_file(keeper, 0, "", FILE_IS_THERE, 0);
    tell_file(keeper, (struct file_message){.kind = FILE_FORGET}, (struct window_piece){0}, "", &mail);
    expect_file(keeper, 0, "", FILE_UNKNOWN, 0);
    assert_int_equal(mail.letter.n, 0); /* only who asks is answered */
    keeper_mail_release(&mail);
    keeper_free(copy);
    keeper_free(keeper);
}

/* Over the ends of chunks, whose sizes nobody outside knows. */
static void files_are_long(void **unused)
{
    struct keeper *keeper = keeper_new(KEEPER_OF_MEMORY), *other = keeper_new(KEEPER_OF_MEMORY);
    struct keeper_mail mail = {0};
    char *bytes = xmalloc(FILE_ROOM);
    (void)unused;
    for (size_t i = 0; i < FILE_ROOM; i++)
        bytes[i] = (char)('a' + i % 23);
    tell_file(keeper, (struct file_message){.kind = FILE_STORE}, (struct window_piece){16380, 40000}, bytes, &mail);
    expect_file(keeper, 16380 + 39998, "bc", FILE_IS_THERE, 5);
    expect_file(keeper, 16370, "..........abcdefghijklmnopqrstuv", FILE_IS_THERE, 5);
    tell_file(other, (struct file_message){.kind = FILE_STORE}, (struct window_piece){20000, 36380}, bytes + 3620, &mail);
    tell_file(other, (struct file_message){.kind = FILE_STORE}, (struct window_piece){16380, 3620}, bytes, &mail);
    struct map_key one = keeper_digest(keeper), another = keeper_digest(other);
    assert_memory_equal(&one, &another, sizeof one); /* whatever came first */
    free(bytes);
    keeper_mail_release(&mail);
    keeper_free(keeper);
    keeper_free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_join_and_part),
        cmocka_unit_test(pieces_are_a_set),
        cmocka_unit_test(copies_share_until_written),
        cmocka_unit_test(attached_memory_has_gaps),
        cmocka_unit_test(numbers_are_combined),
        cmocka_unit_test(pairs_go_by_value_then_index),
        cmocka_unit_test(lock_is_exclusive_or_shared),
        cmocka_unit_test(accesses_are_done_in_order),
        cmocka_unit_test(accesses_outside_are_faults),
        cmocka_unit_test(exchanges_bring_news),
        cmocka_unit_test(shown_memory_is_one),
        cmocka_unit_test(exchange_waits_for_counted_accesses),
        cmocka_unit_test(pointer_moves_from_period_to_period),
        cmocka_unit_test(files_are_as_they_were_written),
        cmocka_unit_test(files_are_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
