#include "report/template.h"

__asm__(".section .rodata\n"
        ".global report_template\n"
        "report_template: .incbin \"viewer/report.html\"\n"
        ".byte 0\n"
        ".previous\n");
