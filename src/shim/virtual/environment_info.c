#include "shim/virtual/environment_info.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "shim/comm.h"
#include "shim/core/library_code.h"

static bool has_key(const char *key)
{
    char value[MPI_MAX_INFO_VAL + 1];
    int there = 0;
    library_may_fail(real.Info_get(MPI_INFO_ENV, key, MPI_MAX_INFO_VAL, value, &there));
    return there;
}

void environment_info_open(void)
{
    static const char *const of_size[] = {"maxprocs", "soft", "ompi_np"};
    char number[16], folder[PATH_MAX];
    snprintf(number, sizeof number, "%d", comm_world_group()->size);
    for (size_t i = 0; i < sizeof of_size / sizeof *of_size; i++)
        if (has_key(of_size[i]))
            real_must(Info_set, MPI_INFO_ENV, of_size[i], number);
    if (has_key("command") && !has_key("wdir") && getcwd(folder, sizeof folder) && strlen(folder) <= MPI_MAX_INFO_VAL)
        real_must(Info_set, MPI_INFO_ENV, "wdir", folder);
}
