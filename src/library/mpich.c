#include <stddef.h>

#include "library/library.h"

extern const struct mpi_library library_mpich __attribute__((visibility("hidden")));

const struct mpi_library library_mpich = {
    .name = "mpich",
    .title = "MPICH",
    .file = (const char *const[]){"libmpich.so.12", "libmpi.so.12", NULL},
    .any_version = (const char *const[]){"libmpi.so", "libmpich.so", NULL},
    .symbol = "MPIR_Dup_fn",
    .inner = "MPIR_",
    .launcher = (const char *const[]){"mpiexec.mpich", "mpiexec.hydra", "mpiexec", NULL},
    .launcher_words = "",
    .launcher_words_of_root = "",
    .segment = (const char *const[]){"/dev/shm/mpich_shar_tmp", NULL},
    .single = (const struct library_variable[]){{NULL, NULL}},
    .job = (const struct library_variable[]){{NULL, NULL}},
};
