#include "shim/file/file_remarks.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "shim/channel.h"

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

/* The library takes the name of a file system, before a colon, for no part of it; files are one if their paths are. */
void file_remark_opened(const struct file *file)
{
    char path[PATH_MAX];
    const char *colon = strchr(file->name, ':'), *slash = strchr(file->name, '/');
    const char *name = colon && (!slash || colon < slash) ? colon + 1 : file->name;
    struct op op = remark_of_file(file, OP_FILE);
    op.event = FILE_OPENED;
    if (!channel_head()->accesses)
        return;
    const char *whole = realpath(name, path);
    channel_post(&op, whole ? whole : name, strnlen(whole ? whole : name, PATH_MAX - 1) + 1);
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

/* Any two sums differ as a rule if the bytes do; 0 stands for none. */
static uint32_t sum_of_written(const struct file_access *a, const struct type *type, uint64_t bytes)
{
    uint64_t sum = bytes;
    char *data = shim_alloc(bytes);
    type_pack(a->buf, a->count, type, data);
    for (uint64_t i = 0; i < bytes; i += sizeof(uint64_t)) {
        uint64_t word = 0;
        memcpy(&word, data + i, bytes - i < sizeof word ? bytes - i : sizeof word);
        sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        sum ^= sum >> 29;
    }
    free(data);
    return (uint32_t)(sum ^ sum >> 32) | 1;
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
                                    .sum = a->write ? sum_of_written(a, type, bytes) : 0},
                  &place);
    target_place_release(&place);
}
