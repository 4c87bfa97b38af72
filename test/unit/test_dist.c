/* What ranks of a job tell, also if it is damaged, and whether a job is stuck. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/words.h"
#include "dist/deadlock.h"
#include "dist/talk.h"
#include "../told.h"

static void put_op(file_t *file, struct op op, const void *tail, size_t bytes)
{
    struct causal_op *record = put(file, CAUSAL_OP, sizeof *record + bytes);
    record->op = op;
    record->op.size = (uint32_t)op_round(sizeof op + bytes);
    if (bytes)
        memcpy(record + 1, tail, bytes);
}

static void put_done(file_t *file, uint64_t op, uint64_t by, rank_t source, uint64_t sender_op)
{
    struct causal_done *done = put(file, CAUSAL_DONE, sizeof *done);
    done->op = op;
    done->by = by;
    done->source = source;
    done->flags = source >= 0 ? CAUSAL_HAS_SENDER : 0;
    done->sender_op = sender_op;
}

/* A file with the world as its first operation. */
static file_t begin(rank_t rank, int ranks)
{
    file_t file = {0};
    struct {
        struct op_group group;
        rank_t member[4];
    } world = {.group = {.members = (uint32_t)ranks, .first_group = (uint32_t)ranks}};
    vec_reserve(&file, CAUSAL_RECORDS);
    memset(file.at, 0, CAUSAL_RECORDS);
    file.n = CAUSAL_RECORDS;
    struct causal_head *head = (struct causal_head *)file.at;
    memcpy(head->magic, CAUSAL_MAGIC, sizeof head->magic);
    head->version = CAUSAL_VERSION;
    head->rank = rank;
    head->size = ranks;
    head->now.forced = RANK_ANY;
    for (rank_t r = 0; r < ranks; r++)
        world.group.member[r] = r;
    put_op(&file, (struct op){.kind = OP_CONTEXT, .context = 1}, &world, sizeof world.group + (size_t)ranks * sizeof(rank_t));
    return file;
}

static struct tale end(file_t *file, enum causal_state state)
{
    struct causal_head *head = (struct causal_head *)file->at;
    struct modules modules = {0};
    struct tale tale;
    atomic_store(&head->bytes, file->n - CAUSAL_RECORDS);
    head->now.state = state;
    assert_int_equal(tale_read(&tale, file->at, file->n, 4, (struct tale_end){0}, &modules), TALE_IS_GOOD);
    modules_release(&modules);
    vec_release(file);
    return tale;
}

static const struct op recv_any = {.kind = OP_RECV, .flags = OPF_BLOCKING, .peer = RANK_ANY, .context = 1, .request = 1};

static struct op message(rank_t to)
{
    return (struct op){.kind = OP_SEND, .flags = OPF_BLOCKING, .peer = to, .context = 1, .request = 1};
}

static void release(struct tale *tales, int n)
{
    for (int i = 0; i < n; i++)
        tale_release(&tales[i]);
}

static void a_tale_is_cut_into_segments(void **state)
{
    file_t file = begin(0, 2);
    (void)state;
    put_op(&file, recv_any, NULL, 0);
    put_done(&file, 1, 1, 1, 7);
    put_op(&file, message(1), NULL, 0);
    struct tale tale = end(&file, CAUSAL_BLOCKED);
    assert_int_equal(tale.segment.n, 2);
    assert_true(tale.op.at[1].answered);
    assert_false(tale.op.at[2].answered);
    assert_int_equal(tale.item.at[tale.op.at[1].first_item].sender_op, 7);
    assert_int_equal(tale_segment_of(&tale, 2), 1);
    tale_release(&tale);
}

static void what_is_damaged_can_be_read(void **state)
{
    struct modules modules = {0};
    struct tale tale;
    (void)state;
    for (size_t cut = 0; cut < 400; cut++) {
        file_t file = begin(0, 2);
        put_op(&file, recv_any, NULL, 0);
        put_done(&file, 1, 1, 1, 7);
        put_op(&file, message(1), NULL, 0);
        struct causal_head *head = (struct causal_head *)file.at;
        atomic_store(&head->bytes, file.n - CAUSAL_RECORDS);
        uint64_t whole = file.n;
        file.at[CAUSAL_RECORDS + cut % (file.n - CAUSAL_RECORDS)] ^= (char)(1 + cut);
        if (tale_read(&tale, file.at, whole - cut % 64, 2, (struct tale_end){0}, &modules) == TALE_IS_GOOD)
            tale_release(&tale);
        vec_release(&file);
    }
    char none[CAUSAL_RECORDS] = "no such file";
    assert_int_equal(tale_read(&tale, none, sizeof none, 2, (struct tale_end){0}, &modules), TALE_IS_DAMAGED);
    modules_release(&modules);
}

