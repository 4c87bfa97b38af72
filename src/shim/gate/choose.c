/*
 * choose -- the door through which programs ask (include/tourney.h): its address is in their environment.
 */
#include <stdio.h>
#include <stdlib.h>

#include "shim/gate/gate.h"

#define HIDDEN __attribute__((visibility("hidden")))
HIDDEN gate_choose_function *gate_chooses;

static int choose_for_program(int n, const char *name)
{
    int chosen = gate_chooses ? gate_chooses(n, name, __builtin_return_address(0)) : -1;
    if (chosen >= 0)
        return chosen;
    gate_stop("tourney_choose(%d, \"%s\") is called before MPI_Init or after MPI_Finalize", n, name);
}

/* What a rank executes is no rank. */
__attribute__((constructor)) static void open_door(void)
{
    char text[32];
    unsetenv("TOURNEY_CHOOSE");
    snprintf(text, sizeof text, "%zx", (size_t)choose_for_program);
    if (gate_is_rank())
        setenv("TOURNEY_CHOOSE", text, 1);
}
