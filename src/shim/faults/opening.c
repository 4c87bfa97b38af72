/*
 * opening -- open and its like, which may find no file, or may not make one.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "shim/faults/door.h"

#define EXPORTED __attribute__((visibility("default")))

/* All at once, so that the memory of a rank does not depend on what it has called. */
static struct {
    int (*open)(const char *, int, ...);
    int (*openat)(int, const char *, int, ...);
    int (*creat)(const char *, mode_t);
    FILE *(*fopen)(const char *, const char *);
    FILE *(*freopen)(const char *, const char *, FILE *);
    DIR *(*opendir)(const char *);
} next;

__attribute__((constructor)) static void find_openers(void)
{
    if (next.opendir)
        return;
    *(void **)&next.open = dlsym(RTLD_NEXT, "open64");
    *(void **)&next.openat = dlsym(RTLD_NEXT, "openat64");
    *(void **)&next.creat = dlsym(RTLD_NEXT, "creat64");
    *(void **)&next.fopen = dlsym(RTLD_NEXT, "fopen64");
    *(void **)&next.freopen = dlsym(RTLD_NEXT, "freopen64");
    *(void **)&next.opendir = dlsym(RTLD_NEXT, "opendir");
}

static int why_not_opened(int flags)
{
    return flags & O_CREAT ? EACCES : ENOENT;
}

static int why_no_stream(const char *mode)
{
    return mode && *mode == 'r' ? ENOENT : EACCES;
}

/* Only these have a mode behind the flags. */
static mode_t mode_behind(int flags, va_list list)
{
    return flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(list, mode_t) : 0;
}

#define OPEN(name)                                                    \
    EXPORTED int name(const char *path, int flags, ...)               \
    {                                                                 \
        va_list list;                                                 \
        va_start(list, flags);                                        \
        mode_t mode = mode_behind(flags, list);                       \
        va_end(list);                                                 \
        find_openers();                                               \
        if (FAULT_FAILS(FAULT_OPEN, "open", why_not_opened(flags))) { \
            errno = why_not_opened(flags);                            \
            return -1;                                                \
        }                                                             \
        return next.open(path, flags, mode);                          \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                    \
    EXPORTED int name(int folder, const char *path, int flags, ...)     \
    {                                                                   \
        va_list list;                                                   \
        va_start(list, flags);                                          \
        mode_t mode = mode_behind(flags, list);                         \
        va_end(list);                                                   \
        find_openers();                                                 \
        if (FAULT_FAILS(FAULT_OPEN, "openat", why_not_opened(flags))) { \
            errno = why_not_opened(flags);                              \
            return -1;                                                  \
        }                                                               \
        return next.openat(folder, path, flags, mode);                  \
    }
OPENAT(openat)
OPENAT(openat64)

#define CREAT(name)                                    \
    EXPORTED int name(const char *path, mode_t mode)   \
    {                                                  \
        find_openers();                                \
        if (FAULT_FAILS(FAULT_OPEN, "creat", EACCES)) { \
            errno = EACCES;                            \
            return -1;                                 \
        }                                              \
        return next.creat(path, mode);                 \
    }
CREAT(creat)
CREAT(creat64)

#define FOPEN(name)                                                  \
    EXPORTED FILE *name(const char *path, const char *mode)          \
    {                                                                \
        find_openers();                                              \
        if (FAULT_FAILS(FAULT_OPEN, "fopen", why_no_stream(mode))) { \
            errno = why_no_stream(mode);                             \
            return NULL;                                             \
        }                                                            \
        return next.fopen(path, mode);                               \
    }
FOPEN(fopen)
FOPEN(fopen64)

/* Whether it fails or not, the stream is closed first. */
#define FREOPEN(name)                                                                \
    EXPORTED FILE *name(const char *path, const char *mode, FILE *stream)            \
    {                                                                                \
        find_openers();                                                              \
        if (path && FAULT_FAILS(FAULT_OPEN, "freopen", why_no_stream(mode))) {       \
            fclose(stream);                                                          \
            errno = why_no_stream(mode);                                             \
            return NULL;                                                             \
        }                                                                            \
        return next.freopen(path, mode, stream);                                     \
    }
FREOPEN(freopen)
FREOPEN(freopen64)

EXPORTED DIR *opendir(const char *path)
{
    find_openers();
    if (FAULT_FAILS(FAULT_OPEN, "opendir", ENOENT)) {
        errno = ENOENT;
        return NULL;
    }
    return next.opendir(path);
}

/* What programs call in place of open that are compiled with -D_FORTIFY_SOURCE. */
int __open_2(const char *, int);
int __open64_2(const char *, int);
EXPORTED int __open_2(const char *path, int flags)
{
    return open(path, flags);
}
EXPORTED int __open64_2(const char *path, int flags)
{
    return open(path, flags);
}
