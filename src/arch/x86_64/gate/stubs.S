/*
 * stubs -- one stub per MPI name, a jump through a slot.
 *
 * A slot leads to gate_resolve until gate_find has filled it.  All jumps are
 * tail jumps, so whoever is behind the slot returns to the program and sees
 * the program's return address.
 *
 * What the program has left below its stack is wiped out on the way: the frames of whoever is behind the slot have gaps,
 * which would keep states of a rank apart (shim/noise.h, which does the same for all that lies deeper).
 */

        .macro  stub index, name
        .text
        .p2align 4
        .globl  \name
        .type   \name, @function
\name:
        .cfi_startproc
        endbr64
        movq    gate_slot + 8 * \index(%rip), %r11
        jmp     gate_pass
.Lfirst\index:
        endbr64
        pushq   $\index
        .cfi_adjust_cfa_offset 8
        jmp     gate_resolve
        .cfi_endproc
        .size   \name, . - \name

        .section .data.rel.local, "aw"
        .quad   .Lfirst\index
        .endm

        .section .data.rel.local, "aw"
        .p2align 3
        .globl  gate_slot
        .hidden gate_slot
        .type   gate_slot, @object
gate_slot:

#define GATE(index, name) stub index, name
#include "gate/names.inc"

        .section .data.rel.local, "aw"
        .size   gate_slot, . - gate_slot

/* %r11 is where to go; no other register may change. */
        .text
        .p2align 4
        .type   gate_pass, @function
gate_pass:
        .cfi_startproc
        .set    below, 8
        .rept   32
        movq    $0, -below(%rsp)
        .set    below, below + 8
        .endr
        jmp     *%r11
        .cfi_endproc
        .size   gate_pass, . - gate_pass

/*
 * On the stack: the index, then the program's return address.  Every register
 * that may hold an argument survives the call of gate_find; %rax counts vector
 * arguments of variadic calls.
 */
        .text
        .p2align 4
        .type   gate_resolve, @function
gate_resolve:
        .cfi_startproc
        .cfi_def_cfa_offset 16
        .irp    register, rax, rdi, rsi, rdx, rcx, r8, r9, r10
        pushq   %\register
        .cfi_adjust_cfa_offset 8
        .endr
        subq    $128, %rsp
        .cfi_adjust_cfa_offset 128
        .irp    number, 0, 1, 2, 3, 4, 5, 6, 7
        movaps  %xmm\number, 16 * \number(%rsp)
        .endr

        movq    128 + 64(%rsp), %rdi
        movq    128 + 72(%rsp), %rsi
        call    gate_find
        movq    %rax, %r11

        .irp    number, 0, 1, 2, 3, 4, 5, 6, 7
        movaps  16 * \number(%rsp), %xmm\number
        .endr
        addq    $128, %rsp
        .cfi_adjust_cfa_offset -128
        .irp    register, r10, r9, r8, rcx, rdx, rsi, rdi, rax
        popq    %\register
        .cfi_adjust_cfa_offset -8
        .endr
        addq    $8, %rsp
        .cfi_adjust_cfa_offset -8
        jmp     *%r11
        .cfi_endproc
        .size   gate_resolve, . - gate_resolve

        .section .note.GNU-stack, "", @progbits
