#include <stddef.h>

#include "shim/library/library.h"

const struct library_traits library_traits = {
    .name = "mpich",
    .binding = (const char *const[]){"libmpichfort.so*", "libmpifort.so*", "libmpichcxx.so*", "libmpicxx.so*", NULL},
    .file = (const char *const[]){"libmpich.so*", "libmpi.so*", "libpmpi.so*", NULL},
    .automatic_buffer = (void *)-2,
    .last_split_type = 5,
    .hardware_split_type = {2, 3},
};
