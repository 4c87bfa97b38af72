/*
 * file_calls -- opening and closing files, and what is asked or said of a file as a whole.
 */
#include "shim/file/file.h"

#include <stdlib.h>
#include <string.h>

#include "shim/channel.h"
#include "shim/core/library_code.h"
#include "shim/file/file_remarks.h"
#include "shim/file/own_contents.h"
#include "shim/library/maker.h"
#include "shim/objects/object.h"
#include "shim/virtual/coll.h"
#include "shim/window/slots.h"

/*
 * On the handler of MPI_FILE_NULL, which every new file inherits; or, where the library cannot call it there, on a
 * file that nobody minds.
 */
static int raise_without_file(int error_class)
{
    MPI_File nobody = MPI_FILE_NULL;
    if (!library_maker->raises_on_null_file &&
        real.File_open(MPI_COMM_SELF, "/dev/null", MPI_MODE_RDONLY, MPI_INFO_NULL, &nobody) != MPI_SUCCESS)
        return error_class;
    file_raise(nobody, error_class);
    if (nobody != MPI_FILE_NULL)
        library_may_fail(real.File_close(&nobody));
    return error_class;
}

/* The slots that each member uses, by position, to be freed; NULL: they do not agree on the mode. */
static uint64_t *agree_on_opening(struct comm *comm, int amode)
{
    struct { int64_t amode; uint64_t used; } mine = {.amode = amode}, *all;
    slots_used(&mine.used, 1);
    int members = comm_members(comm);
    bool same = true;
    all = memset(shim_alloc((size_t)members * sizeof *all), 0, (size_t)members * sizeof *all);
    coll_exchange(comm, &mine, sizeof mine, all);
    uint64_t *used = shim_alloc((size_t)members * sizeof *used);
    for (int i = 0; i < members; i++) {
        same &= all[i].amode == amode;
        used[i] = all[i].used;
    }
    free(all);
    if (same)
        return used;
    free(used);
    return NULL;
}

/* The class of the first member's error, if any had one; and what the first member says besides. */
static int first_error(struct comm *comm, int mine, bool *said)
{
    enum { SAID = 1 << 30 };
    int class = MPI_SUCCESS;
    if (mine != MPI_SUCCESS)
        real_must(Error_class, mine, &class);
    int64_t *all = file_exchange(comm, class | (*said ? SAID : 0));
    *said = all[0] & SAID;
    for (int i = comm_members(comm) - 1; i >= 0; i--)
        if ((all[i] & ~(int64_t)SAID) != MPI_SUCCESS)
            class = (int)(all[i] & ~(int64_t)SAID);
    free(all);
    return class;
}

static void announce_file_name(const struct file *file)
{
    struct op op = {.kind = OP_CONTEXT_NAME, .context = file->comm->context};
    channel_post(&op, file->name, strlen(file->name) + 1);
}

static struct file *file_new(struct comm *parent, MPI_Comm handle, const char *name, int amode)
{
    enum { SALT = 0xf11e };
    struct file *file = shim_alloc(sizeof *file);
    *file = (struct file){.amode = amode};
    file->comm = comm_new(parent, context_derive(parent->context, parent->turns, SALT), group_copy(parent->local),
                          NULL, handle);
    object_freed(OBJECT_COMM, HANDLE_KEY(handle)); /* never was the program's */
    file->name = shim_alloc(strlen(name) + 1);
    strcpy(file->name, name);
    announce_file_name(file);
    file_view_reset(&file->view);
    return file;
}

static void file_delete(struct file *file)
{
    file_view_release(&file->view);
    comm_drop(file->comm);
    free(file->path);
    free(file->name);
    free(file);
}

static const char nowhere[] = "/nowhere/and never"; /* for the library to say what it says of a file that is not there */

/*
 * What the real library is told.  The members are strangers to it, so it may not
 * think that nobody else has the file open, nor delete it under their feet; and
 * a sequential file has only the shared pointer, which is the shim's.
 */
static int open_here(const struct file *file, bool create, enum file_there there, MPI_Info info, MPI_File *handle)
{
    int amode = file->amode & ~(MPI_MODE_UNIQUE_OPEN | MPI_MODE_DELETE_ON_CLOSE | MPI_MODE_SEQUENTIAL);
    if (!create)
        amode &= ~(MPI_MODE_EXCL | (channel_head()->files_apart ? 0 : MPI_MODE_CREATE)); /* in a search, others may remove it meanwhile */
    if (there == NOT_THERE_IN_RUN && create && amode & MPI_MODE_CREATE)
        amode &= ~MPI_MODE_EXCL; /* what is on the disk is of another run */
    else if (there == NOT_THERE_IN_RUN)
        return real.File_open(file->comm->handle, nowhere, amode, info, handle);
    return real.File_open(file->comm->handle, file->name, amode, info, handle);
}

