#include "call/op_kinds.h"

#define OP_VALUE(part, kind, number, answer, tail, record, act, title) [OP_##kind] = record,
const char *const op_record_name[OP_KINDS] = {OP_TABLE(OP_VALUE)};
#undef OP_VALUE

#define OP_VALUE(part, kind, number, answer, tail, record, act, title) [OP_##kind] = act,
const char *const op_act_name[OP_KINDS] = {OP_TABLE(OP_VALUE)};
#undef OP_VALUE

#define OP_VALUE(part, kind, number, answer, tail, record, act, title) [OP_##kind] = title,
const char *const op_title[OP_KINDS] = {OP_TABLE(OP_VALUE)};
#undef OP_VALUE
