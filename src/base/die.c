#include "base/die.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug_context.h"

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

/* Something is broken already, and a lock may be held that nobody will let go. */
static void flush_what_was_printed(void)
{
    if (ftrylockfile(stdout) != 0)
        return;
    fflush_unlocked(stdout);
    funlockfile(stdout);
}

void bug_at(const char *file, int line, const char *format, ...)
{
    char text[1000];
    va_list args;

    flush_what_was_printed();
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    bug_say("tourney: ");
    if (suspect)
        bug_say("%s is damaged, or this is a ", suspect);
    bug_say("bug at %s:%d: ", file, line);
    bug_say("%s", text);
    bug_say("\n");
    bug_context_tell();
    exit(EXIT_TOURNEY);
}
