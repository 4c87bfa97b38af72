#include <stddef.h>

#include "shim/library/library.h"

const struct library_traits library_traits = {
    .name = "openmpi",
    .binding = (const char *const[]){"libmpi_*.so*", NULL},
    .file = (const char *const[]){"libmpi.so*", "libopen-*.so*", "libmca_*.so*", "mca_*.so*", NULL},
    .has_classes_of_null = true,
    .tells_first_of_several = true,
    .tells_when_completed = true,
    .leaves_refused_grid = true,
    .allocates_windows_with_threads = true, /* osc/pt2pt says so, and osc/sm makes those that bring their memory */
    .last_split_type = OMPI_COMM_TYPE_CLUSTER,
    .sent_from = 4096,
    .received_from = 4096,
    .in_turns_from = 1 << 17,
};
