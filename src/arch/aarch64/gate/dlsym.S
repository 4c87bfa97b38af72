/*
 * dlsym -- asks gate_look_up (shim/gate/dlsym.c), and then is the real one.
 *
 * RTLD_NEXT means "after the caller", so the real dlsym must see the caller: it is reached by a jump.
 */
        .text
        .globl  dlsym
        .type   dlsym, %function
dlsym:
        .cfi_startproc
        hint    34      /* bti c */
        stp     x29, x30, [sp, -32]!
        .cfi_def_cfa_offset 32
        .cfi_offset 29, -32
        .cfi_offset 30, -24
        mov     x29, sp
        stp     x0, x1, [sp, 16]
        mov     x2, x30
        bl      gate_look_up
        mov     x16, x0
        ldp     x0, x1, [sp, 16]
        ldp     x29, x30, [sp], 32
        .cfi_restore 30
        .cfi_restore 29
        .cfi_def_cfa_offset 0
        cbz     x16, 0f
        mov     x0, x16
        ret
0:      adrp    x16, gate_real_dlsym
        ldr     x16, [x16, :lo12:gate_real_dlsym]
        br      x16
        .cfi_endproc
        .size   dlsym, . - dlsym

        .section .note.GNU-stack, "", %progbits
