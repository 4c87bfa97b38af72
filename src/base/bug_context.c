#include "base/bug_context.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PIECE = 1000, MOST = 1 << 16 };

static struct bug_context *innermost;
static bool telling;
static size_t said;

void bug_context_enter(struct bug_context *context)
{
    context->outer = innermost;
    innermost = context;
}

void bug_context_leave(struct bug_context *context)
{
    innermost = context->outer;
}

static void write_text(const char *text, size_t length)
{
    if (said + length > MOST)
        return;
    said += length;
    while (length > 0) {
        ssize_t n = write(STDERR_FILENO, text, length);
        if (n <= 0)
            return; /* nobody reads it */
        text += n;
        length -= (size_t)n;
    }
}

void bug_say(const char *format, ...)
{
    char text[PIECE + 1];
    va_list args;

    va_start(args, format);
    int length = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (length > 0)
        write_text(text, length > PIECE ? PIECE : (size_t)length);
}

void bug_say_word(const char *word)
{
    size_t plain = strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%");

    if (*word && !word[plain]) {
        write_text(word, plain);
        return;
    }
    write_text("'", 1);
    while (*word) {
        size_t length = strcspn(word, "'");
        write_text(word, length);
        if (word[length])
            write_text("'\\''", 4);
        word += length + (word[length] != 0);
    }
    write_text("'", 1);
}

void bug_context_tell(void)
{
    if (telling)
        return;
    telling = true;
    for (const struct bug_context *context = innermost; context && said < MOST; context = context->outer)
        context->describe(context->data);
}
