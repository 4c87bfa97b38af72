#include <stddef.h>

#include "shim/library/library.h"

const struct library_traits library_traits = {
    .name = "openmpi",
    .binding = (const char *const[]){"libmpi_*.so*", NULL},
    .file = (const char *const[]){"libmpi.so*", "libopen-*.so*", "libopen_mpi*.so*", "libmca_*.so*", "mca_*.so*", NULL},
    .automatic_buffer = (void *)4,
    .last_split_type = 15,
    .hardware_split_type = {13, 12},
};
