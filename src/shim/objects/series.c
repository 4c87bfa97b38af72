#include "shim/objects/series.h"

#include <string.h>

#include "shim/channel.h"

enum { SERIES = 4 }; /* beyond CONTEXT_SALTS */

/* In reports it goes by the name of the communicator. */
static void announce_series_name(const struct series *series, const struct comm *comm)
{
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length = 0;
    struct op op = {.kind = OP_CONTEXT_NAME, .context = series->context};
    if (real.Comm_get_name(comm->handle, name, &length) == MPI_SUCCESS && length > 0)
        channel_post(&op, name, (size_t)length + 1);
}

void series_open(struct series *series, const struct comm *comm, uint32_t turn)
{
    *series = (struct series){.context = context_derive(comm->context, turn, CONTEXT_SALTS + SERIES)};
    context_announce(series->context, comm->context, comm->local_first ? comm->local : comm->remote,
                     comm->local_first ? comm->remote : comm->local);
    announce_series_name(series, comm);
}

void series_close(const struct series *series)
{
    struct op op = {.kind = OP_CONTEXT_LEFT, .flags = OPF_WENT_ON, .context = series->context};
    channel_post(&op, NULL, 0);
}
