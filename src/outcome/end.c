#include "outcome/end.h"

const char *run_end_name(enum run_end end)
{
#define RUN_END(end, name) [RUN_##end] = name,
    static const char *const names[] = {RUN_END_TABLE(RUN_END)};
#undef RUN_END
    return names[end];
}
