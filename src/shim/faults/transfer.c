/*
 * transfer -- reading from files and writing to them, which may fail.
 *
 * The streams of the C library read and write without asking anybody, so each of their functions that does is here: whether
 * the call reaches the file or only a buffer is for them to know.  What is printed, to standard output and standard error, is not.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/uio.h>
#include <unistd.h>

#include "shim/faults/door.h"

#define EXPORTED __attribute__((visibility("default")))

/* With the functions that programs call which are compiled for another standard, or with -D_FORTIFY_SOURCE. */
ssize_t __read_chk(int, void *, size_t, size_t);
ssize_t __pread_chk(int, void *, size_t, off_t, size_t);
ssize_t __pread64_chk(int, void *, size_t, off64_t, size_t);
size_t __fread_chk(void *, size_t, size_t, size_t, FILE *);
char *__fgets_chk(char *, size_t, int, FILE *);
ssize_t __getdelim(char **, size_t *, int, FILE *);
int __isoc99_fscanf(FILE *, const char *, ...);
int __isoc23_fscanf(FILE *, const char *, ...);
int __fprintf_chk(FILE *, int, const char *, ...);
int __vfprintf_chk(FILE *, int, const char *, va_list);

/* All at once, so that the memory of a rank does not depend on what it has called. */
#define NEXT(X)                                                               \
    X(ssize_t, read, (int, void *, size_t))                                   \
    X(ssize_t, __read_chk, (int, void *, size_t, size_t))                     \
    X(ssize_t, pread, (int, void *, size_t, off_t))                           \
    X(ssize_t, pread64, (int, void *, size_t, off64_t))                       \
    X(ssize_t, __pread_chk, (int, void *, size_t, off_t, size_t))             \
    X(ssize_t, __pread64_chk, (int, void *, size_t, off64_t, size_t))         \
    X(ssize_t, readv, (int, const struct iovec *, int))                       \
    X(size_t, fread, (void *, size_t, size_t, FILE *))                        \
    X(size_t, __fread_chk, (void *, size_t, size_t, size_t, FILE *))          \
    X(char *, fgets, (char *, int, FILE *))                                   \
    X(char *, __fgets_chk, (char *, size_t, int, FILE *))                     \
    X(int, fgetc, (FILE *))                                                   \
    X(ssize_t, getdelim, (char **, size_t *, int, FILE *))                    \
    X(int, vfscanf, (FILE *, const char *, va_list))                          \
    X(int, __isoc99_vfscanf, (FILE *, const char *, va_list))                 \
    X(int, __isoc23_vfscanf, (FILE *, const char *, va_list))                 \
    X(ssize_t, write, (int, const void *, size_t))                            \
    X(ssize_t, pwrite, (int, const void *, size_t, off_t))                    \
    X(ssize_t, pwrite64, (int, const void *, size_t, off64_t))                \
    X(ssize_t, writev, (int, const struct iovec *, int))                      \
    X(size_t, fwrite, (const void *, size_t, size_t, FILE *))                 \
    X(int, fputs, (const char *, FILE *))                                     \
    X(int, fputc, (int, FILE *))                                              \
    X(int, vfprintf, (FILE *, const char *, va_list))                         \
    X(int, __vfprintf_chk, (FILE *, int, const char *, va_list))              \
    X(int, fflush, (FILE *))                                                  \
    X(int, fclose, (FILE *))

static struct {
#define X(result, name, parameters) result (*name) parameters;
    NEXT(X)
#undef X
} next;

__attribute__((constructor)) static void find_transfers(void)
{
    if (next.fclose)
        return;
#define X(result, name, parameters) *(void **)&next.name = dlsym(RTLD_NEXT, #name);
    NEXT(X)
#undef X
}

static bool is_printed(int fd)
{
    return fd == STDOUT_FILENO || fd == STDERR_FILENO;
}

#define READ_FAILS(call) (find_transfers(), FAULT_FAILS(FAULT_READ, call, EIO))
#define WRITE_FAILS(call, fd) (find_transfers(), !is_printed(fd) && FAULT_FAILS(FAULT_WRITE, call, ENOSPC))

