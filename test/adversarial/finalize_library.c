/*
 * MPI_Finalize is called by the destructor of a library that the program needs, or of one that it has loaded after
 * MPI_Init.  That is the last thing to happen: handlers and destructors of the program come before.
 *
 * library: yes
 * check: -n 3 -- needed: none
 * runs: -n 3 -- needed: 2, merged 1
 * check: -n 3 -- loaded: none
 * runs: -n 3 -- loaded: 2, merged 1
 * check: -n 3 -- never: no-finalize error -
 * runs: -n 3 -- never: 2, merged 1
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef LIBRARY

int finalizes, steps;

__attribute__((destructor)) static void at_the_end(void)
{
    if (finalizes) {
        MPI_Finalize();
        if (steps != 3)
            _exit(9);
    }
}

#else

extern int finalizes, steps;
static int *counted = &steps;

static void handle_before(void)
{
    ++*counted;
}

static void handle_after(void)
{
    ++*counted;
}

__attribute__((destructor)) static void at_the_end(void)
{
    ++*counted;
}

/* Another one with the same code: a file that was not loaded yet. */
static void *load_again(void)
{
    Dl_info library;
    char path[64], data[4096];
    size_t n;
    int fd = memfd_create("library", MFD_CLOEXEC);

    dladdr(&steps, &library);
    FILE *from = fopen(library.dli_fname, "r");
    while ((n = fread(data, 1, sizeof data, from)) > 0)
        write(fd, data, n);
    fclose(from);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    close(fd);
    return handle;
}

int main(int argc, char **argv)
{
    int rank, size, value;

    atexit(handle_before);
    MPI_Init(&argc, &argv);
    atexit(handle_after);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    finalizes = strcmp(argv[1], "needed") == 0;
    if (strcmp(argv[1], "loaded") == 0) {
        void *handle = load_again();
        *(int *)dlsym(handle, "finalizes") = 1;
        counted = dlsym(handle, "steps");
    }
    if (rank > 0)
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    else
        for (int i = 1; i < size; i++)
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return 0;
}

#endif
