#include "shim/objects/status.h"

#include "shim/core/library_code.h"

/* Every request begins with one, so it is made once. */
void status_empty(MPI_Status *status)
{
    static MPI_Status empty;
    static bool made;
    if (!made) {
        status_set(&empty, MPI_ANY_SOURCE, MPI_ANY_TAG, 0, false);
        empty.MPI_ERROR = MPI_SUCCESS;
        made = true;
    }
    *status = empty;
}

void status_null_peer(MPI_Status *status)
{
    status_set(status, MPI_PROC_NULL, MPI_ANY_TAG, 0, false);
}

void status_set(MPI_Status *status, int source, int tag, uint64_t bytes, bool cancelled)
{
    status->MPI_SOURCE = source;
    status->MPI_TAG = tag;
    real_must(Status_set_elements_x, status, MPI_BYTE, bytes);
    real_must(Status_set_cancelled, status, cancelled);
}

void status_tell(MPI_Status *status, int source, int tag, uint64_t bytes)
{
    MPI_Status told;
    if (status == MPI_STATUS_IGNORE)
        return;
    status_empty(&told);
    status_set(&told, source, tag, bytes, false);
    status_copy(status, &told);
}

void status_forget(MPI_Status *status)
{
    MPI_Status none;
    status_empty(&none);
    status_copy(status, &none);
}

void status_copy(MPI_Status *to, const MPI_Status *from)
{
    if (to == MPI_STATUS_IGNORE)
        return;
    int error = to->MPI_ERROR;
    *to = *from;
    to->MPI_ERROR = error;
}
