#include "window/file_store.h"

#include <string.h>

#include "base/die.h"
#include "base/hash.h"

enum { CHUNK = 1 << 14 };

struct stored_chunk {
    uint32_t shares;
    uint64_t written[CHUNK / 64]; /* a bit for each byte */
    char bytes[CHUNK];
};

/* ---- chunks ---- */

static void drop_chunk(struct stored_chunk *chunk)
{
    if (--chunk->shares == 0)
        free(chunk);
}

static bool is_stored(const struct stored_chunk *chunk, uint64_t at)
{
    return chunk->written[at / 64] >> at % 64 & 1;
}

static void mark_written(struct stored_chunk *chunk, uint64_t at, uint64_t bytes)
{
    for (uint64_t i = at; i < at + bytes;) {
        if (i % 64 == 0 && at + bytes - i >= 64) {
            chunk->written[i / 64] = UINT64_MAX;
            i += 64;
        } else {
            chunk->written[i / 64] |= UINT64_C(1) << i % 64;
            i++;
        }
    }
}

static struct stored_chunk *own_part(struct stored_part *part)
{
    struct stored_chunk *shared = part->chunk;
    if (shared->shares > 1) {
        part->chunk = xmemdup(shared, 1, sizeof *shared);
        part->chunk->shares = 1;
        shared->shares--;
    }
    return part->chunk;
}

