#include <limits.h>
#include <stddef.h>

#include "shim/library/library.h"

const struct library_traits library_traits = {
    .name = "mpich",
    .binding = (const char *const[]){"libmpichfort.so*", "libmpifort.so*", "libmpichcxx.so*", "libmpicxx.so*", NULL},
    .file = (const char *const[]){"libmpich.so*", "libmpi.so*", "libpmpi.so*", NULL},
    .raises_on_null_file = true, /* each close of a file takes a reference too many from the handler */
    .last_split_type = MPIX_COMM_TYPE_NEIGHBORHOOD,
    /* It takes a message in two parts apart byte by byte if that is short: no lending where one may be. */
    .sent_from = 8192,
    .received_from = INT_MAX,
    .in_turns_from = INT_MAX, /* ranks that take turns on a processor do not give it away */
};
