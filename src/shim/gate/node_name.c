/*
 * node_name -- the name of the machine, where ranks are on several nodes (--nodes).
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "arch/system_call.h"
#include "call/wire.h"
#include "shim/gate/gate.h"
#include "shim/gate/kept_state.h"

#define EXPORTED __attribute__((visibility("default")))

/* False: there is one node, which has its own name. */
static bool put_node_name(char *name, size_t room)
{
    const char *text = getenv(WIRE_ENV_NODES), *world = getenv(WIRE_ENV), *rank = world ? strrchr(world, ':') : NULL;
    int ranks = text ? atoi(text) : 0;
    if (ranks <= 0 || !rank)
        return false;
    snprintf(name, room, "node%d", atoi(rank + 1) / ranks);
    return true;
}

static int ask_system(struct utsname *system)
{
    return (int)system_call_result(system_call(SYS_uname, (long)system, 0, 0, 0, 0, 0));
}

EXPORTED int uname(struct utsname *system)
{
    int result = ask_system(system);
    if (result == 0 && gate_is_of_program(__builtin_return_address(0)))
        put_node_name(system->nodename, sizeof system->nodename);
    return result;
}

EXPORTED int gethostname(char *name, size_t room)
{
    struct utsname system;
    if (ask_system(&system) < 0)
        return -1;
    if (gate_is_of_program(__builtin_return_address(0)))
        put_node_name(system.nodename, sizeof system.nodename);
    size_t length = strlen(system.nodename) + 1;
    memcpy(name, system.nodename, length < room ? length : room);
    return length <= room ? 0 : (int)system_call_result(-ENAMETOOLONG);
}
