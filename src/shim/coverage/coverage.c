/*
 * coverage -- what is preloaded into ranks while inputs are tried (--inputs): it notes which code they run (call/coverage.h).
 *
 * Programs that were built with <tourney_coverage.h> tell of their branches and of what they compare.  Others call the C library to compare
 * texts, which is seen here, too; and of each rank the shim tells from where it calls MPI.
 *
 * The C library itself, and all that is loaded, call functions of this file before its constructor has run: they work without it.  The file
 * is compiled so that the compiler makes no calls of memcmp out of loops.
 */
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "call/coverage.h"
#include "shim/coverage_call.h"

#define EXPORTED __attribute__((visibility("default")))

static struct {
    struct coverage_area *area;      /* NULL: nothing is noted */
    uintptr_t base;                  /* where the program itself lies, */
    uintptr_t start, end;            /* and its code: what others compare is none of its input */
    uint64_t branch, call;           /* the last ones */
    uint32_t known[COVERAGE_COMPARED * 2]; /* what was noted, by hashes: once is enough */
    uint8_t at_place[COVERAGE_COMPARED * 2]; /* how much was noted at a place, by hashes: a loop must not take all the room */
} noted;

enum { MOST_AT_PLACE = 16 };

static uint64_t mixed(uint64_t a, uint64_t b)
{
    uint64_t sum = (a ^ (b << 32 | b >> 32)) * 0x9e3779b97f4a7c15;
    sum ^= sum >> 29;
    sum *= 0xd6e8feb86659fd93;
    return sum ^ sum >> 32;
}

static void count_pair(uint64_t first, uint64_t second)
{
    uint8_t *counter = &noted.area->pair[mixed(first, second) % COVERAGE_PAIRS];
    if (*counter < UINT8_MAX)
        ++*counter;
}

static uint64_t place_in_executable(const void *place)
{
    return (uintptr_t)place - noted.base;
}

static void note_branch(const void *at)
{
    uint64_t place = place_in_executable(at);
    if (!noted.area)
        return;
    noted.area->tells = 1;
    count_pair(noted.branch, place);
    count_pair(~noted.call, place);
    noted.branch = place;
}

EXPORTED void tourney_coverage_call(const void *at)
{
    uint64_t place = place_in_executable(at);
    if (!noted.area)
        return;
    count_pair(~noted.call, ~place);
    noted.call = place;
}

/* Whether it is worth noting: not known, and not too much at one place. */
static bool is_news(uint64_t place, uint64_t sum)
{
    uint32_t *known = &noted.known[sum % (COVERAGE_COMPARED * 2)];
    uint8_t *count = &noted.at_place[mixed(place, 1) % (COVERAGE_COMPARED * 2)];
    uint32_t mark = (uint32_t)(sum >> 32) | 1;
    if (*known == mark || *count == MOST_AT_PLACE)
        return false;
    *known = mark;
    ++*count;
    return true;
}

static void note_numbers(const void *at, uint64_t left, uint64_t right, int bytes, int kind)
{
    struct coverage_area *area = noted.area;
    uint64_t place = place_in_executable(at);
    if (!area || area->compared == COVERAGE_COMPARED || !is_news(place, mixed(mixed(left, right), place)))
        return;
    area->compare[area->compared++] =
        (struct compared){place, left, right, (uint8_t)bytes, kind == COVERAGE_CONSTANT, kind == COVERAGE_REAL};
}

static uint64_t sum_of(const char *at, size_t bytes)
{
    uint64_t sum = bytes;
    for (size_t i = 0; i < bytes; i++)
        sum = mixed(sum, (unsigned char)at[i]);
    return sum;
}