/* The mark by which ferror knows it is in the public part of a stream. */
static void fail_stream(FILE *stream, int error)
{
    enum { ERROR_SEEN = 0x20 };
    stream->_flags |= ERROR_SEEN;
    errno = error;
}

static ssize_t fail_transfer(int error)
{
    errno = error;
    return -1;
}

/* ---- reading ---- */

EXPORTED ssize_t read(int fd, void *to, size_t bytes)
{
    return READ_FAILS("read") ? fail_transfer(EIO) : next.read(fd, to, bytes);
}

EXPORTED ssize_t __read_chk(int fd, void *to, size_t bytes, size_t room)
{
    return READ_FAILS("read") ? fail_transfer(EIO) : next.__read_chk(fd, to, bytes, room);
}

EXPORTED ssize_t pread(int fd, void *to, size_t bytes, off_t at)
{
    return READ_FAILS("pread") ? fail_transfer(EIO) : next.pread(fd, to, bytes, at);
}

EXPORTED ssize_t pread64(int fd, void *to, size_t bytes, off64_t at)
{
    return READ_FAILS("pread") ? fail_transfer(EIO) : next.pread64(fd, to, bytes, at);
}

EXPORTED ssize_t __pread_chk(int fd, void *to, size_t bytes, off_t at, size_t room)
{
    return READ_FAILS("pread") ? fail_transfer(EIO) : next.__pread_chk(fd, to, bytes, at, room);
}

EXPORTED ssize_t __pread64_chk(int fd, void *to, size_t bytes, off64_t at, size_t room)
{
    return READ_FAILS("pread") ? fail_transfer(EIO) : next.__pread64_chk(fd, to, bytes, at, room);
}

EXPORTED ssize_t readv(int fd, const struct iovec *to, int n)
{
    return READ_FAILS("readv") ? fail_transfer(EIO) : next.readv(fd, to, n);
}

/* From streams: what the call returns if it fails. */
#define FAIL_READING(call, stream, value)  \
    do {                                   \
        if (READ_FAILS(call)) {            \
            fail_stream(stream, EIO);      \
            return value;                  \
        }                                  \
    } while (0)

EXPORTED size_t fread(void *to, size_t size, size_t n, FILE *stream)
{
    FAIL_READING("fread", stream, 0);
    return next.fread(to, size, n, stream);
}

EXPORTED size_t __fread_chk(void *to, size_t room, size_t size, size_t n, FILE *stream)
{
    FAIL_READING("fread", stream, 0);
    return next.__fread_chk(to, room, size, n, stream);
}

EXPORTED char *fgets(char *to, int room, FILE *stream)
{
    FAIL_READING("fgets", stream, NULL);
    return next.fgets(to, room, stream);
}

EXPORTED char *__fgets_chk(char *to, size_t room, int most, FILE *stream)
{
    FAIL_READING("fgets", stream, NULL);
    return next.__fgets_chk(to, room, most, stream);
}

EXPORTED int fgetc(FILE *stream)
{
    FAIL_READING("fgetc", stream, EOF);
    return next.fgetc(stream);
}

#undef getc
EXPORTED int getc(FILE *stream)
{
    FAIL_READING("getc", stream, EOF);
    return next.fgetc(stream);
}

EXPORTED ssize_t getdelim(char **line, size_t *room, int end, FILE *stream)
{
    FAIL_READING("getdelim", stream, -1);
    return next.getdelim(line, room, end, stream);
}

EXPORTED ssize_t __getdelim(char **line, size_t *room, int end, FILE *stream)
{
    FAIL_READING("getline", stream, -1);
    return next.getdelim(line, room, end, stream);
}

EXPORTED ssize_t getline(char **line, size_t *room, FILE *stream)
{
    FAIL_READING("getline", stream, -1);
    return next.getdelim(line, room, '\n', stream);
}

EXPORTED int vfscanf(FILE *stream, const char *format, va_list list)
{
    FAIL_READING("vfscanf", stream, EOF);
    return next.vfscanf(stream, format, list);
}

