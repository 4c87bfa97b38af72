/*
 * tourney_coverage.h -- lets `tourney --inputs` see which branches a program takes.
 *
 *     mpicc -g -include tourney_coverage.h -fsanitize-coverage=trace-pc,trace-cmp solver.c -o solver
 *
 * A compiler with these options puts calls of functions into the program, at branches and comparisons, and leaves it to others to have
 * such functions.  They are here, so there is nothing to link with; outside of tourney they do nothing.  One file of a program that includes
 * this is enough, whatever languages the others are in.  GCC from version 12 on, or clang from 13 with -fno-sanitize-link-runtime, since its own
 * library has such functions, which do nothing.
 */
#ifndef TOURNEY_COVERAGE_H
#define TOURNEY_COVERAGE_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __clang__
#define TOURNEY_UNTRACED __attribute__((no_sanitize("coverage")))
#else
#define TOURNEY_UNTRACED __attribute__((no_sanitize_coverage))
#endif
#define TOURNEY_TRACED_BY TOURNEY_UNTRACED __attribute__((weak, visibility("default")))

struct tourney_coverage_door {
    void (*branch)(const void *place);
    void (*numbers)(const void *place, uint64_t left, uint64_t right, int bytes, int kind);
};

TOURNEY_UNTRACED static inline const struct tourney_coverage_door *tourney_coverage(void)
{
    static const struct tourney_coverage_door *door;
    static int asked;
    if (!asked) {
        const char *where = getenv("TOURNEY_COVERAGE_DOOR");
        asked = 1;
        door = where ? (const struct tourney_coverage_door *)(size_t)strtoull(where, NULL, 16) : NULL;
    }
    return door;
}

#define TOURNEY_COMPARED(left, right, bytes, kind)                                                    \
    do {                                                                                              \
        const struct tourney_coverage_door *door_ = tourney_coverage();                               \
        if (door_)                                                                                    \
            door_->numbers(__builtin_return_address(0), (left), (right), (bytes), (kind));            \
    } while (0)

#define TOURNEY_COMPARISON(name, type, kind)                             \
    TOURNEY_TRACED_BY void __sanitizer_cov_trace_##name(type left, type right); \
    void __sanitizer_cov_trace_##name(type left, type right)             \
    {                                                                    \
        TOURNEY_COMPARED(left, right, (int)sizeof left, kind);           \
    }

TOURNEY_COMPARISON(cmp1, uint8_t, 0)
TOURNEY_COMPARISON(cmp2, uint16_t, 0)
TOURNEY_COMPARISON(cmp4, uint32_t, 0)
TOURNEY_COMPARISON(cmp8, uint64_t, 0)
TOURNEY_COMPARISON(const_cmp1, uint8_t, 1)
TOURNEY_COMPARISON(const_cmp2, uint16_t, 1)
TOURNEY_COMPARISON(const_cmp4, uint32_t, 1)
TOURNEY_COMPARISON(const_cmp8, uint64_t, 1)

#define TOURNEY_REAL_COMPARISON(name, type, bits)                        \
    TOURNEY_TRACED_BY void __sanitizer_cov_trace_##name(type left, type right); \
    void __sanitizer_cov_trace_##name(type left, type right)             \
    {                                                                    \
        bits pattern[2];                                                 \
        memcpy(&pattern[0], &left, sizeof left);                         \
        memcpy(&pattern[1], &right, sizeof right);                       \
        TOURNEY_COMPARED(pattern[0], pattern[1], (int)sizeof left, 2);   \
    }

TOURNEY_REAL_COMPARISON(cmpf, float, uint32_t)
TOURNEY_REAL_COMPARISON(cmpd, double, uint64_t)

/* Of a switch: how many cases there are, how many bits they have, and the cases. */
TOURNEY_TRACED_BY void __sanitizer_cov_trace_switch(uint64_t value, void *table);
void __sanitizer_cov_trace_switch(uint64_t value, void *table)
{
    const uint64_t *cases = (const uint64_t *)table;
    uint64_t i;
    for (i = 0; i < cases[0]; i++)
        TOURNEY_COMPARED(cases[2 + i], value, cases[1] <= 8 ? 1 : cases[1] <= 16 ? 2 : cases[1] <= 32 ? 4 : 8, 1);
}

TOURNEY_TRACED_BY void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
    const struct tourney_coverage_door *door = tourney_coverage();
    if (door)
        door->branch(__builtin_return_address(0));
}

#undef TOURNEY_COMPARED
#undef TOURNEY_COMPARISON
#undef TOURNEY_REAL_COMPARISON
#ifdef __cplusplus
}
#endif
#endif