/*
 * One member creates, then the others open what is there.  They try even if it
 * failed, so that most of them see the same error with their own eyes.
 */
static int open_in_order(const struct file *file, enum file_there there, MPI_Info info, MPI_File *handle)
{
    bool creates = file->comm->rank == 0;
    if (!(file->amode & MPI_MODE_CREATE))
        return open_here(file, true, there, info, handle);
    int error = creates ? open_here(file, true, there, info, handle) : MPI_SUCCESS;
    if (creates && error == MPI_SUCCESS)
        own_contents_made(file);
    coll_exchange(file->comm, NULL, 0, NULL);
    return creates ? error : open_here(file, false, there, info, handle);
}

/* Opened by all or by none.  The library has raised this rank's own error already. */
static int open_together(struct file *file, MPI_Info info, MPI_File *handle)
{
    enum file_there there = THERE_AS_ON_DISK;
    bool known = file->comm->rank == 0 && own_contents_open(file, &there);
    int mine = open_in_order(file, there, info, handle);
    int class = first_error(file->comm, mine, &known);
    if (mine == MPI_SUCCESS && class == MPI_SUCCESS)
        own_contents_opened(file, known);
    if (mine != MPI_SUCCESS || class == MPI_SUCCESS)
        return mine;
    library_may_fail(real.File_close(handle)); /* what is told is why it was opened in vain */
    return raise_without_file(class);
}

/* The library has gone to the end of what is on the disk. */
static void go_to_end(MPI_File fh, struct file *file)
{
    MPI_Offset end;
    if (own_contents_end(file, &end))
        real_must(File_seek, fh, end, MPI_SEEK_SET);
}

static int open_as(struct comm *parent, const char *filename, int amode, MPI_Info info, const uint64_t *used, MPI_File *fh)
{
    MPI_Comm handle;
    int error = comm_back(parent, &handle);
    if (error != MPI_SUCCESS)
        return error;
    struct file *file = file_new(parent, handle, filename, amode);
    error = open_together(file, info, fh);
    if (error != MPI_SUCCESS) {
        file_delete(file);
        return error;
    }
    shared_pointer_open(&file->shared, file->comm, used);
    if (amode & MPI_MODE_APPEND)
        go_to_end(*fh, file);
    if (amode & MPI_MODE_APPEND)
        real_must(File_get_position, *fh, &file->shared.start);
    file_enter(*fh, file);
    object_made(OBJECT_FILE, HANDLE_KEY(*fh));
    file_remark_opened(file);
    return MPI_SUCCESS;
}

int body_File_open(MPI_Comm comm, const char *filename, int amode, MPI_Info info, MPI_File *fh)
{
    struct comm *parent = comm_find(comm);
    if (!parent || comm_is_inter(parent))
        return raise_without_file(MPI_ERR_COMM);
    uint64_t *used = agree_on_opening(parent, amode);
    if (!used)
        return raise_without_file(MPI_ERR_NOT_SAME);
    int error = open_as(parent, filename, amode, info, used, fh);
    free(used);
    return error;
}

int body_File_close(MPI_File *fh)
{
    struct file *file = file_find(*fh);
    if (!file)
        return real.File_close(fh);
    file_leave(*fh);
    object_freed(OBJECT_FILE, HANDLE_KEY(*fh));
    file_end_split(file);
    int error = real.File_close(fh);
    file_remark(file, FILE_CLOSED);
    file_agree(file);
    shared_pointer_close(&file->shared);
    if (file->amode & MPI_MODE_DELETE_ON_CLOSE) {
        if (file->comm->rank == 0)
            error = body_File_delete(file->name, MPI_INFO_NULL);
        file_agree(file);
    }
    file_delete(file);
    return error;
}

/* In a sequential file the view may go on where the shared pointer is. */
static MPI_Offset displacement(MPI_File fh, struct file *file, MPI_Offset disp)
{
    if (disp == MPI_DISPLACEMENT_CURRENT && (file->amode & MPI_MODE_SEQUENTIAL)) {
        file_settle_pointer(file);
        real_must(File_get_byte_offset, fh, file->shared.start, &disp);
    }
    return disp;
}

