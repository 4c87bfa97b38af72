/*
 * stubs -- one stub per MPI name, a jump through a slot.
 *
 * A slot leads to gate_resolve until gate_find has filled it.  All jumps are tail jumps, so whoever is behind the slot returns to
 * the program and sees the program's return address.  They go by x16 and x17, which are the linker's between two functions.
 *
 * What the program has left below its stack is wiped out on the way: the frames of whoever is behind the slot have gaps,
 * which would keep states of a rank apart (shim/noise.h, which does the same for all that lies deeper).
 */

        .macro  stub index, name
        .text
        .p2align 4
        .globl  \name
        .type   \name, %function
\name:
        .cfi_startproc
        hint    34      /* bti c */
        adrp    x16, gate_slot + 8 * \index
        ldr     x16, [x16, :lo12:gate_slot + 8 * \index]
        b       gate_pass
.Lfirst\index:
        hint    34
        mov     x17, \index
        b       gate_resolve
        .cfi_endproc
        .size   \name, . - \name

        .section .data.rel.local, "aw"
        .quad   .Lfirst\index
        .endm

        .section .data.rel.local, "aw"
        .p2align 3
        .globl  gate_slot
        .hidden gate_slot
        .type   gate_slot, %object
gate_slot:

#define GATE(index, name) stub index, name
#include "gate/names.inc"

        .section .data.rel.local, "aw"
        .size   gate_slot, . - gate_slot

/* x16 is where to go; no other register may change but x17. */
        .text
        .p2align 4
        .type   gate_pass, %function
gate_pass:
        .cfi_startproc
        mov     x17, sp
        .rept   16
        stp     xzr, xzr, [x17, -16]!
        .endr
        br      x16
        .cfi_endproc
        .size   gate_pass, . - gate_pass

/* x17 is the index, x30 the program's return address.  Every register that may hold an argument survives the call of gate_find. */
        .text
        .p2align 4
        .type   gate_resolve, %function
gate_resolve:
        .cfi_startproc
        stp     x29, x30, [sp, -224]!
        .cfi_def_cfa_offset 224
        .cfi_offset 29, -224
        .cfi_offset 30, -216
        mov     x29, sp
        stp     x0, x1, [sp, 16]
        stp     x2, x3, [sp, 32]
        stp     x4, x5, [sp, 48]
        stp     x6, x7, [sp, 64]
        str     x8, [sp, 80]
        stp     q0, q1, [sp, 96]
        stp     q2, q3, [sp, 128]
        stp     q4, q5, [sp, 160]
        stp     q6, q7, [sp, 192]

        mov     x0, x17
        mov     x1, x30
        bl      gate_find
        mov     x16, x0

        ldp     q6, q7, [sp, 192]
        ldp     q4, q5, [sp, 160]
        ldp     q2, q3, [sp, 128]
        ldp     q0, q1, [sp, 96]
        ldr     x8, [sp, 80]
        ldp     x6, x7, [sp, 64]
        ldp     x4, x5, [sp, 48]
        ldp     x2, x3, [sp, 32]
        ldp     x0, x1, [sp, 16]
        ldp     x29, x30, [sp], 224
        .cfi_restore 30
        .cfi_restore 29
        .cfi_def_cfa_offset 0
        br      x16
        .cfi_endproc
        .size   gate_resolve, . - gate_resolve

        .section .note.GNU-stack, "", %progbits
