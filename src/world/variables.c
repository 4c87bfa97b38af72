#include "world/variables.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arch/machine.h"
#include "base/map.h"
#include "base/mem.h"
#include "call/variables.h"

enum {
    MOST_DEBUG_INFO = 32 << 20, /* bytes; more would take seconds */
    MOST_NUMBERS = 256,         /* of one type; of others nothing is said */
    MOST_DEPTH = 32,
};

struct code_range {
    uint64_t start, end;
};
typedef VEC(struct code_range) code_ranges_t;

/* A function, or a block in it. */
struct scope {
    code_ranges_t ranges;
    bool outermost;
};

struct table {
    VEC(struct variables_object) objects;
    VEC(struct variables_static) statics;
    VEC(struct variables_code) codes;
    VEC(struct variables_local) locals;
    VEC(struct variables_type) types;
    VEC(struct variables_number) numbers;
    VEC(char) texts;
    struct map type_of_die;
};

static uint32_t add_table_text(struct table *t, const char *text)
{
    uint32_t at = (uint32_t)t->texts.n;
    for (const char *c = text ? text : "";; c++) {
        vec_push(&t->texts, *c);
        if (!*c)
            return at;
    }
}

/* ---- the symbol table ---- */

static int by_start_address(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b; /* `start` comes first in all that is sorted */
    return x < y ? -1 : x > y;
}

/* Names of one object, parts of a COMMON block: whatever shares memory is one. */
static void merge_objects(struct table *t)
{
    size_t n = 0;
    if (t->objects.n)
        qsort(t->objects.at, t->objects.n, sizeof *t->objects.at, by_start_address);
    for (size_t i = 0; i < t->objects.n; i++) {
        struct variables_object *last = n ? &t->objects.at[n - 1] : NULL, *new = &t->objects.at[i];
        if (!last || last->end <= new->start)
            t->objects.at[n++] = *new;
        else if (last->end < new->end)
            last->end = new->end;
    }
    t->objects.n = n;
}

static void read_symbols(struct table *t, Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
    Elf_Data *data = elf_getdata(section, NULL);
    GElf_Sym symbol;
    for (int i = 0; data && gelf_getsym(data, i, &symbol); i++) {
        if (GELF_ST_TYPE(symbol.st_info) != STT_OBJECT || symbol.st_size == 0 || symbol.st_shndx == SHN_UNDEF)
            continue;
        vec_push(&t->objects,
                 (struct variables_object){symbol.st_value, symbol.st_value + symbol.st_size,
                                           add_table_text(t, elf_strptr(elf, header->sh_link, symbol.st_name))});
    }
}

static void read_objects(struct table *t, Elf *elf)
{
    GElf_Shdr header;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));)
        if (gelf_getshdr(section, &header) && (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM))
            read_symbols(t, elf, section, &header);
    merge_objects(t);
}

/* ---- types ---- */

static bool type_of(Dwarf_Die *die, Dwarf_Die *type)
{
    Dwarf_Attribute attribute;
    return dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attribute), type) &&
           dwarf_peel_type(type, type) == 0;
}

/* Of arrays whose length is known at compile time, too.  -1: it is not. */
static int type_size(Dwarf_Die *type, uint64_t *size)
{
    Dwarf_Word bytes;
    if (dwarf_hasattr(type, DW_AT_data_location) || dwarf_hasattr(type, DW_AT_allocated) ||
        dwarf_aggregate_size(type, &bytes) < 0)
        return -1;
    *size = bytes;
    return 0;
}

typedef VEC(struct variables_number) numbers_t;

static void add_number(numbers_t *to, struct variables_number number)
{
    struct variables_number *last = to->n ? &vec_last(to) : NULL;
    if (last && last->at + last->bytes == number.at && last->kind == number.kind && last->size == number.size)
        last->bytes += number.bytes;
    else if (number.kind != NUMBER_ANY)
        vec_push(to, number);
}

