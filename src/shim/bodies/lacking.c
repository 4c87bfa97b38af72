#include "shim/bodies/lacking.h"

#include <stddef.h>
#include <string.h>

static const char *const names[] = {
#include "lacks.inc"
    NULL,
};

bool tourney_shim_lacks(const char *name)
{
    const char *plain = lacking_plain_name(name);
    for (size_t i = 0; names[i]; i++)
        if (!strcmp(names[i], plain))
            return true;
    return false;
}
