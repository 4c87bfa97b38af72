/*
 * gate_launcher -- notices that this process is a launcher, in the place of a rank (call/stage.h).
 *
 * The gate is preloaded into everything that a script starts, mpiexec too.
 */
#include <errno.h>
#include <stdlib.h>

#include "shim/stage.h"

__attribute__((constructor)) static void look_at_self(void)
{
    const char *name = program_invocation_short_name;
    if (getenv(STAGE_ENV_LAUNCHED) || !stage_is_launcher(name))
        return;
    struct stage *stage = stage_map();
    if (!stage)
        return;
    setenv(STAGE_ENV_LAUNCHED, "1", 1);
    stage_note_launcher(stage, name);
    stage_unmap(stage);
}
