/*
 * What all targets share.  It stands in for base/die.c, so that an input which is
 * refused does not end the program.
 */
#include "fuzz.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/die.h"

bool fuzz_bugs_refuse;
static jmp_buf refused;

static void say(const char *what, const char *format, va_list args)
{
    fputs(what, stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
}

void die(const char *format, ...)
{
    va_list args;
    if (strncmp(format, "out of memory", 13) != 0)
        longjmp(refused, 1);
    va_start(args, format);
    say("died: ", format, args);
    va_end(args);
    abort();
}

void bug_at(const char *file, int line, const char *format, ...)
{
    va_list args;
    if (fuzz_bugs_refuse)
        longjmp(refused, 1);
    fprintf(stderr, "%s:%d: ", file, line);
    va_start(args, format);
    say("bug: ", format, args);
    va_end(args);
    abort();
}

const char *fuzz_file(const void *bytes, size_t size)
{
    static char path[64];
    static int fd = -1;
    if (fd < 0) {
        fd = memfd_create("fuzz", MFD_CLOEXEC);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    }
    if (fd < 0 || ftruncate(fd, 0) < 0 || pwrite(fd, bytes, size, 0) != (ssize_t)size)
        abort();
    return path;
}

FILE *fuzz_nowhere(void)
{
    static FILE *nowhere;
    if (!nowhere && !(nowhere = fopen("/dev/null", "w")))
        abort();
    return nowhere;
}

char *fuzz_text(const uint8_t *bytes, size_t size)
{
    char *text = malloc(size + 1);
    if (!text)
        abort();
    memcpy(text, bytes, size);
    text[size] = '\0';
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (setjmp(refused) == 0)
        fuzz_one(bytes, size);
    return 0;
}
