/*
 * names -- MPI_Publish_name and MPI_Lookup_name: questions to the registry (call/dynamic.h).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shim/channel.h"
#include "shim/core/error.h"
#include "shim/core/refusal.h"
#include "shim/virtual/dynamic_mail.h"
#include "shim/virtual/registry.h"

enum { NO_SPAWN = -1 };

/* That there is a registry is found out by asking for no places. */
bool registry_is_there(void)
{
    return channel_head()->ranks != channel_head()->first_ranks || channel_places((uint32_t)NO_SPAWN, 0) != RANK_NONE;
}

static rank_t find_registry(void)
{
    if (!registry_is_there())
        refuse_because("with --max-spawn 0, --record, --engine=paths, predict, model and explain-states");
    return dynamic_registry(shim.size);
}

bool registry_ask(enum name_request request, const char *name, const char *published, char *port)
{
    struct name_message head = {.request = request, .name = (uint32_t)strlen(name), .port = (uint32_t)strlen(published)};
    rank_t registry = find_registry(), source;
    size_t bytes = sizeof head + head.name + head.port, answered;
    char *text = shim_alloc(bytes);
    memcpy(text, &head, sizeof head);
    memcpy(text + sizeof head, name, head.name);
    memcpy(text + sizeof head + head.name, published, head.port);
    dynamic_send(&(struct dynamic_letter){.to = registry, .tag = DYNAMIC_NAME, .body = text, .bytes = bytes});
    free(text);
    struct name_answer *answer = dynamic_receive(comm_self(), registry, DYNAMIC_NAME_ANSWER, &answered, &source);
    bool done = answer->done;
    if (done && port)
        snprintf(port, MPI_MAX_PORT_NAME, "%.*s", (int)answer->port, (const char *)(answer + 1));
    free(answer);
    return done;
}

int body_Publish_name(const char *service_name, MPI_Info info, const char *port_name)
{
    (void)info;
    if (registry_ask(NAME_PUBLISH, service_name, port_name, NULL))
        return MPI_SUCCESS;
    return error_argument(NULL, MPI_ERR_SERVICE, "a port is published under this name already");
}

int body_Unpublish_name(const char *service_name, MPI_Info info, const char *port_name)
{
    (void)info, (void)port_name;
    if (registry_ask(NAME_UNPUBLISH, service_name, "", NULL))
        return MPI_SUCCESS;
    return error_argument(NULL, MPI_ERR_SERVICE, "no port is published under this name");
}

/* That there is none yet is an error of class MPI_ERR_NAME, and no mistake: programs try again. */
int body_Lookup_name(const char *service_name, MPI_Info info, char *port_name)
{
    (void)info;
    return registry_ask(NAME_LOOKUP, service_name, "", port_name) ? MPI_SUCCESS : error_raise(NULL, MPI_ERR_NAME);
}
