/* A rank marks where it sleeps, and comes back there with the memory it had (registers.h). */
        .text
        .hidden savepoint_mark, savepoint_return
        .globl  savepoint_mark, savepoint_return
        .type   savepoint_mark, @function
savepoint_mark:
        mov     %rbx, (%rdi)
        mov     %rbp, 8(%rdi)
        mov     %r12, 16(%rdi)
        mov     %r13, 24(%rdi)
        mov     %r14, 32(%rdi)
        mov     %r15, 40(%rdi)
        lea     8(%rsp), %rax   /* as it is after the return */
        mov     %rax, 48(%rdi)
        mov     (%rsp), %rax
        mov     %rax, 56(%rdi)
        stmxcsr 64(%rdi)
        fnstcw  68(%rdi)
        xor     %eax, %eax
        ret
        .size   savepoint_mark, . - savepoint_mark

/* Spans: %rdi, %rsi and %rdx are how many and from where; %rcx and %r8 the same of those behind them; %r9 is the place. */
        .type   savepoint_return, @function
savepoint_return:
        mov     %rdi, %r10      /* the next span */
        mov     %rsi, %r11      /* how many are left */
        mov     %rcx, %rax      /* how many there are behind */
1:      test    %r11, %r11
        jz      2f
        mov     (%r10), %rdi
        mov     8(%r10), %rcx
        mov     16(%r10), %rsi
        add     %rdx, %rsi
        rep movsb
        add     $24, %r10
        dec     %r11
        jmp     1b
2:      mov     %rax, %r11
        xor     %eax, %eax
        mov     %r8, %rdx
        test    %r11, %r11
        jnz     1b
        mov     (%r9), %rbx
        mov     8(%r9), %rbp
        mov     16(%r9), %r12
        mov     24(%r9), %r13
        mov     32(%r9), %r14
        mov     40(%r9), %r15
        mov     48(%r9), %rsp
        ldmxcsr 64(%r9)
        fldcw   68(%r9)
        mov     $1, %eax
        jmp     *56(%r9)
        .size   savepoint_return, . - savepoint_return

        .section .note.GNU-stack, "", @progbits
