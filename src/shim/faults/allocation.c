/*
 * allocation -- malloc and its like, which may find no memory.
 *
 * Functions of the C library and of languages that allocate for their callers come here, too: strdup, operator new, ALLOCATE.
 */
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

#include "shim/faults/door.h"

#define EXPORTED __attribute__((visibility("default")))

struct fault_door tourney_fault_door;

static struct {
    void *(*malloc)(size_t);
    void *(*calloc)(size_t, size_t);
    void *(*realloc)(void *, size_t);
    void *(*reallocarray)(void *, size_t, size_t);
    void *(*memalign)(size_t, size_t);
    void *(*aligned_alloc)(size_t, size_t);
    int (*posix_memalign)(void **, size_t, size_t);
    void *(*valloc)(size_t);
} next;

/* The first call may come before any constructor has run. */
__attribute__((constructor)) static void find_allocators(void)
{
    if (next.malloc)
        return;
    *(void **)&next.calloc = dlsym(RTLD_NEXT, "calloc");
    *(void **)&next.realloc = dlsym(RTLD_NEXT, "realloc");
    *(void **)&next.reallocarray = dlsym(RTLD_NEXT, "reallocarray");
    *(void **)&next.memalign = dlsym(RTLD_NEXT, "memalign");
    *(void **)&next.aligned_alloc = dlsym(RTLD_NEXT, "aligned_alloc");
    *(void **)&next.posix_memalign = dlsym(RTLD_NEXT, "posix_memalign");
    *(void **)&next.valloc = dlsym(RTLD_NEXT, "valloc");
    *(void **)&next.malloc = dlsym(RTLD_NEXT, "malloc");
}

/* Who asks for nothing may get nothing anyway. */
#define LACKS_MEMORY(size, call) ((size) && FAULT_FAILS(FAULT_MALLOC, call, ENOMEM))

static void *no_memory(void)
{
    errno = ENOMEM;
    return NULL;
}

EXPORTED void *malloc(size_t size)
{
    find_allocators();
    return LACKS_MEMORY(size, "malloc") ? no_memory() : next.malloc(size);
}

EXPORTED void *calloc(size_t n, size_t size)
{
    find_allocators();
    return LACKS_MEMORY(n && size, "calloc") ? no_memory() : next.calloc(n, size);
}

/* The old block stays as it is. */
EXPORTED void *realloc(void *old, size_t size)
{
    find_allocators();
    return LACKS_MEMORY(size, "realloc") ? no_memory() : next.realloc(old, size);
}

EXPORTED void *reallocarray(void *old, size_t n, size_t size)
{
    find_allocators();
    return LACKS_MEMORY(n && size, "reallocarray") ? no_memory() : next.reallocarray(old, n, size);
}

EXPORTED void *memalign(size_t alignment, size_t size)
{
    find_allocators();
    return LACKS_MEMORY(size, "memalign") ? no_memory() : next.memalign(alignment, size);
}

EXPORTED void *aligned_alloc(size_t alignment, size_t size)
{
    find_allocators();
    return LACKS_MEMORY(size, "aligned_alloc") ? no_memory() : next.aligned_alloc(alignment, size);
}

EXPORTED int posix_memalign(void **block, size_t alignment, size_t size)
{
    find_allocators();
    return LACKS_MEMORY(size, "posix_memalign") ? ENOMEM : next.posix_memalign(block, alignment, size);
}

EXPORTED void *valloc(size_t size)
{
    find_allocators();
    return LACKS_MEMORY(size, "valloc") ? no_memory() : next.valloc(size);
}
