#include "flow/trace.h"

void trace_release(struct trace *trace)
{
    vec_release(&trace->stream);
    vec_release(&trace->step);
    vec_release(&trace->changed);
    *trace = (struct trace){0};
}
