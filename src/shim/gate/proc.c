/*
 * proc -- a rank that looks itself up in /proc, by the number that it takes for its own (self.c).
 */
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* Only these have a mode behind the flags. */
static mode_t mode_of_open(int flags, va_list list)
{
    return flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(list, mode_t) : 0;
}

#define OPEN(name)                                      \
    EXPORTED int name(const char *path, int flags, ...) \
    {                                                   \
        struct path room;                               \
        va_list list;                                   \
        va_start(list, flags);                          \
        mode_t mode = mode_of_open(flags, list);        \
        va_end(list);                                   \
        path = found_path(path, &room);                 \
        return next.open(path, flags, mode);            \
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
        path = found_path(path, &room);                             \
        return next.openat(folder, path, flags, mode);              \
    }
OPENAT(openat)
OPENAT(openat64)

EXPORTED FILE *fopen(const char *path, const char *mode)
{
    struct path room;
    path = found_path(path, &room);
    return next.fopen(path, mode);
}

EXPORTED FILE *fopen64(const char *path, const char *mode)
{
    struct path room;
    path = found_path(path, &room);
    return next.fopen(path, mode);
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
