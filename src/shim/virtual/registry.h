/*
 * registry -- questions to the registry of names (call/dynamic.h).
 */
#ifndef SHIM_VIRTUAL_REGISTRY_H
#define SHIM_VIRTUAL_REGISTRY_H

#include <stdbool.h>

#include "call/dynamic.h"

/* Whether there is one, or will be when the search has begun anew. */
bool registry_is_there(void);

/* Whether it was done; what was found goes to `port`, if that is not NULL, which has MPI_MAX_PORT_NAME bytes. */
bool registry_ask(enum name_request, const char *name, const char *published, char *port);

/* The number of a new port of this rank. */
int port_new_number(void);

#endif
