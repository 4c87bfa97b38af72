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

/* Function, its argument, stack, flags, thread pointer, and where the kernel notes the end: a thread; what the call returns. */
        .hidden own_thread_call
        .globl  own_thread_call
        .type   own_thread_call, %function
own_thread_call:
        hint    34
        stp     x29, x30, [sp, -32]!
        stp     x19, x20, [sp, 16]
        mov     x19, x0
        mov     x20, x1
        mov     x0, 220         /* clone */
        mov     x1, x3
        mov     x3, 0
        bl      own_call        /* the others are where they have to be */
        cbz     x0, 1f
        ldp     x19, x20, [sp, 16]
        ldp     x29, x30, [sp], 32
        ret
1:      mov     x0, x20
        mov     x29, 0
        mov     x30, 0
        blr     x19
        brk     0
        .size   own_thread_call, . - own_thread_call

        .section .note.GNU-stack, "", %progbits
