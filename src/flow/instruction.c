#include "flow/instruction.h"

#include <capstone/capstone.h>
#include <string.h>

#include "base/mem.h"

struct disassembler {
    csh handle;
    cs_insn *room; /* owns */
};

struct disassembler *disassembler_new(void)
{
    struct disassembler *d = xcalloc(1, sizeof *d);
    if (cs_open(CS_ARCH_X86, CS_MODE_64, &d->handle) == CS_ERR_OK &&
        cs_option(d->handle, CS_OPT_DETAIL, CS_OPT_ON) == CS_ERR_OK && (d->room = cs_malloc(d->handle)))
        return d;
    disassembler_free(d);
    return NULL;
}

void disassembler_free(struct disassembler *d)
{
    if (!d)
        return;
    if (d->room)
        cs_free(d->room, 1);
    if (d->handle)
        cs_close(&d->handle);
    free(d);
}

/* ---- what is known of names ---- */

/* Names between blanks; one that ends in * stands for all that begin so. */
static bool is_among(const char *name, const char *list)
{
    size_t length = strlen(name);
    for (const char *at = list; *at;) {
        size_t n = strcspn(at, " ");
        bool open = n && at[n - 1] == '*';
        if (open ? strncmp(name, at, n - 1) == 0 : n == length && memcmp(name, at, n) == 0)
            return true;
        at += n + (at[n] == ' ');
    }
    return false;
}

/* What they write is what they read, byte by byte; longer registers get zeros. */
static const char moves[] =
    "mov movabs movzx movaps movups movapd movupd movdqa movdqu movq movd movnti movntdq movntps "
    "movntdqa lddqu vmovaps vmovups vmovapd vmovupd vmovdqa* vmovdqu* vmovq vmovd vmovntdq "
    "vlddqu kmovb kmovw kmovd kmovq";
/* They do not look at what the first operand held, and write all of it. */
static const char makers[] =
    "movsx movsxd lea popcnt lzcnt tzcnt cvttsd2si cvtsd2si cvttss2si cvtss2si vcvttsd2si vcvtsd2si "
    "vcvttss2si vcvtss2si movmskps movmskpd pmovmskb vpmovmskb vmovmskps vmovmskpd andn bextr "
    "shlx shrx sarx rorx pext pdep pshufd vpxor* vpor* vpand* vxorps vxorpd vaddpd vaddps vaddsd "
    "vaddss vsubpd vsubps vsubsd vsubss vmulpd vmulps vmulsd vmulss vdivpd vdivps vdivsd vdivss "
    "vpcmpeq* vpcmpgt* vpminub vpmaxub vpadd* vpsub* vpbroadcast* vbroadcast* movddup set*";
/* They change the first operand, or two of them, and flags. */
static const char changers[] = "add sub and or xor adc sbb inc dec neg not shl sal shr sar rol ror rcl rcr imul xadd "
                               "cmpxchg xchg bswap bts btr btc shld shrd cmov*";
static const char comparers[] =
    "cmp test bt comisd comiss ucomisd ucomiss vcomisd vcomiss vucomisd vucomiss ptest vptest "
    "kortest* ktest*";
static const char renews_flags[] =
    "add sub and or xor cmp test neg comisd comiss ucomisd ucomiss vcomisd vcomiss vucomisd "
    "vucomiss ptest vptest kortest* ktest* popcnt lzcnt tzcnt adc sbb xadd cmpxchg";
static const char leaves_flags[] = "mov movabs movzx movsx movsxd lea not xchg bswap set* cmov* cvttsd2si cvtsd2si "
                                   "cvttss2si cvtss2si movnti movmskps movmskpd pmovmskb";
static const char reads_flags[] = "set* cmov* adc sbb rcl rcr";
static const char idle[] = "nop endbr64 pause lfence mfence sfence prefetch* hint_nop* vzeroupper cld rdsspq rdsspd";
static const char clears[] = "xor sub pxor xorps xorpd vpxor* vxorps vxorpd psubb psubd psubq vpsub* pandn";

/* Without prefixes, which the disassembler also counts to the mnemonic. */
static const char *name_of(csh handle, const cs_insn *insn)
{
    return cs_insn_name(handle, insn->id);
}

