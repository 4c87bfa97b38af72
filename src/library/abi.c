#include <stddef.h>

#include "library/library.h"

extern const struct mpi_library library_abi __attribute__((visibility("hidden")));

/* The binary interface of MPI 5.  The standard says what its library is called; how it is started, its maker says. */
const struct mpi_library library_abi = {
    .name = "abi",
    .title = "MPI-5 ABI",
    .file = (const char *const[]){"libmpi_abi.so.1", NULL},
    .any_version = (const char *const[]){"libmpi_abi.so", NULL},
    .launcher = (const char *const[]){NULL},
    .launcher_words = "",
    .launcher_words_of_root = "",
    .segment = (const char *const[]){NULL},
    .single = (const struct library_variable[]){{NULL, NULL}},
    .job = (const struct library_variable[]){{NULL, NULL}},
};
