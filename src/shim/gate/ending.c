#include "shim/gate/ending.h"

#include <dlfcn.h>

#define EXPORTED __attribute__((visibility("default")))

EXPORTED bool (*tourney_ending_hook)(void);
EXPORTED bool tourney_ending_is_known;

static void (*linker_ends)(void);

static void end_program(void)
{
    if (!tourney_ending_hook || !tourney_ending_hook())
        linker_ends();
}

typedef int main_function(int, char **, char **);
typedef int start_function(main_function *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);

/*
 * The C library is told here what to call when the process ends, after all that is registered from now on and before
 * what the constructors of libraries have registered.  It stays in its place; the jump leaves no frame behind.
 */
EXPORTED start_function __libc_start_main;
int __libc_start_main(main_function *program, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*linker)(void), void *stack)
{
    start_function *next = (start_function *)dlsym(RTLD_NEXT, "__libc_start_main");
    linker_ends = linker;
    tourney_ending_is_known = linker;
    return next(program, argc, argv, init, fini, linker ? end_program : linker, stack);
}