/* ---- registers ---- */

static struct register_range register_range(csh handle, unsigned reg)
{
    static const char *const old[16] = {"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi"};
    const char *name = cs_reg_name(handle, reg);
    size_t n = name ? strlen(name) : 0;
    int number = -1;
    if (n == 0 || strcmp(name, "rip") == 0 || strcmp(name, "eip") == 0)
        return (struct register_range){0};
    if (strstr(name, "flags"))
        return (struct register_range){REGISTER_FLAGS, 1, false};
    if (strncmp(name, "xmm", 3) == 0 || strncmp(name, "ymm", 3) == 0 || strncmp(name, "zmm", 3) == 0)
        return (struct register_range){(uint16_t)(REGISTER_VECTORS + 64 * atoi(name + 3)),
                                       name[0] == 'x'   ? 16
                                       : name[0] == 'y' ? 32
                                                        : 64,
                                       false};
    if (name[0] == 'k' && n == 2)
        return (struct register_range){(uint16_t)(REGISTER_MASKS + 8 * (name[1] - '0')), 8, false};
    if (strncmp(name, "st", 2) == 0 || strncmp(name, "mm", 2) == 0 || strncmp(name, "fp", 2) == 0)
        return (struct register_range){REGISTER_X87, REGISTER_X87_BYTES, false};
    if (name[0] == 'r' && name[1] >= '0' && name[1] <= '9') {
        char last = name[n - 1];
        uint16_t bytes = last == 'd' ? 4 : last == 'w' ? 2 : last == 'b' ? 1 : 8;
        return (struct register_range){(uint16_t)(8 * atoi(name + 1)), bytes, false};
    }
    for (int i = 0; i < 8; i++) {
        const char *letters = old[i] + 1; /* "ax" */
        if (n == 3 && (name[0] == 'r' || name[0] == 'e') && strcmp(name + 1, letters) == 0)
            return (struct register_range){(uint16_t)(8 * i), name[0] == 'r' ? 8 : 4, false};
        if (n == 2 && strcmp(name, letters) == 0)
            return (struct register_range){(uint16_t)(8 * i), 2, false};
        if (n == 3 && strncmp(name, letters, 2) == 0 && name[2] == 'l') /* spl, sil */
            return (struct register_range){(uint16_t)(8 * i), 1, false};
        if (n == 2 && i < 4 && name[0] == letters[0] && (name[1] == 'l' || name[1] == 'h'))
            number = i;
    }
    if (number >= 0)
        return (struct register_range){(uint16_t)(8 * number + (name[1] == 'h')), 1, false};
    return (struct register_range){UINT16_MAX, 0, false};
}

static uint8_t general_register(csh handle, unsigned reg)
{
    struct register_range range =
        reg == X86_REG_INVALID ? (struct register_range){UINT16_MAX, 0, false} : register_range(handle, reg);
    return range.bytes && range.at < REGISTER_FLAGS ? (uint8_t)(range.at / 8) : NO_REGISTER;
}

/* ---- putting it together ---- */

static bool is_general(struct register_range range)
{
    return range.at < REGISTER_FLAGS;
}

static bool is_vector(struct register_range range)
{
    return range.at >= REGISTER_VECTORS && range.at < REGISTER_VECTORS + REGISTER_VECTORS_BYTES;
}

static void add_read(struct instruction *in, struct register_range range)
{
    if (range.at == UINT16_MAX || in->reads == INSTRUCTION_RANGES)
        in->flags |= INSTRUCTION_UNKNOWN;
    else if (range.bytes)
        in->read[in->reads++] = range;
}

/* Whatever writes half a register makes the other half zero, but for the smallest; VEX does so with vectors. */
static void add_write(struct instruction *in, struct register_range range, bool all, bool vex)
{
    if (range.at == UINT16_MAX || in->writes == INSTRUCTION_RANGES) {
        in->flags |= INSTRUCTION_UNKNOWN;
        return;
    }
    if (is_general(range) && range.bytes == 4)
        range.bytes = 8;
    if (is_vector(range) && vex)
        range.bytes = 64;
    range.all = all;
    if (range.bytes)
        in->write[in->writes++] = range;
}

