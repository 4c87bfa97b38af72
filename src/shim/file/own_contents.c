#include "shim/file/own_contents.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shim/bodies/completion.h"
#include "shim/bodies/requests.h"
#include "shim/channel.h"
#include "shim/core/library_code.h"
#include "shim/file/file_base.h"
#include "shim/objects/status.h"
#include "shim/window/keeper_link.h"

static bool files_are_apart(void)
{
    return channel_head()->files_apart;
}

static bool writes_file(const struct file *file)
{
    return file->amode & (MPI_MODE_WRONLY | MPI_MODE_RDWR);
}

/* The library takes the name of a file system, before a colon, for no part of it.  To be freed. */
static char *whole_path(const char *name)
{
    char path[PATH_MAX], folder[PATH_MAX];
    const char *colon = strchr(name, ':'), *slash = strchr(name, '/');
    name = colon && (!slash || colon < slash) ? colon + 1 : name;
    if (realpath(name, path))
        return strcpy(shim_alloc(strlen(path) + 1), path);
    slash = strrchr(name, '/');
    snprintf(path, sizeof path, "%.*s", slash ? (int)(slash + 1 - name) : 1, slash ? name : ".");
    const char *in = realpath(path, folder) ? folder : path, *last = slash ? slash + 1 : name;
    size_t room = strlen(in) + strlen(last) + 2;
    char *whole = shim_alloc(room);
    snprintf(whole, room, "%s/%s", in, last);
    return whole;
}

/* ---- what the keeper is told and asked ---- */

static void tell_store(struct file_message head, const void *rest, size_t bytes, uint32_t flags)
{
    keeper_send(&(struct keeper_mail){.to = file_store_keeper(shim.size),
                                      .tag = WINDOW_FILE,
                                      .flags = OPF_CALM | flags,
                                      .head = &head,
                                      .head_bytes = sizeof head,
                                      .rest = rest,
                                      .rest_bytes = bytes});
}

struct store_answer {
    struct file_answer *text; /* owned */
};

static void take_store_answer(struct request *r, const struct completion *c)
{
    struct store_answer *answer = r->state;
    answer->text = shim_alloc(c->bytes);
    memcpy(answer->text, arena_at(c->payload), c->bytes);
}

static struct file_message message_about(const char *path, enum file_message_kind kind)
{
    struct file_base_record record;
    return (struct file_message){
        .kind = kind, .file = file_sum_of_path(path), .base = file_base_find(path, &record) ? record.size : 0};
}

/* To be freed. */
static struct file_answer *ask_store(const char *path, const struct target_place *place)
{
    struct file_message head = message_about(path, FILE_FETCH);
    struct store_answer answer = {0};
    head.base = 0; /* no matter to it, and not yet known perhaps */
    head.pieces = place ? place->pieces : 0;
    tell_store(head, place ? place->piece : NULL, head.pieces * sizeof(struct window_piece), OPF_ASKS);
    struct request *r =
        keeper_receive(comm_self(), file_store_keeper(shim.size), WINDOW_FILE_ANSWER, WINDOW_ANSWER_ROOM, take_store_answer);
    r->state = &answer;
    complete_all(&r, 1);
    request_delete(r);
    return answer.text;
}

static enum file_state state_in_store(const char *path)
{
    struct file_answer *answer = ask_store(path, NULL);
    enum file_state state = answer->state;
    free(answer);
    return state;
}

/* ---- opening ---- */

static enum file_there there_in_run(const char *path, enum file_state state)
{
    struct file_base_record record;
    if (state == FILE_UNKNOWN && file_base_find(path, &record))
        return record.existed ? THERE_IN_RUN : NOT_THERE_IN_RUN;
    return state == FILE_UNKNOWN ? THERE_AS_ON_DISK : state == FILE_IS_THERE ? THERE_IN_RUN : NOT_THERE_IN_RUN;
}

bool own_contents_open(struct file *file, enum file_there *there)
{
    *there = THERE_AS_ON_DISK;
    if (!files_are_apart())
        return false;
    char *path = whole_path(file->name);
    enum file_state state = state_in_store(path);
    if (writes_file(file) && file_base_keep(path) && state != FILE_UNKNOWN) {
        tell_store(message_about(path, FILE_FORGET), NULL, 0, 0);
        state = FILE_UNKNOWN;
    }
    *there = there_in_run(path, state);
    free(path);
    return state != FILE_UNKNOWN;
}

void own_contents_made(const struct file *file)
{
    if (!files_are_apart() || !writes_file(file))
        return;
    char *path = whole_path(file->name);
    file_base_mark(path);
    free(path);
}

/* What is opened for reading alone is asked for only if somebody has changed it: programs read much. */
void own_contents_opened(struct file *file, bool known)
{
    if (!files_are_apart())
        return;
    file->path = whole_path(file->name);
    file->apart = known || writes_file(file);
    if (file->comm->rank == 0 && writes_file(file) && file->amode & MPI_MODE_CREATE)
        tell_store(message_about(file->path, FILE_MAKE), NULL, 0, 0);
}

void own_contents_sync(struct file *file)
{
    if (file->path && !file->apart)
        file->apart = state_in_store(file->path) != FILE_UNKNOWN;
}

/* ---- accesses ---- */

