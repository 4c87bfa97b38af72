/*
 * memory -- memory of the program that a copy of it would share, or not have.
 *
 * Mappings are noted as they are made and forgotten as they are unmapped, so that nobody has to read the list of the
 * kernel when a rank is copied.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "arch/system_call.h"
#include "shim/gate/gate.h"
#include "shim/gate/kept_state.h"
#include "shim/gate/own_shared.h"

#define EXPORTED __attribute__((visibility("default")))
#define CALLER __builtin_return_address(0)

/*
 * Whoever comes after us in line, such as a sanitizer.  All at once, so that the memory of a rank does not depend on what
 * it has called; before that, the kernel itself.
 */
static struct {
    void *(*mmap)(void *, size_t, int, int, int, off_t);
    int (*munmap)(void *, size_t);
    sem_t *(*sem_open)(const char *, int, ...);
    int (*sem_close)(sem_t *);
} next;

__attribute__((constructor)) static void find_next(void)
{
    if (next.sem_close)
        return;
    *(void **)&next.mmap = dlsym(RTLD_NEXT, "mmap");
    *(void **)&next.munmap = dlsym(RTLD_NEXT, "munmap");
    *(void **)&next.sem_open = dlsym(RTLD_NEXT, "sem_open");
    *(void **)&next.sem_close = dlsym(RTLD_NEXT, "sem_close");
}

static void *call_mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset)
{
    if (next.mmap)
        return next.mmap(at, length, protection, flags, fd, offset);
    return (void *)system_call_result(system_call(SYS_mmap, (long)at, (long)length, protection, flags, fd, offset));
}

static int call_munmap(void *at, size_t length)
{
    if (next.munmap)
        return next.munmap(at, length);
    return (int)system_call_result(system_call(SYS_munmap, (long)at, (long)length, 0, 0, 0, 0));
}

static bool meets(const struct kept_range *range, uintptr_t start, uintptr_t end)
{
    return range->start < end && start < range->end;
}

void gate_keep_range(uintptr_t start, size_t length, enum obstacle why, bool harmless)
{
    struct gate_kept *kept = &tourney_gate_kept;
    if (kept->ranges < KEPT_RANGES)
        kept->range[kept->ranges++] = (struct kept_range){start, start + length, why, harmless};
    else
        kept->overflow = true;
}

/* What is left of a range before and behind the part that goes stays. */
void gate_forget_range(uintptr_t start, size_t length, enum obstacle why)
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
            gate_keep_range(old.start, start - old.start, old.why, old.harmless);
        if (end < old.end)
            gate_keep_range(end, old.end - end, old.why, old.harmless);
    }
}

/* ---- memory that the MPI library would share with other ranks, and has for itself here ---- */

/* In the folder of this rank that tourney removes, where the library has its own files. */
static bool is_file_of_library(int fd)
{
    const char *folder = getenv("OMPI_MCA_orte_tmpdir_base");
    char link[32], path[PATH_MAX];
    size_t length = folder ? strlen(folder) : 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = length ? readlink(link, path, sizeof path) : -1;
    return n > (ssize_t)length && memcmp(path, folder, length) == 0 && path[length] == '/';
}

/*
 * Open MPI maps a file for the shared pointer of each file that is open, which nobody asks for, since the shim has one of its own.  A rank is alone
 * with its library, so memory of its own with the same contents does as well, and is copied with it; memory that others can map would keep
 * its states from being looked at.  MAP_FAILED: the library is to have what it asked for.
 */
static void *map_for_library_alone(size_t length, int protection, int fd, off_t offset)
{
    if (!is_file_of_library(fd))
        return MAP_FAILED;
    char *there = call_mmap(NULL, length, protection | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (size_t done = 0; there != MAP_FAILED && done < length;) {
        ssize_t n = pread(fd, there + done, length - done, offset + (off_t)done);
        if (n <= 0)
            break;
        done += (size_t)n;
    }
    return there;
}

/* Semaphores that the library has by name; they are in such memory as well. */
enum { LIBRARY_SEMAPHORES = 64 };
static sem_t *library_semaphore[LIBRARY_SEMAPHORES];

static sem_t **library_semaphore_place(const sem_t *semaphore)
{
    for (int i = 0; i < LIBRARY_SEMAPHORES; i++)
        if (library_semaphore[i] == semaphore)
            return &library_semaphore[i];
    return NULL;
}

/* NULL: the library is to have what it asked for. */
static sem_t *open_for_library_alone(int flags, unsigned value)
{
    sem_t **place = flags & O_CREAT ? library_semaphore_place(NULL) : NULL;
    void *there = place ? call_mmap(NULL, sizeof(sem_t), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) : MAP_FAILED;
    if (there == MAP_FAILED)
        return NULL;
    *place = there;
    return sem_init(*place, 0, value) == 0 ? *place : NULL;
}

static int close_for_library_alone(sem_t **place)
{
    int result = call_munmap(*place, sizeof(sem_t));
    *place = NULL;
    return result;
}

/* Anonymous, wherever there is room, and nothing special. */
static bool can_be_own(const void *at, int flags)
{
    return !at && flags & MAP_ANONYMOUS && !(flags & ~(MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE));
}

static void *map_memory(void *at, size_t length, int protection, int flags, int fd, off_t offset, const void *caller)
{
    int kind = flags & MAP_TYPE;
    void *there = MAP_FAILED;
    if (!at && fd >= 0 && kind == MAP_SHARED && gate_is_of_copied_library(caller))
        there = map_for_library_alone(length, protection, fd, offset);
    else if (kind == MAP_SHARED && can_be_own(at, flags) && gate_is_of_copied_program(caller))
        there = own_shared_map(length, protection);
    if (there != MAP_FAILED)
        return there;
    there = call_mmap(at, length, protection, flags, fd, offset);
    if (there == MAP_FAILED || (!(flags & MAP_FIXED) && kind == MAP_PRIVATE))
        return there;
    own_shared_forget((uintptr_t)there, length);
    if (!gate_is_of_copied_program(caller))
        return there;
    gate_forget_range((uintptr_t)there, length, OBSTACLE_NONE);
    if (kind == MAP_SHARED || kind == MAP_SHARED_VALIDATE)
        gate_keep_range((uintptr_t)there, length, OBSTACLE_SHARED_MEMORY, !(protection & PROT_WRITE));
    return there;
}

EXPORTED void *mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset)
{
    return map_memory(at, length, protection, flags, fd, offset, CALLER);
}