static void add_address(struct instruction *in, uint8_t reg)
{
    if (reg == NO_REGISTER)
        return;
    for (int i = 0; i < in->addresses; i++)
        if (in->address[i] == reg)
            return;
    in->address[in->addresses++] = reg;
}

static struct memory_operand *add_memory(struct instruction *in, struct memory_operand memory)
{
    if (in->memories == INSTRUCTION_MEMORY) {
        in->flags |= INSTRUCTION_UNKNOWN;
        return &in->memory[0];
    }
    add_address(in, memory.base);
    add_address(in, memory.index);
    in->memory[in->memories] = memory;
    return &in->memory[in->memories++];
}

static struct register_range general(int number)
{
    return (struct register_range){(uint16_t)(8 * number), 8, false};
}

static const struct register_range flags_range = {REGISTER_FLAGS, 1, false};

static void on_stack(struct instruction *in, int64_t offset, uint16_t bytes, bool writes)
{
    add_memory(in, (struct memory_operand){.base = RSP,
                                           .index = NO_REGISTER,
                                           .scale = 1,
                                           .offset = offset,
                                           .reads = !writes,
                                           .writes = writes,
                                           .all = true,
                                           .bytes = bytes});
}

/* The memory operand of the disassembler; false: its addresses are no general registers. */
static bool memory_of(csh handle, const cs_insn *insn, const cs_x86_op *op, struct memory_operand *memory)
{
    *memory = (struct memory_operand){.base = general_register(handle, op->mem.base),
                                      .index = general_register(handle, op->mem.index),
                                      .scale = (uint8_t)op->mem.scale,
                                      .offset = op->mem.disp,
                                      .bytes = op->size,
                                      .fs = op->mem.segment == X86_REG_FS,
                                      .gs = op->mem.segment == X86_REG_GS};
    if (op->mem.base == X86_REG_RIP)
        memory->offset += (int64_t)(insn->address + insn->size);
    bool strange_base = op->mem.base != X86_REG_INVALID && op->mem.base != X86_REG_RIP && memory->base == NO_REGISTER;
    bool strange_index = op->mem.index != X86_REG_INVALID && cs_reg_name(handle, op->mem.index) &&
                         strcmp(cs_reg_name(handle, op->mem.index), "riz") != 0 && memory->index == NO_REGISTER;
    return !strange_base && !strange_index && insn->detail->x86.addr_size == 8 && op->size != 0;
}

struct usage {
    bool reads, writes, all;
};

static void add_operand(struct instruction *in, csh handle, const cs_insn *insn, const cs_x86_op *op,
                        struct usage usage, bool vex)
{
    struct memory_operand memory;
    if (op->type == X86_OP_REG) {
        struct register_range range = register_range(handle, op->reg);
        if (usage.reads)
            add_read(in, range);
        if (usage.writes)
            add_write(in, range, usage.all, vex);
    } else if (op->type == X86_OP_MEM) {
        if (!memory_of(handle, insn, op, &memory)) {
            in->flags |= INSTRUCTION_UNKNOWN;
            return;
        }
        memory.reads = usage.reads;
        memory.writes = usage.writes;
        memory.all = usage.all;
        add_memory(in, memory);
    }
}

static bool has_vectors(csh handle, const cs_x86 *x86)
{
    for (int i = 0; i < x86->op_count; i++)
        if (x86->operands[i].type == X86_OP_REG && !is_general(register_range(handle, x86->operands[i].reg)))
            return true;
    return false;
}

static bool is_masked(csh handle, const cs_x86 *x86, const char *name)
{
    if (name[0] == 'k' || strncmp(name, "vpcmp", 5) == 0 || strncmp(name, "vptest", 6) == 0)
        return false; /* they make masks, and what is under one would only be kept */
    for (int i = 0; i < x86->op_count; i++)
        if (x86->operands[i].type == X86_OP_REG) {
            struct register_range range = register_range(handle, x86->operands[i].reg);
            if (range.at >= REGISTER_MASKS && range.at < REGISTER_MASKS + 64)
                return true;
        }
    return false;
}

