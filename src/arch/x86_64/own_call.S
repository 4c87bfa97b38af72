/* The system calls of the shim itself (system_call.h): the filters know them by the place to which they return. */
        .text
        .macro  make_call name
        .hidden \name, \name\()_return
        .globl  \name, \name\()_return
        .type   \name, @function
\name:
        mov     %rdi, %rax
        mov     %rsi, %rdi
        mov     %rdx, %rsi
        mov     %rcx, %rdx
        mov     %r8, %r10
        mov     %r9, %r8
        mov     8(%rsp), %r9
        syscall
\name\()_return:
        ret
        .size   \name, . - \name
        .endm

        make_call own_call
        make_call caught_call

/* Function, its argument, stack, flags, thread pointer, and where the kernel notes the end: a thread; what the call returns. */
        .hidden own_thread_call
        .globl  own_thread_call
        .type   own_thread_call, @function
own_thread_call:
        push    %rbx
        push    %rbp
        mov     %rdi, %rbx
        mov     %rsi, %rbp
        lea     1f(%rip), %rax
        lea     -24(%rdx), %rdx /* its stack begins with where the call returns to; then it is as after a call */
        mov     %rax, (%rdx)
        mov     $56, %edi       /* clone */
        mov     %rcx, %rsi
        xor     %ecx, %ecx
        mov     %r8, %rax
        mov     %r9, %r8
        mov     %rax, %r9
        sub     $8, %rsp        /* a sixth argument, which the call does not have */
        call    own_call
1:      test    %rax, %rax
        jz      2f
        add     $8, %rsp
        pop     %rbp
        pop     %rbx
        ret
2:      mov     %rbp, %rdi
        xor     %ebp, %ebp
        call    *%rbx
        ud2
        .size   own_thread_call, . - own_thread_call

        .section .note.GNU-stack, "", @progbits
