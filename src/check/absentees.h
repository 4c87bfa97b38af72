/*
 * absentees -- collectives that some members never called.
 *
 * A collective is called by all members of its communicator (MPI Terms and Conventions, collective).
 * Where data flow asks for nobody who is missing, those who came pass; under another library, or with
 * more data, they wait for ever.  Judged when every rank has called MPI_Finalize: in any other run
 * those who are missing may have been on their way, and a deadlock tells of itself.
 */
#ifndef CHECK_ABSENTEES_H
#define CHECK_ABSENTEES_H

#include "check/defect.h"
#include "explore/explore.h"

void absentees_add(const struct explorer *, const struct run *, int ranks, defects_t *);

#endif
