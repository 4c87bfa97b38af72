#include "shim/gate/own_shared.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

#include "arch/system_call.h"
#include "shim/gate/gate.h"
#include "shim/gate/kept_state.h"
#include "shim/gate/own_segments.h"

#define EXPORTED __attribute__((visibility("default")))

struct own_range {
    uintptr_t start, end;
    int protection;
};

enum { OWN_RANGES = 64 };
static struct own_range own[OWN_RANGES];
static int owned;

static void *map_pages(size_t length, int protection, int flags)
{
    return (void *)system_call_result(system_call(SYS_mmap, 0, (long)length, protection, flags | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
}

void *own_shared_map(size_t length, int protection)
{
    int needed = PROT_READ | PROT_WRITE; /* so that it can be read when it is to be shared */
    if (owned == OWN_RANGES || (protection & needed) != needed)
        return MAP_FAILED;
    void *there = map_pages(length, protection, MAP_PRIVATE);
    size_t whole = (length + 4095) & ~(size_t)4095;
    if (there != MAP_FAILED)
        own[owned++] = (struct own_range){(uintptr_t)there, (uintptr_t)there + whole, protection};
    return there;
}

static void take_out(int i)
{
    own[i] = own[--owned];
    own[owned] = (struct own_range){0};
}

static void publish_range(const struct own_range *range)
{
    size_t length = range->end - range->start;
    void *shared = map_pages(length, PROT_READ | PROT_WRITE, MAP_SHARED);
    if (shared == MAP_FAILED)
        gate_stop("there is no memory that could be shared");
    memcpy(shared, (const void *)range->start, length);
    system_call(SYS_mremap, (long)shared, (long)length, (long)length, MREMAP_MAYMOVE | MREMAP_FIXED, (long)range->start, 0);
    system_call(SYS_mprotect, (long)range->start, (long)length, range->protection, 0, 0, 0);
    gate_keep_range(range->start, length, OBSTACLE_SHARED_MEMORY, false);
}

static bool meets_own(const struct own_range *range, uintptr_t start, uintptr_t end)
{
    return range->start < end && start < range->end;
}

void own_shared_publish(uintptr_t start, size_t length)
{
    for (int i = owned; i-- > 0;)
        if (meets_own(&own[i], start, start + length)) {
            struct own_range range = own[i];
            take_out(i);
            publish_range(&range);
        }
}

/* What is left before and behind stays; if there is no room to note both, one becomes shared now. */
void own_shared_forget(uintptr_t start, size_t length)
{
    uintptr_t end = (start + length + 4095) & ~(uintptr_t)4095;
    for (int i = owned; i-- > 0;) {
        struct own_range old = own[i], behind = {end, old.end, old.protection};
        if (!meets_own(&old, start, end))
            continue;
        take_out(i);
        if (old.start < start)
            own[owned++] = (struct own_range){old.start, start, old.protection};
        if (behind.start < behind.end && owned < OWN_RANGES)
            own[owned++] = behind;
        else if (behind.start < behind.end)
            publish_range(&behind);
    }
}

void own_shared_before_child(void)
{
    own_shared_publish(0, UINTPTR_MAX);
    own_segments_publish();
}

/* ---- who makes a child without fork(), which has handlers ---- */

__attribute__((constructor)) static void hear_of_forks(void)
{
    pthread_atfork(own_shared_before_child, NULL, NULL);
}

EXPORTED pid_t _Fork(void)
{
    pid_t (*next)(void);
    *(void **)&next = dlsym(RTLD_NEXT, "_Fork");
    own_shared_before_child();
    return next();
}

EXPORTED int clone(int (*function)(void *), void *stack, int flags, void *argument, ...)
{
    int (*next)(int (*)(void *), void *, int, void *, ...);
    va_list list;
    void *more[3];
    va_start(list, argument);
    for (int i = 0; i < 3; i++)
        more[i] = va_arg(list, void *);
    va_end(list);
    *(void **)&next = dlsym(RTLD_NEXT, "clone");
    if (!(flags & CLONE_VM))
        own_shared_before_child();
    return next(function, stack, flags, argument, more[0], more[1], more[2]);
}
