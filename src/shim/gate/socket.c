/*
 * socket -- calls on sockets, which the shim answers where ranks are copied (shim/virtual/sockets.h); all others go to the C library.
 *
 * Data do not go that way, so of what reads and writes only that is asked whether it may.
 */
#include <dlfcn.h>
#include <sys/socket.h>
#include <unistd.h>

#include "shim/gate/gate.h"
#include "shim/gate/kept_state.h"

#define EXPORTED __attribute__((visibility("default")))
#define HIDDEN __attribute__((visibility("hidden")))
#define CALLER __builtin_return_address(0)

HIDDEN gate_socket_function *gate_connects;

/* All at once, so that the memory of a rank does not depend on what it has called. */
static struct {
    int (*bind)(int, const struct sockaddr *, socklen_t);
    int (*listen)(int, int);
    int (*accept4)(int, struct sockaddr *, socklen_t *, int);
    int (*connect)(int, const struct sockaddr *, socklen_t);
    int (*getsockname)(int, struct sockaddr *, socklen_t *);
    int (*close)(int);
    ssize_t (*read)(int, void *, size_t);
    ssize_t (*write)(int, const void *, size_t);
    ssize_t (*recv)(int, void *, size_t, int);
    ssize_t (*send)(int, const void *, size_t, int);
    ssize_t (*recvmsg)(int, struct msghdr *, int);
    ssize_t (*sendmsg)(int, const struct msghdr *, int);
} next;

__attribute__((constructor)) static void find_next_of_sockets(void)
{
    if (next.bind)
        return;
    *(void **)&next.listen = dlsym(RTLD_NEXT, "listen");
    *(void **)&next.accept4 = dlsym(RTLD_NEXT, "accept4");
    *(void **)&next.connect = dlsym(RTLD_NEXT, "connect");
    *(void **)&next.getsockname = dlsym(RTLD_NEXT, "getsockname");
    *(void **)&next.close = dlsym(RTLD_NEXT, "close");
    *(void **)&next.read = dlsym(RTLD_NEXT, "read");
    *(void **)&next.write = dlsym(RTLD_NEXT, "write");
    *(void **)&next.recv = dlsym(RTLD_NEXT, "recv");
    *(void **)&next.send = dlsym(RTLD_NEXT, "send");
    *(void **)&next.recvmsg = dlsym(RTLD_NEXT, "recvmsg");
    *(void **)&next.sendmsg = dlsym(RTLD_NEXT, "sendmsg");
    *(void **)&next.bind = dlsym(RTLD_NEXT, "bind");
}

static bool has_own; /* the shim has had a socket to care for */

/* Whether the shim has done it. */
static bool shim_has_done(enum gate_socket kind, int fd, const void *address, socklen_t *bytes, const void *caller, int *result)
{
    find_next_of_sockets();
    struct gate_socket_call call = {kind, fd, (void *)address, bytes, caller};
    bool begins = kind == GATE_SOCKET_BIND || kind == GATE_SOCKET_CONNECT;
    if (!gate_connects || !(begins || has_own) || !gate_is_of_copied_program(caller) || !gate_connects(&call, result))
        return false;
    has_own = true;
    return true;
}

EXPORTED int bind(int fd, const struct sockaddr *address, socklen_t bytes)
{
    int result;
    return shim_has_done(GATE_SOCKET_BIND, fd, address, &bytes, CALLER, &result) ? result : next.bind(fd, address, bytes);
}

EXPORTED int listen(int fd, int backlog)
{
    int result;
    return shim_has_done(GATE_SOCKET_LISTEN, fd, NULL, NULL, CALLER, &result) ? result : next.listen(fd, backlog);
}

EXPORTED int accept(int fd, struct sockaddr *restrict address, socklen_t *restrict bytes)
{
    int result;
    return shim_has_done(GATE_SOCKET_ACCEPT, fd, address, bytes, CALLER, &result) ? result : next.accept4(fd, address, bytes, 0);
}

EXPORTED int accept4(int fd, struct sockaddr *restrict address, socklen_t *restrict bytes, int flags)
{
    int result;
    return shim_has_done(GATE_SOCKET_ACCEPT, fd, address, bytes, CALLER, &result) ? result : next.accept4(fd, address, bytes, flags);
}

EXPORTED int connect(int fd, const struct sockaddr *address, socklen_t bytes)
{
    int result;
    return shim_has_done(GATE_SOCKET_CONNECT, fd, address, &bytes, CALLER, &result) ? result : next.connect(fd, address, bytes);
}

EXPORTED int getsockname(int fd, struct sockaddr *restrict address, socklen_t *restrict bytes)
{
    int result;
    return shim_has_done(GATE_SOCKET_NAME, fd, address, bytes, CALLER, &result) ? result : next.getsockname(fd, address, bytes);
}

EXPORTED int close(int fd)
{
    int result;
    shim_has_done(GATE_SOCKET_CLOSE, fd, NULL, NULL, CALLER, &result);
    return next.close(fd);
}

/* The shim does not return if it is one of its own. */
static void ask_for_data(int fd, const void *caller)
{
    int result;
    shim_has_done(GATE_SOCKET_DATA, fd, NULL, NULL, caller, &result);
}

EXPORTED ssize_t read(int fd, void *to, size_t bytes)
{
    ask_for_data(fd, CALLER);
    return next.read(fd, to, bytes);
}

EXPORTED ssize_t write(int fd, const void *from, size_t bytes)
{
    ask_for_data(fd, CALLER);
    return next.write(fd, from, bytes);
}

EXPORTED ssize_t recv(int fd, void *to, size_t bytes, int flags)
{
    ask_for_data(fd, CALLER);
    return next.recv(fd, to, bytes, flags);
}

EXPORTED ssize_t send(int fd, const void *from, size_t bytes, int flags)
{
    ask_for_data(fd, CALLER);
    return next.send(fd, from, bytes, flags);
}

EXPORTED ssize_t recvmsg(int fd, struct msghdr *message, int flags)
{
    ask_for_data(fd, CALLER);
    return next.recvmsg(fd, message, flags);
}

EXPORTED ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
    ask_for_data(fd, CALLER);
    return next.sendmsg(fd, message, flags);
}
