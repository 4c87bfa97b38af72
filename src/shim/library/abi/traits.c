/* The binary interface of MPI 5, which several makers have: files of all of them.  What its bindings for Fortran are called, the standard says. */
#include <mpi.h>
#include <stddef.h>

#include "shim/library/library.h"

const struct library_traits library_traits = {
    .name = "abi",
    .binding = (const char *const[]){"libmpifort_abi.so*", NULL},
    .file = (const char *const[]){"libmpi_abi*.so*", "libopen-*.so*", "libopen_mpi*.so*", "libmca_*.so*", "mca_*.so*", NULL},
    .automatic_buffer = MPI_BUFFER_AUTOMATIC,
    .last_split_type = MPI_COMM_TYPE_RESOURCE_GUIDED,
    .hardware_split_type = {MPI_COMM_TYPE_HW_GUIDED, MPI_COMM_TYPE_HW_UNGUIDED},
};
