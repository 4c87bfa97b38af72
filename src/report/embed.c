#include "report/embed.h"

#include <stdlib.h>

#include "base/utf8.h"
#include "result/bytes.h"

static void put_escaped(FILE *out, char c)
{
    if (c == '<')
        fputs("\\u003c", out);
    else
        fputc(c, out);
}

void embed_json(FILE *out, const char *json)
{
    for (; *json; json++)
        put_escaped(out, *json);
}

void embed_string(FILE *out, const char *text)
{
    fputc('"', out);
    while (*text) {
        uint32_t point;
        int length = utf8_next(text, &point);
        if (length == 0)
            fputs("\\ufffd", out);
        else if (point < ' ')
            fprintf(out, "\\u%04x", point);
        else if (point == '"' || point == '\\')
            fprintf(out, "\\%c", (char)point);
        else
            for (int i = 0; i < length; i++)
                put_escaped(out, text[i]);
        text += length ? length : 1;
    }
    fputc('"', out);
}

void embed_name(FILE *out, const char *bytes)
{
    char *text = bytes_to_text(bytes);
    embed_string(out, text);
    free(text);
}
