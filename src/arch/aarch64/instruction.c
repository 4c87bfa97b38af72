#include "arch/registers.h"

/* Of no instruction is it known that the program needs all that it loads: nobody is accused for a load. */
bool instruction_reads_ahead(const unsigned char *code)
{
    (void)code;
    return true;
}

/* There are none: loops copy, and are told access by access. */
bool instruction_is_string(const ucontext_t *context, const unsigned char *code, struct string_instruction *string)
{
    (void)context, (void)code, (void)string;
    return false;
}

void instruction_do_string(ucontext_t *context, const struct string_instruction *string)
{
    (void)context, (void)string;
    __builtin_trap();
}