static enum tale_fault fault_of(file_t *file)
{
    struct causal_head *head = (struct causal_head *)file->at;
    struct modules modules = {0};
    struct tale tale;
    atomic_store(&head->bytes, file->n - CAUSAL_RECORDS);
    enum tale_fault fault = tale_read(&tale, file->at, file->n, 2, (struct tale_end){0}, &modules);
    if (!fault)
        tale_release(&tale);
    vec_release(file);
    return fault;
}

static void what_is_damaged_is_told(void **state)
{
    (void)state;
    file_t file = begin(0, 2);
    put_op(&file, (struct op){.kind = OP_WAIT, .items = 1000}, NULL, 0);
    assert_int_equal(fault_of(&file), TALE_IS_DAMAGED);
    file = begin(0, 2);
    put_op(&file, (struct op){.kind = OP_WAIT, .items = 1000, .payload = 8}, NULL, 0);
    assert_int_equal(fault_of(&file), TALE_IS_DAMAGED);
    file = begin(0, 2);
    put_op(&file, recv_any, NULL, 0);
    put_op(&file, recv_any, NULL, 0);
    put_done(&file, 1, 1, 1, 7);
    put_done(&file, 2, 2, 1, 7);
    put_done(&file, 1, 1, 1, 7); /* of one call, but not together */
    assert_int_equal(fault_of(&file), TALE_IS_DAMAGED);
    file = begin(0, 2);
    ((struct causal_unsupported *)put(&file, CAUSAL_UNSUPPORTED, sizeof(struct causal_unsupported)))->call = 1 << 20;
    assert_int_equal(fault_of(&file), TALE_IS_DAMAGED);
    file = begin(2, 3);
    assert_int_equal(fault_of(&file), TALE_IS_OF_MORE);
    file = begin(2, 2);
    assert_int_equal(fault_of(&file), TALE_IS_DAMAGED);
    file = begin(1, 2);
    memset(file.at, 0, sizeof(struct causal_head));
    assert_int_equal(fault_of(&file), TALE_IS_NONE);
}

static void all_that_wait_for_nobody_are_stuck(void **state)
{
    struct tale tales[2];
    (void)state;
    for (rank_t r = 0; r < 2; r++) {
        file_t file = begin(r, 2);
        put_op(&file, recv_any, NULL, 0);
        tales[r] = end(&file, CAUSAL_BLOCKED);
    }
    assert_int_equal(deadlock_verdict(tales, 2), IS_STUCK);
    release(tales, 2);
}

static void a_message_on_its_way_moves(void **state)
{
    struct tale tales[2];
    (void)state;
    file_t file = begin(0, 2);
    put_op(&file, message(1), NULL, 0);
    put_done(&file, 1, 1, RANK_NONE, 0);
    put_op(&file, recv_any, NULL, 0);
    tales[0] = end(&file, CAUSAL_BLOCKED);
    file = begin(1, 2);
    put_op(&file, recv_any, NULL, 0);
    tales[1] = end(&file, CAUSAL_BLOCKED);
    assert_int_equal(deadlock_verdict(tales, 2), MOVES);
    release(tales, 2);
}

/* A receive from anybody is pending, one from `named` waits, and each of the others has sent a message that fits both. */
static void look_at_pending(int ranks, rank_t named)
{
    enum { MOST = 4 };
    struct tale tales[MOST];
    struct op pending = recv_any, waits = recv_any;
    pending.flags = 0;
    waits.peer = named;
    waits.request = 2;
    file_t file = begin(0, ranks);
    put_op(&file, pending, NULL, 0);
    put_op(&file, waits, NULL, 0);
    tales[0] = end(&file, CAUSAL_BLOCKED);
    for (rank_t r = 1; r < ranks; r++) {
        file = begin(r, ranks);
        put_op(&file, message(0), NULL, 0);
        put_done(&file, 1, 1, RANK_NONE, 0);
        put_op(&file, (struct op){.kind = OP_FINALIZE, .flags = OPF_WENT_ON}, NULL, 0);
        tales[r] = end(&file, CAUSAL_FINALIZED);
    }
    assert_int_equal(deadlock_verdict(tales, ranks), MAY_BE_STUCK);
    release(tales, ranks);
}

/* Which message the pending receive has taken, the library knows: the other one is for the call that waits, or none is. */
static void what_the_library_has_matched_may_matter(void **state)
{
    (void)state;
    look_at_pending(3, 2);
}

static void each_of_several_is_thought_of(void **state)
{
    (void)state;
    look_at_pending(4, 1);
}

