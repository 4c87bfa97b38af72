/*
 * thread -- a runtime library for programs that were compiled with -fsanitize=thread, in place of the compiler's.
 *
 * It looks for no races between threads.  It has the functions that compilers call at loads, stores and atomic operations, and
 * those of the C library that move blocks, hands on what is done where the shim wants to know (program_tells.h), and does what
 * an atomic operation does.  What programs can ask of the compiler's library besides (sanitizer/tsan_interface.h) has no effect here.
 *
 * The file is compiled without an MPI library, and so that the compiler does not make calls of memcpy out of loops.
 */
#include <dlfcn.h>
#include <string.h>

#include "shim/program_tells.h"

#define EXPORTED __attribute__((visibility("default")))

EXPORTED struct program_tells tourney_program_tells;

static inline void tell_access(const volatile void *at, size_t bytes, bool stores, const void *place)
{
    uintptr_t start = (uintptr_t)at;
    const struct program_tells *tells = &tourney_program_tells;
    if (__builtin_expect(tells->bytes && start + bytes - tells->start < tells->bytes + bytes, 0))
        tells->note(start, bytes, stores, place);
}

#define CALLER __builtin_return_address(0)

/* ---- loads and stores ---- */

#define PLAIN_ACCESS(name, bytes, stores) \
    EXPORTED void __tsan_##name(void *at); \
    void __tsan_##name(void *at)           \
    {                                      \
        tell_access(at, bytes, stores, CALLER); \
    }
#define BOTH_WAYS(name, bytes) PLAIN_ACCESS(name##read##bytes, bytes, false) PLAIN_ACCESS(name##write##bytes, bytes, true)
#define ALL_SIZES(name) BOTH_WAYS(name, 1) BOTH_WAYS(name, 2) BOTH_WAYS(name, 4) BOTH_WAYS(name, 8) BOTH_WAYS(name, 16)
ALL_SIZES()
ALL_SIZES(unaligned_)
ALL_SIZES(volatile_)
ALL_SIZES(unaligned_volatile_)

/* Both at once, as of x += 1. */
#define COMPOUND(name, bytes)                      \
    EXPORTED void __tsan_##name##bytes(void *at);  \
    void __tsan_##name##bytes(void *at)            \
    {                                              \
        tell_access(at, bytes, false, CALLER);     \
        tell_access(at, bytes, true, CALLER);      \
    }
#define ALL_COMPOUNDS(name) COMPOUND(name, 1) COMPOUND(name, 2) COMPOUND(name, 4) COMPOUND(name, 8) COMPOUND(name, 16)
ALL_COMPOUNDS(read_write)
ALL_COMPOUNDS(unaligned_read_write)

EXPORTED void __tsan_read_range(void *at, size_t bytes);
void __tsan_read_range(void *at, size_t bytes)
{
    tell_access(at, bytes, false, CALLER);
}

EXPORTED void __tsan_write_range(void *at, size_t bytes);
void __tsan_write_range(void *at, size_t bytes)
{
    tell_access(at, bytes, true, CALLER);
}

/* Of objects in C++: which class they are of. */
EXPORTED void __tsan_vptr_read(void **at);
void __tsan_vptr_read(void **at)
{
    tell_access(at, sizeof *at, false, CALLER);
}

EXPORTED void __tsan_vptr_update(void **at, void *value);
void __tsan_vptr_update(void **at, void *value)
{
    if (*at != value)
        tell_access(at, sizeof *at, true, CALLER);
}

/* ---- atomic operations: orders are those of the strongest ---- */

#define ATOMIC_UPDATE(bits, type, operation)                                                     \
    EXPORTED type __tsan_atomic##bits##_fetch_##operation(volatile type *at, type value, int order); \
    type __tsan_atomic##bits##_fetch_##operation(volatile type *at, type value, int order)       \
    {                                                                                            \
        (void)order;                                                                             \
        tell_access(at, sizeof value, false, CALLER);                                            \
        tell_access(at, sizeof value, true, CALLER);                                             \
        return __atomic_fetch_##operation(at, value, __ATOMIC_SEQ_CST);                          \
    }

