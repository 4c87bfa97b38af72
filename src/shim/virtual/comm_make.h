/*
 * comm_make -- communicators made from communicators.
 */
#ifndef SHIM_VIRTUAL_COMM_MAKE_H
#define SHIM_VIRTUAL_COMM_MAKE_H

#include "shim/comm.h"

/*
 * What MPI_Comm_split does, on intra- and intercommunicators: those of one colour,
 * by key and then by old rank.  MPI_COMM_NULL for the colour MPI_UNDEFINED, or
 * when the other side has nobody of this colour.  Most constructors are splits.
 */
int comm_split(struct comm *old, int color, int key, MPI_Comm *newcomm);

#endif
