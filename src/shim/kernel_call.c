/* The system calls of the shim itself: the filter knows them by the place to which they return (kernel_filter.h). */
#include "shim/kernel_filter.h"

__asm__(".pushsection .text\n"
        ".hidden kernel_filter_call, kernel_filter_return\n"
        ".globl kernel_filter_call, kernel_filter_return\n"
        ".type kernel_filter_call, @function\n"
        "kernel_filter_call:\n"
        "mov %rdi, %rax\n"
        "mov %rsi, %rdi\n"
        "mov %rdx, %rsi\n"
        "mov %rcx, %rdx\n"
        "mov %r8, %r10\n"
        "mov %r9, %r8\n"
        "syscall\n"
        "kernel_filter_return: ret\n"
        ".size kernel_filter_call, . - kernel_filter_call\n"
        ".popsection\n");