#define ATOMIC_SWAP(bits, type, strength, weak)                                                            \
    EXPORTED int __tsan_atomic##bits##_compare_exchange_##strength(volatile type *at, type *expected, type value, \
                                                                   int order, int failed);                 \
    int __tsan_atomic##bits##_compare_exchange_##strength(volatile type *at, type *expected, type value,   \
                                                          int order, int failed)                           \
    {                                                                                                      \
        (void)order, (void)failed;                                                                         \
        tell_access(at, sizeof value, false, CALLER);                                                      \
        int done = __atomic_compare_exchange_n(at, expected, value, weak, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
        if (done)                                                                                          \
            tell_access(at, sizeof value, true, CALLER);                                                   \
        return done;                                                                                       \
    }

#define ATOMICS(bits, type)                                                                        \
    EXPORTED type __tsan_atomic##bits##_load(const volatile type *at, int order);                  \
    type __tsan_atomic##bits##_load(const volatile type *at, int order)                            \
    {                                                                                              \
        (void)order;                                                                               \
        tell_access(at, sizeof *at, false, CALLER);                                                \
        return __atomic_load_n(at, __ATOMIC_SEQ_CST);                                              \
    }                                                                                              \
    EXPORTED void __tsan_atomic##bits##_store(volatile type *at, type value, int order);           \
    void __tsan_atomic##bits##_store(volatile type *at, type value, int order)                     \
    {                                                                                              \
        (void)order;                                                                               \
        tell_access(at, sizeof *at, true, CALLER);                                                 \
        __atomic_store_n(at, value, __ATOMIC_SEQ_CST);                                             \
    }                                                                                              \
    EXPORTED type __tsan_atomic##bits##_exchange(volatile type *at, type value, int order);        \
    type __tsan_atomic##bits##_exchange(volatile type *at, type value, int order)                  \
    {                                                                                              \
        (void)order;                                                                               \
        tell_access(at, sizeof *at, false, CALLER);                                                \
        tell_access(at, sizeof *at, true, CALLER);                                                 \
        return __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST);                                   \
    }                                                                                              \
    EXPORTED type __tsan_atomic##bits##_compare_exchange_val(volatile type *at, type expected, type value, int order, \
                                                             int failed);                          \
    type __tsan_atomic##bits##_compare_exchange_val(volatile type *at, type expected, type value, int order, int failed) \
    {                                                                                              \
        (void)order, (void)failed;                                                                 \
        tell_access(at, sizeof *at, false, CALLER);                                                \
        if (__atomic_compare_exchange_n(at, &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) \
            tell_access(at, sizeof *at, true, CALLER);                                             \
        return expected;                                                                           \
    }                                                                                              \
    ATOMIC_SWAP(bits, type, strong, false)                                                         \
    ATOMIC_SWAP(bits, type, weak, true)                                                            \
    ATOMIC_UPDATE(bits, type, add)                                                                 \
    ATOMIC_UPDATE(bits, type, sub)                                                                 \
    ATOMIC_UPDATE(bits, type, and)                                                                 \
    ATOMIC_UPDATE(bits, type, or)                                                                  \
    ATOMIC_UPDATE(bits, type, xor)                                                                 \
    ATOMIC_UPDATE(bits, type, nand)

ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)

