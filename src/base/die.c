#include "base/die.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void die(const char *format, ...)
{
    va_list args;

    fflush(stdout);
    fputs("tourney: ", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    exit(EXIT_TOURNEY);
}

static char *suspect;

void bug_suspect(const char *file)
{
    free(suspect);
    suspect = strdup(file);
}

void bug_at(const char *file, int line, const char *format, ...)
{
    va_list args;

    fflush(stdout);
    fputs("tourney: ", stderr);
    if (suspect)
        fprintf(stderr, "%s is damaged, or this is a ", suspect);
    fprintf(stderr, "bug at %s:%d: ", file, line);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    exit(EXIT_TOURNEY);
}
