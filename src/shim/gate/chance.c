/*
 * chance -- the random numbers of the kernel and of the C libraries (call/chance.h).
 *
 * A rank is a function of its history, so it draws the same numbers whenever it is run again; and ranks draw different ones,
 * as they would.  What the processor has of its own (RDRAND) passes by, save in std::random_device.
 */
#include "shim/gate/chance.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "arch/system_call.h"
#include "call/chance.h"
#include "call/wire.h"
#include "shim/gate/gate.h"
#include "shim/gate/kept_state.h"

#define EXPORTED __attribute__((visibility("default")))
#define CALLER __builtin_return_address(0)

static uint64_t drawn; /* numbers so far */

static int rank_here(void)
{
    const char *world = getenv(WIRE_ENV), *rank = world ? strrchr(world, ':') : NULL;
    return rank ? atoi(rank + 1) : 0;
}

static uint64_t draw_number(void)
{
    return chance_number((UINT64_C(1) << 40) + ((uint64_t)rank_here() << 32) + drawn++);
}

static void draw_bytes(void *bytes, size_t n)
{
    for (size_t at = 0; at < n; at += sizeof(uint64_t)) {
        uint64_t number = draw_number();
        memcpy((char *)bytes + at, &number, n - at < sizeof number ? n - at : sizeof number);
    }
}

const char *gate_chance_file(const char *path, const void *caller)
{
    const char *file = getenv(CHANCE_ENV);
    bool device = path && (strcmp(path, "/dev/urandom") == 0 || strcmp(path, "/dev/random") == 0);
    return device && file && gate_is_of_copied_program(caller) ? file : NULL;
}

off_t gate_chance_start(void)
{
    return (off_t)chance_start(rank_here());
}

static void draw_real(void *bytes, size_t n)
{
    for (size_t at = 0; at < n;) {
        long got = system_call(SYS_getrandom, (long)bytes + (long)at, (long)(n - at), 0, 0, 0, 0);
        at += got > 0 ? (size_t)got : 0;
    }
}

static void draw_for(void *bytes, size_t n, const void *caller)
{
    if (gate_is_of_copied_program(caller))
        draw_bytes(bytes, n);
    else
        draw_real(bytes, n);
}

EXPORTED ssize_t getrandom(void *bytes, size_t n, unsigned flags)
{
    if (!gate_is_of_copied_program(CALLER))
        return system_call_result(system_call(SYS_getrandom, (long)bytes, (long)n, flags, 0, 0, 0));
    draw_bytes(bytes, n);
    return (ssize_t)n;
}

EXPORTED int getentropy(void *bytes, size_t n)
{
    enum { MOST = 256 };
    if (n > MOST)
        return (int)system_call_result(-EIO);
    draw_for(bytes, n, CALLER);
    return 0;
}

EXPORTED uint32_t arc4random(void)
{
    uint32_t number;
    draw_for(&number, sizeof number, CALLER);
    return number;
}

EXPORTED void arc4random_buf(void *bytes, size_t n)
{
    draw_for(bytes, n, CALLER);
}

/* Numbers that would make the lower ones likelier are drawn again. */
EXPORTED uint32_t arc4random_uniform(uint32_t bound)
{
    uint32_t number = 0, uneven = bound ? -bound % bound : 0;
    do
        draw_for(&number, sizeof number, CALLER);
    while (number < uneven);
    return bound ? number % bound : 0;
}

/* std::random_device::operator(), by the name that compilers give it. */
EXPORTED unsigned random_device_value(void *device) __asm__("_ZNSt13random_device9_M_getvalEv");
EXPORTED unsigned random_device_value(void *device)
{
    static unsigned (*next)(void *);
    unsigned number;
    if (gate_is_of_copied_program(CALLER)) {
        draw_bytes(&number, sizeof number);
        return number;
    }
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "_ZNSt13random_device9_M_getvalEv");
    return next ? next(device) : 0;
}
