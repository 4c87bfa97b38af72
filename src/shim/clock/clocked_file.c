#include "shim/clock/clocked_file.h"

#include <stdlib.h>
#include <string.h>

#include "call/file_use.h"
#include "shim/channel.h"
#include "shim/clock/comm.h"
#include "shim/clock/window_remarks.h"
#include "shim/core/handle.h"
#include "shim/core/library_code.h"
#include "shim/objects/file_facts.h"
#include "shim/objects/file_view.h"

struct clocked_file {
    MPI_File handle;
    context_t context; /* the same at all members, and no other file's */
    bool atomic;
    struct file_view view;
};

static struct handle_map clocked_files;

static struct clocked_file *clocked_file_find(MPI_File handle)
{
    return handle_map_get(&clocked_files, HANDLE_KEY(handle));
}

/* ---- remarks ---- */

static struct op remark_on_file(const struct clocked_file *file, enum op_kind kind)
{
    return (struct op){.kind = (uint8_t)kind,
                       .call = shim.call,
                       .flags = OPF_WENT_ON,
                       .peer = RANK_NONE,
                       .context = file->context,
                       .place = (uintptr_t)shim.place};
}

static void remark_file_event(const struct clocked_file *file, enum file_event event, const void *tail, size_t bytes)
{
    struct op op = remark_on_file(file, OP_FILE);
    op.event = event;
    remark_put(op, tail, bytes);
}

/* In as many parts as in a search. */
static void remark_file_use(const struct clocked_file *file, struct file_use use, const struct target_place *place)
{
    enum { AT_A_TIME = 64 };
    struct {
        struct file_use use;
        struct window_piece piece[AT_A_TIME];
    } tail;
    for (uint32_t done = 0; done < place->pieces; done += use.pieces, use.part++) {
        use.pieces = place->pieces - done < AT_A_TIME ? place->pieces - done : AT_A_TIME;
        tail.use = use;
        memcpy(tail.piece, place->piece + done, use.pieces * sizeof *tail.piece);
        remark_put(remark_on_file(file, OP_FILE_ACCESS), &tail, sizeof use + use.pieces * sizeof *tail.piece);
    }
}

/* ---- a file as a whole ---- */

/* Members call MPI_File_open in the same order on a communicator, so they count alike. */
static context_t next_file_context(const struct comm *comm)
{
    enum { FILES = 0xf11e };
    static struct handle_map opened;
    context_t base = context_derive(comm->context, (uint64_t)comm->local->rank[0], CONTEXT_SALTS + FILES);
    uintptr_t number = (uintptr_t)handle_map_get(&opened, base) + 1;
    handle_map_put(&opened, base, (void *)number);
    return context_derive(base, number, CONTEXT_SALTS + FILES);
}

void clocked_file_opened(MPI_Comm comm, const char *name, MPI_File handle)
{
    const struct comm *of = comm_find(comm);
    char room[PATH_MAX];
    if (!of)
        return;
    struct clocked_file *file = shim_alloc(sizeof *file);
    *file = (struct clocked_file){.handle = handle, .context = next_file_context(of)};
    file_view_reset(&file->view);
    handle_map_put(&clocked_files, HANDLE_KEY(handle), file);
    channel_post(&(struct op){.kind = OP_CONTEXT_NAME, .context = file->context}, name, strlen(name) + 1);
    const char *path = file_whole_path(name, room);
    remark_file_event(file, FILE_OPENED, path, strnlen(path, PATH_MAX - 1) + 1);
}

void clocked_file_synced(MPI_File handle)
{
    const struct clocked_file *file = clocked_file_find(handle);
    if (file)
        remark_file_event(file, FILE_SYNCED, NULL, 0);
}

void clocked_file_viewed(MPI_File handle, MPI_Offset start, MPI_Datatype etype, MPI_Datatype filetype, const char *datarep)
{
    struct clocked_file *file = clocked_file_find(handle);
    if (file && start == MPI_DISPLACEMENT_CURRENT)
        file->view.native = false; /* of a sequential file, which has a shared pointer alone */
    else if (file)
        file_view_set(&file->view, start, etype, filetype, datarep);
}

void clocked_file_is_atomic(MPI_File handle, int flag)
{
    struct clocked_file *file = clocked_file_find(handle);
    if (file)
        file->atomic = flag;
}

struct clocked_file *clocked_file_closing(MPI_File handle)
{
    return clocked_file_find(handle);
}

void clocked_file_closed(struct clocked_file *file, bool closed)
{
    if (!file || !closed)
        return;
    remark_file_event(file, FILE_CLOSED, NULL, 0);
    handle_map_remove(&clocked_files, HANDLE_KEY(file->handle));
    file_view_release(&file->view);
    free(file);
}

/* ---- accesses ---- */

MPI_Offset clocked_file_offset(MPI_File handle, MPI_Offset offset)
{
    const struct clocked_file *file = clocked_file_find(handle);
    return file && file->view.native ? offset : -1;
}

MPI_Offset clocked_file_pointer(MPI_File handle)
{
    MPI_Offset etype = -1;
    if (clocked_file_offset(handle, 0) < 0 || real.File_get_position(handle, &etype) != MPI_SUCCESS)
        return -1;
    return etype;
}

static void tell_file_access(MPI_File handle, enum file_use_kind kind, MPI_Offset etype, const void *buf, MPI_Count count, MPI_Datatype datatype)
{
    const struct clocked_file *file = clocked_file_find(handle);
    const struct type *type = datatype == MPI_DATATYPE_NULL ? NULL : type_find(datatype);
    if (!file || !type || etype < 0 || count <= 0)
        return;
    struct target_place place = file_view_place(&file->view, etype, type_bytes(type, count));
    remark_file_use(file,
                    (struct file_use){.kind = (uint16_t)kind,
                                      .atomic = file->atomic,
                                      .sum = kind == FILE_WRITE ? file_written_sum(buf, count, type) : 0},
                    &place);
    target_place_release(&place);
}

void clocked_file_read(MPI_File handle, MPI_Offset etype, const void *buf, MPI_Count count, MPI_Datatype datatype)
{
    tell_file_access(handle, FILE_READ, etype, buf, count, datatype);
}

void clocked_file_written(MPI_File handle, MPI_Offset etype, const void *buf, MPI_Count count, MPI_Datatype datatype)
{
    tell_file_access(handle, FILE_WRITE, etype, buf, count, datatype);
}
