#include "window/public_copy.h"

#include <string.h>

#include "base/die.h"
#include "base/hash.h"
#include "call/operators.h"
#include "call/arithmetic.h"

static void reader_release(struct window_reader *reader)
{
    vec_release(&reader->news.piece);
}

void public_copy_copy(struct public_copy *to, const struct public_copy *from)
{
    content_copy(&to->content, &from->content);
    to->counted = from->counted;
    to->changes = from->changes;
    vec_copy(&to->reader, &from->reader);
    for (size_t i = 0; i < to->reader.n; i++)
        vec_copy(&to->reader.at[i].news.piece, &from->reader.at[i].news.piece);
}

void public_copy_release(struct public_copy *copy)
{
    content_release(&copy->content);
    vec_release_each(&copy->reader, reader_release);
}

void public_copy_stir(const struct public_copy *copy, struct map_key *sum)
{
    content_stir(&copy->content, sum);
    hash_stir(sum, copy->counted);
    for (size_t i = 0; i < copy->reader.n; i++) {
        const struct window_reader *reader = &copy->reader.at[i];
        hash_stir(sum, (uint64_t)reader->rank << 1 | reader->asks);
        hash_stir(sum, reader->asks ? reader->expected : 0);
        hash_stir(sum, reader->news.piece.n);
        for (size_t k = 0; k < reader->news.piece.n; k++) {
            hash_stir(sum, reader->news.piece.at[k].at);
            hash_stir(sum, reader->news.piece.at[k].bytes);
        }
    }
}

/* ---- the message, as it is read ---- */

struct scan {
    const char *at;
    size_t left;
    rank_t from;
    int answer; /* the tag of an answer to it */
};

static const void *next_bytes(struct scan *scan, size_t bytes)
{
    const char *at = scan->at;
    if (bytes > scan->left)
        BUG("a message from rank %d to a window is too short", scan->from);
    scan->at += bytes;
    scan->left -= bytes;
    return at;
}

/* Data are filled up, save at the end. */
static const void *next_data(struct scan *scan, size_t bytes)
{
    const void *data = next_bytes(scan, bytes);
    size_t rest = op_round(bytes) - bytes;
    next_bytes(scan, rest < scan->left ? rest : scan->left);
    return data;
}

/* ---- letters ---- */

/* Every byte of it is to be written. */
static void *letter_room(struct keeper_mail *mail, size_t bytes)
{
    vec_reserve(&mail->text, bytes + 1);
    void *room = mail->text.at + mail->text.n;
    mail->text.n += bytes;
    return room;
}

/* It is zero. */
static void *write_room(struct keeper_mail *mail, size_t bytes)
{
    return memset(letter_room(mail, bytes), 0, bytes);
}

static size_t begin_letter(struct keeper_mail *mail, rank_t to, int tag)
{
    vec_push(&mail->letter, (struct keeper_letter){.to = to, .tag = tag, .at = mail->text.n});
    write_room(mail, sizeof(struct window_answer));
    return vec_last(&mail->letter).at;
}

static struct window_answer *letter_head(struct keeper_mail *mail, size_t letter)
{
    return (struct window_answer *)(mail->text.at + letter);
}

/* The next letter begins where numbers may lie. */
static void end_letter(struct keeper_mail *mail)
{
    struct keeper_letter *letter = &vec_last(&mail->letter);
    letter->bytes = mail->text.n - letter->at;
    write_room(mail, op_round(mail->text.n) - mail->text.n);
}

/* ---- private copies ---- */

static struct window_reader *reader_of(struct public_copy *copy, rank_t rank)
{
    for (size_t i = 0; i < copy->reader.n; i++)
        if (copy->reader.at[i].rank == rank)
            return &copy->reader.at[i];
    return NULL;
}

/* What it has not seen yet, of one who asks for the first time, is everything. */
static struct window_reader *add_reader(struct public_copy *copy, rank_t rank, bool knows_all)
{
    vec_push(&copy->reader, (struct window_reader){.rank = rank});
    size_t i = copy->reader.n - 1;
    for (; i > 0 && copy->reader.at[i - 1].rank > rank; i--) {
        copy->reader.at[i] = copy->reader.at[i - 1];
        copy->reader.at[i - 1] = (struct window_reader){.rank = rank};
    }
    for (size_t k = 0; k < copy->content.region.n && !knows_all; k++)
        pieces_add(&copy->reader.at[i].news, copy->content.region.at[k].at, copy->content.region.at[k].bytes);
    return &copy->reader.at[i];
}

