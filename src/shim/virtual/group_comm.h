/*
 * group_comm -- communicators that are made of groups, and of no communicator before them.
 *
 * Those who make one have nothing in common but the group and a string, so these are what its context is derived from. What
 * comes after is as for any other communicator: it takes its first turn, in which all wait for all.
 */
#ifndef SHIM_VIRTUAL_GROUP_COMM_H
#define SHIM_VIRTUAL_GROUP_COMM_H

#include "shim/comm.h"

/* The two leaders, for whom nothing else is there yet; they need no meeting.  Takes the handle. */
struct comm *join_leaders(rank_t ours, rank_t theirs, const char *tag, MPI_Comm handle);

#endif
