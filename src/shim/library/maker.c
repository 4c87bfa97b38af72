#include "shim/library/maker.h"

#include <dlfcn.h>
#include <limits.h>

static const struct library_maker mpich = {
    .raises_on_null_file = true, /* each close of a file takes a reference too many from the handler */
    .raises_on_self = true,
    /* It takes a message in two parts apart byte by byte if that is short: no lending where one may be. */
    .sent_from = 8192,
    .received_from = INT_MAX,
    .in_turns_from = INT_MAX, /* ranks that take turns on a processor do not give it away */
};

static const struct library_maker open_mpi = {
    .has_classes_of_null = true,
    .tells_first_of_several = true,
    .tells_when_completed = true,
    .leaves_refused_grid = true,
    .allocates_windows_with_threads = true, /* osc/pt2pt says so, and osc/sm makes those that bring their memory */
    .knows_universe = true,
    .has_shared_pset = true,
    .makes_folders = true,
    .sent_from = 4096,
    .received_from = 4096,
    .in_turns_from = 1 << 17,
};

const struct library_maker *library_maker = &mpich;

void library_maker_tell(void *library)
{
    library_maker = dlsym(library, "ompi_mpi_comm_world") ? &open_mpi : &mpich;
}