#define FSCANF(name, of_list)                                    \
    EXPORTED int name(FILE *stream, const char *format, ...)     \
    {                                                            \
        va_list list;                                            \
        FAIL_READING("fscanf", stream, EOF);                     \
        va_start(list, format);                                  \
        int got = next.of_list(stream, format, list);            \
        va_end(list);                                            \
        return got;                                              \
    }
#undef fscanf
FSCANF(__isoc99_fscanf, __isoc99_vfscanf)
FSCANF(__isoc23_fscanf, __isoc23_vfscanf)

/* ---- writing ---- */

EXPORTED ssize_t write(int fd, const void *from, size_t bytes)
{
    return WRITE_FAILS("write", fd) ? fail_transfer(ENOSPC) : next.write(fd, from, bytes);
}

EXPORTED ssize_t pwrite(int fd, const void *from, size_t bytes, off_t at)
{
    return WRITE_FAILS("pwrite", fd) ? fail_transfer(ENOSPC) : next.pwrite(fd, from, bytes, at);
}

EXPORTED ssize_t pwrite64(int fd, const void *from, size_t bytes, off64_t at)
{
    return WRITE_FAILS("pwrite", fd) ? fail_transfer(ENOSPC) : next.pwrite64(fd, from, bytes, at);
}

EXPORTED ssize_t writev(int fd, const struct iovec *from, int n)
{
    return WRITE_FAILS("writev", fd) ? fail_transfer(ENOSPC) : next.writev(fd, from, n);
}

#define FAIL_WRITING(call, stream, value)             \
    do {                                              \
        if (WRITE_FAILS(call, fileno(stream))) {      \
            fail_stream(stream, ENOSPC);              \
            return value;                             \
        }                                             \
    } while (0)

EXPORTED size_t fwrite(const void *from, size_t size, size_t n, FILE *stream)
{
    FAIL_WRITING("fwrite", stream, 0);
    return next.fwrite(from, size, n, stream);
}

EXPORTED int fputs(const char *text, FILE *stream)
{
    FAIL_WRITING("fputs", stream, EOF);
    return next.fputs(text, stream);
}

EXPORTED int fputc(int c, FILE *stream)
{
    FAIL_WRITING("fputc", stream, EOF);
    return next.fputc(c, stream);
}

#undef putc
EXPORTED int putc(int c, FILE *stream)
{
    FAIL_WRITING("putc", stream, EOF);
    return next.fputc(c, stream);
}

EXPORTED int vfprintf(FILE *stream, const char *format, va_list list)
{
    FAIL_WRITING("vfprintf", stream, -1);
    return next.vfprintf(stream, format, list);
}

EXPORTED int __vfprintf_chk(FILE *stream, int kind, const char *format, va_list list)
{
    FAIL_WRITING("vfprintf", stream, -1);
    return next.__vfprintf_chk(stream, kind, format, list);
}

EXPORTED int fprintf(FILE *stream, const char *format, ...)
{
    va_list list;
    FAIL_WRITING("fprintf", stream, -1);
    va_start(list, format);
    int put = next.vfprintf(stream, format, list);
    va_end(list);
    return put;
}

EXPORTED int __fprintf_chk(FILE *stream, int kind, const char *format, ...)
{
    va_list list;
    FAIL_WRITING("fprintf", stream, -1);
    va_start(list, format);
    int put = next.__vfprintf_chk(stream, kind, format, list);
    va_end(list);
    return put;
}

EXPORTED int fflush(FILE *stream)
{
    if (stream)
        FAIL_WRITING("fflush", stream, EOF);
    return next.fflush(stream);
}

/* What was only read cannot fail to be written; the stream is closed all the same. */
EXPORTED int fclose(FILE *stream)
{
    enum { NO_WRITES = 8 };
    find_transfers();
    bool fails = !(stream->_flags & NO_WRITES) && !is_printed(fileno(stream)) &&
                 FAULT_FAILS(FAULT_WRITE, "fclose", ENOSPC);
    int result = next.fclose(stream);
    if (fails)
        errno = ENOSPC;
    return fails ? EOF : result;
}
