/*
 * choose -- tourney_choose of include/tourney.h, which comes here through the gate.
 *
 * A range that the user has given by --choose takes the place of the program's.
 */
#include "shim/bodies/alternative.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "call/sound.h"
#include "call/wire.h"
#include "shim/bodies/entry.h"
#include "shim/channel.h"
#include "shim/core/refusal.h"
#include "shim/gate/gate.h"
#include "shim/shim.h"

/* In the list NAME=A..B;NAME=A..B; true: the name is there. */
static bool find_range(const char *name, int *low, int *high)
{
    const char *at = getenv(WIRE_ENV_CHOICES);
    size_t length = strlen(name);
    for (; at && *at; at = strchr(at, ';') ? strchr(at, ';') + 1 : NULL)
        if (strncmp(at, name, length) == 0 && at[length] == '=')
            return sscanf(at + length + 1, "%d..%d", low, high) == 2;
    return false;
}

static int choose_between(int low, int high, const char *name)
{
    char text[128];
    if (high < low || high - low >= OP_MOST_ALTERNATIVES)
        refuse_because("here: tourney_choose has 1 to 64 alternatives");
    if (strlen(name) > sizeof text / 2 || strpbrk(name, "#|;=!") || !*name)
        refuse_because("here: the name that tourney_choose is given is empty, too long, or has one of the characters # | ; = !");
    snprintf(text, sizeof text, "%s#%d", name, low);
    return low + (int)alternative_choose((uint32_t)(high - low + 1), text);
}

__attribute__((visibility("default"))) gate_choose_function tourney_shim_choose;
int tourney_shim_choose(int n, const char *name, const void *place)
{
    struct entry entry;
    int low = 0, high = n - 1;
    if (!shim.initialized || (shim.finalized && !channel_outlives_mpi()))
        return -1;
    entry_begin(&entry, CALL_Pcontrol, place);
    if (shim.finalized)
        refuse_because("here: tourney_choose is called after MPI_Finalize, where nobody chooses any more");
    if (find_range(name, &low, &high) && (low < 0 || high >= n))
        refuse_because("here: --choose has numbers that tourney_choose does not");
    int chosen = choose_between(low, high, name);
    entry_end(&entry);
    return chosen;
}
