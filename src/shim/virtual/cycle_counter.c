#include "shim/virtual/cycle_counter.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "arch/registers.h"
#include "arch/system_call.h"
#include "shim/bodies/crash.h"
#include "shim/channel.h"
#include "shim/core/module.h"
#include "shim/gate/kept_state.h"
#include "shim/noise.h"
#include "shim/virtual/virtual_time.h"

enum { CYCLES = 1000 }; /* in a microsecond */

static void let_counter_be_read(bool free)
{
    own_call(SYS_prctl, (long)PR_SET_TSC, (long)(free ? PR_TSC_ENABLE : PR_TSC_SIGSEGV), 0L, 0L, 0L);
}

static uint64_t real_cycles(void)
{
    let_counter_be_read(true);
    uint64_t cycles = registers_read_counter();
    let_counter_be_read(false);
    return cycles;
}

/* From a handler of SIGSEGV: whether the instruction was one that reads the counter, and has been done. */
static bool take_reading(ucontext_t *context)
{
    const unsigned char *code = (const unsigned char *)registers_place(context);
    uintptr_t start, end;
    int bytes = module_span(code, &start, &end) ? registers_counter_instruction(code) : 0;
    if (!bytes)
        return false;
    char selector = noise.fence.selector;
    noise.fence.selector = 0; /* system calls are allowed */
    enum module_kind kind = module_kind_at(code);
    bool program = kind != MODULE_LIBRARY && virtual_time_is_read();
    registers_set_counter(context, bytes, program ? virtual_time_read() * CYCLES : real_cycles());
    noise.fence.selector = selector;
    return true;
}

/* In the code of the executable, and of libraries that are not installed with the system. */
static int look_for_reading(struct dl_phdr_info *module, size_t size, void *found)
{
    (void)size;
    enum module_kind kind = module_kind_of(module->dlpi_name);
    bool installed = strncmp(module->dlpi_name, "/usr/", 5) == 0 || strncmp(module->dlpi_name, "/lib", 4) == 0;
    bool ours = strstr(module->dlpi_name, "libtourney") || strncmp(module->dlpi_name, "linux-vdso", 10) == 0;
    if (installed || ours || (kind != MODULE_PROGRAM && kind != MODULE_SHARED))
        return 0;
    for (int i = 0; i < module->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &module->dlpi_phdr[i];
        const unsigned char *start = (const unsigned char *)module->dlpi_addr + part->p_vaddr, *at = start;
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X) || !(part->p_flags & PF_R) || part->p_memsz < 4)
            continue;
        const unsigned char *last = start + part->p_memsz - 4;
        while (at <= last && (at = memchr(at, REGISTERS_COUNTER_BYTE, (size_t)(last - at) + 1)) && !registers_counter_instruction(at))
            at++;
        if (at && at <= last)
            *(bool *)found = true;
    }
    return *(bool *)found;
}

static void leave_counter_alone(void)
{
    let_counter_be_read(true);
}

void cycle_counter_open(void)
{
    bool found = false;
    if (!channel_head()->copied || channel_head()->followed)
        return;
    dl_iterate_phdr(look_for_reading, &found);
    if (!found || !crash_lets_be_done(take_reading))
        return;
    struct gate_kept *kept = dlsym(RTLD_DEFAULT, GATE_KEPT_NAME);
    if (kept)
        kept->handles_faults = leave_counter_alone;
    let_counter_be_read(false);
}
