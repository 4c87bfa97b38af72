#include "result/bytes.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"

char *bytes_to_text(const char *bytes)
{
    VEC(char) text = {0};
    while (*bytes) {
        char escaped[5];
        uint32_t point;
        int length = utf8_next(bytes, &point);
        bool plain = length > 0 && strncmp(bytes, "\\x", 2) != 0;
        length = length > 0 ? length : 1;
        if (!plain)
            snprintf(escaped, sizeof escaped, "\\x%02x", (unsigned char)*bytes);
        for (int i = 0; i < (plain ? length : 4); i++)
            vec_push(&text, plain ? bytes[i] : escaped[i]);
        bytes += length;
    }
    vec_push(&text, '\0');
    return text.at;
}

static int digit(char c)
{
    return isdigit((unsigned char)c) ? c - '0' : c - 'a' + 10;
}

static bool is_hex(char c)
{
    return isdigit((unsigned char)c) || (c >= 'a' && c <= 'f');
}

char *bytes_of_text(const char *text)
{
    char *bytes = xmalloc(strlen(text) + 1), *end = bytes;
    while (*text) {
        if (text[0] == '\\' && text[1] == 'x' && is_hex(text[2]) && is_hex(text[3])) {
            *end++ = (char)(digit(text[2]) << 4 | digit(text[3]));
            text += 4;
        } else {
            *end++ = *text++;
        }
    }
    *end = '\0';
    return bytes;
}
