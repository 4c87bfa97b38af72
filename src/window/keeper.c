#include "window/keeper.h"

#include "base/die.h"
#include "base/hash.h"
#include "call/dynamic.h"
#include "window/file_pointer.h"
#include "window/file_store.h"
#include "window/lock.h"
#include "window/names.h"
#include "window/public_copy.h"

struct keeper {
    enum keeper_kind kind;
    union {
        struct window_lock lock;
        struct {
            struct public_copy copy;
            struct file_pointer pointer; /* a slot has a window or a file at one time */
            struct file_store files;     /* in one of the slots, whatever else that has */
        };
        struct published_names names;
    };
};

enum keeper_kind keeper_kind_of(int ranks, rank_t keeper)
{
    if (keeper == dynamic_registry(ranks))
        return KEEPER_OF_NAMES;
    return keeper_is_lock(ranks, keeper) ? KEEPER_OF_LOCK : KEEPER_OF_MEMORY;
}

struct keeper *keeper_new(enum keeper_kind kind)
{
    struct keeper *keeper = xcalloc(1, sizeof *keeper);
    keeper->kind = kind;
    if (kind == KEEPER_OF_LOCK)
        window_lock_init(&keeper->lock);
    return keeper;
}

struct keeper *keeper_copy(const struct keeper *keeper)
{
    struct keeper *copy = xmemdup(keeper, 1, sizeof *keeper);
    switch (keeper->kind) {
    case KEEPER_OF_LOCK:
        window_lock_copy(&copy->lock, &keeper->lock);
        break;
    case KEEPER_OF_MEMORY:
        public_copy_copy(&copy->copy, &keeper->copy);
        file_store_copy(&copy->files, &keeper->files);
        break;
    case KEEPER_OF_NAMES:
        published_names_copy(&copy->names, &keeper->names);
        break;
    }
    return copy;
}

void keeper_free(struct keeper *keeper)
{
    if (!keeper)
        return;
    switch (keeper->kind) {
    case KEEPER_OF_LOCK:
        window_lock_release(&keeper->lock);
        break;
    case KEEPER_OF_MEMORY:
        public_copy_release(&keeper->copy);
        file_store_release(&keeper->files);
        break;
    case KEEPER_OF_NAMES:
        published_names_release(&keeper->names);
        break;
    }
    free(keeper);
}

context_t keeper_context(const struct keeper *keeper)
{
    return keeper->kind == KEEPER_OF_NAMES ? DYNAMIC_CONTEXT : KEEPER_CONTEXT;
}

struct keeper_wait keeper_waits_for(const struct keeper *keeper)
{
    switch (keeper->kind) {
    case KEEPER_OF_LOCK:
        return window_lock_waits_for(&keeper->lock);
    case KEEPER_OF_NAMES:
        return (struct keeper_wait){RANK_ANY, DYNAMIC_NAME};
    case KEEPER_OF_MEMORY:
        break;
    }
    return (struct keeper_wait){RANK_ANY, TAG_ANY};
}

void keeper_take(struct keeper *keeper, rank_t from, int tag, const void *message, size_t bytes, struct keeper_mail *mail)
{
    switch (keeper->kind) {
    case KEEPER_OF_LOCK:
        window_lock_take(&keeper->lock, from, tag, message, bytes);
        break;
    case KEEPER_OF_MEMORY:
        if (window_tag_is_pointer(tag)) {
            file_pointer_take(&keeper->pointer, from, message, bytes, mail);
            break;
        }
        if (window_tag_kind(tag) == WINDOW_FILE) {
            file_store_take(&keeper->files, from, message, bytes, mail);
            break;
        }
        public_copy_take(&keeper->copy, from, tag, message, bytes, mail);
        break;
    case KEEPER_OF_NAMES:
        published_names_take(&keeper->names, from, message, bytes, mail);
        break;
    }
}

void keeper_note_written(struct keeper *keeper, rank_t by, const struct window_piece *piece, size_t n)
{
    if (keeper->kind != KEEPER_OF_MEMORY)
        BUG("rank %d has written to what is no memory of a window", by);
    public_copy_note_written(&keeper->copy, by, piece, n);
}

uint64_t keeper_changes(const struct keeper *keeper)
{
    switch (keeper->kind) {
    case KEEPER_OF_MEMORY:
        return keeper->copy.changes + keeper->pointer.moves + keeper->files.changes;
    case KEEPER_OF_NAMES:
        return keeper->names.changes;
    case KEEPER_OF_LOCK:
        break;
    }
    return 0;
}

struct map_key keeper_digest(const struct keeper *keeper)
{
    struct map_key sum = HASH_START;
    hash_stir(&sum, keeper->kind);
    switch (keeper->kind) {
    case KEEPER_OF_LOCK:
        window_lock_stir(&keeper->lock, &sum);
        break;
    case KEEPER_OF_MEMORY:
        public_copy_stir(&keeper->copy, &sum);
        file_pointer_stir(&keeper->pointer, &sum);
        file_store_stir(&keeper->files, &sum);
        break;
    case KEEPER_OF_NAMES:
        published_names_stir(&keeper->names, &sum);
        break;
    }
    return sum;
}
