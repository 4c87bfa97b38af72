#include "shim/virtual/sockets.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "shim/bodies/entry.h"
#include "shim/channel.h"
#include "shim/core/refusal.h"
#include "shim/gate/gate.h"
#include "shim/virtual/dynamic_mail.h"
#include "shim/virtual/registry.h"

#define SOCKET_PORT "%d:%d" /* at the registry: the rank, and its port */

enum {
    FIRST_FREE_PORT = 40000, /* of those that are bound to no port in particular, */
    PORTS_OF_RANK = 64,      /* so many for each rank */
    SOCKETS = 64,
};

enum socket_state { SOCKET_NONE, SOCKET_BOUND, SOCKET_LISTENS, SOCKET_CONNECTED };

static struct virtual_socket {
    enum socket_state state;
    int fd;
    int number;  /* of the port, of one that listens */
    rank_t peer; /* of one that is connected */
    struct sockaddr_storage address;
    socklen_t bytes;
    char name[128]; /* of the address, at the registry */
} sockets[SOCKETS];
static int bound; /* without a port of their own */

static struct virtual_socket *find_socket(int fd, enum socket_state state)
{
    for (int i = 0; i < SOCKETS; i++)
        if (sockets[i].state == state && (state == SOCKET_NONE || sockets[i].fd == fd))
            return &sockets[i];
    return NULL;
}

static struct virtual_socket *new_socket(int fd, enum socket_state state)
{
    struct virtual_socket *socket = find_socket(0, SOCKET_NONE);
    if (!socket)
        refuse_because("in a search, with more than 64 sockets at a time");
    *socket = (struct virtual_socket){.state = state, .fd = fd, .peer = RANK_NONE};
    return socket;
}

rank_t socket_peer(int fd)
{
    const struct virtual_socket *socket = find_socket(fd, SOCKET_CONNECTED);
    return socket ? socket->peer : RANK_NONE;
}

static bool is_stream(int fd)
{
    int type = 0;
    socklen_t bytes = sizeof type;
    return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &bytes) == 0 && type == SOCK_STREAM;
}

static void want_blocking(int fd)
{
    if (fcntl(fd, F_GETFL) & O_NONBLOCK)
        refuse_because("in a search, for a socket that does not block");
}

/* Ranks may be at addresses of this machine only; by whichever of them, the port is the same.  False: it is none. */
static bool name_address(const struct sockaddr *address, char name[static 128])
{
    const struct sockaddr_in *four = (const void *)address;
    const struct sockaddr_in6 *six = (const void *)address;
    const struct sockaddr_un *local = (const void *)address;
    if (address->sa_family == AF_INET && (ntohl(four->sin_addr.s_addr) >> 24 == 127 || four->sin_addr.s_addr == 0))
        return snprintf(name, 128, "socket inet %d", ntohs(four->sin_port)) < 128;
    if (address->sa_family == AF_INET6 && (IN6_IS_ADDR_LOOPBACK(&six->sin6_addr) || IN6_IS_ADDR_UNSPECIFIED(&six->sin6_addr)))
        return snprintf(name, 128, "socket inet %d", ntohs(six->sin6_port)) < 128;
    return address->sa_family == AF_UNIX && local->sun_path[0] &&
           snprintf(name, 128, "socket local %.*s", (int)sizeof local->sun_path, local->sun_path) < 128;
}

static void choose_free_port(struct sockaddr *address)
{
    in_port_t *port = address->sa_family == AF_INET    ? &((struct sockaddr_in *)address)->sin_port
                      : address->sa_family == AF_INET6 ? &((struct sockaddr_in6 *)address)->sin6_port
                                                       : NULL;
    if (port && *port == 0)
        *port = htons((uint16_t)(FIRST_FREE_PORT + shim.rank * PORTS_OF_RANK + bound++ % PORTS_OF_RANK));
}

static bool bind_socket(const struct gate_socket_call *call, int *result)
{
    char name[128];
    if (*call->bytes > sizeof(struct sockaddr_storage) || !is_stream(call->fd) || !name_address(call->address, name) ||
        !registry_is_there())
        return false;
    struct virtual_socket *socket = new_socket(call->fd, SOCKET_BOUND);
    memcpy(&socket->address, call->address, *call->bytes);
    socket->bytes = *call->bytes;
    choose_free_port((struct sockaddr *)&socket->address);
    name_address((struct sockaddr *)&socket->address, socket->name);
    *result = 0;
    return true;
}

static bool listen_at_socket(const struct gate_socket_call *call, int *result)
{
    char port[MPI_MAX_PORT_NAME];
    struct virtual_socket *socket = find_socket(call->fd, SOCKET_BOUND);
    if (!socket)
        return false;
    socket->number = port_new_number();
    snprintf(port, sizeof port, SOCKET_PORT, shim.rank, socket->number);
    *result = registry_ask(NAME_PUBLISH, socket->name, port, NULL) ? 0 : -1;
    if (*result == 0)
        socket->state = SOCKET_LISTENS;
    else
        errno = EADDRINUSE;
    return true;
}