EXPORTED void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_thread_fence(int order)
{
    (void)order;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

EXPORTED void __tsan_atomic_signal_fence(int order);
void __tsan_atomic_signal_fence(int order)
{
    (void)order;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* ---- blocks ---- */

typedef void *copy_function(void *, const void *, size_t);
typedef void *fill_function(void *, int, size_t);

/* Of the C library, once they have been looked up. */
static copy_function *real_memcpy, *real_memmove;
static fill_function *real_memset;

/* Other libraries call them before anybody could have looked. */
static void *copy_upwards(void *to, const void *from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        ((char *)to)[i] = ((const char *)from)[i];
    return to;
}

static void *move_bytes(void *to, const void *from, size_t bytes)
{
    if ((uintptr_t)to - (uintptr_t)from >= bytes)
        return copy_upwards(to, from, bytes);
    while (bytes-- > 0)
        ((char *)to)[bytes] = ((const char *)from)[bytes];
    return to;
}

static void *fill_bytes(void *to, int value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        ((char *)to)[i] = (char)value;
    return to;
}

static __attribute__((constructor)) void find_real_functions(void)
{
    *(void **)&real_memcpy = dlsym(RTLD_NEXT, "memcpy");
    *(void **)&real_memmove = dlsym(RTLD_NEXT, "memmove");
    *(void **)&real_memset = dlsym(RTLD_NEXT, "memset");
}

static void tell_copy(const void *to, const void *from, size_t bytes, const void *place)
{
    tell_access(from, bytes, false, place);
    tell_access(to, bytes, true, place);
}

EXPORTED void *memcpy(void *restrict to, const void *restrict from, size_t bytes)
{
    tell_copy(to, from, bytes, CALLER);
    return (real_memcpy ? real_memcpy : copy_upwards)(to, from, bytes);
}

EXPORTED void *memmove(void *to, const void *from, size_t bytes)
{
    tell_copy(to, from, bytes, CALLER);
    return (real_memmove ? real_memmove : move_bytes)(to, from, bytes);
}

EXPORTED void *mempcpy(void *restrict to, const void *restrict from, size_t bytes)
{
    tell_copy(to, from, bytes, CALLER);
    return (char *)(real_memcpy ? real_memcpy : copy_upwards)(to, from, bytes) + bytes;
}

EXPORTED void *memset(void *to, int value, size_t bytes)
{
    tell_access(to, bytes, true, CALLER);
    return (real_memset ? real_memset : fill_bytes)(to, value, bytes);
}

EXPORTED void *__tsan_memcpy(void *to, const void *from, size_t bytes);
void *__tsan_memcpy(void *to, const void *from, size_t bytes)
{
    tell_copy(to, from, bytes, CALLER);
    return (real_memcpy ? real_memcpy : copy_upwards)(to, from, bytes);
}

EXPORTED void *__tsan_memmove(void *to, const void *from, size_t bytes);
void *__tsan_memmove(void *to, const void *from, size_t bytes)
{
    tell_copy(to, from, bytes, CALLER);
    return (real_memmove ? real_memmove : move_bytes)(to, from, bytes);
}

EXPORTED void *__tsan_memset(void *to, int value, size_t bytes);
void *__tsan_memset(void *to, int value, size_t bytes)
{
    tell_access(to, bytes, true, CALLER);
    return (real_memset ? real_memset : fill_bytes)(to, value, bytes);
}

EXPORTED char *strcpy(char *restrict to, const char *restrict from)
{
    size_t bytes = strlen(from) + 1;
    tell_copy(to, from, bytes, CALLER);
    return (real_memcpy ? real_memcpy : copy_upwards)(to, from, bytes);
}

/* ---- what has no effect ---- */

#define NOTHING(name)           \
    EXPORTED void name(void);   \
    void name(void)             \
    {                           \
    }
NOTHING(__tsan_init)
NOTHING(__tsan_func_exit)
NOTHING(__tsan_ignore_thread_begin)
NOTHING(__tsan_ignore_thread_end)
NOTHING(__tsan_flush_memory)

/* They take arguments, which are not looked at: the machines that tourney knows let the caller have them. */
NOTHING(__tsan_func_entry)
NOTHING(__tsan_acquire)
NOTHING(__tsan_release)
NOTHING(__tsan_mutex_create)
NOTHING(__tsan_mutex_destroy)
NOTHING(__tsan_mutex_pre_lock)
NOTHING(__tsan_mutex_post_lock)
NOTHING(__tsan_mutex_post_unlock)
NOTHING(__tsan_mutex_pre_signal)
NOTHING(__tsan_mutex_post_signal)
NOTHING(__tsan_mutex_pre_divert)
NOTHING(__tsan_mutex_post_divert)
NOTHING(AnnotateHappensBefore)
NOTHING(AnnotateHappensAfter)
NOTHING(AnnotateIgnoreReadsBegin)
NOTHING(AnnotateIgnoreReadsEnd)
NOTHING(AnnotateIgnoreWritesBegin)
NOTHING(AnnotateIgnoreWritesEnd)
NOTHING(AnnotateBenignRace)
NOTHING(AnnotateBenignRaceSized)
NOTHING(AnnotateNewMemory)
NOTHING(AnnotateThreadName)
NOTHING(AnnotateRWLockCreate)
NOTHING(AnnotateRWLockCreateStatic)
NOTHING(AnnotateRWLockDestroy)
NOTHING(AnnotateRWLockAcquired)
NOTHING(AnnotateRWLockReleased)

/* Returns the flags that an unlock is to have. */
EXPORTED int __tsan_mutex_pre_unlock(void *mutex, unsigned flags);
int __tsan_mutex_pre_unlock(void *mutex, unsigned flags)
{
    (void)mutex, (void)flags;
    return 0;
}
