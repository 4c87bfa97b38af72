/*
 * session_users -- whether the program may open a session: whether any part of it that is loaded refers to MPI_Session_init.
 *
 * A session may be the first one after MPI_Finalize (MPI-4.0, 11.3), so the library must stay up then.  Who looks the name up by dlsym is not seen.
 */
#ifndef SHIM_VIRTUAL_SESSION_USERS_H
#define SHIM_VIRTUAL_SESSION_USERS_H

#include <stdbool.h>

bool session_may_follow(void);

/* Looks at what is loaded by now, so that only the rest is looked at when it is asked: in a search, many runs of a rank come to that. */
void session_users_look_early(void);

#endif
