#include "trace/line.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/mem.h"
#include "base/utf8.h"

enum { LIST_MAX = 12 };

void line_add(struct line *line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vec_reserve(line, 80);
    int need = vsnprintf(line->at + line->n, line->cap - line->n, format, args);
    va_end(args);
    if (need >= 0 && (size_t)need >= line->cap - line->n) {
        vec_reserve(line, (size_t)need + 1);
        va_start(args, format);
        need = vsnprintf(line->at + line->n, line->cap - line->n, format, args);
        va_end(args);
    }
    line->n += need > 0 ? (size_t)need : 0;
}

void line_add_clean(struct line *line, const char *at)
{
    while (*at) {
        uint32_t point = 0;
        int length = utf8_next(at, &point);
        if (length == 0 || point < 0x20 || (point >= 0x7f && point < 0xa0))
            for (int i = 0; i < (length ? length : 1); i++)
                line_add(line, "\\x%02x", (uint8_t)at[i]);
        else
            line_add(line, "%.*s", length, at);
        at += length ? length : 1;
    }
}

char *clean_text(const char *text)
{
    struct line line = {0};
    line_add(&line, "%s", "");
    line_add_clean(&line, text);
    return line.at;
}

void line_pad(struct line *line, size_t from, size_t width)
{
    size_t shown = 0;
    for (size_t i = from; i < line->n; i++)
        shown += ((uint8_t)line->at[i] & 0xc0) != 0x80;
    if (shown < width)
        line_add(line, "%*s", (int)(width - shown), "");
}

void line_add_list(struct line *line, const uint32_t *number, size_t n)
{
    size_t shown = 0, i = 0;
    line_add(line, "%s", n ? "" : "none");
    while (i < n && shown < LIST_MAX) {
        size_t until = i + 1;
        while (until < n && number[until] == number[until - 1] + 1)
            until++;
        if (until - i < 3)
            until = i + 1;
        line_add(line, "%s%" PRIu32, shown ? "," : "", number[i]);
        if (until > i + 1)
            line_add(line, "-%" PRIu32, number[until - 1]);
        shown++;
        i = until;
    }
    if (i < n)
        line_add(line, ",... (%zu in all)", n);
}
