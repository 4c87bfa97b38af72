#include "flow/named_calls.h"

#include <elf.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Not those that print into memory: how much of it depends on what they print. */
static const char *const printing[] = {
    "printf",
    "fprintf",
    "vprintf",
    "vfprintf",
    "puts",
    "fputs",
    "putchar",
    "fputc",
    "putc",
    "fwrite",
    "fflush",
    "perror",
    "dprintf",
    "__printf_chk",
    "__fprintf_chk",
    "__vprintf_chk",
    "__vfprintf_chk",
    "__dprintf_chk",
    "_IO_putc",
    "_ZNSolsEi",
    "_ZNSolsEd",
    "_ZNSo9_M_insertIdEERSoT_",
    "_ZNSo9_M_insertIlEERSoT_",
    "_ZNSo9_M_insertImEERSoT_",
    "_ZNSo9_M_insertIbEERSoT_",
    "_ZNSo5flushEv",
    "_ZNSo3putEc",
    "_ZSt16__ostream_insertIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PKS3_l",
};

/* They also end in f or l, for other types. */
static const char *const computing[] = {
    "sin",   "cos",   "tan",    "asin",    "acos",  "atan",   "atan2",     "sinh",   "cosh",   "tanh",
    "asinh", "acosh", "atanh",  "exp",     "exp2",  "expm1",  "log",       "log2",   "log10",  "log1p",
    "pow",   "sqrt",  "cbrt",   "hypot",   "floor", "ceil",   "round",     "trunc",  "rint",   "nearbyint",
    "fmod",  "fabs",  "fmin",   "fmax",    "erf",   "erfc",   "tgamma",    "lgamma", "ldexp",  "copysign",
    "fdim",  "fma",   "lround", "llround", "lrint", "llrint", "remainder", "logb",   "scalbn",
};

static bool is_known(const char *name)
{
    size_t n = strlen(name);
    for (size_t i = 0; i < sizeof printing / sizeof *printing; i++)
        if (strcmp(name, printing[i]) == 0)
            return true;
    for (size_t i = 0; i < sizeof computing / sizeof *computing; i++) {
        size_t length = strlen(computing[i]);
        if (strncmp(name, computing[i], length) == 0 &&
            (n == length || (n == length + 1 && (name[length] == 'f' || name[length] == 'l'))))
            return true;
    }
    return false;
}

static bool asks_for_exceptions(const char *name)
{
    static const char *const asking[] = {"fetestexcept", "fegetexceptflag", "fegetenv", "feholdexcept", "feupdateenv"};
    for (size_t i = 0; i < sizeof asking / sizeof *asking; i++)
        if (strcmp(name, asking[i]) == 0)
            return true;
    return false;
}

void named_calls_release(struct named_calls *names)
{
    map_release(&names->slots);
}

enum named_call named_calls_at(const struct named_calls *names, uint64_t slot)
{
    return (enum named_call)map_find(&names->slots, map_key(slot), NAMED_NONE);
}

static void look_at_relocations(struct named_calls *names, Elf *elf, Elf_Scn *section, const GElf_Shdr *header,
                                uint64_t base)
{
    Elf_Data *relocations = elf_getdata(section, NULL);
    Elf_Scn *symbols = elf_getscn(elf, header->sh_link);
    GElf_Shdr symbols_header;
    if (!relocations || !symbols || !gelf_getshdr(symbols, &symbols_header) || header->sh_entsize == 0)
        return;
    Elf_Data *symbol_data = elf_getdata(symbols, NULL);
    for (size_t i = 0; i < header->sh_size / header->sh_entsize; i++) {
        GElf_Rela rela;
        GElf_Sym symbol;
        if (!gelf_getrela(relocations, (int)i, &rela) ||
            (GELF_R_TYPE(rela.r_info) != R_X86_64_JUMP_SLOT && GELF_R_TYPE(rela.r_info) != R_X86_64_GLOB_DAT) ||
            !gelf_getsym(symbol_data, (int)GELF_R_SYM(rela.r_info), &symbol))
            continue;
        const char *name = elf_strptr(elf, symbols_header.sh_link, symbol.st_name);
        if (name && is_known(name))
            map_put(&names->slots, map_key(base + rela.r_offset), NAMED_QUIET);
        else if (name && asks_for_exceptions(name))
            map_put(&names->slots, map_key(base + rela.r_offset), NAMED_EXCEPTIONS);
        else if (name && strcmp(name, "__errno_location") == 0)
            map_put(&names->slots, map_key(base + rela.r_offset), NAMED_ERRNO);
    }
}

static void look_for_exit(struct named_calls *names, Elf *elf, Elf_Scn *section, const GElf_Shdr *header, uint64_t base)
{
    Elf_Data *data = elf_getdata(section, NULL);
    for (size_t i = 0; data && header->sh_entsize && i < header->sh_size / header->sh_entsize; i++) {
        GElf_Sym symbol;
        const char *name;
        if (gelf_getsym(data, (int)i, &symbol) && symbol.st_shndx != SHN_UNDEF &&
            GELF_ST_TYPE(symbol.st_info) == STT_FUNC && (name = elf_strptr(elf, header->sh_link, symbol.st_name)) &&
            strcmp(name, "exit") == 0)
            names->exit_at = base + symbol.st_value;
    }
}

/* `start`: where the beginning of the file is mapped. */
static void look_at_elf_file(struct named_calls *names, const char *path, uint64_t start)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ_MMAP, NULL);
    GElf_Ehdr head;
    GElf_Shdr header;
    if (elf && elf_kind(elf) == ELF_K_ELF && gelf_getehdr(elf, &head)) {
        uint64_t base = head.e_type == ET_EXEC ? 0 : start;
        for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section)) && gelf_getshdr(section, &header);) {
            if (header.sh_type == SHT_RELA && header.sh_flags & SHF_ALLOC)
                look_at_relocations(names, elf, section, &header, base);
            else if (header.sh_type == SHT_DYNSYM && strstr(path, "/libc.so"))
                look_for_exit(names, elf, section, &header, base);
        }
    }
    elf_end(elf);
    if (fd >= 0)
        close(fd);
}

void named_calls_find(struct named_calls *names, pid_t pid)
{
    char maps[64], line[4096];
    if (names->looked)
        return;
    names->looked = true;
    snprintf(maps, sizeof maps, "/proc/%d/maps", (int)pid);
    FILE *file = fopen(maps, "re");
    elf_version(EV_CURRENT);
    while (file && fgets(line, sizeof line, file)) {
        unsigned long start, offset;
        int path = 0;
        if (sscanf(line, "%lx-%*x %*s %lx %*s %*s %n", &start, &offset, &path) < 2 || offset != 0 || !path ||
            line[path] != '/')
            continue;
        line[strcspn(line, "\n")] = 0;
        look_at_elf_file(names, line + path, start);
    }
    if (file)
        fclose(file);
}
