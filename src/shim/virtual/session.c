#include "shim/virtual/session.h"

#include "shim/shim.h"

/* An mpi.h before MPI 4.0 does not know them, and such calls are refused by name (bodies/lacking.h). */
#ifdef MPI_SESSION_NULL

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "shim/bodies/send_buffer.h"
#include "shim/comm.h"
#include "shim/core/error.h"
#include "shim/core/handle.h"
#include "shim/core/library_code.h"
#include "shim/library/maker.h"
#include "shim/objects/object.h"
#include "shim/virtual/nodes.h"

enum { PSET_WORLD, PSET_SELF, PSET_SHARED, PSETS, PSET_NONE };

/* In the order of both libraries; the last one is not MPICH's. */
static const char *const psets[PSETS] = {"mpi://WORLD", "mpi://SELF", "mpix://SHARED"};

static struct handle_map sessions; /* those that are open; of this very map */

static bool is_open_session(MPI_Session session)
{
    return session != MPI_SESSION_NULL && handle_map_get(&sessions, HANDLE_KEY(session));
}

static int wrong_session(void)
{
    return error_argument(NULL, MPI_ERR_SESSION, "the session is none, or was finalized");
}

/* The real one is behind it: error handlers and hints are there. */
int body_Session_init(MPI_Info info, MPI_Errhandler errhandler, MPI_Session *session)
{
    rank_open_session();
    int rc = real.Session_init(info, errhandler, session);
    if (rc == MPI_SUCCESS)
        handle_map_put(&sessions, HANDLE_KEY(*session), &sessions);
    else
        rank_close_session();
    return rc;
}

int body_Session_finalize(MPI_Session *session)
{
    if (!is_open_session(*session))
        return wrong_session();
    handle_map_remove(&sessions, HANDLE_KEY(*session));
    send_buffer_leave_session(HANDLE_KEY(*session));
    int rc = real.Session_finalize(session);
    rank_close_session();
    return rc;
}

static int known_psets(void)
{
    return library_maker->has_shared_pset ? PSETS : PSET_SHARED;
}

/*
 * Not the library's: it would ask the process manager, by a thread that a copy of the rank does not have.  Hints for this call
 * are not known.
 */
int body_Session_get_num_psets(MPI_Session session, MPI_Info info, int *npset_names)
{
    (void)info;
    if (!is_open_session(session))
        return wrong_session();
    *npset_names = known_psets();
    return MPI_SUCCESS;
}

/* As long as there is room for, with a zero behind it; without any room, only how long it is. */
int body_Session_get_nth_pset(MPI_Session session, MPI_Info info, int n, int *pset_len, char *pset_name)
{
    (void)info;
    if (!is_open_session(session))
        return wrong_session();
    if (n < 0 || n >= known_psets())
        return error_raise_on_session(session, MPI_ERR_ARG, "there is no process set of this number");
    if (*pset_len > 0)
        snprintf(pset_name, (size_t)*pset_len, "%s", psets[n]);
    *pset_len = (int)strlen(psets[n]) + 1;
    return MPI_SUCCESS;
}

/* Names of process sets do not depend on case. */
static int find_pset(const char *name)
{
    for (int i = 0; i < known_psets(); i++)
        if (strcasecmp(name, psets[i]) == 0)
            return i;
    return PSET_NONE;
}

/* Of this process: those of its world, itself, or those of its world on its node. */
static struct group *members_of_pset(int pset)
{
    const struct group *world = comm_world_group();
    struct group *members = group_copy(pset == PSET_SELF ? comm_self()->local : world);
    if (pset == PSET_SHARED) {
        members->size = 0;
        for (int i = 0; i < world->size; i++)
            if (node_of_rank(world->rank[i]) == node_of_rank(shim.rank))
                members->rank[members->size++] = world->rank[i];
    }
    return members;
}

int body_Session_get_pset_info(MPI_Session session, const char *pset_name, MPI_Info *info)
{
    if (!is_open_session(session))
        return wrong_session();
    int pset = find_pset(pset_name);
    if (pset == PSET_NONE)
        return error_raise_on_session(session, MPI_ERR_ARG, "there is no process set of this name");
    char size[16];
    struct group *members = members_of_pset(pset);
    snprintf(size, sizeof size, "%d", members->size);
    free(members);
    real_must(Info_create, info);
    real_must(Info_set, *info, "mpi_size", size);
    object_made(OBJECT_INFO, HANDLE_KEY(*info));
    return MPI_SUCCESS;
}

int body_Group_from_session_pset(MPI_Session session, const char *pset_name, MPI_Group *newgroup)
{
    if (!is_open_session(session))
        return wrong_session();
    int pset = find_pset(pset_name);
    *newgroup = MPI_GROUP_NULL;
    if (pset == PSET_NONE)
        return error_raise_on_session(session, MPI_ERR_ARG, "there is no process set of this name");
    struct group *g = members_of_pset(pset);
    g->session = HANDLE_KEY(session);
    *newgroup = group_handle(g);
    return MPI_SUCCESS;
}

int body_Session_attach_buffer(MPI_Session session, void *buffer, MPI_Count size)
{
    return is_open_session(session) ? send_buffer_attach_session(HANDLE_KEY(session), buffer, size) : wrong_session();
}

int body_Session_detach_buffer(MPI_Session session, void *buffer, MPI_Count *size)
{
    return is_open_session(session) ? send_buffer_detach_session(HANDLE_KEY(session), buffer, size) : wrong_session();
}

int body_Session_flush_buffer(MPI_Session session)
{
    if (!is_open_session(session))
        return wrong_session();
    send_buffer_flush_session(HANDLE_KEY(session));
    return MPI_SUCCESS;
}

int body_Session_iflush_buffer(MPI_Session session, MPI_Request *request)
{
    return is_open_session(session) ? send_buffer_iflush_session(HANDLE_KEY(session), request) : wrong_session();
}

#endif
