/* A rank marks where it sleeps, and comes back there with the memory it had (registers.h). */
        .text
        .hidden savepoint_mark, savepoint_return
        .globl  savepoint_mark, savepoint_return
        .type   savepoint_mark, %function
savepoint_mark:
        hint    34      /* bti c */
        stp     x19, x20, [x0]
        stp     x21, x22, [x0, 16]
        stp     x23, x24, [x0, 32]
        stp     x25, x26, [x0, 48]
        stp     x27, x28, [x0, 64]
        stp     x29, x30, [x0, 80]
        mov     x1, sp
        str     x1, [x0, 96]
        stp     d8, d9, [x0, 104]
        stp     d10, d11, [x0, 120]
        stp     d12, d13, [x0, 136]
        stp     d14, d15, [x0, 152]
        mrs     x1, fpcr
        str     x1, [x0, 168]
        mov     w0, 0
        ret
        .size   savepoint_mark, . - savepoint_mark

/* Spans: x0, x1 and x2 are the first, how many, and from where; x3 and x4 the same of those behind them; x5 is the place. */
        .type   savepoint_return, %function
savepoint_return:
        hint    34
1:      cbz     x1, 5f
        ldp     x9, x10, [x0]           /* where to, and how many bytes */
        ldr     x11, [x0, 16]
        add     x11, x11, x2
2:      cmp     x10, 16
        b.lo    3f
        ldp     x12, x13, [x11], 16
        stp     x12, x13, [x9], 16
        sub     x10, x10, 16
        b       2b
3:      cbz     x10, 4f
        ldrb    w12, [x11], 1
        strb    w12, [x9], 1
        sub     x10, x10, 1
        b       3b
4:      add     x0, x0, 24
        sub     x1, x1, 1
        b       1b
5:      mov     x1, x3
        mov     x3, 0
        mov     x2, x4
        cbnz    x1, 1b
        ldp     x19, x20, [x5]
        ldp     x21, x22, [x5, 16]
        ldp     x23, x24, [x5, 32]
        ldp     x25, x26, [x5, 48]
        ldp     x27, x28, [x5, 64]
        ldp     x29, x30, [x5, 80]
        ldr     x1, [x5, 96]
        mov     sp, x1
        ldp     d8, d9, [x5, 104]
        ldp     d10, d11, [x5, 120]
        ldp     d12, d13, [x5, 136]
        ldp     d14, d15, [x5, 152]
        ldr     x1, [x5, 168]
        msr     fpcr, x1
        mov     w0, 1
        ret
        .size   savepoint_return, . - savepoint_return

        .section .note.GNU-stack, "", %progbits
