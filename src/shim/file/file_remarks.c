#include "shim/file/file_remarks.h"

#include <string.h>

#include "shim/channel.h"
#include "shim/objects/file_facts.h"

bool file_remarks_are_wanted(const struct file *file)
{
    return channel_head()->accesses && file->view.native;
}

static struct op remark_of_file(const struct file *file, enum op_kind kind)
{
    return (struct op){.kind = kind, .flags = OPF_WENT_ON, .peer = RANK_NONE, .context = file->comm->context};
}

void file_remark(const struct file *file, enum file_event event)
{
    struct op op = remark_of_file(file, OP_FILE);
    op.event = event;
    if (channel_head()->accesses)
        channel_post(&op, NULL, 0);
}

void file_remark_opened(const struct file *file)
{
    char room[PATH_MAX];
    struct op op = remark_of_file(file, OP_FILE);
    op.event = FILE_OPENED;
    if (!channel_head()->accesses)
        return;
    const char *path = file_whole_path(file->name, room);
    channel_post(&op, path, strnlen(path, PATH_MAX - 1) + 1);
}

/* In as many parts as it takes: a record has to fit into the ring. */
static void post_file_use(const struct file *file, struct file_use use, const struct target_place *place)
{
    enum { AT_A_TIME = WIRE_INLINE / sizeof *place->piece };
    for (uint32_t done = 0; done < place->pieces; done += use.pieces, use.part++) {
        struct op op = remark_of_file(file, OP_FILE_ACCESS);
        use.pieces = place->pieces - done < AT_A_TIME ? place->pieces - done : AT_A_TIME;
        char *to = channel_begin(&op, sizeof use + use.pieces * sizeof *place->piece);
        memcpy(to, &use, sizeof use);
        memcpy(to + sizeof use, place->piece + done, use.pieces * sizeof *place->piece);
        channel_commit();
    }
}

void file_remark_access(const struct file *file, const struct file_access *a, MPI_Offset etype)
{
    const struct type *type = type_find(a->datatype);
    if (!type || a->count <= 0)
        return;
    uint64_t bytes = type_bytes(type, a->count);
    struct target_place place = file_view_place(&file->view, etype, bytes);
    post_file_use(file,
                  (struct file_use){.kind = a->write ? FILE_WRITE : FILE_READ,
                                    .atomic = file->atomic,
                                    .sum = a->write ? file_written_sum(a->buf, a->count, type) : 0},
                  &place);
    target_place_release(&place);
}
