/*
 * library_folders -- those that Open MPI makes for each process below TMPDIR, since version 5: ompi.NODE.USER/jf.0/JOB/RANK.
 *
 * It removes them at MPI_Finalize, which it never hears of here.  So while it comes up, TMPDIR is the folder of this rank that
 * tourney removes, the one that earlier versions are told by a variable of theirs.
 */
#include "shim/virtual/library_folders.h"

#include <stdlib.h>
#include <string.h>

#include "shim/library/maker.h"
#include "shim/shim.h"

static char *users; /* owned: the user's own TMPDIR; NULL: it is not set */

void library_folders_begin(void)
{
    if (!library_maker->makes_folders)
        return;
    const char *folder = getenv("TMPDIR"), *own = getenv("OMPI_MCA_orte_tmpdir_base");
    users = folder ? strcpy(shim_alloc(strlen(folder) + 1), folder) : NULL;
    if (own)
        setenv("TMPDIR", own, 1);
}

void library_folders_end(void)
{
    if (!library_maker->makes_folders)
        return;
    if (users)
        setenv("TMPDIR", users, 1);
    else
        unsetenv("TMPDIR");
    free(users);
    users = NULL;
}
