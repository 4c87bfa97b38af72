/*
 * launcher -- notices that this process is a launcher, in the place of a rank (call/rank_claim.h).
 *
 * The gate is preloaded into everything that a script starts, mpiexec too.
 */
#include <errno.h>
#include <stdlib.h>

#include "shim/process/rank_claim.h"

__attribute__((constructor)) static void look_at_self(void)
{
    const char *name = program_invocation_short_name;
    if (getenv(RANK_CLAIM_ENV_LAUNCHED) || !rank_claim_is_launcher(name))
        return;
    struct rank_claim *claim = rank_claim_map();
    if (!claim)
        return;
    setenv(RANK_CLAIM_ENV_LAUNCHED, "1", 1);
    rank_claim_note_launcher(claim, name);
    rank_claim_unmap(claim);
}