/* x87 and MMX: all of it is one. */
static void describe_x87(struct instruction *in, csh handle, const cs_insn *insn)
{
    const cs_x86 *x86 = &insn->detail->x86;
    const struct register_range blob = {REGISTER_X87, REGISTER_X87_BYTES, false};
    bool stores =
        is_among(name_of(handle, insn), "fst fstp fist fistp fisttp fnstcw fnstsw fstcw fstsw fbstp fnstenv fnsave");
    if (is_among(name_of(handle, insn), "fnstenv fnsave fldenv frstor fxsave fxsave64 fxrstor fxrstor64"))
        in->flags |= INSTRUCTION_UNKNOWN; /* the disassembler does not know how long they are */
    add_read(in, blob);
    add_write(in, blob, false, false);
    add_read(in, flags_range);
    add_write(in, flags_range, false, false);
    for (int i = 0; i < x86->op_count; i++) {
        const cs_x86_op *op = &x86->operands[i];
        if (op->type == X86_OP_MEM || (op->type == X86_OP_REG && is_general(register_range(handle, op->reg))))
            add_operand(in, handle, insn, op, (struct usage){!stores, stores, stores}, false);
    }
}

/* Large parts of the registers to memory, or back; how much there is of it nobody here says, so nothing is overwritten. */
static void describe_state(struct instruction *in, csh handle, const cs_insn *insn, bool saves)
{
    enum { STATE = 4096 };
    const struct register_range vectors = {REGISTER_VECTORS, REGISTER_VECTORS_BYTES, false};
    const struct register_range others = {REGISTER_ROUNDING, REGISTER_VECTORS - REGISTER_ROUNDING, false};
    struct memory_operand memory;
    if (insn->detail->x86.op_count != 1 || insn->detail->x86.operands[0].type != X86_OP_MEM) {
        in->flags |= INSTRUCTION_UNKNOWN;
        return;
    }
    cs_x86_op op = insn->detail->x86.operands[0];
    op.size = 1;
    if (!memory_of(handle, insn, &op, &memory))
        in->flags |= INSTRUCTION_UNKNOWN;
    memory.bytes = STATE;
    memory.reads = true;
    memory.writes = saves;
    add_memory(in, memory);
    add_read(in, general(RAX));
    add_read(in, general(RDX));
    add_read(in, vectors);
    add_read(in, others);
    if (!saves) {
        add_write(in, vectors, false, false);
        add_write(in, others, false, false);
    }
}

static bool is_string(unsigned id, const cs_x86 *x86)
{
    static const unsigned ids[] = {X86_INS_MOVSB, X86_INS_MOVSW, X86_INS_MOVSQ, X86_INS_STOSB, X86_INS_STOSW,
                                   X86_INS_STOSD, X86_INS_STOSQ, X86_INS_LODSB, X86_INS_LODSW, X86_INS_LODSD,
                                   X86_INS_LODSQ, X86_INS_SCASB, X86_INS_SCASW, X86_INS_SCASD, X86_INS_SCASQ,
                                   X86_INS_CMPSB, X86_INS_CMPSW, X86_INS_CMPSQ};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        if (ids[i] == id)
            return true;
    bool two_in_memory =
        x86->op_count == 2 && x86->operands[0].type == X86_OP_MEM && x86->operands[1].type == X86_OP_MEM;
    return (id == X86_INS_MOVSD || id == X86_INS_CMPSD) && two_in_memory;
}

/* One round of it: the machine stops after each. */
static void describe_string(struct instruction *in, csh handle, const cs_insn *insn)
{
    const cs_x86 *x86 = &insn->detail->x86;
    const char *name = name_of(handle, insn);
    bool compares = strncmp(name, "cmps", 4) == 0 || strncmp(name, "scas", 4) == 0;
    bool repeats = x86->prefix[0] == X86_PREFIX_REP || x86->prefix[0] == X86_PREFIX_REPNE;
    for (int i = 0; i < x86->op_count; i++) {
        bool to = i == 0 && !compares;
        add_operand(in, handle, insn, &x86->operands[i], (struct usage){!to, to, to}, false);
    }
    if (strncmp(name, "movs", 4) == 0)
        in->flags |= INSTRUCTION_COPIES;
    if (compares)
        add_write(in, flags_range, !repeats, false);
    if (repeats) {
        add_address(in, RCX);
        in->flags |= INSTRUCTION_REPEATS | (compares ? INSTRUCTION_BY_VALUE : 0);
    }
    /* Where it looks next decides, too, and so all of these are addresses: nothing of the data is in them. */
    add_address(in, RSI);
    add_address(in, RDI);
}

