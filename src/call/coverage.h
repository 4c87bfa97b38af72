/*
 * coverage -- what a rank tells of the code that it runs, while inputs are tried (--inputs).
 *
 * A memory that tourney shares with all ranks has an area for each of them.  The library src/shim/coverage fills it, which is preloaded
 * then and only then: a search knows nothing of it.  Only a rank writes into its area, and tourney reads it when the run is over, so
 * what stands there is the same each time if the rank does the same.
 */
#ifndef CALL_COVERAGE_H
#define CALL_COVERAGE_H

#include <stdint.h>

#define COVERAGE_ENV "TOURNEY_COVERAGE" /* PATH:RANK of the shared memory */

enum {
    COVERAGE_PAIRS = 1 << 16,  /* counters, by hashes of pairs */
    COVERAGE_COMPARED = 2048,  /* comparisons of numbers that are kept */
    COVERAGE_TEXTS = 128,      /* and of texts, */
    COVERAGE_TEXT = 32,        /* up to so many bytes of them */
};

/* Two numbers that the program has compared. */
struct compared {
    uint64_t place;       /* where */
    uint64_t left, right; /* their bits */
    uint8_t bytes;        /* how many each had: 1, 2, 4 or 8 */
    uint8_t is_constant;  /* the left one stands in the program */
    uint8_t is_real;      /* they are of floating point */
};

/* Two texts, or other blocks of memory. */
struct compared_text {
    uint64_t place;
    uint8_t bytes[2]; /* that are kept of each */
    char side[2][COVERAGE_TEXT];
};

struct coverage_area {
    uint32_t tells; /* the program was built so that it tells of its branches */
    uint32_t compared, texts;
    struct compared compare[COVERAGE_COMPARED];
    struct compared_text text[COVERAGE_TEXTS];
    uint8_t pair[COVERAGE_PAIRS]; /* how often a branch came behind another one, or behind a call of MPI; 255: often */
};

/* Areas begin at pages. */
#define COVERAGE_STRIDE ((sizeof(struct coverage_area) + 4095) / 4096 * 4096)

/* How a program that was built with <tourney_coverage.h> finds the library: as that header has it. */
#define COVERAGE_DOOR_ENV "TOURNEY_COVERAGE_DOOR"
struct coverage_door {
    void (*branch)(const void *place);
    void (*numbers)(const void *place, uint64_t left, uint64_t right, int bytes, int kind);
};
enum { COVERAGE_VARIABLES, COVERAGE_CONSTANT, COVERAGE_REAL }; /* `kind`: two variables; the left one is a constant; of floating point */

#endif
