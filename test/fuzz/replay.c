/*
 * Goes through the inputs that are kept, and through changes of each that are the same
 * every time.  An input must be over in ten seconds of computing, and an input with its
 * changes do with 1 GB; each has a process of its own.
 *
 *     TARGET FOLDER [CHANGES]      how many of each input; 0 if it is not said
 */
#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz.h"

enum { PATIENCE = 10, MEMORY = 1 << 30, LONGEST = 1 << 20 };

static struct input {
    const char *file;
    unsigned change;
    size_t size;
    uint8_t bytes[LONGEST];
} input;

/* The bytes go to a file, so that they can be looked at and kept. */
static void tell(int signal)
{
    char name[] = "/tmp/fuzz-XXXXXX";
    int fd = mkstemp(name);
    if (fd < 0 || write(fd, input.bytes, input.size) != (ssize_t)input.size)
        name[0] = '\0';
    dprintf(2, "%s: %s, change %u, in %s\n", strsignal(signal), input.file, input.change, name);
    _exit(1);
}

#ifdef __SANITIZE_ADDRESS__
/* What refused inputs held is lost. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "abort_on_error=1:detect_leaks=0:max_allocation_size_mb=1024:quarantine_size_mb=4";
}
static const int signals[] = {SIGABRT, SIGVTALRM};
#else
static const int signals[] = {SIGABRT, SIGVTALRM, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
#endif

static void set_bounds(void)
{
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        signal(signals[i], tell);
#ifndef __SANITIZE_ADDRESS__ /* which takes more for itself */
    setrlimit(RLIMIT_DATA, &(struct rlimit){MEMORY, MEMORY});
#endif
}

static uint64_t state;

static uint64_t below(uint64_t n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % n;
}

static void change_bytes(void)
{
    static const uint8_t telling[] = {0, 1, 0x7f, 0x80, 0xff, '"', '\\', '\n'};
    for (uint64_t n = below(4) + 1; n > 0 && input.size > 0; n--) {
        size_t at = below(input.size);
        switch (below(4)) {
        case 0:
            input.bytes[at] ^= (uint8_t)(1 << below(8));
            break;
        case 1:
            input.bytes[at] = telling[below(sizeof telling)];
            break;
        case 2: /* a piece goes elsewhere */
            memmove(input.bytes + at, input.bytes + below(input.size - at + 1), below(input.size - at) / 2);
            break;
        default:
            input.size = at;
        }
    }
}

static void try_it(void)
{
    setitimer(ITIMER_VIRTUAL, &(struct itimerval){.it_value.tv_sec = PATIENCE}, NULL);
    LLVMFuzzerTestOneInput(input.bytes, input.size);
}

static bool read_input(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    input.size = fread(input.bytes, 1, LONGEST, file);
    fclose(file);
    return true;
}

static void go_through(const char *path, unsigned changes)
{
    input.file = path;
    for (unsigned i = 0; i <= changes && read_input(path); i++) {
        input.change = i;
        state = 88172645463325252 + i;
        if (i)
            change_bytes();
        try_it();
    }
}

static bool passes(const char *path, unsigned changes)
{
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        go_through(path, changes);
        exit(0);
    }
    if (pid < 0 || waitpid(pid, &status, 0) != pid)
        return false;
    if (status)
        fprintf(stderr, "FAILED %s\n", path);
    return status == 0;
}

static int is_input(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

int main(int argc, char **argv)
{
    unsigned changes = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 0;
    struct dirent **entries;
    int n = argc > 1 ? scandir(argv[1], &entries, is_input, alphasort) : -1;
    if (n <= 0) {
        fprintf(stderr, "usage: %s FOLDER [CHANGES], and there must be inputs in it\n", argv[0]);
        return 3;
    }
    int passed = 0;
    set_bounds();
    for (int i = 0; i < n; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", argv[1], entries[i]->d_name);
        passed += passes(path, changes);
        free(entries[i]);
    }
    free(entries);
    printf("%d passed, %d failed\n", passed, n - passed);
    return passed < n;
}