/* Characters and truth values are sent as anything. */
static struct variables_number number_of_base(struct table *t, Dwarf_Die *type, uint64_t at, uint64_t size)
{
    Dwarf_Attribute attribute;
    Dwarf_Word encoding = 0;
    struct variables_number number = {.at = at, .bytes = size, .size = (uint32_t)size};
    dwarf_formudata(dwarf_attr(type, DW_AT_encoding, &attribute), &encoding);
    if ((encoding == DW_ATE_signed || encoding == DW_ATE_unsigned) && size > 1 && size <= 8)
        number.kind = NUMBER_INTEGER;
    if (encoding == DW_ATE_float || encoding == DW_ATE_complex_float)
        number.kind = NUMBER_FLOAT;
    if (encoding == DW_ATE_complex_float)
        number.size /= 2;
    number.name = number.kind == NUMBER_ANY ? 0 : add_table_text(t, dwarf_diename(type));
    return number;
}

static int add_numbers(struct table *, Dwarf_Die *type, uint64_t at, int depth, numbers_t *to);

/* The elements of all dimensions. */
static int add_array(struct table *t, Dwarf_Die *type, uint64_t at, int depth, numbers_t *to)
{
    Dwarf_Die element;
    uint64_t whole, size;
    if (!type_of(type, &element) || type_size(type, &whole) < 0 || type_size(&element, &size) < 0 || size == 0)
        return 0;
    numbers_t one = {0};
    int result = add_numbers(t, &element, 0, depth + 1, &one);
    bool solid = one.n == 1 && one.at[0].at == 0 && one.at[0].bytes == size;
    if (solid) {
        one.at[0].bytes = whole;
        size = whole;
    }
    for (uint64_t from = 0; result == 0 && one.n && from < whole; from += size)
        for (size_t i = 0; i < one.n && result == 0; i++) {
            struct variables_number number = one.at[i];
            number.at += at + from;
            add_number(to, number);
            result = to->n > MOST_NUMBERS ? -1 : 0;
        }
    vec_release(&one);
    return result;
}

static int add_struct_member(struct table *t, Dwarf_Die *member, uint64_t at, int depth, numbers_t *to)
{
    Dwarf_Attribute attribute;
    Dwarf_Word offset;
    Dwarf_Die type;
    if (dwarf_hasattr(member, DW_AT_bit_size) ||
        dwarf_formudata(dwarf_attr(member, DW_AT_data_member_location, &attribute), &offset) < 0 ||
        !type_of(member, &type))
        return 0;
    return add_numbers(t, &type, at + offset, depth + 1, to);
}

static int add_members(struct table *t, Dwarf_Die *type, uint64_t at, int depth, numbers_t *to)
{
    Dwarf_Die member;
    int result = 0;
    for (int more = dwarf_child(type, &member); more == 0 && result == 0; more = dwarf_siblingof(&member, &member))
        if (dwarf_tag(&member) == DW_TAG_member || dwarf_tag(&member) == DW_TAG_inheritance)
            result = add_struct_member(t, &member, at, depth, to);
    return result;
}

/* What is not added, unions, pointers and padding, is of no kind.  -1: there is too much of it. */
static int add_numbers(struct table *t, Dwarf_Die *type, uint64_t at, int depth, numbers_t *to)
{
    uint64_t size;
    if (depth > MOST_DEPTH || to->n > MOST_NUMBERS)
        return -1;
    switch (dwarf_tag(type)) {
    case DW_TAG_base_type:
        if (type_size(type, &size) == 0)
            add_number(to, number_of_base(t, type, at, size));
        return 0;
    case DW_TAG_enumeration_type:
        if (type_size(type, &size) == 0 && size > 1)
            add_number(to,
                       (struct variables_number){at, size, NUMBER_INTEGER, (uint32_t)size, add_table_text(t, "enum")});
        return 0;
    case DW_TAG_array_type:
        return add_array(t, type, at, depth, to);
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
        return add_members(t, type, at, depth, to);
    default:
        return 0;
    }
}

/* Of an array, what repeats is one element of it. */
static uint32_t make_type(struct table *t, Dwarf_Die *type, uint64_t size)
{
    Dwarf_Die element = *type;
    uint64_t period = size;
    while (dwarf_tag(&element) == DW_TAG_array_type && type_of(&element, &element))
        if (type_size(&element, &period) < 0)
            return 0;
    numbers_t numbers = {0};
    uint32_t index = 0;
    if (period && add_numbers(t, &element, 0, 0, &numbers) == 0 && numbers.n) {
        index = (uint32_t)t->types.n;
        vec_push(&t->types, (struct variables_type){size, period, (uint32_t)t->numbers.n, (uint32_t)numbers.n});
        for (size_t i = 0; i < numbers.n; i++)
            vec_push(&t->numbers, numbers.at[i]);
    }
    vec_release(&numbers);
    return index;
}