int body_File_set_view(MPI_File fh, MPI_Offset disp, MPI_Datatype etype, MPI_Datatype filetype, const char *datarep,
                       MPI_Info info)
{
    struct file *file = file_find(fh);
    if (!file)
        return real.File_set_view(fh, disp, etype, filetype, datarep, info);
    MPI_Offset start = displacement(fh, file, disp);
    int error = real.File_set_view(fh, start, etype, filetype, datarep, info);
    if (error == MPI_SUCCESS) {
        file_view_set(&file->view, start, etype, filetype, datarep);
        shared_pointer_set(&file->shared, 0);
    }
    file_agree(file);
    return error;
}

static void tell_new_size(MPI_File fh, struct file *file)
{
    MPI_Offset size = 0;
    if (real.File_get_size(fh, &size) == MPI_SUCCESS)
        own_contents_resized(file, size);
}

/*
 * The size is changed once, while nobody else touches the file: to preallocate,
 * ROMIO reads all the data and writes them back.
 */
static int resize_file(MPI_File fh, MPI_Offset size, bool keeps, int (*change)(MPI_File, MPI_Offset))
{
    struct file *file = file_find(fh);
    if (!file)
        return change(fh, size);
    file_agree(file);
    bool first = file->comm->rank == 0, any = false;
    if (first && keeps)
        own_contents_settle_size(file);
    int mine = first ? change(fh, size) : MPI_SUCCESS;
    if (first && mine == MPI_SUCCESS)
        tell_new_size(fh, file);
    int class = first_error(file->comm, mine, &any);
    if (mine != MPI_SUCCESS || class == MPI_SUCCESS)
        return mine;
    return file_raise(fh, class);
}

int body_File_set_size(MPI_File fh, MPI_Offset size)
{
    return resize_file(fh, size, false, real.File_set_size);
}

int body_File_preallocate(MPI_File fh, MPI_Offset size)
{
    return resize_file(fh, size, true, real.File_preallocate);
}

int body_File_get_size(MPI_File fh, MPI_Offset *size)
{
    struct file *file = file_find(fh);
    return file && own_contents_size(file, size) ? MPI_SUCCESS : real.File_get_size(fh, size);
}

int body_File_seek(MPI_File fh, MPI_Offset offset, int whence)
{
    struct file *file = file_find(fh);
    MPI_Offset end;
    if (file && whence == MPI_SEEK_END && own_contents_end(file, &end))
        return real.File_seek(fh, end + offset, MPI_SEEK_SET);
    if (file && whence == MPI_SEEK_END)
        own_contents_settle_size(file);
    return real.File_seek(fh, offset, whence);
}

int body_File_delete(const char *filename, MPI_Info info)
{
    enum file_there there = own_contents_delete(filename);
    if (there == THERE_IN_RUN)
        return MPI_SUCCESS;
    return real.File_delete(there == NOT_THERE_IN_RUN ? nowhere : filename, info);
}

/* A collective call that each member does for itself. */
static int done_by_all(MPI_File fh, int error)
{
    struct file *file = file_find(fh);
    if (file)
        file_agree(file);
    return error;
}

int body_File_set_info(MPI_File fh, MPI_Info info)
{
    return done_by_all(fh, real.File_set_info(fh, info));
}

int body_File_set_atomicity(MPI_File fh, int flag)
{
    struct file *file = file_find(fh);
    int error = real.File_set_atomicity(fh, flag);
    if (file && error == MPI_SUCCESS)
        file->atomic = flag;
    return done_by_all(fh, error);
}

int body_File_sync(MPI_File fh)
{
    struct file *file = file_find(fh);
    int error = real.File_sync(fh);
    if (file && error == MPI_SUCCESS)
        file_remark(file, FILE_SYNCED);
    if (file && error == MPI_SUCCESS)
        own_contents_sync(file);
    return done_by_all(fh, error);
}

int body_File_get_group(MPI_File fh, MPI_Group *group)
{
    struct file *file = file_find(fh);
    if (!file)
        return real.File_get_group(fh, group);
    *group = group_handle(group_copy(file->comm->local));
    return MPI_SUCCESS;
}

int body_File_get_amode(MPI_File fh, int *amode)
{
    struct file *file = file_find(fh);
    if (!file)
        return real.File_get_amode(fh, amode);
    *amode = file->amode;
    return MPI_SUCCESS;
}