/* `by`: who has it in its private copy; RANK_NONE: nobody. */
static void spread_news(struct public_copy *copy, uint64_t at, uint64_t bytes, rank_t by)
{
    for (size_t i = 0; i < copy->reader.n; i++)
        if (copy->reader.at[i].rank == by)
            pieces_remove(&copy->reader.at[i].news, at, bytes);
        else
            pieces_add(&copy->reader.at[i].news, at, bytes);
}

static void answer_reader(struct public_copy *copy, struct window_reader *reader, struct keeper_mail *mail)
{
    size_t letter = begin_letter(mail, reader->rank, WINDOW_NEWS), n = reader->news.piece.n;
    letter_head(mail, letter)->pieces = (uint32_t)n;
    memcpy(letter_room(mail, n * sizeof *reader->news.piece.at), reader->news.piece.at, n * sizeof *reader->news.piece.at);
    for (size_t i = 0; i < n; i++) {
        const struct window_piece *piece = &reader->news.piece.at[i];
        content_read(&copy->content, piece->at, letter_room(mail, piece->bytes), piece->bytes);
    }
    end_letter(mail);
    vec_clear(&reader->news.piece);
    reader->asks = false;
}

static void answer_readers(struct public_copy *copy, struct keeper_mail *mail)
{
    for (size_t i = 0; i < copy->reader.n; i++)
        if (copy->reader.at[i].asks && copy->reader.at[i].expected <= copy->counted)
            answer_reader(copy, &copy->reader.at[i], mail);
}

/* ---- accesses ---- */

struct access_parts {
    struct window_access access;
    const struct window_piece *piece;
    const char *data;
};

static struct access_parts next_access(struct scan *scan)
{
    struct access_parts parts;
    memcpy(&parts.access, next_bytes(scan, sizeof parts.access), sizeof parts.access);
    parts.piece = next_bytes(scan, parts.access.pieces * sizeof *parts.piece);
    parts.data = next_data(scan, parts.access.bytes);
    return parts;
}

static bool is_in_window(const struct public_copy *copy, const struct access_parts *parts)
{
    for (uint32_t i = 0; i < parts->access.pieces; i++)
        if (parts->piece[i].bytes && !content_has(&copy->content, parts->piece[i].at, parts->piece[i].bytes))
            return false;
    return true;
}

static void read_pieces(const struct public_copy *copy, const struct access_parts *parts, char *to)
{
    for (uint32_t i = 0; i < parts->access.pieces; to += parts->piece[i++].bytes)
        if (parts->piece[i].bytes)
            content_read(&copy->content, parts->piece[i].at, to, parts->piece[i].bytes);
}

static void write_pieces(struct public_copy *copy, const struct access_parts *parts, const char *from, rank_t by)
{
    for (uint32_t i = 0; i < parts->access.pieces; from += parts->piece[i++].bytes) {
        if (!parts->piece[i].bytes)
            continue;
        copy->changes += !content_is(&copy->content, parts->piece[i].at, from, parts->piece[i].bytes);
        content_write(&copy->content, parts->piece[i].at, from, parts->piece[i].bytes);
        spread_news(copy, parts->piece[i].at, parts->piece[i].bytes, by);
    }
}

static bool has_result(const struct access_parts *parts)
{
    return parts->access.kind != WINDOW_PUT && parts->access.kind != WINDOW_ACCUMULATE;
}

static void do_access(struct public_copy *copy, const struct access_parts *parts, struct keeper_mail *mail)
{
    uint64_t bytes = parts->access.extent;
    if (parts->access.kind == WINDOW_PUT) {
        write_pieces(copy, parts, parts->data, RANK_NONE);
        return;
    }
    if (parts->access.kind != WINDOW_GET && !arithmetic_is_whole(&parts->access))
        BUG("an atomic access to %llu bytes brings %llu", (unsigned long long)bytes, (unsigned long long)parts->access.bytes);
    char *there = xmalloc(bytes);
    read_pieces(copy, parts, there);
    if (has_result(parts))
        memcpy(write_room(mail, op_round(bytes)), there, bytes);
    if (parts->access.kind != WINDOW_GET && arithmetic_apply(&parts->access, there, parts->data))
        write_pieces(copy, parts, there, RANK_NONE);
    free(there);
}

