/* The system calls of the shim itself (system_call.h): the filter knows them by the place to which they return. */
        .text
        .hidden own_call, own_call_return
        .globl  own_call, own_call_return
        .type   own_call, @function
own_call:
        mov     %rdi, %rax
        mov     %rsi, %rdi
        mov     %rdx, %rsi
        mov     %rcx, %rdx
        mov     %r8, %r10
        mov     %r9, %r8
        syscall
own_call_return:
        ret
        .size   own_call, . - own_call

        .section .note.GNU-stack, "", @progbits