void own_contents_written(struct file *file, const struct file_access *a, MPI_Offset etype)
{
    const struct type *type = type_find(a->datatype);
    if (!file->apart)
        return;
    file_base_mark(file->path);
    if (!type || a->count <= 0 || !file->view.native)
        return;
    uint64_t bytes = type_bytes(type, a->count);
    struct target_place place = file_view_place(&file->view, etype, bytes);
    struct file_message head = message_about(file->path, FILE_STORE);
    size_t pieces = place.pieces * sizeof *place.piece;
    char *rest = shim_alloc(pieces + bytes);
    head.pieces = place.pieces;
    memcpy(rest, place.piece, pieces);
    type_pack(a->buf, a->count, type, rest + pieces);
    tell_store(head, rest, pieces + bytes, 0);
    free(rest);
    target_place_release(&place);
}

/* What is there of the file, without what was written in this run; so many bytes of the access are before its end. */
static uint64_t read_as_before(const struct file *file, const struct target_place *place, uint64_t base, uint64_t size, char *data)
{
    uint64_t done = 0;
    for (uint32_t i = 0; i < place->pieces; i++) {
        struct window_piece piece = place->piece[i];
        uint64_t bytes = piece.at >= size ? 0 : size - piece.at < piece.bytes ? size - piece.at : piece.bytes;
        uint64_t old = piece.at >= base ? 0 : base - piece.at < bytes ? base - piece.at : bytes;
        if (old)
            file_base_read(file->path, data + done, piece.at, old);
        memset(data + done + old, 0, bytes - old);
        done += bytes;
        if (bytes < piece.bytes)
            break;
    }
    return done;
}

static void lay_over(const struct file_answer *answer, char *data, uint64_t bytes)
{
    const struct window_piece *piece = (const struct window_piece *)(answer + 1);
    const char *from = (const char *)(piece + answer->pieces);
    for (uint32_t i = 0; i < answer->pieces; from += piece[i].bytes, i++)
        if (piece[i].at < bytes)
            memcpy(data + piece[i].at, from, bytes - piece[i].at < piece[i].bytes ? bytes - piece[i].at : piece[i].bytes);
}

static void give_data(MPI_File fh, const struct file *file, const struct file_access *a, MPI_Offset etype, const char *data,
                      uint64_t bytes, MPI_Status *status)
{
    type_unpack(data, bytes, a->buf, a->count, type_find(a->datatype));
    status_tell(status, MPI_ANY_SOURCE, MPI_ANY_TAG, bytes);
    if (!a->at && file->view.etype > 0)
        library_may_fail(real.File_seek(fh, etype + (MPI_Offset)bytes / file->view.etype, MPI_SEEK_SET));
}

bool own_contents_read(MPI_File fh, struct file *file, const struct file_access *a, MPI_Offset etype, MPI_Status *status)
{
    const struct type *type = type_find(a->datatype);
    struct file_base_record record;
    if (!file->path || !file->view.native || !type || a->count <= 0 || file->amode & MPI_MODE_WRONLY)
        return false;
    struct target_place place = file_view_place(&file->view, etype, type_bytes(type, a->count));
    static const struct file_answer nothing;
    struct file_answer *asked = file->apart ? ask_store(file->path, &place) : NULL;
    const struct file_answer *answer = asked ? asked : &nothing;
    bool kept = file_base_find(file->path, &record);
    if (kept) {
        char *data = shim_alloc(place.bytes);
        uint64_t bytes = read_as_before(file, &place, answer->state ? answer->base : record.size, answer->state ? answer->size : record.size, data);
        lay_over(answer, data, bytes);
        give_data(fh, file, a, etype, data, bytes, status);
        free(data);
    }
    free(asked);
    target_place_release(&place);
    return kept;
}

/* ---- sizes ---- */

bool own_contents_size(struct file *file, MPI_Offset *size)
{
    struct file_base_record record;
    if (!file->path)
        return false;
    struct file_answer *answer = file->apart ? ask_store(file->path, NULL) : NULL;
    bool kept = file_base_find(file->path, &record);
    if (kept)
        *size = (MPI_Offset)(answer && answer->state ? answer->size : record.size);
    free(answer);
    return kept;
}

bool own_contents_end(struct file *file, MPI_Offset *end)
{
    MPI_Offset size;
    if (file->view.tile.runs || file->view.etype <= 0 || !own_contents_size(file, &size))
        return false;
    *end = size > file->view.start ? (size - file->view.start) / file->view.etype : 0;
    return true;
}

void own_contents_settle_size(struct file *file)
{
    MPI_Offset size;
    struct stat now;
    if (own_contents_size(file, &size) && stat(file->path, &now) == 0 && now.st_size != size && truncate(file->path, size) == 0)
        file_base_mark(file->path);
}

void own_contents_resized(struct file *file, MPI_Offset size)
{
    if (!file->apart)
        return;
    file_base_mark(file->path);
    struct file_message head = message_about(file->path, FILE_RESIZE);
    head.bytes = (uint64_t)size;
    tell_store(head, NULL, 0, 0);
}

enum file_there own_contents_delete(const char *name)
{
    struct file_base_record record;
    if (!files_are_apart())
        return THERE_AS_ON_DISK;
    char *path = whole_path(name);
    enum file_there there = there_in_run(path, state_in_store(path));
    if (!file_base_find(path, &record))
        there = THERE_AS_ON_DISK;
    if (there == THERE_IN_RUN)
        tell_store(message_about(path, FILE_DELETE), NULL, 0, 0);
    free(path);
    return there;
}
