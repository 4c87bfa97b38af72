/*
 * instruction -- what one machine instruction reads and writes.
 *
 * Whatever is not known errs on the side of more: an operand of which the disassembler does not say how it is used
 * is read and written, and what it held before counts as kept.  An instruction that is not known at all says so
 * (INSTRUCTION_UNKNOWN), and so do those whose addresses are in vectors.
 *
 * Registers have locations, as memory has: `struct location_range` of the register file.
 */
#ifndef FLOW_INSTRUCTION_H
#define FLOW_INSTRUCTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Locations beyond all addresses: registers, and memory that is shared with tourney, by its place there. */
#define LOCATION_REGISTERS (UINT64_C(1) << 62)
#define LOCATION_SHARED (UINT64_C(1) << 61)

/* Of the register file, in bytes. */
enum {
    REGISTER_GENERAL = 0,    /* 16 of 8 */
    REGISTER_FLAGS = 128,    /* all of them as one byte */
    REGISTER_ROUNDING = 136, /* mxcsr */
    REGISTER_X87 = 192,      /* all of it as one */
    REGISTER_X87_BYTES = 64,
    REGISTER_MASKS = 512,    /* k0 to k7, 8 each */
    REGISTER_VECTORS = 1024, /* 32 of 64 */
    REGISTER_VECTORS_BYTES = 2048,
};

/* General registers by their number, as the machine counts them. */
enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15, NO_REGISTER };

enum {
    INSTRUCTION_UNKNOWN = 1 << 0,
    INSTRUCTION_COPIES = 1 << 1,   /* byte i of what it reads becomes byte i of what it writes; the rest is zero */
    INSTRUCTION_BY_FLAGS = 1 << 2, /* where it goes is decided by flags */
    INSTRUCTION_BY_VALUE = 1 << 3, /* or by what it reads */
    INSTRUCTION_REPEATS = 1 << 4,  /* does nothing if rcx is 0 */
    INSTRUCTION_SYSTEM_CALL = 1 << 5,
    INSTRUCTION_CALL = 1 << 6,
    INSTRUCTION_SEES_EXCEPTIONS = 1 << 7, /* of floating-point numbers, which are not kept account of */
};

struct register_range {
    uint16_t at;
    uint16_t bytes;
    bool all; /* of a write: nothing of what was there is left */
};

struct memory_operand {
    uint8_t base, index; /* general registers; NO_REGISTER: none */
    uint8_t scale;
    bool fs, gs; /* relative to these */
    bool reads, writes;
    bool all; /* as above */
    uint16_t bytes;
    int64_t offset; /* what is relative to the instruction has its address added */
};

enum { INSTRUCTION_RANGES = 12, INSTRUCTION_MEMORY = 2 };

struct instruction {
    uint8_t length;
    uint16_t flags;
    uint8_t reads, writes, addresses, memories;
    struct register_range read[INSTRUCTION_RANGES]; /* what its result depends on */
    struct register_range write[INSTRUCTION_RANGES];
    uint8_t address[INSTRUCTION_RANGES]; /* general registers that decide where it looks */
    struct memory_operand memory[INSTRUCTION_MEMORY];
    struct memory_operand computed; /* lea: an address, of which nothing is read */
};

struct disassembler;
struct disassembler *disassembler_new(void); /* NULL: there is none */
void disassembler_free(struct disassembler *);

struct instruction instruction_decode(struct disassembler *, const uint8_t *code, size_t bytes, uint64_t address);

#endif