static bool describe_jump(struct instruction *in, csh handle, const cs_insn *insn)
{
    const cs_x86 *x86 = &insn->detail->x86;
    const char *name = name_of(handle, insn);
    bool call = insn->id == X86_INS_CALL, jump = insn->id == X86_INS_JMP;
    if (call)
        on_stack(in, -8, 8, true);
    if (call || jump) {
        in->flags |= call ? INSTRUCTION_CALL : 0;
        if (x86->op_count && x86->operands[0].type != X86_OP_IMM) {
            add_operand(in, handle, insn, &x86->operands[0], (struct usage){.reads = true}, false);
            in->flags |= INSTRUCTION_BY_VALUE;
        }
        return true;
    }
    if (insn->id == X86_INS_RET) {
        on_stack(in, 0, 8, false);
        in->flags |= INSTRUCTION_BY_VALUE;
        return true;
    }
    if (insn->id == X86_INS_JRCXZ || insn->id == X86_INS_JECXZ || is_among(name, "loop*")) {
        add_address(in, RCX);
        in->flags |= strcmp(name, "loop") != 0 && name[0] == 'l' ? INSTRUCTION_UNKNOWN : 0;
        return true;
    }
    if (name[0] == 'j') {
        in->flags |= INSTRUCTION_BY_FLAGS;
        return true;
    }
    return false;
}

static bool describe_stack(struct instruction *in, csh handle, const cs_insn *insn)
{
    const cs_x86 *x86 = &insn->detail->x86;
    const cs_x86_op *op = x86->op_count ? &x86->operands[0] : NULL;
    switch (insn->id) {
    case X86_INS_PUSH:
        if (op->type != X86_OP_IMM && op->size != 8)
            in->flags |= INSTRUCTION_UNKNOWN;
        on_stack(in, -8, 8, true);
        add_operand(in, handle, insn, op, (struct usage){.reads = true}, false);
        in->flags |= op->type == X86_OP_REG ? INSTRUCTION_COPIES : 0;
        return true;
    case X86_INS_POP:
        if (op->size != 8)
            in->flags |= INSTRUCTION_UNKNOWN;
        on_stack(in, 0, 8, false);
        add_operand(in, handle, insn, op, (struct usage){.writes = true, .all = true}, false);
        in->flags |= op->type == X86_OP_REG ? INSTRUCTION_COPIES : 0;
        return true;
    case X86_INS_PUSHFQ:
        on_stack(in, -8, 8, true);
        add_read(in, flags_range);
        return true;
    case X86_INS_POPFQ:
        on_stack(in, 0, 8, false);
        add_write(in, flags_range, true, false);
        return true;
    case X86_INS_LEAVE:
        add_memory(in,
                   (struct memory_operand){.base = RBP, .index = NO_REGISTER, .scale = 1, .reads = true, .bytes = 8});
        add_write(in, general(RBP), true, false);
        in->flags |= INSTRUCTION_COPIES;
        return true;
    default:
        return false;
    }
}

/* Both operands the same, and the result zero whatever they hold. */
static bool is_clearing(csh handle, const cs_insn *insn)
{
    const cs_x86 *x86 = &insn->detail->x86;
    int last = x86->op_count - 1;
    return is_among(name_of(handle, insn), clears) && last >= 1 && x86->operands[last].type == X86_OP_REG &&
           x86->operands[last - 1].type == X86_OP_REG && x86->operands[last].reg == x86->operands[last - 1].reg;
}

