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
    bool takes_turns = tourney_thread_turns && tourney_thread_turns->start(&function, &data);
    int rc = next(thread, attributes, function, data);
    if (rc && takes_turns)
        tourney_thread_turns->failed(data);
    return rc;
}

EXPORTED int pthread_join(pthread_t thread, void **result)
{
    static int (*_Atomic next)(pthread_t, void **);
    if (!next)
        next = (int (*)(pthread_t, void **))dlsym(RTLD_NEXT, "pthread_join");
    int rc = next(thread, result);
    if (!rc && tourney_thread_turns)
        tourney_thread_turns->joined();
    return rc;
}

EXPORTED int pthread_cancel(pthread_t thread)
{
    static int (*_Atomic next)(pthread_t);
    if (!next)
        next = (int (*)(pthread_t))dlsym(RTLD_NEXT, "pthread_cancel");
    if (tourney_thread_turns)
        tourney_thread_turns->cancels(__builtin_return_address(0));
    return next(thread);
}

/* ---- locks, conditions and yielding: where threads take turns, their order is a choice ---- */

EXPORTED struct thread_turns *tourney_thread_turns;

/* Of libgomp. */
void omp_set_lock(void *);
void omp_unset_lock(void *);
int omp_test_lock(void *);
void GOMP_critical_name_start(void **);
void GOMP_critical_start(void);

