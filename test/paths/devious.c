/*
 * Which of two messages comes first decides what rank 0 does, in devious ways.  Ranks 1 and 2 send their numbers; if that of
 * rank 2 is taken first, the last receive waits for ever.  Between the two nothing but the way named by the
 * first argument carries the number.  With a second argument, "unused", what arrives at its end is not looked at: then nothing is wrong.
 *
 * paths: -n 3 -- memory: runs 2 stood 2 finds deadlock
 */
#include <emmintrin.h>
#include <errno.h>
#include <fenv.h>
#include <math.h>
#include <mpi.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, unused;
static volatile int sink;
static int memory[64];
static int (*volatile chosen)(void);

static int zero(void)
{
    return 0;
}

static int one(void)
{
    return 1;
}

/* ---- ways: from 1 to 0, from 2 to something else ---- */

static int by_memory(int v)
{
    for (int i = 0; i < 64; i++)
        memory[i] = i == 0 ? v : memory[i - 1];
    return memory[63] - 1;
}

static int by_condition(int v)
{
    volatile int a = 0, b = 7;
    return v == 2 ? b : a;
}

static int by_table(int v)
{
    static volatile int table[] = {9, 0, 1, 9};
    return table[v];
}

static int by_vectors(int v)
{
    __m128i all = _mm_set1_epi32(v), two = _mm_set1_epi32(2);
    return _mm_movemask_epi8(_mm_cmpeq_epi32(all, two));
}

static int by_text(int v)
{
    char text[16];
    snprintf(text, sizeof text, "%d", v);
    return strcmp(text, "2") == 0;
}

/* The other text is longer, so nothing was written there. */
static int by_text_end(int v)
{
    char text[16] = "";
    snprintf(text, sizeof text, "%d", (v - 1) * 1000 + 1);
    return text[3] != 0;
}

/* The other logarithm leaves it alone. */
static int by_errno(int v)
{
    volatile double x = 1.5 - v;
    errno = 0;
    sink = log(x) > 0;
    return errno != 0;
}

static int by_comparison(int v)
{
    int other = 2;
    return memcmp(&v, &other, sizeof v) == 0;
}

static int by_number(int v)
{
    volatile double x = v;
    return x > 1.5;
}

static int by_long_number(int v)
{
    volatile long double x = v;
    return x > 1.5L;
}

static int by_root(int v)
{
    volatile double x = v;
    return sqrt(x * x) > 1.5 && floor(x) > 1 && pow(x, 2) > 3;
}

static int by_rounding(int v)
{
    volatile double third = 1, down, up;
    fesetround(v == 2 ? FE_UPWARD : FE_DOWNWARD);
    up = third / 3;
    fesetround(FE_DOWNWARD);
    down = third / 3;
    fesetround(FE_TONEAREST);
    return up != down;
}

static int by_exceptions(int v)
{
    volatile double x = 1, y;
    feclearexcept(FE_ALL_EXCEPT);
    y = x / (v == 2 ? 3 : 2);
    sink = y > 0;
    return fetestexcept(FE_INEXACT) != 0;
}

static int by_function(int v)
{
    static int (*const functions[])(void) = {zero, zero, one};
    chosen = functions[v];
    return chosen();
}

static int by_jump(int v)
{
    jmp_buf here;
    volatile int steps = 0;
    int from = setjmp(here);
    if (from == 0)
        longjmp(here, v);
    steps = from;
    return steps - 1;
}

static int by_carry(int v)
{
    unsigned sum;
    return __builtin_add_overflow(4294967294u, (unsigned)v, &sum);
}

static int by_bits(int v)
{
    return __builtin_popcount((unsigned)v << 3) + __builtin_ctz((unsigned)v) - 1;
}

static int by_exchange(int v)
{
    static int word;
    word = v;
    __sync_val_compare_and_swap(&word, 2, 5);
    return word - 1;
}

static int by_length(int v)
{
    static char from[64], to[64];
    memset(from, 1, sizeof from);
    memset(to, 0, sizeof to);
    memcpy(to, from, (size_t)v * 16);
    return to[20];
}

static int by_size(int v)
{
    char *block = calloc((size_t)v, 100000), *next = calloc(1, 100000);
    int far = next - block > 150000 || block - next > 150000;
    free(block);
    free(next);
    return far;
}

static int by_environment(int v)
{
    char text[2] = {(char)('0' + v)};
    setenv("TEST_WAY", text, 1);
    return getenv("TEST_WAY")[0] - '1';
}