static bool accept_at_socket(const struct gate_socket_call *call, int *result)
{
    const struct virtual_socket *listening = find_socket(call->fd, SOCKET_LISTENS);
    size_t bytes;
    rank_t source;
    if (!listening)
        return false;
    want_blocking(call->fd);
    free(dynamic_receive(comm_self(), RANK_ANY, DYNAMIC_PORT + listening->number, &bytes, &source));
    *result = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (*result >= 0)
        new_socket(*result, SOCKET_CONNECTED)->peer = source;
    if (call->address && call->bytes && *call->bytes >= sizeof(sa_family_t)) {
        ((struct sockaddr *)call->address)->sa_family = AF_UNIX;
        *call->bytes = sizeof(sa_family_t);
    }
    return true;
}

/* One that choose_free_port has given out, to whomever. */
static bool is_port_of_rank(const struct sockaddr *address)
{
    const struct sockaddr_in *four = (const void *)address;
    const struct sockaddr_in6 *six = (const void *)address;
    int port = address->sa_family == AF_INET ? ntohs(four->sin_port) : address->sa_family == AF_INET6 ? ntohs(six->sin6_port) : 0;
    return port >= FIRST_FREE_PORT && port < FIRST_FREE_PORT + shim.size * PORTS_OF_RANK;
}

/* At an address where no rank listens may be somebody else, unless only ranks have such. */
static bool connect_socket(const struct gate_socket_call *call, int *result)
{
    char name[128], port[MPI_MAX_PORT_NAME] = "";
    int owner, number;
    if (!is_stream(call->fd) || !name_address(call->address, name) || !registry_is_there())
        return false;
    if (!registry_ask(NAME_LOOKUP, name, "", port) || sscanf(port, SOCKET_PORT, &owner, &number) != 2) {
        *result = -1;
        errno = ECONNREFUSED;
        return is_port_of_rank(call->address);
    }
    want_blocking(call->fd);
    dynamic_send(&(struct dynamic_letter){.to = owner, .tag = DYNAMIC_PORT + number, .body = "", .bytes = 0});
    new_socket(call->fd, SOCKET_CONNECTED)->peer = owner;
    *result = 0;
    return true;
}

static bool tell_name(const struct gate_socket_call *call, int *result)
{
    const struct virtual_socket *socket = find_socket(call->fd, SOCKET_BOUND);
    if (!socket)
        socket = find_socket(call->fd, SOCKET_LISTENS);
    if (!socket)
        return false;
    memcpy(call->address, &socket->address, *call->bytes < socket->bytes ? *call->bytes : socket->bytes);
    *call->bytes = socket->bytes;
    *result = 0;
    return true;
}

/* Who has closed a socket listens there no more; who has connected before that waits for ever. */
static void close_socket(int fd)
{
    for (int i = 0; i < SOCKETS; i++) {
        if (sockets[i].state == SOCKET_NONE || sockets[i].fd != fd)
            continue;
        if (sockets[i].state == SOCKET_LISTENS)
            registry_ask(NAME_UNPUBLISH, sockets[i].name, "", NULL);
        sockets[i] = (struct virtual_socket){0};
    }
}

static bool is_known_socket(int fd)
{
    for (int i = 0; i < SOCKETS; i++)
        if (sockets[i].state != SOCKET_NONE && sockets[i].fd == fd)
            return true;
    return false;
}

static bool serve_socket(const struct gate_socket_call *call, int *result)
{
    switch (call->kind) {
    case GATE_SOCKET_BIND:
        return bind_socket(call, result);
    case GATE_SOCKET_LISTEN:
        return listen_at_socket(call, result);
    case GATE_SOCKET_ACCEPT:
        return accept_at_socket(call, result);
    case GATE_SOCKET_CONNECT:
        return connect_socket(call, result);
    case GATE_SOCKET_NAME:
        return tell_name(call, result);
    case GATE_SOCKET_CLOSE:
        close_socket(call->fd);
        return true;
    case GATE_SOCKET_DATA:
        refuse_because("in a search, for a socket over which data go as well: use tourney run");
    }
    return false;
}

__attribute__((visibility("default"))) gate_socket_function tourney_shim_socket;
bool tourney_shim_socket(const struct gate_socket_call *call, int *result)
{
    struct entry entry;
    bool begins = call->kind == GATE_SOCKET_BIND || call->kind == GATE_SOCKET_CONNECT;
    if (!shim.initialized || shim.finalized || entry_is_open() || !channel_head()->copied || (!begins && !is_known_socket(call->fd)))
        return false;
    entry_begin(&entry, CALL_Comm_join, call->place);
    bool done = serve_socket(call, result);
    int error = errno;
    entry_end(&entry);
    errno = error;
    return done;
}
