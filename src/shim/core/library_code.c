#include "shim/core/library_code.h"

#include <stdio.h>

#include "shim/channel.h"
#include "shim/core/refusal.h"
#include "shim/shim.h"

enum { REASON = 200 + MPI_MAX_ERROR_STRING };

/* May happen while an operation is being written: that is forgotten. */
void library_failed(const char *call, int code)
{
    char reason[REASON], text[MPI_MAX_ERROR_STRING] = "no text";
    int length;
    library_may_fail(real.Error_string(code, text, &length));
    snprintf(reason, sizeof reason, "here: the MPI library has failed in %s, error %d: %s", call, code, text);
    if (!shim.up)
        shim_give_up(reason);
    channel_abandon();
    refuse_because(reason);
}
