#include "scenario/line.h"

#include <ctype.h>
#include <string.h>

#include "base/mem.h"

bool line_next(const char **at, const char *end, struct scenario_line *line)
{
    if (*at >= end)
        return false;
    const char *stop = memchr(*at, '\n', (size_t)(end - *at));
    stop = stop ? stop : end;
    const char *comment = memchr(*at, '#', (size_t)(stop - *at));
    *line = (struct scenario_line){*at, comment ? comment : stop, line->number + 1};
    *at = stop + 1;
    return true;
}

const char *cell_end(const char *at, const char *end)
{
    const char *bar = memchr(at, '|', (size_t)(end - at));
    return bar ? bar : end;
}

bool line_is_rule(const struct scenario_line *line)
{
    bool any = false;
    for (const char *c = line->begin; c < line->end; c++) {
        if (!memchr("-+| \t\r", *c, 6))
            return false;
        any = any || *c == '-';
    }
    return any;
}

const char *line_title(const struct scenario_line *line)
{
    const char *at = line->begin;
    while (at < line->end && isspace((unsigned char)*at))
        at++;
    if (line->end - at < 6 || memcmp(at, "title", 5) != 0 || !isspace((unsigned char)at[5]))
        return NULL;
    at += 5;
    while (at < line->end && isspace((unsigned char)*at))
        at++;
    return at;
}

char *trimmed(const char *from, const char *end)
{
    while (end > from && isspace((unsigned char)end[-1]))
        end--;
    char *text = xcalloc((size_t)(end - from) + 1, 1);
    memcpy(text, from, (size_t)(end - from));
    return text;
}
