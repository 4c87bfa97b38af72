/*
 * gate_memory -- memory of the program that a copy of it would share, or not have.
 *
 * Mappings are noted as they are made and forgotten as they are unmapped, so that nobody has to read the list of the
 * kernel when a rank is copied.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <semaphore.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "shim/gate.h"
#include "shim/gate_kept.h"
#include "shim/gate_raw.h"

#define EXPORTED __attribute__((visibility("default")))
#define CALLER __builtin_return_address(0)

static bool meets(const struct kept_range *range, uintptr_t start, uintptr_t end)
{
    return range->start < end && start < range->end;
}

static void remember(uintptr_t start, size_t length, enum obstacle why, bool harmless)
{
    struct gate_kept *kept = &tourney_gate_kept;
    if (kept->ranges < KEPT_RANGES)
        kept->range[kept->ranges++] = (struct kept_range){start, start + length, why, harmless};
    else
        kept->overflow = true;
}

/* What is left of a range before and behind the part that goes stays. */
static void forget(uintptr_t start, size_t length, enum obstacle why)
{
    struct gate_kept *kept = &tourney_gate_kept;
    uintptr_t end = start + length;
    for (int i = kept->ranges; i-- > 0;) {
        struct kept_range old = kept->range[i];
        if (!meets(&old, start, end) || (why && old.why != why))
            continue;
        kept->range[i] = kept->range[--kept->ranges];
        kept->range[kept->ranges] = (struct kept_range){0};
        if (old.start < start)
            remember(old.start, start - old.start, old.why, old.harmless);
        if (end < old.end)
            remember(end, old.end - end, old.why, old.harmless);
    }
}

static void *map(void *at, size_t length, int protection, int flags, int fd, off_t offset, const void *caller)
{
    void *there = (void *)gate_result(gate_raw(SYS_mmap, (long)at, (long)length, protection, flags, fd, offset));
    int kind = flags & MAP_TYPE;
    if (there == MAP_FAILED || (!(flags & MAP_FIXED) && kind == MAP_PRIVATE))
        return there;
    if (!gate_is_of_copied_program(caller))
        return there;
    forget((uintptr_t)there, length, OBSTACLE_NONE);
    if (kind == MAP_SHARED || kind == MAP_SHARED_VALIDATE)
        remember((uintptr_t)there, length, OBSTACLE_SHARED_MEMORY, !(protection & PROT_WRITE));
    return there;
}

EXPORTED void *mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset)
{
    return map(at, length, protection, flags, fd, offset, CALLER);
}

EXPORTED void *mmap64(void *at, size_t length, int protection, int flags, int fd, off64_t offset)
{
    return map(at, length, protection, flags, fd, offset, CALLER);
}

EXPORTED int munmap(void *at, size_t length)
{
    int result = (int)gate_result(gate_raw(SYS_munmap, (long)at, (long)length, 0, 0, 0, 0));
    if (result == 0 && tourney_gate_kept.ranges)
        forget((uintptr_t)at, length, OBSTACLE_NONE);
    return result;
}

EXPORTED int mprotect(void *at, size_t length, int protection)
{
    struct gate_kept *kept = &tourney_gate_kept;
    for (int i = 0; i < kept->ranges; i++)
        if (protection & PROT_WRITE && meets(&kept->range[i], (uintptr_t)at, (uintptr_t)at + length))
            kept->range[i].harmless = false;
    return (int)gate_result(gate_raw(SYS_mprotect, (long)at, (long)length, protection, 0, 0, 0));
}

EXPORTED int madvise(void *at, size_t length, int advice)
{
    bool keeps = advice == MADV_DONTFORK || advice == MADV_WIPEONFORK;
    bool gives = advice == MADV_DOFORK || advice == MADV_KEEPONFORK;
    int result = (int)gate_result(gate_raw(SYS_madvise, (long)at, (long)length, advice, 0, 0, 0));
    if (result == 0 && (keeps || gives) && gate_is_of_copied_program(CALLER)) {
        forget((uintptr_t)at, length, OBSTACLE_KEPT_MEMORY);
        if (keeps)
            remember((uintptr_t)at, length, OBSTACLE_KEPT_MEMORY, false);
    }
    return result;
}

EXPORTED void *shmat(int id, const void *at, int flags)
{
    struct shmid_ds segment;
    void *there = (void *)gate_result(gate_raw(SYS_shmat, id, (long)at, flags, 0, 0, 0));
    if (there != (void *)-1 && gate_is_of_copied_program(CALLER) && shmctl(id, IPC_STAT, &segment) == 0)
        remember((uintptr_t)there, segment.shm_segsz, OBSTACLE_SHARED_MEMORY, flags & SHM_RDONLY);
    return there;
}

EXPORTED int shmdt(const void *at)
{
    int result = (int)gate_result(gate_raw(SYS_shmdt, (long)at, 0, 0, 0, 0, 0));
    if (result == 0 && tourney_gate_kept.ranges)
        forget((uintptr_t)at, 1, OBSTACLE_SHARED_MEMORY);
    return result;
}

/* The C library maps it without asking us. */
EXPORTED sem_t *sem_open(const char *name, int flags, ...)
{
    static sem_t *(*next)(const char *, int, ...);
    va_list list;
    va_start(list, flags);
    mode_t mode = flags & O_CREAT ? va_arg(list, mode_t) : 0;
    unsigned value = flags & O_CREAT ? va_arg(list, unsigned) : 0;
    va_end(list);
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "sem_open");
    sem_t *semaphore = next(name, flags, mode, value);
    if (semaphore != SEM_FAILED && gate_is_of_copied_program(CALLER))
        remember((uintptr_t)semaphore, sizeof *semaphore, OBSTACLE_SHARED_MEMORY, false);
    return semaphore;
}

EXPORTED int sem_close(sem_t *semaphore)
{
    static int (*next)(sem_t *);
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "sem_close");
    forget((uintptr_t)semaphore, sizeof *semaphore, OBSTACLE_SHARED_MEMORY);
    return next(semaphore);
}
