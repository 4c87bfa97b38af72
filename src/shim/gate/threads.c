#include "shim/gate/threads.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>

#include "arch/system_call.h"

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
    bool takes_turns = tourney_thread_starter && tourney_thread_starter->start(&function, &data);
    int rc = next(thread, attributes, function, data);
    if (rc && takes_turns)
        tourney_thread_starter->failed(data);
    return rc;
}

/* ---- locks, and yielding: where threads take turns, their order is a choice ---- */

EXPORTED struct thread_starter *tourney_thread_starter;
EXPORTED void (*tourney_lock_hook)(const void *lock, const void *place, bool is_mutex);
EXPORTED void (*tourney_yield_hook)(void);

/* Of libgomp. */
void omp_set_lock(void *);
int omp_test_lock(void *);
void GOMP_critical_name_start(void **);
void GOMP_critical_start(void);

/* A function of one lock, with the C library's, or libgomp's, behind it. */
#define LOCK_FUNCTION(result, name, type, is_mutex)                               \
    EXPORTED result name(type *lock)                                              \
    {                                                                             \
        static result (*_Atomic next)(type *);                                    \
        if (!next)                                                                \
            next = (result (*)(type *))dlsym(RTLD_NEXT, #name);                   \
        if (tourney_lock_hook)                                                    \
            tourney_lock_hook(lock, __builtin_return_address(0), is_mutex);       \
        return next(lock);                                                        \
    }

LOCK_FUNCTION(int, pthread_mutex_lock, pthread_mutex_t, true)
LOCK_FUNCTION(int, pthread_mutex_trylock, pthread_mutex_t, false)
LOCK_FUNCTION(int, pthread_rwlock_rdlock, pthread_rwlock_t, false)
LOCK_FUNCTION(int, pthread_rwlock_wrlock, pthread_rwlock_t, false)
LOCK_FUNCTION(int, pthread_rwlock_tryrdlock, pthread_rwlock_t, false)
LOCK_FUNCTION(int, pthread_rwlock_trywrlock, pthread_rwlock_t, false)
LOCK_FUNCTION(int, sem_wait, sem_t, false)
LOCK_FUNCTION(int, sem_trywait, sem_t, false)
LOCK_FUNCTION(void, omp_set_lock, void, false)
LOCK_FUNCTION(int, omp_test_lock, void, false)
LOCK_FUNCTION(void, GOMP_critical_name_start, void *, false)

EXPORTED void GOMP_critical_start(void)
{
    static void (*_Atomic next)(void);
    if (!next)
        next = (void (*)(void))dlsym(RTLD_NEXT, "GOMP_critical_start");
    if (tourney_lock_hook)
        tourney_lock_hook((const void *)next, __builtin_return_address(0), false);
    next();
}

/* Where threads take turns, SIGSYS comes in place of system calls: it must not be blocked. */
#define MASK_FUNCTION(name)                                                                    \
    EXPORTED int name(int how, const sigset_t *set, sigset_t *old)                             \
    {                                                                                          \
        static int (*_Atomic next)(int, const sigset_t *, sigset_t *);                         \
        sigset_t without;                                                                      \
        if (!next)                                                                             \
            next = (int (*)(int, const sigset_t *, sigset_t *))dlsym(RTLD_NEXT, #name);        \
        if (tourney_thread_starter && set && how != SIG_UNBLOCK) {                             \
            without = *set;                                                                    \
            sigdelset(&without, SIGSYS);                                                       \
            set = &without;                                                                    \
        }                                                                                      \
        return next(how, set, old);                                                            \
    }

MASK_FUNCTION(pthread_sigmask)
MASK_FUNCTION(sigprocmask)

EXPORTED int sched_yield(void)
{
    if (!tourney_yield_hook)
        return (int)system_call(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
    tourney_yield_hook();
    return 0;
}
