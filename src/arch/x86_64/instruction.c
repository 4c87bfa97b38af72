#include <string.h>

#include "arch/registers.h"

/* Of the instructions behind 0F: those that are about single numbers, with the prefix F2 or F3, or without. */
static bool is_single(unsigned char operation, bool prefixed)
{
    if (!prefixed)
        return operation < 0x10 || (operation >= 0x18 && operation < 0x28) || operation == 0x2e || operation == 0x2f ||
               (operation >= 0x30 && operation < 0x38) || operation == 0x6e ||
               (operation >= 0x80 && operation < 0xd0 && operation != 0xc2 && operation != 0xc6);
    return operation == 0x10 || operation == 0x2a || operation == 0x2c || operation == 0x2d ||
           (operation >= 0x51 && operation <= 0x53) || (operation >= 0x58 && operation <= 0x5f && operation != 0x5b) ||
           operation == 0x7e || (operation >= 0xb8 && operation <= 0xc2);
}

/* Whether an instruction loads several values at once, or one that it may not need. */
static bool is_greedy(const unsigned char *code)
{
    bool prefixed = false;
    for (; *code && strchr("\x66\x2e\x36\x3e\x26\x64\x65\xf0\xf2\xf3", *code); code++)
        prefixed = prefixed || *code == 0xf2 || *code == 0xf3;
    if ((*code & 0xf0) == 0x40)
        code++;
    if (*code == 0xc5) /* AVX */
        return (code[1] & 3) < 2 || !is_single(code[2], true);
    if (*code == 0xc4)
        return (code[1] & 31) != 1 || (code[2] & 3) < 2 || !is_single(code[3], true);
    if (*code == 0x62)
        return true;
    return *code == 0x0f && !is_single(code[1], prefixed);
}

bool instruction_reads_ahead(const unsigned char *code)
{
    if (is_greedy(code))
        return true;
    for (int i = 0; i + 1 < INSTRUCTIONS_AHEAD; i++)
        if (code[i] == 0x0f && (code[i + 1] & 0xf0) == 0x40)
            return true;
    return false;
}

bool instruction_is_string(const ucontext_t *context, const unsigned char *code, struct string_instruction *string)
{
    enum { DIRECTION = 0x400 };
    const greg_t *regs = context->uc_mcontext.gregs;
    const unsigned char *at = code;
    bool short_words = false, long_words = false;
    if (*at == 0x66)
        short_words = *at++;
    if (*at++ != 0xf3)
        return false;
    if (*at == 0x66)
        short_words = *at++;
    if ((*at & 0xf0) == 0x40)
        long_words = *at++ & 8;
    bool copies = *at == 0xa4 || *at == 0xa5;
    if ((!copies && *at != 0xaa && *at != 0xab) || regs[REG_EFL] & DIRECTION)
        return false;
    unsigned element = !(*at & 1) ? 1 : long_words ? 8 : short_words ? 2 : 4;
    *string = (struct string_instruction){.to = (uintptr_t)regs[REG_RDI],
                                          .from = copies ? (uintptr_t)regs[REG_RSI] : 0,
                                          .bytes = (size_t)regs[REG_RCX] * element,
                                          .element = element,
                                          .length = (unsigned)(at + 1 - code)};
    return true;
}

/* Element by element, for the two places may overlap. */
void instruction_do_string(ucontext_t *context, const struct string_instruction *string)
{
    greg_t *regs = context->uc_mcontext.gregs;
    for (size_t i = 0; i < string->bytes; i += string->element)
        memmove((char *)string->to + i, string->from ? (const void *)(string->from + i) : (const void *)&regs[REG_RAX],
                string->element);
    regs[REG_RDI] += (greg_t)string->bytes;
    regs[REG_RSI] += string->from ? (greg_t)string->bytes : 0;
    regs[REG_RCX] = 0;
    regs[REG_RIP] += string->length;
}