static void describe_flags(struct instruction *in, csh handle, const cs_insn *insn, bool known, bool vectors)
{
    const uint64_t tests = X86_EFLAGS_TEST_OF | X86_EFLAGS_TEST_SF | X86_EFLAGS_TEST_ZF | X86_EFLAGS_TEST_PF |
                           X86_EFLAGS_TEST_CF | X86_EFLAGS_TEST_AF;
    const char *name = name_of(handle, insn);
    if (is_among(name, reads_flags) || (!known && !vectors) || insn->detail->x86.eflags & tests)
        add_read(in, flags_range);
    if (is_among(name, renews_flags))
        add_write(in, flags_range, true, false);
    else if (!is_among(name, leaves_flags) &&
             (!vectors ||
              is_among(name, "pcmpistri pcmpistrm pcmpestri pcmpestrm vpcmpistri vpcmpistrm vpcmpestri vpcmpestrm")))
        add_write(in, flags_range, false, false);
}

static void describe_implicit(struct instruction *in, csh handle, const cs_insn *insn)
{
    const cs_detail *detail = insn->detail;
    for (int i = 0; i < detail->regs_read_count; i++) {
        struct register_range range = register_range(handle, detail->regs_read[i]);
        if (range.at != REGISTER_FLAGS)
            add_read(in, range);
    }
    for (int i = 0; i < detail->regs_write_count; i++) {
        struct register_range range = register_range(handle, detail->regs_write[i]);
        bool all = is_among(name_of(handle, insn), "cdq cqo mul div idiv imul rdtsc cpuid xgetbv") && range.bytes >= 4;
        if (range.at != REGISTER_FLAGS)
            add_write(in, range, all, false);
    }
}

/* Registers that the disassembler does not tell of.  If one is written, others notice (tracer.c); but not if it is read. */
static void describe_untold(struct instruction *in, const char *name)
{
    if (is_among(name, "cmpxchg"))
        add_write(in, general(RAX), false, false);
    if (is_among(name, "mulx"))
        add_read(in, general(RDX));
    if (is_among(name, "cmpxchg8b cmpxchg16b pcmpestri pcmpestrm vpcmpestri vpcmpestrm")) {
        const int numbers[] = {RAX, RBX, RCX, RDX};
        for (int i = 0; i < 4; i++) {
            add_read(in, general(numbers[i]));
            add_write(in, general(numbers[i]), false, false);
        }
    }
    if (is_among(
            name,
            "pcmpistri pcmpistrm pcmpestri pcmpestrm vpcmpistri vpcmpistrm vpcmpestri vpcmpestrm blendv* pblendv*")) {
        add_read(in, (struct register_range){REGISTER_VECTORS, 16, false});
        add_write(in, (struct register_range){REGISTER_VECTORS, 16, false}, false, false);
        add_write(in, general(RCX), false, false);
    }
}

