#include "check/pair.h"

struct defect pair_defect(const struct explorer *x, const struct dispute *dispute, bool met)
{
    bool type = dispute->fault == MESSAGE_TYPE;
    struct defect defect = {.kind = type ? KIND_TYPE_MISMATCH : KIND_TRUNCATION, .ops = 2};
    if (type)
        defect.sentence = met ? "a message is received with a datatype that does not match the one it was sent with"
                              : "a message can be received with a datatype that does not match the one it was sent with";
    else
        defect.sentence = met ? "a message is longer than the receive buffer"
                              : "a message can come that is longer than the receive buffer";
    defect.advice = type ? "give both the same basic types, in the same order"
                         : "make room for the longest message that can come, or ask with MPI_Probe";
    defect.op[0].op = explore_op(x, dispute->send, &defect.op[0].rank);
    defect.op[1].op = explore_op(x, dispute->recv, &defect.op[1].rank);
    defect.key = defect_key(&defect);
    return defect;
}
