#include "shim/core/refusal.h"

#include <string.h>

#include "shim/channel.h"

_Noreturn void refuse_because(const char *reason)
{
    struct op op = {.kind = OP_REFUSED};
    channel_post(&op, reason, strlen(reason) + 1);
    channel_wait_for_the_end();
}