/* Where the chunk of this number is, or would be. */
static size_t find_stored_part(const struct stored_file *file, uint64_t number)
{
    size_t first = 0, last = file->part.n;
    while (first < last) {
        size_t middle = first + (last - first) / 2;
        if (file->part.at[middle].number < number)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

static struct stored_part *stored_part_of(struct stored_file *file, uint64_t number)
{
    size_t at = find_stored_part(file, number);
    if (at < file->part.n && file->part.at[at].number == number)
        return &file->part.at[at];
    struct stored_part part = {number, xcalloc(1, sizeof *part.chunk)};
    part.chunk->shares = 1;
    vec_push(&file->part, part);
    memmove(file->part.at + at + 1, file->part.at + at, (file->part.n - 1 - at) * sizeof part);
    file->part.at[at] = part;
    return &file->part.at[at];
}

/* ---- files ---- */

static void stored_file_release(struct stored_file *file)
{
    for (size_t i = 0; i < file->part.n; i++)
        drop_chunk(file->part.at[i].chunk);
    vec_release(&file->part);
}

void file_store_copy(struct file_store *to, const struct file_store *from)
{
    to->changes = from->changes;
    vec_copy(&to->at, &from->at);
    for (size_t i = 0; i < to->at.n; i++) {
        vec_copy(&to->at.at[i].part, &from->at.at[i].part);
        for (size_t k = 0; k < to->at.at[i].part.n; k++)
            to->at.at[i].part.at[k].chunk->shares++;
    }
}

void file_store_release(struct file_store *store)
{
    vec_release_each(&store->at, stored_file_release);
}

void file_store_stir(const struct file_store *store, struct map_key *sum)
{
    for (size_t i = 0; i < store->at.n; i++) {
        const struct stored_file *file = &store->at.at[i];
        hash_stir(sum, file->file);
        hash_stir(sum, file->state);
        hash_stir(sum, file->size);
        hash_stir(sum, file->base);
        for (size_t k = 0; k < file->part.n; k++) {
            const struct stored_chunk *chunk = file->part.at[k].chunk;
            hash_stir(sum, file->part.at[k].number);
            hash_stir(sum, hash_bytes(0, chunk->written, sizeof chunk->written));
            hash_stir(sum, hash_bytes(0, chunk->bytes, sizeof chunk->bytes)); /* zero where nothing was written */
        }
    }
}

/* Where it is, or would be. */
static size_t find_stored_file(const struct file_store *store, uint64_t file, bool *is_there)
{
    size_t i = 0;
    while (i < store->at.n && store->at.at[i].file < file)
        i++;
    *is_there = i < store->at.n && store->at.at[i].file == file;
    return i;
}

static struct stored_file *stored_file_of(struct file_store *store, const struct file_message *message)
{
    bool is_there;
    size_t at = find_stored_file(store, message->file, &is_there);
    if (is_there)
        return &store->at.at[at];
    vec_push(&store->at, (struct stored_file){0});
    memmove(store->at.at + at + 1, store->at.at + at, (store->at.n - 1 - at) * sizeof *store->at.at);
    store->at.at[at] = (struct stored_file){.file = message->file, .state = FILE_IS_THERE, .size = message->base, .base = message->base};
    return &store->at.at[at];
}

static void forget_file(struct file_store *store, uint64_t file)
{
    bool is_there;
    size_t at = find_stored_file(store, file, &is_there);
    if (!is_there)
        return;
    stored_file_release(&store->at.at[at]);
    store->at.n--;
    memmove(store->at.at + at, store->at.at + at + 1, (store->at.n - at) * sizeof *store->at.at);
}

/* ---- writing ---- */

static void store_bytes(struct stored_file *file, uint64_t at, const char *from, uint64_t bytes)
{
    if (at + bytes > file->size)
        file->size = at + bytes;
    for (uint64_t part; bytes; at += part, from += part, bytes -= part) {
        part = CHUNK - at % CHUNK < bytes ? CHUNK - at % CHUNK : bytes;
        struct stored_chunk *chunk = own_part(stored_part_of(file, at / CHUNK));
        memcpy(chunk->bytes + at % CHUNK, from, part);
        mark_written(chunk, at % CHUNK, part);
    }
}

/* What lay behind the new end is gone, also if the file grows again. */
static void resize_stored(struct stored_file *file, uint64_t size)
{
    while (file->part.n && vec_last(&file->part).number * CHUNK >= size) {
        drop_chunk(vec_last(&file->part).chunk);
        file->part.n--;
    }
    if (file->part.n && (vec_last(&file->part).number + 1) * CHUNK > size) {
        struct stored_chunk *chunk = own_part(&vec_last(&file->part));
        for (uint64_t i = size % CHUNK; i < CHUNK; i++) {
            chunk->written[i / 64] &= ~(UINT64_C(1) << i % 64);
            chunk->bytes[i] = 0;
        }
    }
    file->size = size;
    if (file->base > size)
        file->base = size;
}

/* ---- reading ---- */

struct fetched {
    VEC(struct window_piece) piece;
    VEC(char) bytes;
};

static void fetch_bytes(struct fetched *fetched, const char *from, uint64_t at, uint64_t bytes)
{
    vec_push(&fetched->piece, ((struct window_piece){at, bytes}));
    vec_reserve(&fetched->bytes, bytes + 1);
    memcpy(fetched->bytes.at + fetched->bytes.n, from, bytes);
    fetched->bytes.n += bytes;
}

/* Those bytes of a piece that were written; `data`: it begins there in the order of the data. */
static void fetch_piece(const struct stored_file *file, const struct window_piece *piece, uint64_t data, struct fetched *fetched)
{
    uint64_t end = piece->at + piece->bytes;
    for (size_t i = find_stored_part(file, piece->at / CHUNK); i < file->part.n && file->part.at[i].number * CHUNK < end; i++) {
        const struct stored_chunk *chunk = file->part.at[i].chunk;
        uint64_t start = file->part.at[i].number * CHUNK;
        uint64_t from = piece->at > start ? piece->at - start : 0, until = end - start < CHUNK ? end - start : CHUNK;
        for (uint64_t next; from < until; from = next) {
            for (next = from; next < until && is_stored(chunk, next) == is_stored(chunk, from);)
                next++;
            if (is_stored(chunk, from))
                fetch_bytes(fetched, chunk->bytes + from, data + start + from - piece->at, next - from);
        }
    }
}

static void add_answer_bytes(struct keeper_mail *mail, const void *bytes, size_t n)
{
    vec_reserve(&mail->text, n + 1);
    if (n)
        memcpy(mail->text.at + mail->text.n, bytes, n);
    mail->text.n += n;
}

static void answer_fetch(const struct file_store *store, rank_t to, const struct file_message *message,
                         const struct window_piece *piece, struct keeper_mail *mail)
{
    struct fetched fetched = {0};
    struct file_answer answer = {0};
    struct keeper_letter letter = {.to = to, .tag = WINDOW_FILE_ANSWER, .at = mail->text.n};
    bool is_there;
    size_t at = find_stored_file(store, message->file, &is_there);
    if (is_there) {
        const struct stored_file *file = &store->at.at[at];
        uint64_t data = 0;
        for (uint32_t i = 0; i < message->pieces; data += piece[i].bytes, i++)
            fetch_piece(file, &piece[i], data, &fetched);
        answer = (struct file_answer){.state = file->state, .pieces = (uint32_t)fetched.piece.n, .size = file->size, .base = file->base};
    }
    add_answer_bytes(mail, &answer, sizeof answer);
    add_answer_bytes(mail, fetched.piece.at, fetched.piece.n * sizeof *fetched.piece.at);
    add_answer_bytes(mail, fetched.bytes.at, fetched.bytes.n);
    letter.bytes = mail->text.n - letter.at;
    vec_push(&mail->letter, letter);
    vec_release(&fetched.piece);
    vec_release(&fetched.bytes);
}

/* ---- messages ---- */

/* Whether the pieces are there and, of what was written, their bytes. */
static bool file_message_is_whole(const struct file_message *message, size_t bytes)
{
    const struct window_piece *piece = (const struct window_piece *)(message + 1);
    if (bytes < sizeof *message || message->pieces > (bytes - sizeof *message) / sizeof *piece)
        return false;
    uint64_t left = bytes - sizeof *message - message->pieces * sizeof *piece;
    for (uint32_t i = 0; message->kind == FILE_STORE && i < message->pieces; i++) {
        if (piece[i].bytes > left)
            return false;
        left -= piece[i].bytes;
    }
    return true;
}

void file_store_take(struct file_store *store, rank_t from, const void *text, size_t bytes, struct keeper_mail *mail)
{
    const struct file_message *message = text;
    if (!file_message_is_whole(message, bytes))
        BUG("a message from rank %d about a file is too short", from);
    const struct window_piece *piece = (const struct window_piece *)(message + 1);
    const char *data = (const char *)(piece + message->pieces);
    store->changes += message->kind != FILE_FETCH;
    switch ((enum file_message_kind)message->kind) {
    case FILE_STORE:
        for (uint32_t i = 0; i < message->pieces; data += piece[i].bytes, i++)
            store_bytes(stored_file_of(store, message), piece[i].at, data, piece[i].bytes);
        break;
    case FILE_FETCH:
        answer_fetch(store, from, message, piece, mail);
        break;
    case FILE_RESIZE:
        resize_stored(stored_file_of(store, message), message->bytes);
        break;
    case FILE_MAKE:
        stored_file_of(store, message)->state = FILE_IS_THERE;
        break;
    case FILE_DELETE:
        resize_stored(stored_file_of(store, message), 0);
        stored_file_of(store, message)->state = FILE_IS_DELETED;
        break;
    case FILE_FORGET:
        forget_file(store, message->file);
        break;
    }
}
