/*
 * source -- which function and line an offset of an ELF file comes from.
 *
 * Debug information is taken from the file itself, or from a separate file by
 * build-id or debug link, if it is on this machine; nothing is ever fetched
 * over the network.  Without any, the symbol table still tells the function.
 */
#ifndef SYMBOLS_SOURCE_H
#define SYMBOLS_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

struct source;

struct source_spot {
    uint64_t address;     /* as the file itself counts: what addr2line takes */
    const char *function; /* or NULL; owned by the source, as the other */
    const char *file;     /* as full as it is known, or NULL */
    int line;             /* 0: unknown */
    uint64_t inside;      /* without a line: bytes from the beginning of the function */
};

/* Takes fd; `path` is where separate debug files are looked for.  NULL: not a file that can be read. */
struct source *source_open(int fd, const char *path);
void source_free(struct source *);

/* False if the file was written to since it was opened: nothing read from it can be believed any more. */
bool source_is_intact(const struct source *);

/* False: no part of the file that is loaded has this offset. */
bool source_find(struct source *, uint64_t offset, struct source_spot *);

#endif