/* A function of one lock, with the C library's, or libgomp's, behind it. */
#define LOCK_FUNCTION(result, name, type, step)                                         \
    EXPORTED result name(type *lock)                                                    \
    {                                                                                   \
        static result (*_Atomic next)(type *);                                          \
        if (!next)                                                                      \
            next = (result (*)(type *))dlsym(RTLD_NEXT, #name);                         \
        if (tourney_thread_turns)                                                       \
            tourney_thread_turns->lock((const void *)lock, __builtin_return_address(0), step); \
        return next(lock);                                                              \
    }

/* The same with a point in time until which it waits. */
#define TIMED_LOCK_FUNCTION(name, type)                                                 \
    EXPORTED int name(type *lock, const struct timespec *until)                         \
    {                                                                                   \
        static int (*_Atomic next)(type *, const struct timespec *);                    \
        if (!next)                                                                      \
            next = (int (*)(type *, const struct timespec *))dlsym(RTLD_NEXT, #name);   \
        if (tourney_thread_turns)                                                       \
            tourney_thread_turns->lock(lock, __builtin_return_address(0), LOCK_OTHER);  \
        return next(lock, until);                                                       \
    }

LOCK_FUNCTION(int, pthread_mutex_lock, pthread_mutex_t, LOCK_MUTEX)
LOCK_FUNCTION(int, pthread_mutex_trylock, pthread_mutex_t, LOCK_ATTEMPT)
LOCK_FUNCTION(int, pthread_mutex_unlock, pthread_mutex_t, LOCK_RELEASE)
LOCK_FUNCTION(int, pthread_rwlock_rdlock, pthread_rwlock_t, LOCK_SHARED)
LOCK_FUNCTION(int, pthread_rwlock_wrlock, pthread_rwlock_t, LOCK_OTHER)
LOCK_FUNCTION(int, pthread_rwlock_tryrdlock, pthread_rwlock_t, LOCK_ATTEMPT)
LOCK_FUNCTION(int, pthread_rwlock_trywrlock, pthread_rwlock_t, LOCK_ATTEMPT)
LOCK_FUNCTION(int, pthread_rwlock_unlock, pthread_rwlock_t, LOCK_RELEASE)
LOCK_FUNCTION(int, pthread_spin_trylock, pthread_spinlock_t, LOCK_ATTEMPT)
LOCK_FUNCTION(int, pthread_spin_unlock, pthread_spinlock_t, LOCK_RELEASE)
LOCK_FUNCTION(int, sem_wait, sem_t, LOCK_OTHER)
LOCK_FUNCTION(int, sem_trywait, sem_t, LOCK_ATTEMPT)
LOCK_FUNCTION(int, sem_post, sem_t, LOCK_RELEASE)
LOCK_FUNCTION(void, omp_set_lock, void, LOCK_OTHER)
LOCK_FUNCTION(int, omp_test_lock, void, LOCK_ATTEMPT)
LOCK_FUNCTION(void, omp_unset_lock, void, LOCK_RELEASE)
LOCK_FUNCTION(void, GOMP_critical_name_start, void *, LOCK_OTHER)
TIMED_LOCK_FUNCTION(pthread_mutex_timedlock, pthread_mutex_t)
TIMED_LOCK_FUNCTION(pthread_rwlock_timedwrlock, pthread_rwlock_t)
TIMED_LOCK_FUNCTION(pthread_rwlock_timedrdlock, pthread_rwlock_t)
TIMED_LOCK_FUNCTION(sem_timedwait, sem_t)

EXPORTED void GOMP_critical_start(void)
{
    static void (*_Atomic next)(void);
    if (!next)
        next = (void (*)(void))dlsym(RTLD_NEXT, "GOMP_critical_start");
    if (tourney_thread_turns)
        tourney_thread_turns->lock((const void *)next, __builtin_return_address(0), LOCK_OTHER);
    next();
}

/* Who spins keeps all others from going on, where these take turns. */
EXPORTED int pthread_spin_lock(pthread_spinlock_t *lock)
{
    static int (*_Atomic next)(pthread_spinlock_t *), (*_Atomic attempt)(pthread_spinlock_t *);
    if (!next) {
        attempt = (int (*)(pthread_spinlock_t *))dlsym(RTLD_NEXT, "pthread_spin_trylock");
        next = (int (*)(pthread_spinlock_t *))dlsym(RTLD_NEXT, "pthread_spin_lock");
    }
    if (!tourney_thread_turns)
        return next(lock);
    tourney_thread_turns->lock((const void *)lock, __builtin_return_address(0), LOCK_OTHER);
    while (attempt(lock) != 0)
        tourney_thread_turns->yields();
    return 0;
}

/* The C library has conditions of two kinds under one name; those of programs of this century are in this version of it. */
static void *find_condition_function(const char *name)
{
    void *found = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");
    return found ? found : dlsym(RTLD_NEXT, name);
}

EXPORTED int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
    static int (*_Atomic next)(pthread_cond_t *, pthread_mutex_t *);
    if (!next)
        next = (int (*)(pthread_cond_t *, pthread_mutex_t *))find_condition_function("pthread_cond_wait");
    if (!tourney_thread_turns)
        return next(condition, mutex);
    tourney_thread_turns->lock(mutex, __builtin_return_address(0), LOCK_RELEASE);
    tourney_thread_turns->condition(mutex);
    int rc = next(condition, mutex);
    tourney_thread_turns->condition(NULL);
    return rc;
}

EXPORTED int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until)
{
    static int (*_Atomic next)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
    if (!next)
        next = (int (*)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *))find_condition_function("pthread_cond_timedwait");
    if (!tourney_thread_turns)
        return next(condition, mutex, until);
    tourney_thread_turns->lock(mutex, __builtin_return_address(0), LOCK_RELEASE);
    tourney_thread_turns->condition(mutex);
    int rc = next(condition, mutex, until);
    tourney_thread_turns->condition(NULL);
    return rc;
}

EXPORTED int pthread_cond_signal(pthread_cond_t *condition)
{
    static int (*_Atomic next)(pthread_cond_t *);
    if (!next)
        next = (int (*)(pthread_cond_t *))find_condition_function("pthread_cond_signal");
    if (!tourney_thread_turns)
        return next(condition);
    tourney_thread_turns->signals(true);
    int rc = next(condition);
    tourney_thread_turns->signals(false);
    return rc;
}

/* Where threads take turns, SIGSYS comes in place of system calls: it must not be blocked. */
#define MASK_FUNCTION(name)                                                                    \
    EXPORTED int name(int how, const sigset_t *set, sigset_t *old)                             \
    {                                                                                          \
        static int (*_Atomic next)(int, const sigset_t *, sigset_t *);                         \
        sigset_t without;                                                                      \
        if (!next)                                                                             \
            next = (int (*)(int, const sigset_t *, sigset_t *))dlsym(RTLD_NEXT, #name);        \
        if (tourney_thread_turns && set && how != SIG_UNBLOCK) {                             \
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
    if (!tourney_thread_turns)
        return (int)system_call(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
    tourney_thread_turns->yields();
    return 0;
}
