/*
 * variables -- what an executable says of its variables: how long they are, and of what numbers.
 *
 * tourney reads it off the symbol table and the debug information (world/variables.h), once, and the ranks map the
 * file that it makes of that.  Addresses are those of the executable, before it is moved to where it is loaded.
 * Behind the head stand the arrays in the order of their counts, then texts, which end with 0.
 */
#ifndef CALL_VARIABLES_H
#define CALL_VARIABLES_H

#include <stdint.h>

/* Where the file is, in the environment of a rank. */
#define VARIABLES_ENV "TOURNEY_VARIABLES"

enum { VARIABLES_MAGIC = 0x31524156 };

/* What sort of number; a complex one is two of its parts.  Of everything else it does not matter what it is sent as. */
enum number_kind { NUMBER_ANY, NUMBER_INTEGER, NUMBER_FLOAT };

/* An object of the symbol table, or several that share memory. */
struct variables_object {
    uint64_t start, end;
    uint64_t name; /* in the texts */
};

/* A static variable of the debug information. */
struct variables_static {
    uint64_t start, end;
    uint32_t name, type;
};

/* Code of a function, and its variables in memory. */
struct variables_code {
    uint64_t start, end;
    uint32_t first, n;
};

enum { BASE_CFA, BASE_FRAME, BASE_STACK }; /* what the place of a local variable is counted from */

/* It lives while the program is in this code. */
struct variables_local {
    uint64_t start, end;
    int64_t offset;
    uint64_t size;
    uint32_t name, type;
    uint64_t base;
};

/* A type of `size` bytes: `period` bytes, again and again, with these numbers in them.  The first type is unknown. */
struct variables_type {
    uint64_t size, period;
    uint32_t first, n;
};

struct variables_number {
    uint64_t at, bytes; /* one after the other */
    uint32_t kind, size; /* enum number_kind; of one */
    uint64_t name;
};

struct variables_head {
    uint32_t magic, reserved;
    uint64_t device, inode; /* of the executable */
    uint64_t objects, statics, codes, locals, types, numbers, texts;
};

#endif
