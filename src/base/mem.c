#include "base/mem.h"

#include <stdint.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/die.h"

static size_t product(size_t n, size_t size)
{
    size_t bytes;

    if (__builtin_mul_overflow(n, size, &bytes))
        die("out of memory (%zu times %zu bytes)", n, size);
    return bytes ? bytes : 1;
}

static void *given(void *p, size_t bytes)
{
    if (!p)
        die("out of memory (%zu bytes)", bytes);
    return p;
}

void *xmalloc(size_t size)
{
    return given(malloc(product(1, size)), size);
}

void *xcalloc(size_t n, size_t size)
{
    size_t bytes = product(n, size);

    return given(calloc(1, bytes), bytes);
}

void *xrealloc(void *p, size_t n, size_t size)
{
    size_t bytes = product(n, size);

    return given(realloc(p, bytes), bytes);
}

void *xmemdup(const void *p, size_t n, size_t size)
{
    size_t bytes = product(n, size);
    void *copy = given(malloc(bytes), bytes);

    if (n)
        memcpy(copy, p, n * size);
    return copy;
}

char *xstrdup(const char *s)
{
    return xmemdup(s, strlen(s) + 1, 1);
}

char *xformat(const char *format, ...)
{
    char *text;
    va_list arguments;

    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        die("out of memory");
    va_end(arguments);
    return text;
}

void *array_assign(void *at, size_t *cap, const void *from, size_t n, size_t size)
{
    if (n > *cap) {
        free(at);
        at = xmalloc(product(n, size));
        *cap = n;
    }
    if (n)
        memcpy(at, from, n * size);
    return at;
}

void *vec_room(void *at, size_t n, size_t *cap, size_t more, size_t size)
{
    size_t need = n + more, next = *cap ? *cap : 8;

    if (need <= *cap)
        return at;
    while (next < need)
        next += next / 2 + 8;
    at = xrealloc(at, next, size);
    *cap = next;
    return at;
}
