#include "model/rules.h"

__asm__(".section .rodata\n"
        ".global rules_promela\n"
        "rules_promela: .incbin \"spec/mpi.pml\"\n"
        ".byte 0\n"
        ".previous\n");
