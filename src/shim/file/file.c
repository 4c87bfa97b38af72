#include "shim/file/file.h"

#include <stdlib.h>
#include <string.h>

#include "shim/core/handle.h"
#include "shim/core/library_code.h"
#include "shim/virtual/coll.h"

static struct handle_map files;

struct file *file_find(MPI_File handle)
{
    return handle_map_get(&files, HANDLE_KEY(handle));
}

void file_agree(struct file *file)
{
    coll_exchange(file->comm, NULL, 0, NULL);
}

void file_settle_pointer(struct file *file)
{
    int64_t *all = file_exchange(file->comm, file->shared.moved);
    bool moved = false;
    for (int i = 0; i < comm_members(file->comm); i++)
        moved |= all[i] != 0;
    free(all);
    shared_pointer_settle(&file->shared, file->comm, moved);
}

int file_raise(MPI_File handle, int error_class)
{
    library_may_fail(real.File_call_errhandler(handle, error_class)); /* some libraries return the error itself */
    return error_class;
}

/* Zeros first: a member that is in another call brings nothing. */
int64_t *file_exchange(struct comm *comm, int64_t mine)
{
    size_t bytes = (size_t)comm_members(comm) * sizeof mine;
    int64_t *all = memset(shim_alloc(bytes), 0, bytes);
    coll_exchange(comm, &mine, sizeof mine, all);
    return all;
}

void file_enter(MPI_File handle, struct file *file)
{
    handle_map_put(&files, HANDLE_KEY(handle), file);
}

void file_leave(MPI_File handle)
{
    handle_map_remove(&files, HANDLE_KEY(handle));
}
