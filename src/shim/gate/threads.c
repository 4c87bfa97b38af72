#include "shim/gate/threads.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>

#define EXPORTED __attribute__((visibility("default")))

enum { CALLERS = 64 };

EXPORTED void (*tourney_thread_hook)(void);

static const void *callers[CALLERS];
static _Atomic size_t started;

typedef int create_function(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

EXPORTED size_t tourney_thread_callers(const void **caller, size_t most)
{
    size_t n = started;
    for (size_t i = 0; i < n && i < most; i++)
        caller[i] = i < CALLERS ? callers[i] : NULL;
    return n;
}

EXPORTED int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *), void *data)
{
    static create_function *_Atomic next;
    if (!next)
        next = (create_function *)dlsym(RTLD_NEXT, "pthread_create");
    size_t i = atomic_fetch_add(&started, 1);
    if (i < CALLERS)
        callers[i] = __builtin_return_address(0);
    if (tourney_thread_hook)
        tourney_thread_hook();
    return next(thread, attributes, function, data);
}
