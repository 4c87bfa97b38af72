/*
 * sockets -- connections between ranks in a search, for MPI_Comm_join.
 *
 * Where ranks are copied and run again nothing can come through a real socket, since nobody knows which process is at its other end.  So a
 * socket on which a rank listens is a port of it (call/dynamic.h), which is published at the registry under its address; who connects asks there, and sends
 * to that rank; who accepts receives from anybody.  No data go over such a connection: whoever sends some is refused.
 */
#ifndef SHIM_VIRTUAL_SOCKETS_H
#define SHIM_VIRTUAL_SOCKETS_H

#include "shim/shim.h"

/* Who is at the other end; RANK_NONE: it is no such connection. */
rank_t socket_peer(int fd);

#endif