static void describe_general(struct instruction *in, csh handle, const cs_insn *insn)
{
    const cs_x86 *x86 = &insn->detail->x86;
    const char *name = name_of(handle, insn);
    bool vex = name[0] == 'v', masked = is_masked(handle, x86, name), vectors = has_vectors(handle, x86);
    bool in_memory = x86->op_count == 2 && (x86->operands[0].type == X86_OP_MEM || x86->operands[1].type == X86_OP_MEM);
    bool scalar =
        is_among(name, "movss movsd vmovss vmovsd movlps movhps movlpd movhpd vmovlps vmovhps vmovlpd vmovhpd");
    bool half = is_among(name, "movlps movhps movlpd movhpd vmovlps vmovhps vmovlpd vmovhpd");
    bool stores = in_memory && x86->operands[0].type == X86_OP_MEM;
    bool moves_it = !masked && (is_among(name, moves) || (scalar && !half && in_memory) || (half && stores));
    bool makes = !masked && is_among(name, makers), changes = is_among(name, changers);
    bool compares = is_among(name, comparers), clearing = is_clearing(handle, insn) && !masked;
    bool known = moves_it || makes || changes || compares || (scalar && !masked);
    bool implicit = x86->op_count < 2 || !known || is_among(name, "cmpxchg");
    if (insn->id == X86_INS_LEA) { /* the registers of its address are what it reads */
        struct memory_operand memory;
        cs_x86_op op = x86->operands[1];
        op.size = op.size ? op.size : 1;
        if (!memory_of(handle, insn, &op, &memory))
            in->flags |= INSTRUCTION_UNKNOWN;
        add_operand(in, handle, insn, &x86->operands[0], (struct usage){.writes = true, .all = true}, false);
        if (memory.base != NO_REGISTER)
            add_read(in, general(memory.base));
        if (memory.index != NO_REGISTER)
            add_read(in, general(memory.index));
        in->computed = memory;
        return;
    }
    for (int i = 0; i < x86->op_count; i++) {
        const cs_x86_op *op = &x86->operands[i];
        struct usage usage = {.reads = true};
        if (i == 0)
            usage = moves_it || makes || clearing ? (struct usage){false, true, true}
                    : compares                    ? (struct usage){.reads = true}
                    : half && stores              ? (struct usage){false, true, true}
                                                  : (struct usage){true, true, false};
        else if (clearing)
            usage.reads = false;
        else if (is_among(name, "xchg xadd") || (!known && op->access & CS_AC_WRITE))
            usage = (struct usage){true, true, false};
        add_operand(in, handle, insn, op, usage, vex);
    }
    if (moves_it && x86->op_count == 2 && x86->operands[1].type != X86_OP_IMM && name[0] != 'k' &&
        !(is_among(name, "movhps movhpd vmovhps vmovhpd")))
        in->flags |= INSTRUCTION_COPIES;
    if (implicit)
        describe_implicit(in, handle, insn);
    describe_untold(in, name);
    if (is_among(name, "div idiv")) /* it may fail */
        in->flags |= INSTRUCTION_BY_VALUE;
    describe_flags(in, handle, insn, known, vectors);
    if (vectors && !moves_it && !clearing) /* arithmetic is rounded */
        add_read(in, (struct register_range){REGISTER_ROUNDING, 8, false});
}

static void describe(struct instruction *in, csh handle, const cs_insn *insn)
{
    const cs_x86 *x86 = &insn->detail->x86;
    if (insn->id == X86_INS_SYSCALL) {
        in->flags |= INSTRUCTION_SYSTEM_CALL;
    } else if (is_among(name_of(handle, insn), idle)) {
        return;
    } else if (describe_jump(in, handle, insn) || describe_stack(in, handle, insn)) {
        return;
    } else if (is_string(insn->id, x86)) {
        describe_string(in, handle, insn);
    } else if (is_among(name_of(handle, insn), "xsave*")) {
        describe_state(in, handle, insn, true);
    } else if (is_among(name_of(handle, insn), "xrstor*")) {
        describe_state(in, handle, insn, false);
    } else if (name_of(handle, insn)[0] == 'f' || is_among(name_of(handle, insn), "emms wait")) {
        describe_x87(in, handle, insn);
    } else if (is_among(name_of(handle, insn), "stmxcsr vstmxcsr ldmxcsr vldmxcsr")) {
        const struct register_range rounding = {REGISTER_ROUNDING, 8, false};
        bool stores = strstr(name_of(handle, insn), "stm");
        in->flags |= INSTRUCTION_SEES_EXCEPTIONS;
        if (stores)
            add_read(in, rounding);
        else
            add_write(in, rounding, true, false);
        add_operand(in, handle, insn, &x86->operands[0], (struct usage){!stores, stores, stores}, false);
    } else if (is_among(name_of(handle, insn),
                        "int* sys* iret* enter maskmov* vmaskmov* vpmaskmov* vpscatter* vscatter* "
                        "vgather* vpgather* vpcompress* vcompress* vpexpand* vexpand* xbegin xend xabort ud2 hlt in "
                        "out ins* outs*")) {
        in->flags |= INSTRUCTION_UNKNOWN;
    } else {
        describe_general(in, handle, insn);
    }
}

struct instruction instruction_decode(struct disassembler *d, const uint8_t *code, size_t bytes, uint64_t address)
{
    struct instruction in = {.flags = 0};
    cs_insn *insn = d->room;
    uint64_t at = address;
    if (!cs_disasm_iter(d->handle, &code, &bytes, &at, insn)) {
        in.flags = INSTRUCTION_UNKNOWN;
        return in;
    }
    in.length = (uint8_t)insn->size;
    describe(&in, d->handle, insn);
    return in;
}
