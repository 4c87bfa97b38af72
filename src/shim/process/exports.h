/*
 * exports -- what a library that is loaded has under a name, for who asks for thousands of names at once.
 *
 * It is what dlsym says, which takes a lock, goes through the libraries that this one needs, and makes an error message of each
 * name that none of them has.  A rank asks for all names of MPI when it starts.
 */
#ifndef SHIM_PROCESS_EXPORTS_H
#define SHIM_PROCESS_EXPORTS_H

#include <link.h>
#include <stdint.h>

struct exports {
    void *library;            /* as dlopen gives it */
    const uint32_t *hash;     /* its table of names; NULL: it has none of the usual kind */
    const ElfW(Sym) *symbols;
    const ElfW(Half) *versions; /* or NULL */
    const char *names;
    uintptr_t base;
};

struct exports exports_of(void *library);

/* NULL: neither the library nor what it needs has it. */
void *exports_find(const struct exports *, const char *name);

#endif
