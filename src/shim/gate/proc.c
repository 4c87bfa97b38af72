/*
 * proc -- names of files that mean something else to a rank: itself in /proc, by the number that it takes for its own (self.c), and the
 * random devices (chance.h).
 */
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shim/gate/chance.h"
#include "shim/gate/gate.h"
#include "shim/gate/kept_state.h"

#define EXPORTED __attribute__((visibility("default")))

/* All at once, so that the memory of a rank does not depend on what it has called. */
static struct {
    int (*open)(const char *, int, ...);
    int (*openat)(int, const char *, int, ...);
    FILE *(*fopen)(const char *, const char *);
    DIR *(*opendir)(const char *);
    ssize_t (*readlink)(const char *, char *, size_t);
    int (*access)(const char *, int);
} next;

__attribute__((constructor)) static void find_next(void)
{
    if (next.access)
        return;
    *(void **)&next.open = dlsym(RTLD_NEXT, "open64");
    *(void **)&next.openat = dlsym(RTLD_NEXT, "openat64");
    *(void **)&next.fopen = dlsym(RTLD_NEXT, "fopen64");
    *(void **)&next.opendir = dlsym(RTLD_NEXT, "opendir");
    *(void **)&next.readlink = dlsym(RTLD_NEXT, "readlink");
    *(void **)&next.access = dlsym(RTLD_NEXT, "access");
}

struct path {
    char text[256];
};

/* The path with the number that the kernel knows; nearly always as it was. */
static const char *found_path(const char *path, struct path *room)
{
    static const char folder[] = "/proc/";
    size_t length = sizeof folder - 1;
    find_next();
    if (!path || strncmp(path, folder, length) != 0)
        return path;
    char *rest;
    long number = strtol(path + length, &rest, 10);
    if (rest == path + length || gate_meant((pid_t)number) == number)
        return path;
    snprintf(room->text, sizeof room->text, "%s%d%s", folder, (int)gate_meant((pid_t)number), rest);
    return room->text;
}

static int opened_at_start(int fd)
{
    if (fd >= 0)
        lseek(fd, gate_chance_start(), SEEK_SET);
    return fd;
}

static FILE *opened_stream(const char *path, const char *mode, const void *caller)
{
    struct path room;
    const char *chance = mode && *mode == 'r' && !strchr(mode, '+') ? gate_chance_file(path, caller) : NULL;
    path = found_path(path, &room);
    FILE *stream = next.fopen(chance ? chance : path, mode);
    if (chance && stream)
        fseeko(stream, gate_chance_start(), SEEK_SET);
    return stream;
}

/* Only these have a mode behind the flags. */
static mode_t mode_of_open(int flags, va_list list)
{
    return flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(list, mode_t) : 0;
}

#define CHANCE(path, flags) \
    (((flags) & O_ACCMODE) == O_RDONLY ? gate_chance_file(path, __builtin_return_address(0)) : NULL)

#define OPEN(name)                                      \
    EXPORTED int name(const char *path, int flags, ...) \
    {                                                   \
        struct path room;                               \
        va_list list;                                   \
        va_start(list, flags);                          \
        mode_t mode = mode_of_open(flags, list);        \
        va_end(list);                                   \
        const char *chance = CHANCE(path, flags);       \
        path = found_path(path, &room);                 \
        return chance ? opened_at_start(next.open(chance, flags, mode)) : next.open(path, flags, mode); \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                \
    EXPORTED int name(int folder, const char *path, int flags, ...) \
    {                                                               \
        struct path room;                                           \
        va_list list;                                               \
        va_start(list, flags);                                      \
        mode_t mode = mode_of_open(flags, list);                    \
        va_end(list);                                               \
        const char *chance = CHANCE(path, flags);                   \
        path = found_path(path, &room);                             \
        return chance ? opened_at_start(next.open(chance, flags, mode)) : next.openat(folder, path, flags, mode); \
    }
OPENAT(openat)
OPENAT(openat64)

EXPORTED FILE *fopen(const char *path, const char *mode)
{
    return opened_stream(path, mode, __builtin_return_address(0));
}

EXPORTED FILE *fopen64(const char *path, const char *mode)
{
    return opened_stream(path, mode, __builtin_return_address(0));
}

EXPORTED DIR *opendir(const char *path)
{
    struct path room;
    path = found_path(path, &room);
    return next.opendir(path);
}

EXPORTED ssize_t readlink(const char *path, char *target, size_t size)
{
    struct path room;
    path = found_path(path, &room);
    return next.readlink(path, target, size);
}

EXPORTED int access(const char *path, int mode)
{
    struct path room;
    path = found_path(path, &room);
    return next.access(path, mode);
}
