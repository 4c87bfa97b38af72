#include "shim/virtual/departure.h"

#include <stddef.h>
#include <stdlib.h>

#include "shim/channel.h"
#include "shim/gate/ending.h"
#include "shim/virtual/destructors.h"

#pragma weak tourney_ending_hook
#pragma weak tourney_ending_is_known

/* All handlers that were registered before come later. */
static void leave_to_linker(int code, void *unused)
{
    (void)code, (void)unused;
    destructors_spare();
}

/*
 * The program's own handlers and destructors run: they may be where it calls MPI_Finalize, even those from before
 * MPI_Init.
 */
void leaving_watch(void)
{
    if (!channel_head()->copied)
        return;
    destructors_look();
    if (&tourney_ending_is_known && tourney_ending_is_known)
        tourney_ending_hook = destructors_run;
    else
        on_exit(leave_to_linker, NULL);
}