EXPORTED void *mmap64(void *at, size_t length, int protection, int flags, int fd, off64_t offset)
{
    return map_memory(at, length, protection, flags, fd, offset, CALLER);
}

EXPORTED int munmap(void *at, size_t length)
{
    int result = call_munmap(at, length);
    if (result == 0)
        own_shared_forget((uintptr_t)at, length);
    if (result == 0 && tourney_gate_kept.ranges)
        gate_forget_range((uintptr_t)at, length, OBSTACLE_NONE);
    return result;
}

EXPORTED int mprotect(void *at, size_t length, int protection)
{
    struct gate_kept *kept = &tourney_gate_kept;
    own_shared_publish((uintptr_t)at, length);
    for (int i = 0; i < kept->ranges; i++)
        if (protection & PROT_WRITE && meets(&kept->range[i], (uintptr_t)at, (uintptr_t)at + length))
            kept->range[i].harmless = false;
    return (int)system_call_result(system_call(SYS_mprotect, (long)at, (long)length, protection, 0, 0, 0));
}

EXPORTED int madvise(void *at, size_t length, int advice)
{
    bool keeps = advice == MADV_DONTFORK || advice == MADV_WIPEONFORK;
    bool gives = advice == MADV_DOFORK || advice == MADV_KEEPONFORK;
    own_shared_publish((uintptr_t)at, length); /* advice means something else for shared memory */
    int result = (int)system_call_result(system_call(SYS_madvise, (long)at, (long)length, advice, 0, 0, 0));
    if (result == 0 && (keeps || gives) && gate_is_of_copied_program(CALLER)) {
        gate_forget_range((uintptr_t)at, length, OBSTACLE_KEPT_MEMORY);
        if (keeps)
            gate_keep_range((uintptr_t)at, length, OBSTACLE_KEPT_MEMORY, false);
    }
    return result;
}

EXPORTED void *mremap(void *at, size_t old_length, size_t length, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    long to = flags & MREMAP_FIXED ? (long)va_arg(list, void *) : 0;
    va_end(list);
    own_shared_publish((uintptr_t)at, old_length ? old_length : 1);
    void *there = (void *)system_call_result(system_call(SYS_mremap, (long)at, (long)old_length, (long)length, flags, to, 0));
    if (there != MAP_FAILED && flags & MREMAP_FIXED)
        own_shared_forget((uintptr_t)there, length);
    return there;
}

/* The C library maps it without asking us. */
EXPORTED sem_t *sem_open(const char *name, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    mode_t mode = flags & O_CREAT ? va_arg(list, mode_t) : 0;
    unsigned value = flags & O_CREAT ? va_arg(list, unsigned) : 0;
    va_end(list);
    find_next();
    sem_t *semaphore = gate_is_of_copied_library(CALLER) ? open_for_library_alone(flags, value) : NULL;
    if (semaphore)
        return semaphore;
    semaphore = next.sem_open(name, flags, mode, value);
    if (semaphore != SEM_FAILED && gate_is_of_copied_program(CALLER))
        gate_keep_range((uintptr_t)semaphore, sizeof *semaphore, OBSTACLE_SHARED_MEMORY, false);
    return semaphore;
}

EXPORTED int sem_close(sem_t *semaphore)
{
    sem_t **place = library_semaphore_place(semaphore);
    find_next();
    if (place)
        return close_for_library_alone(place);
    gate_forget_range((uintptr_t)semaphore, sizeof *semaphore, OBSTACLE_SHARED_MEMORY);
    return next.sem_close(semaphore);
}
