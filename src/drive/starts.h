/*
 * starts -- processes that come up before they are asked for.
 *
 * To come up takes a process ten times as long as most searches need for anything else, nearly all of it in the MPI library; and a search asks for one rank after
 * the other, while those of `tourney run` come up side by side.  So a few that will be asked for are started ahead, and wait at the end of
 * MPI_Init: the next ranks, when the search asks for the first segment of one; and when a rank has come to its end, the processes in which this one
 * and the others are to do the same again (same_again.c).
 *
 * The law.  Only what the MPI library does comes to be at the same time.  What the program does before MPI_Init others may find, and nobody hears of it: so one is
 * started when the one before has come to MPI_Init, and none that is wanted goes on behind MPI_Init meanwhile.  Thus what happens is the same each
 * time, and in the order in which ranks of a play come up.  Once somebody has left traces behind MPI_Init (herd_run_aside), or nobody
 * would know, those who have come up by then might find them or not: they are ended, and whoever is asked for is started then.
 */
#ifndef DRIVE_STARTS_H
#define DRIVE_STARTS_H

#include "drive/inside.h"

/* `wanted`: there may be some. */
struct starts *starts_new(bool wanted);
void starts_free(struct starts *);

/* A process of a rank that is not started by others; it goes on behind MPI_Init, and more may come up meanwhile. */
int starts_take(struct drive *, rank_t);
/* A rank is about to be asked for its first segment, so others will be, too; and it was read from this animal. */
void starts_before_first(struct drive *);
void starts_after_first(struct drive *, int animal);
/* A rank has come to an end for the first time, and goes the same way again; so will others. */
void starts_before_proof(struct drive *, rank_t);
/* All that have come up ahead are ended, and no more do. */
void starts_end(struct drive *);

#endif