/* What is longer than there is room for is not looked for in the input. */
static void note_texts(const void *at, const char *left, size_t left_bytes, const char *right, size_t right_bytes)
{
    struct coverage_area *area = noted.area;
    if (!area || (uintptr_t)at < noted.start || (uintptr_t)at >= noted.end || area->texts == COVERAGE_TEXTS ||
        left_bytes > COVERAGE_TEXT || right_bytes > COVERAGE_TEXT)
        return;
    uint64_t place = place_in_executable(at);
    if (!is_news(place, mixed(mixed(sum_of(left, left_bytes), sum_of(right, right_bytes)), place)))
        return;
    struct compared_text *text = &area->text[area->texts++];
    *text = (struct compared_text){.place = place, .bytes = {(uint8_t)left_bytes, (uint8_t)right_bytes}};
    for (size_t i = 0; i < left_bytes; i++)
        text->side[0][i] = left[i];
    for (size_t i = 0; i < right_bytes; i++)
        text->side[1][i] = right[i];
}

#define CALLER __builtin_return_address(0)

/* ---- the C library's comparisons ---- */

static size_t length_up_to(const char *text, size_t most)
{
    size_t n = 0;
    while (n < most && text[n])
        n++;
    return n;
}

static int lower_case(unsigned char c)
{
    return c >= 'A' && c <= 'Z' ? c + 'a' - 'A' : c;
}

static int order_of_texts(const char *left, const char *right, size_t most, bool any_case)
{
    for (size_t i = 0; i < most; i++) {
        int a = (unsigned char)left[i], b = (unsigned char)right[i];
        int difference = any_case ? lower_case((unsigned char)a) - lower_case((unsigned char)b) : a - b;
        if (difference || !a)
            return difference;
    }
    return 0;
}

static int order_of_noted_texts(const void *at, const char *left, const char *right, size_t most, bool any_case)
{
    size_t seen = most < COVERAGE_TEXT + 1 ? most : COVERAGE_TEXT + 1;
    if (noted.area)
        note_texts(at, left, length_up_to(left, seen), right, length_up_to(right, seen));
    return order_of_texts(left, right, most, any_case);
}

EXPORTED int strcmp(const char *left, const char *right)
{
    return order_of_noted_texts(CALLER, left, right, SIZE_MAX, false);
}

EXPORTED int strncmp(const char *left, const char *right, size_t most)
{
    return order_of_noted_texts(CALLER, left, right, most, false);
}

EXPORTED int strcasecmp(const char *left, const char *right)
{
    return order_of_noted_texts(CALLER, left, right, SIZE_MAX, true);
}

EXPORTED int strncasecmp(const char *left, const char *right, size_t most)
{
    return order_of_noted_texts(CALLER, left, right, most, true);
}

EXPORTED int memcmp(const void *left, const void *right, size_t bytes)
{
    const unsigned char *a = left, *b = right;
    if (noted.area && bytes)
        note_texts(CALLER, left, bytes, right, bytes);
    for (size_t i = 0; i < bytes; i++)
        if (a[i] != b[i])
            return a[i] - b[i];
    return 0;
}

/* ---- where it is noted ---- */

static const struct coverage_door door = {note_branch, note_numbers};

/* The first of all is the program. */
static int find_own_executable(struct dl_phdr_info *module, size_t size, void *unused)
{
    (void)size, (void)unused;
    noted.base = module->dlpi_addr;
    for (int i = 0; i < module->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &module->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && part->p_flags & PF_X) {
            noted.start = module->dlpi_addr + part->p_vaddr;
            noted.end = noted.start + part->p_memsz;
        }
    }
    return 1;
}

static struct coverage_area *map_area(const char *path, unsigned rank)
{
    int fd = open(path, O_RDWR | O_CLOEXEC);
    void *area = fd < 0 ? MAP_FAILED
                        : mmap(NULL, sizeof(struct coverage_area), PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                               (off_t)rank * COVERAGE_STRIDE);
    if (fd >= 0)
        close(fd);
    return area == MAP_FAILED ? NULL : area;
}

static __attribute__((constructor)) void open_coverage(void)
{
    char path[64], where[32];
    unsigned rank;
    const char *said = getenv(COVERAGE_ENV);
    if (!said || sscanf(said, "%63[^:]:%u", path, &rank) != 2)
        return;
    dl_iterate_phdr(find_own_executable, NULL);
    noted.area = map_area(path, rank);
    snprintf(where, sizeof where, "%zx", (size_t)&door);
    setenv(COVERAGE_DOOR_ENV, where, 1);
}