static uint32_t find_described_type(struct table *t, Dwarf_Die *type, uint64_t size)
{
    struct map_key key = map_key(dwarf_dieoffset(type) + 1);
    uint32_t index;
    if (!map_get(&t->type_of_die, key, &index)) {
        index = make_type(t, type, size);
        map_put(&t->type_of_die, key, index);
    }
    return index;
}

/* ---- variables ---- */

/*
 * Compilers that optimize let variables share memory if they are not in use at the same time, whatever their scopes are,
 * and also with arrays that have no name.  Then a variable that is in scope need not be what is in its place.  GCC gives
 * variables of a function's outermost scope a place of their own up to -O1, and small ones without optimization.
 */
enum certainty { CERTAIN_NONE, CERTAIN_OUTERMOST, CERTAIN_OUTERMOST_OR_SMALL, CERTAIN_ALL };
enum { SMALL = 32 };

static enum certainty certainty_of_gcc(const char *producer)
{
    const char *level = NULL;
    for (const char *at = producer; (at = strstr(at, " -O")); at += 3)
        level = at + 3;
    if (strstr(producer, "GIMPLE"))
        return CERTAIN_NONE; /* optimized as a whole */
    if (!level || *level == '0')
        return CERTAIN_OUTERMOST_OR_SMALL;
    return *level == '1' || *level == 'g' || *level == ' ' || !*level ? CERTAIN_OUTERMOST : CERTAIN_NONE;
}

/* clang does not tell with which options it was called; but it describes calls only where it optimizes. */
static enum certainty certainty_of_clang(Dwarf_Die *function, Dwarf_Half version)
{
    bool optimized = dwarf_hasattr_integrate(function, DW_AT_call_all_calls) ||
                     dwarf_hasattr_integrate(function, DW_AT_GNU_all_call_sites);
    return optimized || version < 4 ? CERTAIN_NONE : CERTAIN_ALL;
}

static enum certainty certainty_of(Dwarf_Die *function)
{
    enum { FIRST_THAT_DESCRIBES_CALLS = 11 };
    static const char clang[] = "clang version ";
    Dwarf_Die unit;
    Dwarf_Half version = 0;
    Dwarf_Attribute attribute;
    if (!dwarf_cu_die(function->cu, &unit, &version, NULL, NULL, NULL, NULL, NULL))
        return CERTAIN_NONE;
    const char *producer = dwarf_formstring(dwarf_attr(&unit, DW_AT_producer, &attribute));
    const char *found = producer ? strstr(producer, clang) : NULL;
    if (producer && strncmp(producer, "GNU ", 4) == 0)
        return certainty_of_gcc(producer);
    return found && atoi(found + strlen(clang)) >= FIRST_THAT_DESCRIBES_CALLS ? certainty_of_clang(function, version)
                                                                               : CERTAIN_NONE;
}

/* The function that is being read. */
struct described_function {
    enum certainty certainty;
    bool has_base; /* from which the debug information counts its locals */
    uint64_t base;
};

/* Where a variable is; compilers say it in few ways, and others are not understood. */
struct location {
    enum { NOWHERE, STATIC, ON_STACK } kind;
    uint64_t base;   /* on the stack */
    uint64_t number; /* the address, or how far it is from the base */
};

static struct location location_of(Dwarf_Die *die, const struct described_function *function)
{
    Dwarf_Attribute attribute, address;
    Dwarf_Op *op;
    size_t ops;
    Dwarf_Addr at;
    if (!dwarf_attr(die, DW_AT_location, &attribute) || dwarf_getlocation(&attribute, &op, &ops) != 0 || ops != 1)
        return (struct location){0};
    switch (op->atom) {
    case DW_OP_addr:
        return (struct location){STATIC, 0, op->number};
    case DW_OP_addrx:
        return dwarf_getlocation_attr(&attribute, op, &address) == 0 && dwarf_formaddr(&address, &at) == 0
                   ? (struct location){STATIC, 0, at}
                   : (struct location){0};
    case DW_OP_fbreg:
        return (struct location){function->has_base ? ON_STACK : NOWHERE, function->base, op->number};
    case DW_OP_breg0 + MACHINE_FRAME_POINTER:
        return (struct location){ON_STACK, BASE_FRAME, op->number};
    case DW_OP_breg0 + MACHINE_STACK_POINTER:
        return (struct location){ON_STACK, BASE_STACK, op->number};
    default:
        return (struct location){0};
    }
}

