#include "library/library.h"

#include <stddef.h>
#include <string.h>

extern const struct mpi_library library_mpich, library_openmpi, library_abi;

const struct mpi_library *const mpi_libraries[] = {&library_mpich, &library_openmpi, &library_abi, NULL};

/* With or without more of a version. */
static bool is_library_file(const char *file, const char *name)
{
    size_t length = strlen(name);
    return !strncmp(file, name, length) && (file[length] == '\0' || file[length] == '.');
}

const struct mpi_library *mpi_library_of_file(const char *file)
{
    for (int i = 0; mpi_libraries[i]; i++)
        for (int k = 0; mpi_libraries[i]->file[k]; k++)
            if (is_library_file(file, mpi_libraries[i]->file[k]))
                return mpi_libraries[i];
    return NULL;
}

bool mpi_library_is_any_version(const char *file)
{
    for (int i = 0; mpi_libraries[i]; i++)
        for (int k = 0; mpi_libraries[i]->any_version[k]; k++)
            if (is_library_file(file, mpi_libraries[i]->any_version[k]))
                return true;
    return false;
}

bool mpi_library_may_be(const char *file)
{
    return strstr(file, "mpi") && strstr(file, ".so");
}

bool mpi_library_is_link(const char *file)
{
    for (int i = 0; mpi_libraries[i]; i++)
        for (int k = 0; mpi_libraries[i]->any_version[k]; k++)
            if (!strcmp(file, mpi_libraries[i]->any_version[k]))
                return true;
    return false;
}

const struct mpi_library *mpi_library_named(const char *name)
{
    for (int i = 0; mpi_libraries[i]; i++)
        if (!strcmp(name, mpi_libraries[i]->name))
            return mpi_libraries[i];
    return NULL;
}
