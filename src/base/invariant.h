/*
 * invariant -- what must always hold, checked after every step in builds that are made for it.
 *
 * CHECKED(call) is the call where CHECK_INVARIANTS is defined, as it is in `make asan` and for some of the tests, and
 * nothing elsewhere: what is shipped pays nothing.  INVARIANT(holds, ...) says in a sentence what does not hold, and
 * ends in BUG().
 */
#ifndef BASE_INVARIANT_H
#define BASE_INVARIANT_H

#include "base/die.h"

#ifdef CHECK_INVARIANTS
enum { INVARIANTS_ARE_CHECKED = 1 };
#else
enum { INVARIANTS_ARE_CHECKED = 0 };
#endif

#define CHECKED(call)                                                                                                  \
    do {                                                                                                               \
        if (INVARIANTS_ARE_CHECKED)                                                                                    \
            call;                                                                                                      \
    } while (0)

#define INVARIANT(holds, ...)              \
    do {                                   \
        if (__builtin_expect(!(holds), 0)) \
            BUG(__VA_ARGS__);              \
    } while (0)

#endif
