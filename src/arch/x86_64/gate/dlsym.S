/*
 * dlsym -- asks gate_look_up (shim/gate/dlsym.c), and then is the real one.
 *
 * RTLD_NEXT means "after the caller", so the real dlsym must see the caller: it is reached by a jump.
 */
        .text
        .globl  dlsym
        .type   dlsym, @function
dlsym:
        .cfi_startproc
        endbr64
        pushq   %rdi
        .cfi_adjust_cfa_offset 8
        pushq   %rsi
        .cfi_adjust_cfa_offset 8
        subq    $8, %rsp
        .cfi_adjust_cfa_offset 8
        movq    24(%rsp), %rdx
        call    gate_look_up
        addq    $8, %rsp
        .cfi_adjust_cfa_offset -8
        popq    %rsi
        .cfi_adjust_cfa_offset -8
        popq    %rdi
        .cfi_adjust_cfa_offset -8
        testq   %rax, %rax
        jz      0f
        ret
0:      jmp     *gate_real_dlsym(%rip)
        .cfi_endproc
        .size   dlsym, . - dlsym

        .section .note.GNU-stack, "", @progbits
