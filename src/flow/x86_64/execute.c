#include "flow/execute.h"

#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#include "base/mem.h"

enum { CODE_BYTES = 1 << 24, STUB_ROOM = 1024, LONGEST_HERE = 15 };

struct executor {
    uint8_t *code;
    size_t used;
};

struct executor *executor_new(void)
{
    void *code =
        mmap(NULL, CODE_BYTES, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (code == MAP_FAILED)
        return NULL;
    struct executor *e = xcalloc(1, sizeof *e);
    e->code = code;
    return e;
}

void executor_free(struct executor *e)
{
    if (!e)
        return;
    munmap(e->code, CODE_BYTES);
    free(e);
}

bool execution_holds(uint8_t condition, uint64_t flags)
{
    bool carry = flags & 1, parity = flags & 4, zero = flags & 0x40, sign = flags & 0x80, overflow = flags & 0x800;
    bool holds = false;
    switch (condition >> 1) {
    case 0:
        holds = overflow;
        break;
    case 1:
        holds = carry;
        break;
    case 2:
        holds = zero;
        break;
    case 3:
        holds = carry || zero;
        break;
    case 4:
        holds = sign;
        break;
    case 5:
        holds = parity;
        break;
    case 6:
        holds = sign != overflow;
        break;
    case 7:
        holds = zero || sign != overflow;
        break;
    }
    return holds != (condition & 1);
}

/* ---- the parts of an instruction ---- */

struct parts {
    uint8_t prefix[4];
    int prefixes;
    bool fs, gs;
    uint8_t rex; /* 0: none */
    uint8_t opcode[3];
    int opcodes; /* bytes of it */
    bool has_modrm;
    uint8_t modrm, sib;
    bool has_sib;
    int32_t displacement;
    uint8_t rest[8]; /* immediate operand */
    int rests;
};

/* Opcodes of one byte that have no operand in memory or register fields, of those that are run here. */
static bool has_modrm(const struct parts *p)
{
    uint8_t op = p->opcode[p->opcodes - 1];
    if (p->opcodes == 2)
        return !(op >= 0xc8 && op <= 0xcf) && !(op >= 0x80 && op <= 0x8f);
    if (p->opcodes == 3)
        return true;
    if (op < 0x40)
        return (op & 7) < 4;
    return op == 0x63 || op == 0x69 || op == 0x6b || (op >= 0x80 && op <= 0x8f) || op == 0xc0 || op == 0xc1 ||
           op == 0xc6 || op == 0xc7 || (op >= 0xd0 && op <= 0xd3) || op == 0xf6 || op == 0xf7 || op == 0xfe ||
           op == 0xff;
}

/* False: it has something that is not known here. */
static bool take_apart(const uint8_t *code, int length, struct parts *p)
{
    int at = 0;
    *p = (struct parts){.prefixes = 0};
    for (; at < length; at++) {
        uint8_t byte = code[at];
        if (byte == 0x64 || byte == 0x65)
            p->fs |= byte == 0x64, p->gs |= byte == 0x65;
        else if ((byte == 0x66 || byte == 0xf2 || byte == 0xf3 || byte == 0xf0) && p->prefixes < 4)
            p->prefix[p->prefixes++] = byte;
        else if (byte == 0x2e || byte == 0x3e || byte == 0x26 || byte == 0x36)
            continue;
        else
            break;
    }
    if (at < length && (code[at] & 0xf0) == 0x40)
        p->rex = code[at++];
    if (at >= length || code[at] == 0x67 || code[at] == 0xc4 || code[at] == 0xc5 || code[at] == 0x62)
        return false;
    p->opcode[p->opcodes++] = code[at++];
    if (p->opcode[0] == 0x0f && at < length) {
        p->opcode[p->opcodes++] = code[at++];
        if ((p->opcode[1] == 0x38 || p->opcode[1] == 0x3a) && at < length)
            p->opcode[p->opcodes++] = code[at++];
    }
    p->has_modrm = has_modrm(p);
    if (p->has_modrm) {
        if (at >= length)
            return false;
        p->modrm = code[at++];
        int mod = p->modrm >> 6, rm = p->modrm & 7;
        if (mod != 3 && rm == 4) {
            p->has_sib = true;
            p->sib = code[at++];
        }
        int bytes = mod == 1 ? 1 : mod == 2 || (mod == 0 && (rm == 5 || (p->has_sib && (p->sib & 7) == 5))) ? 4 : 0;
        if (at + bytes > length)
            return false;
        at += bytes;
    }
    p->rests = length - at;
    if (p->rests < 0 || p->rests > 8)
        return false;
    memcpy(p->rest, code + at, (size_t)p->rests);
    return true;
}

/* ---- whether it is harmless ---- */

/* Opcodes of one byte: arithmetic, moves, shifts. */
static bool is_plain(const struct parts *p)
{
    uint8_t op = p->opcode[0], extension = p->modrm >> 3 & 7;
    if (op < 0x40)
        return (op & 7) < 6;
    if (op == 0x63 || op == 0x69 || op == 0x6b || (op >= 0x80 && op <= 0x8b && op != 0x82))
        return true;
    if (op == 0x90 || op == 0x98 || op == 0x99 || op == 0xa8 || op == 0xa9 || (op >= 0x91 && op <= 0x97))
        return true;
    if (op == 0xb0 || (op > 0xb0 && op <= 0xbf) || op == 0xc0 || op == 0xc1 || (op >= 0xd0 && op <= 0xd3))
        return true;
    if (op == 0xc6 || op == 0xc7)
        return extension == 0;
    if (op == 0xf6 || op == 0xf7)
        return extension < 6; /* no division */
    return (op == 0xfe || op == 0xff) && extension < 2;
}

/* Two bytes: moves, comparisons, vectors of the first generations. */
static bool is_plain_two(const struct parts *p)
{
    uint8_t op = p->opcode[1];
    if (op == 0x77 || op == 0xae || op == 0xc7 || op == 0xb9 || op == 0xff || op == 0x0b || op == 0x0d)
        return false;
    if (op >= 0x10 && op <= 0x17)
        return true;
    if (op == 0x1e || op == 0x1f || (op >= 0x28 && op <= 0x2f) || (op >= 0x40 && op <= 0x6f))
        return true;
    if (op >= 0x70 && op <= 0x7f)
        return op != 0x78 && op != 0x79;
    if (op >= 0x90 && op <= 0x9f)
        return true;
    if (op == 0xa3 || op == 0xa4 || op == 0xa5 || op == 0xab || op == 0xac || op == 0xad || op == 0xaf)
        return true;
    if (op == 0xb0 || op == 0xb1 || op == 0xb3 || (op >= 0xb6 && op <= 0xbf))
        return true;
    return op == 0xc0 || op == 0xc1 || (op >= 0xc2 && op <= 0xcf) || op >= 0xd0;
}

/* Old vectors, of which nobody here keeps account, are told from new ones by a prefix. */
static bool is_mmx(const struct parts *p, const struct instruction *in)
{
    (void)p;
    for (int i = 0; i < in->reads + in->writes; i++) {
        struct register_range range = i < in->reads ? in->read[i] : in->write[i - in->reads];
        if (range.at >= REGISTER_X87 && range.at < REGISTER_VECTORS)
            return true;
        if (range.at >= REGISTER_VECTORS + 16 * 64)
            return true;
    }
    return false;
}

static bool uses_vectors(const struct instruction *in)
{
    for (int i = 0; i < in->reads + in->writes; i++) {
        struct register_range range = i < in->reads ? in->read[i] : in->write[i - in->reads];
        if (range.at >= REGISTER_VECTORS || (range.at >= REGISTER_ROUNDING && range.at < REGISTER_X87))
            return true;
    }
    return false;
}

static bool uses_general(const struct instruction *in, int number)
{
    for (int i = 0; i < in->reads + in->writes; i++) {
        struct register_range range = i < in->reads ? in->read[i] : in->write[i - in->reads];
        if (range.at < REGISTER_FLAGS && range.at / 8 == number)
            return true;
    }
    return false;
}

/* ---- code ---- */

struct assembler {
    uint8_t *at;
};

static void put(struct assembler *a, const void *bytes, size_t n)
{
    memcpy(a->at, bytes, n);
    a->at += n;
}

#define PUT(a, ...) put(a, (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

static void put_offset(struct assembler *a, size_t offset)
{
    int32_t wide = (int32_t)offset;
    put(a, &wide, 4);
}

/* mov REG, [base + offset] or back; base is rdi or rax. */
static void put_move(struct assembler *a, int reg, int base, size_t offset, bool load)
{
    PUT(a, (uint8_t)(0x48 | (reg >= 8 ? 4 : 0)), load ? 0x8b : 0x89, (uint8_t)(0x80 | (reg & 7) << 3 | base));
    put_offset(a, offset);
}

/* movups, the same. */
static void put_vector_move(struct assembler *a, int reg, int base, size_t offset, bool load)
{
    if (reg >= 8)
        PUT(a, 0x44);
    PUT(a, 0x0f, load ? 0x10 : 0x11, (uint8_t)(0x80 | (reg & 7) << 3 | base));
    put_offset(a, offset);
}

static size_t general_offset(int number)
{
    return offsetof(struct machine, general) + 8 * (size_t)number;
}

/* With the machine in rdi: saves what is the caller's, loads all. */
static void put_entry(struct assembler *a, bool vectors)
{
    PUT(a, 0x53, 0x55, 0x41, 0x54, 0x41, 0x55, 0x41, 0x56, 0x41, 0x57, 0x57); /* push rbx, rbp, r12..r15, rdi */
    if (vectors) {
        PUT(a, 0x0f, 0xae, 0x97); /* ldmxcsr */
        put_offset(a, offsetof(struct machine, rounding));
        for (int i = 0; i < 16; i++)
            put_vector_move(a, i, RDI, offsetof(struct machine, vector) + 16 * (size_t)i, true);
    }
    PUT(a, 0xff, 0xb7); /* push flags; popfq */
    put_offset(a, offsetof(struct machine, flags));
    PUT(a, 0x9d);
}

static void put_exit(struct assembler *a, bool vectors, int renamed)
{
    /* rdi and the machine change places on the stack: xchg [rsp], rdi */
    PUT(a, 0x48, 0x87, 0x3c, 0x24);
    for (int i = 0; i < 16; i++)
        if (i != RSP && i != RDI && i != renamed)
            put_move(a, i, RDI, general_offset(i), false);
    PUT(a, 0x58); /* pop rax: its rdi */
    if (renamed != RDI)
        put_move(a, RAX, RDI, general_offset(RDI), false);
    PUT(a, 0x9c); /* pushfq */
    PUT(a, 0x58); /* pop rax */
    put_move(a, RAX, RDI, offsetof(struct machine, flags), false);
    if (vectors) {
        for (int i = 0; i < 16; i++)
            put_vector_move(a, i, RDI, offsetof(struct machine, vector) + 16 * (size_t)i, false);
        PUT(a, 0x0f, 0xae, 0x9f); /* stmxcsr */
        put_offset(a, offsetof(struct machine, rounding));
    }
    PUT(a, 0x41, 0x5f, 0x41, 0x5e, 0x41, 0x5d, 0x41, 0x5c, 0x5d, 0x5b, 0xc3); /* pop r15..r12, rbp, rbx; ret */
}

static void put_instruction_bytes(struct assembler *a, const struct parts *p)
{
    put(a, p->prefix, (size_t)p->prefixes);
    if (p->rex)
        PUT(a, p->rex);
    put(a, p->opcode, (size_t)p->opcodes);
    if (p->has_modrm)
        PUT(a, p->modrm);
    if (p->has_modrm && p->modrm >> 6 == 1)
        PUT(a, 0); /* displacement */
    put(a, p->rest, (size_t)p->rests);
}

static int find_free(const struct instruction *in, int taken)
{
    static const int candidate[] = {RBX, RSI, RBP};
    for (size_t i = 0; i < sizeof candidate / sizeof *candidate; i++)
        if (candidate[i] != taken && !uses_general(in, candidate[i]))
            return candidate[i];
    return -1;
}

/* What the number 4 means in the fields for registers: rsp, or something else. */
enum fields {
    FIELDS_TWO, /* both are for general registers of 2 bytes or more */
    FIELDS_ONE, /* the second is; the first belongs to the opcode */
    FIELDS_UNKNOWN,
};

static enum fields fields_of(const struct parts *p)
{
    uint8_t op = p->opcode[p->opcodes - 1];
    if (p->opcodes == 2)
        return (op >= 0x40 && op <= 0x4f) || op == 0xaf ? FIELDS_TWO : FIELDS_UNKNOWN;
    if (p->opcodes != 1)
        return FIELDS_UNKNOWN;
    if (op == 0x81 || op == 0x83 || op == 0xc1 || op == 0xc7 || op == 0xd1 || op == 0xd3 || op == 0xf7 || op == 0xff)
        return FIELDS_ONE;
    return op & 1 ? FIELDS_TWO : FIELDS_UNKNOWN;
}

static bool make_stub(struct executor *e, struct parts *p, const struct instruction *in, struct execution *x)
{
    bool memory = p->has_modrm && p->modrm >> 6 != 3;
    int base = -1, stack = -1; /* registers that stand for the address, and for rsp */
    if (memory) {
        if ((base = find_free(in, -1)) < 0)
            return false;
        p->modrm = (uint8_t)(0x40 | (p->modrm & 0x38) | base);
        p->rex &= (uint8_t)~3; /* of base and index */
    }
    if (uses_general(in, RSP)) {
        enum fields fields = fields_of(p);
        if (!p->has_modrm || fields == FIELDS_UNKNOWN || (stack = find_free(in, base)) < 0)
            return false;
        if (fields == FIELDS_TWO && (p->modrm >> 3 & 7) == RSP && !(p->rex & 4))
            p->modrm = (uint8_t)((p->modrm & 0xc7) | stack << 3);
        if (!memory && (p->modrm & 7) == RSP && !(p->rex & 1))
            p->modrm = (uint8_t)((p->modrm & 0xf8) | stack);
    }
    if (e->used + STUB_ROOM > CODE_BYTES)
        return false;
    struct assembler a = {e->code + e->used};
    x->vectors = uses_vectors(in);
    x->stub = (void (*)(struct machine *))(void *)a.at;
    put_entry(&a, x->vectors);
    for (int i = 0; i < 16; i++)
        if (i != RSP && i != RDI && i != base && i != stack)
            put_move(&a, i, RDI, general_offset(i), true);
    if (stack >= 0)
        put_move(&a, stack, RDI, general_offset(RSP), true);
    if (base >= 0)
        put_move(&a, base, RDI, offsetof(struct machine, operand), true);
    put_move(&a, RDI, RDI, general_offset(RDI), true);
    put_instruction_bytes(&a, p);
    if (stack >= 0) { /* what became of rsp: by way of the machine's address on the stack, which costs rdi a moment */
        PUT(&a, 0x48, 0x87, 0x3c, 0x24);
        put_move(&a, stack, RDI, general_offset(RSP), false);
        put_move(&a, stack, RDI, general_offset(stack), true);
        PUT(&a, 0x48, 0x87, 0x3c, 0x24);
    }
    put_exit(&a, x->vectors, base);
    e->used = (size_t)(a.at - e->code);
    return true;
}

/* ---- what is done ---- */

static int64_t signed_rest(const struct parts *p)
{
    int64_t value = 0;
    memcpy(&value, p->rest, (size_t)p->rests);
    return p->rests == 1 ? (int8_t)value : p->rests == 2 ? (int16_t)value : p->rests == 4 ? (int32_t)value : value;
}

/* A general register in the last bits of the opcode, or of the second operand field. */
static uint8_t field_register(const struct parts *p, uint8_t field)
{
    return (uint8_t)((field & 7) | (p->rex & 1) << 3);
}

static bool has_prefix(const struct parts *p, uint8_t prefix)
{
    for (int i = 0; i < p->prefixes; i++)
        if (p->prefix[i] == prefix)
            return true;
    return false;
}

/* Jumps, calls, and what uses the stack.  False: none of these. */
static bool is_jump_or_stack(const struct parts *p, uint64_t next, struct execution *x)
{
    uint8_t op = p->opcode[0], extension = p->modrm >> 3 & 7;
    bool in_memory = p->has_modrm && p->modrm >> 6 != 3;
    x->reg = NO_REGISTER;
    if (p->opcodes == 2 && op == 0x0f && p->opcode[1] >= 0x80 && p->opcode[1] <= 0x8f) {
        x->kind = EXECUTION_JUMP_IF;
        x->condition = p->opcode[1] & 15;
        x->value = next + (uint64_t)signed_rest(p);
        return true;
    }
    if (p->opcodes != 1 || has_prefix(p, 0x66))
        return false;
    if (op >= 0x70 && op <= 0x7f) {
        x->kind = EXECUTION_JUMP_IF;
        x->condition = op & 15;
        x->value = next + (uint64_t)signed_rest(p);
    } else if (op == 0xeb || op == 0xe9 || op == 0xe8) {
        x->kind = op == 0xe8 ? EXECUTION_CALL : EXECUTION_JUMP;
        x->value = next + (uint64_t)signed_rest(p);
    } else if (op == 0xc3) {
        x->kind = EXECUTION_RETURN;
    } else if (op == 0xc9) {
        x->kind = EXECUTION_LEAVE;
    } else if (op >= 0x50 && op <= 0x5f) {
        x->kind = op < 0x58 ? EXECUTION_PUSH : EXECUTION_POP;
        x->reg = field_register(p, op);
    } else if (op == 0x68 || op == 0x6a) {
        x->kind = EXECUTION_PUSH;
        x->value = (uint64_t)signed_rest(p);
    } else if (op == 0xff && (extension == 2 || extension == 4 || extension == 6)) {
        x->kind = extension == 2 ? EXECUTION_CALL : extension == 4 ? EXECUTION_JUMP : EXECUTION_PUSH;
        x->by_memory = in_memory;
        x->reg = in_memory ? NO_REGISTER : field_register(p, p->modrm);
    } else {
        return false;
    }
    return true;
}

/* movs and stos, one round of them. */
static bool is_string_copy(const struct parts *p, const struct instruction *in, struct execution *x)
{
    uint8_t op = p->opcode[0];
    if (p->opcodes != 1 || (op != 0xa4 && op != 0xa5 && op != 0xaa && op != 0xab) || p->fs || p->gs ||
        in->memories == 0)
        return false;
    x->kind = op < 0xa8 ? EXECUTION_COPY_STRING : EXECUTION_FILL_STRING;
    x->bytes = !(op & 1) ? 1 : p->rex & 8 ? 8 : has_prefix(p, 0x66) ? 2 : 4;
    return true;
}

struct execution execution_make(struct executor *e, const uint8_t *code, uint64_t address, const struct instruction *in)
{
    struct execution there = {.kind = EXECUTION_THERE}, x = there;
    struct parts p;
    if (in->flags & (INSTRUCTION_UNKNOWN | INSTRUCTION_SYSTEM_CALL | INSTRUCTION_SEES_EXCEPTIONS) ||
        !take_apart(code, in->length, &p))
        return there;
    if (is_string_copy(&p, in, &x))
        return x;
    if (in->flags & INSTRUCTION_REPEATS)
        return there;
    if (is_jump_or_stack(&p, address + in->length, &x))
        return x;
    if (p.opcodes == 1 && p.opcode[0] == 0x8d && !has_prefix(&p, 0x66)) {
        x.kind = EXECUTION_ADDRESS;
        x.reg = (uint8_t)((p.modrm >> 3 & 7) | (p.rex & 4) << 1);
        x.bytes = p.rex & 8 ? 8 : 4;
        return x;
    }
    bool idle = in->reads + in->writes + in->memories == 0;
    if (idle && (p.opcode[0] == 0x90 || (p.opcodes == 2 && (p.opcode[1] == 0x1e || p.opcode[1] == 0x1f ||
                                                            p.opcode[1] == 0x18 || p.opcode[1] == 0x0d)))) {
        x.kind = EXECUTION_IDLE;
        return x;
    }
    bool plain = p.opcodes == 1   ? is_plain(&p)
                 : p.opcodes == 2 ? is_plain_two(&p)
                                  : p.opcode[1] == 0x3a && p.opcode[2] == 0x0f;
    if (!plain || idle || in->memories > 1 || is_mmx(&p, in) || !make_stub(e, &p, in, &x))
        return there;
    x.kind = EXECUTION_STUB;
    return x;
}
