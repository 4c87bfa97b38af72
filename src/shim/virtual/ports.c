/*
 * ports -- MPI_Comm_accept and MPI_Comm_connect: two sides that have nothing in common but a name (call/dynamic.h).
 *
 * A port is named by the rank that has opened it and by its number there.  The root that connects sends its side to that rank, and waits;
 * the root that accepts takes one such message, from anybody, and answers with its own side.  Then both go on as the leaders of
 * MPI_Intercomm_create do.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "shim/channel.h"
#include "shim/core/error.h"
#include "shim/core/refusal.h"
#include "shim/virtual/dynamic_mail.h"
#include "shim/virtual/group_comm.h"
#include "shim/virtual/intercomm.h"
#include "shim/virtual/registry.h"
#include "shim/virtual/sockets.h"

#define PORT_FORMAT "tourney-port:%d:%d"

enum { MOST_PORTS = 1 << 20 };

static struct {
    bool *open; /* owned; by number */
    int opened;
} ports;

struct port {
    rank_t owner;
    int number;
};

/* False: it is no port. */
static bool read_port(const char *name, struct port *port)
{
    int length = 0;
    return name && sscanf(name, PORT_FORMAT "%n", &port->owner, &port->number, &length) == 2 && !name[length] &&
           port->owner >= 0 && port->owner < shim.size && port->number >= 0 && port->number < MOST_PORTS;
}

static bool is_open_here(const struct port *port)
{
    return port->owner == shim.rank && port->number < ports.opened && ports.open[port->number];
}

int port_new_number(void)
{
    ports.open = shim_realloc(ports.open, (size_t)(ports.opened + 1) * sizeof *ports.open);
    ports.open[ports.opened] = true;
    return ports.opened++;
}

int body_Open_port(MPI_Info info, char *port_name)
{
    (void)info;
    snprintf(port_name, MPI_MAX_PORT_NAME, PORT_FORMAT, shim.rank, port_new_number());
    return MPI_SUCCESS;
}

int body_Close_port(const char *port_name)
{
    struct port port;
    if (!read_port(port_name, &port) || !is_open_here(&port))
        return error_argument(NULL, MPI_ERR_PORT, "this rank has not opened the port, or has closed it");
    ports.open[port.number] = false;
    return MPI_SUCCESS;
}

/* Both sides begin with this: what the root has heard, or NULL, if it is no port. */
typedef struct side *hear_other_side(struct comm *, const char *port_name, size_t *bytes);

static int meet_at_port(const char *port_name, int root, MPI_Comm comm, MPI_Comm *newcomm, hear_other_side *hear)
{
    struct comm *c = comm_find(comm);
    size_t bytes = 0;
    int error = intercomm_check_root(c, root);
    if (error != MPI_SUCCESS)
        return error;
    *newcomm = MPI_COMM_NULL;
    struct side *heard = c->rank == root ? hear(c, port_name, &bytes) : NULL;
    error = intercomm_join(c, root, heard, bytes, MPI_ERR_PORT, newcomm);
    free(heard);
    return error;
}

static struct side *accept_side(struct comm *c, const char *port_name, size_t *bytes)
{
    struct port port;
    size_t our_bytes;
    rank_t source;
    if (!read_port(port_name, &port) || !is_open_here(&port))
        return NULL;
    struct side *heard = dynamic_receive(c, RANK_ANY, DYNAMIC_PORT + port.number, bytes, &source);
    struct side *ours = side_of(c, &our_bytes);
    dynamic_send(&(struct dynamic_letter){.to = source, .tag = DYNAMIC_ACCEPTED, .body = ours, .bytes = our_bytes});
    free(ours);
    return heard;
}

static struct side *connect_side(struct comm *c, const char *port_name, size_t *bytes)
{
    struct port port;
    size_t our_bytes;
    rank_t source;
    if (!read_port(port_name, &port))
        return NULL;
    struct side *ours = side_of(c, &our_bytes);
    struct dynamic_letter letter = {.to = port.owner, .tag = DYNAMIC_PORT + port.number, .body = ours, .bytes = our_bytes};
    dynamic_send_waiting(c, &letter);
    free(ours);
    return dynamic_receive(c, port.owner, DYNAMIC_ACCEPTED, bytes, &source);
}

int body_Comm_accept(const char *port_name, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *newcomm)
{
    (void)info;
    return meet_at_port(port_name, root, comm, newcomm, accept_side);
}

int body_Comm_connect(const char *port_name, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *newcomm)
{
    (void)info;
    return meet_at_port(port_name, root, comm, newcomm, connect_side);
}

/* ---- over a socket ---- */

static bool swap_ranks(int fd, rank_t *other)
{
    return write(fd, &shim.rank, sizeof shim.rank) == sizeof shim.rank &&
           recv(fd, other, sizeof *other, MSG_WAITALL) == sizeof *other && *other >= 0 && *other < shim.size;
}

/* Who is at the other end is told through the socket, or known (sockets.h); all else goes as between the leaders of two groups. */
int body_Comm_join(int fd, MPI_Comm *intercomm)
{
    rank_t other = socket_peer(fd);
    MPI_Comm handle;
    if (channel_head()->copied && other == RANK_NONE)
        refuse_because("in a search, on a socket that ranks have not connected by bind, listen, accept and connect after MPI_Init: use tourney run");
    *intercomm = MPI_COMM_NULL;
    if ((other == RANK_NONE && !swap_ranks(fd, &other)) || other == shim.rank)
        return error_argument(comm_self(), MPI_ERR_ARG, "no other rank is at the other end of the socket");
    int error = comm_back(comm_self(), &handle);
    if (error != MPI_SUCCESS)
        return error;
    struct comm *leaders = join_leaders(shim.rank, other, "MPI_Comm_join", handle);
    error = intercomm_make(comm_self(), 0, leaders, group_index(leaders->local, other), 0, intercomm);
    return error == MPI_SUCCESS ? body_Comm_free(&handle) : error;
}
