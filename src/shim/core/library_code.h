/*
 * library_code -- calls of the real library, none of whose codes is lost.
 *
 * The generated prototypes (real.h) have the compiler refuse a call whose code is dropped.  A call of the program's
 * returns its code; what the shim asks for on its own account is one of these two.
 */
#ifndef SHIM_CORE_LIBRARY_CODE_H
#define SHIM_CORE_LIBRARY_CODE_H

#include <mpi.h>

#include "real.h"

/* Says which call failed, with which code and why, and stops the run: nothing can be said of the program. */
_Noreturn void library_failed(const char *call, int code);

static inline void library_check(const char *call, int code)
{
    if (__builtin_expect(code != MPI_SUCCESS, 0))
        library_failed(call, code);
}

/* It can be done; if the library says otherwise, what follows would be untrue. */
#define real_must(name, ...) library_check("MPI_" #name, real.name(__VA_ARGS__))

/* The same error comes back where the program is told of it, or nobody is left to be told. */
static inline void library_may_fail(int code)
{
    (void)code;
}

#endif