static void add_ranges(code_ranges_t *to, Dwarf_Die *die)
{
    Dwarf_Addr base, start, end;
    for (ptrdiff_t at = 0; (at = dwarf_ranges(die, at, &base, &start, &end)) > 0;)
        vec_push(to, (struct code_range){start, end});
}

static void add_local(struct table *t, struct variables_local local, const code_ranges_t *scope)
{
    for (size_t i = 0; i < scope->n; i++) {
        local.start = scope->at[i].start;
        local.end = scope->at[i].end;
        vec_push(&t->locals, local);
    }
}

static bool is_scope_certain(const struct described_function *function, bool outermost, uint64_t size)
{
    switch (function->certainty) {
    case CERTAIN_NONE:
        return false;
    case CERTAIN_OUTERMOST:
        return outermost;
    case CERTAIN_OUTERMOST_OR_SMALL:
        return outermost || size < SMALL;
    case CERTAIN_ALL:
        return true;
    }
    return false;
}

static void add_variable(struct table *t, Dwarf_Die *die, const struct described_function *function,
                         const struct scope *scope)
{
    Dwarf_Attribute attribute;
    Dwarf_Die type;
    uint64_t size;
    struct location where = location_of(die, function);
    if (where.kind == NOWHERE || !type_of(die, &type) || type_size(&type, &size) < 0)
        return;
    uint32_t name = add_table_text(t, dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attribute)));
    uint32_t index = find_described_type(t, &type, size);
    if (where.kind == STATIC)
        vec_push(&t->statics, (struct variables_static){where.number, where.number + size, name, index});
    else if (is_scope_certain(function, scope->outermost, size))
        add_local(t,
                  (struct variables_local){.offset = (int64_t)where.number,
                                           .size = size,
                                           .name = name,
                                           .type = index,
                                           .base = where.base},
                  &scope->ranges);
}

static struct described_function function_of(Dwarf_Die *die)
{
    Dwarf_Attribute attribute;
    Dwarf_Op *op;
    size_t ops;
    struct described_function function = {.certainty = certainty_of(die)};
    if (!dwarf_attr(die, DW_AT_frame_base, &attribute) || dwarf_getlocation(&attribute, &op, &ops) != 0 || ops != 1)
        return function;
    bool by_frame = op->atom == DW_OP_reg0 + MACHINE_FRAME_POINTER, by_stack = op->atom == DW_OP_reg0 + MACHINE_STACK_POINTER;
    function.has_base = op->atom == DW_OP_call_frame_cfa || by_frame || by_stack;
    function.base = by_frame ? BASE_FRAME : by_stack ? BASE_STACK : BASE_CFA;
    return function;
}

static void read_scope(struct table *, Dwarf_Die *, const struct described_function *, const struct scope *, int depth);

static void read_function(struct table *t, Dwarf_Die *die, int depth)
{
    struct described_function function = function_of(die);
    struct scope scope = {.outermost = true};
    size_t first = t->locals.n;
    add_ranges(&scope.ranges, die);
    read_scope(t, die, &function, &scope, depth);
    for (size_t i = 0; i < scope.ranges.n && t->locals.n > first; i++)
        vec_push(&t->codes, (struct variables_code){scope.ranges.at[i].start, scope.ranges.at[i].end, (uint32_t)first,
                                                    (uint32_t)(t->locals.n - first)});
    vec_release(&scope.ranges);
}

static void read_lexical_block(struct table *t, Dwarf_Die *die, const struct described_function *function, int depth)
{
    struct scope scope = {.outermost = false};
    add_ranges(&scope.ranges, die);
    read_scope(t, die, function, &scope, depth);
    vec_release(&scope.ranges);
}

static void read_scope(struct table *t, Dwarf_Die *outer, const struct described_function *function,
                       const struct scope *scope, int depth)
{
    Dwarf_Die die;
    if (depth > MOST_DEPTH)
        return;
    for (int more = dwarf_child(outer, &die); more == 0; more = dwarf_siblingof(&die, &die))
        switch (dwarf_tag(&die)) {
        case DW_TAG_variable:
        case DW_TAG_formal_parameter:
            add_variable(t, &die, function, scope);
            break;
        case DW_TAG_lexical_block:
        case DW_TAG_inlined_subroutine:
            read_lexical_block(t, &die, function, depth + 1);
            break;
        case DW_TAG_subprogram:
            read_function(t, &die, depth + 1);
            break;
        case DW_TAG_namespace:
        case DW_TAG_module:
        case DW_TAG_common_block:
            read_scope(t, &die, function, scope, depth + 1);
            break;
        default: /* types, and what has no variables */
            break;
        }
}

