/* The system calls of the shim itself (system_call.h): the filters know them by the place to which they return. */
        .text
        .macro  make_call name
        .hidden \name, \name\()_return
        .globl  \name, \name\()_return
        .type   \name, %function
\name:
        hint    34      /* bti c */
        mov     x8, x0
        mov     x0, x1
        mov     x1, x2
        mov     x2, x3
        mov     x3, x4
        mov     x4, x5
        mov     x5, x6
        svc     #0
\name\()_return:
        ret
        .size   \name, . - \name
        .endm

        make_call own_call
        make_call caught_call

        .section .note.GNU-stack, "", %progbits
