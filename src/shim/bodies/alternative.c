#include "shim/bodies/alternative.h"

#include <string.h>

#include "shim/channel.h"

uint32_t alternative_ask(struct op *op, const char *of)
{
    channel_post(op, of, strlen(of) + 1);
    const struct answer *answer = channel_sleep();
    return (uint32_t)answer_completions(answer)->source;
}

uint32_t alternative_choose(uint32_t alternatives, const char *of)
{
    if (alternatives == 1)
        return 0;
    struct op op = {.kind = OP_CHOOSE, .peer = RANK_NONE, .items = alternatives};
    return alternative_ask(&op, of);
}
