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

        .section .note.GNU-stack, "", @progbits
