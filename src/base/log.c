#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/die.h"

#define LOG_AREA(area) #area,
static const char *const name[] = {LOG_AREAS(LOG_AREA)};
#undef LOG_AREA
enum { AREAS = sizeof name / sizeof *name };

unsigned log_on;
static struct timespec began;

static _Noreturn void refuse_area(const char *word, size_t length)
{
    char all[200] = "";
    for (size_t i = 0; i < AREAS; i++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? ", " : "", name[i]);
    die("TOURNEY_LOG: '%.*s' is not one of %s, all", (int)length, word, all);
}

static unsigned bits_of(const char *word, size_t length)
{
    if (length == strlen("all") && strncmp(word, "all", length) == 0)
        return (1u << AREAS) - 1;
    for (size_t i = 0; i < AREAS; i++)
        if (length == strlen(name[i]) && strncmp(word, name[i], length) == 0)
            return 1u << i;
    refuse_area(word, length);
}

void log_open(void)
{
    const char *word = getenv("TOURNEY_LOG");
    clock_gettime(CLOCK_MONOTONIC, &began);
    while (word && *word) {
        size_t length = strcspn(word, ",");
        if (length)
            log_on |= bits_of(word, length);
        word += length + (word[length] == ',');
    }
}

void log_line(enum log_area area, const char *format, ...)
{
    char line[1000];
    struct timespec now;
    va_list args;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double seconds = (double)(now.tv_sec - began.tv_sec) + (double)(now.tv_nsec - began.tv_nsec) / 1e9;
    int length = snprintf(line, sizeof line, "%10.6f %-7s ", seconds, name[area]);
    va_start(args, format);
    length += vsnprintf(line + length, sizeof line - (size_t)length, format, args);
    va_end(args);
    if (length > (int)sizeof line - 2)
        length = sizeof line - 2;
    line[length++] = '\n';
    if (write(STDERR_FILENO, line, (size_t)length) < 0)
        log_on = 0; /* nobody reads it */
}
