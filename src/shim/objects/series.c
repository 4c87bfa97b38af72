#include "shim/objects/series.h"

#include <string.h>

#include "shim/channel.h"

enum { SERIES = 4 }; /* beyond CONTEXT_SALTS */

void series_open(struct series *series, const struct comm *comm, uint32_t turn)
{
    *series = (struct series){.context = context_derive(comm->context, turn, CONTEXT_SALTS + SERIES)};
    context_announce(series->context, comm->context, comm->local_first ? comm->local : comm->remote,
                     comm->local_first ? comm->remote : comm->local);
    context_announce_name(series->context, comm);
}

void series_close(const struct series *series)
{
    context_leave(series->context);
}