/* Rank 0 polls for messages with tags 1 and 2 in turn; one with this tag was sent. */
static enum job_verdict look_at_turns(int32_t tag)
{
    struct tale tales[2];
    file_t file = begin(0, 2);
    for (int32_t i = 1; i <= 2; i++) {
        put_op(&file, (struct op){.kind = OP_IPROBE, .peer = 1, .tag = i, .context = 1}, NULL, 0);
        struct causal_choice *choice = put(&file, CAUSAL_CHOICE, sizeof *choice);
        choice->op = (uint64_t)i;
        choice->kind = CHOICE_NO;
        choice->polls = 1;
    }
    struct causal_now *now = &((struct causal_head *)file.at)->now;
    now->op = now->round = 2;
    tales[0] = end(&file, CAUSAL_POLLING);
    file = begin(1, 2);
    struct op sent = message(0);
    sent.tag = tag;
    put_op(&file, sent, NULL, 0);
    put_done(&file, 1, 1, RANK_NONE, 0);
    put_op(&file, (struct op){.kind = OP_FINALIZE, .flags = OPF_WENT_ON}, NULL, 0);
    tales[1] = end(&file, CAUSAL_FINALIZED);
    enum job_verdict stuck = deadlock_verdict(tales, 2);
    release(tales, 2);
    return stuck;
}

static void one_poll_of_a_round_is_enough(void **state)
{
    (void)state;
    assert_int_equal(look_at_turns(1), MOVES);
    assert_int_equal(look_at_turns(2), MOVES);
    assert_int_equal(look_at_turns(3), IS_STUCK);
}

static void frames_come_whole(void **state)
{
    int fd[2];
    talk_buffer buffer = {0};
    bool broken;
    uint64_t number = 42;
    (void)state;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
    assert_int_equal(talk_send(fd[0], TALK_LOOK, &number, sizeof number, "abc", 3), 0);
    assert_int_equal(talk_fill(fd[1], &buffer, TALK_MOST), 0);
    size_t all = buffer.n;
    for (buffer.n = 0; buffer.n < all; buffer.n++)
        assert_null(talk_first(&buffer, TALK_MOST, &broken));
    const struct talk_frame *frame = talk_first(&buffer, TALK_MOST, &broken);
    assert_int_equal(frame->kind, TALK_LOOK);
    assert_int_equal(frame->bytes, sizeof number + 3);
    talk_drop(&buffer);
    assert_int_equal(buffer.n, 0);
    close(fd[0]);
    assert_int_equal(talk_fill(fd[1], &buffer, TALK_MOST), -1);
    close(fd[1]);
    vec_release(&buffer);
}

/* Whoever may say little cannot make the other end keep much, by what is announced or by what is said. */
static void a_stranger_says_little(void **state)
{
    enum { LITTLE = 16 };
    int fd[2];
    talk_buffer buffer = {0};
    bool broken;
    char much[10000] = {0};
    (void)state;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
    assert_int_equal(talk_send(fd[0], TALK_HELLO, much, LITTLE, NULL, 0), 0);
    assert_int_equal(talk_send(fd[0], TALK_FILE, much, sizeof much, NULL, 0), 0);
    assert_int_equal(talk_fill(fd[1], &buffer, LITTLE), 0);
    assert_true(buffer.n <= sizeof(struct talk_frame) + LITTLE);
    assert_non_null(talk_first(&buffer, LITTLE, &broken));
    talk_drop(&buffer);
    assert_int_equal(talk_fill(fd[1], &buffer, LITTLE), 0);
    assert_null(talk_first(&buffer, LITTLE, &broken));
    assert_true(broken);
    assert_true(buffer.cap < sizeof much);
    close(fd[0]);
    close(fd[1]);
    vec_release(&buffer);
}

static void a_line_is_split_as_by_a_shell(void **state)
{
    char *first[] = {"env", NULL}, **words = words_split("srun  --x='a b' \"c\\\"d\"", first);
    (void)state;
    assert_string_equal(words[0], "env");
    assert_string_equal(words[1], "srun");
    assert_string_equal(words[2], "--x=a b");
    assert_string_equal(words[3], "c\"d");
    assert_null(words[4]);
    words_free(words);
    assert_null(words_split("srun 'x", NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tale_is_cut_into_segments),
        cmocka_unit_test(what_is_damaged_can_be_read),
        cmocka_unit_test(what_is_damaged_is_told),
        cmocka_unit_test(all_that_wait_for_nobody_are_stuck),
        cmocka_unit_test(a_message_on_its_way_moves),
        cmocka_unit_test(what_the_library_has_matched_may_matter),
        cmocka_unit_test(each_of_several_is_thought_of),
        cmocka_unit_test(one_poll_of_a_round_is_enough),
        cmocka_unit_test(frames_come_whole),
        cmocka_unit_test(a_stranger_says_little),
        cmocka_unit_test(a_line_is_split_as_by_a_shell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
