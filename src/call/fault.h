/*
 * fault -- which calls of the C library may fail in a search (--faults), by kinds.
 */
#ifndef CALL_FAULT_H
#define CALL_FAULT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define FAULTS(X) X(MALLOC, "malloc") X(OPEN, "open") X(READ, "read") X(WRITE, "write")

enum fault {
#define X(kind, name) FAULT_##kind,
    FAULTS(X)
#undef X
    FAULT_KINDS
};

static inline const char *fault_name(enum fault kind)
{
    static const char *const names[] = {
#define X(kind, name) name,
        FAULTS(X)
#undef X
    };
    return names[kind];
}

/* Of a list of names with commas between, as a set; 0: one is none of them, or named twice, or there is none. */
static inline uint32_t fault_set(const char *list)
{
    uint32_t set = 0;
    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        size_t length = strcspn(at, ",");
        unsigned kind = 0;
        while (kind < FAULT_KINDS &&
               (strlen(fault_name((enum fault)kind)) != length || strncmp(at, fault_name((enum fault)kind), length) != 0))
            kind++;
        if (kind == FAULT_KINDS || set >> kind & 1)
            return 0;
        set |= UINT32_C(1) << kind;
    }
    return set;
}

/* A rank keeps in mind at most so many places at which calls may fail; so many unless the user says otherwise. */
enum { FAULT_MOST_PLACES = 1024, FAULT_PLACES = 64 };

#endif