/* Whether it is to be answered; the scan stays where it is. */
static bool wants_answer(const struct window_message *message, struct scan scan)
{
    bool wants = message->flags & WINDOW_WANTS_ANSWER;
    for (uint32_t i = 0; i < message->accesses && !wants; i++) {
        struct access_parts parts = next_access(&scan);
        wants = has_result(&parts);
    }
    return wants;
}

static void take_accesses(struct public_copy *copy, const struct window_message *message, struct scan *scan,
                          struct keeper_mail *mail)
{
    bool answers = wants_answer(message, *scan);
    size_t letter = answers ? begin_letter(mail, scan->from, scan->answer) : 0;
    for (uint32_t i = 0; i < message->accesses; i++) {
        struct access_parts parts = next_access(scan);
        if (is_in_window(copy, &parts)) {
            do_access(copy, &parts, mail);
            continue;
        }
        if (answers && !letter_head(mail, letter)->fault)
            letter_head(mail, letter)->fault = i + 1;
        if (has_result(&parts))
            write_room(mail, op_round(parts.access.extent));
    }
    if (answers)
        end_letter(mail);
    copy->counted += (message->flags & WINDOW_COUNTED) != 0;
}

/* ---- messages ---- */

static void take_exchange(struct public_copy *copy, const struct window_message *message, struct scan *scan)
{
    struct window_reader *reader = reader_of(copy, scan->from);
    if (!reader)
        reader = add_reader(copy, scan->from, false);
    for (uint32_t i = 0; i < message->accesses; i++) {
        struct access_parts parts = next_access(scan);
        if (is_in_window(copy, &parts))
            write_pieces(copy, &parts, parts.data, scan->from);
    }
    reader = reader_of(copy, scan->from);
    reader->asks = message->flags & WINDOW_WANTS_ANSWER;
    reader->expected = message->expected;
}

static void take_open(struct public_copy *copy, const struct window_message *message, struct scan *scan)
{
    public_copy_release(copy);
    *copy = (struct public_copy){0};
    if (message->flags & WINDOW_SHOWN)
        content_adopt(&copy->content, (char *)next_bytes(scan, message->bytes), message->bytes);
    else if (!(message->flags & WINDOW_DYNAMIC))
        content_attach(&copy->content, 0, next_bytes(scan, message->bytes), message->bytes);
    add_reader(copy, scan->from, true);
}

void public_copy_note_written(struct public_copy *copy, rank_t by, const struct window_piece *piece, size_t n)
{
    copy->changes++;
    for (size_t i = 0; i < copy->reader.n; i++)
        for (size_t k = 0; k < n && copy->reader.at[i].rank != by; k++)
            pieces_add(&copy->reader.at[i].news, piece[k].at, piece[k].bytes);
}

void public_copy_take(struct public_copy *copy, rank_t from, int tag, const void *text, size_t bytes,
                      struct keeper_mail *mail)
{
    struct scan scan = {text, bytes, from, window_tag_kind(tag) == WINDOW_ATOMIC ? WINDOW_ATOMIC_ANSWER : WINDOW_ANSWER};
    struct window_message message;
    const struct window_piece *piece;
    memcpy(&message, next_bytes(&scan, sizeof message), sizeof message);
    switch ((enum window_message_kind)message.kind) {
    case WINDOW_OPEN:
        take_open(copy, &message, &scan);
        return;
    case WINDOW_ATTACH:
        piece = next_bytes(&scan, sizeof *piece);
        content_attach(&copy->content, piece->at, next_bytes(&scan, piece->bytes), piece->bytes);
        return;
    case WINDOW_DETACH:
        piece = next_bytes(&scan, sizeof *piece);
        content_detach(&copy->content, piece->at);
        for (size_t i = 0; i < copy->reader.n; i++)
            pieces_remove(&copy->reader.at[i].news, piece->at, piece->bytes);
        return;
    case WINDOW_ACCESS:
        take_accesses(copy, &message, &scan, mail);
        answer_readers(copy, mail);
        return;
    case WINDOW_EXCHANGE:
        take_exchange(copy, &message, &scan);
        answer_readers(copy, mail);
        return;
    case WINDOW_CLOSE:
        public_copy_release(copy);
        *copy = (struct public_copy){0};
        return;
    }
    BUG("rank %d wants something of a window that windows do not do (%u)", from, message.kind);
}