static int by_file(int v)
{
    int back = 0;
    FILE *file = tmpfile();
    fwrite(&v, sizeof v, 1, file);
    rewind(file);
    if (fread(&back, sizeof back, 1, file) != 1)
        back = 0;
    fclose(file);
    return back - 1;
}

static int by_pipe(int v)
{
    int end[2], back = 0;
    if (pipe(end) != 0 || write(end[1], &v, sizeof v) != sizeof v || read(end[0], &back, sizeof back) != sizeof back)
        back = 0;
    close(end[0]);
    close(end[1]);
    return back - 1;
}

static int by_printed(int v)
{
    return printf("%.*s\n", v, "ab") - 2;
}

static int by_division(int v)
{
    volatile int rest = 5 % v; /* 0 or 1 */
    return rest;
}

static int by_quotient(int v)
{
    volatile int nothing = 0;
    return 4 / (v == 2 ? nothing : 4) - 1;
}

static int by_repetition(int v)
{
    int n = 0;
    for (volatile int i = 0; i < v; i++)
        n++;
    return n - 1;
}

static int by_self(int v)
{
    int back;
    MPI_Sendrecv(&v, 1, MPI_INT, 0, 5, &back, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return back - 1;
}

/* ---- together ---- */

static const struct way {
    const char *name;
    int (*go)(int);
} ways[] = {
    {"memory", by_memory},     {"condition", by_condition}, {"table", by_table},         {"vectors", by_vectors},
    {"text", by_text},         {"comparison", by_comparison}, {"text_end", by_text_end}, {"errno", by_errno}, {"number", by_number},     {"long_number", by_long_number},
    {"root", by_root},         {"rounding", by_rounding},   {"exceptions", by_exceptions}, {"function", by_function},
    {"jump", by_jump},         {"carry", by_carry},         {"bits", by_bits},           {"exchange", by_exchange},
    {"length", by_length},     {"size", by_size},           {"environment", by_environment}, {"file", by_file},
    {"pipe", by_pipe},         {"printed", by_printed},     {"division", by_division},   {"quotient", by_quotient},
    {"repetition", by_repetition}, {"self", by_self},
};

/* The last receive finds its message only if nothing is wrong. */
static void finish(int wrong)
{
    int last;
    if (unused) {
        sink = wrong;
        wrong = 0;
    }
    MPI_Recv(&last, 1, MPI_INT, 1, wrong ? 99 : 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* What comes from the two, one after the other; the first is what counts. */
static int first_number(void)
{
    int v[2];
    for (int i = 0; i < 2; i++)
        MPI_Recv(&v[i], 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return v[0];
}

static void receive(const char *name)
{
    int v[2], n;
    MPI_Status status, other;
    if (strcmp(name, "source") == 0 || strcmp(name, "tag") == 0 || strcmp(name, "count") == 0) {
        MPI_Recv(v, 2, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        MPI_Recv(v, 2, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &other);
        MPI_Get_count(&status, MPI_INT, &n);
        finish(name[0] == 's' ? status.MPI_SOURCE - 1 : name[0] == 't' ? status.MPI_TAG - 3 : n - 1);
    } else if (strcmp(name, "probe") == 0) {
        MPI_Probe(MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &status);
        first_number();
        finish(status.MPI_SOURCE - 1);
    } else if (strcmp(name, "rank") == 0) {
        v[0] = first_number();
        MPI_Send(v, 1, MPI_INT, 1, 8, MPI_COMM_WORLD);
        finish(0);
    } else if (strcmp(name, "reduction") == 0) {
        v[0] = first_number();
        MPI_Allreduce(&v[0], &v[1], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        finish(v[1] - 1);
    } else {
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
            if (strcmp(name, ways[i].name) == 0) {
                finish(ways[i].go(first_number()));
                return;
            }
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
}

/* Ranks 1 and 2; of "count" and "tag", the messages differ in these. */
static void send(const char *name)
{
    int v[2] = {rank, rank}, zero_more = 0, all;
    int both = strcmp(name, "count") == 0, tagged = strcmp(name, "tag") == 0;
    MPI_Send(v, both ? rank : 1, MPI_INT, 0, tagged ? rank + 2 : 3, MPI_COMM_WORLD);
    if (strcmp(name, "reduction") == 0)
        MPI_Allreduce(&zero_more, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 1 && strcmp(name, "rank") == 0) {
        MPI_Recv(v, 1, MPI_INT, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sink = v[0];
        if (!unused && v[0] == 2)
            MPI_Recv(v, 1, MPI_INT, 0, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    unused = argc > 2;
    if (rank == 0) {
        receive(argv[1]);
    } else {
        send(argv[1]);
        if (rank == 1)
            MPI_Send(&rank, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
