/*
 * A thread of the MPI library runs into code that was unloaded while MPI_Finalize waits for its end, as Open MPI 4's does now and then
 * in a correct program.  Here each thread does so that the library has started and MPI_Finalize ends, when it has nothing else to do any more.
 *
 * run: -n 2
 * libs: -rdynamic
 * compare: none
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

struct start {
    void *(*function)(void *);
    void *data;
};

static volatile int ending;

static void run_unloaded_code(void)
{
    void (*gone)(void) = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap((void *)gone, 4096);
    gone();
}

static void *run(void *of)
{
    struct start start = *(struct start *)of;
    free(of);
    void *result = start.function(start.data);
    if (ending)
        run_unloaded_code();
    return result;
}

/* The library finds this one before that of the C library. */
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *), void *data)
{
    __typeof__(&pthread_create) create = (__typeof__(&pthread_create))dlsym(RTLD_NEXT, "pthread_create");
    struct start *start = malloc(sizeof *start);
    *start = (struct start){function, data};
    return create(thread, attributes, run, start);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    ending = 1;
    MPI_Finalize();
    puts("ended");
    return 0;
}