/* Those that share memory, as EQUIVALENCE makes them, have no one type. */
static void sort_statics(struct table *t)
{
    uint64_t reach = 0;
    if (t->statics.n)
        qsort(t->statics.at, t->statics.n, sizeof *t->statics.at, by_start_address);
    for (size_t i = 0; i < t->statics.n; i++) {
        struct variables_static *it = &t->statics.at[i];
        if (i && it->start < reach)
            it->type = it[-1].type = 0;
        reach = it->end > reach ? it->end : reach;
    }
}

static uint64_t debug_info_bytes(Elf *elf)
{
    GElf_Shdr header;
    size_t names;
    if (elf_getshdrstrndx(elf, &names) < 0)
        return 0;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
        const char *name = gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
        if (name && (!strcmp(name, ".debug_info") || !strcmp(name, ".zdebug_info")))
            return header.sh_size;
    }
    return 0;
}

static void read_debug_info(struct table *t, Elf *elf)
{
    uint64_t bytes = debug_info_bytes(elf);
    Dwarf *dwarf = bytes && bytes <= MOST_DEBUG_INFO ? dwarf_begin_elf(elf, DWARF_C_READ, NULL) : NULL;
    Dwarf_CU *unit = NULL;
    Dwarf_Die die;
    while (dwarf && dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0)
        read_scope(t, &die, &(struct described_function){0}, &(struct scope){0}, 0);
    dwarf_end(dwarf);
    sort_statics(t);
    if (t->codes.n)
        qsort(t->codes.at, t->codes.n, sizeof *t->codes.at, by_start_address);
}

/* ---- the file ---- */

static bool write_table_bytes(int fd, const void *bytes, size_t n)
{
    for (ssize_t done; n; bytes = (const char *)bytes + done, n -= (size_t)done)
        if ((done = write(fd, bytes, n)) <= 0)
            return false;
    return true;
}

static int write_table(const struct table *t, const struct stat *file)
{
    struct variables_head head = {.magic = VARIABLES_MAGIC,
                                  .device = file->st_dev,
                                  .inode = file->st_ino,
                                  .objects = t->objects.n,
                                  .statics = t->statics.n,
                                  .codes = t->codes.n,
                                  .locals = t->locals.n,
                                  .types = t->types.n,
                                  .numbers = t->numbers.n,
                                  .texts = t->texts.n};
    int fd = memfd_create("tourney", MFD_CLOEXEC);
#define PUT(array) write_table_bytes(fd, t->array.at, t->array.n * sizeof *t->array.at)
    if (fd >= 0 && write_table_bytes(fd, &head, sizeof head) && PUT(objects) && PUT(statics) && PUT(codes) &&
        PUT(locals) && PUT(types) && PUT(numbers) && PUT(texts))
        return fd;
#undef PUT
    if (fd >= 0)
        close(fd);
    return -1;
}

static void release_table(struct table *t)
{
    vec_release(&t->objects);
    vec_release(&t->statics);
    vec_release(&t->codes);
    vec_release(&t->locals);
    vec_release(&t->types);
    vec_release(&t->numbers);
    vec_release(&t->texts);
    map_release(&t->type_of_die);
}

int variables_make(const char *executable)
{
    struct table table = {0};
    struct stat file;
    elf_version(EV_CURRENT);
    int fd = open(executable, O_RDONLY | O_CLOEXEC), made = -1;
    Elf *elf = fd >= 0 ? elf_begin(fd, ELF_C_READ_MMAP, NULL) : NULL;
    if (elf && elf_kind(elf) == ELF_K_ELF && fstat(fd, &file) == 0) {
        add_table_text(&table, "");
        vec_push(&table.types, (struct variables_type){0});
        read_objects(&table, elf);
        read_debug_info(&table, elf);
        made = write_table(&table, &file);
    }
    elf_end(elf);
    if (fd >= 0)
        close(fd);
    release_table(&table);
    return made;
}
