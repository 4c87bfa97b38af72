/*
 * text -- a string that is printed into.
 */
#ifndef WORDS_TEXT_H
#define WORDS_TEXT_H

#include <stdio.h>

#include "base/die.h"

struct text {
    FILE *out; /* print here */
    char *at;
    size_t size;
};

/* Must not be moved while it is open. */
static inline void text_open(struct text *text)
{
    text->out = open_memstream(&text->at, &text->size);
    if (!text->out)
        die("out of memory");
}

/* The string, owned by the caller. */
static inline char *text_close(struct text *text)
{
    if (fclose(text->out) != 0)
        die("out of memory");
    return text->at;
}

#endif
