/*
 * message -- what the user holds of a message that a matched probe has taken.
 */
#ifndef SHIM_BODIES_MESSAGE_H
#define SHIM_BODIES_MESSAGE_H

#include "shim/request.h"

MPI_Message message_back(struct request *);
void message_release(struct request *, MPI_Message *); /* and makes it MPI_MESSAGE_NULL */

#endif
